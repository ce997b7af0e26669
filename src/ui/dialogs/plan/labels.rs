//! The title of a write, and what it does if that is not a change of fields.

use lunette_client::model::record::Record as _;
use lunette_inspector::State;
use lunette_inspector::change::Change;
use lunette_inspector::write::plan::Planned;
use lunette_inspector::write::recovery::unreported_message;

/// Returns the asset's name as read for the plan, or as the window knows it; its id if it has none.
pub fn name(planned: &Planned, state: &State) -> String {
    let asset = planned.change.asset();
    let read = planned.plan.value().and_then(|plan| plan.before.as_ref());
    let known = state.assets.pages.of.get(asset).and_then(|page| page.record.value());
    let name = match read.or(known) {
        None => planned.change.name(),
        Some(record) => record.view().name(),
    };
    name.filter(|name| !name.trim().is_empty()).map_or_else(|| asset.to_string(), str::to_owned)
}

/// Returns what the write does, and to which asset.
pub fn title(change: &Change, name: &str) -> String {
    let end = if change.info().removes { "?" } else { "" };
    format!("{}{end}", change.title(&format!("“{name}”")))
}

/// Returns what a write does that changes no field of a record that was read.
pub fn effect(change: &Change) -> String {
    let effect = change.info().effect.to_owned();
    match change {
        Change::Recreate { unreported, .. } => match unreported_message(unreported) {
            Some(lost) => format!("{effect} Also, {lost}."),
            None => effect,
        },
        _ => effect,
    }
}
