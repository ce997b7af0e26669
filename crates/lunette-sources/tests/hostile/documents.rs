//! Documents of each format with many small values, long ones, deep ones, and names that are copied into each item.

use lunette_sources::Source;

use crate::{Entries, Hostile};

/// The size of a document that is made of many parts, in bytes.
const SIZE: usize = 3 << 20;

/// How a document of many parts is written: what it begins with, a part, and its end.
type Parts = (&'static str, &'static str, &'static str);

/// JSON that is not a library, in many values.
const JSON: [Parts; 14] = [
    ("[", "0,", "0]"),
    ("[", "[],", "0]"),
    ("[", "{},", "0]"),
    ("[", "\"\",", "0]"),
    ("[", "{\"\":0},", "0]"),
    ("[", "[[[[0]]]],", "0]"),
    ("[", "1e99,", "0]"),
    ("{", "\"\":0,", "\"\":0}"),
    ("{\"a\":[", "{\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0},", "0]}"),
    ("[\"", "\\u0000", "\"]"),
    ("[\"", "\\ud83d\\ude00", "\"]"),
    ("[", "9", "]"),
    ("", "[", ""),
    ("", "{\"a\":", ""),
];

/// Items of each format, as many as fit.
fn parts(source: Source) -> (&'static str, &'static [Parts]) {
    match source.name() {
        "raycast" => (
            "s.json",
            &[
                ("[", "{\"name\":\"\",\"text\":\"x\"},", "{\"name\":\"\",\"text\":\"x\"}]"),
                ("[", "{\"name\":\"a\",\"text\":\"x\",\"keyword\":\"k\"},", "{\"name\":\"\",\"text\":\"x\"}]"),
                ("[{\"name\":\"a\",\"text\":\"x\",\"keyword\":[", "\"\",", "\"\"]}]"),
                ("[{\"name\":\"a\",\"text\":\"x\",\"keyword\":[", "0,", "\"\"]}]"),
            ],
        ),
        "bytestash" => (
            "e.json",
            &[
                ("{\"snippets\":[", "{\"fragments\":[{\"code\":\"x\"}]},", "{}]}"),
                ("{\"snippets\":[{\"fragments\":[", "{\"code\":\"x\"},", "{}]}]}"),
                ("{\"snippets\":[{\"categories\":[", "\"a\",", "\"\"],\"fragments\":[{\"code\":\"x\"}]}]}"),
            ],
        ),
        "snippetslab" => (
            "e.json",
            &[
                (
                    "{\"schema\":\"\",\"app\":\"\",\"contents\":{\"snippets\":[",
                    "{\"fragments\":[{\"content\":\"x\"}]},",
                    "{}]}}",
                ),
                ("{\"schema\":\"\",\"app\":\"\",\"contents\":{\"folders\":[", "{},", "{}]}}"),
                ("{\"schema\":\"\",\"app\":\"\",\"contents\":{\"tags\":[", "{},", "{}],\"snippets\":[]}}"),
                ("{\"Snippets\":[", "{\"Title\":\"\",\"Fragments\":[{\"Content\":\"x\"}]},", "{}]}"),
            ],
        ),
        "masscode" => (
            "db.json",
            &[
                ("{\"folders\":[],\"tags\":[],\"snippets\":[", "{\"content\":[{\"value\":\"x\"}]},", "{}]}"),
                ("{\"tags\":[],\"snippets\":[],\"folders\":[", "{\"id\":1},", "{}]}"),
                ("{\"folders\":[],\"snippets\":[],\"tags\":[", "{\"id\":1},", "{}]}"),
            ],
        ),
        "vscode" => (
            "a.code-snippets",
            &[
                ("{", "\"@\":{\"body\":\"x\"},", "\"\":{}}"),
                ("{\"a\":{\"body\":[", "\"\",", "\"\"]}}"),
                ("{\"a\":{\"body\":\"x\",\"prefix\":[", "\"@\",", "\"\"]}}"),
                ("{\"a\":{\"body\":\"x\",\"scope\":\"", "a,", "\"}}"),
                ("{\"a\":{", "\"@\":{\"body\":\"x\"},", "\"\":{}}}"),
            ],
        ),
        "gist" => (
            "g.json",
            &[
                ("[", "{\"id\":1,\"files\":{\"a\":{\"content\":\"x\"}}},", "{}]"),
                ("[{\"id\":1,\"files\":{", "\"@\":{\"content\":\"x\"},", "\"\":{}}}]"),
                ("[{\"id\":1,\"files\":{", "\"@\":{},", "\"\":{}}}]"),
                ("[{\"id\":1,\"description\":\"", "#a@ ", "\",\"files\":{\"a\":{\"content\":\"x\"}}}]"),
            ],
        ),
        "jetbrains" => (
            "t.xml",
            &[
                ("<templateSet group=\"g\">", "<template name=\"a\" value=\"x\"/>", "</templateSet>"),
                ("<templateSet group=\"g\">", "<template/>", "</templateSet>"),
                ("<templateSet group=\"g\"><template name=\"a\" value=\"x\"", " a@=\"\"", "/></templateSet>"),
                (
                    "<templateSet group=\"g\"><template name=\"a\" value=\"x\"><context>",
                    "<option name=\"a\" value=\"true\"/>",
                    "</context></template></templateSet>",
                ),
                ("", "<a>", ""),
                ("<!DOCTYPE a [", "<!ENTITY a \"&a;&a;\">", "]><templateSet group=\"&a;\"/>"),
                ("<templateSet group=\"g\"><template name=\"a\" value=\"", "&#10;", "\"/></templateSet>"),
            ],
        ),
        "obsidian" | "obsidian-code" => (
            "n.md",
            &[
                ("", "```\nx\n```\n", ""),
                ("# a\n", "```a\n", ""),
                ("", "#a@ ", ""),
                ("", "[[a]]", ""),
                ("", "[", ""),
                ("", "> ", "a"),
                ("", "- ", "a"),
                ("", "*a_", ""),
                ("", "<a ", ""),
                ("---\ntags: [", "a,", "a]\n---\ntext"),
            ],
        ),
        "espanso" => (
            "match/a.yml",
            &[
                ("matches:\n", "- {trigger: a, replace: x}\n", ""),
                ("matches:\n- replace: x\n  triggers: [", "a,", "a]\n"),
                ("matches: [", "[],", "[]]"),
                ("", "[", ""),
                ("", "? ", ""),
                ("a: &a x\nb: [", "*a,", "*a]"),
                ("", "a@: b\n", ""),
                ("", "&a ", ""),
                ("", "---\n", ""),
                ("matches: |\n", " a\n", ""),
            ],
        ),
        "pet" => (
            "snippet.toml",
            &[
                ("", "[[snippets]]\ncommand = \"x\"\n", ""),
                ("x = [", "0,", "]"),
                ("x = [", "[],", "]"),
                ("x = [", "{},", "]"),
                ("x = [", "\"\",", "]"),
                ("", "[[a]]\n", ""),
                ("", "[a@]\n", ""),
                ("", "a@=0\n", ""),
                ("x = ", "[", ""),
                ("", "a.", "a = 1"),
                ("[[snippets]]\ncommand=\"x\"\ntag=[", "\"@\",", "]"),
            ],
        ),
        "boostnote" => (
            "notes/a.cson",
            &[
                ("type: \"SNIPPET_NOTE\"\nsnippets: [\n", "  {\n    content: \"x\"\n  }\n", "]\n"),
                ("tags: [\n", "\"a\"\n", "]\ncontent: \"x\"\n"),
                ("tags: [\n", "1\n", "]\ncontent: \"x\"\n"),
                ("", "a@: 1\n", ""),
                ("", "a: [\n", ""),
                ("content: '''\n", "a\n", "'''\n"),
                ("", "\n", ""),
                ("content: \"", "\\n", "\"\n"),
            ],
        ),
        "alfred" | "lunette" | "pieces" | "pieces-cache" | "dash" | "archive" => ("", &[]),
        other => panic!("{other} has no documents"),
    }
}

fn is_json(source: Source) -> bool {
    parts(source).0.ends_with("json") || source == Source::VS_CODE
}

/// The hostile documents of a source.
pub fn of(source: Source) -> Vec<Hostile> {
    let (path, own) = parts(source);
    let json = if is_json(source) { &JSON[..] } else { &[] };
    let single = own.iter().chain(json).map(|&parts| {
        Hostile::file(path, &format!("{:.40}…{:.40}", parts.0, parts.1), move || text(parts).into_bytes())
    });
    single.chain(folders(source)).collect()
}

/// A document of many parts; `@` in a part is its number.
fn text((start, part, end): Parts) -> String {
    let mut text = start.to_owned();
    let mut number = 0;
    while text.len() + end.len() + part.len() + 8 < SIZE {
        match part.split_once('@') {
            Some((before, after)) => text.push_str(&format!("{before}{number}{after}")),
            None => text.push_str(part),
        }
        number += 1;
    }
    text + end
}

/// Libraries that are folders of documents.
fn folders(source: Source) -> Vec<Hostile> {
    match source.name() {
        "alfred" => {
            let snippet = "{\"alfredsnippet\":{\"snippet\":\"x\",\"name\":\"n\",\"keyword\":\"k\"}}";
            let mut found: Vec<_> = JSON
                .iter()
                .map(|&parts| folder("a document", move || vec![("c/a.json".to_owned(), text(parts).into_bytes())]))
                .collect();
            found.push(folder("many", move || many(5_000, "c/", ".json", snippet)));
            for parts in [
                ("<plist><array>", "<dict/>", "</array></plist>"),
                ("<plist><dict>", "<key>a</key><array/>", "</dict></plist>"),
                ("", "<array>", ""),
            ] {
                found.push(folder("an affix", move || {
                    vec![("c/info.plist".to_owned(), text(parts).into_bytes()), ("c/a.json".to_owned(), snippet.into())]
                }));
            }
            found
        }
        "lunette" => {
            let manifest = || ("manifest.json".to_owned(), b"{\"format\":\"lunette-archive\",\"version\":1}".to_vec());
            let content = || ("content/a".to_owned(), b"x".to_vec());
            let record = |text: String| ("records/a.json".to_owned(), text.into_bytes());
            let mut found: Vec<_> = JSON
                .iter()
                .map(|&(start, part, end)| {
                    folder("a record", move || {
                        let text = format!("{{\"file\":\"content/a\",\"x\":{}}}", text((start, part, end)));
                        vec![manifest(), content(), record(text)]
                    })
                })
                .collect();
            found.push(folder("a manifest", || {
                vec![(
                    "manifest.json".to_owned(),
                    text(("{\"format\":\"lunette-archive\",\"x\":[", "0,", "0]}")).into_bytes(),
                )]
            }));
            found.push(folder("sums", move || {
                vec![manifest(), ("SHA256SUMS".to_owned(), text(("", "a  b@\n", "")).into_bytes())]
            }));
            for list in ["tags", "websites", "annotations", "conversations", "activities"] {
                found.push(folder("a list", move || {
                    let text = text(("[", "{},", "{}]"));
                    vec![manifest(), content(), record(format!("{{\"file\":\"content/a\",\"{list}\":{text}}}"))]
                }));
            }
            found
        }
        "pieces" => {
            let manifest = b"{\"materials\":{\"ASSETS\":{}}}".to_vec();
            JSON.iter()
                .map(|&parts| {
                    let manifest = manifest.clone();
                    folder("a record", move || {
                        let path = "raw/assets/3c11ccb6cab817557a33e530fbe1a6b9b39c3336d729a6387929122e701b0513.json";
                        vec![
                            ("manifest.json".to_owned(), manifest.clone()),
                            (path.to_owned(), text(parts).into_bytes()),
                        ]
                    })
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

fn folder(name: &str, make: impl Fn() -> Entries + 'static) -> Hostile {
    Hostile::new(format!("folder: {name}"), make)
}

fn many(count: usize, start: &str, end: &str, text: &str) -> Entries {
    (0..count).map(|number| (format!("{start}{number}{end}"), text.as_bytes().to_vec())).collect()
}
