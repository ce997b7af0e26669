//! Code, records, Markdown, pictures and plots.

use std::sync::Arc;

use eframe::egui::Ui;
use lunette::ui::widgets::code::{CodeState, code};
use lunette::ui::widgets::highlight::{Highlighted, highlight};
use lunette::ui::widgets::json_tree::{JsonSource, JsonTreeState, json_tree};
use lunette::ui::widgets::markdown::{Markdown, MarkdownState, markdown};
use lunette::ui::widgets::picture::{Picture, PictureState, picture};
use lunette::ui::widgets::plot_days::{Day, Unit, plot_days};
use lunette_syntax::Budget;
use serde_json::{Value, json};

use super::part;

const CODE: &str = include_str!("../../../assets/samples/moon_phase.rs");
const TEXT: &str = include_str!("../../../assets/samples/first steps.md");
const MOON: &[u8] = include_bytes!("../../../assets/samples/moon.png");

/// The contents, read once.
pub struct State {
    code: Highlighted,
    code_state: CodeState,
    tree: Arc<Value>,
    tree_state: JsonTreeState,
    text: Markdown,
    text_state: MarkdownState,
    picture: Option<Picture>,
    picture_state: PictureState,
}

impl Default for State {
    fn default() -> Self {
        let mut budget = Budget::default();
        Self {
            code: highlight(CODE, "rs", &mut budget),
            code_state: CodeState::default(),
            tree: Arc::new(json!({
                "name": "moon_phase.rs", "score": { "manual": 3, "automatic": 12 },
                "tags": ["astronomy", "rust"], "hidden\u{202e}text": null, "favourite": true,
            })),
            tree_state: JsonTreeState::unfolded(&["score"]),
            text: Markdown::new(TEXT, &mut budget),
            text_state: MarkdownState::default(),
            picture: Picture::decode(MOON).ok(),
            picture_state: PictureState::default(),
        }
    }
}

impl State {
    /// Draws the section.
    pub fn ui(&mut self, ui: &mut Ui) {
        part(ui, "Code", |ui| code(ui, "Code", &self.code, &mut self.code_state, 200.0));
        part(ui, "Record", |ui| {
            let source = JsonSource { of: Arc::clone(&self.tree), tree: |tree: &Value| tree, revision: 0 };
            json_tree(ui, "Record", &source, &mut self.tree_state, 220.0);
        });
        part(ui, "Markdown", |ui| markdown(ui, "Markdown", &self.text, &mut self.text_state, 220.0));
        part(ui, "Picture", |ui| match &self.picture {
            Some(shown) => picture(ui, "The moon", shown, &mut self.picture_state, 220.0),
            None => drop(ui.label("The picture cannot be shown.")),
        });
        part(ui, "Days", |ui| {
            let names: Vec<String> = (1..=30).map(|day| format!("2026-11-{day:02}")).collect();
            let days: Vec<Day<'_>> =
                names.iter().zip(0..).map(|(name, day)| Day { name, count: day * 7 % 11 * (day % 4) }).collect();
            plot_days(ui, "Changes, last 30 days", Unit::ASSETS, &days, 90.0);
        });
    }
}
