//! Assistants in the window: who they are, what they read, what they may do, and the token that they need over HTTP.
//!
//! What must hold: a decision is on disk before it is shown; the token is in no list, log or message.

mod actions;
mod row;

pub(crate) use actions::Output;
pub use actions::{Action, Decision};
pub use row::AssistantRow;
pub(crate) use row::Found;

use std::fmt;
use std::sync::Arc;

use super::{Assistants, TokenFile};
use crate::context::Context;
use crate::db::Database;
use crate::following::{FollowError, Following, follow};
use crate::listing::{Listing, RowList};
use crate::output::ProgressEvent;
use crate::{CallError, Remote};

/// The token; `None` if there is none.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(Option<String>);

impl Token {
    /// Its text, to be copied.
    pub fn text(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// What is drawn of it unless all of it was asked for.
    pub fn masked(&self) -> Option<String> {
        let end: String = self.text()?.chars().rev().take(4).collect();
        Some(format!("••••••••{}", end.chars().rev().collect::<String>()))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token({:?})", self.masked())
    }
}

/// The assistants of the data folder.
#[derive(Default)]
pub struct AssistantsPage {
    /// Whether they are shown.
    pub open: bool,
    /// All of them by name.
    pub list: Listing<AssistantRow>,
    /// The token, once it was read.
    pub token: Remote<Token, String>,
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
