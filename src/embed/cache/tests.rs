//! The cache: what it keeps, and that damage costs time and never an answer.

use super::*;

const ROW: usize = 12;

fn row(text: &str) -> Vec<u8> {
    text.bytes().cycle().take(ROW).collect()
}

fn add(cache: &mut Cache, texts: &[&str]) {
    let keys: Vec<Key> = texts.iter().map(|text| Key::of(text)).collect();
    let rows: Vec<u8> = texts.iter().flat_map(|text| row(text)).collect();
    cache.add(&keys, &rows).unwrap();
}

fn get(cache: &Cache, text: &str) -> Option<Vec<u8>> {
    let mut found = vec![0; ROW];
    cache.get(Key::of(text), &mut found).unwrap().then_some(found)
}

fn open(path: &Path) -> Cache {
    Cache::open(path, "model", ROW).unwrap()
}

#[test]
fn keeps_rows_across_openings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache");
    let mut cache = open(&path);
    assert!(cache.len() == 0 && cache.notice().is_none());
    add(&mut cache, &["one", "two"]);
    add(&mut cache, &["three"]);
    assert_eq!(get(&cache, "two"), Some(row("two")));
    drop(cache);
    let cache = open(&path);
    assert_eq!((cache.len(), cache.notice()), (3, None));
    for text in ["one", "two", "three"] {
        assert_eq!(get(&cache, text), Some(row(text)));
    }
    assert_eq!(get(&cache, "four"), None);
}

#[test]
fn looking_counts_rows_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache");
    assert_eq!(Cache::look(&path).unwrap(), None);
    assert!(!path.exists());
    let mut cache = open(&path);
    add(&mut cache, &["one", "two"]);
    let first = std::fs::metadata(&path).unwrap().len();
    add(&mut cache, &["three"]);
    drop(cache);
    let whole = std::fs::read(&path).unwrap();
    for length in 0..=whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        let found = Cache::look(&path).unwrap().unwrap();
        let rows = 2 * u64::from(length as u64 >= first) + u64::from(length == whole.len());
        assert_eq!((found.rows, found.bytes), (rows, length as u64));
        assert_eq!(found.fits("model", ROW), length as u64 >= HEADER_BYTES);
        assert!(!found.fits("other model", ROW) && !found.fits("model", ROW + 1));
        assert_eq!(std::fs::read(&path).unwrap(), whole[..length]);
    }
    for at in 0..HASHED_BYTES + 8 {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        std::fs::write(&path, &bytes).unwrap();
        let found = Cache::look(&path).unwrap().unwrap();
        assert!(found.rows == 0 && !found.fits("model", ROW), "byte {at}");
    }
}

#[test]
fn another_model_or_row_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache");
    add(&mut open(&path), &["one"]);
    let other = Cache::open(&path, "other model", ROW).unwrap();
    assert!(other.len() == 0 && other.notice().unwrap().contains("starting over"));
    drop(other);
    let wider = Cache::open(&path, "other model", ROW + 1).unwrap();
    assert!(wider.len() == 0 && wider.notice().is_some());
}

#[test]
fn no_flipped_byte_gives_a_wrong_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache");
    let mut cache = open(&path);
    add(&mut cache, &["one", "two"]);
    add(&mut cache, &["three", "four"]);
    drop(cache);
    let whole = std::fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        std::fs::write(&path, &bytes).unwrap();
        let mut cache = open(&path);
        let lost = cache.len() < 4;
        assert!(lost && cache.notice().is_some(), "byte {at}: {:?}", cache.notice());
        for text in ["one", "two", "three", "four"] {
            let found = get(&cache, text);
            assert!(found.is_none() || found == Some(row(text)), "byte {at}");
        }
        // What was lost can be added again, and all of it is there the next time.
        add(&mut cache, &["one", "two", "three", "four"]);
        drop(cache);
        assert_eq!(open(&path).len(), 4);
    }
}

#[test]
fn a_torn_end_is_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache");
    let mut cache = open(&path);
    add(&mut cache, &["one", "two"]);
    let first = std::fs::metadata(&path).unwrap().len();
    add(&mut cache, &["three"]);
    drop(cache);
    let whole = std::fs::read(&path).unwrap();
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        let cache = open(&path);
        assert_eq!(cache.len(), if (length as u64) < first { 0 } else { 2 }, "{length} bytes");
    }
}

#[test]
fn trimming_keeps_what_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache");
    let mut cache = open(&path);
    add(&mut cache, &["one", "two", "three", "four", "five"]);
    cache.trim(|key| key == Key::of("four") || key == Key::of("five")).unwrap();
    let cache = open(&path);
    assert_eq!((cache.len(), get(&cache, "four")), (2, Some(row("four"))));
    // Little to drop is left as it is.
    cache.trim(|key| key == Key::of("four")).unwrap();
    assert_eq!(open(&path).len(), 2);
}

#[test]
fn rows_of_another_cache_are_taken_in() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("cache"), folder.path().join("other"));
    let mut made = open(&other);
    add(&mut made, &["two", "three"]);
    let first = std::fs::metadata(&other).unwrap().len();
    add(&mut made, &["four"]);
    drop(made);
    let mut cache = open(&path);
    add(&mut cache, &["one", "two"]);
    assert!(cache.absorb(&other).unwrap());
    assert_eq!((cache.len(), cache.notice()), (4, None));
    for text in ["one", "two", "three", "four"] {
        assert_eq!(get(&cache, text), Some(row(text)));
    }
    drop(cache);
    assert_eq!(open(&path).len(), 4);

    // What is cut off or damaged is left out, the rest is not; the other file stays as it is.
    let whole = std::fs::read(&other).unwrap();
    let mut damaged = whole.clone();
    damaged[HEADER_BYTES as usize + 20] ^= 1;
    for (bytes, rows) in [(&whole[..first as usize + 5], 2), (&damaged, 1)] {
        std::fs::write(&other, bytes).unwrap();
        std::fs::remove_file(&path).unwrap();
        let mut cache = open(&path);
        assert!(cache.absorb(&other).unwrap());
        assert_eq!(cache.len(), rows);
        assert!(cache.notice().is_some_and(|notice| notice.contains("embedded again")));
        assert_eq!(std::fs::read(&other).unwrap(), bytes);
    }
    let mut of_another = Cache::open(&folder.path().join("x"), "another model", ROW).unwrap();
    std::fs::write(&other, &whole).unwrap();
    assert!(!of_another.absorb(&other).unwrap());
    assert_eq!(of_another.len(), 0);
}
