//! The readers on public libraries that the programs or their users made.
//!
//! Small ones whose licence allows it are in `tests/samples`, with the licence and where they come from. The others are
//! not part of this repository: they belong to their authors, and most have no licence. Get them from their repositories at the commits
//! that are named here, into folders `OWNER/NAME` of one folder, and run
//!
//! ```text
//! LUNETTE_PUBLIC=FOLDER cargo test -p lunette-sources --test public -- --ignored
//! ```

use std::path::Path;

use lunette_sources::{Cancelled, Files, Limits, Source, read, recognise};

/// A repository, its commit, the library in it, its source, how many items are read, and how many warnings there are.
type Public = (&'static str, &'static str, &'static str, Source, usize, usize);

/// The libraries that are stored here: the folder or file, its source, and how many items are read.
const STORED: &[(&str, Source, usize)] = &[
    ("snipkit/masscode-v1", Source::MASS_CODE, 2),
    ("snipkit/masscode-v2", Source::MASS_CODE, 3),
    ("snipkit/pet/snippet.toml", Source::PET, 2),
    ("friendly-snippets/snippets", Source::VS_CODE, 9),
    ("inkdrop-import-snippetslab/test.json", Source::SNIPPETS_LAB, 2),
    ("jetbrains-live-templates/jblt-php-iwat.xml", Source::JET_BRAINS, 14),
    ("boostnote-storage/library", Source::BOOSTNOTE, 3),
    ("go-octokit/gist.json", Source::GIST, 1),
];

#[test]
fn stored_public_libraries_are_recognised_and_read_without_a_warning() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
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
    (
        "rafamadriz/friendly-snippets",
        "572f5660cf05f8cd8834e096d7b4c921ba18e175",
        "snippets",
        Source::VS_CODE,
        6168,
        172,
    ),
    ("espanso/hub", "92acb53f46de637036dd88c75a2b51e9f2d1a5c5", "packages", Source::ESPANSO, 82_606, 151),
    (
        "CarlosVbot/MassCodeNetsuite",
        "4f34aa13606f53bf4ba344b69b076d7a014c33c9",
        "massCode Backup",
        Source::MASS_CODE,
        55,
        9,
    ),
    ("maoXyzt/masscode-db", "69818fbd31d61973678f26bb08077eb45f3d5c33", "massCode", Source::MASS_CODE, 58, 0),
    ("nknkt/dotfiles", "0472e2bcdb32a82687e40ca2a51ea85bdf06884b", "masscode", Source::MASS_CODE, 156, 1),
    (
        "lijunjie2232/my_code_pieces",
        "700d8b4167ed69ed77b2a76b73dd83a0d7851466",
        "massCode.db",
        Source::MASS_CODE,
        100,
        9,
    ),
    ("haze5959/myMassCode", "fe5c02ae0d2701efa71c0fd7245735f155971f29", "", Source::MASS_CODE, 60, 0),
    ("haze5959/myMassCode", "fe5c02ae0d2701efa71c0fd7245735f155971f29", "BTN", Source::OBSIDIAN, 8, 1),
    (
        "gustavotrott/inkdrop-import-snippetslab",
        "8bcd173b7fd15a11ba794a9519b501424bf57426",
        "test.json",
        Source::SNIPPETS_LAB,
        2,
        0,
    ),
    ("wuyuedefeng/mySnippets", "badbc14b5dc55838adf14db149f9ce8bf08888e3", "SnippetsLab", Source::SNIPPETS_LAB, 2, 0),
    ("wuyuedefeng/mySnippets", "badbc14b5dc55838adf14db149f9ce8bf08888e3", "dash/library.dash", Source::DASH, 11, 0),
    ("paulomcnally/dash-snippets", "43d4b4726a30f25ec028d2ae6bd3763253e19e22", "library.dash", Source::DASH, 22, 0),
    ("ybma/snippets", "d1d070ddcda414d189b97a723bdaf043f7131b51", "library.dash", Source::DASH, 28, 0),
    ("moaible/moaible-dash-snippet", "4917b8571b07c729a21856ff11a229ae6d53fbe7", "library.dash", Source::DASH, 4, 0),
    ("JPR75/my-boostnote-snippet", "0f9a820b9efb24510200d84ed0982a67f000a4e2", "", Source::BOOSTNOTE, 25, 1),
    ("cwocwo/boostnote", "8f106d461209fd207cc9e33528c2d45ad0ff9dd7", "", Source::BOOSTNOTE, 27, 1),
    ("DumbMachine/SyncBoostNoteExample", "db193c468ff7e216ef58ffaa62ed8b7be5afd4a6", "", Source::BOOSTNOTE, 4, 0),
    (
        "ThaddeusJiang/Raycast-Snippets",
        "49511fb245ec7a46e8f4ccf357705c52b7713594",
        "Snippets.json",
        Source::RAYCAST,
        34,
        0,
    ),
    ("xhiroga/raycast-snippets", "4d94dbed53d43b2d9558d26c5c6b47328f25a402", "Snippets.json", Source::RAYCAST, 1, 0),
    (
        "sivaprasadreddy/intellij-live-templates",
        "6e211765f13a8b20577d431a40178d41a2d3be68",
        "settings.zip",
        Source::JET_BRAINS,
        26,
        0,
    ),
    ("octokit/go-octokit", "a49f44b0b4ccf0c6836097b090607ccd9a5952ea", "fixtures/gist.json", Source::GIST, 1, 0),
    (
        "lslvxy/30-seconds-of-code-alfredsnippets",
        "2c1f201ab3c17ed29123e65d8afc9b728c7f2971",
        "3sc.alfredsnippets",
        Source::ALFRED,
        288,
        8,
    ),
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
        found.push((*repository, recognise(&files), library.candidates.len(), warnings));
    }
    let expected = PUBLIC
        .iter()
        .map(|(repository, _, _, source, items, warnings)| (*repository, Some(*source), *items, *warnings));
    assert_eq!(found, expected.collect::<Vec<_>>());
}
