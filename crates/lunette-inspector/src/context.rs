//! What a feature may use of the rest: the connection, the preferences, messages to the user, opened assets,
//! the history, and background work.
//!
//! What must hold: a feature changes its own state; it asks another one by a request, which is carried out once the
//! feature that asks has finished.

use std::collections::BTreeMap;

use crate::action::Action;
use crate::assets::page::Pages;
use crate::background::Work;
use crate::bulk::BulkOperation;
use crate::confirm::Confirmation;
use crate::drafts::{Draft, DraftKey, DraftStore};
use crate::history::History;
use crate::inventory::InventoryStore;
use crate::notifications::Notifications;
use crate::runtime::Runtime;
use crate::session::Connection;
use crate::settings::{Preferences, Target};
use crate::{App, State};
use lunette_client::model::id::AssetId;

/// What a feature may use of the rest.
pub(crate) struct Context<'a> {
    /// The connection.
    pub connection: &'a mut Connection,
    /// The settings and the view.
    pub preferences: &'a mut Preferences,
    /// Notifications and confirmations.
    pub notifications: &'a mut Notifications,
    /// Displayed work.
    pub work: &'a mut Vec<Work>,
    /// The opened assets.
    pub pages: &'a mut Pages,
    /// The steps of this connection, and its runs.
    pub history: &'a mut History,
    /// The setup, the client, background work and the journal.
    pub runtime: &'a mut Runtime,
}

/// What is carried out once the feature that asks for it has finished.
pub(crate) enum Request {
    /// An action of the user or of a feature.
    Action(Box<Action>),
    /// Leaves the connection for another one.
    Connect(Target),
    /// The service responds: for the first time, or again after it was lost.
    Reached { again: bool },
    /// Asks the user for confirmation after the earlier requests are handled.
    Ask(Confirmation),
    /// The connection is lost: the service is no longer followed.
    Lost,
    /// Drafts of the connection were read.
    Drafts(DraftStore, BTreeMap<DraftKey, Draft>),
    /// The stored inventory of the connection was read.
    Inventory(InventoryStore),
    /// Reloads every list.
    ReadAll,
    /// Resets the layout of the window.
    ResetLayout,
    /// The list of assets is reloaded: rows reported before need no request of their own.
    ListRead,
    /// Shows the plan of an operation on these assets, with the names that the list has.
    PlanRun(BulkOperation, Vec<AssetId>),
    /// Loads the graph after the list of assets, which has the names of most nodes.
    ReadGraph,
    /// Reads the activity of the open tag, website or summary after the list of assets, which names its assets.
    ReadItemActivity,
    /// Writes are disabled: runs pause, work finishes what it started, and open confirmations are dropped.
    HoldWrites,
}

impl Context<'_> {
    /// Asks a feature to perform an action, once this one has finished.
    pub fn request(&mut self, action: impl Into<Action>) {
        self.request_later(Request::Action(Box::new(action.into())));
    }

    /// Requests a transition that concerns several features.
    pub fn request_later(&mut self, request: Request) {
        self.runtime.requests.push_back(request);
    }
}

impl App {
    /// The context without a feature.
    pub(crate) fn context(&mut self) -> Context<'_> {
        let State { connection, preferences, notifications, work, pages, history, .. } = &mut self.state;
        let runtime = &mut self.runtime;
        Context { connection, preferences, notifications, work, pages, history, runtime }
    }
}

/// A feature of an [`crate::App`] and its context.
macro_rules! split {
    ($app:expr, $feature:ident) => {{
        let crate::State { $feature: feature, connection, preferences, notifications, work, pages, history, .. } =
            &mut $app.state;
        let runtime = &mut $app.runtime;
        (feature, crate::context::Context { connection, preferences, notifications, work, pages, history, runtime })
    }};
}

/// Calls a method of a feature of an [`crate::App`] with its context.
macro_rules! of_feature {
    ($app:expr, $feature:ident.$method:ident($($argument:expr),* $(,)?)) => {{
        let (feature, mut context) = crate::context::split!($app, $feature);
        feature.$method($($argument,)* &mut context)
    }};
}

pub(crate) use {of_feature, split};
