//! Archives of Lunette.

use lunette_sources::{Files, Limits, Source, read, recognise};

use crate::{codes, date, dates, languages, library, names, texts};

#[test]
fn an_archive_of_lunette_is_read_as_it_is_written_and_verified() {
    let library = library("lunette");
    assert_eq!(codes(&library), [""; 0]);
    assert_eq!(names(&library), ["dot", "MAIN.rs", " main.rs"], "names keep their spaces");
    let main = &library.candidates[2];
    let native = main.native.as_ref().expect("what only an archive says");
    assert_eq!((texts(main), languages(main), date(main)), (vec!["fn main() {}\n"], vec![Some("rs")], dates()));
    assert_eq!((main.favourite, native.is_text, main.tags.as_slice()), (true, true, &["two words".to_owned()][..]));
    assert_eq!(native.websites, [("https://a.example/".to_owned(), "A".to_owned())]);
    assert_eq!(native.annotations, [("COMMENT".to_owned(), "Text\n".to_owned())]);
    assert_eq!(texts(&library.candidates[1]), [""], "an empty content is one too");
    assert!(!library.candidates[0].native.as_ref().expect("it").is_text);
    assert!(library.candidates.iter().all(|candidate| candidate.warnings.is_empty()));
}

#[test]
fn an_archive_of_a_later_version_or_without_sums_is_read_with_a_warning() {
    let record = |file: &str| {
        format!("{{\"id\": \"1\", \"name\": \"a\", \"file\": \"{file}\", \"content\": \"text\"}}").into_bytes()
    };
    let files = |file: &str| {
        let manifest = b"{\"format\": \"lunette-archive\", \"version\": 2}".to_vec();
        let entries =
            [("x/manifest.json", manifest), ("x/content/a", b"a".to_vec()), ("x/records/a.json", record(file))];
        Files::of_memory("archive.zip", entries, Limits::default())
    };
    assert_eq!(recognise(&files("content/a")), Some(Source::LUNETTE));
    let whole = read(&files("content/a"), Source::LUNETTE);
    assert_eq!((codes(&whole), whole.candidates.len()), (vec!["lunette.version", "missing"], 1));
    let outside = read(&files("../../etc/passwd"), Source::LUNETTE);
    assert!(codes(&outside).contains(&"lunette.content") && outside.candidates.is_empty());
}
