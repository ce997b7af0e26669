//! Plans a change of the text of an asset: its content, while every other change is one of its record.
//!
//! What must hold: the replaced text is the one that the user began with, to the byte; nothing else of the asset is
//! changed. If a record has the text several times, each copy is replaced, so that none is outdated.
//!
//! Our choice: the interface has no operation for the text alone, and our service changes no content by an update of
//! the record. So our own service is sent `formatUpdateValue`, an extension, and any other one the whole record with
//! the new text (interface, `assetUpdate`). The text in the response is compared with the sent one; if it has none, the asset
//! is read again.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::Vendor;
use crate::assets::content::text_of;
use crate::change::Change;
use crate::write::plan::parts::{by, moved};
use crate::write::plan::{Applied, Plan, PlanError, Preflight, Reconciled, ambiguous};
use lunette_client::model::asset::{Asset, Format};
use lunette_client::model::diff::{FieldChange, Path, Step};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{AssetUpdate, FormatUpdateValue};
use lunette_client::operation::{Call, Operation as _, Reply};

/// The fields of a record that have formats with content.
const REFERENCES: [&str; 2] = ["/original/reference", "/preview/base/reference"];

/// Plans a new text for an asset that was read with its content; `own` says whether the service is one of ours.
pub(super) fn plan_text(
    id: AssetId,
    from: String,
    to: String,
    asset: &Arc<Asset>,
    vendor: Vendor,
) -> Result<Preflight, PlanError> {
    if let Some(error) = ambiguous(asset) {
        return Err(error);
    }
    let Some(now) = text_of(asset.view()) else {
        return Err(PlanError::NoText);
    };
    if *now == *to {
        return Ok(Preflight::NoOp("the text is already like this".to_owned()));
    }
    let change = Change::Text { asset: id, from, to: to.clone() };
    if let Some(moved) = moved(&change, asset.tree(), asset) {
        return Ok(moved);
    }
    let call: Call = match vendor {
        Vendor::Lunette => {
            FormatUpdateValue { transferable: Some(true), format: Some(format_with(asset, &to)?) }.into()
        }
        Vendor::Other => AssetUpdate { transferables: Some(true), asset: Some(record_with(asset, &now, &to)?) }.into(),
    };
    let field = FieldChange {
        path: Path(
            ["original", "reference", "fragment", "string", "raw"].map(|key| Step::Key(key.to_owned())).to_vec(),
        ),
        before: Some((*now).into()),
        after: Some(to.into()),
    };
    Ok(Preflight::Ready(Box::new(Plan {
        change,
        calls: vec![call],
        before: Some(Arc::clone(asset)),
        fields: vec![field],
        undo: by("Undo restores the previous text"),
    })))
}

/// The original format with another text.
fn format_with(asset: &Asset, to: &str) -> Result<Format, PlanError> {
    let id = asset.view().original().id();
    let formats = asset.tree().pointer("/formats/iterable").and_then(Value::as_array);
    let format = formats.into_iter().flatten().find(|format| format["id"].as_str() == Some(id));
    let mut format = format.ok_or(PlanError::NoFormat)?.clone();
    set_text(&mut format, to);
    Ok(Format::from_any(format)?)
}

/// The whole record with every copy of the text replaced.
fn record_with(asset: &Asset, now: &str, to: &str) -> Result<Asset, PlanError> {
    let mut record = asset.tree().clone();
    for pointer in REFERENCES {
        record.pointer_mut(pointer).into_iter().for_each(|format| replace_text(format, now, to));
    }
    let formats = record.pointer_mut("/formats/iterable").and_then(Value::as_array_mut);
    formats.into_iter().flatten().for_each(|format| replace_text(format, now, to));
    Ok(Asset::from_any(record)?)
}

fn replace_text(format: &mut Value, now: &str, to: &str) {
    for pointer in ["/fragment/string/raw", "/file/string/raw"] {
        if let Some(text) = format.pointer_mut(pointer).filter(|text| text.as_str() == Some(now)) {
            *text = to.into();
        }
    }
}

fn set_text(format: &mut Value, to: &str) {
    match format.pointer_mut("/fragment/string") {
        Some(Value::Object(string)) => drop(string.insert("raw".to_owned(), to.into())),
        _ => format["fragment"] = json!({ "string": { "raw": to } }),
    }
}

/// The text that a response tells; None if it tells none.
pub(super) fn told(reply: Reply) -> Option<Arc<str>> {
    match reply {
        Reply::AssetUpdate(_) => AssetUpdate::output(reply).as_ref().and_then(|asset| text_of(asset.view())),
        reply => FormatUpdateValue::output(reply).and_then(|format| {
            let text = format.tree().pointer("/fragment/string/raw")?.as_str()?;
            Some(Arc::from(text))
        }),
    }
}

/// The applied change, determined from the text in the response.
pub(super) fn done(change: Change, now: &str) -> Applied {
    let differs = matches!(&change, Change::Text { to, .. } if to != now);
    let message = differs.then(|| "the service did not store the text as it was sent".to_owned());
    // The displayed record has no content.
    Applied { change, asset: None, message }
}

/// Whether the asset, read with content, has the new or the old text.
pub(super) fn reconciled(from: &str, to: &str, asset: &Asset) -> Reconciled {
    match text_of(asset.view()) {
        Some(now) if *now == *to => Reconciled::Applied,
        Some(now) if *now == *from => Reconciled::NotApplied,
        Some(_) => Reconciled::Unclear("the text matches neither the previous nor the new version".to_owned()),
        None => Reconciled::Unclear("the current text is not known".to_owned()),
    }
}
