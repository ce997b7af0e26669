//! The records against examples of every one that the public clients know (records, section 0).

use std::fs;
use std::path::Path;

use lunette_client::model::record::{Field, Record, SchemaError};
use lunette_client::model::*;
use lunette_client::operation::{DecodeError, ResponseBody as _};
use serde_json::{Map, Value, json};

use crate::source::below;

#[path = "../support/partial.rs"]
mod partial;

/// What the tests need of a record type.
struct Kind {
    name: &'static str,
    fields: &'static [Field],
    /// Takes a tree as the record and gives it back as text.
    through: fn(Value) -> Result<String, SchemaError>,
    /// Reads the body of a response as the record, and gives it back as text.
    received: fn(&[u8]) -> Result<String, DecodeError>,
}

fn kind<R: Record + serde::Serialize + Send + 'static>() -> Kind {
    Kind {
        name: R::NAME,
        fields: R::FIELDS,
        through: |tree| R::from_tree(tree).map(|record| serde_json::to_string(&record).expect("a tree is JSON")),
        received: |body| {
            let record = R::read(body)?;
            let view = record.view();
            // What is told fits, and what is not told is never a value.
            for field in R::FIELDS {
                let value = view.tree().get(field.name).filter(|value| !value.is_null());
                assert_eq!(view.told(field.name) == Told::Value, value.is_some_and(field.fits), "{}", field.name);
            }
            Ok(serde_json::to_string(&record).expect("a tree is JSON"))
        },
    }
}

macro_rules! kinds {
    ($( $module:ident: $($record:ident)*; )*) => { vec![ $( $( kind::<$module::$record>() ),* ),* ] };
}

/// Every record that has an example.
fn kinds() -> Vec<Kind> {
    kinds! {
        activity: Activities Activity FlattenedActivities SeededActivity SeededConnectorTracking;
        application: Application Applications DetectedExternalApplication DetectedExternalApplications SeededTrackedInteractionEvent SeededTrackedKeyboardEvent Session TrackedApplicationInstall TrackedApplicationUpdate TrackedInteractionEvent TrackedKeyboardEvent TrackedUserProfile;
        related: Share;
        asset: Asset AssetReclassification Assets ExportedAsset FlattenedAsset FlattenedAssets FlattenedFormat Format FormatReclassification Formats Preview ReferencedAsset ReferencedFormat SeededAccessor;
        conversation: Conversation ConversationMessage ConversationMessages Conversations FlattenedConversationMessages FlattenedConversations SeededConversation;
        linked: Annotation Annotations SeededAnnotation SeededTag SeededWebsite SeededWorkstreamSummary Tag Tags Website Websites WorkstreamSummaries WorkstreamSummary;
        seed: AssetsSearchWithFiltersInput AssetsSearchWithFiltersOutput ExistentMetadata ExistingMetadata SearchInput SearchedAsset SearchedAssets Seed SeededAsset;
        value: ByteDescriptor Classification EmbeddedModelSchema FileFormat FlattenedUserProfile FragmentFormat FragmentMetadata GroupedTimestamp Model Score SeededScore SeededScoreIncrement TransferableBytes TransferableString;
    }
}

/// Every example: its file's name, the record it is of, and its text.
fn examples() -> Vec<(String, Kind, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the examples") {
        let path = entry.expect("an entry").path();
        let Some(stem) = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".json"))
        else {
            continue;
        };
        let record = stem.split("__").next().unwrap_or(stem);
        let kind = kinds().into_iter().find(|kind| kind.name == record);
        let kind = kind.unwrap_or_else(|| panic!("{stem} is of no record of ours"));
        found.push((stem.to_owned(), kind, fs::read_to_string(&path).expect("its text")));
    }
    found
}

fn object(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).expect("an object")
}

#[test]
fn every_record_has_an_example_and_there_are_many() {
    let examples = examples();
    assert!(examples.len() >= 130, "{}", examples.len());
    for kind in kinds() {
        assert!(examples.iter().any(|(_, of, _)| of.name == kind.name), "{}", kind.name);
    }
}

#[test]
fn every_example_round_trips_in_the_same_order() {
    for (file, kind, text) in examples() {
        let tree: Value = serde_json::from_str(&text).expect("JSON");
        let written = serde_json::to_string(&tree).expect("JSON");
        let back = (kind.through)(tree.clone()).unwrap_or_else(|wrong| panic!("{file}: {wrong}"));
        assert_eq!(back, written, "{file}");
        assert_eq!(serde_json::from_str::<Value>(&back).expect("JSON"), tree, "{file}");
    }
}

#[test]
fn unknown_fields_nulls_and_long_digits_survive() {
    let odd = r#"{"ünknown":{"deep":[null,1.50,-0,1e+400,{"":[]}]},"long":123456789012345678901234567890.000100}"#;
    for (file, kind, text) in examples() {
        let mut fields = object(&text);
        for field in kind.fields.iter().filter(|field| !field.required) {
            fields.entry(field.name).or_insert(Value::Null);
        }
        fields.extend(object(odd));
        let written = serde_json::to_string(&fields).expect("JSON");
        assert!(written.contains("123456789012345678901234567890.000100") && written.contains("1e+400"), "{written}");
        let back = (kind.through)(Value::Object(fields)).unwrap_or_else(|wrong| panic!("{file}: {wrong}"));
        assert_eq!(back, written, "{file}");
    }
}

#[test]
fn missing_and_null_required_fields_are_reported_by_their_path() {
    for (file, kind, text) in examples() {
        for field in kind.fields.iter().filter(|field| field.required) {
            let mut fields = object(&text);
            fields.shift_remove(field.name).unwrap_or_else(|| panic!("{file} has no {}", field.name));
            let wrong = (kind.through)(Value::Object(fields.clone())).expect_err("a field is missing");
            assert_eq!(wrong.path(), format!("$.{}", field.name), "{file}");
            fields.insert(field.name.to_owned(), Value::Null);
            let wrong = (kind.through)(Value::Object(fields)).expect_err("a field is null");
            assert_eq!(wrong.path(), format!("$.{}", field.name), "{file}");
        }
    }
}

#[test]
fn a_wrong_field_type_is_reported_by_its_path() {
    for (file, kind, text) in examples() {
        for field in kind.fields {
            let mut fields = object(&text);
            let Some(value) = fields.get_mut(field.name).filter(|value| !value.is_null() && field.kind != "Json")
            else {
                continue;
            };
            *value = if value.is_boolean() { json!("no") } else { json!(true) };
            let wrong = (kind.through)(Value::Object(fields)).expect_err("a field is of another kind");
            assert_eq!(wrong.path(), format!("$.{}", field.name), "{file}");
        }
    }
}

#[test]
fn nested_errors_are_reported_by_their_full_path() {
    let (_, kind, text) = examples().into_iter().find(|(file, ..)| file == "Asset__full").expect("the example");
    let whole: Value = serde_json::from_str(&text).expect("JSON");
    for (pointer, field, path) in [
        ("/formats/iterable/0", "id", "$.formats.iterable[0].id"),
        ("/formats/iterable/0/asset/created", "value", "$.formats.iterable[0].asset.created.value"),
        ("/tags/iterable/0", "text", "$.tags.iterable[0].text"),
        ("/tags", "iterable", "$.tags.iterable"),
        ("/original", "id", "$.original.id"),
    ] {
        let mut tree = whole.clone();
        let fields = tree.pointer_mut(pointer).and_then(Value::as_object_mut).expect(pointer);
        fields.shift_remove(field).expect(field);
        assert_eq!((kind.through)(tree).expect_err("a field is missing").path(), path);
    }
}

#[test]
fn every_declared_record_is_in_the_registry() {
    let mut declared = Vec::new();
    for file in below("crates/lunette-client/src/model") {
        let inside = file.text.lines().skip_while(|line| *line != "records! {").take_while(|line| *line != "}");
        let names = inside.filter_map(|line| line.strip_prefix("    ")?.strip_suffix(" {"));
        declared.extend(names.map(str::to_owned));
    }
    let mut registered: Vec<String> = registry::records().map(|record| record.name.to_owned()).collect();
    declared.sort();
    registered.sort();
    assert!(declared.len() > 100, "{declared:?}");
    assert_eq!(registered, declared);
}

#[test]
fn a_response_with_any_fields_of_any_types_is_a_record_and_anything_but_an_object_is_none() {
    for (file, kind, text) in examples() {
        let tree: Value = serde_json::from_str(&text).expect("JSON");
        for seed in 0..60 {
            let part = partial::partial(&tree, &mut partial::Numbers::from(seed));
            let written = part.to_string();
            let back = (kind.received)(written.as_bytes()).unwrap_or_else(|wrong| panic!("{file}, {seed}: {wrong}"));
            assert_eq!(back, written, "{file}, {seed}");
        }
        assert_eq!((kind.received)(b"{}"), Ok("{}".to_owned()), "{file}");
        for other in ["[]", "null", "5", "\"text\""] {
            assert!(matches!((kind.received)(other.as_bytes()), Err(DecodeError::Schema(_))), "{file}: {other}");
        }
    }
}
