//! What is looked for with a word too many, misspelt, in another form, or with other words is among the first three.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use super::{search, store};
use crate::store::Store;
use crate::store::records::annotation::NewAnnotation;
use crate::store::records::create::{NewAsset, OnDuplicate};
use crate::store::records::format::Content;
use crate::store::search::Search;
use crate::store::tests::assets::{new_asset, new_tag};

const LANGUAGES: [&str; 10] =
    ["csharp", "css", "go", "java", "javascript", "python", "rust", "shell", "sql", "typescript"];
/// The kinds of questions, how many there are, and how many of them must be answered.
const WANTED: [(&str, usize, usize); 4] = [
    ("One word too many", 40, 38),
    ("Misspelt", 20, 18),
    ("Other forms of a word, and parts of identifiers", 20, 18),
    ("Without any of the words", 20, 8),
];

fn read(name: &str) -> String {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../tests/search_questions"].iter().collect();
    fs::read_to_string(folder.join(name).with_extension("txt")).expect("a file")
}

/// An asset as it is written down: `=== name | tags | description`, and its content below.
fn asset(written: &str) -> NewAsset {
    let (head, content) = written.split_once('\n').expect("a content");
    let mut parts = head.split('|').map(str::trim);
    let name = parts.next().expect("a name");
    let tags = parts.next().unwrap_or_default().split(',').map(str::trim).filter(|tag| !tag.is_empty());
    let annotation =
        |text: &str| NewAnnotation { kind: "DESCRIPTION".to_owned(), text: text.to_owned(), document: "{}".to_owned() };
    NewAsset {
        items: tags.map(new_tag).collect(),
        annotations: parts.next().map(annotation).into_iter().collect(),
        ..new_asset(name, Content::Text(content.trim_end().to_owned()))
    }
}

/// A store of all assets, and their names by id.
pub(super) fn filled() -> (Store, HashMap<String, String>) {
    let (store, mut names) = (store(), HashMap::new());
    for language in LANGUAGES {
        for written in format!("\n{}", read(language)).split("\n=== ").skip(1) {
            let new = asset(written);
            let name = new.name.clone().expect("a name");
            names.insert(store.create_asset(new, OnDuplicate::Create).expect("an asset").id, name);
        }
    }
    (store, names)
}

/// A search that goes on.
pub(super) fn going_on(query: &str) -> Search {
    Search { goes_on: true, ..search(query) }
}

#[test]
fn questions_are_answered_among_the_first_three() {
    let (store, names) = filled();
    assert!(names.len() >= 300);
    let mut answered: HashMap<String, (usize, usize)> = HashMap::new();
    let mut kind = String::new();
    for line in read("questions").lines() {
        if let Some(heading) = line.strip_prefix("# ") {
            kind = heading.to_owned();
            continue;
        }
        let (question, wanted) = line.split_once(" => ").expect("a question");
        let found = store.search(&going_on(question)).expect("a search").hits;
        let first: Vec<&str> = found.iter().take(3).map(|hit| names[&hit.id].as_str()).collect();
        let (right, all) = answered.entry(kind.clone()).or_default();
        *all += 1;
        if first.contains(&wanted) {
            *right += 1;
        } else {
            let place = found.iter().position(|hit| names[&hit.id] == wanted);
            println!("{question}: {wanted} is {place:?} of {}; the first are {first:?}", found.len());
        }
    }
    println!("{answered:?}");
    for (kind, count, least) in WANTED {
        let (right, all) = answered[kind];
        assert_eq!(all, count, "{kind}");
        assert!(right >= least, "{kind}: {right} of {all} are answered; {least} must be");
    }
}
