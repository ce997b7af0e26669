//! Notes: vaults of Obsidian and of Boostnote.

use lunette_sources::{Source, read};

use crate::{codes, languages, library, names, open, sample, texts};

#[test]
fn notes_are_read_whole_or_by_their_code_blocks() {
    let notes = library("obsidian");
    assert_eq!(names(&notes), ["Broken", "Sorting"]);
    let sorting = &notes.candidates[1];
    assert_eq!(
        (sorting.tags.join(","), sorting.triggers.join(",")),
        ("rust,algo,inline".to_owned(), "sort".to_owned())
    );
    assert!(texts(sorting)[0].starts_with("---\n"), "the note is kept whole");
    assert_eq!(notes.candidates[0].warnings[0].code, "yaml.invalid");
    assert_eq!(codes(&notes), ["obsidian.no-note"]);
    let blocks = read(&open(&sample("obsidian")), Source::ObsidianCode);
    assert_eq!(names(&blocks), ["Sorting / Quick", "Sorting / Slow"]);
    assert_eq!(
        (texts(&blocks.candidates[0]), languages(&blocks.candidates[1])),
        (vec!["v.sort_unstable();"], vec![Some("python")])
    );
}

#[test]
fn notes_of_boostnote_keep_their_files() {
    let library = library("boostnote");
    let [two, note] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!(texts(two), ["if (a) {\n  b()\n}", "one \"line\""]);
    assert_eq!((languages(two), two.tags.join(",")), (vec![Some("JavaScript"), None], "a,b c".to_owned()));
    assert_eq!((two.folder.join("/"), two.description.as_deref()), ("Default".to_owned(), Some("First line\nsecond")));
    assert!(two.favourite && note.trashed);
    assert_eq!(note.warnings[0].code, "boostnote.attachments");
    assert_eq!(codes(&library), ["boostnote.attachments", "cson.invalid"]);
}
