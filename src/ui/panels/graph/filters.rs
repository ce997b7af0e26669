//! What the graph leaves out: how far it goes, kinds, language and date. It stays for the connection.

use std::collections::BTreeSet;

use egui::Ui;

use super::paint::icon;
use crate::app::action::GraphAction;
use crate::app::graph::{Graph, NodeKind};
use crate::app::settings::GraphFilter;
use crate::app::{Action, State};
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::context_menu::Entry;
use crate::ui::widgets::{Choice, choose};
use lunette_client::model::language::language;

/// The choices of how lately assets changed.
const DAYS: [(Option<u16>, &str); 4] =
    [(None, "Any time"), (Some(7), "Last 7 days"), (Some(30), "Last 30 days"), (Some(365), "Last year")];

/// Draws the chips.
pub(super) fn ui(ui: &mut Ui, state: &State, graph: &Graph, actions: &mut Vec<Action>) {
    let filter = &state.graph.filter;
    ui.horizontal_wrapped(|ui| {
        let hops = [(1, "1 link"), (2, "2 links")];
        let hops = hops.map(|(value, name)| Choice { value, name, icon: None });
        if let Some(hops) = choose(ui, "How far", state.graph.hops, &hops) {
            actions.push(GraphAction::Hops(hops).into());
        }
        for kind in NodeKind::ALL {
            kind_ui(ui, kind, filter, actions);
        }
        language_ui(ui, graph, filter, actions);
        days_ui(ui, filter, actions);
        if *filter != GraphFilter::default() && ui.ghost_button("Show everything").clicked() {
            actions.push(GraphAction::Filter(GraphFilter::default()).into());
        }
    });
}

fn kind_ui(ui: &mut Ui, kind: NodeKind, filter: &GraphFilter, actions: &mut Vec<Action>) {
    let shown = !filter.hidden.contains(kind.word());
    let chip = ui.add(egui::Button::selectable(shown, (icon(kind).text(), kind.many())));
    chip.widget_info(|| egui::WidgetInfo::selected(egui::Role::CheckBox, true, shown, kind.many()));
    let tip = if shown { "Click to hide them" } else { "Click to show them" };
    if chip.on_hover_text(tip).clicked() {
        let mut filter = filter.clone();
        match shown {
            true => filter.hidden.insert(kind.word().to_owned()),
            false => filter.hidden.remove(kind.word()),
        };
        actions.push(GraphAction::Filter(filter).into());
    }
}

fn language_ui(ui: &mut Ui, graph: &Graph, filter: &GraphFilter, actions: &mut Vec<Action>) {
    let name = |word: &str| language(word).map_or(word, |language| language.name).to_owned();
    let title = filter.language.as_deref().map_or("Any language".to_owned(), name);
    ui.icon_menu_button(Icon::CODE, &title, |ui| {
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
                choice(ui, Some(word.to_owned()), &name(word));
            }
        });
    });
}

fn days_ui(ui: &mut Ui, filter: &GraphFilter, actions: &mut Vec<Action>) {
    let title = DAYS.iter().find(|(days, _)| *days == filter.days).map_or("Other", |(_, title)| title);
    ui.icon_menu_button(Icon::CLOCK, title, |ui| {
        ui.set_width(160.0);
        for (days, title) in DAYS {
            if Entry::new(Icon::CLOCK, title).checked(filter.days == days).show(ui) {
                actions.push(GraphAction::Filter(GraphFilter { days, ..filter.clone() }).into());
            }
        }
    });
}
