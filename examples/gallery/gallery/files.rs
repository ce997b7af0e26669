//! Contents as what they are: drawings, tables, bytes.

use std::sync::Arc;

use eframe::egui::Ui;
use lunette::ui::widgets::delimited_table::{DelimitedState, delimited_table};
use lunette::ui::widgets::hex::{HexState, hex};
use lunette::ui::widgets::picture::{Picture, PictureState, picture};
use lunette_inspector::files::delimited::Delimited;
use lunette_syntax::CancelToken;

use super::part;

const DRAWING: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="96" height="48"><circle cx="24" cy="24" r="20"
fill="#a8651a"/><path d="M52 44L72 4L92 44z" fill="none" stroke="#1f6390" stroke-width="3"/></svg>"##;

/// The contents, read once.
pub struct State {
    drawing: Option<Picture>,
    drawing_state: PictureState,
    table: Arc<Delimited>,
    table_state: DelimitedState,
    bytes: Vec<u8>,
    bytes_state: HexState,
}

impl Default for State {
    fn default() -> Self {
        let mut text = String::from("planet,moons,note\nSaturn,146,\"rings, and many moons\"\nVenus,,\n");
        for number in 1..=1_000 {
            text.push_str(&format!("Exoplanet {number},{},\"found\nlater\"\n", number * 7 % 13));
        }
        Self {
            drawing: Picture::draw(DRAWING).ok().map(|(picture, _)| picture),
            drawing_state: PictureState::default(),
            table: Arc::new(Delimited::read(text.into(), false, &CancelToken::default())),
            table_state: DelimitedState::default(),
            bytes: (0..10_000_u32).map(|at| (at * at % 251) as u8).collect(),
            bytes_state: HexState::default(),
        }
    }
}

impl State {
    /// Draws the section.
    pub fn ui(&mut self, ui: &mut Ui) {
        part(ui, "Drawing", |ui| match &self.drawing {
            Some(drawing) => picture(ui, "A drawing", drawing, &mut self.drawing_state, 180.0),
            None => drop(ui.label("The drawing cannot be shown.")),
        });
        part(ui, "Table in a text", |ui| {
            delimited_table(ui, "Planets", &self.table, &mut self.table_state, 220.0);
        });
        part(ui, "Bytes", |ui| hex(ui, "Bytes", &self.bytes, &mut self.bytes_state, 160.0));
    }
}
