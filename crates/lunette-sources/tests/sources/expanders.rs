//! Text expanders and commands: Espanso, Alfred and pet.

use lunette_sources::{Files, Limits, Source, read, recognise};

use crate::{codes, languages, library, names, texts};

#[test]
fn matches_of_espanso_keep_triggers_and_run_nothing() {
    let library = library("espanso");
    assert_eq!(names(&library), ["A greeting", ":a", ":now"]);
    let [hi, both, now] = library.candidates.as_slice() else { panic!("three matches") };
    assert_eq!((texts(hi), hi.tags.join(",")), (vec!["Hello,\nworld"], "greeting".to_owned()));
    assert_eq!((both.triggers.join(","), languages(both)), (":a,:b".to_owned(), vec![Some("markdown")]));
    assert!(now.description.as_deref().is_some_and(|text| text.contains("\"cmd\":\"date\"")), "{now:?}");
    assert_eq!(codes(&library), ["espanso.effect", "yaml.invalid", "file.left-out"]);
}

#[test]
fn global_variables_of_espanso_are_named_as_left_out() {
    let file = "global_vars:\n  - name: me\n    type: echo\nmatches:\n  - trigger: \":a\"\n    replace: \"{{me}}\"\n";
    let files = Files::of_memory("match", [("base.yml", file.as_bytes().to_vec())], Limits::default());
    let library = read(&files, Source::Espanso);
    assert_eq!((names(&library), codes(&library)), (vec![":a"], vec!["espanso.global-variables"]));
}

#[test]
fn keywords_of_alfred_have_the_affixes_of_their_collection() {
    let library = library("alfred");
    let [hello] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!((hello.triggers.join(","), hello.folder.join("/")), (";;hello!".to_owned(), "Mail".to_owned()));
}

#[test]
fn snippets_of_alfred_are_recognised_although_one_is_damaged() {
    let snippet =
        |name: &str| format!(r#"{{"alfredsnippet": {{"snippet": "text", "name": "{name}", "uid": "{name}"}}}}"#);
    let files = [("a.json", snippet("a")), ("b.json", r#"{"alfredsnippet": {"snippet": "\s"}}"#.to_owned())];
    let files = files.into_iter().chain([("c.json", snippet("c"))]).map(|(path, text)| (path, text.into_bytes()));
    let files = Files::of_memory("Snippets", files, Limits::default());
    assert_eq!(recognise(&files), Some(Source::Alfred));
    let library = read(&files, Source::Alfred);
    assert_eq!((names(&library), codes(&library)), (vec!["a", "c"], vec!["json.invalid"]));
}

/// A binary property list of arrays that each have the next one twice: a few hundred bytes that stand for 2^40 values.
fn property_list_bomb() -> Vec<u8> {
    let mut bytes = b"bplist00".to_vec();
    let arrays: Vec<u8> = (1..=40).flat_map(|next| [0xa2, next, next]).collect();
    let offsets = (0..41).map(|number| 8 + 3 * number);
    bytes.extend(arrays);
    bytes.extend([0x51, b'a']);
    let table = bytes.len() as u64;
    bytes.extend(offsets);
    bytes.extend([0, 0, 0, 0, 0, 0, 1, 1]);
    [41, 0, table].iter().for_each(|number: &u64| bytes.extend(number.to_be_bytes()));
    bytes
}

#[test]
fn a_collection_of_alfred_that_stands_for_more_than_memory_is_named_and_its_snippets_are_read() {
    let snippet = r#"{"alfredsnippet": {"snippet": "text", "name": "a", "keyword": "k"}}"#.as_bytes().to_vec();
    let nested = [b"<plist>".to_vec(), b"<array>".repeat(100_000), b"</array>".repeat(100_000)].concat();
    for info in [property_list_bomb(), nested] {
        let files = [("a.json", snippet.clone()), ("info.plist", info)];
        let files = Files::of_memory("Snippets", files, Limits::default());
        let library = read(&files, Source::Alfred);
        assert_eq!((names(&library), codes(&library)), (vec!["a"], vec!["alfred.collection"]));
        assert_eq!(library.candidates[0].triggers, ["k"]);
    }
}

#[test]
fn commands_of_pet_keep_tags_and_lines() {
    let library = library("pet");
    let [ping, several] = library.candidates.as_slice() else { panic!("{library:?}") };
    assert_eq!((texts(ping), ping.tags.join(",")), (vec!["ping <host=8.8.8.8>"], "network,google".to_owned()));
    assert_eq!((several.name.as_str(), texts(several)), ("several", vec!["a\nb"]));
}
