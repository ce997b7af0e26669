//! Applies changes to a tree.
//!
//! What must hold: a value is changed only if it equals the old value of its change. Every object and array is visited
//! once for all the changes below it, so that many changes in a long array take no longer than reading it.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::walk::id_of;
use super::{ApplyConflict, FieldChange, Step};

/// The tree with the changes made.
pub(super) fn applied(tree: Value, changes: &[FieldChange]) -> Result<Value, ApplyConflict> {
    let changes: Vec<_> = changes.iter().collect();
    Ok(at(Some(tree), &changes, 0)?.unwrap_or(Value::Null))
}

/// What a path holds once the changes there and below are made; all their paths lead through it, `depth` steps down.
fn at(mut found: Option<Value>, changes: &[&FieldChange], depth: usize) -> Result<Option<Value>, ApplyConflict> {
    let is_below = |change: &FieldChange| change.path.0.len() > depth;
    // No diff has both; in any other list, a change of this path itself comes between those of paths below it.
    for part in changes.chunk_by(|one, next| is_below(one) && is_below(next)) {
        match part {
            [change] if !is_below(change) => {
                if found != change.before {
                    return Err(ApplyConflict { path: change.path.clone(), found });
                }
                found = change.after.clone();
            }
            _ => {
                found = Some(match found {
                    Some(Value::Object(fields)) => Value::Object(apply_fields(fields, part, depth)?),
                    Some(Value::Array(items)) => Value::Array(apply_items(items, part, depth)?),
                    Some(_) | None => return Err(wrong_type(part)),
                });
            }
        }
    }
    Ok(found)
}

/// The path of the changes does not exist.
fn wrong_type(changes: &[&FieldChange]) -> ApplyConflict {
    ApplyConflict { path: changes.first().map(|change| change.path.clone()).unwrap_or_default(), found: None }
}

fn apply_fields(
    mut fields: Map<String, Value>,
    changes: &[&FieldChange],
    depth: usize,
) -> Result<Map<String, Value>, ApplyConflict> {
    let mut gone = HashSet::new();
    for (step, group) in groups(changes, depth) {
        let Step::Key(key) = step else { return Err(wrong_type(&group)) };
        let old = fields.get_mut(key).map(Value::take);
        match (fields.get_mut(key), at(old, &group, depth + 1)?) {
            (Some(field), Some(new)) => *field = new,
            (Some(_), None) => {
                gone.insert(key.as_str());
            }
            (None, Some(new)) => {
                fields.insert(key.clone(), new);
            }
            (None, None) => {}
        }
    }
    if !gone.is_empty() {
        fields.retain(|key, _| !gone.contains(key.as_str()));
    }
    Ok(fields)
}

fn apply_items(items: Vec<Value>, changes: &[&FieldChange], depth: usize) -> Result<Vec<Value>, ApplyConflict> {
    let groups = groups(changes, depth);
    let slots = slots(&items, &groups);
    let mut items: Vec<_> = items.into_iter().map(Some).collect();
    let mut new = Vec::new();
    for ((step, group), slot) in groups.into_iter().zip(slots) {
        let old = slot.and_then(|slot| items[slot].take());
        let item = at(old, &group, depth + 1)?;
        match (slot, item, step) {
            (Some(slot), item, _) => items[slot] = item,
            (None, Some(_), Step::Key(_)) => return Err(wrong_type(&group)),
            (None, Some(item), Step::Place(index) | Step::IdAt(_, index)) => new.push((*index, item)),
            (None, Some(item), Step::Id(_)) => new.push((usize::MAX, item)),
            (None, None, _) => {}
        }
    }
    Ok(interleaved(items, new))
}

/// Which item each group of changes is about; None if there is none.
fn slots(items: &[Value], groups: &[(&Step, Vec<&FieldChange>)]) -> Vec<Option<usize>> {
    let by_id = groups.iter().any(|(step, _)| matches!(step, Step::Id(_) | Step::IdAt(..)));
    let mut indices = HashMap::new();
    for (index, item) in items.iter().enumerate().filter(|_| by_id) {
        if let Some(id) = id_of(item) {
            indices.entry(id).or_insert(index);
        }
    }
    let slot = |step: &Step| match step {
        Step::Key(_) => None,
        Step::Place(index) => (*index < items.len()).then_some(*index),
        Step::Id(id) | Step::IdAt(id, _) => indices.get(id.as_str()).copied(),
    };
    groups.iter().map(|(step, _)| slot(step)).collect()
}

/// The items that are left, with the new ones at their indices.
fn interleaved(left: Vec<Option<Value>>, mut new: Vec<(usize, Value)>) -> Vec<Value> {
    new.sort_by_key(|(index, _)| *index);
    let mut new = new.into_iter().peekable();
    let mut items = Vec::with_capacity(left.len() + new.len());
    for item in left.into_iter().flatten() {
        while let Some((_, put_in)) = new.next_if(|(index, _)| *index <= items.len()) {
            items.push(put_in);
        }
        items.push(item);
    }
    items.extend(new.map(|(_, item)| item));
    items
}

/// The changes by their next step, each with the first that takes it, in the order of their first.
fn groups<'c>(changes: &[&'c FieldChange], depth: usize) -> Vec<(&'c Step, Vec<&'c FieldChange>)> {
    let mut groups: Vec<(&Step, Vec<&FieldChange>)> = Vec::new();
    let mut known = HashMap::new();
    for &change in changes {
        let Some(step) = change.path.0.get(depth) else { continue };
        let group = *known.entry(Name::of(step)).or_insert(groups.len());
        match groups.get_mut(group) {
            Some((_, group)) => group.push(change),
            None => groups.push((step, vec![change])),
        }
    }
    groups
}

/// The target of a step, ignoring its index.
#[derive(PartialEq, Eq, Hash)]
enum Name<'a> {
    Key(&'a str),
    Place(usize),
    Id(&'a str),
}

impl<'a> Name<'a> {
    fn of(step: &'a Step) -> Self {
        match step {
            Step::Key(key) => Self::Key(key),
            Step::Place(index) => Self::Place(*index),
            Step::Id(id) | Step::IdAt(id, _) => Self::Id(id),
        }
    }
}
