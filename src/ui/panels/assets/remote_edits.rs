//! Changes of an asset elsewhere while it is being edited here: reported, but never replacing what was typed.
//!
//! What must hold: versions are compared on another thread, once for each new version; fields that change by themselves
//! are not reported, nor is what this window wrote to other parts of the asset.

use std::sync::Arc;

use egui::{Frame, Margin, Ui};
use serde_json::Value;

use crate::ui::format;
use crate::ui::theme::{Icon, RADIUS, SPACE_S, UiExt as _};
use crate::ui::widgets::background::Background;
use crate::ui::widgets::field_diff::{self, FieldRow};
use lunette_client::model::asset::Asset;
use lunette_client::model::diff::diff;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::{Record as _, View};
use lunette_inspector::State;
use lunette_inspector::change::fingerprint::lasting;
use lunette_inspector::drafts::DraftKey;
use lunette_inspector::write::own_writes::{Edited, OwnWrites, with_own_writes};

/// Maximum number of changed fields visible at once.
const VISIBLE_FIELDS: usize = 6;

/// The comparison, and whether it is expanded.
#[derive(Default)]
pub struct RemoteEdits {
    compared: Background<Key, Vec<FieldRow>>,
    unfolded: bool,
    /// The version that the user dismissed.
    dismissed: Option<Arc<Asset>>,
}

/// Two versions, identified by when the asset was last changed, and how many own writes there were until then.
#[derive(Clone)]
struct Key {
    base_of: String,
    now: Arc<Asset>,
    own: u64,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        let Self { base_of, now, own } = self;
        *base_of == other.base_of && Arc::ptr_eq(now, &other.now) && *own == other.own
    }
}

/// What is being edited, and the record it started from.
#[derive(Clone, Copy)]
pub struct Base<'a> {
    pub record: &'a Value,
    pub edited: Edited,
}

/// Returns what a change outside the page started from: a draft, a plan, a conflict.
pub fn base_of<'a>(state: &'a State, id: &AssetId) -> Option<Base<'a>> {
    let of_this = |asset: &AssetId| asset == id;
    let keys = [
        (DraftKey::Record(id.clone()), Edited::Record),
        (DraftKey::Fields(id.clone()), Edited::Fields),
        (DraftKey::Text(id.clone()), Edited::Text),
    ];
    let draft = |(key, edited)| Some(Base { record: &state.drafts.typed.get(&key)?.base, edited });
    let planned = state.write.planned.as_ref().filter(|planned| of_this(planned.change.asset()));
    let planned = planned.and_then(|planned| planned.plan.value()?.before.as_ref()).map(|before| before.tree());
    let conflict = state.write.conflict.as_ref().filter(|conflict| of_this(&conflict.asset));
    let shown = planned.or_else(|| conflict.map(|conflict| &*conflict.theirs));
    keys.into_iter().find_map(draft).or(shown.map(|record| Base { record, edited: Edited::Record }))
}

impl Key {
    fn of(base: Base<'_>, own: &OwnWrites, now: &Arc<Asset>) -> Self {
        let base_of = View::<Asset>::of(base.record).updated().value().to_owned();
        Self { base_of, now: Arc::clone(now), own: own.count() }
    }
}

impl RemoteEdits {
    /// Compares the record that a change started from with the current one, but for what this window wrote to other
    /// parts of it since; returns whether they differ.
    pub fn differs(&mut self, ui: &Ui, base: Option<Base<'_>>, own: &OwnWrites, now: &Arc<Asset>) -> bool {
        let Some(base) = base else {
            *self = Self::default();
            return false;
        };
        if self.dismissed.as_ref().is_some_and(|dismissed| Arc::ptr_eq(dismissed, now)) {
            return false;
        }
        let key = Key::of(base, own, now);
        if let Some(rows) = self.compared.known(&key) {
            return !rows.is_empty();
        }
        if self.compared.is_running(&key) {
            return false;
        }
        // Only a version that was not compared yet is copied.
        let (before, after, own) = (base.record.clone(), Arc::clone(now), own.besides(base.edited));
        let work = move || {
            let before = with_own_writes(&before, &own, after.tree());
            field_diff::rows(&diff(&before, &lasting(after.tree())))
        };
        self.compared.get(ui.ctx(), &key, work).is_some_and(|rows| rows.is_ok_and(|rows| !rows.is_empty()))
    }

    /// Draws the report, with the differences on request.
    pub fn ui(&mut self, ui: &mut Ui, base: Base<'_>, own: &OwnWrites, now: &Arc<Asset>) {
        let key = Key::of(base, own, now);
        let Some(rows) = self.compared.known(&key) else { return };
        let t = ui.tokens();
        let frame = Frame::new().fill(t.raised).corner_radius(f32::from(RADIUS)).inner_margin(Margin::symmetric(10, 6));
        let (mut unfolded, mut dismissed) = (self.unfolded, false);
        ui.add_space(SPACE_S);
        frame.show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = SPACE_S;
                ui.decoration(Icon::WARNING.text().color(t.warning));
                let updated = now.view().updated().value();
                let shown = ui.label(format!("Changed elsewhere {}. What you typed is kept.", format::ago(updated)));
                shown.on_hover_text("Both versions are compared once more before anything is sent");
                let name = if unfolded { "Hide the difference" } else { "Show the difference" };
                if ui.button(name).clicked() {
                    unfolded = !unfolded;
                }
                dismissed = ui.button("Dismiss").accessible_name("Dismiss the change made elsewhere").clicked();
            });
            if unfolded {
                ui.caption("Changed there since you started:");
                field_diff::changes(ui, rows, VISIBLE_FIELDS);
            }
        });
        self.unfolded = unfolded;
        if dismissed {
            self.dismissed = Some(Arc::clone(now));
        }
    }
}

/// Draws that the asset was deleted; returns whether its page is to be closed.
pub fn deleted_ui(ui: &mut Ui, typed: bool) -> bool {
    let t = ui.tokens();
    let frame = Frame::new().fill(t.raised).corner_radius(f32::from(RADIUS)).inner_margin(Margin::symmetric(10, 6));
    ui.add_space(SPACE_S);
    let drawn = frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            ui.decoration(Icon::WARNING.text().color(t.error));
            let kept = if typed { " What you typed is kept as a draft." } else { "" };
            ui.label(format!("This asset was deleted elsewhere. This is its last known state.{kept}"));
            ui.button("Close").accessible_name("Close the deleted asset").clicked()
        })
        .inner
    });
    drawn.inner
}
