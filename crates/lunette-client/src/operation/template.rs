//! What a body may look like: a template to start from, and the fields its record knows.
//!
//! What must hold: every template is accepted by its operation; a test checks them all. A record without a template of
//! its own gets a minimal one: its required fields, each as empty as its type allows.

use serde_json::{Map, Value, json};

use crate::model::activity::SeededActivity;
use crate::model::application::{
    Application, SeededTrackedInteractionEvent, SeededTrackedKeyboardEvent, TrackedApplicationInstall,
    TrackedApplicationUpdate,
};
use crate::model::asset::{Asset, AssetReclassification, Format, SeededAccessor};
use crate::model::conversation::{SeededConversation, SeededConversationMessage};
use crate::model::linked::{SeededAnnotation, SeededTag, SeededWebsite, SeededWorkstreamSummary};
use crate::model::local::SeededConnectorConnection;
use crate::model::material::{
    MaterialsBatchFetchInput, MaterialsIdentifiersInput, MaterialsMetricsInput, WorkstreamSummariesBatchInput,
};
use crate::model::record::{Field, Record, Schema};
use crate::model::registry;
use crate::model::related::{SeededAnchor, SeededHint, SeededPerson};
use crate::model::search_result::SeededAssetTags;
use crate::model::seed::{AssetsSearchWithFiltersInput, ExistentMetadata, SearchInput, Seed};
use crate::model::value::{Model, SeededScoreIncrement};
use crate::model::version::{SeededCheckpoint, VersionBounds};

use super::{Input, InputLocation, OperationInfo};

/// A placeholder for ids in examples.
const ID: &str = "00000000-0000-4000-8000-000000000000";

/// The name of the record that an operation takes as its body; None where it takes none.
pub fn body_kind(info: &OperationInfo) -> Option<&'static str> {
    info.inputs.iter().find(|input| input.location == InputLocation::Body).map(|input| input.kind)
}

/// The fields of a body's record, by its name; empty for a body that is not a record.
pub fn fields(kind: &str) -> &'static [Field] {
    registry::record(kind).map_or(&[], |record| record.fields)
}

/// A body to start from; `asset` is the selected asset, for operations that need a whole record.
pub fn template(info: &OperationInfo, asset: Option<&Value>) -> Option<String> {
    let kind = body_kind(info)?;
    let mut tree = example(info)?;
    if let Some(asset) = asset {
        match &mut tree {
            tree if kind == Asset::NAME => *tree = asset.clone(),
            Value::Object(fields) if kind == AssetReclassification::NAME => {
                fields.insert("asset".to_owned(), asset.clone());
            }
            _ => {}
        }
    }
    let text = serde_json::to_string_pretty(&tree).ok()?;
    let mut parts = text.split(ID);
    let first = parts.next().unwrap_or_default().to_owned();
    Some(parts.fold(first, |text, part| text + &uuid::Uuid::new_v4().to_string() + part))
}

/// Returns an example of the body of an operation for its description; it is equal each time. `None` if it has no body.
pub fn example(info: &OperationInfo) -> Option<Value> {
    let body = info.inputs.iter().find(|input| input.location == InputLocation::Body)?;
    let mut tree = minimal(body.schema);
    if let (true, Value::Object(fields)) = (info.updates && body.kind == Format::NAME, &mut tree) {
        fields.insert("fragment".to_owned(), json!({ "string": { "raw": "fn main() {}\n" } }));
    }
    Some(tree)
}

/// A value for a parameter of the path or the query with which the request can be sent as it is. An id names nothing: a
/// service that publishes its own document puts ids of its records there.
pub fn parameter(input: &Input) -> Value {
    match (input.location, input.name) {
        // What every service has.
        (InputLocation::Path, "collection") => json!("tags"),
        (InputLocation::Path, "version") => json!("1"),
        (InputLocation::Path | InputLocation::Body, _) => json!(ID),
        (InputLocation::Query, name) => query(name, input.schema),
    }
}

fn query(name: &str, schema: Schema) -> Value {
    match (name, schema) {
        ("query" | "searchable_tags", _) => json!("moon"),
        // Before all that there is.
        ("after", _) => json!("4102444800000000:1000000000"),
        ("at", _) => json!("2026-11-20T18:00:00Z"),
        ("annotation_type_filter", _) => json!("DESCRIPTION"),
        ("export_type", _) => json!("MD"),
        ("limit", _) => json!(10),
        ("transferables" | "transferable" | "assets" | "once", _) => json!(true),
        (_, schema) => minimal(schema),
    }
}

/// The minimal value of a schema.
fn minimal(schema: Schema) -> Value {
    match schema {
        Schema::Text => json!(""),
        Schema::Uuid => json!(ID),
        Schema::Moment => json!("2026-01-01T00:00:00Z"),
        Schema::Enum(alphabet) => (alphabet.words)().first().copied().unwrap_or_default().into(),
        Schema::Bool => json!(false),
        Schema::Int | Schema::Number => json!(0),
        Schema::Json | Schema::Keyed(_) => json!({}),
        Schema::List(_) => json!([]),
        Schema::Record(name) => {
            let fields = registry::record(name).map_or(&[][..], |record| record.fields);
            written(name).unwrap_or_else(|| Value::Object(required(fields)))
        }
    }
}

fn required(fields: &[Field]) -> Map<String, Value> {
    let minimal = |field: &Field| match (field.name, field.schema) {
        ("id" | "creator", Schema::Text) => json!(ID),
        (_, schema) => minimal(schema),
    };
    fields.iter().filter(|field| field.required).map(|field| (field.name.to_owned(), minimal(field))).collect()
}

/// The records that are worth more than their required fields, or whose words are of an alphabet.
fn written(name: &str) -> Option<Value> {
    of_application(name).or_else(|| of_asset(name)).or_else(|| of_linked(name)).or_else(|| of_search(name))
}

fn of_application(name: &str) -> Option<Value> {
    Some(match name {
        Application::NAME => application("1.0.0"),
        SeededTrackedInteractionEvent::NAME => json!({ "description": "Clicked Save", "element": "save" }),
        SeededTrackedKeyboardEvent::NAME => json!({ "description": "Ctrl+S", "shortcut": [17, 83] }),
        TrackedApplicationInstall::NAME => json!({ "application": application("1.0.0") }),
        TrackedApplicationUpdate::NAME => {
            json!({ "current": application("1.1.0"), "previous": application("1.0.0") })
        }
        SeededConnectorConnection::NAME => {
            json!({ "application": { "name": "OPEN_SOURCE", "version": "1.0.0", "platform": "LINUX" } })
        }
        _ => return None,
    })
}

fn of_asset(name: &str) -> Option<Value> {
    Some(match name {
        Asset::NAME => asset(),
        AssetReclassification::NAME => json!({ "ext": "rs", "asset": asset() }),
        SeededScoreIncrement::NAME => json!({ "asset": { "reuse": true } }),
        SeededAccessor::NAME => json!({ "os": ID, "share": ID }),
        Seed::NAME => json!({
            "type": "SEEDED_ASSET",
            "asset": {
                "application": application("1.0.0"),
                "format": { "fragment": { "string": { "raw": "fn main() {}\n" } } },
                "metadata": { "name": "main.rs" },
            },
        }),
        SeededActivity::NAME => json!({
            "application": application("1.0.0"),
            "event": { "interaction": { "description": "Clicked Save", "element": "save" } },
        }),
        _ => return None,
    })
}

fn of_linked(name: &str) -> Option<Value> {
    Some(match name {
        SeededCheckpoint::NAME => json!({ "name": "Before the clean-up" }),
        VersionBounds::NAME => json!({ "days": 90, "versions": 200, "bytes": 1_073_741_824 }),
        SeededTag::NAME => json!({ "text": "http" }),
        SeededWebsite::NAME => json!({ "url": "https://example.org/", "name": "Example" }),
        SeededWorkstreamSummary::NAME => {
            json!({ "name": "What was done today", "model": minimal(Schema::Record(Model::NAME)) })
        }
        Model::NAME => {
            let mut fields = required(Model::FIELDS);
            fields.extend(["name", "version"].map(|name| (name.to_owned(), json!("none"))));
            Value::Object(fields)
        }
        SeededConversation::NAME => json!({
            "type": "COPILOT", "name": "Questions",
            "messages": [{ "role": "USER", "fragment": { "string": { "raw": "What does this do?" } } }],
        }),
        SeededConversationMessage::NAME => json!({
            "role": "USER", "conversation": { "id": ID }, "fragment": { "string": { "raw": "What does this do?" } },
        }),
        SeededAnnotation::NAME => json!({ "type": "COMMENT", "text": "Look at this again" }),
        SeededPerson::NAME => json!({ "type": { "basic": { "name": "Ada" } } }),
        SeededAnchor::NAME => json!({ "type": "FILE", "fullpath": "/project/src/main.rs" }),
        SeededHint::NAME => json!({ "type": "SUGGESTED_QUERY", "text": "What does this do?" }),
        _ => return None,
    })
}

fn of_search(name: &str) -> Option<Value> {
    Some(match name {
        SearchInput::NAME => json!({ "engines": { "iterable": [{ "query": "http" }] } }),
        AssetsSearchWithFiltersInput::NAME => json!({ "query": "http" }),
        SeededAssetTags::NAME => json!({ "iterable": [{ "text": "http" }] }),
        ExistentMetadata::NAME => json!({ "value": "http" }),
        MaterialsMetricsInput::NAME => json!({ "material_type": "ASSETS" }),
        MaterialsIdentifiersInput::NAME => json!({ "material_type": "ASSETS", "limit": 10 }),
        WorkstreamSummariesBatchInput::NAME => json!({ "workstreamSummaries": { "iterable": [{ "id": ID }] } }),
        MaterialsBatchFetchInput::NAME => json!({ "tags": { "iterable": [{ "id": ID }] } }),
        _ => return None,
    })
}

fn application(version: &str) -> Value {
    json!({
        "id": "6c756e65-7474-4e00-8000-000000000002", "name": "OPEN_SOURCE", "version": version, "platform": "LINUX",
        "onboarded": true, "privacy": "OPEN",
    })
}

/// The least that is an asset; the service knows none of this id.
fn asset() -> Value {
    let mut fields = required(Asset::FIELDS);
    fields.insert("name".to_owned(), json!("main.rs"));
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::{Call, OPERATIONS, RequestParts};

    #[test]
    fn every_template_is_a_body_that_its_operation_accepts() {
        for info in OPERATIONS.iter().filter(|info| body_kind(info).is_some()) {
            let body = template(info, None).expect("a body has a template");
            let asked = |input: &&Input| input.location == InputLocation::Path;
            let path = info.inputs.iter().filter(asked).map(|input| (input.name.to_owned(), ID.to_owned())).collect();
            let parts = RequestParts { path, query: Vec::new(), body: Some(body.into_bytes()) };
            assert_eq!(Call::read(info, &parts).map(|call| call.info().name), Ok(info.name));
        }
    }

    #[test]
    fn every_request_body_record_lists_its_fields() {
        for kind in OPERATIONS.iter().filter_map(|info| body_kind(info)) {
            assert!(!fields(kind).is_empty() || kind == "String", "{kind}");
        }
    }
}
