//! Plans for assets of services that tell only some fields, or fields of other types.
//!
//! What must hold: a plan never removes what the service did not tell.

use std::sync::Arc;

use lunette_client::model::asset::Asset;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::ResponseBody as _;
use lunette_inspector::change::{Change, Counter, Edit, Field, Item, LinkKind, reports_links};
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::write::plan::{Preflight, plan_on};
use serde_json::{Value, json};

use crate::support::partial::{Numbers, example, partial};

/// The asset of a service, of any shape.
fn asset(seed: u64) -> Arc<Asset> {
    let tree = match partial(&example("Asset__full"), &mut Numbers::from(seed)) {
        Value::Object(fields) => Value::Object(fields),
        _ => json!({}),
    };
    Arc::new(Asset::read(tree.to_string().as_bytes()).expect("any object is a record"))
}

/// The bodies of the requests of a plan; None if there is nothing to do, or it is refused.
fn bodies(change: Change, asset: &Arc<Asset>) -> Option<Vec<Value>> {
    match plan_on(change, Some(asset)) {
        Ok(Preflight::Ready(plan)) => {
            let body = |body: Vec<u8>| serde_json::from_slice(&body).expect("JSON");
            Some(plan.calls.iter().filter_map(|call| call.parts().body).map(body).collect())
        }
        Ok(Preflight::NoOp(_) | Preflight::Conflict(_)) | Err(_) => None,
    }
}

#[test]
fn an_update_of_a_record_of_any_shape_keeps_every_field_that_was_not_edited() {
    let mut planned = 0;
    for seed in 0..300 {
        let (asset, id) = (asset(seed), AssetId::random());
        for (field, name, to) in
            [(Field::Name, "name", json!("another name")), (Field::Description, "annotations", json!("about it"))]
        {
            let edits = vec![Edit { field, from: None, to }];
            let Some(bodies) = bodies(Change::Edit { asset: id.clone(), edits }, &asset) else { continue };
            let [sent] = bodies.as_slice() else { panic!("one request") };
            let mut expected = asset.tree().clone();
            expected[name] = sent[name].clone();
            assert_eq!(*sent, expected, "seed {seed}");
            // What was in the edited field is still there, beside the new text.
            let before = asset.tree()["annotations"]["iterable"].as_array().map_or(0, Vec::len);
            let after = sent["annotations"]["iterable"].as_array().map_or(0, Vec::len);
            assert!(after >= before, "seed {seed}");
            planned += 1;
        }
        let to = Change::Reclassify { asset: id.clone(), from: None, to: "rs".to_owned() };
        if let Some(bodies) = bodies(to, &asset) {
            assert_eq!(bodies, [json!({ "ext": "rs", "asset": asset.tree() })], "seed {seed}");
            planned += 1;
        }
        assert!(
            bodies(Change::Increment { asset: id, counter: Counter::Reuse, from: None }, &asset).is_some(),
            "{seed}"
        );
    }
    assert!(planned > 400, "{planned}");
}

#[test]
fn a_record_edited_by_hand_is_checked_and_changed_only_where_it_was_edited() {
    let mut planned = 0;
    for seed in 0..150 {
        let asset = asset(seed);
        let (from, mut to) = (asset.tree().clone(), asset.tree().clone());
        to["mine"] = json!({ "new": 1.50 });
        let change = Change::Record { asset: AssetId::random(), from: from.clone(), to: to.clone() };
        let sent = bodies(change, &asset).unwrap_or_else(|| panic!("seed {seed} has a plan"));
        assert_eq!(sent, [to], "seed {seed}");
        planned += 1;
    }
    assert_eq!(planned, 150);
}

#[test]
fn links_that_are_not_told_are_neither_removed_nor_counted_as_none() {
    for seed in 0..300 {
        let asset = asset(seed);
        for kind in LinkKind::ALL {
            let item = Item::new(kind, "unknown", "unknown", None);
            let planned = plan_on(Change::Unlink { asset: AssetId::random(), item: item.clone() }, Some(&asset));
            match reports_links(asset.view(), kind) {
                true => assert!(matches!(planned, Ok(Preflight::NoOp(_))), "seed {seed}: {planned:?}"),
                false => assert!(planned.is_err(), "seed {seed}: {planned:?}"),
            }
            let linked = plan_on(Change::Link { asset: AssetId::random(), item }, Some(&asset));
            assert!(matches!(linked, Ok(Preflight::Ready(_))), "an id is all that a link needs");
        }
    }
}

#[test]
fn a_row_is_made_of_every_record_with_an_id() {
    let mut rows = 0;
    for seed in 0..300 {
        let asset = asset(seed);
        let usable = asset.view().id().parse::<AssetId>().is_ok();
        assert_eq!(AssetRow::of(asset.view()).is_some(), usable, "seed {seed}");
        rows += usize::from(usable);
    }
    assert!(rows > 150, "{rows}");
}
