//! What else is known of an asset: its description, who made it and where, its scores and dates.

use egui::{Label, Ui};

use crate::app::change::{Counter, description};
use crate::app::content;
use crate::model::asset::Asset;
use crate::model::record::View;
use crate::ui::moment;
use crate::ui::theme::{SPACE_M, UiExt as _};
use crate::ui::widget::{shown, shown_short};

/// Draws description and details.
pub fn ui(ui: &mut Ui, asset: View<'_, Asset>) {
    if let Some(text) = description(asset).filter(|text| !text.trim().is_empty()) {
        ui.section_title("Description");
        ui.add(Label::new(lines(text)).wrap());
        ui.add_space(SPACE_M);
    }
    ui.section_title("Details");
    ui.key_value("Creator", asset.creator());
    if let Some(format) = content::original(asset) {
        let application = format.application();
        ui.key_value("Source", &format!("{} {}", word(application.name()), application.version()));
    }
    ui.key_value("Score", &score(asset));
    ui.key_value("Mechanism", &word(asset.mechanism()));
    let moments = [
        ("Created", Some(asset.created().value())),
        ("Updated", Some(asset.updated().value())),
        ("Used", asset.interacted().map(|moment| moment.value())),
    ];
    for (key, moment) in moments {
        if let Some(moment) = moment {
            ui.key_value(key, &moment::ago(moment)).on_hover_text(moment::exact(moment));
        }
    }
}

/// A text of several lines, hidden characters escaped, the line breaks kept.
fn lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().take(200).map(|line| shown_short(line, 2_000)).collect();
    lines.join("\n")
}

/// A word of the interface as people write it: `OPEN_SOURCE` is "Open source".
pub fn word(word: &str) -> String {
    let spaced = word.replace('_', " ").to_lowercase();
    let mut letters = spaced.chars();
    let first: String = letters.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
    shown(&(first + letters.as_str())).into_owned()
}

/// The parts of a score that are not zero.
fn score(asset: View<'_, Asset>) -> String {
    let Some(score) = asset.score() else { return "none".to_owned() };
    let mut parts = vec![format!("manual {}", score.manual()), format!("automatic {}", score.automatic())];
    for counter in Counter::ALL {
        let value = counter.value(asset);
        if value != 0 {
            parts.push(format!("{} {value}", counter.as_str()));
        }
    }
    parts.join(" · ")
}
