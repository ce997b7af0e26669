//! The parts in which an asset differs from a version of it, in place of the time line: some are chosen and restored.
//!
//! What must hold: nothing is restored from here but after a question that names what changes.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Color32, Label, RichText, Ui};

use super::failed_ui;
use crate::ui::disabled_reason::enabled_unless;
use crate::ui::panels::assets::frame::AssetFrame;
use crate::ui::theme::{self, Icon, SPACE_S, UiExt as _, text};
use crate::ui::widgets::placeholder::{empty, skeleton};
use crate::ui::widgets::row_list::{RowList, RowListState};
use crate::ui::widgets::{grouped, plural, shown_short};
use lunette_client::model::record::Record as _;
use lunette_inspector::action::CompareAction;
use lunette_inspector::capability::Capability;
use lunette_inspector::compare::{Choice, Part, Parts, Shown};

/// Maximum number of characters of a line.
const MAX_LINE: usize = 200;

/// The parts while they are shown.
#[derive(Default)]
pub(super) struct PartsView {
    rows: RowListState,
    /// The parts that are drawn; kept alive, so that their address is not reused.
    of: Option<Arc<Parts>>,
    chosen: BTreeSet<usize>,
    /// When the asset was last updated as the parts were asked for.
    asked: String,
}

impl PartsView {
    /// Draws the parts, or that they are being read or why they could not be.
    pub(super) fn ui(&mut self, ui: &mut Ui, choice: &Choice, frame: &mut AssetFrame<'_>) {
        let read = || CompareAction::ChooseParts(choice.asset.clone(), choice.version.clone());
        let updated = frame.page.record.value().map(|asset| asset.view().updated().value().to_owned());
        let updated = updated.unwrap_or_default();
        let before = std::mem::replace(&mut self.asked, updated);
        if !before.is_empty() && before != self.asked {
            // It changed, so its parts may have.
            frame.push(read());
        }
        head_ui(ui, choice, frame);
        let Some(parts) = choice.parts.value() else {
            match choice.parts.error() {
                Some(error) => {
                    if failed_ui(ui, "The version could not be compared", error) {
                        frame.push(read());
                    }
                }
                None => skeleton(ui, "the parts", 5),
            }
            return;
        };
        if self.of.as_ref().is_none_or(|of| !Arc::ptr_eq(of, parts)) {
            (self.of, self.chosen) = (Some(Arc::clone(parts)), BTreeSet::new());
            self.rows.reset();
        }
        if let Some(error) = choice.parts.error() {
            ui.warning_text(&format!("This could not be read again: {error}"));
        }
        for left in &parts.left {
            ui.caption(&format!("Not restored: {left}."));
        }
        if parts.parts.is_empty() {
            empty(ui, Icon::DONE, "Nothing to restore", "The asset is like this version.", &[]);
            return;
        }
        ui.horizontal_wrapped(|ui| self.tools_ui(ui, parts, frame));
        ui.add_space(SPACE_S);
        self.rows_ui(ui, parts);
    }

    /// Draws the buttons: all, none, and the one that restores.
    fn tools_ui(&mut self, ui: &mut Ui, parts: &Parts, frame: &mut AssetFrame<'_>) {
        let (all, chosen) = (parts.parts.len(), self.chosen.len());
        let title = match chosen {
            0 | 1 => "Restore the chosen part…".to_owned(),
            count => format!("Restore the {} chosen parts…", grouped(count as u64)),
        };
        let none = (chosen == 0).then(|| "Choose a part first".to_owned());
        let why_not = none.or_else(|| frame.change_disabled_reason(Capability::Edit));
        if enabled_unless(ui, why_not.as_deref(), |ui| ui.button(title)).clicked() {
            frame.push(CompareAction::RestoreParts(self.chosen.clone()));
        }
        if ui.button("All").on_hover_text("Choose all parts").clicked() {
            self.chosen = (0..all).collect();
        }
        if ui.button("None").on_hover_text("Choose no part").clicked() {
            self.chosen.clear();
        }
        let part = if all == 1 { "part differs" } else { "parts differ" };
        ui.muted_line(&format!("{} {part}: − now, + as it was", grouped(all as u64)));
    }

    fn rows_ui(&mut self, ui: &mut Ui, parts: &Parts) {
        let Self { rows, chosen, .. } = self;
        let is_chosen = |row: usize, chosen: &BTreeSet<usize>| chosen.contains(&row);
        let name =
            |row: usize| parts.parts.get(row).map(|part| row_name(part, is_chosen(row, chosen))).unwrap_or_default();
        let rect = ui.available_rect_before_wrap();
        let list = RowList {
            name: "Parts that differ",
            rect,
            rows: parts.parts.len(),
            row_name: &|row| name(row).into(),
            drags: false,
        };
        let mut toggled = None;
        let drawn = list.show(ui, rows, |ui, row| {
            if let Some(part) = parts.parts.get(row)
                && part_ui(ui, part, is_chosen(row, chosen))
            {
                toggled = Some(row);
            }
        });
        let toggled = toggled.or((drawn.opened || drawn.clicked).then_some(drawn.row));
        if let Some(row) = toggled
            && !chosen.remove(&row)
        {
            chosen.insert(row);
        }
    }
}

/// Draws what is shown, and the way back to the time line.
fn head_ui(ui: &mut Ui, choice: &Choice, frame: &mut AssetFrame<'_>) {
    ui.horizontal_wrapped(|ui| {
        if ui.icon_text_button(Icon::BACK, "All versions").clicked() {
            frame.push(CompareAction::CloseParts);
        }
        ui.section_title(&format!("What is different from version {}", choice.version));
    });
}

fn row_name(part: &Part, is_chosen: bool) -> String {
    let Part { what, now, then, .. } = part;
    let chosen = if is_chosen { ", chosen" } else { "" };
    format!("{what}: now {}, then {}{chosen}", in_words(now), in_words(then))
}

fn in_words(shown: &Shown) -> String {
    match (shown.first.as_str(), shown.more) {
        ("", 0) => "nothing".to_owned(),
        (first, 0) => shown_short(first, MAX_LINE).into_owned(),
        (first, more) => format!("{} and {} more", shown_short(first, MAX_LINE), lines(more)),
    }
}

fn lines(count: usize) -> String {
    plural(count, "line")
}

/// Draws a part; returns whether its box was clicked.
fn part_ui(ui: &mut Ui, part: &Part, is_chosen: bool) -> bool {
    let (removed, added) = (ui.tokens().removed_ground, ui.tokens().added_ground);
    let mut chosen = is_chosen;
    let clicked = theme::checkbox(ui, &mut chosen, &part.what).clicked();
    ui.style_mut().interaction.selectable_labels = false;
    line_ui(ui, "−", &part.now, removed);
    line_ui(ui, "+", &part.then, added);
    ui.add_space(SPACE_S);
    ui.line();
    ui.add_space(SPACE_S);
    clicked
}

fn line_ui(ui: &mut Ui, sign: &str, shown: &Shown, ground: Color32) {
    let (ground, words) = match (shown.first.as_str(), shown.more) {
        ("", 0) => (Color32::TRANSPARENT, "nothing".to_owned()),
        (first, 0) => (ground, shown_short(first, MAX_LINE).into_owned()),
        (first, more) => (ground, format!("{} … and {} more", shown_short(first, MAX_LINE), lines(more))),
    };
    let line = RichText::new(format!("{sign} {words}")).text_style(text::mono_small()).background_color(ground);
    ui.add(Label::new(line).truncate());
}
