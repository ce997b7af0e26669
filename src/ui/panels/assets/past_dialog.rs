//! The dialog for the past of the list: a day to show it as it was, and checkpoints.

use egui::{Context, ScrollArea, Ui};
use jiff::civil::Date;

use crate::ui::format;
use crate::ui::list::failure::failure_ui;
use crate::ui::list::split::replaces_list;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::placeholder::skeleton;
use crate::ui::widgets::text_field::TextField;
use crate::ui::widgets::{buttons, dialog, grouped, shown_short};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::{Record as _, View};
use lunette_client::model::version::Checkpoint;
use lunette_inspector::action::{AssetsAction, VersionsAction};
use lunette_inspector::versions::{Moment, SourceError, end_of_day};
use lunette_inspector::{Action, State};

/// Height that the rest of the dialog takes of the window, in points.
const RESERVED_HEIGHT: f32 = 360.0;

/// The longest name of a checkpoint, in characters.
const MAX_NAME: usize = 200;

/// The dialog while it is open.
#[derive(Default)]
pub(super) struct PastDialog {
    open: bool,
    day: String,
    fault: Option<String>,
    name: String,
}

impl PastDialog {
    /// Opens the dialog, and loads the checkpoints.
    pub(super) fn open(&mut self, actions: &mut Vec<Action>) {
        let yesterday = jiff::ZonedDateTime::now().date().yesterday().map(|day| day.to_string()).unwrap_or_default();
        *self = Self { open: true, day: yesterday, ..Self::default() };
        actions.push(VersionsAction::LoadCheckpoints.into());
    }

    /// Returns whether it is open.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Draws the dialog while it is open; `selected` are the assets that are selected in the list.
    pub(super) fn ui(&mut self, ctx: &Context, state: &State, selected: &[AssetId], actions: &mut Vec<Action>) {
        let height = (ctx.content_rect().height() - RESERVED_HEIGHT).max(80.0);
        let ((done, close), outside) = dialog(ctx, "past of the list", "The list as it was", 560.0, |ui| {
            let mut done = self.day_ui(ui, actions);
            ui.add_space(SPACE_S);
            ui.line();
            ui.section_title("Checkpoints");
            ui.caption(
                "A checkpoint names this moment. What assets are now is kept for it, regardless of the limits on versions, and \
                 can be compared and restored later.",
            );
            self.new_ui(ui, selected, actions);
            let area = ScrollArea::vertical().id_salt("checkpoints").max_height(height).auto_shrink([false, true]);
            done |= area.show(ui, |ui| checkpoints_ui(ui, state, actions)).inner;
            (done, buttons(ui, |ui| ui.button("Close").clicked()))
        });
        if done && replaces_list(ctx) {
            // The page would hide the list.
            actions.extend(state.assets.pages.shown().map(|_| AssetsAction::Close.into()));
        }
        self.open &= !(done || close || outside);
    }

    /// Draws the choice of a day; returns whether one was chosen.
    fn day_ui(&mut self, ui: &mut Ui, actions: &mut Vec<Action>) -> bool {
        let field =
            TextField::new("Day").hint("such as 2026-01-31").limit(10).width(160.0).error(self.fault.as_deref());
        let submitted = field.show(ui, &mut self.day).submitted;
        if !(ui.button("Show the list at the end of that day").clicked() || submitted) {
            return false;
        }
        match self.day.trim().parse::<Date>().ok().and_then(|day| Some((day, end_of_day(day)?))) {
            Some((day, at)) => {
                let moment = Moment { at, title: format!("at the end of {day}"), assets: None };
                actions.push(VersionsAction::ShowThen(moment).into());
                true
            }
            None => {
                self.fault = Some("This is not a day such as 2026-01-31".to_owned());
                false
            }
        }
    }

    /// Draws the form for a new checkpoint.
    fn new_ui(&mut self, ui: &mut Ui, selected: &[AssetId], actions: &mut Vec<Action>) {
        TextField::new("Name of a new checkpoint").limit(MAX_NAME).show(ui, &mut self.name);
        let name = self.name.trim().to_owned();
        ui.horizontal_wrapped(|ui| {
            let can = !name.is_empty();
            let mut make = |ui: &mut Ui, title: &str, can: bool, assets: Option<Vec<AssetId>>| {
                if ui.add_enabled_ui(can, |ui| ui.button(title)).inner.clicked() {
                    actions.push(VersionsAction::AddCheckpoint(name.clone(), assets).into());
                    self.name.clear();
                }
            };
            make(ui, "Create for all assets", can, None);
            let title = match selected.len() {
                0 => "Create for the selected assets".to_owned(),
                1 => "Create for the selected asset".to_owned(),
                count => format!("Create for the {} selected assets", grouped(count as u64)),
            };
            make(ui, &title, can && !selected.is_empty(), Some(selected.to_vec()));
        });
    }
}

/// Draws the checkpoints; returns whether one was chosen.
fn checkpoints_ui(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> bool {
    let known = &state.versions.checkpoints;
    let Some(checkpoints) = known.value() else {
        match known.error() {
            Some(SourceError::Call(error)) => {
                if failure_ui(ui, "The checkpoints could not be loaded", error) {
                    actions.push(VersionsAction::LoadCheckpoints.into());
                }
            }
            Some(error) => drop(ui.error_text(&format!("The checkpoints could not be loaded: {error}"))),
            None => skeleton(ui, "checkpoints", 3),
        }
        return false;
    };
    let list = checkpoints.view().iterable();
    if list.is_empty() {
        ui.muted("No checkpoints yet.");
    }
    let mut chosen = false;
    for checkpoint in list.iter() {
        chosen |= checkpoint_ui(ui, checkpoint, actions);
    }
    chosen
}

fn checkpoint_ui(ui: &mut Ui, checkpoint: View<'_, Checkpoint>, actions: &mut Vec<Action>) -> bool {
    let name = shown_short(checkpoint.name(), 80).into_owned();
    let at = checkpoint.at().value().to_owned();
    let assets: Option<Vec<String>> = checkpoint.assets().map(|assets| assets.iter().map(str::to_owned).collect());
    let about = match &assets {
        None => "all assets".to_owned(),
        Some(assets) if assets.len() == 1 => "1 asset".to_owned(),
        Some(assets) => format!("{} assets", grouped(assets.len() as u64)),
    };
    let mut chosen = false;
    ui.horizontal_wrapped(|ui| {
        ui.strong(&name);
        ui.muted(&format!("{}, {about}", format::ago(&at))).on_hover_text(format::exact(&at));
        if ui.icon_text_button(Icon::HISTORY, "Show").on_hover_text(format!("Show the list as of {name}")).clicked()
            && let Ok(at) = at.parse()
        {
            let title = format!("at the checkpoint “{name}”");
            actions.push(VersionsAction::ShowThen(Moment { at, title, assets: assets.clone() }).into());
            chosen = true;
        }
        if ui.icon_button(Icon::DELETE, &format!("Delete the checkpoint {name}")).clicked()
            && let Ok(id) = checkpoint.id().parse()
        {
            actions.push(VersionsAction::DeleteCheckpoint(id).into());
        }
    });
    chosen
}
