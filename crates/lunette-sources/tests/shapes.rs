//! Values of unexpected shapes: whatever a record has where a name, a tag, a description, a language, a folder or a content is
//! expected is part of an item or of a warning, in each source.

use lunette_sources::{Files, Library, Limits, Source, read};
use rusqlite::Connection;
use serde_json::{Map, Value, json};

/// The files of a library.
type Entries = Vec<(String, Vec<u8>)>;

/// A source whose records have fields of any shape: the fields that it has, and a library with one item of these fields.
struct Form {
    source: Source,
    fields: &'static [&'static str],
    files: fn(&Fields) -> Entries,
}

/// The fields of an item, by what they are.
struct Fields(Map<String, Value>);

impl Fields {
    fn get(&self, field: &str) -> &Value {
        &self.0[field]
    }
}

const ALL: &[&str] = &["name", "tags", "description", "language", "folder", "content"];

const FORMS: &[Form] = &[
    Form { source: Source::MassCode, fields: ALL, files: masscode_lines },
    Form { source: Source::MassCode, fields: ALL, files: masscode_json },
    Form { source: Source::MassCode, fields: &["name", "tags", "description", "language"], files: masscode_vault },
    Form { source: Source::SnippetsLab, fields: ALL, files: snippetslab },
    Form { source: Source::SnippetsLab, fields: ALL, files: snippetslab_old },
    Form { source: Source::Gist, fields: &["description", "language", "content"], files: gist },
    Form { source: Source::Raycast, fields: &["name", "tags", "content"], files: raycast },
    Form {
        source: Source::ByteStash,
        fields: &["name", "tags", "description", "language", "content"],
        files: bytestash,
    },
    Form { source: Source::Alfred, fields: &["name", "content"], files: alfred },
    Form { source: Source::Boostnote, fields: ALL, files: boostnote },
    Form { source: Source::VsCode, fields: &["tags", "description", "language", "content"], files: vscode },
    Form { source: Source::Espanso, fields: &["name", "tags", "content"], files: espanso },
    Form { source: Source::Obsidian, fields: &["name", "tags", "description"], files: note },
    Form { source: Source::ObsidianCode, fields: &["name", "tags", "description"], files: note },
    Form { source: Source::Pet, fields: &["name", "tags", "description", "content"], files: pet },
    Form { source: Source::Lunette, fields: &["name", "tags", "language"], files: lunette },
    Form { source: Source::Pieces, fields: &["name", "tags"], files: pieces },
    Form { source: Source::PiecesCache, fields: &["name", "tags"], files: pieces_cache },
];

/// Sources whose records have no values of other shapes, and why.
const TEXT_ALONE: &[(Source, &str)] = &[
    (Source::JetBrains, "an attribute of XML is text"),
    (Source::Dash, "a column of a database is a text or a number"),
    (Source::Archive, "a file has a name and bytes"),
];

/// Values of unexpected shapes: each, and what of it must be found.
fn odd() -> Vec<(Value, &'static [&'static str])> {
    vec![
        (json!([["odd-one"], "odd-two"]), &["odd-one", "odd-two"]),
        (json!([[["odd-one"]], [], ["odd-two", [true]]]), &["odd-one", "odd-two"]),
        (json!(471_100), &["471100"]),
        (json!([471_100, 471_101]), &["471100", "471101"]),
        (json!({ "odd-key": "odd-value" }), &["odd-key", "odd-value"]),
        (json!([{ "odd-key": ["odd-value"] }, "odd-two"]), &["odd-key", "odd-value", "odd-two"]),
        (json!("odd-text"), &["odd-text"]),
        (json!(null), &[]),
        (json!(""), &[]),
        (json!([]), &[]),
        (json!({}), &[]),
        (json!([null, ""]), &[]),
    ]
}

/// All texts of a library and of its warnings.
fn whole(library: &Library) -> String {
    let mut whole = library.warnings.iter().map(ToString::to_string).collect::<Vec<_>>();
    for one in &library.candidates {
        whole.extend([one.name.clone(), one.source_id.clone(), one.description.clone().unwrap_or_default()]);
        whole.extend([&one.tags, &one.folder, &one.triggers, &one.urls].into_iter().flatten().cloned());
        whole.extend(one.warnings.iter().map(ToString::to_string));
        for fragment in &one.fragments {
            whole.extend([fragment.label.clone(), fragment.language.clone().unwrap_or_default()]);
            whole.push(String::from_utf8_lossy(&fragment.bytes).into_owned());
        }
    }
    whole.join("\n")
}

#[test]
fn each_source_is_here() {
    for source in Source::all() {
        let is_here = FORMS.iter().any(|form| form.source == source);
        let reason = TEXT_ALONE.iter().find(|(of, _)| *of == source);
        assert!(is_here != reason.is_some_and(|(_, reason)| !reason.is_empty()), "{source}");
    }
}

#[test]
fn each_value_of_an_unexpected_shape_is_in_an_item_or_in_a_warning() {
    let mut missing = Vec::new();
    for Form { source, fields, files } in FORMS {
        for field in *fields {
            for (value, expected) in odd() {
                let mut of_item: Map<String, Value> =
                    ALL.iter().map(|field| ((*field).to_owned(), json!("usual"))).collect();
                of_item.insert((*field).to_owned(), value.clone());
                let entries = files(&Fields(of_item));
                let entries = entries.iter().map(|(path, bytes)| (path.as_str(), bytes.clone()));
                let library = read(&Files::of_memory("library", entries, Limits::default()), *source);
                let whole = whole(&library);
                for part in expected.iter().filter(|part| !whole.contains(**part)) {
                    missing.push(format!("{source}, {field}: {part} of {value}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

fn file(path: &str, text: impl ToString) -> (String, Vec<u8>) {
    (path.to_owned(), text.to_string().into_bytes())
}

fn masscode_lines(item: &Fields) -> Entries {
    let content =
        json!([{ "label": "a", "language": item.get("language"), "value": item.get("content") }, { "value": "x" }]);
    let snippet = json!({ "_id": "1", "name": item.get("name"), "tags": item.get("tags"), "content": content,
        "description": item.get("description"), "folderId": "1" });
    let folders = json!({ "_id": "1", "list": [{ "id": "1", "name": item.get("folder") }] });
    vec![
        file("snippets.db", snippet),
        file("tags.db", json!({ "_id": "usual", "name": "usual" })),
        file("masscode.db", folders),
    ]
}

fn masscode_json(item: &Fields) -> Entries {
    let content =
        json!([{ "label": "a", "language": item.get("language"), "value": item.get("content") }, { "value": "x" }]);
    let snippet = json!({ "id": "1", "name": item.get("name"), "tagsIds": item.get("tags"), "content": content,
        "description": item.get("description"), "folderId": "1" });
    let folders = json!([{ "id": "1", "name": item.get("folder") }]);
    let tags = json!([{ "id": "usual", "name": item.get("tags") }]);
    vec![file("db.json", json!({ "folders": folders, "tags": tags, "snippets": [snippet] }))]
}

fn masscode_vault(item: &Fields) -> Entries {
    let snippet = format!(
        "---\nid: 1\nname: {}\ntags: {}\ndescription: {}\ncontents:\n  - label: a\n    language: {}\n---\n## Fragment: a\n```\nx\n```\n",
        item.get("name"),
        item.get("tags"),
        item.get("description"),
        item.get("language")
    );
    let tags = json!({ "tags": [{ "id": 1, "name": item.get("tags") }] });
    vec![file("code/a.md", snippet), file("code/.masscode/state.json", tags)]
}

fn snippetslab(item: &Fields) -> Entries {
    let fragment = json!({ "title": "a", "language": item.get("language"), "content": item.get("content"),
        "note": item.get("description") });
    let snippet = json!({ "uuid": "1", "title": item.get("name"), "tags": item.get("tags"), "folder": "1",
        "fragments": [fragment, { "content": "x" }] });
    let folders = json!([{ "uuid": "1", "title": item.get("folder") }]);
    let tags = json!([{ "uuid": "2", "title": item.get("tags") }]);
    let contents = json!({ "folders": folders, "tags": tags, "snippets": [snippet] });
    vec![file("a.json", json!({ "schema": "1", "app": "2", "contents": contents }))]
}

fn snippetslab_old(item: &Fields) -> Entries {
    let fragment = json!({ "Title": "a", "Language": item.get("language"), "Content": item.get("content"),
        "Note": item.get("description") });
    let snippet = json!({ "Title": item.get("name"), "Tags": item.get("tags"), "Folder": item.get("folder"),
        "Fragments": [fragment, { "Content": "x" }] });
    vec![file("a.json", json!({ "Snippets": [snippet] }))]
}

fn gist(item: &Fields) -> Entries {
    let one = json!({ "language": item.get("language"), "content": item.get("content") });
    let gist = json!({ "id": "1", "html_url": "h", "description": item.get("description"),
        "files": { "a": one, "b": { "content": "x" } } });
    vec![file("a.json", gist)]
}

fn raycast(item: &Fields) -> Entries {
    let snippet = json!({ "name": item.get("name"), "text": item.get("content"), "keyword": item.get("tags") });
    vec![file("a.json", json!([snippet]))]
}

fn bytestash(item: &Fields) -> Entries {
    let fragment = json!({ "file_name": "a", "language": item.get("language"), "code": item.get("content") });
    let snippet = json!({ "title": item.get("name"), "categories": item.get("tags"),
        "description": item.get("description"), "fragments": [fragment, { "code": "x" }] });
    vec![file("a.json", json!({ "exported_at": "", "snippets": [snippet] }))]
}

fn alfred(item: &Fields) -> Entries {
    let snippet = json!({ "uid": "1", "name": item.get("name"), "snippet": item.get("content") });
    vec![file("a.json", json!({ "alfredsnippet": snippet }))]
}

fn boostnote(item: &Fields) -> Entries {
    let part = json!({ "name": "a", "mode": item.get("language"), "content": item.get("content") });
    let note = json!({ "type": "SNIPPET_NOTE", "title": item.get("name"), "tags": item.get("tags"), "folder": "1",
        "description": item.get("description"), "snippets": [part, { "content": "x" }] });
    let index = json!({ "folders": [{ "key": "1", "name": item.get("folder") }] });
    vec![file("boostnote.json", index), file("notes/a.cson", note)]
}

fn vscode(item: &Fields) -> Entries {
    let snippet = json!({ "prefix": item.get("tags"), "description": item.get("description"),
        "scope": item.get("language"), "body": item.get("content") });
    vec![file("a.code-snippets", json!({ "a": snippet }))]
}

fn espanso(item: &Fields) -> Entries {
    let one = json!({ "trigger": "a", "label": item.get("name"), "search_terms": item.get("tags"),
        "replace": item.get("content") });
    vec![file("match/a.yml", json!({ "matches": [one] }))]
}

fn note(item: &Fields) -> Entries {
    let [title, tags, description] = ["name", "tags", "description"].map(|field| item.get(field));
    let text = format!("---\ntitle: {title}\ntags: {tags}\ndescription: {description}\n---\n```\nx\n```\n");
    vec![file("a.md", text)]
}

/// A value as TOML, which has no null.
fn toml(value: &Value) -> String {
    match value {
        Value::Null => "\"\"".to_owned(),
        Value::Array(list) => format!("[{}]", list.iter().map(toml).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{} = {}", json!(name), toml(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

fn pet(item: &Fields) -> Entries {
    let [name, tags, output, command] = ["name", "tags", "description", "content"].map(|field| toml(item.get(field)));
    let text = format!("[[snippets]]\nDescription = {name}\ntag = {tags}\noutput = {output}\ncommand = {command}\n");
    vec![file("a.toml", text)]
}

fn lunette(item: &Fields) -> Entries {
    let record = json!({ "id": "1", "name": item.get("name"), "tags": item.get("tags"), "file": "content/a",
        "language": item.get("language"), "content": "text" });
    let manifest = json!({ "format": "lunette-archive", "version": 1 });
    vec![
        file("manifest.json", manifest),
        file("SHA256SUMS", ""),
        file("records/a.json", record),
        file("content/a", "x"),
    ]
}

/// A record of an asset with a tag.
fn asset(item: &Fields) -> Value {
    let original = json!({ "id": "2", "reference": { "id": "2", "fragment": { "string": { "raw": "x" } } } });
    let tag = json!({ "id": "3", "reference": { "id": "3", "text": item.get("tags") } });
    json!({ "id": "1", "name": item.get("name"), "original": original, "tags": { "iterable": [tag] } })
}

fn pieces(item: &Fields) -> Entries {
    let manifest =
        json!({ "format_version": 4, "tool_version": "0", "mode": "preserve", "status": "partial", "coverage": [] });
    vec![file("manifest.json", manifest), file("raw/assets/a.json", asset(item))]
}

fn pieces_cache(item: &Fields) -> Entries {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("made");
    let database = Connection::open(&path).expect("a database");
    database
        .execute_batch(
            "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;
             CREATE TABLE assets (key TEXT PRIMARY KEY NOT NULL, json TEXT, expireAt INTEGER, destroyKey TEXT)",
        )
        .expect("a table");
    database.execute("INSERT INTO assets VALUES ('1', ?1, 1, NULL)", [asset(item).to_string()]).expect("a row");
    database.close().expect("closed");
    vec![("a.db".to_owned(), std::fs::read(path).expect("bytes"))]
}
