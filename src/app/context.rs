//! What a feature may use of the rest: the connection, the preferences, messages to the user, the assets that are open,
//! the history, and background work.
//!
//! What must hold: a feature changes its own state; it asks another one by a request, which is carried out once the
//! feature that asks has finished.

use std::collections::BTreeMap;

use crate::app::action::Action;
use crate::app::assets::page::Pages;
use crate::app::background::Work;
use crate::app::bulk::BulkOperation;
use crate::app::confirm::Confirmation;
use crate::app::drafts::{Draft, DraftKey, DraftStore};
use crate::app::history::History;
use crate::app::inventory::InventoryStore;
use crate::app::notifications::Notifications;
use crate::app::runtime::Runtime;
use crate::app::session::Connection;
use crate::app::settings::{Preferences, Target};
use crate::app::{App, State};
use lunette_client::model::id::AssetId;

/// What a feature may use of the rest.
pub(in crate::app) struct Context<'a> {
    /// The service that is used.
    pub connection: &'a mut Connection,
    /// What the user chose about the program.
    pub preferences: &'a mut Preferences,
    /// Notifications and confirmations.
    pub notifications: &'a mut Notifications,
    /// Work that is shown.
    pub work: &'a mut Vec<Work>,
    /// The assets that were opened.
    pub pages: &'a mut Pages,
    /// The steps of this connection, and its runs.
    pub history: &'a mut History,
    /// The setup, the client, background work and the journal.
    pub runtime: &'a mut Runtime,
}

/// What is carried out once the feature that asks for it has finished.
pub(in crate::app) enum Request {
    /// A request that the user can make too, or one of a feature.
    Action(Box<Action>),
    /// Leaves the connection for another one.
    Connect(Target),
    /// The service answers: for the first time, or again after it was lost.
    Reached { again: bool },
    /// Asks the user for confirmation after the earlier requests are handled.
    Ask(Confirmation),
    /// The connection is lost: nothing of the service is followed any more.
    Lost,
    /// Drafts of the connection were read.
    Drafts(DraftStore, BTreeMap<DraftKey, Draft>),
    /// What is kept of the applications of the connection was found.
    Inventory(InventoryStore),
    /// Reads every list again.
    ReadAll,
    /// Forgets how the window was laid out.
    ResetLayout,
    /// The list of assets is reloaded: rows reported before need no request of their own.
    ListRead,
    /// Shows the plan of an operation on these assets, by their names as far as the list has them.
    PlanRun(BulkOperation, Vec<AssetId>),
    /// Writes are disabled: runs pause, work finishes what it started, and open confirmations are dropped.
    HoldWrites,
}

impl Context<'_> {
    /// Asks a feature for something.
    pub fn request(&mut self, action: impl Into<Action>) {
        self.request_later(Request::Action(Box::new(action.into())));
    }

    /// Asks for something that concerns several features.
    pub fn request_later(&mut self, request: Request) {
        self.runtime.requests.push_back(request);
    }
}

impl App {
    /// What may be used without a feature.
    pub(in crate::app) fn context(&mut self) -> Context<'_> {
        let State { connection, preferences, notifications, work, pages, history, .. } = &mut self.state;
        let runtime = &mut self.runtime;
        Context { connection, preferences, notifications, work, pages, history, runtime }
    }
}

/// A feature of an [`crate::app::App`] and its context.
macro_rules! split {
    ($app:expr, $feature:ident) => {{
        let crate::app::State {
            $feature: feature, connection, preferences, notifications, work, pages, history, ..
        } = &mut $app.state;
        let runtime = &mut $app.runtime;
        (
            feature,
            crate::app::context::Context { connection, preferences, notifications, work, pages, history, runtime },
        )
    }};
}

/// Calls a method of a feature of an [`crate::app::App`] with its context.
macro_rules! of_feature {
    ($app:expr, $feature:ident.$method:ident($($argument:expr),* $(,)?)) => {{
        let (feature, mut context) = crate::app::context::split!($app, $feature);
        feature.$method($($argument,)* &mut context)
    }};
}

pub(in crate::app) use {of_feature, split};
