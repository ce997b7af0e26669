//! A file of another program's library: every reader gets it.
//!
//! The bytes: the file's path on one line, the content after that. An archive of Lunette or Pieces, which is several files, gets them
//! as its manifest, a record and its sums.
//!
//! The variable `LUNETTE_SOURCE`, such as `espanso`, leaves the other readers out: all time is for that one.

use std::sync::LazyLock;

use lunette_sources::{Files, Limits, Source, read, recognise};

/// Whatever is read has an id of its own and content, and reading it again gives the same.
pub fn holds(data: &[u8]) {
    let (path, content) = super::line(data);
    let files = Files::of_memory("library", [(path.as_str(), content.to_vec())], Limits::default());
    if CHOSEN.is_none() {
        recognise(&files);
    }
    for source in Source::all() {
        holds_for(&files, source);
    }
    let manifest = br#"{"format": "lunette-archive", "version": 1}"#.to_vec();
    for path in ["manifest.json", "records/a.json", "SHA256SUMS"] {
        let fixed = [("manifest.json", manifest.clone()), ("content/a", b"x".to_vec())];
        let entries = fixed.into_iter().filter(|(fixed, _)| *fixed != path).chain([(path, content.to_vec())]);
        holds_for(&Files::of_memory("library", entries, Limits::default()), Source::LUNETTE);
    }
    let [asset, format, state] = PIECES;
    let manifest =
        br#"{"format_version": 6, "tool_version": "", "mode": "filtered", "coverage": [], "status": "partial"}"#;
    let fixed = [("manifest.json", manifest.as_slice()), (asset, ASSET), (format, FORMAT), (state, b"")];
    for path in ["manifest.json", asset, format, state] {
        let entries = fixed.iter().map(|(name, fixed)| (*name, if *name == path { content } else { *fixed }.to_vec()));
        holds_for(&Files::of_memory("library", entries, Limits::default()), Source::PIECES);
    }
}

/// The files of the asset `a` and its format `f`, and of what an archive says of its records.
const PIECES: [&str; 3] = [
    "data/assets/7068574ff4089a9b57b21a1f70e37954384bf70be513d66c43217babc53f22a7.json",
    "data/formats/079d89fd9cfe3f24d2afc3a72f39b072756614198090cd9238ad5ead8df9d33d.json",
    "rebuild-state.jsonl",
];
const ASSET: &[u8] = br#"{"id": "a", "name": "a", "original": {"id": "f"}}"#;
const FORMAT: &[u8] = br#"{"id": "f", "fragment": {"string": {"raw": "x"}}}"#;

static CHOSEN: LazyLock<Option<Source>> = LazyLock::new(|| {
    let name = std::env::var("LUNETTE_SOURCE").ok()?;
    Some(name.parse().expect("the name of a source"))
});

fn holds_for(files: &Files, source: Source) {
    if CHOSEN.is_some_and(|chosen| chosen != source) {
        return;
    }
    let library = read(files, source);
    let ids: std::collections::HashSet<_> = library.candidates.iter().map(|candidate| &candidate.source_id).collect();
    assert_eq!(ids.len(), library.candidates.len(), "{source}: an id is there twice");
    assert!(library.candidates.iter().all(|candidate| !candidate.fragments.is_empty()), "{source}: no content");
    assert_eq!(library, read(files, source), "{source}");
}
