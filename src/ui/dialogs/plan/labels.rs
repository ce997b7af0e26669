//! The title of a write, what it does if that is no change of fields, and the label of the button that sends it.

use lunette_client::model::language::language;
use lunette_client::model::record::Record as _;
use lunette_inspector::State;
use lunette_inspector::change::{Change, Item};
use lunette_inspector::write::plan::Planned;
use lunette_inspector::write::recovery::unreported_message;

/// Returns the asset's name as read for the plan, or as the window knows it; its id if it has none.
pub fn name(planned: &Planned, state: &State) -> String {
    let asset = planned.change.asset();
    let read = planned.plan.value().and_then(|plan| plan.before.as_ref());
    let known = state.pages.of.get(asset).and_then(|page| page.record.value());
    let name = match (&planned.change, read.or(known)) {
        (
            Change::Delete { name, .. }
            | Change::Create { name, .. }
            | Change::Restore { name, .. }
            | Change::Purge { name, .. }
            | Change::Recreate { name, .. },
            None,
        ) => name.as_str(),
        (_, record) => record.and_then(|record| record.view().name()).unwrap_or_default(),
    };
    if name.trim().is_empty() { asset.to_string() } else { name.to_owned() }
}

/// Returns what the write does, and to which asset.
pub fn title(change: &Change, name: &str) -> String {
    match change {
        Change::Link { item, .. } => format!("Link {} “{}” to “{name}”", item.kind.one(), item.name()),
        Change::Unlink { item, .. } => format!("Remove {} “{}” from “{name}”", item.kind.one(), item.name()),
        Change::LinkNew { kind, text, unlink, .. } if !unlink.is_empty() => {
            format!("Replace {} with the new {} “{text}” on “{name}”", Item::list(unlink), kind.one())
        }
        Change::LinkNew { kind, text, .. } => format!("Create and link {} “{text}” to “{name}”", kind.one()),
        Change::Relink { link, unlink, .. } => {
            format!("Replace {} with {} on “{name}”", Item::list(unlink), Item::list(link))
        }
        Change::Edit { edits, .. } => {
            let fields: Vec<_> = edits.iter().map(|edit| edit.field.as_str()).collect();
            format!("Change {} of “{name}”", fields.join(" and "))
        }
        Change::Record { .. } => format!("Change the record of “{name}”"),
        Change::Text { .. } => format!("Change the text of “{name}”"),
        Change::Reclassify { to, .. } => {
            format!("Reclassify “{name}” to {}", language(to).map_or(to.as_str(), |language| language.name))
        }
        Change::Increment { counter, .. } => format!("Increment {} of “{name}”", counter.as_str()),
        Change::Create { .. } => format!("Create “{name}”"),
        Change::Delete { .. } => format!("Delete “{name}”?"),
        Change::Restore { .. } => format!("Restore “{name}”"),
        Change::Purge { .. } => format!("Delete “{name}” permanently?"),
        Change::Recreate { .. } => format!("Create “{name}” again"),
    }
}

/// Returns what a write does that changes no field of a record that was read.
pub fn effect(change: &Change) -> String {
    match change {
        Change::Restore { .. } => {
            "The asset comes back from the Trash as it was: the same id, content, links, activity and score.".to_owned()
        }
        Change::Recreate { unreported, .. } => {
            let lost = unreported_message(unreported).map(|lost| format!(". Also, {lost}")).unwrap_or_default();
            format!(
                "A new asset is created from the saved copy, with its content, name, language, description and links. \
                 It gets a new id. Score, activity and conversations do not come back{lost}."
            )
        }
        Change::Purge { .. } => "The asset and its content are removed from the Trash.".to_owned(),
        Change::Delete { .. } => "The asset is deleted.".to_owned(),
        Change::Link { .. }
        | Change::Unlink { .. }
        | Change::LinkNew { .. }
        | Change::Relink { .. }
        | Change::Edit { .. }
        | Change::Record { .. }
        | Change::Text { .. }
        | Change::Reclassify { .. }
        | Change::Increment { .. }
        | Change::Create { .. } => "The service decides which fields of the record change.".to_owned(),
    }
}

/// Returns the label of the button that sends it.
pub fn button(change: &Change) -> String {
    match change {
        Change::Increment { counter, .. } => format!("Increment {}", counter.as_str()),
        Change::Delete { .. } => "Delete".to_owned(),
        Change::Restore { .. } => "Restore".to_owned(),
        Change::Purge { .. } => "Delete permanently".to_owned(),
        Change::Link { .. }
        | Change::Unlink { .. }
        | Change::Relink { .. }
        | Change::LinkNew { .. }
        | Change::Edit { .. }
        | Change::Record { .. }
        | Change::Text { .. }
        | Change::Reclassify { .. }
        | Change::Create { .. }
        | Change::Recreate { .. } => "Apply".to_owned(),
    }
}
