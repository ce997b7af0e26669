//! Libraries of 10,000 snippets, as the programs write them.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use rusqlite::Connection;

/// The number of snippets of a library.
pub const SNIPPETS: usize = 10_000;

/// A library: what its source is called, and where it is.
type Library = (&'static str, PathBuf);

/// Writes a library of each source below a folder.
pub fn libraries(folder: &Path) -> io::Result<Vec<Library>> {
    let mut libraries = documents(folder)?;
    for library in [masscode_vault, obsidian, alfred, boostnote, dash, archive] {
        libraries.push(library(folder)?);
    }
    Ok(libraries)
}

/// The content of a snippet, without characters that any of the formats escapes.
fn snippet(number: usize) -> String {
    (0..20).map(|line| format!("let value_{line} = {number} * {line}; ")).collect()
}

/// One document with all snippets, with a prefix, separator and suffix.
fn document(begin: &str, one: impl Fn(usize, String) -> String, between: &str, end: &str) -> String {
    let all: Vec<String> = (0..SNIPPETS).map(|number| one(number, snippet(number))).collect();
    format!("{begin}{}{end}", all.join(between))
}

/// The libraries that are one file of text.
fn documents(folder: &Path) -> io::Result<Vec<Library>> {
    let lab = r#"{"schema": "2.6", "app": "2.6.4", "contents": {"folders": [], "tags": [], "snippets": ["#;
    let stash = r#"{"version": "1.0", "exported_at": "2026-01-02T03:04:05Z", "snippets": ["#;
    let documents = [
        ("masscode", "db.json", document(&masscode_begin(), masscode, ",", "]}")),
        ("vscode", "all.code-snippets", document("{", vscode, ",", "}")),
        ("snippetslab", "export.json", document(lab, snippetslab, ",", "]}}")),
        ("jetbrains", "user.xml", document("<templateSet group=\"user\">", jetbrains, "", "</templateSet>")),
        ("espanso", "base.yml", document("matches:\n", espanso, "", "")),
        ("raycast", "snippets.json", document("[", raycast, ",", "]")),
        ("bytestash", "bytestash-export.json", document(stash, bytestash, ",", "]}")),
        ("gist", "gists.json", document("[", gist, ",", "]")),
        ("pet", "snippet.toml", document("", pet, "\n", "")),
    ];
    let written = documents.into_iter().map(|(format, name, text)| {
        let path = folder.join(name);
        fs::write(&path, text).map(|()| (format, path))
    });
    written.collect()
}

fn masscode_begin() -> String {
    let tags: Vec<String> = (0..50).map(|tag| format!(r#"{{"id": "t{tag}", "name": "tag {tag}"}}"#)).collect();
    format!(
        r#"{{"folders": [{{"id": "f", "name": "Work", "parentId": null}}], "tags": [{}], "snippets": ["#,
        tags.join(",")
    )
}

fn masscode(number: usize, text: String) -> String {
    format!(
        r#"{{"id": "s{number}", "name": "Snippet {number}", "folderId": "f", "tagsIds": ["t{}"], "isDeleted": false,
        "isFavorites": false, "createdAt": 1704164645000, "updatedAt": 1704164646000, "description": null,
        "content": [{{"label": "", "language": "rust", "value": "{text}"}}]}}"#,
        number % 50,
    )
}

fn vscode(number: usize, text: String) -> String {
    format!(r#""Snippet {number}": {{"prefix": "s{number}", "body": "{text}"}}"#)
}

fn snippetslab(number: usize, text: String) -> String {
    format!(
        r#"{{"uuid": "00000000-0000-4000-8000-{number:012}", "title": "Snippet {number}", "tags": [],
        "fragments": [{{"title": "", "content": "{text}", "language": "RustLexer", "note": ""}}]}}"#
    )
}

fn jetbrains(number: usize, text: String) -> String {
    format!(r#"<template name="s{number}" value="{text}" description=""/>"#)
}

fn espanso(number: usize, text: String) -> String {
    format!("  - trigger: \":s{number}\"\n    replace: \"{text}\"\n")
}

fn raycast(number: usize, text: String) -> String {
    format!(r#"{{"name": "Snippet {number}", "text": "{text}", "keyword": "!s{number}"}}"#)
}

fn bytestash(number: usize, text: String) -> String {
    format!(
        r#"{{"id": {number}, "title": "Snippet {number}", "description": "", "updated_at": "2026-01-02 03:04:05Z",
        "is_favorite": 0, "categories": ["a", "b"], "fragments": [{{"id": {number}, "file_name": "a.rs",
        "code": "{text}", "language": "rust", "position": 0}}]}}"#
    )
}

fn gist(number: usize, text: String) -> String {
    format!(
        r#"{{"id": "{number:032x}", "html_url": "https://gist.github.com/{number:032x}", "public": true,
        "description": "[Snippet {number}] a list #rust", "created_at": "2024-01-02T03:04:05Z",
        "updated_at": "2024-01-02T03:04:06Z", "files": {{"a.rs": {{"filename": "a.rs", "language": "Rust",
        "size": 3, "truncated": false, "content": "{text}"}}}}}}"#
    )
}

fn pet(number: usize, text: String) -> String {
    format!("[[snippets]]\n  description = \"snippet {number}\"\n  command = \"{text}\"\n  tag = [\"a\", \"b\"]\n")
}

/// The vault of massCode 5: a file with front matter for each snippet.
fn masscode_vault(folder: &Path) -> io::Result<Library> {
    let code = folder.join("masscode-5/code");
    fs::create_dir_all(code.join(".masscode"))?;
    fs::create_dir_all(code.join("Work"))?;
    fs::write(code.join(".masscode/state.json"), r#"{"version":3,"counters":{},"snippets":[],"tags":[]}"#)?;
    for number in 0..SNIPPETS {
        let text = format!(
            "---\ncontents:\n  - id: {number}\n    label: Fragment 1\n    language: rust\ncreatedAt: 1704164645000\n\
             description: null\nfolderId: 1\nid: {number}\nisDeleted: 0\nisFavorites: 0\nname: Snippet {number}\n\
             tags: []\nupdatedAt: 1704164646000\n---\n\n## Fragment: Fragment 1\n```rust\n{}\n```\n",
            snippet(number)
        );
        fs::write(code.join(format!("Work/Snippet {number}.md")), text)?;
    }
    Ok(("masscode-5", folder.join("masscode-5")))
}

fn obsidian(folder: &Path) -> io::Result<Library> {
    let vault = folder.join("vault");
    fs::create_dir_all(vault.join(".obsidian"))?;
    fs::write(vault.join(".obsidian/app.json"), "{}")?;
    for number in 0..SNIPPETS {
        let text = format!("---\ntags: [a, b]\n---\n# Note {number}\n\n{}\n", snippet(number));
        fs::write(vault.join(format!("Note {number}.md")), text)?;
    }
    Ok(("obsidian", vault))
}

/// A collection of Alfred: a file for each snippet.
fn alfred(folder: &Path) -> io::Result<Library> {
    let collection = folder.join("alfred/Mail");
    fs::create_dir_all(&collection)?;
    let prefix = "<plist version=\"1.0\"><dict><key>snippetkeywordprefix</key><string>;;</string></dict></plist>";
    fs::write(collection.join("info.plist"), prefix)?;
    for number in 0..SNIPPETS {
        let text = format!(
            r#"{{"alfredsnippet": {{"snippet": "{}", "uid": "{number}", "name": "Snippet {number}",
            "keyword": "s{number}"}}}}"#,
            snippet(number)
        );
        fs::write(collection.join(format!("Snippet {number} [{number}].json")), text)?;
    }
    Ok(("alfred", folder.join("alfred")))
}

/// The storage of Boostnote: a file for each note.
fn boostnote(folder: &Path) -> io::Result<Library> {
    let storage = folder.join("boostnote");
    fs::create_dir_all(storage.join("notes"))?;
    let folders = r##"{"folders": [{"key": "k1", "name": "Default", "color": "#fff"}], "version": "1.0"}"##;
    fs::write(storage.join("boostnote.json"), folders)?;
    for number in 0..SNIPPETS {
        let text = format!(
            "createdAt: \"2020-01-02T03:04:05.000Z\"\nupdatedAt: \"2020-01-02T03:04:06.000Z\"\ntype: \"SNIPPET_NOTE\"\n\
             folder: \"k1\"\ntitle: \"Snippet {number}\"\ntags: [\n  \"a\"\n  \"b c\"\n]\ndescription: \"\"\n\
             snippets: [\n  {{\n    linesHighlighted: []\n    name: \"a.rs\"\n    mode: \"Rust\"\n    content: '''\n      \
             {}\n    '''\n  }}\n]\nisStarred: false\nisTrashed: false\n",
            snippet(number)
        );
        fs::write(storage.join(format!("notes/n{number}.cson")), text)?;
    }
    Ok(("boostnote", storage))
}

fn dash(folder: &Path) -> io::Result<Library> {
    let path = folder.join("library.dash");
    let written = || -> rusqlite::Result<()> {
        let mut library = Connection::open(&path)?;
        library.execute_batch(
            "CREATE TABLE snippets (sid INTEGER PRIMARY KEY, title TEXT, body TEXT, syntax TEXT, usageCount INTEGER);
             CREATE TABLE tags (tid INTEGER PRIMARY KEY, tag TEXT);
             CREATE TABLE tagsIndex (tid INTEGER, sid INTEGER);
             INSERT INTO tags VALUES (1, 'a'), (2, 'b');",
        )?;
        let library = library.transaction()?;
        for number in 0..SNIPPETS {
            let (title, text) = (format!("s{number}"), snippet(number));
            let number = number as i64;
            library.execute("INSERT INTO snippets VALUES (?1, ?2, ?3, 'Rust', 0)", (number, title, text))?;
            library.execute("INSERT INTO tagsIndex VALUES (1, ?1), (2, ?1)", [number])?;
        }
        library.commit()
    };
    written().map_err(io::Error::other)?;
    Ok(("dash", path))
}

/// A plain zip file.
fn archive(folder: &Path) -> io::Result<Library> {
    let path = folder.join("files.zip");
    let mut zip = zip::ZipWriter::new(File::create(&path)?);
    for number in 0..SNIPPETS {
        zip.start_file(format!("part/file{number}.rs"), zip::write::SimpleFileOptions::default())?;
        zip.write_all(snippet(number).as_bytes())?;
    }
    zip.finish()?;
    Ok(("archive", path))
}
