//! The header of the lists of applications: how they are shown, the start of the shown changes, and errors.

use egui::{Button, Ui};
use jiff::civil::Date;

use crate::ui::list::failure::stale_ui;
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widgets::context_menu::entry;
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{Choice, choose, counted};
use lunette_inspector::action::InventoryAction;
use lunette_inspector::applications::Source;
use lunette_inspector::filter::{Field, Filterable as _, Flag};
use lunette_inspector::inventory::{Shown, Since};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State};

/// Draws the choice of how applications are shown.
pub(super) fn shown_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let choice = |value, name, icon| Choice { value, name, icon: Some(icon) };
    let choices = [
        choice(Shown::Tracked, "Tracked", Icon::CHECK),
        choice(Shown::All, "All", Icon::APPLICATIONS),
        choice(Shown::Board, "Board", Icon::BOARD),
    ];
    if let Some(shown) = choose(ui, "Applications shown", state.inventory.shown, &choices) {
        actions.push(InventoryAction::Show(shown).into());
    }
}

/// The joined lists, each as a filter.
const LISTS: [(Flag, &str, &str); 3] = [
    (Flag::Tracked, "Tracked", "Shows the applications that the service tracks"),
    (Flag::Installed, "Detected", "Shows the applications that were found on this machine"),
    (Flag::Integration, "Integrations", "Shows the applications with an existing or planned integration"),
];

/// Draws a chip for each list, with its count; returns the one that was clicked.
pub(super) fn lists_ui(ui: &mut Ui, state: &State, filter: &str) -> Option<Flag> {
    let mut clicked = None;
    for (flag, name, tip) in LISTS {
        let count = state.inventory.list.iter().filter(|row| row.is(flag)).count();
        let (on, text) = (has_term(filter, flag), counted(name, count));
        if ui.add(Button::selectable(on, text)).on_hover_text(tip).clicked() {
            clicked = Some(flag);
        }
    }
    clicked
}

fn term(flag: Flag) -> String {
    format!("{}:{}", Field::Is.name(), flag.word())
}

/// Returns whether a filter has the term of a flag.
pub(super) fn has_term(filter: &str, flag: Flag) -> bool {
    filter.split_whitespace().any(|word| word == term(flag))
}

/// Returns the filter with the term of a flag added or removed.
pub(super) fn with_term_toggled(filter: &str, flag: Flag) -> String {
    if has_term(filter, flag) {
        let description = filter.split(' ').filter(|word| *word != term(flag));
        return description.collect::<Vec<_>>().join(" ");
    }
    format!("{} {}", filter.trim(), term(flag)).trim().to_owned()
}

/// Draws the start of the shown changes, and the filter for changes; returns whether the filter was clicked.
pub(super) fn since_ui(ui: &mut Ui, state: &State, on: bool, day: &mut String, actions: &mut Vec<Action>) -> bool {
    let changed = state.inventory.list.iter().filter(|row| row.change.is_some()).count();
    let text = counted("Changed", changed);
    let tip = "Shows the applications that changed in this period";
    let clicked = ui.add(Button::selectable(on, text)).on_hover_text(tip).clicked();
    ui.icon_menu_button(Icon::PENDING, &state.inventory.since.name(), |ui| menu_ui(ui, day, actions))
        .on_hover_text("Shows changes and usage of this period");
    clicked
}

fn menu_ui(ui: &mut Ui, day: &mut String, actions: &mut Vec<Action>) {
    for since in Since::NAMED {
        if entry(ui, Icon::PENDING, &since.name()) {
            actions.push(InventoryAction::Since(since).into());
        }
    }
    let wrong = (!day.is_empty() && date(day).is_none()).then_some("Enter a day such as 2026-01-31");
    let field = TextField::new("Since a day").hint("2026-01-31").limit(10).error(wrong).width(140.0).show(ui, day);
    if let Some(date) = date(day).filter(|_| field.submitted) {
        actions.push(InventoryAction::Since(Since::Day(date)).into());
        day.clear();
        ui.close();
    }
}

fn date(text: &str) -> Option<Date> {
    text.trim().parse().ok()
}

/// Draws which lists could not be read, and why changes are not saved.
pub(super) fn problems_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    for (source, error) in &state.inventory.failed {
        let (what, panel) = match source {
            Source::Tracked => ("The list of tracked applications", Panel::Applications),
            Source::Detected => ("The list of installed applications", Panel::External),
            Source::Related => ("The list of integrations", Panel::External),
        };
        if stale_ui(ui, what, error) {
            actions.push(Action::Refresh(panel));
        }
    }
    if let Some(problem) = &state.inventory.problem {
        ui.warning_text(&format!("Changes are not saved: {problem}"));
    } else if !state.inventory.is_persistent() && state.inventory.list.rows.value().is_some() {
        ui.caption("Changes are not saved: this window has no data folder.");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chip_adds_and_removes_only_its_own_term() {
        let filter = with_term_toggled("name:\"a  b\" ", Flag::Installed);
        assert_eq!(filter, "name:\"a  b\" is:installed");
        let both = with_term_toggled(&filter, Flag::Changed);
        assert_eq!(both, "name:\"a  b\" is:installed is:changed");
        assert!(has_term(&both, Flag::Installed) && !has_term("-is:installed", Flag::Installed));
        assert_eq!(with_term_toggled(&both, Flag::Installed), "name:\"a  b\" is:changed");
        assert_eq!(with_term_toggled("is:changed", Flag::Changed), "");
    }
}
