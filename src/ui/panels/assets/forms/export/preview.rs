//! The preview of a document: highlighted source, or rendered Markdown and HTML.
//!
//! What must hold: the work is done in the background, and only the start of a large document is shown.

use std::sync::Arc;

use egui::Ui;

use crate::ui::theme::UiExt as _;
use crate::ui::widgets::background::Background;
use crate::ui::widgets::code::{CodeState, CodeView, code_view};
use crate::ui::widgets::highlight::{Highlighted, highlight};
use crate::ui::widgets::markdown::{Markdown, MarkdownState, markdown};
use crate::ui::widgets::picture::{Picture, PictureError, PictureState, picture};
use crate::ui::widgets::placeholder::skeleton_text;
use crate::ui::widgets::{Choice, choose};
use lunette_inspector::export::Exported;
use lunette_syntax::{Budget, CancelToken};

/// Maximum size of the preview, in bytes.
const MAX_SHOWN: usize = 256_000;

/// The document being previewed, and its view state.
#[derive(Default)]
pub(super) struct ExportPreview {
    made: Background<Key, (Highlighted, Option<Markdown>)>,
    decoded: Background<Key, Result<Picture, PictureError>>,
    picture: PictureState,
    code: CodeState,
    markdown: MarkdownState,
    /// Whether Markdown and HTML are shown as source.
    source: bool,
}

/// The document being drawn; kept alive, so that its address is not reused.
#[derive(Clone)]
struct Key(Arc<Exported>, String);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) && self.1 == other.1
    }
}

impl ExportPreview {
    /// Draws the choice between rendered and source.
    pub(super) fn choice_ui(&mut self, ui: &mut Ui) {
        let choice = |value, name| Choice { value, name, icon: None };
        let views = [choice(false, "Rendered"), choice(true, "Source")];
        self.source = choose(ui, "View", self.source, &views).unwrap_or(self.source);
    }

    /// Draws a document that is a picture in the available space.
    pub(super) fn picture_ui(&mut self, ui: &mut Ui, document: &Arc<Exported>) {
        let key = Key(Arc::clone(document), String::new());
        let given = Arc::clone(document);
        let height = ui.available_height();
        match self.decoded.get(ui.ctx(), &key, move || Picture::decode(&given.bytes)) {
            None => skeleton_text(ui, "the picture", 8),
            Some(Err(problem)) => drop(ui.error_text(&format!("The picture could not be shown: {problem}"))),
            Some(Ok(Err(problem))) => drop(ui.error_text(&format!("The picture could not be shown: {problem}"))),
            Some(Ok(Ok(decoded))) => {
                picture(ui, "Picture of the code", decoded, &mut self.picture, height);
            }
        }
    }

    /// Draws the document in the available space.
    pub(super) fn ui(&mut self, ui: &mut Ui, document: &Arc<Exported>, specific: &str) {
        let key = Key(Arc::clone(document), specific.to_owned());
        let given = key.clone();
        let work = move |cancel: CancelToken| {
            let whole = given.0.text.as_deref().unwrap_or_default();
            let text = beginning(whole);
            let mut budget = Budget::new(cancel.clone());
            let rendered = match given.1.as_str() {
                "md" => Some(Markdown::new(text, &mut budget)),
                // Most of a page can be styles or a picture, so all of an HTML document is read.
                "html" => Some(Markdown::of_html(whole, &mut budget)),
                _ => None,
            };
            (highlight(text, &given.1, &mut Budget::new(cancel)), rendered)
        };
        let made = self.made.get_cancellable(ui.ctx(), &key, work);
        // Rendered documents report a truncation themselves.
        let rendered = matches!(&made, Some(Ok((_, Some(_))))) && !self.source;
        let cut = !rendered && document.text.as_deref().is_some_and(|text| text.len() > MAX_SHOWN);
        let height = ui.available_height() - if cut { 26.0 } else { 0.0 };
        match made {
            None => skeleton_text(ui, "the document", 8),
            Some(Err(problem)) => drop(ui.error_text(&format!("The document could not be shown: {problem}"))),
            Some(Ok((_, Some(rendered)))) if !self.source => {
                markdown(ui, "The document", rendered, &mut self.markdown, height);
            }
            Some(Ok((text, _))) => {
                code_view(ui, "The document", text, &mut self.code, height, CodeView::default());
            }
        }
        if cut {
            ui.caption("Only the beginning is shown. The saved and copied documents are complete.");
        }
    }
}

/// Returns the beginning of a document, in whole lines if it has any.
fn beginning(text: &str) -> &str {
    let cut = &text[..text.floor_char_boundary(MAX_SHOWN)];
    match cut.rfind('\n') {
        Some(end) if cut.len() < text.len() => &cut[..=end],
        _ => cut,
    }
}
