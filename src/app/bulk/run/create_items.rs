//! Items that are made once for all rows that link them.
//!
//! What must hold: an item whose making was cut off is looked for before it is made again.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::app::assets::linkable::read_items;
use crate::app::bulk::run::row::{Begun, RowExecutor};
use crate::app::bulk::{LedgerEvent, NewItem, Task};
use crate::app::change::{Change, Item};
use crate::app::write::plan::{self, Preflight};
use crate::app::{CallError, Transport};
use lunette_client::model::id::AssetId;

impl NewItem {
    /// The item a change would make.
    pub(super) fn of(change: &Change) -> Option<Self> {
        match change.clone() {
            Change::LinkNew { kind, text, url, .. } => Some(Self { kind, text, url }),
            Change::Link { .. }
            | Change::Unlink { .. }
            | Change::Relink { .. }
            | Change::Edit { .. }
            | Change::Record { .. }
            | Change::Text { .. }
            | Change::Reclassify { .. }
            | Change::Increment { .. }
            | Change::Create { .. }
            | Change::Delete { .. }
            | Change::Restore { .. }
            | Change::Purge { .. }
            | Change::Recreate { .. } => None,
        }
    }
}

impl<C: Transport> RowExecutor<C> {
    /// Makes what the rows would link and is not made yet. Fails with the reason why the run cannot begin.
    pub(super) async fn make_items(
        &mut self,
        rows: &VecDeque<Begun>,
        known: BTreeMap<NewItem, Option<Item>>,
    ) -> Result<(), String> {
        let wanted = |begun: &Begun| match &self.tasks[begun.row] {
            Task::Change(change) => NewItem::of(change),
            Task::Export(_) => None,
        };
        let wanted: BTreeSet<NewItem> = rows.iter().filter_map(wanted).collect();
        for new in wanted {
            let item = match known.get(&new) {
                Some(Some(item)) => item.clone(),
                Some(None) => match self.find(&new).await.map_err(|error| unmade(&new, &error.to_string()))? {
                    Some(item) => {
                        self.say(LedgerEvent::Made(new.clone(), item.clone()));
                        item
                    }
                    None => self.make(&new).await?,
                },
                None => self.make(&new).await?,
            };
            self.made.insert(new, item);
        }
        Ok(())
    }

    async fn make(&self, new: &NewItem) -> Result<Item, String> {
        let making = LedgerEvent::Making(new.clone());
        self.ledger.before(&making, true).await.map_err(|error| error.to_string())?;
        (self.tell)(making);
        let NewItem { kind, text, url } = new.clone();
        // Which asset it would be linked to does not matter to the call that makes it.
        let change = Change::LinkNew { asset: AssetId::random(), kind, text, url };
        let plan = match plan::plan_on(change, None).map_err(|problem| unmade(new, &problem))? {
            Preflight::Ready(plan) => plan,
            Preflight::NoOp(how) => return Err(unmade(new, &how)),
            Preflight::Conflict(_) => return Err(unmade(new, "the request cannot be built")),
        };
        let call = plan.calls.first().ok_or_else(|| unmade(new, "the request cannot be built"))?;
        let reply = self.caller.reply(call).await.map_err(|error| match error.outcome_unknown() {
            true => unsure(new, &error),
            false => unmade(new, &error.to_string()),
        })?;
        let item = kind.created(reply).ok_or_else(|| unmade(new, "the response belongs to another operation"))?;
        self.say(LedgerEvent::Made(new.clone(), item.clone()));
        Ok(item)
    }

    /// Looks for an item whose making was cut off.
    async fn find(&self, new: &NewItem) -> Result<Option<Item>, CallError> {
        let NewItem { kind, text, url } = new;
        let same = |known: &Item| known.text == *text && (url.is_none() || known.url == *url);
        let kind = *kind;
        let items = self
            .caller
            .read(&kind.list_call(self.own.then_some(false), None), move |body| read_items(body, kind))
            .await?;
        Ok(items.into_iter().find(same))
    }
}

fn unsure(new: &NewItem, error: &CallError) -> String {
    let what = format!("the {} “{}” to link", new.kind.one(), new.text);
    format!("it is unknown whether {what} was created: {error}; resuming looks for it before creating it again")
}

fn unmade(new: &NewItem, why: &str) -> String {
    format!("the {} “{}” to link could not be created: {why}; resume to try again", new.kind.one(), new.text)
}
