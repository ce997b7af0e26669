//! The readers on public libraries that the programs or their users made.
//!
//! Those of `lemoony/snipkit` are in `tests/samples/snipkit`, which says where they come from. The others are not part of
//! this repository: friendly-snippets is a thousand times as large, and each package of the hub of espanso has its own
//! author and licence. Get them from their repositories at the commits that are named here, into folders `OWNER/NAME` of
//! one folder, and run
//!
//! ```text
//! LUNETTE_PUBLIC=FOLDER cargo test -p lunette-sources --test public -- --ignored
//! ```

use std::path::Path;

use lunette_sources::{Cancelled, Files, Limits, Source, read, recognise};

/// A repository, its commit, the library in it, its source, how many items are read, and how many warnings there are.
type Public = (&'static str, &'static str, &'static str, Source, usize, usize);

/// The libraries that are stored here: the folder or file, its source, and how many items are read.
const STORED: &[(&str, Source, usize)] =
    &[("masscode-v1", Source::MassCode, 2), ("masscode-v2", Source::MassCode, 3), ("pet/snippet.toml", Source::Pet, 2)];

#[test]
fn stored_public_libraries_are_recognised_and_read_without_a_warning() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples/snipkit");
    for (path, source, items) in STORED {
        let files = Files::open(&folder.join(path), Limits::default(), Cancelled(None)).expect("the library is there");
        assert_eq!(recognise(&files), Some(*source), "{path}");
        let library = read(&files, *source);
        assert_eq!(library.candidates.len(), *items, "{path}");
        let warnings = library.candidates.iter().flat_map(|one| &one.warnings).chain(&library.warnings);
        assert_eq!(warnings.map(ToString::to_string).collect::<Vec<_>>(), [""; 0], "{path}");
    }
}

const PUBLIC: &[Public] = &[
    ("rafamadriz/friendly-snippets", "572f5660cf05f8cd8834e096d7b4c921ba18e175", "snippets", Source::VsCode, 6168, 172),
    ("espanso/hub", "92acb53f46de637036dd88c75a2b51e9f2d1a5c5", "packages", Source::Espanso, 82_606, 151),
];

#[test]
#[ignore = "needs public repositories; see above"]
fn public_libraries_are_read() {
    let folder = std::env::var("LUNETTE_PUBLIC").expect("LUNETTE_PUBLIC names the folder of the repositories");
    let mut found = Vec::new();
    for (repository, _, path, source, ..) in PUBLIC {
        let path = Path::new(&folder).join(repository).join(path);
        let files = Files::open(&path, Limits::default(), Cancelled(None)).expect("the library is there");
        let library = read(&files, *source);
        let warnings = library.candidates.iter().map(|one| one.warnings.len()).sum::<usize>() + library.warnings.len();
        found.push((*repository, *source, library.candidates.len(), warnings));
    }
    let expected =
        PUBLIC.iter().map(|(repository, _, _, source, items, warnings)| (*repository, *source, *items, *warnings));
    assert_eq!(found, expected.collect::<Vec<_>>());
}
