//! What an update keeps, whatever it is sent; and that every response is the record it is said to be.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{snapshot, update};
use crate::detect::{Detect, Detected};
use crate::http::spool::ResponseText;
use crate::resources::extensions;
use crate::store::Store;
use crate::{RequestContext, Service};
use lunette_client::model::asset::Asset;
use lunette_client::model::record::Record as _;
use lunette_client::model::seed::Seed;
use lunette_client::operation::table::{AssetSnapshot, AssetUpdate, AssetsCreateNewAsset};

struct NoDetector;

impl Detect for NoDetector {
    fn detect(&self) -> Vec<Detected> {
        Vec::new()
    }

    fn sources(&self) -> Vec<std::path::PathBuf> {
        Vec::new()
    }
}

fn service() -> Service {
    Service::new(Store::in_memory().expect("a store"), Arc::new(NoDetector)).expect("a service")
}

fn asset(service: &Service) -> Value {
    let seed = json!({ "asset": {
        "application": { "id": "a", "name": "OPEN_SOURCE", "version": "1", "platform": "LINUX", "onboarded": false,
            "privacy": "OPEN" },
        "format": { "fragment": { "string": { "raw": "content" } } },
        "metadata": { "name": "name", "tags": [{ "text": "tag" }], "websites": [{ "url": "https://a", "name": "w" }],
            "annotations": [{ "type": "DESCRIPTION", "text": "text" }] },
    } });
    let seed = Some(Seed::from_tree(seed).expect("a seed"));
    let call = AssetsCreateNewAsset { transferables: None, once: None, seed };
    tree(extensions::create(service, &RequestContext::default(), call).expect("an asset"))
}

/// The record of a response.
fn tree(text: ResponseText) -> Value {
    let text = text.into_bytes().expect("read");
    Asset::from_tree(serde_json::from_slice(&text).expect("JSON")).expect("an asset").into_tree()
}

fn updated(service: &Service, body: Value) -> Value {
    let call = AssetUpdate { transferables: None, asset: Some(Asset::from_tree(body).expect("an asset")) };
    tree(update(service, &RequestContext::default(), call).expect("updated"))
}

fn read(service: &Service, asset: &Value) -> Value {
    let id = asset["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    let call = AssetSnapshot { asset: id, transferables: None };
    tree(snapshot(service, &RequestContext::default(), call).expect("the asset"))
}

/// What may differ after an update beside what was changed.
fn without_traces(mut asset: Value) -> Value {
    asset["updated"].take();
    asset["score"]["manual"].take();
    for pointer in ["/formats/iterable/0/asset"] {
        if let Some(Value::Object(fields)) = asset.pointer_mut(pointer) {
            fields.retain(|field, _| field == "id");
        }
    }
    asset
}

fn trees() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(serde_json::from_str("123456789012345678901234567890.10").expect("a number")),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((".{0,8}", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A field that an update may set, and a value for it.
fn fields() -> impl Strategy<Value = (String, Value)> {
    prop_oneof![
        ".{0,40}".prop_map(|name| ("name".to_owned(), name.into())),
        any::<bool>().prop_map(|flag| ("favorited".to_owned(), flag.into())),
        any::<bool>().prop_map(|flag| ("curated".to_owned(), flag.into())),
        any::<bool>().prop_map(|flag| ("pseudo".to_owned(), flag.into())),
        ("x_[a-z]{1,8}", trees()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_update_of_one_field_changes_only_that_field((field, value) in fields()) {
        let service = service();
        let before = asset(&service);
        let mut body = before.clone();
        body[&field] = value.clone();
        let after = updated(&service, body);
        prop_assert_eq!(&after[&field], &value);
        let (mut left, mut right) = (without_traces(before), without_traces(after.clone()));
        for tree in [&mut left, &mut right] {
            tree.as_object_mut().expect("an object").shift_remove(&field);
        }
        prop_assert_eq!(left.to_string(), right.to_string());
        prop_assert_eq!(read(&service, &after), after);
    }

    #[test]
    fn an_update_that_leaves_fields_out_keeps_them(kept in prop::collection::vec(any::<bool>(), 24)) {
        let service = service();
        let mut body = asset(&service);
        body["of_tomorrow"] = json!({ "kept": [1, 2] });
        body["curated"] = true.into();
        let before = updated(&service, body.clone());
        let mut kept = kept.into_iter();
        body.as_object_mut().expect("an object").retain(|field, _| {
            let needed = Asset::FIELDS.iter().any(|known| known.name == field && known.required);
            needed || kept.next().unwrap_or(true)
        });
        prop_assert_eq!(updated(&service, body), before);
    }
}

#[test]
fn an_update_with_a_list_loses_no_entry() {
    let service = service();
    let mut body = asset(&service);
    let hint = |id: &str, text: &str| {
        let at = json!({ "value": "2024-05-01T12:00:00Z" });
        json!({ "id": id, "created": at, "updated": at, "type": "SUGGESTED_QUERY", "text": text, "mechanisms": {} })
    };
    body["hints"] = json!({ "iterable": [hint("1", "a"), hint("2", "b")] });
    updated(&service, body.clone());
    body["hints"] = json!({ "iterable": [hint("2", "changed"), hint("3", "c")] });
    let after = updated(&service, body);
    assert_eq!(after["hints"]["iterable"], json!([hint("1", "a"), hint("2", "changed"), hint("3", "c")]));
}

/// Where entries are compared with each other, this takes most of a minute, and all other writes wait for it.
#[test]
fn an_update_with_a_very_long_list_is_refused_in_time() {
    let service = service();
    let mut body = asset(&service);
    let at = json!({ "value": "2024-05-01T12:00:00Z" });
    let hint = |id: usize| json!({ "id": id.to_string(), "created": at, "updated": at, "type": "SUGGESTED_QUERY", "text": "", "mechanisms": {} });
    body["hints"] = json!({ "iterable": [hint(0)] });
    let mut body = updated(&service, body);
    body["hints"] = json!({ "iterable": (0..20_000).map(hint).collect::<Vec<_>>() });
    let asset = Some(Asset::from_tree(body).expect("an asset"));
    let refused = update(&service, &RequestContext::default(), AssetUpdate { transferables: None, asset });
    let refused = refused.map(tree).expect_err("too large");
    assert!(refused.to_string().contains("all additional fields of a record together"), "{refused}");
}

#[test]
fn descriptions_of_an_update_have_the_limit_of_a_record() {
    let service = service();
    let mut body = asset(&service);
    let now = json!({ "value": "2024-05-01T12:00:00Z" });
    let mut describe = |count: usize| {
        let text = |at: usize| {
            json!({ "id": format!("{at}"), "created": now, "updated": now, "type": "DESCRIPTION",
                "text": format!("text {at}") })
        };
        body["annotations"] = json!({ "iterable": (0..count).map(text).collect::<Vec<_>>() });
        let asset = Some(Asset::from_tree(body.clone()).expect("an asset"));
        update(&service, &RequestContext::default(), AssetUpdate { transferables: None, asset }).map(tree)
    };
    let after = describe(2_000).expect("it fits");
    assert_eq!(after["annotations"]["iterable"].as_array().map(Vec::len), Some(2_001));
    let refused = describe(6_000).expect_err("too many");
    assert!(refused.to_string().contains("these annotations exceed it"), "{refused}");
    let full = describe(5_100).expect("it fits");
    assert_eq!(full["annotations"]["iterable"].as_array().map(Vec::len), Some(5_101));
    body = full;
    let texts = body["annotations"]["iterable"].as_array_mut().expect("a list");
    texts.iter_mut().for_each(|text| text["text"] = "".into());
    let emptied = updated(&service, body);
    let left = emptied["annotations"]["iterable"].as_array().expect("a list");
    assert!(left.iter().all(|text| text["text"] == ""), "they can be removed");
}

#[test]
fn a_timestamp_without_a_zone_is_taken_as_utc() {
    let service = service();
    let mut body = asset(&service);
    body["interacted"] = json!({ "value": "2024-05-01T12:00:00.5", "readable": "then" });
    let after = updated(&service, body);
    assert_eq!(after["interacted"], json!({ "value": "2024-05-01T12:00:00.5Z", "readable": "then" }));
}
