//! The readers on public libraries that the programs or their users made. They are not part of this repository: get them
//! from their repositories at the commits that are named here, into folders `OWNER/NAME` of one folder, and run
//!
//! ```text
//! LUNETTE_PUBLIC=FOLDER cargo test -p lunette-sources --test public -- --ignored
//! ```

use std::path::Path;

use lunette_sources::{Cancelled, Files, Limits, Source, read};

/// A repository, its commit, the library in it, its source, how many items are read, and how many warnings there are.
type Public = (&'static str, &'static str, &'static str, Source, usize, usize);

const PUBLIC: &[Public] = &[
    (
        "lemoony/snipkit",
        "720f676c0d938742ddf43d2e6d308a2596a22e85",
        "internal/managers/masscode/testdata/userhome-v1/massCode",
        Source::MassCode,
        2,
        0,
    ),
    (
        "lemoony/snipkit",
        "720f676c0d938742ddf43d2e6d308a2596a22e85",
        "internal/managers/masscode/testdata/userhome-v2/massCode",
        Source::MassCode,
        3,
        0,
    ),
    (
        "lemoony/snipkit",
        "720f676c0d938742ddf43d2e6d308a2596a22e85",
        "internal/managers/pet/testdata/userhome/.config/pet/snippet.toml",
        Source::Pet,
        2,
        0,
    ),
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
