//! A file of another program's library: every reader gets it.
//!
//! The bytes: the file's path on one line, the content after that. An archive of Lunette, which is several files, gets them as
//! its manifest, a record and its sums.

use lunette_sources::{Files, Limits, Source, read, recognise};

/// Whatever is read has an id of its own and content, and reading it again gives the same.
pub fn holds(data: &[u8]) {
    let (path, content) = super::line(data);
    let files = Files::of_memory("library", [(path.as_str(), content.to_vec())], Limits::default());
    recognise(&files);
    for source in Source::all() {
        holds_for(&files, source);
    }
    let manifest = br#"{"format": "lunette-archive", "version": 1}"#.to_vec();
    for path in ["manifest.json", "records/a.json", "SHA256SUMS"] {
        let fixed = [("manifest.json", manifest.clone()), ("content/a", b"x".to_vec())];
        let entries = fixed.into_iter().filter(|(fixed, _)| *fixed != path).chain([(path, content.to_vec())]);
        holds_for(&Files::of_memory("library", entries, Limits::default()), Source::Lunette);
    }
}

fn holds_for(files: &Files, source: Source) {
    let library = read(files, source);
    let ids: std::collections::HashSet<_> = library.candidates.iter().map(|candidate| &candidate.source_id).collect();
    assert_eq!(ids.len(), library.candidates.len(), "{source}: an id is there twice");
    assert!(library.candidates.iter().all(|candidate| !candidate.fragments.is_empty()), "{source}: no content");
    assert_eq!(library, read(files, source), "{source}");
}
