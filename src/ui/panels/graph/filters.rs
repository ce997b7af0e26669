//! The filter of the graph: depth, kinds, language and date. It is saved for the connection.

use std::collections::BTreeSet;

use egui::{Ui, WidgetInfo, accesskit::Role};

use super::paint::icon;
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::context_menu::{Entry, separator};
use crate::ui::widgets::{Choice, choose};
use lunette_client::model::language::language_name;
use lunette_inspector::action::GraphAction;
use lunette_inspector::graph::{Graph, NodeKind};
use lunette_inspector::settings::GraphFilter;
use lunette_inspector::{Action, State};

/// The choices for the time of the last change.
const DAYS: [(Option<u16>, &str); 4] =
    [(None, "Any time"), (Some(7), "Last 7 days"), (Some(30), "Last 30 days"), (Some(365), "Last year")];

/// Below this width, in points, the filters are one menu, since the chips would take the room of the picture.
const NARROW: f32 = 520.0;

/// Draws the filters as chips, or as a menu if there is no room for them.
pub(super) fn ui(ui: &mut Ui, state: &State, graph: &Graph, actions: &mut Vec<Action>) {
    let filter = &state.graph.filter;
    let narrow = ui.available_width() < NARROW;
    ui.horizontal_wrapped(|ui| {
        let hops = [(1, "1 link"), (2, "2 links")];
        let hops = hops.map(|(value, name)| Choice { value, name, icon: None });
        if let Some(hops) = choose(ui, "Depth", state.graph.hops, &hops) {
            actions.push(GraphAction::Hops(hops).into());
        }
        if narrow {
            return menu_ui(ui, graph, filter, actions);
        }
        for kind in NodeKind::ALL {
            kind_ui(ui, kind, filter, actions);
        }
        ui.icon_menu_button(Icon::CODE, &language_title(filter), |ui| languages_ui(ui, graph, filter, actions));
        ui.icon_menu_button(Icon::CLOCK, days_title(filter), |ui| days_ui(ui, filter, actions));
        if *filter != GraphFilter::default() && ui.ghost_button("Show everything").clicked() {
            actions.push(GraphAction::Filter(GraphFilter::default()).into());
        }
    });
}

/// Draws the menu and its button with the number of active filters.
fn menu_ui(ui: &mut Ui, graph: &Graph, filter: &GraphFilter, actions: &mut Vec<Action>) {
    let on = filter.hidden.len() + usize::from(filter.language.is_some()) + usize::from(filter.days.is_some());
    let title = if on == 0 { "Filters".to_owned() } else { format!("Filters ({on})") };
    ui.icon_menu_button(Icon::FILTER, &title, |ui| {
        ui.set_width(180.0);
        for kind in NodeKind::ALL {
            let (shown, tip) = shown(kind, filter);
            if Entry::new(icon(kind), kind.many()).checked(shown).tip(tip).show(ui) {
                actions.push(toggled(kind, filter));
            }
        }
        separator(ui);
        submenu_ui(ui, Icon::CODE, &language_title(filter), |ui| languages_ui(ui, graph, filter, actions));
        submenu_ui(ui, Icon::CLOCK, days_title(filter), |ui| days_ui(ui, filter, actions));
        separator(ui);
        let reason = (on == 0).then_some("Nothing is hidden");
        if Entry::new(Icon::SHOWN, "Show everything").disabled_reason(reason).show(ui) {
            actions.push(GraphAction::Filter(GraphFilter::default()).into());
        }
    });
}

fn submenu_ui(ui: &mut Ui, sign: Icon, title: &str, draw: impl FnOnce(&mut Ui)) {
    let text = (sign.text().color(ui.tokens().muted), title);
    ui.sub_menu(text, title, draw);
}

/// Returns whether nodes of a kind are shown, and what a click does.
fn shown(kind: NodeKind, filter: &GraphFilter) -> (bool, &'static str) {
    let shown = !filter.hidden.contains(kind.word());
    (shown, if shown { "Click to hide them" } else { "Click to show them" })
}

/// Returns the action that hides or shows nodes of a kind.
fn toggled(kind: NodeKind, filter: &GraphFilter) -> Action {
    let mut filter = filter.clone();
    match shown(kind, &filter).0 {
        true => filter.hidden.insert(kind.word().to_owned()),
        false => filter.hidden.remove(kind.word()),
    };
    GraphAction::Filter(filter).into()
}

fn kind_ui(ui: &mut Ui, kind: NodeKind, filter: &GraphFilter, actions: &mut Vec<Action>) {
    let (shown, tip) = shown(kind, filter);
    let chip = ui.add(egui::Button::selectable(shown, (icon(kind).text(), kind.many())));
    chip.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, shown, kind.many()));
    if chip.on_hover_text(tip).clicked() {
        actions.push(toggled(kind, filter));
    }
}

fn language_title(filter: &GraphFilter) -> String {
    filter.language.as_deref().map_or("Any language", language_name).to_owned()
}

fn languages_ui(ui: &mut Ui, graph: &Graph, filter: &GraphFilter, actions: &mut Vec<Action>) {
    ui.set_width(180.0);
    let mut choice = |ui: &mut Ui, language: Option<String>, title: &str| {
        if Entry::new(Icon::CODE, title).checked(filter.language == language).show(ui) {
            actions.push(GraphAction::Filter(GraphFilter { language, ..filter.clone() }).into());
        }
    };
    choice(ui, None, "Any language");
    let known = graph.nodes.iter().map(|node| node.language.as_str()).filter(|word| !word.is_empty());
    let known: BTreeSet<&str> = known.chain(filter.language.as_deref()).collect();
    egui::ScrollArea::vertical().max_height(240.0).show(ui, |ui| {
        for word in known {
            choice(ui, Some(word.to_owned()), language_name(word));
        }
    });
}

fn days_title(filter: &GraphFilter) -> &'static str {
    DAYS.iter().find(|(days, _)| *days == filter.days).map_or("Other", |(_, title)| title)
}

fn days_ui(ui: &mut Ui, filter: &GraphFilter, actions: &mut Vec<Action>) {
    ui.set_width(160.0);
    for (days, title) in DAYS {
        if Entry::new(Icon::CLOCK, title).checked(filter.days == days).show(ui) {
            actions.push(GraphAction::Filter(GraphFilter { days, ..filter.clone() }).into());
        }
    }
}
