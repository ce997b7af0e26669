//! Notes: vaults of Obsidian and of Boostnote.

use lunette_sources::{Files, Limits, Source, read};

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
    assert_eq!(codes(&notes), ["file.left-out", "file.hidden", "file.hidden"]);
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
    assert_eq!(codes(&library), ["cson.invalid", "file.left-out"]);
}

#[test]
fn fences_in_lists_are_code_blocks_of_a_note_and_its_links_are_no_tags() {
    let note = "See [start](#introduction) and [[#Overview]], #real.\n\n1. a\n\n    ```sh\n    x\n    ```\n\n- b\n\t~~~\n\ty  \n\n\tz\n\t~~~\n";
    let files = Files::of_memory("vault", [("note.md", note.as_bytes().to_vec())], Limits::default());
    let notes = read(&files, Source::Obsidian);
    assert_eq!((notes.candidates[0].tags.join(","), codes(&notes)), ("real".to_owned(), vec![]));
    let blocks = read(&files, Source::ObsidianCode);
    let found: Vec<_> = blocks.candidates.iter().flat_map(texts).collect();
    assert_eq!((found, codes(&blocks)), (vec!["x", "y  \n\nz"], vec![]));
}

#[test]
fn a_note_that_is_too_complex_to_be_parsed_is_kept_whole_with_a_warning() {
    let note = format!("{}```\n{}", "- ".repeat(5_000), "\n".repeat(100_000));
    let files = Files::of_memory("vault", [("note.md", note.clone().into_bytes())], Limits::default());
    let notes = read(&files, Source::Obsidian);
    assert_eq!((texts(&notes.candidates[0]), notes.candidates[0].warnings[0].code), (vec![&*note], "markdown.complex"));
    assert_eq!(codes(&read(&files, Source::ObsidianCode)), ["markdown.complex"]);
}
