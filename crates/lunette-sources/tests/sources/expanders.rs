//! Text expanders and commands: Espanso, Alfred and pet.

use crate::{codes, languages, library, names, texts};

#[test]
fn matches_of_espanso_keep_triggers_and_run_nothing() {
    let library = library("espanso");
    assert_eq!(names(&library), ["A greeting", ":a", ":now"]);
    let [hi, both, now] = library.candidates.as_slice() else { panic!("three matches") };
    assert_eq!((texts(hi), hi.tags.join(",")), (vec!["Hello,\nworld"], "greeting".to_owned()));
    assert_eq!((both.triggers.join(","), languages(both)), (":a,:b".to_owned(), vec![Some("markdown")]));
    assert!(now.description.as_deref().is_some_and(|text| text.contains("\"cmd\":\"date\"")), "{now:?}");
    assert_eq!(codes(&library), ["espanso.effect", "yaml.invalid"]);
}

#[test]
fn keywords_of_alfred_have_the_affixes_of_their_collection() {
    let library = library("alfred");
    let [hello] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!((hello.triggers.join(","), hello.folder.join("/")), (";;hello!".to_owned(), "Mail".to_owned()));
}

#[test]
fn commands_of_pet_keep_tags_and_lines() {
    let library = library("pet");
    let [ping, several] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!((texts(ping), ping.tags.join(",")), (vec!["ping <host=8.8.8.8>"], "network,google".to_owned()));
    assert_eq!((several.name.as_str(), texts(several)), ("several", vec!["a\nb"]));
}
