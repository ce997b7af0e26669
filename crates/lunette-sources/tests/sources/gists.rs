//! Gists: what the interface of GitHub returns, and clones.

use std::fs;

use lunette_sources::{Source, read, recognise};

use crate::{codes, date, dates, library, open, texts};

#[test]
fn a_gist_has_the_title_and_tags_of_its_description() {
    let library = library("gist");
    let [sort] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!(
        (sort.name.as_str(), sort.description.as_deref(), sort.tags.join(",")),
        ("Sort", Some("a list #2024"), "rust".to_owned())
    );
    assert_eq!((texts(sort), date(sort)), (vec!["a.sort()"], dates()));
    assert_eq!((sort.warnings[0].code, codes(&library)), ("gist.content", vec!["gist.content"]));
}

#[test]
fn cloned_gists_are_one_item_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in [
        ("aa11/.git/config", "[remote \"origin\"]\n\turl = https://user:secret@gist.github.com/aa11.git\n"),
        ("aa11/.git/HEAD", "ref: x"),
        ("aa11/a.rs", "fn a() {}"),
        ("aa11/b.txt", "b"),
        ("bb22/.git/config", "[remote \"origin\"]\n\turl = git@gist.github.com:bb22.git\n"),
        ("bb22/c.md", "# c"),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, content).expect("a file");
    }
    let files = open(folder.path());
    assert_eq!(recognise(&files), Some(Source::GIST));
    let library = read(&files, Source::GIST);
    let [first, second] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!((first.source_id.as_str(), texts(first)), ("aa11", vec!["fn a() {}", "b"]));
    assert_eq!(first.urls, ["https://gist.github.com/aa11"], "no password is kept");
    assert_eq!(second.urls, ["https://gist.github.com/bb22"]);
    fs::write(folder.path().join("bb22/.git/config"), "[remote]\nurl = https://example.com/x.git\n").expect("a file");
    assert_eq!(recognise(&open(folder.path())), None, "other clones are ordinary folders");
}
