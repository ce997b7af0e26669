//! Reads and validates seeds before anything is stored (records, 2.5).

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use serde_json::{Map, Value};

use super::archived;
use super::derived_name::derived_name;
use crate::ServiceError;
use crate::classify::{self, Classified};
use crate::input::{bounds, normalize};
use crate::resources::related::seed as seeds;
use crate::store::records::annotation::NewAnnotation;
use crate::store::records::create::NewAsset;
use crate::store::records::format::Content;
use crate::store::records::item::{ItemKind, NewItem};
use crate::store::records::related::NewRelated;
use lunette_client::model::View;
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::{Seed, SeededAsset, SeededAssetMetadata, SeededFormat};
use lunette_client::model::value::{TransferableBytes, TransferableString};

/// The new asset of a seed. Fails on a seed without an asset or content.
pub(crate) fn read(seed: &Seed) -> Result<NewAsset, ServiceError> {
    let wanted = seed.view();
    let asset = wanted.asset().ok_or_else(|| ServiceError::bad_request("the seed has no `asset`"))?;
    let metadata = asset.metadata();
    let format = asset.format();
    let content = content(format)?;
    let file = format.file().and_then(|file| file.metadata());
    let fragment = format.fragment().and_then(|fragment| fragment.metadata());
    let name = metadata.and_then(View::<SeededAssetMetadata>::name).or(file.and_then(|file| file.name()));
    let name = name.filter(|name| !name.is_empty()).map(|name| bounds::NAME.check(name)).transpose()?;
    let hint = fragment.and_then(|fragment| fragment.ext()).or(file.and_then(|file| file.ext()));
    let Classified { generic, specific } = classify::classify(name, hint, (&content).into());
    // A name that the client gave is never changed, nor does a derived one say what the language is.
    let derived = match (name, &content) {
        (None, Content::Text(text)) => derived_name(specific, text),
        (Some(_), _) | (None, Content::Bytes(_)) => None,
    };
    let (mut items, annotations, related) = match metadata {
        Some(metadata) => (items(metadata)?, annotations(metadata)?, related(metadata)?),
        None => Default::default(),
    };
    archived::restore_items(&mut items, asset.tree());
    let mechanism = metadata.and_then(View::<SeededAssetMetadata>::mechanism);
    Ok(NewAsset {
        id: archived::kept_id(asset.tree()),
        name_is_derived: derived.is_some(),
        name: derived.or_else(|| name.map(str::to_owned)),
        mechanism: self::mechanism(mechanism),
        application: bounds::FIELDS.check(normalize::application(asset.application().tree().clone()).to_string())?,
        generic: generic.to_owned(),
        specific: specific.to_owned(),
        content,
        // Our choice: a seed may say so, as an archive does that is imported again. The interface has no such field.
        favorited: asset.tree().get("favorited").and_then(Value::as_bool) == Some(true),
        created: date(asset, "created")?,
        updated: date(asset, "updated")?,
        document: document(asset),
        items,
        annotations,
        related,
        archived: archived::read(asset.tree()).map(Box::new),
    })
}

/// A date of a seed, in microseconds. Our choice: a seed may say when its asset was created and changed, as an import knows
/// it from elsewhere: a text of ISO 8601, alone or as the `value` of an object. The interface has no such fields.
fn date(asset: View<'_, SeededAsset>, field: &str) -> Result<Option<i64>, ServiceError> {
    let Some(given) = asset.tree().get(field).filter(|given| !given.is_null()) else { return Ok(None) };
    let text = given.get("value").unwrap_or(given).as_str();
    let date = text.and_then(|text| text.parse::<jiff::Timestamp>().ok()).ok_or_else(|| {
        ServiceError::bad_request(format!("the field `{field}` is not a point in time such as 2024-01-02T03:04:05Z"))
    })?;
    Ok(Some(date.as_microsecond()))
}

/// The flags of a seed that its asset keeps.
fn document(asset: View<'_, SeededAsset>) -> String {
    let flags = [("discovered", asset.discovered()), ("pseudo", asset.pseudo()), ("demo", asset.demo())];
    let fields: Map<String, Value> =
        flags.into_iter().filter_map(|(name, flag)| Some((name.to_owned(), flag?.into()))).collect();
    Value::Object(fields).to_string()
}

/// What the format holds: text from a fragment, bytes from a file. Bytes of a fragment that are UTF-8 are its text.
pub(super) fn content(format: View<'_, SeededFormat>) -> Result<Content, ServiceError> {
    any_content(format).and_then(bounds::content)
}

fn any_content(format: View<'_, SeededFormat>) -> Result<Content, ServiceError> {
    match (format.fragment(), format.file()) {
        (Some(fragment), None) => match (fragment.string(), fragment.bytes()) {
            (Some(string), None) => text_or_bytes("fragment", string).map(as_text),
            (None, Some(bytes)) => numbers("fragment", bytes).map(Content::Bytes).map(as_text),
            _ => Err(ServiceError::bad_request("the `fragment` needs exactly one of `string` and `bytes`")),
        },
        (None, Some(file)) => match (file.string(), file.bytes()) {
            (Some(string), None) => text_or_bytes("file", string),
            (None, Some(bytes)) => numbers("file", bytes).map(Content::Bytes),
            _ => Err(ServiceError::bad_request("the `file` needs exactly one of `string` and `bytes`")),
        },
        _ => Err(ServiceError::bad_request("the `format` needs exactly one of `fragment` and `file`")),
    }
}

fn as_text(content: Content) -> Content {
    match content {
        Content::Bytes(bytes) => {
            String::from_utf8(bytes).map_or_else(|error| Content::Bytes(error.into_bytes()), Content::Text)
        }
        text @ Content::Text(_) => text,
    }
}

/// A string is the text itself, or bytes in base64. Our choice: bytes may come so, a third of the size of numbers.
fn text_or_bytes(field: &str, string: View<'_, TransferableString>) -> Result<Content, ServiceError> {
    if let Some(raw) = string.raw() {
        return Ok(Content::Text(raw.to_owned()));
    }
    let decoded = match (string.base64(), string.base64_url()) {
        (Some(text), _) => STANDARD.decode(text),
        (None, Some(text)) => URL_SAFE.decode(text),
        (None, None) => {
            return Err(ServiceError::bad_request(format!(
                "the string of the `{field}` has neither `raw` nor `base64`"
            )));
        }
    };
    let bad = |error| ServiceError::bad_request(format!("the `{field}` is not valid base64: {error}"));
    decoded.map(Content::Bytes).map_err(bad)
}

fn numbers(field: &str, bytes: View<'_, TransferableBytes>) -> Result<Vec<u8>, ServiceError> {
    let Some(raw) = bytes.raw() else {
        return Err(ServiceError::bad_request(format!("the bytes of the `{field}` have no `raw`")));
    };
    let byte = |(index, number): (usize, i64)| {
        u8::try_from(number).map_err(|_| {
            ServiceError::bad_request(format!("byte {index} of the `{field}` is {number}; it must be from 0 to 255"))
        })
    };
    raw.iter().enumerate().map(byte).collect()
}

fn items(metadata: View<'_, SeededAssetMetadata>) -> Result<Vec<NewItem>, ServiceError> {
    let tags = metadata.tags().into_iter().flat_map(|tags| tags.iter());
    let websites = metadata.websites().into_iter().flat_map(|websites| websites.iter());
    let tags = tags.map(|one| tag(one.text(), one.category(), one.mechanism()));
    tags.chain(websites.map(|one| website(one.url(), one.name(), one.mechanism()))).collect()
}

fn annotations(metadata: View<'_, SeededAssetMetadata>) -> Result<Vec<NewAnnotation>, ServiceError> {
    let texts = metadata.annotations().into_iter().flat_map(|texts| texts.iter());
    texts.map(|text| annotation(text.kind(), text.text())).collect()
}

/// The persons, hints and anchors of a seed. They are created for this asset, whatever asset they name.
fn related(metadata: View<'_, SeededAssetMetadata>) -> Result<Vec<NewRelated>, ServiceError> {
    let persons = metadata.persons().into_iter().flat_map(|persons| persons.iter()).map(seeds::person);
    let hints = metadata.hints().into_iter().flat_map(|hints| hints.iter()).map(seeds::hint);
    let anchors = metadata.anchors().into_iter().flat_map(|anchors| anchors.iter()).map(seeds::anchor);
    persons.chain(hints).chain(anchors).collect()
}

/// A new annotation. A type of a later client becomes a comment.
pub(super) fn annotation(kind: &str, text: &str) -> Result<NewAnnotation, ServiceError> {
    let kind = normalize::word(Some(kind), normalize::ANNOTATION_TYPES, "COMMENT");
    let text = bounds::TEXT.check(text)?.to_owned();
    Ok(NewAnnotation { kind: kind.to_owned(), text, document: "{}".to_owned() })
}

/// How something came about. A mechanism of a later client, or none, is that of a person.
fn mechanism(mechanism: Option<&str>) -> String {
    normalize::word(mechanism, normalize::MECHANISMS, super::MANUAL).to_owned()
}

/// A tag as it is made; its text, without spaces around it, is what makes it the same.
pub(crate) fn tag(text: &str, category: Option<&str>, mechanism: Option<&str>) -> Result<NewItem, ServiceError> {
    let text = super::filled("text", text, bounds::TAG)?;
    let mut document = Map::new();
    document.insert("category".to_owned(), normalize::tag_category(category).into());
    Ok(NewItem {
        kind: ItemKind::Tag,
        id: None,
        key: Some(text.to_owned()),
        name: text.to_owned(),
        document: Value::Object(document).to_string(),
        annotations: Vec::new(),
        counters: Vec::new(),
        mechanism: self::mechanism(mechanism),
    })
}

/// A website as it is made. Our choice: any address is taken as it is, since it is only ever shown and compared here.
pub(crate) fn website(url: &str, name: &str, mechanism: Option<&str>) -> Result<NewItem, ServiceError> {
    let url = super::filled("url", url, bounds::ADDRESS)?;
    let name = if name.trim().is_empty() { url } else { bounds::NAME.check(name)? };
    Ok(NewItem {
        kind: ItemKind::Website,
        id: None,
        key: Some(url.to_owned()),
        name: name.to_owned(),
        document: "{}".to_owned(),
        annotations: Vec::new(),
        counters: Vec::new(),
        mechanism: self::mechanism(mechanism),
    })
}
