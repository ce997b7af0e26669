//! Creates an asset from the text or picture on the clipboard.

use std::sync::Arc;

use super::engine::{self, SeedError};
use super::{ImportSummary, Imports};
use crate::action::ImportAction;
use crate::capability::Capability;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::files::picture::Picture;
use crate::tasks::{Ended, blocking};
use crate::write::journaled::Failed;
use lunette_client::operation::table::AssetsCreateNewAsset;

/// The content of the clipboard.
#[derive(Clone, Debug, PartialEq)]
pub enum Captured {
    /// A text.
    Text(String),
    /// A picture.
    Picture(Arc<Picture>),
}

/// The maximum length of the name of a text, in characters.
const MAX_NAME_LENGTH: usize = 80;

impl Imports {
    /// Creates an asset from the content of the clipboard.
    pub(super) fn capture(&mut self, captured: Captured, cx: &mut Context<'_>) {
        if cx.blocks_write(Capability::CreateAsset, "Could not create the asset") {
            return;
        }
        match captured {
            Captured::Text(text) => self.create(name_of(&text), text, cx),
            Captured::Picture(picture) if cx.confirms() => {
                let title = "Create an asset from the picture on the clipboard?".to_owned();
                let text = "The picture becomes a PNG file. Undo deletes the new asset.";
                let then = |confirmed| ImportAction::CaptureConfirmed(picture, confirmed);
                cx.ask_first(Confirmation::import(title, text, then));
            }
            Captured::Picture(picture) => self.capture_picture(picture, cx),
        }
    }

    pub(super) fn capture_picture(&mut self, picture: Arc<Picture>, cx: &mut Context<'_>) {
        let vendor = cx.connection.vendor;
        let name = jiff::ZonedDateTime::now().strftime("Clipboard %Y-%m-%d %H.%M.%S.png").to_string();
        let title = name.clone();
        self.start_import(
            &title,
            move |step, report, _| async move {
                step.expect(1);
                let seed = blocking({
                    let name = name.clone();
                    move || {
                        let bytes = picture.png().map_err(|error| NotCaptured::Picture(error.to_string()))?;
                        Ok(engine::seed_of(&name, bytes, "From the clipboard", vendor)?)
                    }
                });
                let made = match seed.await.unwrap_or_else(|ended| Err(NotCaptured::Ended(ended))) {
                    Ok(seed) => {
                        let create = AssetsCreateNewAsset { transferables: Some(false), once: None, seed: Some(seed) };
                        let failed = |error: crate::CallError| Failed {
                            why: engine::failure_reason(&error),
                            unknown: error.outcome_unknown(),
                        };
                        step.make(create).await.map(drop).map_err(failed)
                    }
                    Err(error) => Err(Failed { why: error.to_string(), unknown: false }),
                };
                report(1, 1);
                match made {
                    Ok(()) => ImportSummary { imported: 1, ..ImportSummary::default() },
                    Err(Failed { why, unknown }) => ImportSummary {
                        rejected: vec![(name.into(), why)],
                        unknown: usize::from(unknown),
                        ..ImportSummary::default()
                    },
                }
            },
            cx,
        );
    }
}

/// Why a picture on the clipboard has no seed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
enum NotCaptured {
    /// It cannot be written as PNG.
    #[error("it could not be encoded as a picture: {0}")]
    Picture(String),
    /// It cannot become an asset.
    #[error(transparent)]
    Seed(#[from] SeedError),
    /// Encoding it panicked or was cancelled.
    #[error(transparent)]
    Ended(Ended),
}

/// Returns a name for a text: its first line that is not blank.
fn name_of(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("Clipboard");
    line.chars().take(MAX_NAME_LENGTH).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_named_by_its_first_line_that_is_not_blank() {
        assert_eq!(name_of("\n  fn main() {}  \nmore"), "fn main() {}");
        assert_eq!(name_of(&"é".repeat(200)).chars().count(), MAX_NAME_LENGTH);
        assert_eq!(name_of(" \n\t"), "Clipboard");
    }
}
