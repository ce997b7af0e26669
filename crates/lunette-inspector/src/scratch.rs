//! A copy to try things on, in the window: made of everything or of the chosen assets, connected to, compared with what
//! it is of, and thrown away.
//!
//! What must hold: once the copy is made, nothing is asked of the service that it is of; everything that belongs to the
//! copy is in its folder, which is removed with it; a copy is never lost without the user: closing the window keeps it,
//! and the next start offers it.

mod actions;
mod output;
mod work;

pub use actions::{Action, Which};
pub(crate) use output::Output;

use crate::action::SessionAction;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::settings::{COPY, CopyTarget, Origin, Target};
use crate::sides::{LeftCopy, Progress, Scratch};
use crate::tasks::{CancelFlag, OwnedTask, TaskId};
use lunette_client::model::size::plural;
use std::path::PathBuf;
use std::sync::Arc;

/// What the copy of a service of another program does not have.
const SCORES: &str = " Scores that are not the sum of activities are not copied: the scores “manual” and “automatic” \
     become the sums of the activities that are received.";

/// The copy that is worked on, and those of earlier windows.
#[derive(Default)]
pub struct ScratchCopy {
    /// How far the copy is that is being made; `None` if none is.
    pub making: Option<Progress>,
    /// What the copy of this window is of.
    pub of: Option<Origin>,
    /// The copies that earlier windows kept.
    pub left: Arc<Vec<LeftCopy>>,
    /// Whether a copy is being removed.
    pub removing: bool,
    running: Option<Box<dyn Scratch>>,
    work: Option<OwnedTask>,
    /// Counts what was begun; results of what was begun earlier are outdated.
    number: u64,
}

impl ScratchCopy {
    /// Why no copy can be made now; `None` if one can.
    pub fn obstacle(&self) -> Option<&'static str> {
        match self {
            Self { making: Some(_), .. } => Some("A copy is being made"),
            Self { removing: true, .. } => Some("A copy is being removed"),
            Self { running: Some(_), .. } => Some("There is a copy already: throw it away first"),
            Self { .. } => None,
        }
    }

    /// The task that makes a copy, which goes on when another connection is chosen.
    pub(crate) fn task(&self) -> Option<TaskId> {
        self.work.as_ref().map(OwnedTask::id)
    }

    /// Looks for copies that earlier windows kept.
    pub(crate) fn look(&self, cx: &mut Context<'_>) {
        let Some(scratches) = cx.setup().embed.scratches() else { return };
        cx.run(async move { scratches.left().await }, Output::Left);
    }

    /// Takes in how far the copy is.
    pub(crate) fn progressed(&mut self, number: u64, progress: Progress) {
        if number == self.number && self.making.is_some() {
            self.making = Some(progress);
        }
    }

    /// Asks before a copy is made.
    fn ask(&mut self, which: Which, cx: &mut Context<'_>) {
        if self.refuses(cx) {
            return;
        }
        let name = origin_name(cx);
        let (what, where_from) = match &which {
            Which::All => ("everything".to_owned(), "Everything is copied"),
            Which::Assets(ids) if ids.len() == 1 => (plural(1, "asset"), "It is copied with its links"),
            Which::Assets(ids) => (plural(ids.len(), "asset"), "They are copied with their links"),
        };
        let scores = if cx.connection.vendor.is_lunette() { "" } else { SCORES };
        let text = format!(
            "{where_from} into a service of its own, which this window then shows.{scores} Whatever you do there changes nothing in \
             {name}, and nothing is sent to it. A bar above says so; from it you compare the copy with {name}, copy back what \
             you want, and throw the copy away."
        );
        let question = Confirmation::here(format!("Try on a copy of {what}?"), text, "Make a copy", |confirmed| {
            Action::Make(which, confirmed)
        });
        cx.ask_first(question);
    }

    /// Says why no copy can be made, if that is so.
    fn refuses(&self, cx: &mut Context<'_>) -> bool {
        let why = match self.obstacle() {
            Some(why) => Some(why),
            None if cx.setup().embed.scratches().is_none() => Some("This window has no built-in service to copy into"),
            None if cx.client().is_err() => Some("There is no connection"),
            None => None,
        };
        if let Some(why) = why {
            cx.show_success(format!("No copy was made: {why}"));
        }
        why.is_some()
    }

    /// Begins to make a copy.
    fn make(&mut self, which: Which, cx: &mut Context<'_>) {
        if self.refuses(cx) {
            return;
        }
        let (Some(scratches), Ok(client)) = (cx.setup().embed.scratches(), cx.client()) else { return };
        let of = Origin {
            target: Box::new(cx.connection.target.clone()),
            name: origin_name(cx),
            key: cx
                .connection
                .address
                .clone()
                .filter(|_| cx.connection.target != Target::Embedded)
                .unwrap_or_else(|| cx.connection.key()),
            made: jiff::Timestamp::now().to_string(),
            chosen: match &which {
                Which::All => None,
                Which::Assets(ids) => Some(ids.len()),
            },
        };
        self.number += 1;
        self.making = Some(Progress { done: 0, total: None });
        let cancel = CancelFlag::default();
        let job = work::Job {
            scratches,
            client,
            vendor: cx.connection.vendor,
            which,
            of,
            cancel: cancel.clone(),
            number: self.number,
            reporter: cx.reporter().throttled(),
        };
        let number = self.number;
        let task = cx.run(job.run(), move |made| Output::Made(number, made));
        self.work = Some(cx.show_owned(task, "Making a copy", cancel));
    }

    /// Shows a copy that runs.
    fn enter(&mut self, copy: Box<dyn Scratch>, of: Origin, cx: &mut Context<'_>) {
        let target = CopyTarget { url: copy.url(), folder: copy.folder(), of: of.clone() };
        // It looks as what it is a copy of does.
        let view = cx.preferences.settings.view_of(&of.key);
        cx.set(|settings| settings.save_view(COPY.to_owned(), view));
        self.of = Some(of);
        self.running = Some(copy);
        cx.request(SessionAction::Use(Target::Copy(Arc::new(target))));
    }

    /// The connection to the copy; `None` if there is none.
    fn target(&self) -> Option<Target> {
        let (copy, of) = (self.running.as_ref()?, self.of.clone()?);
        Some(Target::Copy(Arc::new(CopyTarget { url: copy.url(), folder: copy.folder(), of })))
    }

    /// Starts the service on a copy that an earlier window kept.
    fn reopen(&mut self, folder: PathBuf, cx: &mut Context<'_>) {
        let left = self.left.iter().find(|left| left.folder == folder).map(|left| left.of.clone());
        let (Some(of), Some(scratches), None) = (left, cx.setup().embed.scratches(), self.obstacle()) else { return };
        self.number += 1;
        self.making = Some(Progress { done: 0, total: None });
        let number = self.number;
        let reopen = async move { Ok(work::Made { copy: scratches.reopen(folder).await?, of, unstored: Vec::new() }) };
        let task = cx.run(reopen, move |made| Output::Made(number, made));
        self.work = Some(cx.show_owned(task, "Starting a copy", CancelFlag::default()));
    }

    /// Asks before a copy is thrown away: that of this window, or one that an earlier one kept.
    fn ask_discard(&self, folder: Option<PathBuf>, cx: &mut Context<'_>) {
        let left = self.left.iter().find(|left| Some(&left.folder) == folder.as_ref()).map(|left| &left.of);
        let Some(of) = left.or(self.of.as_ref()) else { return };
        let text = format!(
            "Everything that was changed on it and not copied back is gone, with its history. Nothing changes in {}.",
            of.name
        );
        let title = format!("Throw the copy of {} away?", of.name);
        let question = Confirmation::here(title, text, "Throw away", |confirmed| Action::Discard(folder, confirmed));
        cx.ask_first(Confirmation { deletes: true, ..question });
    }

    /// Goes back to what the copy of this window is of, and removes the copy; or removes one that an earlier window
    /// kept.
    fn discard(&mut self, folder: Option<PathBuf>, cx: &mut Context<'_>) {
        if let Some(folder) = folder {
            let Some(scratches) = cx.setup().embed.scratches() else { return };
            cx.run(async move { scratches.remove(folder).await }, Output::Removed);
            self.removing = true;
            return;
        }
        if self.running.is_none() {
            return;
        }
        if cx.connection.target.copy().is_some()
            && let Some(of) = &self.of
        {
            cx.request(SessionAction::Use((*of.target).clone()));
        }
        // Once nothing of the connection uses its folder.
        cx.request(Action::RemoveLeft);
    }

    /// Stops and removes the copy of this window, which is not connected any more.
    fn remove_left(&mut self, cx: &mut Context<'_>) {
        let Some(copy) = self.running.take() else { return };
        self.of = None;
        self.removing = true;
        cx.preferences.settings.forget_connection(COPY);
        cx.run(copy.discard(), Output::Removed);
    }
}

/// The name of the connected service within a sentence.
fn origin_name(cx: &Context<'_>) -> String {
    match &cx.connection.target {
        Target::Embedded => "the built-in service".to_owned(),
        Target::Url(url) => cx.preferences.settings.name_of(url).unwrap_or(url).to_owned(),
        Target::Copy(copy) => copy.of.name.clone(),
    }
}
