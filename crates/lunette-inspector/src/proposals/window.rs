//! Proposals in the window: the list, which follows what assistants and other programs write; the open proposal, and
//! its changes; applying, declining and undoing in the background.
//!
//! What must hold: nothing is sent but what the user was shown and applied here; what others decide meanwhile is seen,
//! and never decided twice.

mod actions;
mod output;
mod row;
mod work;

pub use actions::Action;
pub(crate) use output::Output;
pub use row::{ChangeRow, Found, ProposalRow};

use std::path::PathBuf;
use std::sync::Arc;

use super::{Proposal, ProposalStore};
use crate::context::Context;
use crate::db::Database;
use crate::following::{Following, follow};
use crate::listing::{Listing, RowList};
use crate::output::ProgressEvent;
use crate::{CallError, Remote};

/// What is being done about a proposal in this window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// It is being applied.
    Applying,
    /// It is being declined.
    Declining,
    /// It is being undone, or everything of its assistant is.
    Undoing,
}

/// The open proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenProposal {
    /// Its number.
    pub number: u64,
    /// The proposal with its changes; why it cannot be read.
    pub proposal: Remote<Arc<Proposal>, String>,
    /// Why the last decision about it was not taken; nothing was sent.
    pub problem: Option<String>,
}

/// The proposals of the connection.
#[derive(Default)]
pub struct ProposalsPage {
    /// All of them, those that wait last.
    pub list: Listing<ProposalRow>,
    /// How many wait.
    pub waiting: usize,
    /// How many wait at other connections, by the name of each.
    pub elsewhere: Arc<Vec<(String, usize)>>,
    /// The open one.
    pub open: Option<OpenProposal>,
    /// The changes of the open one.
    pub changes: Listing<ChangeRow>,
    /// What is being done, and about which proposal; `None` for everything of an assistant.
    pub doing: Option<(Doing, Option<u64>)>,
    /// Whether proposals that were cut off are being read again.
    settling: bool,
    place: Option<Place>,
    following: Option<Following>,
    /// Counts connections; results of an earlier one concern no proposal of this one.
    number: u64,
}

/// Where the proposals are.
#[derive(Clone)]
struct Place {
    store: ProposalStore,
    connection: String,
    folder: PathBuf,
}

impl ProposalsPage {
    /// Whether there is anything to be seen.
    pub fn is_begun(&self) -> bool {
        self.list.count() > 0 || !self.elsewhere.is_empty()
    }

    /// Whether a decision is under way.
    pub fn is_busy(&self) -> bool {
        self.doing.is_some()
    }

    /// The open proposal, once it was read.
    pub fn shown(&self) -> Option<&Arc<Proposal>> {
        self.open.as_ref()?.proposal.value()
    }

    /// The row of a proposal.
    pub fn row(&self, number: u64) -> Option<&Arc<ProposalRow>> {
        self.list.iter().find(|row| row.number == number)
    }

    /// Forgets what belongs to the connection. What is being applied goes on, and the history has it.
    pub(crate) fn leave(&mut self) {
        let queries = (std::mem::take(&mut self.list.query), std::mem::take(&mut self.changes.query));
        *self = Self { number: self.number + 1, ..Self::default() };
        (self.list.query, self.changes.query) = queries;
    }

    /// Reads them again.
    pub(crate) fn reload(&mut self) {
        self.list.rows.start_loading();
        if let Some(following) = &self.following {
            following.read_now();
        }
    }

    /// Follows the proposals of a connection in its database.
    pub(crate) fn follow(&mut self, database: Option<&(Arc<Database>, String)>, cx: &mut Context<'_>) {
        let Some((database, connection)) = database else {
            (self.place, self.following) = (None, None);
            let problem = "this window has no data folder, in which proposals are kept".to_owned();
            return self.list.resolve(Err(CallError::Internal { target: None, problem }));
        };
        self.list.rows.start_loading();
        let store = ProposalStore::of(Arc::clone(database), connection);
        let folder = database.folder().to_owned();
        self.place = Some(Place { store: store.clone(), connection: connection.clone(), folder });
        let reporter = cx.reporter();
        let send = move |found| reporter.report(ProgressEvent::Proposals(found));
        self.following = cx.database_watch().map(|watch| follow(watch, row::reader(store), send));
    }

    fn show_changes(&mut self) {
        let rows = self.shown().map(ChangeRow::of_all).unwrap_or_default();
        self.changes.set_rows(Remote::Known(RowList::from(rows)));
    }
}
