//! Whatever a library has is part of an item or of a warning, in each source: values of unexpected shapes where a name, a
//! tag, a description, a language, a folder or a content is expected, values that are not text, keys that are there again,
//! addresses of another kind, and files that belong to no item.

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
    Form { source: Source::MASS_CODE, fields: ALL, files: masscode_lines },
    Form { source: Source::MASS_CODE, fields: ALL, files: masscode_json },
    Form { source: Source::MASS_CODE, fields: &["name", "tags", "description", "language"], files: masscode_vault },
    Form { source: Source::SNIPPETS_LAB, fields: ALL, files: snippetslab },
    Form { source: Source::SNIPPETS_LAB, fields: ALL, files: snippetslab_old },
    Form { source: Source::GIST, fields: &["description", "language", "content"], files: gist },
    Form { source: Source::RAYCAST, fields: &["name", "tags", "content"], files: raycast },
    Form {
        source: Source::BYTE_STASH,
        fields: &["name", "tags", "description", "language", "content"],
        files: bytestash,
    },
    Form { source: Source::ALFRED, fields: &["name", "content"], files: alfred },
    Form { source: Source::BOOSTNOTE, fields: ALL, files: boostnote },
    Form { source: Source::VS_CODE, fields: &["tags", "description", "language", "content"], files: vscode },
    Form { source: Source::ESPANSO, fields: &["name", "tags", "content"], files: espanso },
    Form { source: Source::OBSIDIAN, fields: &["name", "tags", "description"], files: note },
    Form { source: Source::OBSIDIAN_CODE, fields: &["name", "tags", "description"], files: note },
    Form { source: Source::PET, fields: &["name", "tags", "description", "content"], files: pet },
    Form { source: Source::LUNETTE, fields: &["name", "tags", "language"], files: lunette },
    Form { source: Source::PIECES, fields: &["name", "tags"], files: pieces },
    Form { source: Source::PIECES_CACHE, fields: &["name", "tags"], files: pieces_cache },
];

/// Sources whose records have no values of other shapes, and why.
const TEXT_ALONE: &[(Source, &str)] = &[
    (Source::JET_BRAINS, "an attribute of XML is text"),
    (Source::DASH, "a column of a database is a text or a number"),
    (Source::ARCHIVE, "a file has a name and bytes"),
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

/// Returns the parts that are neither in an item nor in a warning of a library of these files.
fn missing<'a>(entries: &Entries, source: Source, parts: &[&'a str]) -> Vec<&'a str> {
    let entries = entries.iter().map(|(path, bytes)| (path.as_str(), bytes.clone()));
    let whole = whole(&read(&Files::of_memory("library", entries, Limits::default()), source));
    parts.iter().filter(|part| !whole.contains(**part)).copied().collect()
}

/// The statements of a library of Dash with one snippet.
const DASH: &str = "CREATE TABLE snippets (sid, title, body, syntax); CREATE TABLE tags (tid, tag);
    CREATE TABLE tagsIndex (tid, sid); INSERT INTO snippets VALUES (1, 'a', 'x', 'SQL');
    INSERT INTO tags VALUES (1, 't'); INSERT INTO tagsIndex VALUES (1, 1)";

/// The fields of an item that has nothing odd.
fn usual() -> Fields {
    Fields(ALL.iter().map(|field| ((*field).to_owned(), json!("usual"))).collect())
}

#[test]
fn each_file_that_belongs_to_no_item_is_in_a_warning() {
    let template = r#"<templateSet group="a"><template name="b" value="c"/></templateSet>"#;
    let libraries = FORMS.iter().map(|form| (form.source, (form.files)(&usual())));
    let libraries = libraries.chain([
        (Source::JET_BRAINS, vec![file("templates/a.xml", template)]),
        (Source::DASH, database(DASH)),
        (Source::ARCHIVE, vec![file("a.txt", "x")]),
    ]);
    for (source, mut entries) in libraries {
        for path in ["odd-beside.xyz", "odd/odd-inside.xyz", ".hidden/odd-hidden.xyz", ".hidden/deep/odd-deep.xyz"] {
            entries.push(file(path, "odd"));
        }
        let parts = ["odd-beside.xyz", "odd-inside.xyz", "odd-hidden.xyz", "odd-deep.xyz"];
        // The files of an archive are items, and hidden ones are named.
        let missing = missing(&entries, source, &parts);
        assert!(missing.is_empty(), "{source}: {missing:?}");
    }
}

#[test]
fn a_document_of_settings_without_items_is_in_a_warning() {
    let template = r#"<templateSet group="a"><template name="b" value="c"/></templateSet>"#;
    for (source, entries) in [
        (Source::JET_BRAINS, vec![file("templates/a.xml", template), file("options/odd.xml", "<application/>")]),
        (Source::ESPANSO, vec![file("match/a.yml", "matches: []"), file("config/odd.yml", "backend: clipboard")]),
        (Source::PET, vec![file("a.toml", "[[snippets]]\ncommand = 'x'"), file("odd.toml", "[general]\nodd = 1")]),
        (Source::BYTE_STASH, vec![file("a.json", r#"{"snippets": []}"#), file("odd.json", r#"{"a": 1}"#)]),
        (Source::SNIPPETS_LAB, vec![file("a.json", r#"{"Snippets": []}"#), file("odd.json", r#"{"a": 1}"#)]),
    ] {
        assert_eq!(missing(&entries, source, &["odd."]), [""; 0], "{source}");
    }
}

#[test]
fn variables_and_contexts_of_live_templates_are_in_the_item_or_in_a_warning() {
    let text = r#"<templateSet group="a"><template name="b" value="$V$" description="d">
        <variable name="V" expression="odd-expression()" defaultValue="&quot;odd-default&quot;" alwaysStopAt="true"/>
        <context><option name="JAVA_CODE" value="true"/><option name="ODD-CONTEXT" value="true"/></context>
        </template><template name="odd-open" value="x">"#;
    let parts = ["$V$ = odd-expression(), by default \"odd-default\"", "ODD-CONTEXT", "ends within a template"];
    assert_eq!(missing(&vec![file("a.xml", text)], Source::JET_BRAINS, &parts), [""; 0]);
}

#[test]
fn each_key_that_an_object_has_again_is_in_a_warning() {
    let mut entries: Vec<(Source, Entries)> = FORMS
        .iter()
        .map(|form| (form.source, (form.files)(&usual())))
        .filter(|(source, _)| *source != Source::PET)
        .collect();
    entries.push((Source::BOOSTNOTE, vec![file("notes/a.cson", "type: \"MARKDOWN_NOTE\"\ncontent: \"x\"\n")]));
    entries.push((Source::ESPANSO, vec![file("match/a.yml", "matches:\n  - {trigger: a, replace: x}\n")]));
    for (source, entries) in entries {
        let texts = (0..entries.len()).filter(|number| entries[*number].1.is_ascii());
        for number in texts.filter(|number| !entries[*number].1.is_empty() && entries[*number].1 != b"x") {
            let mut entries = entries.clone();
            let text = String::from_utf8(entries[number].1.clone()).expect("a text");
            let changed = match text.strip_prefix("---\n") {
                Some(rest) => format!("---\nodd-key: 1\nodd-key: 2\n{rest}"),
                None if text.starts_with(['{', '[']) => text.replacen('{', r#"{"odd-key": 1, "odd-key": 2,"#, 1),
                None => format!("odd-key: 1\nodd-key: 2\n{text}"),
            };
            entries[number].1 = changed.into_bytes();
            let missing = missing(&entries, source, &["odd-key"]);
            assert!(missing.is_empty(), "{source}: {}", entries[number].0);
        }
    }
    let record = asset(&usual()).to_string().replacen('{', r#"{"odd-key": 1, "odd-key": 2,"#, 1);
    assert_eq!(missing(&cache_of(&record), Source::PIECES_CACHE, &["odd-key"]), [""; 0]);
    let twice = "[[snippets]]\ncommand = 'x'\ncommand = 'y'\n";
    assert_eq!(missing(&vec![file("a.toml", twice)], Source::PET, &["duplicate key"]), [""; 0]);
}

#[test]
fn each_value_of_a_database_that_is_no_text_is_in_a_warning() {
    const MASSCODE: &str = "CREATE TABLE folders (id, name, parentId);
        CREATE TABLE snippets (id, name, description, folderId, isDeleted, isFavorites, createdAt, updatedAt);
        CREATE TABLE snippet_contents (id, snippetId, label, value, language); CREATE TABLE tags (id, name);
        CREATE TABLE snippet_tags (snippetId, tagId); INSERT INTO folders VALUES (1, 'f', NULL);
        INSERT INTO snippets VALUES (1, 'a', 'd', 1, 0, 0, 1, 1);
        INSERT INTO snippet_contents VALUES (1, 1, 'l', 'x', 'sql'); INSERT INTO tags VALUES (1, 't');
        INSERT INTO snippet_tags VALUES (1, 1)";
    const CACHE: &str = "CREATE TABLE assets (key TEXT, json TEXT, expireAt, destroyKey);
        INSERT INTO assets VALUES ('1', '{}', 1, NULL)";
    let columns = [
        (Source::DASH, DASH, "snippets", ["sid", "title", "body", "syntax"].as_slice()),
        (Source::DASH, DASH, "tags", &["tid", "tag"]),
        (Source::DASH, DASH, "tagsIndex", &["tid", "sid"]),
        (Source::MASS_CODE, MASSCODE, "folders", &["id", "name", "parentId"]),
        (Source::MASS_CODE, MASSCODE, "snippets", &["id", "name", "description", "folderId", "isDeleted", "updatedAt"]),
        (Source::MASS_CODE, MASSCODE, "snippet_contents", &["id", "snippetId", "label", "value", "language"]),
        (Source::MASS_CODE, MASSCODE, "tags", &["id", "name"]),
        (Source::MASS_CODE, MASSCODE, "snippet_tags", &["snippetId", "tagId"]),
        (Source::PIECES_CACHE, CACHE, "assets", &["key", "json"]),
    ];
    for (source, statements, table, columns) in columns {
        for column in columns {
            let entries = database(&format!("{statements}; UPDATE {table} SET {column} = x'ff00'"));
            let parts = [&*format!(":{table}: \"{column}\" of the row with"), "2 bytes that are not text"];
            let missing = missing(&entries, source, &parts);
            assert!(missing.is_empty(), "{source}, {table}.{column}: {missing:?}");
        }
    }
}

#[test]
fn rows_of_a_database_that_belong_to_no_snippet_are_in_warnings() {
    let text = "CREATE TABLE folders (id, name, parentId);
        CREATE TABLE snippets (id, name, description, folderId, isDeleted, isFavorites, createdAt, updatedAt);
        CREATE TABLE snippet_contents (id, snippetId, label, value, language); CREATE TABLE tags (id, name);
        CREATE TABLE snippet_tags (snippetId, tagId);
        INSERT INTO folders VALUES (NULL, 'odd-folder', NULL);
        INSERT INTO snippets VALUES (NULL, 'odd-snippet', 'd', 1, 0, 0, 1, 1);
        INSERT INTO snippet_contents VALUES (1, 7, 'odd-label', 'odd-text', 'sql'), (2, NULL, '', 'odd-alone', '');
        INSERT INTO snippet_tags VALUES (1, 'odd-tag')";
    let parts = ["odd-folder", "odd-snippet", "odd-label", "odd-text", "odd-alone", "odd-tag"];
    assert_eq!(missing(&database(text), Source::MASS_CODE, &parts), [""; 0]);
}

#[test]
fn each_address_and_date_of_front_matter_of_another_kind_is_in_a_warning() {
    let text =
        "---\nurl: [odd-one, https://example.com/good]\nsource: ftp://odd-two\ncreated: odd-day\n---\n```\nx\n```\n";
    let parts = ["odd-one", "https://example.com/good", "ftp://odd-two", "odd-day"];
    for source in [Source::OBSIDIAN, Source::OBSIDIAN_CODE] {
        let library = read(&Files::of_memory("library", [("a.md", text.into())], Limits::default()), source);
        let told: Vec<_> = library.candidates[0].warnings.iter().map(ToString::to_string).collect();
        for part in parts.iter().filter(|part| !part.starts_with("https")) {
            assert!(told.iter().any(|warning| warning.contains(part)), "{source}: {part}: {told:?}");
        }
        assert_eq!(library.candidates[0].urls, ["https://example.com/good"], "{source}");
    }
}

#[test]
fn names_that_no_record_has_are_in_warnings() {
    let note = json!({ "type": "MARKDOWN_NOTE", "content": "x", "folder": "odd-folder" });
    let vault = "---\nname: a\ntags: [odd-tag]\n---\nx\n";
    let state = json!({ "tags": [{ "name": "odd-without-id" }] });
    let two = "matches:\n  - {trigger: a, replace: x, html: odd-effect}\n---\nodd: second\n";
    for (source, entries, parts) in [
        (Source::BOOSTNOTE, vec![file("notes/a.cson", note)], ["odd-folder", ""]),
        (
            Source::MASS_CODE,
            vec![file("code/a.md", vault), file("code/.masscode/state.json", state)],
            ["odd-tag", "odd-without-id"],
        ),
        (Source::ESPANSO, vec![file("match/a.yml", two)], ["odd-effect", "several documents"]),
    ] {
        assert_eq!(missing(&entries, source, &parts), [""; 0], "{source}");
    }
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
    cache_of(&asset(item).to_string())
}

/// A cache with this record of an asset.
fn cache_of(record: &str) -> Entries {
    database(&format!(
        "CREATE TABLE assets (key TEXT PRIMARY KEY NOT NULL, json TEXT, expireAt INTEGER, destroyKey TEXT);
         INSERT INTO assets VALUES ('1', '{}', 1, NULL)",
        record.replace('\'', "''")
    ))
}

/// A database that these statements make.
fn database(statements: &str) -> Entries {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("made");
    let database = Connection::open(&path).expect("a database");
    database.execute_batch("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY").expect("set");
    database.execute_batch(statements).expect("its tables");
    database.close().expect("closed");
    vec![("a.db".to_owned(), std::fs::read(path).expect("bytes"))]
}
