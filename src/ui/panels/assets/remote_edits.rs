//! What became of an asset elsewhere while it is being changed here: told, never put in the place of what was typed.
//!
//! What must hold: both are compared on a thread of their own, once for every version that comes; what moves by itself
//! is no reason to tell.

use std::sync::Arc;

use egui::{Frame, Margin, Ui};
use serde_json::Value;

use crate::app::State;
use crate::app::change::fingerprint::lasting;
use crate::app::drafts::DraftKey;
use crate::ui::dialogs::plan::fields;
use crate::ui::format;
use crate::ui::theme::{Icon, RADIUS, SPACE_S, UiExt as _};
use crate::ui::widgets::background::Background;
use lunette_client::model::asset::Asset;
use lunette_client::model::diff::diff;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::{Record as _, View};

/// How many places are seen at once.
const SEEN: usize = 6;

/// The comparison, and whether it is unfolded.
#[derive(Default)]
pub struct RemoteEdits {
    compared: Background<Key, Vec<fields::Row>>,
    unfolded: bool,
    /// The version that the user was told of and put away.
    put_away: Option<Arc<Asset>>,
}

/// Two versions: the one here was read when the asset was last changed at this moment.
#[derive(Clone)]
struct Key {
    begun: String,
    now: Arc<Asset>,
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        let Self { begun, now } = self;
        *begun == other.begun && Arc::ptr_eq(now, &other.now)
    }
}

/// The record that was begun with, of a change which is not on the page itself: a draft, a plan, a conflict.
pub fn begun<'a>(state: &'a State, id: &AssetId) -> Option<&'a Value> {
    let of_this = |asset: &AssetId| asset == id;
    let draft = [DraftKey::Record(id.clone()), DraftKey::Fields(id.clone()), DraftKey::Text(id.clone())].into_iter();
    let draft = draft.filter_map(|key| state.drafts.get(&key)).map(|draft| &draft.base).next();
    let planned = state.planned.as_ref().filter(|planned| of_this(planned.change.asset()));
    let planned = planned.and_then(|planned| planned.plan.value()?.before.as_ref()).map(|before| before.tree());
    let conflict = state.conflict.as_ref().filter(|conflict| of_this(&conflict.asset));
    draft.or(planned).or_else(|| conflict.map(|conflict| &*conflict.theirs))
}

impl RemoteEdits {
    /// Compares what a change was begun with to what the service holds now; whether there is something to tell.
    pub fn differs(&mut self, ui: &Ui, begun: Option<&Value>, now: &Arc<Asset>) -> bool {
        let Some(begun) = begun else {
            *self = Self::default();
            return false;
        };
        if self.put_away.as_ref().is_some_and(|put_away| Arc::ptr_eq(put_away, now)) {
            return false;
        }
        let key = Key { begun: View::<Asset>::of(begun).updated().value().to_owned(), now: Arc::clone(now) };
        if let Some(rows) = self.compared.known(&key) {
            return !rows.is_empty();
        }
        // Only a version that was not compared yet is copied.
        let (before, after) = (begun.clone(), Arc::clone(now));
        let work = move || fields::rows(&diff(&lasting(&before), &lasting(after.tree())));
        self.compared.get(ui.ctx(), &key, work).is_some_and(|rows| rows.is_ok_and(|rows| !rows.is_empty()))
    }

    /// Tells it, with the difference on demand.
    pub fn ui(&mut self, ui: &mut Ui, begun: &Value, now: &Arc<Asset>) {
        let key = Key { begun: View::<Asset>::of(begun).updated().value().to_owned(), now: Arc::clone(now) };
        let Some(rows) = self.compared.known(&key) else { return };
        let t = ui.tokens();
        let frame = Frame::new().fill(t.raised).corner_radius(f32::from(RADIUS)).inner_margin(Margin::symmetric(10, 6));
        let (mut unfolded, mut put_away) = (self.unfolded, false);
        ui.add_space(SPACE_S);
        frame.show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = SPACE_S;
                ui.label(Icon::WARNING.text().color(t.warning));
                let updated = now.view().updated().value();
                let said = ui.label(format!("Changed elsewhere {}. What you typed is kept.", format::ago(updated)));
                said.on_hover_text("Both versions are compared once more before anything is sent");
                let name = if unfolded { "Hide the difference" } else { "Show the difference" };
                if ui.button(name).clicked() {
                    unfolded = !unfolded;
                }
                put_away = ui.button("Dismiss").accessible_name("Dismiss the change made elsewhere").clicked();
            });
            if unfolded {
                ui.caption("What was changed there since you began:");
                fields::ui(ui, rows, SEEN);
            }
        });
        self.unfolded = unfolded;
        if put_away {
            self.put_away = Some(Arc::clone(now));
        }
    }
}

/// Says that the asset is there no more; true when its page is to be left.
pub fn gone_ui(ui: &mut Ui, typed: bool) -> bool {
    let t = ui.tokens();
    let frame = Frame::new().fill(t.raised).corner_radius(f32::from(RADIUS)).inner_margin(Margin::symmetric(10, 6));
    ui.add_space(SPACE_S);
    let drawn = frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = SPACE_S;
            ui.label(Icon::WARNING.text().color(t.error));
            let kept = if typed { " What you typed is kept as a draft." } else { "" };
            ui.label(format!("This asset was deleted elsewhere. Here it is as it was read last.{kept}"));
            ui.button("Close").accessible_name("Close the deleted asset").clicked()
        })
        .inner
    });
    drawn.inner
}
