//! How much memory and work a library may cost: what could grow with the square of its size, and what occurs in it once and
//! is copied into each item.

use lunette_sources::{Files, Library, Limits, Source, read};

fn read_one(source: Source, path: &str, text: String) -> Library {
    read_all(source, vec![(path.to_owned(), text)], Limits::default())
}

fn read_all(source: Source, entries: Vec<(String, String)>, limits: Limits) -> Library {
    let entries: Vec<(&str, Vec<u8>)> =
        entries.iter().map(|(path, text)| (path.as_str(), text.as_bytes().to_vec())).collect();
    read(&Files::of_memory("library", entries, limits), source)
}

fn codes(library: &Library) -> Vec<&str> {
    library.warnings.iter().map(|warning| warning.code).collect()
}

/// The size of the names, tags and folders of all items.
fn shared_bytes(library: &Library) -> usize {
    let texts = library.candidates.iter().flat_map(|candidate| {
        let lists = candidate.tags.iter().chain(&candidate.folder).chain(&candidate.triggers);
        lists.chain([&candidate.name, &candidate.source_id])
    });
    texts.map(String::len).sum()
}

/// The elements of a list in JSON.
fn list(count: usize, element: impl Fn(usize) -> String) -> String {
    (0..count).map(element).collect::<Vec<_>>().join(",")
}

#[test]
fn lines_of_templates_are_counted_once_and_attributes_are_not_compared() {
    let elements = "\n<a/>".repeat(60_000);
    let attributes = " a=\"1\"".repeat(30_000);
    let text =
        format!("<templateSet group=\"g\">{elements}<template{attributes} name=\"n\" value=\"\"/></templateSet>");
    let library = read_one(Source::JET_BRAINS, "t.xml", text);
    assert_eq!((codes(&library), library.warnings[0].location.as_str()), (vec!["empty"], "library/t.xml:60001"));
}

#[test]
fn tags_are_told_apart_without_comparing_all_of_them() {
    let tags = list(100_000, |number| format!("\"{number}\",\"{number} \""));
    let text = format!("{{\"snippets\":[{{\"categories\":[{tags}],\"fragments\":[{{\"code\":\"x\"}}]}}]}}");
    let library = read_one(Source::BYTE_STASH, "e.json", text);
    assert_eq!((library.candidates[0].tags.len(), &*library.candidates[0].tags[77]), (100_000, "77"));
}

#[test]
fn a_heading_is_not_copied_into_each_block_below_it() {
    let text = format!("# {}\n{}", "ä".repeat(500_000), "```\nx\n```\n".repeat(5_000));
    let library = read_one(Source::OBSIDIAN_CODE, "n.md", text);
    assert_eq!(library.candidates.len(), 5_000);
    assert!(shared_bytes(&library) < 5_000 * 2_000);
    assert_eq!(codes(&library), ["limit.name"], "one warning for the heading");
}

#[test]
fn what_a_note_says_of_all_its_blocks_counts_for_each_of_them() {
    let tags = "a-tag-of-twenty-one, ".repeat(1_000);
    let text = format!("---\ndescription: {tags}\n---\n{}", "```\nx\n```\n".repeat(20_000));
    let limits = Limits { total_bytes: 1 << 20, ..Limits::default() };
    let library = read_all(Source::OBSIDIAN_CODE, vec![("n.md".to_owned(), text)], limits);
    assert!((10..50).contains(&library.candidates.len()), "{}", library.candidates.len());
    assert_eq!(codes(&library), ["limit.items"]);
}

#[test]
fn a_name_that_many_items_share_is_cut_with_a_warning() {
    const COUNT: usize = 500;
    let name = "n".repeat(100_000);
    let snippets = |text: &str| list(COUNT, |_| text.to_owned());
    let masscode = format!(
        "{{\"folders\":[{{\"id\":\"f\",\"name\":\"{name}\"}}],\"tags\":[{{\"id\":\"t\",\"name\":\"{name}\"}}],\"snippets\":[{}]}}",
        snippets(r#"{"folderId":"f","tagsIds":["t","t"],"content":[{"value":"x"}]}"#)
    );
    let snippetslab = format!(
        "{{\"schema\":\"\",\"app\":\"\",\"contents\":{{\"folders\":[{{\"uuid\":\"f\",\"title\":\"{name}\"}}],\"snippets\":[{}]}}}}",
        snippets(r#"{"folder":"f","fragments":[{"content":"x"}]}"#)
    );
    let vscode = format!("{{\"{name}\":{{{}}}}}", list(COUNT, |number| format!(r#""{number}":{{"body":"x"}}"#)));
    let template = r#"<template name="a" value="x"/>"#.repeat(COUNT);
    let jetbrains = format!("<templateSet group=\"{name}\">{template}</templateSet>");
    for (source, path, text) in [
        (Source::MASS_CODE, "db.json", masscode),
        (Source::SNIPPETS_LAB, "e.json", snippetslab),
        (Source::VS_CODE, "a.code-snippets", vscode),
        (Source::JET_BRAINS, "t.xml", jetbrains),
    ] {
        let library = read_one(source, path, text);
        assert_eq!(library.candidates.len(), COUNT, "{source}");
        assert!(shared_bytes(&library) < COUNT * 4_000, "{source}: {}", shared_bytes(&library));
        assert!(codes(&library).contains(&"limit.name"), "{source}");
    }
}

#[test]
fn names_in_files_beside_the_items_are_cut_too() {
    let name = "n".repeat(100_000);
    let notes = (0..50).map(|number| (format!("notes/{number}.cson"), r#"{"folder":"f","content":"x"}"#.to_owned()));
    let index = ("boostnote.json".to_owned(), format!(r#"{{"folders":[{{"key":"f","name":"{name}"}}]}}"#));
    let alfred = (0..50).map(|number| {
        (format!("c/{number}.json"), r#"{"alfredsnippet":{"snippet":"x","name":"n","keyword":"k"}}"#.to_owned())
    });
    let list = format!("<plist><dict><key>snippetkeywordprefix</key><string>{name}</string></dict></plist>");
    let state = ("code/.masscode/state.json".to_owned(), format!(r#"{{"tags":[{{"id":1,"name":"{name}"}}]}}"#));
    let front = "---\nname: a\ntags: [1]\ncontents: [{label: a}]\n---\n## Fragment: a\n```\nx\n```\n";
    let vault = (0..50).map(|number| (format!("code/{number}.md"), front.to_owned()));
    let lines = (0..50).map(|number| format!(r#"{{"_id":"{number}","tags":["t"],"content":[{{"value":"x"}}]}}"#));
    let lines = [
        ("tags.db", format!(r#"{{"_id":"t","name":"{name}"}}"#)),
        ("snippets.db", lines.collect::<Vec<_>>().join("\n")),
    ];
    for (source, entries) in [
        (Source::BOOSTNOTE, notes.chain([index]).collect::<Vec<_>>()),
        (Source::ALFRED, alfred.chain([("c/info.plist".to_owned(), list)]).collect()),
        (Source::MASS_CODE, vault.chain([state]).collect()),
        (Source::MASS_CODE, lines.map(|(path, text)| (path.to_owned(), text)).into()),
    ] {
        let library = read_all(source, entries, Limits::default());
        assert_eq!(library.candidates.len(), 50, "{source}: {:?}", library.warnings);
        assert!((50 * 1_024..50 * 4_000).contains(&shared_bytes(&library)), "{source}: {}", shared_bytes(&library));
        assert!(codes(&library).contains(&"limit.name"), "{source}");
    }
}

#[test]
fn the_path_of_a_folder_is_short_however_deep_it_is_and_its_inner_folders_are_kept() {
    let folders = list(5_000, |number| format!(r#"{{"id":{number},"name":"{number}","parentId":{}}}"#, number + 1));
    let snippets = list(5_000, |_| r#"{"folderId":0,"content":[{"value":"x"}]}"#.to_owned());
    let text = format!(r#"{{"folders":[{folders}],"tags":[],"snippets":[{snippets}]}}"#);
    let library = read_one(Source::MASS_CODE, "db.json", text);
    let folder = &library.candidates[4_999].folder;
    assert_eq!((folder.len(), folder.last().map(String::as_str)), (64, Some("0")));
    assert!(codes(&library).contains(&"limit.folder"));
    let deep = (0..55).map(|number| format!(r#"{{"title":"{number:0100}","children":["#)).collect::<String>();
    let inner = r#"{"uuid":"f","title":"f"}"#;
    let text = format!(
        r#"{{"schema":"","app":"","contents":{{"folders":[{deep}{inner}{}],"snippets":[{}]}}}}"#,
        "]}".repeat(55),
        r#"{"folder":"f","fragments":[{"content":"x"}]}"#
    );
    let library = read_one(Source::SNIPPETS_LAB, "e.json", text);
    assert!(library.candidates[0].folder.ends_with(&[format!("{:0100}", 54), "f".to_owned()]), "{library:?}");
    assert!(codes(&library).contains(&"limit.folder"));
}

#[test]
fn warnings_beyond_a_number_are_counted() {
    let library = read_one(
        Source::MASS_CODE,
        "snippets.db",
        format!("{{\"_id\":\"a\",\"content\":[]}}\n{}", "{\n".repeat(5_000)),
    );
    let last = library.warnings.last().map(ToString::to_string).unwrap_or_default();
    assert!((1_000..1_010).contains(&library.warnings.len()), "{}", library.warnings.len());
    assert!(last.contains("more warnings") && last.contains("limit.warnings"), "{last}");
    let files = list(5_000, |number| format!(r#""{number}":{{}}"#));
    let text = format!(r#"{{"id":"a","files":{{"a":{{"content":"x"}},{files}}}}}"#);
    let library = read_one(Source::GIST, "g.json", text);
    assert_eq!(library.candidates[0].warnings.len(), 1_001);
}

#[test]
fn a_warning_is_short_however_long_the_name_in_it_is() {
    let library = read_one(Source::VS_CODE, "a.code-snippets", format!(r#"{{"{}":1}}"#, "ä".repeat(100_000)));
    assert_eq!(codes(&library), ["vscode.shape"]);
    assert!(library.warnings[0].to_string().len() < 10_000);
}

#[test]
fn documents_that_take_many_times_their_size_are_refused() {
    let library = read_one(Source::PET, "snippet.toml", format!("x = [{}]", "0,".repeat(2 << 20)));
    assert_eq!(codes(&library), ["limit.file"]);
    let library = read_one(Source::ESPANSO, "match/a.yml", format!("matches: [{}]", "a,".repeat(1 << 20)));
    assert_eq!(codes(&library), ["yaml.invalid"]);
    let text = format!("---\ntags: [{}]\n---\ntext", "a,".repeat(150_000));
    let library = read_one(Source::OBSIDIAN, "n.md", text.clone());
    assert_eq!(library.candidates[0].fragments[0].bytes, text.as_bytes());
    assert!(library.candidates[0].warnings[0].to_string().contains("256 KiB"), "{:?}", library.candidates[0].warnings);
    let library = read_one(Source::BOOSTNOTE, "notes/a.cson", format!("a: 1\n{}", "\n".repeat(500_001)));
    assert_eq!(codes(&library), ["cson.invalid"]);
}
