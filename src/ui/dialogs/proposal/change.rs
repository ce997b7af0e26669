//! One change of a proposal: what it does, side by side for a text, its requests, and whether it can be undone.

use std::sync::Arc;

use egui::{ScrollArea, Ui};

use lunette_inspector::change::Change;
use lunette_inspector::compare::{Layout, TextDiff, texts};
use lunette_inspector::proposals::{Action as Proposed, Proposal, ProposedChange, Undo};

use crate::ui::dialogs::parts::{prepared_ui, undo_text_ui};
use crate::ui::theme::{Icon, UiExt as _, text};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::field_diff::{self, FieldRow};
use crate::ui::widgets::shown_short;
use crate::ui::widgets::text_diff::{TextDiffState, TextDiffView, text_diff};

/// The width from which two texts are side by side, in points.
const SIDE_BY_SIDE: f32 = 640.0;
/// The most fields that are visible at once.
const FIELDS: usize = 6;
/// The most characters of a value that its line has room for in a narrow window.
const LINE: usize = 32;
/// The most requests that are drawn.
const CALLS: usize = 12;

/// The view of one change.
#[derive(Default)]
pub(super) struct ChangeView {
    drawn: Option<Key>,
    shown: Background<Key, Prepared>,
    text: TextDiffState,
}

/// What a change does, prepared on another thread since texts may be large.
struct Prepared {
    rows: Vec<FieldRow>,
    text: Option<TextDiff>,
}

/// The change being drawn; its proposal is kept alive, so that its address is not reused.
#[derive(Clone)]
struct Key(Arc<Proposal>, usize);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) && self.1 == other.1
    }
}

/// Whether a change is drawn with a text, which takes whatever height there is.
pub(super) fn has_text(change: &ProposedChange) -> bool {
    match &change.action {
        Proposed::Change(change) => matches!(**change, Change::Text { .. }),
        Proposed::Create(_) => true,
    }
}

impl Prepared {
    fn of(change: &ProposedChange) -> Self {
        let text = match &change.action {
            Proposed::Change(change) => match &**change {
                Change::Text { from, to, .. } => Some(texts(from, to)),
                _ => None,
            },
            Proposed::Create(new) => Some(texts("", &new.text)),
        };
        Self { rows: if text.is_some() { Vec::new() } else { field_diff::rows(&change.fields) }, text }
    }
}

impl ChangeView {
    /// Draws a change within this height, in points.
    pub fn ui(&mut self, ui: &mut Ui, proposal: &Arc<Proposal>, index: usize, height: f32) {
        let Some(change) = proposal.changes.get(index) else { return };
        let key = Key(Arc::clone(proposal), index);
        if self.drawn.as_ref() != Some(&key) {
            (self.drawn, self.text) = (Some(key.clone()), TextDiffState::default());
        }
        let work = {
            let Key(proposal, index) = key.clone();
            move || Prepared::of(&proposal.changes[index])
        };
        let Some(shown) = prepared_ui(ui, &mut self.shown, &key, ("the change", 4), work) else { return };
        let top = ui.cursor().top();
        ui.add(egui::Label::new(shown_short(&change.title, 300)).wrap());
        if proposal.status.can_be_undone() {
            undoing_ui(ui, &change.undo);
        }
        let left = height - (ui.cursor().top() - top);
        match &shown.text {
            Some(diff) => {
                let (added, removed) = diff.added_and_removed();
                ui.caption(&format!("+{added} −{removed} lines"));
                let is_new = matches!(change.action, Proposed::Create(_));
                let layout = match ui.available_width() >= SIDE_BY_SIDE && !is_new {
                    true => Layout::SideBySide,
                    false => Layout::Inline,
                };
                let view = TextDiffView { name: "Change of the text", diff, layout, found: None };
                text_diff(ui, view, &mut self.text, (left - 60.0).max(80.0), |_, _| {});
                calls_ui(ui, change);
            }
            None => {
                let area = ScrollArea::vertical().id_salt("change").max_height(left.max(60.0));
                area.auto_shrink([false, true]).show(ui, |ui| {
                    field_diff::changes(ui, &shown.rows, FIELDS);
                    long_values_ui(ui, &shown.rows);
                    calls_ui(ui, change);
                });
            }
        }
    }
}

/// Draws how the change is undone, or why it is not.
fn undoing_ui(ui: &mut Ui, undo: &Undo) {
    match undo {
        Undo::By(how) => undo_text_ui(ui, Icon::UNDO, how),
        Undo::Never(why) => {
            ui.warning_text(&format!("This cannot be undone: {}.", shown_short(why.trim_end_matches('.'), 300)));
        }
    }
}

/// Draws new values that one line may have no room for: what is agreed to is seen without pointing at it.
fn long_values_ui(ui: &mut Ui, rows: &[FieldRow]) {
    for row in rows.iter().take(FIELDS) {
        let [_, after] = &row.cells;
        let whole = after.words.as_deref().or(after.whole.as_deref());
        let Some(whole) = whole.filter(|whole| whole.chars().nth(LINE).is_some()) else { continue };
        ui.caption(&format!("{} in full", row.name));
        ui.add(egui::Label::new(egui::RichText::new(whole).text_style(text::mono_small())).wrap());
    }
}

/// Draws the requests that the change sends.
fn calls_ui(ui: &mut Ui, change: &ProposedChange) {
    for call in change.calls.iter().take(CALLS) {
        ui.code_text(&shown_short(call, 160));
    }
    if change.calls.len() > CALLS {
        ui.caption(&format!("and {} more requests", change.calls.len() - CALLS));
    }
}
