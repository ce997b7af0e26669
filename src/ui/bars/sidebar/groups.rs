//! The tags, languages and folders that most assets have, each with how many.
//!
//! What must hold: what is shown as selected is what the filter of the list asks for.

use egui::{Id, Response, Ui};

use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::filter::{Field, Filter};
use lunette_inspector::overview::Groups;
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

use super::section_ui;
use crate::ui::dragging::{self, Dragged};
use crate::ui::palette::Chosen;
use crate::ui::platform::with_key_names;
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::{grouped, nav_counted_link, nav_link, shown_short};

mod folders;

/// How many of each are shown until more are asked for.
const FEW: usize = 5;

/// Draws tags, languages and folders; returns the filter that was chosen.
pub(super) fn ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Chosen> {
    let summary = state.overview.summary.as_ref()?;
    let groups = [("Tags", Field::Tag, &summary.tags), ("Languages", Field::Language, &summary.languages)];
    let mut chosen = None;
    for (title, field, groups) in groups {
        if !groups.most.is_empty() {
            section_ui(ui, title);
            ui.push_id(title, |ui| chosen = group_ui(ui, title, field, groups, state, actions).or(chosen.take()));
        }
    }
    if !summary.folders.outermost.is_empty() {
        section_ui(ui, "Folders");
        ui.push_id("Folders", |ui| chosen = folders::ui(ui, &summary.folders, state, actions).or(chosen.take()));
    }
    chosen.map(Chosen::Filtered)
}

fn group_ui(
    ui: &mut Ui,
    title: &str,
    field: Field,
    groups: &Groups,
    state: &State,
    actions: &mut Vec<Action>,
) -> Option<Filter> {
    let unfolded = is_unfolded(ui, title);
    let mut chosen = None;
    for (name, count) in groups.most.iter().take(if unfolded { usize::MAX } else { FEW }) {
        chosen = entry_ui(ui, field, name, *count, state, actions).or(chosen.take());
    }
    more_ui(ui, title, &title.to_lowercase(), groups.most.len().saturating_sub(FEW));
    if unfolded {
        others_ui(ui, groups.others);
    }
    chosen
}

/// Whether all entries of a group are shown.
fn is_unfolded(ui: &Ui, group: &str) -> bool {
    ui.data(|data| data.get_temp(all_shown(group)).unwrap_or(false))
}

/// Where it is kept that all entries of a group are shown.
fn all_shown(group: &str) -> Id {
    Id::unique(("all groups of the sidebar", group))
}

/// Draws the link that shows `more` entries of a group, or fewer; `of` says of what.
fn more_ui(ui: &mut Ui, group: &str, of: &str, more: usize) {
    if more == 0 {
        return;
    }
    let unfolded = is_unfolded(ui, group);
    let text = if unfolded { "Fewer".to_owned() } else { format!("{} more", grouped(more as u64)) };
    let link = ui.push_id(("more", group), |ui| nav_link(ui, &text, None, false)).inner;
    if link.on_hover_text(format!("{text}: {}", shown_short(of, 200))).clicked() {
        ui.data_mut(|data| data.insert_temp(all_shown(group), !unfolded));
    }
}

/// Says how many entries no link is drawn of.
fn others_ui(ui: &mut Ui, others: usize) {
    if others > 0 {
        ui.horizontal(|ui| {
            ui.add_space(10.0);
            ui.caption(&format!("{} others with fewer assets", grouped(others as u64)));
        });
    }
}

/// Draws one tag or language; returns the filter that a click on it asks for.
fn entry_ui(
    ui: &mut Ui,
    field: Field,
    name: &str,
    count: usize,
    state: &State,
    actions: &mut Vec<Action>,
) -> Option<Filter> {
    let shown = if name.is_empty() { "No language" } else { name };
    let filter = Filter::of(field, name);
    let on = is_on(&filter, state);
    let link = ui.push_id(name, |ui| nav_counted_link(ui, shown, Some(count), on)).inner;
    if field == Field::Tag {
        // The ids of tags are in their list, which may not have been read.
        let item = || state.assets.items(LinkKind::Tag).iter().find(|item| item.text == name).cloned();
        dragging::begin(&link, || item().map(Dragged::Item));
        actions.extend(dropped(ui, &link, item));
    }
    chosen_by(ui, link, &shown_short(shown, 200), filter, state)
}

/// Whether the list is shown and its filter asks for what this one does.
fn is_on(filter: &Filter, state: &State) -> bool {
    let now = &state.assets.list.query.filter;
    let in_view = state.navigation.panel == Panel::Assets && !state.navigation.welcome;
    in_view && filter.terms.iter().all(|term| now.terms.contains(term))
}

/// Returns the filter that a click on a link asks for, if it was clicked; its tooltip is the text.
fn chosen_by(ui: &Ui, link: Response, text: &str, filter: Filter, state: &State) -> Option<Filter> {
    let adds = ui.input(|input| input.modifiers.command);
    let hint = with_key_names("Ctrl+click adds it to the filter, or takes it out");
    let clicked = link.on_hover_text(format!("{text}\n{hint}")).clicked();
    let on = is_on(&filter, state);
    clicked.then(|| if adds { toggled(&state.assets.list.query.filter, filter, on) } else { filter })
}

/// Returns what links the assets that were dropped on a tag.
fn dropped(ui: &Ui, link: &Response, item: impl FnOnce() -> Option<Item>) -> Option<Action> {
    dragging::is_over(link).then(item).flatten().and_then(|item| dragging::drop_on_item(ui, link, &item))
}

/// Returns a filter with the terms of another one, or without them if it has them.
fn toggled(now: &Filter, other: Filter, on: bool) -> Filter {
    let mut terms = now.terms.clone();
    match on {
        true => terms.retain(|term| !other.terms.contains(term)),
        false => terms.extend(other.terms),
    }
    Filter { terms }
}
