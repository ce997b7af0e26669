//! Records of the interface as candidates: an asset with its content, its links, and what belongs to those.
//!
//! Our choice: such an asset is restored as one of an archive of Lunette is, without a note about the import.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::Records;
use super::content::{Content, content};
use super::links::Links;
use super::material::{Material, Reference, is_deleted, references};
use crate::candidate::{Candidate, Fragment, Native, Warning};
use crate::date;
use crate::json::{flag, some_text, text};
use crate::readers::lunette::LARGEST_HISTORY;

/// What candidates are made of.
pub(super) struct Assets<'a, R> {
    pub records: &'a R,
    pub links: &'a Links,
}

impl<R: Records> Assets<'_, R> {
    /// Returns the candidate of an asset. Fails if its content is not there.
    pub fn candidate(&self, asset: &Value, place: &str, mut warnings: Vec<Warning>) -> Result<Candidate, Vec<Warning>> {
        let (format, content) = match self.content(asset, &mut warnings) {
            Ok(found) => found,
            Err((code, reason)) => {
                let message = format!("{:?} {reason} and was left out", text(asset, "name"));
                warnings.push(Warning::new(code, place, message));
                return Err(warnings);
            }
        };
        let mut linked = Linked { room: LARGEST_HISTORY, ..Linked::default() };
        let native = self.native(asset, content.is_text, &mut linked, &mut warnings);
        linked.warn(place, &mut warnings);
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
    ) -> Result<(Value, Bytes), (&'static str, &'static str)> {
        let mut formats = references(asset.get("original"));
        if formats.is_empty() {
            formats = references(asset.get("preview").and_then(|preview| preview.get("base")));
            formats.extend(references(asset.get("formats")));
        }
        let mut failure = ("pieces.content", "has no content");
        for reference in formats {
            let listed = references(asset.get("formats")).into_iter().find(|other| other.id == reference.id);
            let embedded = reference.embedded.or_else(|| listed?.embedded);
            let Some(format) = self.find(Material::Format, &Reference { embedded, ..reference }, warnings) else {
                continue;
            };
            let (bytes, is_text) = match content(&format) {
                Content::Text(bytes) => (bytes, true),
                Content::File(bytes) => (bytes, false),
                Content::Withheld => {
                    failure = ("pieces.withheld", "has a content that the export kept back");
                    continue;
                }
                Content::Missing => continue,
            };
            return Ok((format, Bytes { bytes, is_text }));
        }
        Err(failure)
    }

    fn native(&self, asset: &Value, is_text: bool, linked: &mut Linked, warnings: &mut Vec<Warning>) -> Native {
        let mut record = Map::new();
        for field in ["id", "score"] {
            if let Some(value) = asset.get(field).filter(|value| !value.is_null()) {
                record.insert(field.to_owned(), value.clone());
            }
        }
        let mut native = Native { is_text, ..Native::default() };
        let mut conversations = Vec::new();
        for material in Material::LINKED {
            let mut restored = Vec::new();
            for reference in self.linked(asset, material) {
                let Some(found) = self.part(material, &reference, linked, warnings) else { continue };
                let pair =
                    |first: &str, second: &str| (text(&found, first).to_owned(), text(&found, second).to_owned());
                match material {
                    Material::Tag => restored.extend(linked.tag(&found)),
                    Material::Website => native.websites.push(pair("url", "name")),
                    Material::Annotation => native.annotations.push(pair("type", "text")),
                    _ => restored.push(self.whole(material, found, linked, warnings)),
                }
            }
            match material {
                Material::Conversation => conversations = restored,
                _ if restored.is_empty() => {}
                _ => _ = record.insert(material.folder().to_owned(), json!({ "iterable": restored })),
            }
        }
        native.websites.retain(|(url, _)| !url.is_empty());
        native.annotations.retain(|(_, text)| !text.is_empty());
        native.archived = json!({ "record": record, "conversations": conversations }).to_string();
        native
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

    /// Returns a record with the records that belong to it.
    fn whole(&self, material: Material, mut record: Value, linked: &mut Linked, warnings: &mut Vec<Warning>) -> Value {
        for (field, kind) in material.parts() {
            let references = references(record.get(*field));
            let parts: Vec<Value> =
                references.iter().filter_map(|reference| self.part(*kind, reference, linked, warnings)).collect();
            record[*field] = json!({ "iterable": parts });
        }
        // The assets of this import link it again.
        record.as_object_mut().map(|fields| fields.remove("assets"));
        record
    }

    /// Returns the record of a reference, unless it is deleted or there is no room for it.
    fn part(
        &self,
        material: Material,
        reference: &Reference<'_>,
        linked: &mut Linked,
        warnings: &mut Vec<Warning>,
    ) -> Option<Value> {
        if linked.full {
            return None;
        }
        let Some(found) = self.find(material, reference, warnings) else {
            linked.missing += 1;
            return None;
        };
        (!is_deleted(&found) && linked.takes(&found)).then_some(found)
    }

    /// Returns the record of a reference: as it is kept by itself, else as it is embedded.
    fn find(&self, material: Material, reference: &Reference<'_>, warnings: &mut Vec<Warning>) -> Option<Value> {
        self.records.get(material, reference.id, warnings).or_else(|| reference.embedded.cloned())
    }
}

struct Bytes {
    bytes: Vec<u8>,
    is_text: bool,
}

/// What was found of the links of an asset.
#[derive(Default)]
struct Linked {
    tags: Vec<String>,
    missing: usize,
    /// How many bytes of records there is room for.
    room: usize,
    full: bool,
}

impl Linked {
    /// Adds a tag, and returns what is restored of it beside its text.
    fn tag(&mut self, tag: &Value) -> Option<Value> {
        let text = text(tag, "text").to_owned();
        if text.is_empty() || self.tags.contains(&text) {
            return None;
        }
        self.tags.push(text.clone());
        some_text(tag, "category").map(|category| json!({ "text": text, "category": category }))
    }

    /// Returns whether there is room for a record, and takes it up.
    fn takes(&mut self, record: &Value) -> bool {
        let size = record.to_string().len();
        let fits = size <= self.room;
        self.full |= !fits;
        self.room -= if fits { size } else { 0 };
        fits
    }

    fn warn(&self, place: &str, warnings: &mut Vec<Warning>) {
        if self.missing > 0 {
            let message = format!("records that it is linked to and that are not there: {}", self.missing);
            warnings.push(Warning::new("pieces.link", place, message));
        }
        if self.full {
            let message =
                format!("what it is linked to has more than {LARGEST_HISTORY} bytes: the rest of it was left out");
            warnings.push(Warning::new("pieces.history", place, message));
        }
    }
}
