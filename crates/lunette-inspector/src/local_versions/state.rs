//! What an asset is, apart from its content: the part of its record of which versions are kept, in the form in which a
//! version is read back.
//!
//! What must hold: what a record does not tell is not taken for nothing, so that a list with shorter records than a
//! page has makes no versions.

use lunette_client::model::Told;
use lunette_client::model::asset::Asset;
use lunette_client::model::record::{Record as _, View};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::assets::content::original;
use crate::change::{Item, LinkKind, linked, reports_links};

/// What is compared, each with the word of the interface for it, in the order of the stored text.
const PARTS: [(&str, &str); 16] = [
    ("created", "created"),
    ("creator", "creator"),
    ("mechanism", "mechanism"),
    ("name", "name"),
    ("favorited", "favorited"),
    ("generic", "classification"),
    ("specific", "classification"),
    ("tags", "tags"),
    ("websites", "websites"),
    ("summaries", "summaries"),
    ("persons", "persons"),
    ("anchors", "anchors"),
    ("hints", "hints"),
    ("conversations", "conversations"),
    ("annotations", "annotations"),
    ("fields", "fields"),
];

/// What was asked for when a record was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The record itself.
    Record,
    /// A list or a search, whose records may be shorter.
    List,
}

/// A state of an asset, or what a record tells of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct State(Map<String, Value>);

impl State {
    /// What a record tells.
    pub fn of_record(asset: View<'_, Asset>, extent: Extent) -> Self {
        let mut told = Map::new();
        let mut tell = |name: &str, value: Option<Value>| drop(value.map(|value| told.insert(name.to_owned(), value)));
        let text = |name: &str, value: Option<&str>| match asset.told(name) {
            Told::Value => value.map(Value::from),
            Told::Nothing => Some(Value::Null),
            Told::Unknown => None,
        };
        tell("created", asset.tells("created").then(|| asset.created().value().into()));
        tell("creator", asset.tells("creator").then(|| asset.creator().into()));
        tell("mechanism", asset.tells("mechanism").then(|| asset.mechanism().into()));
        tell("name", text("name", asset.name()));
        tell(
            "favorited",
            (asset.told("favorited") != Told::Unknown).then(|| asset.favorited().unwrap_or_default().into()),
        );
        let language = original(asset).map(|format| format.classification());
        tell("generic", language.map(|language| language.generic().into()));
        tell("specific", language.map(|language| language.specific().into()));
        for kind in LinkKind::ALL {
            let nothing = asset.told(section(kind)) == Told::Nothing && extent == Extent::Record;
            let links = reports_links(asset, kind).then(|| linked(asset, kind)).or(nothing.then(Vec::new));
            tell(section(kind), links.map(|links| sorted(links.iter().map(link_tree).collect())));
        }
        for (section, fields) in [
            ("persons", ["id"].as_slice()),
            ("anchors", &["id"]),
            ("hints", &["id"]),
            ("conversations", &["id", "name"]),
            ("annotations", &["id", "type", "text"]),
        ] {
            let nothing = asset.told(section) == Told::Nothing && extent == Extent::Record;
            tell(section, entries(asset.tree(), section, fields).or(nothing.then(|| Value::Array(Vec::new()))));
        }
        let known = |name: &str| Asset::FIELDS.iter().any(|field| field.name == name);
        let others = asset.tree().as_object().into_iter().flatten().filter(|(name, _)| !known(name));
        let others: std::collections::BTreeMap<_, _> =
            others.map(|(name, value)| (name.clone(), value.clone())).collect();
        let names_all = extent == Extent::Record || !others.is_empty();
        tell("fields", names_all.then(|| Value::Object(others.into_iter().collect())));
        Self(told)
    }

    /// Reads a stored state; None if it is damaged.
    pub fn read(text: &[u8]) -> Option<Self> {
        serde_json::from_slice(text).ok().map(Self)
    }

    /// The stored text.
    pub fn text(&self) -> Vec<u8> {
        Value::Object(self.0.clone()).to_string().into_bytes()
    }

    /// The state after a record told this: what it does not tell is as before.
    pub fn told(&self, told: &Self, extent: Extent) -> Self {
        let mut after = Map::new();
        for (name, _) in PARTS {
            let (before, now) = (self.0.get(name), told.0.get(name));
            let value = match (before, now) {
                (Some(Value::Object(before)), Some(Value::Object(now))) if extent == Extent::List => {
                    let mut all = before.clone();
                    all.extend(now.clone());
                    Some(Value::Object(all))
                }
                (Some(Value::Array(before)), Some(Value::Array(now))) => Some(Value::Array(named(now, before))),
                (before, now) => now.or(before).cloned(),
            };
            after.extend(value.map(|value| (name.to_owned(), value)));
        }
        Self(after)
    }

    /// Whether it is what an earlier state was, apart from what that did not know.
    pub fn completes(&self, before: &Self) -> bool {
        before.0.iter().all(|(name, value)| self.0.get(name) == Some(value))
    }

    /// The state with a link more or less.
    pub fn linked(&self, item: &Item, is_linked: bool) -> Self {
        let mut after = self.clone();
        let links = after.0.get(section(item.kind)).and_then(Value::as_array).cloned().unwrap_or_default();
        let mut links: Vec<_> = links.into_iter().filter(|link| link["id"].as_str() != Some(&*item.id)).collect();
        links.extend(is_linked.then(|| link_tree(item)));
        after.0.insert(section(item.kind).to_owned(), sorted(links));
        after
    }

    /// The fingerprint by which a state that is known is told from another.
    pub fn print(&self) -> i64 {
        let digest = Sha256::digest(self.text());
        digest.first_chunk::<8>().map(|bytes| i64::from_le_bytes(*bytes) | 1).unwrap_or(1)
    }

    /// What differs from an earlier state, in the words of the interface.
    pub fn differences(&self, before: &Self) -> Vec<&'static str> {
        let ids = |value: Option<&Value>| {
            let entries = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            entries.iter().map(|entry| entry["id"].clone()).collect::<Vec<_>>()
        };
        let mut changed = Vec::new();
        for (name, word) in PARTS {
            let (one, other) = (before.0.get(name), self.0.get(name));
            if name == "annotations" && one != other {
                changed.extend(changed_annotations(one, other));
                continue;
            }
            let differs = match name {
                // A tag that was renamed is not a change of its assets.
                "tags" | "websites" | "summaries" | "conversations" => ids(one) != ids(other),
                _ => one != other && (one, other) != (None, Some(&Value::Null)),
            };
            if differs && !changed.contains(&word) {
                changed.push(word);
            }
        }
        changed
    }

    /// The name.
    pub fn name(&self) -> Option<&str> {
        self.0.get("name")?.as_str()
    }

    /// The language, as the interface writes it.
    pub fn specific(&self) -> Option<&str> {
        self.0.get("specific")?.as_str()
    }

    /// The fields of the record of a version.
    pub fn tree(&self) -> Map<String, Value> {
        let mut tree = Map::new();
        for (name, _) in PARTS.iter().filter(|(name, _)| *name != "created") {
            let value = self.0.get(*name).filter(|value| !value.is_null()).cloned();
            let value = value.or_else(|| match *name {
                "creator" | "name" | "generic" | "specific" => None,
                "mechanism" => Some("".into()),
                "favorited" => Some(false.into()),
                "fields" => Some(json!({})),
                _ => Some(json!([])),
            });
            tree.extend(value.map(|value| ((*name).to_owned(), value)));
        }
        tree
    }

    /// Whether it is known what a field of [`Self::tree`] is, rather than nothing known of it.
    pub fn tells(&self, field: &str) -> bool {
        self.0.contains_key(field)
    }

    /// When the asset was created, as its record says; empty if it does not.
    pub fn created(&self) -> &str {
        self.0.get("created").and_then(Value::as_str).unwrap_or_default()
    }
}

/// The name of the links of a kind.
fn section(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Tag => "tags",
        LinkKind::Website => "websites",
        LinkKind::Summary => "summaries",
    }
}

fn link_tree(item: &Item) -> Value {
    let (id, text) = (item.id.to_string(), item.text.clone());
    match item.kind {
        LinkKind::Tag => json!({ "id": id, "text": text }),
        LinkKind::Website => json!({ "id": id, "url": item.url, "name": text }),
        LinkKind::Summary => json!({ "id": id, "name": text }),
    }
}

fn sorted(mut entries: Vec<Value>) -> Value {
    entries.sort_by(|one, other| one["id"].as_str().cmp(&other["id"].as_str()));
    Value::Array(entries)
}

/// The entries of a section with some of their fields; None if the record does not tell all of them.
fn entries(record: &Value, section: &str, fields: &[&str]) -> Option<Value> {
    let listed = record.get(section)?.get("iterable")?.as_array()?;
    let entry = |entry: &Value| {
        let whole = entry.get("reference").filter(|reference| reference.is_object()).unwrap_or(entry);
        let id = entry.get("id").or(whole.get("id")).filter(|id| id.is_string())?;
        let field = |name: &&str| ((*name).to_owned(), if *name == "id" { id.clone() } else { whole[*name].clone() });
        Some(Value::Object(fields.iter().map(field).collect()))
    };
    Some(sorted(listed.iter().map(entry).collect::<Option<Vec<_>>>()?))
}

/// Entries, each that is told without a value for a field with the one it had.
fn named(now: &[Value], before: &[Value]) -> Vec<Value> {
    let named = |entry: &Value| {
        let mut entry = entry.clone();
        let known = before.iter().find(|known| known["id"] == entry["id"]);
        for (name, value) in known.and_then(Value::as_object).into_iter().flatten() {
            if entry[name].is_null() || entry[name].as_str() == Some("") {
                entry[name] = value.clone();
            }
        }
        entry
    };
    now.iter().map(named).collect()
}

/// The words for the annotations that differ: descriptions, and others.
fn changed_annotations(before: Option<&Value>, now: Option<&Value>) -> impl Iterator<Item = &'static str> {
    let of = |value: Option<&Value>, descriptions: bool| {
        let all = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let wanted = all.iter().filter(|one| (one["type"] == "DESCRIPTION") == descriptions);
        wanted.cloned().collect::<Vec<_>>()
    };
    let kinds = [("description", true), ("annotations", false)];
    let words = kinds.map(|(word, descriptions)| (of(before, descriptions) != of(now, descriptions)).then_some(word));
    words.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(record: Value, extent: Extent) -> State {
        State::of_record(Asset::from_any(record).expect("an asset").view(), extent)
    }

    fn record(change: Value) -> Value {
        let time = json!({ "value": "2026-11-20T12:00:00Z" });
        let mut record = json!({
            "id": "a", "name": "a.txt", "creator": "u", "created": time, "updated": time, "mechanism": "MANUAL",
            "formats": { "iterable": [] }, "preview": { "base": { "id": "f" } }, "original": { "id": "f" },
            "tags": { "iterable": [{ "id": "t", "text": "urgent" }] },
        });
        record.as_object_mut().expect("fields").extend(change.as_object().expect("fields").clone());
        record
    }

    #[test]
    fn what_a_shorter_record_does_not_tell_is_as_before() {
        let whole = state(record(json!({ "mine": 1 })), Extent::Record);
        let listed =
            state(json!({ "id": "a", "name": "a.txt", "tags": { "iterable": [{ "id": "t" }] } }), Extent::List);
        assert_eq!(whole.told(&listed, Extent::List), whole);
        assert_eq!(whole.told(&whole, Extent::Record).print(), whole.print());
        let renamed = state(json!({ "id": "a", "name": "b.txt" }), Extent::List);
        let after = whole.told(&renamed, Extent::List);
        assert_eq!(after.differences(&whole), ["name"]);
        assert_eq!(State::read(&after.text()), Some(after));
    }

    #[test]
    fn what_changes_without_an_edit_is_no_other_state() {
        let one = state(record(json!({ "score": { "reuse": 1 } })), Extent::Record);
        let later = json!({ "score": { "reuse": 2 }, "updated": { "value": "2026-11-21T12:00:00Z" } });
        assert_eq!(state(record(later), Extent::Record), one);
        let with_content = json!({ "preview": { "base": { "id": "f", "reference": {
            "fragment": { "string": { "raw": "text" } } } } } });
        let (told, whole) = (state(record(with_content), Extent::Record), one.clone());
        assert!(whole.told(&told, Extent::Record).differences(&whole).iter().all(|word| *word == "classification"));
    }

    #[test]
    fn a_link_is_added_and_removed() {
        let one = state(record(json!({})), Extent::Record);
        let item = Item::new(LinkKind::Tag, "b", "later", None);
        let with = one.linked(&item, true);
        assert_eq!((with.differences(&one), with.tree()["tags"].as_array().map(Vec::len)), (vec!["tags"], Some(2)));
        assert_eq!(with.linked(&item, false), one);
    }
}
