//! A file as it lies on a disk: what opens archives and databases gets it, and then every reader.
//!
//! The bytes: the file's name on one line, of which only the extension counts, and the content after that.

use std::fs;

use lunette_sources::{Cancelled, Files, Limits, Source, read, recognise};

/// What is opened in another way than a text.
const NAMES: [&str; 7] = ["x.zip", "x.alfredsnippets", "x.tar", "x.tar.gz", "library.dash", "massCode.db", "x.sqlite"];

/// Whatever is read has an id of its own and content, within limits that a small file cannot leave, and the file stays as it
/// is.
pub fn holds(data: &[u8]) {
    let (wanted, content) = super::line(data);
    let extension = |name: &str| name.split_once('.').map(|(_, end)| end.to_owned());
    let name = NAMES.iter().find(|name| extension(name) == extension(&wanted)).unwrap_or(&NAMES[0]);
    // One process fuzzes in one thread; tests go through the seeds one after the other.
    let folder = std::env::temp_dir().join(format!("lunette-opener-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    fs::write(&path, content).expect("a file");
    let limits = Limits { file_bytes: 1 << 20, total_bytes: 4 << 20, entries: 1000, ..Limits::default() };
    if let Ok(files) = Files::open(&path, limits, Cancelled(None)) {
        recognise(&files);
        for source in Source::all() {
            let library = read(&files, source);
            let ids: std::collections::HashSet<_> = library.candidates.iter().map(|one| &one.source_id).collect();
            assert_eq!(ids.len(), library.candidates.len(), "{source}: an id is there twice");
            let bytes: u64 =
                library.candidates.iter().flat_map(|one| &one.fragments).map(|one| one.bytes.len() as u64).sum();
            assert!(bytes <= limits.total_bytes, "{source}: {bytes} bytes are over the limit");
        }
    }
    assert!(fs::read(&path).expect("the file") == content, "the file has changed");
    let count = fs::read_dir(&folder).expect("the folder").count();
    fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(count, 1, "a file was left beside it");
}
