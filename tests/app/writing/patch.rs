//! What an edit sends is what was read, but for what was edited: token by token, the digits of numbers and the order of
//! keys as they came; and a record that cannot be read whole is not sent at all.

use std::sync::{Arc, Mutex, PoisonError};

use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::{AssetSnapshot, AssetsSnapshot};
use lunette_client::operation::{Call, Operation as _, Reply, ResponseBody as _};
use lunette_inspector::Vendor;
use lunette_inspector::change::{Change, Edit, Field};
use lunette_inspector::write::plan::{Plan, PlanError, Preflight, prepare};
use lunette_inspector::write::recovery::DeletedAssets;
use lunette_inspector::{CallError, Transport};
use proptest::prelude::*;
use serde_json::Value;

/// A service that has one asset, whose record it says in these words.
#[derive(Clone)]
struct Telling {
    text: Arc<Mutex<String>>,
}

impl Telling {
    fn new(text: &str) -> Self {
        Self { text: Arc::new(Mutex::new(text.to_owned())) }
    }
}

impl Transport for Telling {
    async fn reply(&self, call: &Call) -> Result<Reply, CallError> {
        assert_eq!(call.info(), AssetSnapshot::INFO, "planning reads the asset, and nothing else");
        let text = self.text.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(call.answer(text.as_bytes()).expect("an asset"))
    }
}

const ID: &str = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";

/// Any JSON, as text: numbers that no machine number holds, and every kind of space and escape.
fn json() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?",
        Just("1.10".to_owned()),
        Just("18446744073709551616".to_owned()),
        Just("1E400".to_owned()),
    ];
    let text = "[ -~]{0,8}".prop_map(|text| Value::from(text).to_string());
    let odd = prop_oneof![Just("\"\\u0000\"".to_owned()), Just("\"\u{202e}\"".to_owned()), Just("\"😀\"".to_owned())];
    let leaf = prop_oneof![Just("null".to_owned()), Just("true".to_owned()), number, text, odd];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let fields = prop::collection::btree_map("[a-z_ é]{1,6}", inner.clone(), 0..4);
        let object = fields.prop_map(|fields| {
            let fields = fields.iter().map(|(key, value)| format!("{}: {value}", Value::from(key.as_str())));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
        });
        let array = prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(", ")));
        prop_oneof![object, array]
    })
}

/// An asset's record as text, with unknown fields of any kind among the known ones.
fn record() -> impl Strategy<Value = String> {
    (prop::collection::btree_map("x_[a-z]{1,5}", json(), 0..5), any::<bool>(), any::<prop::sample::Index>()).prop_map(
        |(unknown, favourite, index)| {
            let mut fields = vec![
                format!("\"id\": \"{ID}\""),
                "\"creator\": \"c\"".to_owned(),
                "\"created\": {\"value\": \"2026-01-01T00:00:00Z\", \"x_more\": 1.50}".to_owned(),
                "\"updated\": {\"value\": \"2026-01-01T00:00:00Z\"}".to_owned(),
                "\"formats\": {\"iterable\": [], \"x\": null}".to_owned(),
                "\"preview\": {\"base\": {\"id\": \"f\"}}".to_owned(),
                "\"original\": {\"id\": \"f\", \"x_digits\": 1.0e2}".to_owned(),
                "\"mechanism\": \"MANUAL\"".to_owned(),
                "\"name\": \"old\"".to_owned(),
            ];
            fields.extend(favourite.then(|| "\"favorited\": false".to_owned()));
            for (key, value) in unknown {
                fields.insert(index.index(fields.len() + 1), format!("\"{key}\": {value}"));
            }
            format!("{{{}}}", fields.join(", "))
        },
    )
}

fn planned(text: &str, change: impl FnOnce(&AssetId) -> Change, vendor: Vendor) -> Result<Plan, PlanError> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let id: AssetId = ID.parse().expect("an id");
    match runtime.block_on(prepare(&Telling::new(text), &DeletedAssets::default(), change(&id), vendor))? {
        Preflight::Ready(plan) => Ok(*plan),
        other => panic!("a plan was expected, {other:?} came"),
    }
}

fn rename(id: &AssetId) -> Change {
    let edits = vec![Edit { field: Field::Name, from: Some("old".into()), to: "new".into() }];
    Change::Edit { asset: id.clone(), edits }
}

/// What is sent, as text.
fn sent(plan: &Plan) -> String {
    let [call] = plan.calls.as_slice() else { panic!("one call: {:?}", plan.calls) };
    String::from_utf8(call.parts().body.expect("a body")).expect("UTF-8")
}

/// The same JSON without spaces, each token as it was.
fn tokens(text: &str) -> String {
    let tree: Value = serde_json::from_str(text).expect("JSON");
    tree.to_string()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edit_sends_the_read_record_with_only_the_edited_fields_changed(record in record(), vendor in prop_oneof![Just(Vendor::Lunette), Just(Vendor::Other)]) {
        let plan = planned(&record, rename, vendor).expect("a plan");
        let meant = tokens(&record).replacen("\"name\":\"old\"", "\"name\":\"new\"", 1);
        prop_assert_eq!(sent(&plan), meant);
        let paths: Vec<_> = plan.fields.iter().map(|change| change.path.to_string()).collect();
        prop_assert_eq!(paths, ["$.name"]);
    }

    #[test]
    fn the_raw_editor_sends_the_record_changed_only_where_it_was_edited(record in record(), typed in json()) {
        let from: Value = serde_json::from_str(&record).expect("JSON");
        let mut to = from.clone();
        to["x_typed_here"] = serde_json::from_str(&typed).expect("JSON");
        let change = |id: &AssetId| Change::Record { asset: id.clone(), from: from.clone(), to: to.clone() };
        let plan = planned(&record, change, Vendor::Lunette).expect("a plan");
        prop_assert_eq!(sent(&plan), to.to_string());
    }

    #[test]
    fn a_record_with_duplicate_keys_is_never_sent_back(record in record(), one in json(), other in json()) {
        let twice = record.replacen("\"name\": \"old\"", &format!("\"name\": \"old\", \"n\": [{{\"k\": {one}, \"k\": {other}}}]"), 1);
        let error = planned(&twice, rename, Vendor::Lunette).expect_err("one of the two would be lost");
        let message = error.to_string();
        prop_assert!(message.contains("$.n[0].k twice") && message.contains("would lose the other"), "{}", message);
        let raw = |id: &AssetId| Change::Record { asset: id.clone(), from: Value::Null, to: Value::Null };
        prop_assert!(planned(&twice, raw, Vendor::Lunette).is_err());
    }
}

#[test]
fn duplicate_keys_are_detected_when_a_response_is_read() {
    use lunette_client::model::record::Record as _;
    let text = r#"{"iterable": [{"a": {"b": 1, "b": 2}}]}"#;
    let read = <AssetsSnapshot as lunette_client::operation::Operation>::Output::read(text.as_bytes());
    assert_eq!(read.expect("a list").duplicate_key(), Some("$.iterable[0].a.b"));
    let list = r#"{"iterable": [], "more": {"b": 1, "b": 2}}"#;
    let list = <AssetsSnapshot as lunette_client::operation::Operation>::Output::read(list.as_bytes()).expect("a list");
    assert_eq!(list.duplicate_key(), Some("$.more.b"));
    let tree = serde_json::json!({ "id": 1 });
    assert!(Asset::from_tree(tree).is_err());
}
