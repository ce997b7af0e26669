//! Libraries of each source with one item, whose text is given.

use std::fs;

use lunette_sources::Source;
use rusqlite::Connection;
use serde_json::{Value, json};

/// The files of a library.
pub type Entries = Vec<(String, Vec<u8>)>;

/// A form in which a source stores a text.
pub struct Form {
    pub source: Source,
    pub name: &'static str,
    /// The name of the library.
    pub library: &'static str,
    /// The files of a library with one item of this text.
    pub files: fn(&str) -> Entries,
    /// What the form cannot hold: the text, the reason, and what is read instead.
    pub cannot: &'static [(&'static str, &'static str, &'static str)],
}

const fn form(source: Source, name: &'static str, files: fn(&str) -> Entries) -> Form {
    Form { source, name, library: "library", files, cannot: &[] }
}

pub const FORMS: &[Form] = &[
    form(Source::LUNETTE, "archive", lunette),
    form(Source::PIECES, "archive", pieces),
    form(Source::PIECES_CACHE, "cache", pieces_cache),
    form(Source::MASS_CODE, "1", masscode_lines),
    form(Source::MASS_CODE, "3", masscode_json),
    form(Source::MASS_CODE, "4", masscode_database),
    form(Source::MASS_CODE, "5", masscode_vault),
    form(Source::VS_CODE, "text", |text| vscode(json!(text))),
    form(Source::VS_CODE, "lines", |text| vscode(text.split('\n').collect())),
    form(Source::SNIPPETS_LAB, "new", snippetslab),
    form(Source::SNIPPETS_LAB, "old", snippetslab_old),
    form(Source::GIST, "response", gist),
    form(Source::GIST, "clone", |text| {
        let config = b"[remote \"origin\"]\n\turl = https://gist.github.com/1.git\n".to_vec();
        vec![(".git/config".to_owned(), config), ("a.txt".to_owned(), text.into())]
    }),
    form(Source::JET_BRAINS, "set", jetbrains),
    form(Source::RAYCAST, "export", |text| of_json("a.json", &json!([{ "name": "a", "text": text }]))),
    form(Source::OBSIDIAN, "note", |text| vec![("a.md".to_owned(), text.into())]),
    form(Source::OBSIDIAN_CODE, "block", |text| {
        vec![("a.md".to_owned(), format!("# A\n\n````\n{text}\n````\n").into())]
    }),
    Form {
        source: Source::OBSIDIAN_CODE,
        name: "block of a note with CRLF",
        library: "library",
        files: |text| vec![("a.md".to_owned(), format!("# A\r\n\r\n````\r\n{text}\r\n````\r\n").into())],
        cannot: &[(
            "CRLF",
            "the line breaks of such a note are those of the file, not of the code",
            "one\n\n  two  \nthree\n",
        )],
    },
    form(Source::ESPANSO, "quoted", |text| espanso(&json!(text).to_string())),
    form(Source::ESPANSO, "block", |text| espanso(&yaml_block(text))),
    form(Source::ALFRED, "snippet", |text| {
        of_json("a [1].json", &json!({ "alfredsnippet": { "snippet": text, "uid": "1", "name": "a" } }))
    }),
    form(Source::BYTE_STASH, "export", |text| {
        of_json(
            "a.json",
            &json!({ "exported_at": "", "snippets": [{ "title": "a", "fragments": [{ "code": text }] }] }),
        )
    }),
    form(Source::PET, "basic string", |text| pet(&json!(text).to_string().replace('\u{7f}', "\\u007F"))),
    form(Source::BOOSTNOTE, "JSON", |text| boostnote(&json!({ "title": "a", "content": text }).to_string())),
    Form {
        source: Source::BOOSTNOTE,
        name: "CSON",
        library: "library",
        files: |text| boostnote(&format!("type: \"MARKDOWN_NOTE\"\ntitle: \"a\"\ncontent: {}\n", cson(text))),
        cannot: &[
            ("CRLF", "cson-parser 4 drops carriage returns that are not escaped", "one\n\n  two  \nthree\n"),
            ("indentation", "cson-parser 4 drops the white space that all lines begin with", "  one\ntwo\n  "),
            ("tabs", "cson-parser 4 drops the white space that all lines begin with", "one\t\n\ttwo\n"),
            ("a byte order mark", "cson-parser 4 takes it for white space that all lines begin with", "one\ntwo"),
            ("blanks alone", "cson-parser 4 keeps the indentation of lines of blanks", "   \t\n   "),
        ],
    },
    form(Source::DASH, "database", |text| {
        let tables = "CREATE TABLE snippets (sid, title, body, syntax); CREATE TABLE tags (tid, tag);
            CREATE TABLE tagsIndex (tid, sid)";
        database("a.dash", tables, "INSERT INTO snippets VALUES (1, 'a', ?1, '')", text)
    }),
    form(Source::ARCHIVE, "file", |text| vec![("a.txt".to_owned(), text.into())]),
];

fn of_json(path: &str, value: &Value) -> Entries {
    vec![(path.to_owned(), value.to_string().into_bytes())]
}

/// The file of a database with these tables, and a row with the text.
fn database(name: &str, tables: &str, insert: &str, text: &str) -> Entries {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("made");
    let database = Connection::open(&path).expect("a database");
    database.execute_batch("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY").expect("set");
    database.execute_batch(tables).expect("its tables");
    database.execute(insert, [text]).expect("a row");
    database.close().expect("closed");
    vec![(name.to_owned(), fs::read(path).expect("bytes"))]
}

fn lunette(text: &str) -> Entries {
    let record = json!({ "id": "1", "name": "a", "file": "content/a", "content": "text" });
    let manifest = json!({ "format": "lunette-archive", "version": 1 });
    let file = |path: &str, text: String| (path.to_owned(), text.into_bytes());
    vec![
        file("manifest.json", manifest.to_string()),
        file("SHA256SUMS", String::new()),
        file("records/a.json", record.to_string()),
        file("content/a", text.to_owned()),
    ]
}

/// The record of an asset of Pieces.
fn asset(text: &str) -> Value {
    json!({ "id": "1", "name": "a", "original": { "id": "2", "reference": { "id": "2", "fragment": { "string": { "raw": text } } } } })
}

fn pieces(text: &str) -> Entries {
    let manifest =
        json!({ "format_version": 4, "tool_version": "0", "mode": "preserve", "status": "partial", "coverage": [] });
    [of_json("manifest.json", &manifest), of_json("raw/assets/a.json", &asset(text))].concat()
}

fn pieces_cache(text: &str) -> Entries {
    let tables = "CREATE TABLE assets (key TEXT PRIMARY KEY NOT NULL, json TEXT, expireAt INTEGER, destroyKey TEXT)";
    database("pieces.db", tables, "INSERT INTO assets VALUES ('1', ?1, 1, NULL)", &asset(text).to_string())
}

fn masscode_lines(text: &str) -> Entries {
    let snippet = json!({ "_id": "1", "name": "a", "content": [{ "value": text }] });
    [of_json("snippets.db", &snippet), of_json("tags.db", &Value::Null), of_json("masscode.db", &Value::Null)].concat()
}

fn masscode_json(text: &str) -> Entries {
    let snippet = json!({ "id": "1", "name": "a", "content": [{ "value": text }] });
    of_json("db.json", &json!({ "folders": [], "tags": [], "snippets": [snippet] }))
}

fn masscode_database(text: &str) -> Entries {
    let tables = "CREATE TABLE folders (id, name, parentId); CREATE TABLE tags (id, name);
        CREATE TABLE snippets (id, name, description, folderId, isDeleted, isFavorites, createdAt, updatedAt);
        CREATE TABLE snippet_contents (id, snippetId, label, value, language);
        CREATE TABLE snippet_tags (snippetId, tagId);
        INSERT INTO snippets VALUES (1, 'a', NULL, NULL, 0, 0, 1, 1)";
    database("massCode.db", tables, "INSERT INTO snippet_contents VALUES (1, 1, '', ?1, 'sql')", text)
}

fn masscode_vault(text: &str) -> Entries {
    let snippet = format!(
        "---\nid: 1\nname: a\ncontents:\n  - id: 1\n    label: a\n---\n\n## Fragment: a\n````sh\n{text}\n````\n"
    );
    let state = of_json("code/.masscode/state.json", &json!({ "tags": [] }));
    [state, vec![("code/a.md".to_owned(), snippet.into_bytes())]].concat()
}

fn vscode(body: Value) -> Entries {
    of_json("a.code-snippets", &json!({ "a": { "prefix": "a", "body": body } }))
}

fn snippetslab(text: &str) -> Entries {
    let snippet = json!({ "uuid": "1", "title": "a", "fragments": [{ "content": text }] });
    of_json("a.json", &json!({ "schema": "1", "app": "2", "contents": { "snippets": [snippet] } }))
}

fn snippetslab_old(text: &str) -> Entries {
    let snippet = json!({ "Title": "a", "Fragments": [{ "Content": text }] });
    of_json("a.json", &json!({ "Snippets": [snippet] }))
}

fn gist(text: &str) -> Entries {
    of_json("a.json", &json!({ "id": "1", "html_url": "https://x.example", "files": { "a": { "content": text } } }))
}

fn jetbrains(text: &str) -> Entries {
    let written: String = text
        .chars()
        .map(|letter| match letter {
            '&' | '<' | '>' | '"' | '\n' | '\r' | '\t' => format!("&#{};", u32::from(letter)),
            letter => letter.to_string(),
        })
        .collect();
    let set = format!("<templateSet group=\"a\"><template name=\"a\" value=\"{written}\"/></templateSet>");
    vec![("a.xml".to_owned(), set.into_bytes())]
}

fn espanso(text: &str) -> Entries {
    vec![("a.yml".to_owned(), format!("matches:\n  - trigger: a\n    replace: {text}\n").into_bytes())]
}

fn pet(text: &str) -> Entries {
    vec![("a.toml".to_owned(), format!("[[snippets]]\ndescription = \"a\"\ncommand = {text}\n").into_bytes())]
}

fn boostnote(note: &str) -> Entries {
    let index = of_json("boostnote.json", &json!({ "folders": [] }));
    [index, vec![("notes/1.cson".to_owned(), note.into())]].concat()
}

/// A text as cson-parser 4 writes it.
fn cson(text: &str) -> String {
    if text.contains('\n') {
        let escaped = text.replace('\\', "\\\\").replace("''", "\\''");
        format!("'''\n  {}\n'''", escaped.replace('\n', "\n  "))
    } else {
        json!(text).to_string()
    }
}

/// A text as a YAML writer writes it that prefers blocks; those cannot hold every character.
fn yaml_block(text: &str) -> String {
    if text.contains(['\r', '\u{feff}', '\u{b}', '\u{c}', '\u{7f}']) {
        return json!(text).to_string();
    }
    let (lines, end) = text.strip_suffix('\n').map_or((text, '-'), |lines| (lines, '+'));
    format!("|2{end}\n      {}", lines.replace('\n', "\n      "))
}
