//! Archives, libraries of other programs and folders of files as a side.
//!
//! What must hold: what a file does not say is not told; a file is read whole when it is needed, and only its hash is
//! kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;
use serde_json::{Value, json};

use super::facts::{Facts, Part};
use super::read::SideError;
use crate::import::engine::{FileEntry, NewAsset, content_of, scan};
use crate::import::mapping::Mapping;
use crate::import::sources::{self, Opened, Status};
use crate::tasks::CancelFlag;

/// An asset of an archive or library, or a file.
#[derive(Clone, Debug)]
pub(super) struct LocalAsset {
    pub facts: Arc<Facts>,
    from: From,
}

#[derive(Clone, Debug)]
enum From {
    File(PathBuf),
    New(Arc<NewAsset>),
}

/// What was read of files.
#[derive(Debug, Default)]
pub(super) struct Local {
    pub assets: Vec<LocalAsset>,
    pub left_out: Vec<String>,
}

/// Reads an archive, a library or a folder. Blocks.
pub(super) fn read(path: &Path, cancel: &CancelFlag) -> Result<Local, SideError> {
    let unreadable = |error| SideError::Files { path: path.display().to_string(), error };
    fs::metadata(path).map_err(unreadable)?;
    match sources::open(path, None, Mapping::default(), cancel)? {
        Opened::Library(plan) => {
            let mut local = Local::default();
            local.left_out.extend(plan.warnings.iter().map(|warning| warning.message.clone()));
            for planned in plan.items {
                if matches!(planned.status, Status::LeftOut(_)) && planned.item.trashed {
                    continue;
                }
                local.assets.push(of_new(&planned.item.id, planned.item.new));
            }
            Ok(local)
        }
        Opened::Files(_) => Ok(of_folder(path, cancel)),
    }
}

fn of_folder(path: &Path, cancel: &CancelFlag) -> Local {
    let found = scan(&[path.to_owned()], cancel.flag());
    let mut local = Local::default();
    local.left_out.extend(found.rejected.iter().map(|one| format!("{}: {}", one.path.display(), one.reason)));
    for file in found.files {
        match of_file(&file) {
            Ok(asset) => local.assets.push(asset),
            Err(why) => local.left_out.push(format!("{}: {why}", file.display_path)),
        }
    }
    local
}

fn of_file(file: &FileEntry) -> Result<LocalAsset, crate::import::engine::SeedError> {
    let content = content_of(&file.path)?;
    let bytes = content.as_ref().map_or_else(Vec::as_slice, |text| text.as_bytes());
    let facts = Facts::named(&file.display_path, &file_name(&file.path)).with_content(bytes);
    Ok(LocalAsset { facts: Arc::new(facts), from: From::File(file.path.clone()) })
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn of_new(id: &str, new: Arc<NewAsset>) -> LocalAsset {
    let record = record_of(&new, None);
    let known = record["id"].as_str().filter(|id| !id.is_empty());
    let known = known.map_or_else(|| id.to_owned(), str::to_lowercase);
    let facts = match Asset::from_any(record) {
        Ok(asset) => Facts::of_record(asset.view()),
        Err(_) => Facts::named(id, new.name.as_deref().unwrap_or_default()),
    };
    let text = new.text();
    let bytes = text.as_ref().map_or(&*new.content, |text| text.as_bytes());
    let mut facts = facts.known_by(&known).with_content(bytes);
    if new.language.is_none() {
        facts.set(Part::Language, None);
    }
    LocalAsset { facts: Arc::new(facts), from: From::New(new) }
}

impl LocalAsset {
    /// Its whole record, with its content. Blocks.
    pub fn record(&self) -> Result<Asset, SideError> {
        let unreadable = || SideError::NotReadable(self.facts.id.to_string());
        let tree = match &self.from {
            From::New(new) => {
                let content = new.text().map_or_else(|| Err(new.content.clone()), Ok);
                record_of(new, Some(content))
            }
            From::File(path) => {
                let content = content_of(path).map_err(|_| unreadable())?;
                let name = Value::from(file_name(path));
                with_content(json!({ "name": name, "original": { "id": FORMAT } }), content)
            }
        };
        Asset::from_any(tree).map_err(|_| unreadable())
    }
}

/// The id of a format that has none.
const FORMAT: &str = "00000000-0000-4000-8000-000000000000";

/// What is known of an asset to create, in the form of the record of an asset.
fn record_of(new: &NewAsset, content: Option<Result<String, Vec<u8>>>) -> Value {
    let archived: Value = new.archived.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let mut tree = match &archived["record"] {
        Value::Object(record) => Value::Object(record.clone()),
        _ => json!({}),
    };
    let list = |items: Vec<Value>| json!({ "iterable": items });
    let tag = |text: &String| json!({ "id": text, "text": text });
    let site = |site: &crate::import::engine::NewWebsite| json!({ "id": site.url, "url": site.url, "name": site.name });
    let note = |(kind, text): &(String, String)| json!({ "type": kind, "text": text });
    let told = [
        ("name", new.name.clone().map(Value::from)),
        ("favorited", Some(new.favourite.into())),
        ("tags", Some(list(new.tags.iter().map(tag).collect()))),
        ("websites", Some(list(new.websites.iter().map(site).collect()))),
        ("annotations", Some(list(new.annotations.iter().map(note).collect()))),
        ("updated", new.updated.map(|at| json!({ "value": at.to_string() }))),
    ];
    for (field, value) in told {
        if let Some(value) = value.filter(|_| tree.get(field).is_none_or(Value::is_null)) {
            tree[field] = value;
        }
    }
    if tree["original"]["id"].is_null() {
        tree["original"] = json!({ "id": FORMAT });
    }
    if let Some(language) = &new.language {
        tree["original"]["reference"]["classification"]["specific"] = language.as_str().into();
    }
    match content {
        Some(content) => with_content(tree, content),
        None => tree,
    }
}

/// The record with a content: a text, or bytes.
fn with_content(mut tree: Value, content: Result<String, Vec<u8>>) -> Value {
    let format = &mut tree["original"]["reference"];
    let size = content.as_ref().map_or_else(Vec::len, String::len);
    format["bytes"] = json!({ "value": size });
    match content {
        Ok(text) => format["fragment"] = json!({ "string": { "raw": text } }),
        Err(bytes) => format["file"] = json!({ "string": { "base64": STANDARD.encode(bytes) } }),
    }
    tree
}
