//! Claims about any trees, and about ones of many nodes.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{FieldChange, MergeField, Path, Step, apply, diff, inverse, merge_fields};

/// Few keys, ids and values, so that two trees have much in common.
fn tree() -> impl Strategy<Value = Value> {
    let number = prop::sample::select(vec!["0", "-0", "1", "1.0", "1.00", "12345678901234567890", "1e400"]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number.prop_map(|digits| serde_json::from_str(digits).expect("a number")),
        "[ab😀]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            fields(inner.clone()).prop_map(Value::Object),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            entries(inner),
        ]
    })
}

fn fields(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    let key = prop::sample::select(vec!["a", "b", "a b", "", "id"]).prop_map(str::to_owned);
    prop::collection::vec((key, inner), 0..5).prop_map(Map::from_iter)
}

/// An array whose entries have ids of their own, mostly in the order of their ids.
fn entries(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let ids = prop::sample::subsequence(vec!["1", "2", "3", "4", "5"], 0..=5);
    let ids = prop_oneof![4 => ids.clone(), 1 => ids.prop_shuffle()];
    (ids, prop::collection::vec(fields(inner), 5)).prop_map(|(ids, bodies)| {
        let entry = |(id, mut body): (&str, Map<String, Value>)| {
            body.insert("id".to_owned(), id.into());
            Value::Object(body)
        };
        Value::Array(ids.into_iter().zip(bodies).map(entry).collect())
    })
}

fn merged(theirs: &Value, fields: &[MergeField], yours: impl Fn(&MergeField) -> bool) -> Value {
    let picked = fields.iter().filter(|field| yours(field));
    let changes: Vec<_> = picked
        .map(|field| FieldChange { path: field.path.clone(), before: field.theirs.clone(), after: field.yours.clone() })
        .collect();
    apply(&changes, theirs.clone()).expect("theirs holds what is theirs")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_diff_turns_the_first_tree_into_the_second((a, b) in (tree(), tree())) {
        prop_assert_eq!(apply(&diff(&a, &b), a), Ok(b));
    }

    #[test]
    fn the_inverse_turns_the_second_tree_into_the_first((a, b) in (tree(), tree())) {
        let back = inverse(&diff(&a, &b));
        prop_assert_eq!(apply(&back, b.clone()), Ok(a.clone()));
        prop_assert_eq!(apply(&inverse(&back), a), Ok(b));
    }

    #[test]
    fn a_diff_survives_serialisation((a, b) in (tree(), tree())) {
        let changes = diff(&a, &b);
        let text = serde_json::to_string(&changes).expect("JSON");
        prop_assert_eq!(serde_json::from_str::<Vec<FieldChange>>(&text).expect("changes"), changes);
    }

    #[test]
    fn equal_trees_have_no_diff(a in tree()) {
        prop_assert_eq!(diff(&a, &a.clone()), []);
    }

    #[test]
    fn choosing_one_side_everywhere_gives_that_side((base, yours, theirs) in (tree(), tree(), tree())) {
        let fields = merge_fields(&base, &yours, &theirs);
        prop_assert_eq!(merged(&theirs, &fields, |_| true), yours);
        prop_assert_eq!(merged(&theirs, &fields, |_| false), theirs);
    }

    #[test]
    fn any_choice_of_sides_can_be_merged((base, yours, theirs) in (tree(), tree(), tree()), sides: u64) {
        let fields = merge_fields(&base, &yours, &theirs);
        let picked = |index: usize| sides >> (index % 64) & 1 == 1;
        let number = |field: &MergeField| fields.iter().position(|known| known.path == field.path).unwrap_or_default();
        let applied = merged(&theirs, &fields, |field| picked(number(field)));
        // What is left to make of it all of yours is what was not picked.
        let left = merged(&applied, &merge_fields(&base, &yours, &applied), |_| true);
        prop_assert_eq!(left, yours);
    }

    #[test]
    fn a_merge_without_overlap_has_the_changes_of_both_sides((base, yours, theirs) in (tree(), tree(), tree()), halves: u8) {
        // Each side edits, removes or adds entries of its own: no field is touched by both.
        let mine = |number: usize| halves >> number & 1 == 1;
        let pick = |value: &Value, number: usize| json!({ "id": number.to_string(), "v": value });
        let side = |change: Option<(&Value, bool)>| -> Value {
            let entries = (0..8).filter_map(|number| match change {
                Some((value, side)) if mine(number) == side => (number % 3 != 0).then(|| pick(value, number)),
                _ => (number % 3 != 1).then(|| pick(&base, number)),
            });
            Value::Array(entries.collect())
        };
        let (base, yours, theirs) = (side(None), side(Some((&yours, true))), side(Some((&theirs, false))));
        let fields = merge_fields(&base, &yours, &theirs);
        prop_assert!(fields.iter().all(|field| !field.overlaps()));
        let both = merged(&theirs, &fields, |field| field.yours != field.base);
        let one_then_other = apply(&diff(&base, &yours), theirs.clone()).expect("nothing overlaps");
        prop_assert_eq!(&both, &one_then_other);
        let sorted = |tree: Value| {
            let Value::Array(mut entries) = tree else { panic!("an array") };
            entries.sort_by_key(|entry| entry["id"].to_string());
            entries
        };
        let other_way = apply(&diff(&base, &theirs), yours).expect("nothing overlaps");
        prop_assert_eq!(sorted(both), sorted(other_way));
    }
}

fn paths(changes: &[FieldChange]) -> Vec<String> {
    changes.iter().map(|change| change.path.to_string()).collect()
}

#[test]
fn a_nested_change_is_one_entry() {
    let a = json!({ "name": "a", "annotations": { "iterable": [{ "id": "x", "text": "one" }, { "id": "y" }] } });
    let mut b = a.clone();
    b["annotations"]["iterable"][0]["text"] = "two".into();
    b["annotations"]["iterable"].as_array_mut().expect("an array").remove(1);
    b["a b"] = json!(null);
    let expected = ["$.annotations.iterable[id=x].text", "$.annotations.iterable[id=y]", "$[\"a b\"]"];
    assert_eq!(paths(&diff(&a, &b)), expected);
}

#[test]
fn the_other_fields_keep_their_order() {
    let a = json!({ "z": 1, "y": 2, "x": 3, "w": 4 });
    let b = json!({ "w": 4, "new": 5, "z": 1, "x": 0 });
    let applied = apply(&diff(&a, &b), a).expect("it holds");
    assert_eq!(applied.to_string(), r#"{"z":1,"x":0,"w":4,"new":5}"#);
}

#[test]
fn another_order_of_entries_is_one_change() {
    let a = json!([{ "id": "1" }, { "id": "2" }]);
    let b = json!([{ "id": "2" }, { "id": "1" }]);
    assert_eq!(paths(&diff(&a, &b)), ["$"]);
}

#[test]
fn entries_that_share_an_id_are_compared_by_index() {
    let a = json!([{ "id": "1", "v": 1 }, { "id": "1", "v": 2 }]);
    let b = json!([{ "id": "1", "v": 1 }, { "id": "1", "v": 3 }]);
    assert_eq!(paths(&diff(&a, &b)), ["$[1].v"]);
}

#[test]
fn a_changed_value_is_not_overwritten() {
    let changes = diff(&json!({ "a": { "b": 1 } }), &json!({ "a": { "b": 2 } }));
    let moved = |tree: Value| apply(&changes, tree).expect_err("it moved").found;
    assert_eq!(moved(json!({ "a": { "b": 3 } })), Some(json!(3)));
    assert_eq!(moved(json!({ "a": { "b": 1.0 } })), Some(json!(1.0)), "other digits");
    assert_eq!(moved(json!({ "a": {} })), None);
    assert_eq!(moved(json!({ "a": [] })), None);
    assert_eq!(moved(json!({})), None);
    let added = diff(&json!({}), &json!({ "a": 1 }));
    assert_eq!(apply(&added, json!({ "a": 1 })).expect_err("it is there").to_string(), "$.a has changed");
}

#[test]
fn the_larger_path_covers_both_changes() {
    let base = json!({ "a": { "b": 1, "c": 2 } });
    let fields = merge_fields(&base, &json!({ "a": { "b": 5, "c": 2 } }), &json!({ "a": "text" }));
    let [field] = fields.as_slice() else { panic!("one field: {fields:?}") };
    assert!(field.overlaps());
    assert_eq!(field.path, Path(vec![Step::Key("a".to_owned())]));
    assert_eq!(field.theirs, Some(json!("text")));
}

#[test]
fn the_same_change_on_both_sides_is_shown_and_does_not_overlap() {
    let fields = merge_fields(&json!({ "a": 1 }), &json!({ "a": 2 }), &json!({ "a": 2 }));
    assert_eq!(fields.iter().map(MergeField::overlaps).collect::<Vec<_>>(), [false]);
}

/// Far below what anything quadratic takes with entries this many, far above what this takes.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_hundred_thousand_nodes_do_not_take_long() {
    let entry = |number: usize, value: usize| json!({ "id": format!("entry {number}"), "v": value });
    let array = |range: std::ops::Range<usize>, value| Value::Array(range.map(|n| entry(n, value)).collect());
    let object = |range: std::ops::Range<usize>| range.map(|n| (n.to_string(), n.into())).collect::<Map<_, _>>();
    let a = json!({ "entries": array(0..30_000, 1), "fields": object(0..30_000), "list": vec![0; 10_000] });
    let b = json!({ "entries": array(10_000..40_000, 2), "fields": object(10_000..40_000), "list": vec![1; 10_000] });
    let started = Instant::now();
    let changes = diff(&a, &b);
    assert_eq!(changes.len(), 40_000 + 20_000 + 10_000);
    assert_eq!(apply(&changes, a.clone()).as_ref(), Ok(&b));
    assert_eq!(apply(&inverse(&changes), b.clone()).as_ref(), Ok(&a));
    assert_eq!(merge_fields(&a, &b, &a).len(), changes.len());
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
}

#[test]
fn long_keys_and_ids_are_not_copied_for_each_value_below_them() {
    let fields = |value: i64| (0..20_000).map(|at| (format!("f{at}"), value.into())).collect::<Map<String, Value>>();
    let entry = |value| {
        let mut entry = fields(value);
        entry.insert("id".to_owned(), "x".repeat(1 << 20).into());
        json!([entry])
    };
    let nested = |value| (0..100).fold(Value::Object(fields(value)), |below, _| json!({ ("k".repeat(4_000)): below }));
    for (before, after) in [(entry(1), entry(2)), (nested(1), nested(2))] {
        let changes = diff(&before, &after);
        assert_eq!(changes.len(), 1, "the value as a whole");
        assert_eq!(apply(&changes, before).ok(), Some(after));
    }
}

#[test]
fn many_values_below_a_long_way_are_compared_as_a_whole() {
    let way = "k".repeat(3_000);
    let parts =
        |value: i64| (0..300).map(|at| (at.to_string(), json!(vec![value; 300]))).collect::<Map<String, Value>>();
    let changes = diff(&json!({ way.clone(): parts(1) }), &json!({ way: parts(2) }));
    assert!((1..30_000).contains(&changes.len()), "{}", changes.len());
}
