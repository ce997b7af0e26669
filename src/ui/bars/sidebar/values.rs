//! The tags, languages and folders that assets have: a click filters by one.
//!
//! What must hold: what is shown as selected is what the filter of the list asks for; a folder stays unfolded in the next
//! start.
//!
//! Our choice: a tag, a website or a summary that is dropped on a folder is linked to all assets in it and below it, after
//! a plan; assets are not dropped on one, since where they came from does not change.

use egui::{Response, Ui};

use lunette_inspector::action::SettingsAction;
use lunette_inspector::bulk::NamedAssets;
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::filter::{Field, Filter};
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

use super::lines::{FolderLine, MoreLine, ValueLine};
use super::{Drawn, LineFrame};
use crate::ui::dragging::{self, Dragged, named_assets};
use crate::ui::palette::Chosen;
use crate::ui::platform::with_key_names;
use crate::ui::widgets::{Branch, grouped, nav_branch, nav_counted_link, nav_link, nav_tree_link, shown_short};

/// Draws a tag or a language, on which assets can be dropped if it is a tag.
pub(super) fn value_ui(ui: &mut Ui, line: &ValueLine, frame: &mut LineFrame<'_>) -> Drawn {
    let ValueLine { field, name, count } = line;
    let state = frame.state;
    let shown = if name.is_empty() { "No language" } else { name };
    let filter = Filter::of(*field, name);
    let link = nav_counted_link(ui, shown, Some(*count), is_on(&filter, state));
    if *field == Field::Tag {
        // The ids of tags are in their list, which may not have been read.
        let item = || state.assets.items(LinkKind::Tag).iter().find(|item| item.text == *name).cloned();
        dragging::begin(&link, || item().map(Dragged::Item));
        frame.actions.extend(dropped(ui, &link, item));
    }
    filtering(ui, link, &shown_short(shown, 200), filter, state)
}

/// Draws a folder with the button that unfolds it.
pub(super) fn folder_ui(ui: &mut Ui, line: &FolderLine, frame: &mut LineFrame<'_>) -> Drawn {
    let FolderLine { path, assets, depth, unfolded } = line;
    let state = frame.state;
    let filter = Filter::of(Field::Folder, path);
    let branch = Branch { path, depth: *depth, unfolded: *unfolded };
    let (link, toggle) = nav_branch(ui, line.name(), *assets, branch, is_on(&filter, state));
    dragging::begin(&link, || Some(assets_of(path, state)).filter(|all| !all.is_empty()).map(Dragged::Assets));
    let named = || format!("{} assets in “{}”", grouped(*assets as u64), shown_short(path, 40));
    frame.actions.extend(dragging::drop_on_assets(ui, &link, named, || assets_of(path, state)));
    if toggle.as_ref().is_some_and(Response::clicked) {
        let unfold = *unfolded == Some(false);
        frame.actions.push(SettingsAction::KeepUnfolded(path.clone(), unfold).into());
    }
    Drawn { toggle, ..filtering(ui, link, &shown_short(path, 200), filter, state) }
}

/// Draws the link that shows all lines of a group, or fewer of them.
pub(super) fn more_ui(ui: &mut Ui, line: &MoreLine) -> Drawn {
    let text = if line.shown { "Fewer".to_owned() } else { format!("{} more", grouped(line.count as u64)) };
    let link = match line.depth {
        Some(depth) => nav_tree_link(ui, &text, depth),
        None => nav_link(ui, &text, None, false),
    };
    let of = match line.group.as_str() {
        title @ ("Tags" | "Languages" | "Folders") => title.to_lowercase(),
        path => shown_short(path, 200).into_owned(),
    };
    let link = link.on_hover_text(format!("{text}: {of}"));
    let toggled = link.clicked().then(|| line.group.clone());
    Drawn { toggled, ..Drawn::of(link) }
}

/// The assets that were imported from a folder or from one below it, each with its name.
fn assets_of(path: &str, state: &State) -> NamedAssets {
    let is_below = |of: &str| of.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let is_in = |row: &&AssetRow| row.folder().is_some_and(|of| is_below(of));
    named_assets(state.assets.list.iter().map(AsRef::as_ref).filter(is_in))
}

/// Whether the list is shown and its filter asks for what this one does.
fn is_on(filter: &Filter, state: &State) -> bool {
    let now = &state.assets.list.query.filter;
    let in_view = state.navigation.panel == Panel::Assets && !state.navigation.welcome;
    in_view && filter.terms.iter().all(|term| now.terms.contains(term))
}

/// A link that was drawn for a filter, which a click asks for; its tooltip is the text.
fn filtering(ui: &Ui, link: Response, text: &str, filter: Filter, state: &State) -> Drawn {
    let adds = ui.input(|input| input.modifiers.command);
    let hint = with_key_names("Ctrl+click adds it to the filter, or takes it out");
    let link = link.on_hover_text(format!("{text}\n{hint}"));
    let on = is_on(&filter, state);
    let asked = || if adds { toggled(&state.assets.list.query.filter, filter, on) } else { filter };
    let chosen = link.clicked().then(asked).map(Chosen::Filtered);
    Drawn { chosen, ..Drawn::of(link) }
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
