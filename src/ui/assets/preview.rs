//! What an asset holds: code in colours, Markdown as it reads, a picture; else what is known of it, and Save.
//!
//! What must hold: drawing never waits. Colours and pictures are worked out on a thread, and what is large comes only
//! when asked for.

use egui::Ui;

use crate::app::content;
use crate::app::state::{AssetPage, Content};
use crate::app::{Action, Remote, State};
use crate::model::asset::Asset;
use crate::model::id::AssetId;
use crate::model::language::language;
use crate::model::record::View;
use crate::model::syntax::Budget;
use crate::ui::background::Background;
use crate::ui::failure::{failure_ui, stale_ui};
use crate::ui::moment;
use crate::ui::obstacle::unless;
use crate::ui::theme::{Icon, UiExt as _};
use crate::ui::widget::code::{CodeState, LINE, code};
use crate::ui::widget::highlight::{Highlighted, highlight};
use crate::ui::widget::markdown::{Markdown, MarkdownState, markdown};
use crate::ui::widget::picture::{Picture, PictureError, PictureState, picture};
use crate::ui::widget::shown_short;
use crate::ui::widget::state::skeleton_text;

/// The work on the content shown, and how it is looked at.
#[derive(Default)]
pub struct Preview {
    prepared: Background<Key, Prepared>,
    code: CodeState,
    markdown: MarkdownState,
    picture: PictureState,
    /// Whether Markdown is shown as it was written.
    source: bool,
    shown: Option<AssetId>,
}

/// What the work is done for: equal contents in the same language look the same.
type Key = (Content, String);

/// A content ready to be drawn.
enum Prepared {
    Text(Highlighted),
    Markdown(Highlighted, Markdown),
    Bytes(Result<Picture, PictureError>),
}

impl Preview {
    /// Draws the content and what it is loaded by.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        id: &AssetId,
        asset: View<'_, Asset>,
        page: &AssetPage,
        state: &State,
        actions: &mut Vec<Action>,
    ) {
        if self.shown.as_ref() != Some(id) {
            self.shown = Some(id.clone());
            self.prepared.cancel();
            (self.code, self.picture) = Default::default();
        }
        let height = (ui.clip_rect().height() * 0.56).clamp(180.0, 720.0);
        let format = content::original(asset).map(|format| format.classification());
        let specific = format.map(|format| format.specific()).unwrap_or_default();
        self.bar_ui(ui, specific, state, actions);
        if fault_ui(ui, &page.content) {
            actions.push(Action::LoadContent(id.clone()));
        }
        match (page.content.value(), &page.content) {
            (Some(Content::Large(size)), content) => large_ui(ui, id, *size, content.loading(), actions),
            (Some(Content::None), _) => {
                ui.muted("The service gave no content of this asset.");
            }
            (Some(content @ (Content::Text(_) | Content::Bytes(_))), _) => {
                self.content_ui(ui, id, asset, content, specific, height, actions);
            }
            (None, Remote::Failed { .. }) => {}
            (None, Remote::Unasked) if !state.settings.transferables => {
                ui.muted("Content is not loaded with assets.");
                if ui.button("Load the content of this one").clicked() {
                    actions.push(Action::LoadContent(id.clone()));
                }
            }
            (None, _) => skeleton_text(ui, "the content", 6),
        }
    }

    fn bar_ui(&mut self, ui: &mut Ui, specific: &str, state: &State, actions: &mut Vec<Action>) {
        ui.horizontal(|ui| {
            if is_markdown(specific) {
                for (source, name) in [(false, "Rendered"), (true, "Source")] {
                    if ui.selectable_label(self.source == source, name).clicked() {
                        self.source = source;
                    }
                }
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let mut on = state.settings.transferables;
                let check = ui.checkbox(&mut on, "Load content");
                let meaning =
                    "Whether content comes along when an asset is opened (the interface calls it transferables)";
                if check.on_hover_text(meaning).changed() {
                    actions.push(Action::Transferables(on));
                }
            });
        });
    }

    #[expect(clippy::too_many_arguments, reason = "one call, and each is another part of the frame")]
    fn content_ui(
        &mut self,
        ui: &mut Ui,
        id: &AssetId,
        asset: View<'_, Asset>,
        content: &Content,
        specific: &str,
        height: f32,
        actions: &mut Vec<Action>,
    ) {
        let key = (content.clone(), specific.to_owned());
        let (given, language) = key.clone();
        let work = move |cancel| prepare(&given, &language, &mut Budget::new(cancel));
        let name = shown_short(asset.name().unwrap_or_default(), 120).into_owned();
        match self.prepared.get_cancellable(ui.ctx(), &key, work) {
            None => skeleton_text(ui, "the content", 6),
            Some(Err(problem)) => {
                ui.error_text(&format!("the content could not be shown: {problem}"));
                bytes_ui(ui, id, asset, actions);
            }
            Some(Ok(Prepared::Markdown(_, text))) if !self.source => {
                markdown(ui, &format!("Content of {name}"), text, &mut self.markdown, height);
            }
            Some(Ok(Prepared::Markdown(text, _) | Prepared::Text(text))) => {
                if let Some(note) = text.note() {
                    ui.caption(&note);
                }
                let height = height.min((text.line_count() as f32 * LINE + 26.0).max(96.0));
                code(ui, &format!("Content of {name}"), text, &mut self.code, height);
            }
            Some(Ok(Prepared::Bytes(Ok(decoded)))) => {
                picture(ui, &format!("Picture {name}"), decoded, &mut self.picture, height);
            }
            Some(Ok(Prepared::Bytes(Err(problem)))) => {
                let generic = content::original(asset).map(|format| format.classification().generic());
                if generic == Some("IMAGE") || *problem != PictureError::Format {
                    ui.warning_text(&problem.to_string());
                }
                bytes_ui(ui, id, asset, actions);
            }
        }
    }
}

/// Why the content could not be loaded, if it could not; true when it is to be tried again.
fn fault_ui(ui: &mut Ui, content: &Remote<Content>) -> bool {
    match (content.error(), content.value()) {
        (None, _) => false,
        (Some(error), Some(_)) => stale_ui(ui, "The content", error),
        (Some(error), None) => failure_ui(ui, "The content could not be loaded", error),
    }
}

fn prepare(content: &Content, specific: &str, budget: &mut Budget) -> Prepared {
    match content {
        Content::Bytes(bytes) => Prepared::Bytes(Picture::decode(bytes)),
        Content::Text(text) if is_markdown(specific) => {
            Prepared::Markdown(highlight(&**text, specific, budget), Markdown::new(text, budget))
        }
        Content::Text(text) => Prepared::Text(highlight(&**text, specific, budget)),
        Content::Large(_) | Content::None => Prepared::Text(Highlighted::plain("")),
    }
}

fn is_markdown(specific: &str) -> bool {
    matches!(specific, "md" | "markdown" | "mdown" | "mdwn" | "markdn" | "mkd")
}

fn large_ui(ui: &mut Ui, id: &AssetId, size: i64, loading: bool, actions: &mut Vec<Action>) {
    let size = moment::size(size);
    ui.muted(&format!("This asset holds {size}. It is loaded only when asked for."));
    let held = loading.then_some("It is on its way");
    if unless(ui, held, |ui| ui.button(format!("Load {size}"))).clicked() {
        actions.push(Action::LoadContent(id.clone()));
    }
}

/// What is known of content that is neither text nor a picture.
fn bytes_ui(ui: &mut Ui, id: &AssetId, asset: View<'_, Asset>, actions: &mut Vec<Action>) {
    if let Some(format) = content::original(asset) {
        let classification = format.classification();
        let specific = classification.specific();
        ui.key_value("Kind", language(specific).map_or(specific, |language| language.name));
        let bytes = format.bytes().value();
        ui.key_value("Size", &moment::size(bytes)).on_hover_text(moment::exact_size(bytes));
    }
    ui.muted("This is a binary file: save it to look at it with another program.");
    if ui.icon_text_button(Icon::SAVE, "Save…").clicked() {
        actions.push(Action::SaveContent(id.clone()));
    }
}
