//! Items that are created once for all rows that link them.
//!
//! What must hold: an item whose creation was interrupted is searched for before it is created again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Display;

use crate::assets::linkable::read_items;
use crate::change::{Change, Item};
use crate::db::Durability;
use crate::runs::run::row::{LedgerLog, RowAttempt, RowExecutor};
use crate::runs::{LedgerError, LedgerEvent, NewItem, Task};
use crate::write::engine::send_recorded;
use crate::write::plan::{self, Preflight};
use crate::{CallError, Transport};
use lunette_client::model::id::AssetId;

impl NewItem {
    /// The item that a change creates.
    pub(super) fn of(change: &Change) -> Option<Self> {
        let Change::LinkNew { kind, text, url, .. } = change.clone() else { return None };
        Some(Self { kind, text, url })
    }
}

impl<C: Transport> RowExecutor<C> {
    /// Creates the items that the rows link and that do not exist yet. Fails if one cannot be created, so that the run
    /// cannot begin.
    pub(super) async fn create_items(
        &mut self,
        rows: &VecDeque<RowAttempt>,
        known: BTreeMap<NewItem, Option<Item>>,
    ) -> Result<(), NotCreated> {
        let wanted = |attempt: &RowAttempt| match &self.tasks[attempt.row] {
            Task::Change(change) => NewItem::of(change),
            Task::Export(_) => None,
        };
        let wanted: BTreeSet<NewItem> = rows.iter().filter_map(wanted).collect();
        for new in wanted {
            let item = match known.get(&new) {
                Some(Some(item)) => item.clone(),
                Some(None) => match self.find(&new).await.map_err(|error| unmade(&new, error))? {
                    Some(item) => {
                        self.record(LedgerEvent::Made(new.clone(), item.clone()));
                        item
                    }
                    None => self.create(&new).await?,
                },
                None => self.create(&new).await?,
            };
            self.made.insert(new, item);
        }
        Ok(())
    }

    async fn create(&self, new: &NewItem) -> Result<Item, NotCreated> {
        let NewItem { kind, text, url } = new.clone();
        // The call that creates the item does not depend on the asset.
        let change = Change::LinkNew { asset: AssetId::random(), kind, text, url, unlink: Vec::new() };
        let plan = match plan::plan_on(change, None).map_err(|problem| unmade(new, problem))? {
            Preflight::Ready(plan) => plan,
            Preflight::NoOp(how) => return Err(unmade(new, how)),
            Preflight::Conflict(_) => return Err(unmade(new, "the request cannot be built")),
        };
        let call = plan.calls.first().ok_or_else(|| unmade(new, "the request cannot be built"))?;
        let send = async {
            let reply = self.caller.reply(call).await.map_err(|error| match error.outcome_unknown() {
                true => NotCreated::Unknown { new: new.clone(), error },
                false => unmade(new, error),
            })?;
            kind.created(reply).ok_or_else(|| unmade(new, "the response belongs to another operation"))
        };
        let log = LedgerLog::new(
            self,
            LedgerEvent::Making(new.clone()),
            Durability::Synced,
            |item: &Result<Item, NotCreated>| {
                item.as_ref().ok().map(|item| LedgerEvent::Made(new.clone(), item.clone()))
            },
        );
        send_recorded(log, send).await?
    }

    /// Searches for an item whose creation was interrupted.
    async fn find(&self, new: &NewItem) -> Result<Option<Item>, CallError> {
        let NewItem { kind, text, url } = new;
        let same = |known: &Item| known.text == *text && (url.is_none() || known.url == *url);
        let kind = *kind;
        let items = self
            .caller
            .read(&kind.list_call(self.vendor.is_lunette().then_some(false), None), move |body| read_items(body, kind))
            .await?;
        Ok(items.into_iter().find(same))
    }
}

/// Why the run cannot begin: an item that its rows link could not be created.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum NotCreated {
    /// It may have been created.
    #[error(
        "it is unknown whether the {} “{}” to link was created: {error}; resuming looks for it before creating it again",
        new.kind.one(), new.text
    )]
    Unknown { new: NewItem, error: CallError },
    /// It was not created.
    #[error("the {} “{}” to link could not be created: {why}; resume to try again", new.kind.one(), new.text)]
    Failed { new: NewItem, why: String },
    /// The ledger cannot have it.
    #[error(transparent)]
    NotRecorded(#[from] LedgerError),
}

fn unmade(new: &NewItem, why: impl Display) -> NotCreated {
    NotCreated::Failed { new: new.clone(), why: why.to_string() }
}
