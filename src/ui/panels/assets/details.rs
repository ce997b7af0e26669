//! Details of an asset: description, creator, source, scores and dates.
//!
//! What must hold: ids are shown as names if these are known, with the id on hover and for copying.

use egui::{Label, Ui};

use crate::ui::panels::applications::labels;
use crate::ui::theme::UiExt as _;
use crate::ui::widgets::{grouped, shown, shown_short};
use crate::ui::{app_icon, format};
use lunette_client::model::Told;
use lunette_client::model::asset::Asset;
use lunette_client::model::import_path::PREFIX;
use lunette_client::model::record::View;
use lunette_inspector::action::{ApplicationsAction, InventoryAction, NavigationAction};
use lunette_inspector::assets::content;
use lunette_inspector::change::{Counter, description};
use lunette_inspector::inventory::Shown;
use lunette_inspector::listing::rows::{application_name, total_score};
use lunette_inspector::panel::Panel;
use lunette_inspector::{Action, State, import};

use super::header::small_copy_button;

/// Draws the description and the details.
pub fn ui(ui: &mut Ui, asset: View<'_, Asset>, state: &State, actions: &mut Vec<Action>) {
    let text = description(asset).filter(|text| !text.trim().is_empty());
    let imported = text.and_then(|text| text.strip_prefix(PREFIX)).filter(|from| !from.contains('\n'));
    if let Some(text) = text.filter(|_| imported.is_none()) {
        ui.key_value_ui("Description", |ui| ui.add(Label::new(lines(text)).wrap()));
    }
    creator_ui(ui, asset.creator(), state, actions);
    source_ui(ui, asset, imported);
    application_ui(ui, asset, state, actions);
    score_ui(ui, asset);
    // The row of its use is there from the start, so that nothing above it moves when the asset is first used.
    let used = match asset.told("interacted") {
        Told::Nothing => Some("never"),
        Told::Value | Told::Unknown => None,
    };
    let moments = [
        ("Created", asset.created().value(), None),
        ("Updated", asset.updated().value(), None),
        ("Used", asset.interacted().map(|moment| moment.value()).unwrap_or_default(), used),
    ];
    for (key, moment, otherwise) in moments {
        match moment {
            "" => drop(ui.key_value(key, otherwise.unwrap_or(format::NOT_TOLD))),
            moment => drop(ui.key_value(key, &format::ago(moment)).on_hover_text(format::exact(moment))),
        }
    }
}

/// Draws the creator. Our own service knows one user, that of this machine.
fn creator_ui(ui: &mut Ui, id: &str, state: &State, actions: &mut Vec<Action>) {
    if id.is_empty() {
        ui.key_value("Creator", format::NOT_TOLD);
        return;
    }
    ui.key_value_ui("Creator", |ui| {
        if state.connection.vendor.is_lunette() {
            ui.label("Local user").on_hover_text(shown_short(id, 200).into_owned());
        } else {
            ui.code_text(&shown_short(id, 40)).on_hover_text(shown_short(id, 200).into_owned());
        }
        if small_copy_button(ui, "Copy the id of the creator").clicked() {
            ui.ctx().copy_text(id.to_owned());
            actions.push(Action::Notify("Copied the id of the creator".to_owned()));
        }
    });
}

/// Draws the application it came from, and the file it was imported from.
fn source_ui(ui: &mut Ui, asset: View<'_, Asset>, imported: Option<&str>) {
    let application = content::original(asset).map(|format| format.application());
    let application = application.filter(|application| !application.id().is_empty() || !application.name().is_empty());
    let own = application.is_some_and(|application| import::is_lunette(application.id()));
    let made = application.map(|application| {
        let name = labels::application(application_name(application.id(), application.name()));
        format!("{name} {}", application.version())
    });
    let how = word(asset.mechanism());
    match (imported, made) {
        (Some(from), _) if own => {
            let response = ui.key_value("Source", &format!("Lunette import, {from}"));
            response.on_hover_text(format!("{PREFIX}{}", shown_short(from, 2_000)));
        }
        (Some(from), Some(made)) => drop(ui.key_value("Source", &format!("{made}, {from}"))),
        (None, Some(made)) => drop(ui.key_value("Source", &format!("{made} · {}", how.to_lowercase()))),
        (_, None) => drop(ui.key_value("Source", format::told(&how))),
    }
}

/// Draws the way to the application that it came from, where the service tracks that.
fn application_ui(ui: &mut Ui, asset: View<'_, Asset>, state: &State, actions: &mut Vec<Action>) {
    let made_by = content::original(asset).map(|format| format.application().id());
    let tracked = state.applications.list.iter().find(|row| Some(row.id.as_str()) == made_by);
    let Some(row) = tracked else { return };
    ui.key_value_ui("Application", |ui| {
        let name = labels::application(&row.name);
        app_icon::own_ui(ui, app_icon::path_of_tracked(state, &row.id), state);
        if ui.link(&name).on_hover_text("Shows the application that it came from").clicked() {
            actions.push(NavigationAction::Show(Panel::Applications).into());
            actions.push(InventoryAction::Show(Shown::Tracked).into());
            actions.push(ApplicationsAction::Open(row.id.clone()).into());
        }
    });
}

/// Returns a text of several lines with hidden characters escaped and line breaks kept.
fn lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().take(200).map(|line| shown_short(line, 2_000)).collect();
    lines.join("\n")
}

/// Returns an enum value as people write it: `OPEN_SOURCE` becomes "Open source".
pub fn word(word: &str) -> String {
    let spaced = word.replace('_', " ").to_lowercase();
    let mut letters = spaced.chars();
    let first: String = letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
    shown(&(first + letters.as_str())).into_owned()
}

fn score_ui(ui: &mut Ui, asset: View<'_, Asset>) {
    let message = match asset.told("score") {
        Told::Value | Told::Nothing => score_text(asset),
        Told::Unknown => format::NOT_TOLD.to_owned(),
    };
    ui.key_value("Score", &message).on_hover_text(SCORE_TIP);
}

/// Returns the parts of a score, shown on hover.
pub fn score_tip(asset: View<'_, Asset>) -> String {
    match asset.told("score") {
        Told::Unknown => format!("The score is not told by this service\n{SCORE_TIP}"),
        Told::Value | Told::Nothing => {
            format!("Score {}\n{SCORE_TIP}", score_text(asset))
        }
    }
}

/// The explanation of the parts of a score.
const SCORE_TIP: &str = "Manual and automatic: what was done to the asset. The other counters are incremented by hand.";

/// Returns a score and, in parentheses, what is counted in it: "2 (manual)", "5 (manual 2, reuse 3)", "0".
fn score_text(asset: View<'_, Asset>) -> String {
    let Some(score) = asset.score() else { return "0".to_owned() };
    let total = signed(total_score(asset));
    let known = [("manual", score.manual()), ("automatic", score.automatic())];
    let counters = Counter::ALL.map(|counter| (counter.as_str(), counter.value(asset).unwrap_or_default()));
    let parts = known.into_iter().chain(counters).filter(|(_, value)| *value != 0);
    match parts.collect::<Vec<_>>().as_slice() {
        [] => total,
        [(name, _)] => format!("{total} ({name})"),
        several => {
            let parts: Vec<String> = several.iter().map(|(name, value)| format!("{name} {}", signed(*value))).collect();
            format!("{total} ({})", parts.join(", "))
        }
    }
}

/// Returns a count with its sign and thousands separators.
pub fn signed(count: i64) -> String {
    let sign = if count < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(count.unsigned_abs()))
}
