//! Assistants in the window: who they are, what they read, what they may do, and the token that they need over HTTP.
//!
//! What must hold: a decision is on disk before it is shown; the token is in no list, log or message.

mod actions;
mod row;

pub(crate) use actions::Output;
pub use actions::{Action, Decision};
pub use row::AssistantRow;
pub(crate) use row::Found;

use std::sync::Arc;

use super::{Assistants, Token, TokenFile};
use crate::context::Context;
use crate::db::Database;
use crate::following::{FollowError, Following, follow};
use crate::listing::{Listing, RowList};
use crate::output::ProgressEvent;
use crate::{CallError, Remote};

/// The assistants of the data folder.
#[derive(Default)]
pub struct AssistantsPage {
    /// Whether they are shown.
    pub open: bool,
    /// All of them by name.
    pub list: Listing<AssistantRow>,
    /// The token, once the file was read; `None` if there is none.
    pub token: Remote<Option<Token>, String>,
    place: Option<(Assistants, TokenFile)>,
    following: Option<Following>,
}

impl AssistantsPage {
    /// The assistant with this name.
    pub fn row(&self, name: &str) -> Option<&Arc<AssistantRow>> {
        self.list.iter().find(|row| row.name == name)
    }

    /// Follows the assistants in the database of a data folder.
    pub(crate) fn follow(&mut self, database: Option<&(Arc<Database>, String)>, cx: &mut Context<'_>) {
        let Some((database, _)) = database else {
            (self.place, self.following) = (None, None);
            let problem = "this window has no data folder, in which assistants are recorded".to_owned();
            return self.list.resolve(Err(CallError::Internal { target: None, problem }));
        };
        self.list.rows.start_loading();
        let assistants = Assistants::of(Arc::clone(database));
        self.place = Some((assistants.clone(), TokenFile::of(database.folder())));
        let reporter = cx.reporter();
        let send = move |found| reporter.report(ProgressEvent::Assistants(found));
        self.following = cx.database_watch().map(|watch| follow(watch, row::reader(assistants), send));
    }

    /// Takes in what others, or this window, wrote.
    pub(crate) fn followed(&mut self, found: Result<Found, FollowError>) {
        self.list.resolve(found.map(RowList::from).map_err(CallError::from));
    }

    fn reload(&mut self) {
        self.list.rows.start_loading();
        if let Some(following) = &self.following {
            following.read_now();
        }
    }
}
