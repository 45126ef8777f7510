//! hnswlib, called from native code as Almoner is: through `hnswlib.cpp`, compiled apart.

use std::ffi::OsStr;
use std::os::raw::c_void;

use libloading::{Library, Symbol};

use super::DIMS;

type Build = unsafe extern "C" fn(*const f32, usize, usize, usize, usize, usize) -> *mut c_void;
type Search = unsafe extern "C" fn(*mut c_void, *const f32, usize, usize, *mut u64) -> usize;

/// An index of hnswlib.
pub struct Index {
    index: *mut c_void,
    search: Search,
    bytes: usize,
    free: unsafe extern "C" fn(*mut c_void),
    /// What the functions belong to.
    _library: Library,
}

impl Index {
    /// Builds an index of vectors `f32[count][DIMS]` with the library at a path.
    ///
    /// # Panics
    /// When the library cannot be loaded or the index not be built.
    pub fn build(library: &OsStr, base: &[f32], m: usize, ef_construction: usize) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        // SAFETY: the library is what `hnswlib.cpp` was compiled to, whose functions have these types;
        // they are called with as many floats as they are told of, and with an index that was built.
        #[allow(unsafe_code)]
        unsafe {
            let library = Library::new(library).expect("hnswlib.cpp as a shared library");
            let build: Symbol<Build> = library.get(b"hnswlib_build").expect("its function");
            let count = base.len() / DIMS;
            let index = build(base.as_ptr(), count, DIMS, m, ef_construction, threads);
            assert!(!index.is_null(), "hnswlib builds its index");
            let search = *library.get::<Search>(b"hnswlib_search").expect("its function");
            let free = *library.get(b"hnswlib_free").expect("its function");
            let bytes: Symbol<unsafe extern "C" fn(*mut c_void) -> usize> =
                library.get(b"hnswlib_bytes").expect("its function");
            let bytes = bytes(index);
            Self { index, search, bytes, free, _library: library }
        }
    }

    /// The numbers of the nearest, in no order.
    pub fn search<const K: usize>(&self, query: &[f32], ef: usize) -> Vec<u32> {
        assert_eq!(query.len(), DIMS, "a query of {DIMS} components");
        let mut found = [0; K];
        // SAFETY: the index was built for vectors of so many components, and there is room for K.
        #[allow(unsafe_code)]
        let count = unsafe { (self.search)(self.index, query.as_ptr(), K, ef, found.as_mut_ptr()) };
        found[..count].iter().map(|&at| at as u32).collect()
    }

    /// Bytes that it holds.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        // SAFETY: the index was built and is used no more.
        #[allow(unsafe_code)]
        unsafe {
            (self.free)(self.index);
        }
    }
}
