//! Importing with a preview: the page that lists the libraries on this machine, the preview of an import, and its
//! receipt.
//!
//! What must hold: nothing is read before the user asks for it, and nothing is sent except by the button that says how
//! many items it imports.

use std::sync::Arc;

use egui::{Context, ScrollArea, Ui};

use crate::ui::dialogs::parts::{FirstFocus, confirm_button, footer_ui};
use crate::ui::disabled_reason::{disabled_reason, enabled_unless};
use crate::ui::theme::{Icon, SPACE_S, UiExt as _};
use crate::ui::widgets::placeholder::{empty, skeleton};
use crate::ui::widgets::{confirm_key, dialog, grouped, progress, shown};
use lunette_client::model::id::AssetId;
use lunette_inspector::action::{AssetsAction, PreviewAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::import::preview::content::{Content, PreviewRow};
use lunette_inspector::import::preview::read::ReadAs;
use lunette_inspector::import::preview::{Preview, progress_of};
use lunette_inspector::import::sources::LibraryAmongFiles;
use lunette_inspector::tasks::TaskId;
use lunette_inspector::{Action, Remote, State};

mod details;
mod mapping;
mod menu;
mod page;
mod receipt;
mod rows;

use page::Page;
use receipt::ReceiptView;
use rows::Rows;

/// Minimum and maximum width of the dialog, in points; between them it is this share of the window.
const WIDTH: (f32, f32) = (1_000.0, 1_600.0);
const SHARE: f32 = 0.75;
/// How many libraries are listed one by one.
const MAX_LISTED: usize = 3;
/// The height that the dialog needs besides its body, in points.
const RESERVED_HEIGHT: f32 = 170.0;

/// The dialog and its view state.
#[derive(Default)]
pub(in crate::ui) struct ImportDialog {
    /// The number of the shown preview.
    open: Option<u64>,
    page: Page,
    rows: Rows,
    receipt: ReceiptView,
    focus: FirstFocus,
    /// Whether the receipt was shown in the last frame.
    shows_receipt: bool,
}

impl ImportDialog {
    /// Draws the page or the preview, if one is open.
    pub(in crate::ui) fn ui(&mut self, ctx: &Context, state: &State, actions: &mut Vec<Action>) {
        let previews = &state.import.previews;
        match (&previews.open, &previews.page) {
            (Some(preview), _) => self.preview_ui(ctx, preview, state, actions),
            (None, Some(found)) => {
                let close = self.page.ui(ctx, found, state, actions);
                actions.extend(close.then(|| PreviewAction::Close.into()));
            }
            // A path that was typed on the page stays for the next attempt.
            (None, None) if self.open.is_some() => {
                *self = Self { page: std::mem::take(&mut self.page), ..Self::default() };
            }
            (None, None) => {}
        }
    }

    fn preview_ui(&mut self, ctx: &Context, preview: &Preview, state: &State, actions: &mut Vec<Action>) {
        // What is imported, or its receipt, was not seen yet. Reading the same again, for another mapping, leaves the focus
        // where the mapping is.
        let shows_receipt = preview.sent.is_some();
        if self.open.is_none() || self.shows_receipt != shows_receipt {
            self.focus.begin();
        }
        self.shows_receipt = shows_receipt;
        // The rows of another preview are shown anew; reading the same again changes its number.
        self.open = Some(preview.number);
        let width = (ctx.content_rect().width() * SHARE).clamp(WIDTH.0, WIDTH.1);
        let (close, outside) = dialog(ctx, "import preview", "Import preview", width, |ui| {
            let confirmed = confirm_key(ui);
            if let Some(sent) = &preview.sent {
                return self.receipt.ui(ui, sent, state, &mut self.focus, actions);
            }
            scrolled_ui(ui, "import preview", |ui| self.body_ui(ui, preview, state, actions));
            preview_footer_ui(ui, preview, state, confirmed, &mut self.focus, actions)
        });
        if close || outside {
            actions.push(PreviewAction::Close.into());
        }
    }

    fn body_ui(&mut self, ui: &mut Ui, preview: &Preview, state: &State, actions: &mut Vec<Action>) {
        match &preview.content {
            Remote::NotRequested | Remote::Loading { previous: None } => {
                work_ui(ui, "Reading", preview.reading, state, actions);
                skeleton(ui, "the preview", 6);
            }
            Remote::Failed { error, previous: None } => failed_ui(ui, error, preview, actions),
            Remote::Known(content)
            | Remote::Loading { previous: Some(content) }
            | Remote::Failed { previous: Some(content), .. } => {
                if let Some(error) = preview.content.error() {
                    ui.error_text(&format!("It could not be read again: {error}"));
                }
                self.content_ui(ui, preview, content, state, actions);
            }
        }
    }

    fn content_ui(
        &mut self,
        ui: &mut Ui,
        preview: &Preview,
        content: &Arc<Content>,
        state: &State,
        actions: &mut Vec<Action>,
    ) {
        sources_ui(ui, content);
        offered_ui(ui, preview, content, actions);
        mapping::ui(ui, preview, content, actions);
        mapping::taken_ids_ui(ui, preview, content, actions);
        if preview.sending.is_some() {
            work_ui(ui, "Importing", preview.sending, state, actions);
        } else if preview.content.loading() {
            work_ui(ui, "Reading again", preview.reading, state, actions);
        }
        if content.rows.is_empty() {
            let advice = match content.hidden {
                0 => "It contains nothing that can become an asset.".to_owned(),
                hidden => format!("It contains only {hidden} hidden or ignored files."),
            };
            let is_plain = preview.read_as == ReadAs::Files;
            let actions_of: &[&str] = if is_plain { &[] } else { &["Import as plain files"] };
            if empty(ui, Icon::EMPTY, "Nothing to import", &advice, actions_of).is_some() {
                actions.push(PreviewAction::Read(ReadAs::Files).into());
            }
            mapping::as_files_ui(ui, preview, content, actions);
            details::warnings_ui(ui, content);
            return;
        }
        details::count_ui(ui, content);
        self.rows.ui(ui, preview, content, state, actions);
        details::ui(ui, content, self.rows.focused(content), actions);
    }
}

/// Returns why the mark of a row cannot be changed.
fn mark_obstacle(row: &PreviewRow, sending: bool) -> Option<&'static str> {
    row.obstacle.or(sending.then_some("The import is in progress"))
}

/// Closes the preview and opens the asset of an item.
fn open_asset(asset: &AssetId, actions: &mut Vec<Action>) {
    actions.extend([PreviewAction::Close.into(), AssetsAction::Open(asset.clone()).into()]);
}

/// Draws the scrolling part of the dialog. It takes the height that it needs, even if less was drawn before.
fn scrolled_ui(ui: &mut Ui, id: &str, draw: impl FnOnce(&mut Ui)) {
    let height = (ui.ctx().content_rect().height() - RESERVED_HEIGHT).max(120.0);
    let area = ScrollArea::vertical().id_salt(id).max_height(height).min_scrolled_height(height);
    area.auto_shrink([false, true]).show(ui, draw);
}

/// Draws the recognised libraries.
fn sources_ui(ui: &mut Ui, content: &Content) {
    for plan in content.plans.iter().take(MAX_LISTED) {
        ui.horizontal(|ui| {
            ui.decoration(Icon::IMPORT.text().color(ui.tokens().muted));
            ui.label(shown(&plan.source.title()));
            let path = plan.path.display().to_string();
            let words = egui::RichText::new(shown(&path)).color(ui.tokens().muted);
            ui.add(egui::Label::new(words).truncate()).on_hover_text(shown(&path));
        });
    }
    if let Some(more) = content.plans.len().checked_sub(MAX_LISTED).filter(|more| *more > 0) {
        ui.muted(&format!("and {more} more libraries"));
    }
    if content.plans.is_empty() {
        ui.caption("Plain files. Files that are already assets are recognised during the import and skipped.");
    }
    if content.hidden > 0 {
        ui.caption(&format!("{} hidden or ignored files are skipped.", grouped(content.hidden as u64)));
    }
}

/// Draws the libraries in folders that are imported as plain files, each with a button that previews it instead.
fn offered_ui(ui: &mut Ui, preview: &Preview, content: &Content, actions: &mut Vec<Action>) {
    for LibraryAmongFiles { source, path } in content.offered.iter().take(MAX_LISTED) {
        ui.horizontal_wrapped(|ui| {
            ui.decoration(Icon::INFO.text().color(ui.tokens().muted));
            let path_shown = path.display().to_string();
            ui.label(format!("There is also a library of {} in {}.", source.program(), shown(&path_shown)));
            let reason = preview.sending.is_some().then_some("The import is in progress");
            let button = |ui: &mut Ui| ui.button("Preview it").accessible_name(format!("Preview {path_shown}"));
            if enabled_unless(ui, reason, button).clicked() {
                actions.push(PreviewAction::ShowLibrary(path.clone(), *source).into());
            }
        });
    }
    if let Some(more) = content.offered.len().checked_sub(MAX_LISTED).filter(|more| *more > 0) {
        ui.muted(&format!("and {more} more libraries"));
    }
}

/// Draws the progress of a task, and the button that cancels it.
fn work_ui(ui: &mut Ui, what: &str, task: Option<TaskId>, state: &State, actions: &mut Vec<Action>) {
    let Some(task) = task else { return };
    let known = progress_of(&state.work, task).filter(|(_, all)| *all > 0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        let share = known.map(|(done, all)| done as f32 / all as f32);
        progress(ui, what, share, 160.0);
        ui.muted(&match known {
            Some((done, all)) => format!("{what}: {} of {}", grouped(done as u64), grouped(all as u64)),
            None => format!("{what}…"),
        });
        let cancelling = state.work.iter().any(|work| work.task == task && work.cancelling);
        let reason = cancelling.then_some("It is being cancelled");
        let cancel = |ui: &mut Ui| ui.button("Stop").accessible_name(format!("Stop: {what}"));
        if enabled_unless(ui, reason, cancel).clicked() {
            actions.push(Action::Cancel(task));
        }
    });
}

/// Draws why reading failed, and what the user can do.
fn failed_ui(ui: &mut Ui, error: &str, preview: &Preview, actions: &mut Vec<Action>) {
    ui.error_text(&format!("This could not be read: {error}"));
    ui.caption("Nothing was imported. Check the file, or import it as a plain file.");
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = SPACE_S;
        if ui.button("Try again").clicked() {
            actions.push(PreviewAction::ReadAgain.into());
        }
        if preview.read_as != ReadAs::Files && ui.button("Import as plain files").clicked() {
            actions.push(PreviewAction::Read(ReadAs::Files).into());
        }
    });
}

/// Draws the footer; returns whether to close the dialog.
fn preview_footer_ui(
    ui: &mut Ui,
    preview: &Preview,
    state: &State,
    confirmed: bool,
    focus: &mut FirstFocus,
    actions: &mut Vec<Action>,
) -> bool {
    let rows_with_secrets = preview.content.value().map_or(0, |content| {
        let marked = content.rows.iter().zip(preview.marks.iter()).filter(|(_, marked)| **marked);
        marked.filter(|(row, _)| !row.secrets.is_empty()).count()
    });
    let importable = is_importable(preview);
    let left = |ui: &mut Ui, _: &mut Vec<Action>| match rows_with_secrets {
        0 => advice_ui(ui, preview, importable),
        1 => _ = ui.warning_text("1 marked item may contain a secret."),
        count => _ = ui.warning_text(&format!("{} marked items may contain secrets.", grouped(count as u64))),
    };
    footer_ui(ui, "import footer", actions, left, |ui, actions| {
        if importable {
            let name = match preview.marked {
                0 => "Import items".to_owned(),
                1 => "Import 1 item".to_owned(),
                count => format!("Import {} items", grouped(count as u64)),
            };
            let reason = import_disabled_reason(preview, state);
            if confirm_button(ui, reason.as_deref(), confirmed, |ui| ui.primary_button(&name)) {
                actions.push(PreviewAction::Import.into());
            }
        }
        let close = ui.button("Close");
        focus.keep_on(&close);
        close.clicked()
    })
}

/// Returns whether there is, or may be once it is read, an item that can be imported.
fn is_importable(preview: &Preview) -> bool {
    match preview.content.value() {
        Some(content) => content.rows.iter().any(|row| row.obstacle.is_none()),
        None => preview.content.error().is_none(),
    }
}

/// Says what to do while nothing is marked.
fn advice_ui(ui: &mut Ui, preview: &Preview, importable: bool) {
    let Remote::Known(content) = &preview.content else { return };
    if !importable && !content.rows.is_empty() {
        ui.muted("None of these items can be imported; each row says why.");
    } else if importable && preview.marked == 0 {
        ui.muted("Mark the items to import.");
    }
}

fn import_disabled_reason(preview: &Preview, state: &State) -> Option<String> {
    if preview.sending.is_some() {
        return Some("The import is in progress".to_owned());
    }
    if !matches!(preview.content, Remote::Known(_)) {
        return Some("The preview is not ready yet".to_owned());
    }
    if preview.asks_about_ids() {
        return Some("Choose what happens to the items whose ids are taken".to_owned());
    }
    disabled_reason(state, Capability::CreateAsset)
        .or_else(|| (preview.marked == 0).then(|| "No item is marked".to_owned()))
}
