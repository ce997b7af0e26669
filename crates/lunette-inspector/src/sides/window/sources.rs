//! What is typed or picked for the sides, and what is wrong with it.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Output, SidesPage};
use crate::compare::Position;
use crate::context::Context;
use crate::notifications::Topic;
use crate::settings::Target;
use crate::setup::{NotPicked, picked};
use crate::sides::{Location, SideError};
use crate::tasks::blocking;
use lunette_client::model::display::capitalized;

/// The texts of the sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// What the fields say.
    pub texts: [String; 2],
    /// What is wrong with them, in sentences.
    pub problems: [Option<String>; 2],
    /// Counts changes that were not typed, so that the fields notice them.
    pub number: u64,
}

/// What is picked in a dialog of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// A backup or an archive.
    File,
    /// A folder of files or of data.
    Folder,
}

impl Sources {
    /// Sets what a field says.
    pub(super) fn set(&mut self, at: Position, text: &str) {
        self.typed(at, text.to_owned());
        self.number += 1;
    }

    fn typed(&mut self, at: Position, text: String) {
        if self.texts[at.index()] != text {
            self.problems[at.index()] = None;
            self.texts[at.index()] = text;
        }
    }
}

impl SidesPage {
    /// Takes in what was typed.
    pub(super) fn typed(&mut self, at: Position, text: String) {
        self.sources.typed(at, text);
    }

    /// Checks what a field says, without reading the side.
    pub(super) fn check(&self, at: Position, cx: &mut Context<'_>) {
        let text = self.sources.texts[at.index()].clone();
        if text.trim().is_empty() || text.trim() == "original" && cx.connection.target.copy().is_some() {
            return;
        }
        let checked = text.clone();
        let check = async move {
            let parsed = blocking(move || Location::parse(checked.trim())).await?;
            parsed.map(drop).map_err(SideError::from)
        };
        cx.run(check, move |checked| Output::Checked(at, text, checked));
    }

    pub(super) fn checked(&mut self, at: Position, text: &str, checked: Result<(), SideError>) {
        if self.sources.texts[at.index()] == text {
            self.sources.problems[at.index()] = checked.err().map(|error| capitalized(&error.to_string()));
        }
    }

    /// Lets the user pick a file or a folder for a side.
    pub(super) fn pick(&mut self, at: Position, what: Pick, cx: &mut Context<'_>) {
        let dialogs = Arc::clone(&cx.setup().dialogs);
        let pick = async move {
            match what {
                Pick::File => Ok(picked(dialogs.files(), dialogs).await?.into_iter().next()),
                Pick::Folder => picked(dialogs.folder(), dialogs).await,
            }
        };
        cx.run(pick, move |end| Output::Picked(at, end));
    }

    pub(super) fn picked(&mut self, at: Position, end: Result<Option<PathBuf>, NotPicked>, cx: &mut Context<'_>) {
        match end {
            Ok(Some(path)) => {
                self.sources.set(at, &path.display().to_string());
                self.check(at, cx);
            }
            Ok(None) => {}
            Err(error) => cx.notify_failed(Topic::Sides, format!("Nothing was picked: {error}"), Vec::new()),
        }
    }

    /// The fields before anything was typed: this connection, or a copy and what it is of.
    pub(crate) fn prepare(&mut self, target: &Target) {
        let texts = match target {
            Target::Copy(_) => ["original", "own"],
            Target::Embedded | Target::Url(_) => ["own", ""],
        };
        if self.sources.number == 0
            || self.sources.texts.iter().all(|text| matches!(text.trim(), "" | "own" | "original"))
        {
            Position::ALL.into_iter().zip(texts).for_each(|(at, text)| self.sources.set(at, text));
        }
    }
}
