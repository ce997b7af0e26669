//! A version as one side of a comparison.

use std::sync::Arc;

use lunette_client::model::record::View;
use lunette_client::model::version::PastAsset;
use serde_json::{Map, Value};

use super::side::{Body, MAX_BYTES, Side};
use super::sorted;
use crate::change::LinkKind;
use crate::versions::{description, items};

/// A version to be compared, with the fields of an asset. Nothing can be copied to it.
pub fn version_side(then: View<'_, PastAsset>, content: Option<Vec<u8>>) -> Side {
    let mut record: Map<String, Value> = then.fields().as_object().cloned().unwrap_or_default();
    let size = content.as_ref().map(Vec::len);
    let told = [
        ("creator", then.creator().map(Value::from)),
        ("name", then.name().map(Value::from)),
        ("mechanism", Some(then.mechanism().into())),
        ("favorited", Some(then.favorited().into())),
        ("description", description(then).map(Value::from)),
        ("language", then.specific().map(Value::from)),
        ("size", size.map(Value::from)),
    ];
    record.extend(told.into_iter().filter_map(|(field, value)| Some((field.to_owned(), value?))));
    let body = match content {
        None => Body::None,
        Some(bytes) if bytes.len() > MAX_BYTES => Body::TooLarge(Some(bytes.len() as u64)),
        Some(bytes) => Body::Bytes(Arc::from(bytes)),
    };
    let links = LinkKind::ALL.into_iter().flat_map(|kind| items(then, kind)).map(|(item, _)| item).collect();
    let title = then.name().filter(|name| !name.trim().is_empty()).unwrap_or(then.asset());
    Side {
        title: title.to_owned(),
        kind: format!("version {} · {}", then.version(), then.asset()),
        record: Some(Value::Object(record)),
        links: Some(sorted(links)),
        body,
        target: None,
    }
}
