//! Records of the interface as candidates: an asset with its content, its links, and what belongs to those.
//!
//! Our choice: such an asset is restored as one of an archive of Lunette is, without a note about the import.

use std::collections::HashSet;
use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::Records;
use super::content::{Content, content};
use super::links::Links;
use super::material::{Material, Reference, is_deleted, references};
use crate::Warning;
use crate::candidate::{Candidate, Fragment, Native};
use crate::date;
use crate::json::{flag, some_text, text};
use crate::readers::lunette::LARGEST_HISTORY;
use crate::shape::{self, Fields, Shape};

/// About how many bytes an entry takes beside its texts.
const ENTRY: usize = 64;

/// The fields of an asset that are used and are not references.
const ASSET: Fields = &[("name", Shape::Text), ("favorited", Shape::Flag)];

/// The fields of a linked record that are used as text.
fn used_of(material: Material) -> Fields {
    match material {
        Material::Tag => &[("text", Shape::Text)],
        Material::Website => &[("url", Shape::Text), ("name", Shape::Text)],
        Material::Annotation => &[("type", Shape::Text), ("text", Shape::Text)],
        _ => &[],
    }
}

/// What candidates are made of.
pub(super) struct Assets<'a, R> {
    pub records: &'a R,
    pub links: &'a Links,
}

impl<R: Records> Assets<'_, R> {
    /// Returns the candidate of an asset. Fails if its content is not there.
    pub fn candidate(
        &self,
        asset: &Value,
        location: &str,
        mut warnings: Vec<Warning>,
    ) -> Result<Candidate, Vec<Warning>> {
        let (format, content) = match self.content(asset, &mut warnings) {
            Ok(found) => found,
            Err((code, reason)) => {
                let message = format!("{:?} {reason} and was left out", text(asset, "name"));
                warnings.push(Warning::new(code, location, message));
                return Err(warnings);
            }
        };
        let mut linked = Linked { room: LARGEST_HISTORY, ..Linked::default() };
        let native = self.native((asset, location), content.is_text, &mut linked, &mut warnings);
        warnings.extend(shape::unread(asset, ASSET, location));
        linked.warn(location, &mut warnings);
        let language = format.get("classification").and_then(|classification| some_text(classification, "specific"));
        let language = language.filter(|language| !matches!(*language, "" | "UNKNOWN")).map(str::to_owned);
        let time = |field: &str| date::of_json(asset.get(field).and_then(|time| time.get("value")));
        Ok(Candidate {
            source_id: text(asset, "id").to_owned(),
            name: text(asset, "name").to_owned(),
            fragments: vec![Fragment { label: String::new(), language, bytes: content.bytes }],
            tags: linked.tags,
            favourite: flag(asset, "favorited"),
            trashed: is_deleted(asset),
            created: time("created"),
            updated: time("updated"),
            warnings,
            native: Some(native),
            ..Candidate::default()
        })
    }

    /// Returns the format of an asset that has its content, and the content. Our choice: only the original counts where
    /// there is one: the text that was recognised in a picture is not the picture.
    fn content(
        &self,
        asset: &Value,
        warnings: &mut Vec<Warning>,
    ) -> Result<(Rc<Value>, Bytes), (&'static str, &'static str)> {
        let base = asset.get("preview").and_then(|preview| preview.get("base"));
        let original = references(asset.get("original")).first().map(|original| original.id);
        let formats = [asset.get("original"), base, asset.get("formats")].into_iter().flat_map(references);
        let (mut seen, mut failure) = (HashSet::new(), ("pieces.content", "has no content"));
        for reference in formats.filter(|format| original.is_none_or(|original| original == format.id)) {
            // A service leaves a large content out of all places but one.
            let kept = seen.insert(reference.id).then(|| self.records.get(Material::Format, reference.id, warnings));
            for format in kept.flatten().into_iter().chain(reference.embedded.cloned().map(Rc::new)) {
                match content(&format) {
                    Content::Text(bytes) => return Ok((format, Bytes { bytes, is_text: true })),
                    Content::File(bytes) => return Ok((format, Bytes { bytes, is_text: false })),
                    Content::Withheld => failure = ("pieces.withheld", "has content that the export withheld"),
                    Content::Missing => {}
                }
            }
        }
        Err(failure)
    }

    fn native(
        &self,
        (asset, location): (&Value, &str),
        is_text: bool,
        linked: &mut Linked,
        warnings: &mut Vec<Warning>,
    ) -> Native {
        let mut record = Map::new();
        for field in ["id", "mechanism", "score"] {
            if let Some(value) = asset.get(field).filter(|value| !value.is_null()) {
                record.insert(field.to_owned(), value.clone());
            }
        }
        let mut native = Native { is_text, ..Native::default() };
        let (mut conversations, mut activities) = (Vec::new(), Vec::new());
        for material in Material::LINKED {
            let mut restored = Vec::new();
            for reference in self.linked(asset, material) {
                let Some(found) = self.present(material, &reference, linked, warnings) else { continue };
                warnings.extend(shape::unread(&found, used_of(material), location));
                match material {
                    Material::Tag => restored.extend(linked.tag(&found, text(asset, "id"))),
                    Material::Website => {
                        native.websites.extend(linked.pair(&found, "url", "name"));
                        restored.extend(linked.of_link(&found, "url", text(asset, "id")));
                    }
                    Material::Annotation => native.annotations.extend(linked.pair(&found, "type", "text")),
                    Material::Activity => restored.extend(self.activity(&found, linked, warnings)),
                    _ => restored.extend(self.whole((material, &found), text(asset, "id"), linked, warnings)),
                }
            }
            match material {
                Material::Conversation => conversations = restored,
                Material::Activity => activities = restored,
                _ if restored.is_empty() => {}
                _ => _ = record.insert(material.folder().to_owned(), json!({ "iterable": restored })),
            }
        }
        native.annotations.retain(|(_, text)| !text.is_empty());
        activities.sort_by_key(|activity| date::of_json(activity["created"].get("value")));
        let archived = json!({ "record": record, "conversations": conversations, "activities": activities });
        native.archived = archived.to_string();
        native
    }

    /// Returns an activity with the record of its application. Returns `None` without that, or if there is no room for it.
    fn activity(&self, activity: &Value, linked: &mut Linked, warnings: &mut Vec<Warning>) -> Option<Value> {
        let references = references(activity.get("application"));
        let Some(reference) = references.first() else {
            linked.missing += 1;
            return None;
        };
        let application = self.present(Material::Application, reference, linked, warnings)?;
        let fields = ["id", "created", "event", "mechanism", "rank"].into_iter();
        let fields = fields.filter_map(|field| Some((field.to_owned(), activity.get(field)?.clone())));
        let mut kept: Map<String, Value> = fields.collect();
        kept.insert("application".to_owned(), (*application).clone());
        Some(Value::Object(kept)).filter(|kept| linked.takes(kept))
    }

    /// Returns what of a kind is linked to an asset, in the order of the asset; what only the other end says comes last.
    fn linked<'b>(&'b self, asset: &'b Value, material: Material) -> Vec<Reference<'b>> {
        let field = asset.get(material.folder());
        let indices = field.and_then(|field| field.get("indices"));
        let removed = |id: &str| indices.and_then(|indices| indices.get(id)?.as_f64()).is_some_and(|index| index < 0.0);
        let mut found = references(field);
        let mut seen: HashSet<&str> = found.iter().map(|reference| reference.id).collect();
        for id in self.links.of(text(asset, "id"), material).filter(|id| !removed(id)) {
            if seen.insert(id) {
                found.push(Reference { id, embedded: None });
            }
        }
        found
    }

    /// Returns a record with the records that belong to it, and without what it says of other assets. Returns `None` if there
    /// is no room for it.
    fn whole(
        &self,
        (material, record): (Material, &Value),
        asset: &str,
        linked: &mut Linked,
        warnings: &mut Vec<Warning>,
    ) -> Option<Value> {
        let mut whole = alone(record, asset);
        if !linked.takes(&whole) {
            return None;
        }
        for (field, kind) in material.parts() {
            let mut parts = Vec::new();
            for reference in references(record.get(*field)) {
                let part = self.present(*kind, &reference, linked, warnings).map(|part| alone(&part, asset));
                parts.extend(part.filter(|part| linked.takes(part)));
            }
            whole[*field] = json!({ "iterable": parts });
        }
        Some(whole)
    }

    /// Returns the record of a reference, unless it is deleted. There is no need for it if there is no room.
    fn present(
        &self,
        material: Material,
        reference: &Reference<'_>,
        linked: &mut Linked,
        warnings: &mut Vec<Warning>,
    ) -> Option<Rc<Value>> {
        if linked.full {
            return None;
        }
        let found = self.find(material, reference, warnings);
        linked.missing += usize::from(found.is_none());
        found.filter(|found| !is_deleted(found))
    }

    /// Returns the record of a reference: as it is kept by itself, else as it is embedded.
    fn find(&self, material: Material, reference: &Reference<'_>, warnings: &mut Vec<Warning>) -> Option<Rc<Value>> {
        self.records.get(material, reference.id, warnings).or_else(|| reference.embedded.cloned().map(Rc::new))
    }
}

/// Returns a record without the collections that it refers to, and of what it says by asset only what it says of this one.
fn alone(record: &Value, asset: &str) -> Value {
    let by_asset = |field: &str| matches!(field, "mechanisms" | "access" | "models");
    let is_collection = |value: &Value| value.get("iterable").is_some() || value.get("indices").is_some();
    let fields = record.as_object().into_iter().flatten().filter(|(_, value)| !is_collection(value));
    let kept = fields.map(|(field, value)| match value.get(asset) {
        Some(of_asset) if by_asset(field) => (field.clone(), json!({ asset: of_asset })),
        None if by_asset(field) => (field.clone(), Value::Null),
        _ => (field.clone(), value.clone()),
    });
    Value::Object(kept.collect())
}

struct Bytes {
    bytes: Vec<u8>,
    is_text: bool,
}

/// What was found of the links of an asset.
#[derive(Default)]
struct Linked {
    tags: Vec<String>,
    /// The tags as a set, to find one.
    known: HashSet<String>,
    missing: usize,
    /// How many bytes of records there is room for.
    room: usize,
    full: bool,
}

impl Linked {
    /// Adds a tag, and returns what is restored of it beside its text.
    fn tag(&mut self, tag: &Value, asset: &str) -> Option<Value> {
        let text = text(tag, "text");
        if text.is_empty() || self.known.contains(text) || !self.takes_bytes(text.len()) {
            return None;
        }
        self.tags.push(text.to_owned());
        self.known.insert(text.to_owned());
        self.of_link(tag, "text", asset)
    }

    /// Returns what is restored of a tag or a website beside what it is known by: the category, and how it came to be linked
    /// to the asset.
    fn of_link(&mut self, item: &Value, key: &str, asset: &str) -> Option<Value> {
        let category = some_text(item, "category").map(|category| ("category".to_owned(), category.into()));
        let mechanism = item.get("mechanisms").and_then(|mechanisms| some_text(mechanisms, asset));
        let mechanism = mechanism.map(|mechanism| ("mechanisms".to_owned(), json!({ asset: mechanism })));
        let mut fields: Map<String, Value> = category.into_iter().chain(mechanism).collect();
        if fields.is_empty() {
            return None;
        }
        fields.insert(key.to_owned(), item.get(key)?.clone());
        Some(Value::Object(fields)).filter(|restored| self.takes(restored))
    }

    /// Returns two texts of a record, the second of which may be empty.
    fn pair(&mut self, record: &Value, first: &str, second: &str) -> Option<(String, String)> {
        let pair = (text(record, first).to_owned(), text(record, second).to_owned());
        let fits = self.takes_bytes(pair.0.len() + pair.1.len());
        (fits && !pair.0.is_empty()).then_some(pair)
    }

    /// Returns whether there is room for a record, and takes it up.
    fn takes(&mut self, record: &Value) -> bool {
        self.takes_bytes(record.to_string().len())
    }

    fn takes_bytes(&mut self, size: usize) -> bool {
        let size = size + ENTRY;
        let fits = size <= self.room;
        self.full |= !fits;
        self.room -= if fits { size } else { 0 };
        fits
    }

    fn warn(&self, location: &str, warnings: &mut Vec<Warning>) {
        if self.missing > 0 {
            let message = format!("records that it is linked to and that are not there: {}", self.missing);
            warnings.push(Warning::new("pieces.link", location, message));
        }
        if self.full {
            let message =
                format!("what it is linked to has more than {LARGEST_HISTORY} bytes: the rest of it was left out");
            warnings.push(Warning::new("pieces.history", location, message));
        }
    }
}
