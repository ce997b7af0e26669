//! What a body may look like: a template to start from, and the fields its record knows.
//!
//! What must hold: every template is one that its operation accepts; a test walks them all.

use serde_json::{Value, json};

use crate::model::application::{
    Application, SeededTrackedInteractionEvent, SeededTrackedKeyboardEvent, TrackedApplicationInstall,
    TrackedApplicationUpdate,
};
use crate::model::asset::{Asset, AssetReclassification, SeededAccessor};
use crate::model::linked::{SeededTag, SeededWebsite, SeededWorkstreamSummary};
use crate::model::record::{Field, Record};
use crate::model::seed::Seed;
use crate::model::value::SeededScoreIncrement;
use crate::operation::{OperationInfo, Place};

/// The name of the record that an operation takes as its body; None where it takes none.
pub fn body_kind(info: &OperationInfo) -> Option<&'static str> {
    info.inputs.iter().find(|input| input.place == Place::Body).map(|input| input.kind)
}

/// The fields of a body's record, by its name; empty for a body that is no record.
pub fn fields(kind: &str) -> &'static [Field] {
    const TABLES: &[(&str, &[Field])] = &[
        (Application::NAME, Application::FIELDS),
        (SeededTrackedInteractionEvent::NAME, SeededTrackedInteractionEvent::FIELDS),
        (SeededTrackedKeyboardEvent::NAME, SeededTrackedKeyboardEvent::FIELDS),
        (TrackedApplicationInstall::NAME, TrackedApplicationInstall::FIELDS),
        (TrackedApplicationUpdate::NAME, TrackedApplicationUpdate::FIELDS),
        (AssetReclassification::NAME, AssetReclassification::FIELDS),
        (SeededScoreIncrement::NAME, SeededScoreIncrement::FIELDS),
        (SeededAccessor::NAME, SeededAccessor::FIELDS),
        (Asset::NAME, Asset::FIELDS),
        (Seed::NAME, Seed::FIELDS),
        (SeededTag::NAME, SeededTag::FIELDS),
        (SeededWebsite::NAME, SeededWebsite::FIELDS),
        (SeededWorkstreamSummary::NAME, SeededWorkstreamSummary::FIELDS),
    ];
    TABLES.iter().find(|(name, _)| *name == kind).map_or(&[], |(_, fields)| fields)
}

/// A body to start from; `asset` is the record of the asset that is looked at, for the operations that want a whole one.
pub fn template(info: &OperationInfo, asset: Option<&Value>) -> Option<String> {
    let kind = body_kind(info)?;
    let tree = of_application(kind).or_else(|| of_asset(kind, asset)).or_else(|| of_linked(kind));
    // A body that is no record is the id of a session, as a JSON string (records, section 0, surprise 6).
    serde_json::to_string_pretty(&tree.unwrap_or_else(|| Value::String(new_id()))).ok()
}

fn of_application(kind: &str) -> Option<Value> {
    Some(match kind {
        Application::NAME => application("1.0.0"),
        SeededTrackedInteractionEvent::NAME => json!({ "description": "Clicked Save", "element": "save" }),
        SeededTrackedKeyboardEvent::NAME => json!({ "description": "Ctrl+S", "shortcut": [17, 83] }),
        TrackedApplicationInstall::NAME => json!({ "application": application("1.0.0") }),
        TrackedApplicationUpdate::NAME => {
            json!({ "current": application("1.1.0"), "previous": application("1.0.0") })
        }
        _ => return None,
    })
}

fn of_asset(kind: &str, asset: Option<&Value>) -> Option<Value> {
    let asset = || asset.cloned().unwrap_or_else(least_asset);
    Some(match kind {
        Asset::NAME => asset(),
        AssetReclassification::NAME => json!({ "ext": "rs", "asset": asset() }),
        SeededScoreIncrement::NAME => json!({ "asset": { "reuse": true } }),
        SeededAccessor::NAME => json!({ "os": new_id(), "share": new_id() }),
        Seed::NAME => json!({
            "type": "SEEDED_ASSET",
            "asset": {
                "application": application("1.0.0"),
                "format": { "fragment": { "string": { "raw": "fn main() {}\n" } } },
                "metadata": { "name": "main.rs" },
            },
        }),
        _ => return None,
    })
}

fn of_linked(kind: &str) -> Option<Value> {
    Some(match kind {
        SeededTag::NAME => json!({ "text": "http" }),
        SeededWebsite::NAME => json!({ "url": "https://example.org/", "name": "Example" }),
        SeededWorkstreamSummary::NAME => json!({
            "name": "What was done today",
            "model": {
                "id": new_id(), "version": "0.0.0", "created": { "value": "2026-01-01T00:00:00Z" }, "name": "none",
                "cloud": false, "type": "BALANCED", "usage": "CODE_CONVERSATION",
            },
        }),
        _ => return None,
    })
}

fn new_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

fn application(version: &str) -> Value {
    json!({
        "id": "6c756e65-7474-4e00-8000-000000000002", "name": "OPEN_SOURCE", "version": version, "platform": "LINUX",
        "onboarded": true, "privacy": "OPEN",
    })
}

/// The least that is an asset; the service knows none of this id.
fn least_asset() -> Value {
    let format = new_id();
    let time = json!({ "value": "2026-01-01T00:00:00Z" });
    json!({
        "id": new_id(), "name": "main.rs", "creator": new_id(), "created": time, "updated": time,
        "formats": { "iterable": [] }, "preview": { "base": { "id": format } }, "original": { "id": format },
        "mechanism": "MANUAL",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::{Call, OPERATIONS, Parts};

    #[test]
    fn every_template_is_a_body_that_its_operation_accepts() {
        for info in OPERATIONS.iter().filter(|info| body_kind(info).is_some()) {
            let body = template(info, None).expect("a body has a template");
            let asked = |input: &&crate::operation::Input| input.place == Place::Path;
            let path = info.inputs.iter().filter(asked).map(|input| (input.name.to_owned(), new_id())).collect();
            let parts = Parts { path, query: Vec::new(), body: Some(body.into_bytes()) };
            assert_eq!(Call::read(info, &parts).map(|call| call.info().name), Ok(info.name));
        }
    }

    #[test]
    fn every_record_that_is_a_body_shows_its_fields() {
        for kind in OPERATIONS.iter().filter_map(|info| body_kind(info)) {
            assert!(!fields(kind).is_empty() || kind == "String", "{kind}");
        }
    }
}
