//! What a step changed, place by place: before and after, each on the ground of its kind.

use std::sync::Arc;

use egui::{Frame, Label, Margin, RichText, Ui};
use serde_json::Value;

use crate::app::journal::{Entry, EntryId};
use crate::ui::theme::{UiExt as _, text};
use crate::ui::widget::{grouped, shown_short};

/// How many places are drawn until the user asks for all.
const FEW: usize = 40;
/// How many are drawn at most.
const MOST: usize = 1_000;
/// A value is drawn up to this many characters; more of it is on hover.
const LONGEST: usize = 240;
/// How much of a value is kept to be hovered, in characters.
const KEPT: usize = 4_000;

/// The places of the step looked at, as texts: a value may be large, so it is put into words once.
#[derive(Default)]
pub struct Fields {
    made_of: Option<(EntryId, usize)>,
    lines: Vec<Line>,
    all: bool,
}

struct Line {
    path: String,
    before: Option<String>,
    after: Option<String>,
}

impl Fields {
    /// Draws what a step changed.
    pub fn ui(&mut self, ui: &mut Ui, entry: &Arc<Entry>) {
        let made_of = Some((entry.id, entry.fields.len()));
        if self.made_of != made_of {
            *self = Self { made_of, lines: lines(entry), all: false };
        }
        let drawn = if self.all { MOST } else { FEW };
        for line in self.lines.iter().take(drawn) {
            line_ui(ui, line);
        }
        let rest = entry.fields.len().saturating_sub(drawn);
        if rest > 0 && !self.all {
            self.all = ui.button(format!("Show {} more", grouped(rest as u64))).clicked();
        } else if rest > 0 {
            ui.caption(&format!("{} more are not drawn.", grouped(rest as u64)));
        }
    }
}

fn lines(entry: &Entry) -> Vec<Line> {
    let fields = entry.fields.iter().take(MOST);
    let line = |field: &crate::model::diff::FieldChange| Line {
        path: field.path.to_string(),
        before: field.before.as_ref().map(words),
        after: field.after.as_ref().map(words),
    };
    fields.map(line).collect()
}

/// A value as one line of JSON.
fn words(value: &Value) -> String {
    shown_short(&value.to_string(), KEPT).into_owned()
}

fn line_ui(ui: &mut Ui, line: &Line) {
    let tokens = ui.tokens();
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        let path = RichText::new(shown_short(&line.path, LONGEST)).text_style(text::mono_small()).color(tokens.muted);
        ui.add(Label::new(path).truncate());
        let sides = [('−', &line.before, tokens.removed_ground), ('+', &line.after, tokens.added_ground)];
        for (sign, words, ground) in sides {
            if let Some(words) = words {
                value_ui(ui, sign, words, ground);
            }
        }
    });
}

fn value_ui(ui: &mut Ui, sign: char, words: &str, ground: egui::Color32) {
    Frame::new().fill(ground).corner_radius(4.0).inner_margin(Margin::symmetric(8, 3)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let line = RichText::new(format!("{sign} {}", shown_short(words, LONGEST)));
        let label = ui.add(Label::new(line.text_style(text::mono_small()).color(ui.tokens().text)).wrap());
        if words.chars().nth(LONGEST).is_some() {
            label.on_hover_text(words);
        }
    });
}
