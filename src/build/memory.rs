//! Memory between the stages of a build.

/// Gives the system what the allocator keeps of freed memory. A stage frees millions of small blocks, and
/// glibc would keep their pages beside what the next stage allocates in large ones; other allocators
/// decide for themselves.
pub(super) fn give_back() {
    #[cfg(target_env = "gnu")]
    // SAFETY: `malloc_trim` may be called at any time from any thread; it moves nothing that is in use.
    #[allow(unsafe_code)]
    unsafe {
        libc::malloc_trim(0);
    }
}
