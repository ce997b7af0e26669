//! What the list says while its filter asks for near duplicates: how many there are, and the way to merge them.
//!
//! What must hold: what is merged is what is seen: the shown assets of each group, or the selected ones.

use std::collections::HashSet;

use egui::Ui;

use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::list::failure::failure_ui;
use crate::ui::list::list_view::ListView;
use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::grouped;
use lunette_client::model::id::{AssetId, CompactId};
use lunette_inspector::action::{AssetsAction, BulkAction};
use lunette_inspector::assets::near_duplicates::{NearDuplicates, says_near_duplicates};
use lunette_inspector::bulk::merge::{Groups, MERGED};
use lunette_inspector::capability::Capability;
use lunette_inspector::filter::Flag;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::{Action, State};

/// Draws the line above the list, if the filter asks for near duplicates.
pub(super) fn ui(list: &ListView<AssetRow>, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    if !state.assets.list.query.filter.asks(Flag::NearDuplicate) {
        return;
    }
    let near = &state.assets.near_duplicates;
    if !says_near_duplicates(&state.connection) {
        ui.caption("This service does not say which assets are near duplicates.");
    } else if let Some(error) = near.error() {
        if failure_ui(ui, "Near duplicates could not be looked for", error) {
            actions.push(AssetsAction::LoadNearDuplicates.into());
        }
    } else if let Some(known) = near.value() {
        ui.horizontal_wrapped(|ui| known_ui(list, ui, known, state, actions));
    } else {
        ui.caption("Looking for near duplicates: the service compares all texts…");
    }
    ui.add_space(SPACE_S);
}

fn known_ui(list: &ListView<AssetRow>, ui: &mut Ui, known: &NearDuplicates, state: &State, actions: &mut Vec<Action>) {
    let (assets, groups) = (known.count() as u64, known.groups.len() as u64);
    ui.caption(&match groups {
        0 => "No asset is a near duplicate of another.".to_owned(),
        1 => format!("{} assets are near duplicates of one another.", grouped(assets)),
        groups => format!("{} assets in {} groups of near duplicates.", grouped(assets), grouped(groups)),
    });
    let selected = list.marks.count() > 1;
    let name = if selected { "Merge the selected…" } else { "Merge into the newest…" };
    let nothing = (groups == 0).then(|| "There is nothing to merge".to_owned());
    let planning = state.bulk.planning_merge.then(|| "The plan is being made".to_owned());
    let reason = disabled_reason(state, Capability::Delete).or(nothing).or(planning);
    let button = enabled_unless(ui, reason.as_deref(), |ui| ui.line_button(name));
    let tip = "Of each group the newest asset gets the tags, websites and summaries of the others, which move to the Trash. \
               The plan is shown first";
    if button.on_hover_text(tip).clicked() {
        let merged = merged(list, known, state, selected);
        actions.push(match merged.is_empty() {
            true => Action::Hint("No two of these assets are near duplicates of one another".to_owned()),
            false => BulkAction::PlanMerge(merged).into(),
        });
    }
}

/// The groups of the shown or the selected assets, as far as one run merges them.
fn merged(list: &ListView<AssetRow>, known: &NearDuplicates, state: &State, selected: bool) -> Groups {
    let listing = &state.assets.list;
    let rows = listing.rows.value();
    let seen: HashSet<CompactId> = match selected {
        true => list.marks.rows(listing).into_iter().map(AssetRow::compact_id).collect(),
        false => {
            let shown = listing.order.iter().filter_map(|index| rows?.get(*index as usize));
            shown.map(|row| row.compact_id()).collect()
        }
    };
    let mut left = MERGED;
    let group = |assets: &Vec<AssetId>| {
        let assets: Vec<AssetId> = assets.iter().filter(|id| seen.contains(&CompactId::from(*id))).cloned().collect();
        (assets.len() > 1).then_some(assets)
    };
    known
        .groups
        .iter()
        .filter_map(group)
        .take_while(|assets| {
            let fits = assets.len() <= left;
            left = left.saturating_sub(assets.len());
            fits
        })
        .collect()
}
