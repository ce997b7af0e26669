//! The context menu of a tag, a website or a workstream summary in the list.

use egui::Ui;

use crate::ui::disabled_reason::disabled_reason;
use crate::ui::list::copy_as;
use crate::ui::panels::compare;
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::context_menu::{Entry, entry, separator};
use crate::ui::widgets::shown_short;
use lunette_inspector::action::{GraphAction, LinksAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::change::{Item, LinkKind};
use lunette_inspector::compare::Source;
use lunette_inspector::graph::Start;
use lunette_inspector::listing::rows::LinkRow;
use lunette_inspector::{Action, State};

use super::color::choices_ui;

/// A choice in the menu of an item that the panel carries out.
pub(super) enum MenuChoice {
    /// Show its assets.
    Assets(Item),
    /// Choose where to move its assets, on its page.
    Move,
}

/// Draws the context menu of an item.
pub(super) fn menu_ui(ui: &mut Ui, row: &LinkRow, state: &State, actions: &mut Vec<Action>) -> Option<MenuChoice> {
    let item = &row.item;
    if entry(ui, Icon::SHOWN, "Open") {
        actions.push(LinksAction::Open(item.clone()).into());
    }
    let mut wanted = entry(ui, Icon::ASSETS, "Show its assets").then(|| MenuChoice::Assets(item.clone()));
    if entry(ui, Icon::GRAPH, "Show graph") {
        actions.push(GraphAction::Start(vec![Start::item(item)]).into());
    }
    compare::entries_ui(ui, &|| Source::Item(item.clone()), state, actions);
    separator(ui);
    let no_move = disabled_reason(state, Capability::Relink(item.kind)).or_else(|| match row.assets {
        Some(0) => Some("No asset is linked to it".to_owned()),
        Some(_) => None,
        None => Some("The service does not say which assets have it".to_owned()),
    });
    if Entry::new(Icon::LINK, "Move its assets to…").disabled_reason(no_move.as_deref()).show(ui) {
        actions.push(LinksAction::Open(item.clone()).into());
        wanted = Some(MenuChoice::Move);
    }
    if item.kind == LinkKind::Tag {
        let title = (Icon::COLOR.text().color(ui.tokens().muted), "Colour");
        ui.sub_menu(title, "Colour", |ui| choices_ui(ui, item, state, actions));
    }
    if let Some(similar) = &row.similar {
        let reason = disabled_reason(state, Capability::Relink(item.kind));
        let title = format!("Merge with “{}”…", shown_short(similar.name(), 40));
        if Entry::new(Icon::CONFLICT, &title).disabled_reason(reason.as_deref()).show(ui) {
            actions.push(LinksAction::Merge(vec![item.clone(), similar.clone()]).into());
        }
        separator(ui);
    }
    copy_as::entry_ui(ui, "name", Some(&item.name().to_owned()), actions);
    if let Some(url) = &item.url {
        copy_as::entry_ui(ui, "address", Some(url), actions);
    }
    copy_as::entry_ui(ui, "id", Some(&item.id.to_string()), actions);
    wanted
}
