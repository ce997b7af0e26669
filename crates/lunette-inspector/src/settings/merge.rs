//! Merges the settings of two windows.
//!
//! What must hold: values that a window did not change since it last read or wrote the settings are kept as stored. If
//! both changed the same value, the last write wins.

use serde_json::{Map, Value};

/// The merged value: `theirs`, the stored value, with all changes from `base` to `ours`.
pub(super) fn merged(base: &Value, ours: &Value, theirs: &Value) -> Value {
    value(Some(base), Some(ours), Some(theirs)).unwrap_or_else(|| ours.clone())
}

/// `None` is a missing field.
fn value(base: Option<&Value>, ours: Option<&Value>, theirs: Option<&Value>) -> Option<Value> {
    if ours == base {
        return theirs.cloned();
    }
    match (ours, theirs) {
        (Some(Value::Object(ours)), Some(Value::Object(theirs))) => {
            Some(fields(base.and_then(Value::as_object), ours, theirs).into())
        }
        (Some(Value::Array(ours)), Some(Value::Array(theirs))) => {
            let base = base.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            Some(items(base, ours, theirs).into())
        }
        _ => ours.cloned(),
    }
}

fn fields(
    base: Option<&Map<String, Value>>,
    ours: &Map<String, Value>,
    theirs: &Map<String, Value>,
) -> Map<String, Value> {
    let added = ours.keys().filter(|name| !theirs.contains_key(*name));
    let merged = |name: &String| {
        let merged = value(base.and_then(|base| base.get(name)), ours.get(name), theirs.get(name))?;
        Some((name.clone(), merged))
    };
    theirs.keys().chain(added).filter_map(merged).collect()
}

/// A list in our order, without the entries that they removed and with those that they added.
fn items(base: &[Value], ours: &[Value], theirs: &[Value]) -> Vec<Value> {
    let taken_out = |item: &&Value| base.contains(item) && !theirs.contains(item);
    let put_in = |item: &&Value| !base.contains(item) && !ours.contains(item);
    let remaining = ours.iter().filter(|item| !taken_out(item));
    remaining.chain(theirs.iter().filter(put_in)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn changes_of_each_window_are_merged_and_the_last_one_wins_a_conflict() {
        let base = json!({ "theme": "System", "zoom": 1, "write_policies": { "a": "free", "b": "free" }, "gone": 1 });
        let ours = json!({ "theme": "Dark", "zoom": 1, "write_policies": { "a": "free", "c": "confirm" }, "gone": 1 });
        let theirs =
            json!({ "theme": "Light", "zoom": 2, "write_policies": { "a": "read_only", "b": "free" }, "new": 1 });
        let expected =
            json!({ "theme": "Dark", "zoom": 2, "write_policies": { "a": "read_only", "c": "confirm" }, "new": 1 });
        assert_eq!(merged(&base, &ours, &theirs), expected);
    }

    #[test]
    fn an_item_removed_by_one_window_stays_removed_when_another_adds_one() {
        let (base, ours, theirs) = (json!(["x", "y"]), json!(["new", "x", "y"]), json!(["y", "theirs"]));
        assert_eq!(merged(&base, &ours, &theirs), json!(["new", "y", "theirs"]));
        assert_eq!(merged(&base, &theirs, &ours), json!(["y", "theirs", "new"]));
    }
}
