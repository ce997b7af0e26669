//! Formats of other programs that are folders of Markdown: a vault of massCode 5, and a vault of Obsidian.

use std::collections::BTreeMap;
use std::io;

use lunette_client::model::file_name::suggested_name;
use serde_json::{Value, json};

use super::bundle::scope;
use super::item::ExportItem;
use super::target::Target;
use super::writer::{Added, Ending, LibraryWriter, NO_TEXT};
use crate::files::file_names::FileNames;

/// Returns a fence that no line of this text closes.
fn fence(text: &str) -> String {
    let runs = text.split(|letter| letter != '`').map(str::len);
    "`".repeat(runs.max().unwrap_or_default().max(2) + 1)
}

/// Returns a string as a YAML value; JSON strings are valid YAML.
fn yaml(text: &str) -> Value {
    Value::from(text)
}

/// Writes a vault of massCode 5.
#[derive(Default)]
pub(super) struct MassCode {
    names: FileNames,
    /// The ids of tags by their texts.
    tags: BTreeMap<String, usize>,
    count: usize,
}

/// Returns the name of a language in massCode.
fn masscode_language(specific: &str) -> String {
    match scope(specific).as_deref() {
        None => "plain_text".to_owned(),
        Some("shellscript") => "sh".to_owned(),
        Some("cpp" | "c") => "c_cpp".to_owned(),
        Some(name) => name.to_owned(),
    }
}

fn milliseconds(time: &str) -> i64 {
    time.parse::<jiff::Timestamp>().map(jiff::Timestamp::as_millisecond).unwrap_or_default()
}

impl MassCode {
    fn note(&mut self, item: &ExportItem, text: &str) -> String {
        self.count += 1;
        let tags = item.tags();
        let ids = tags.iter().map(|tag| {
            let next = self.tags.len() + 1;
            *self.tags.entry((*tag).to_owned()).or_insert(next)
        });
        let ids: String = ids.map(|id| format!("\n  - {id}")).collect();
        let ids = if ids.is_empty() { " []".to_owned() } else { ids };
        let language = masscode_language(&item.specific());
        let fence = fence(text);
        format!(
            "---\ncontents:\n  - id: {count}\n    label: Fragment 1\n    language: {language}\ncreatedAt: {created}\n\
             description: {description}\nfolderId: null\nid: {count}\nisDeleted: 0\nisFavorites: {favourite}\n\
             name: {name}\ntags:{ids}\nupdatedAt: {updated}\n---\n\n## Fragment: Fragment 1\n{fence}{language}\n{text}\n\
             {fence}\n",
            count = self.count,
            created = milliseconds(item.created()),
            updated = milliseconds(item.updated()),
            description = yaml(item.description().unwrap_or_default()),
            favourite = u8::from(item.favourite()),
            name = yaml(&item.title()),
        )
    }
}

impl LibraryWriter for MassCode {
    fn add(&mut self, item: &ExportItem, target: &mut Target) -> io::Result<Added> {
        let Some(text) = item.text() else { return Ok(NO_TEXT) };
        let note = self.note(item, text);
        let name = self.names.free(&suggested_name(item.name(), &item.id(), "md"));
        let path = format!("code/.masscode/inbox/{name}");
        target.add(&path, &mut note.as_bytes())?;
        Ok(Added::Written(Some(path)))
    }

    fn end(self: Box<Self>, _: &Ending<'_>, target: &mut Target) -> io::Result<()> {
        let tags: Value = self.tags.iter().map(|(name, id)| json!({ "id": id, "name": name })).collect();
        let state = json!({ "version": 3, "counters": {}, "snippets": [], "tags": tags });
        target.add("code/.masscode/state.json", &mut format!("{state:#}\n").as_bytes())
    }
}

/// Writes a vault of Obsidian: a note for each asset, with binary files as attachments.
#[derive(Default)]
pub(super) struct Obsidian {
    notes: FileNames,
    attachments: FileNames,
}

/// Returns a tag without spaces, as Obsidian requires.
fn obsidian_tag(tag: &str) -> String {
    tag.split_whitespace().collect::<Vec<_>>().join("-")
}

/// Returns the front matter of a note.
fn properties(item: &ExportItem) -> String {
    let mut lines = format!("---\ntitle: {}\n", yaml(&item.title()));
    let mut list = |name: &str, values: Vec<String>| {
        if !values.is_empty() {
            let values: String = values.iter().map(|value| format!("  - {}\n", yaml(value))).collect();
            lines.push_str(&format!("{name}:\n{values}"));
        }
    };
    list("tags", item.tags().into_iter().map(obsidian_tag).collect());
    list("url", item.websites().into_iter().map(|(url, _)| url.to_owned()).collect());
    if let Some(text) = item.description() {
        lines.push_str(&format!("description: {}\n", yaml(text)));
    }
    let favourite = if item.favourite() { "favourite: true\n" } else { "" };
    let (created, updated) = (item.created(), item.updated());
    lines + &format!("created: {}\nupdated: {}\n{favourite}---\n", yaml(created), yaml(updated))
}

impl LibraryWriter for Obsidian {
    fn add(&mut self, item: &ExportItem, target: &mut Target) -> io::Result<Added> {
        let specific = item.specific();
        let body = match item.text() {
            Some(text) if specific == "md" => text.to_owned(),
            Some(text) => {
                let (fence, language) = (fence(text), scope(&specific).unwrap_or_default());
                format!("{fence}{language}\n{text}\n{fence}\n")
            }
            None => {
                let name = self.attachments.free(&item.file_name());
                target.add(&format!("attachments/{name}"), &mut item.bytes())?;
                format!("![[attachments/{name}]]\n")
            }
        };
        let path = self.notes.free(&suggested_name(item.name(), &item.id(), "md"));
        target.add(&path, &mut (properties(item) + &body).as_bytes())?;
        Ok(Added::Written(Some(path)))
    }

    fn end(self: Box<Self>, _: &Ending<'_>, target: &mut Target) -> io::Result<()> {
        // This file makes a folder a vault.
        target.add(".obsidian/app.json", &mut "{}\n".as_bytes())
    }
}
