//! The Trash of the service: deleted assets, listed, restored, and deleted permanently.
//!
//! What must hold: deleting permanently, or restoring more than one asset, needs confirmation with the number of
//! assets. Each of these is a step of the history.

mod actions;
mod output;

pub use actions::Action;
pub(crate) use output::Output;

use crate::action::TrashAction;
use lunette_client::client::Purpose;
use std::collections::HashSet;
use std::sync::Arc;

use crate::action::WriteAction;
use crate::bulk::Batch;
use crate::bulk::NamedAssets;
use crate::capability::Capability;
use crate::change::Change;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::journal::EntryRelation;
use crate::listing::rows::{Shared, TrashRow};
use crate::listing::{Listing, RowList};
use crate::notifications::Topic;
use crate::request_versions::ResourceKey;
use crate::runs::trash_title;
use crate::write::journaled::{self, Failed, WriteContext};
use crate::{CallError, Transport};
use lunette_client::model::asset::Assets;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::model::size::{grouped, plural};
use lunette_client::operation::table::{AssetsTrashEmpty, AssetsTrashSnapshot};
use lunette_client::operation::{Call, Operation as _};

/// The page size.
const PAGE: u64 = 500;
/// Our choice: at most this many assets of the Trash are read, the most recently deleted ones.
pub const MAX_ROWS: usize = 100_000;
/// How many assets of a batch are in flight at once.
const IN_FLIGHT: usize = 4;

/// The state of the Trash.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trash {
    /// Whether it is shown.
    pub open: bool,
    /// The deleted assets, the most recently deleted first.
    pub listing: Listing<TrashRow>,
    /// Whether it is being emptied.
    pub emptying: bool,
}

/// What it means to delete these assets for good.
fn gone(assets: &str) -> String {
    format!(
        "{assets} and their content are deleted permanently. This cannot be undone. The service keeps their versions as long as \
         its limits allow; the list as it was has them, and a new asset can be made from one."
    )
}

impl Trash {
    /// Asks our own service for its Trash, so that messages about Undo are true. No other service has one.
    pub(crate) fn ask_for_trash(&self, cx: &mut Context<'_>) {
        let client = match cx.client() {
            Ok(client) if cx.connection.vendor.is_lunette() => client.for_purpose(Purpose::Background),
            Ok(_) | Err(_) => return,
        };
        let ask = async move {
            // The capabilities are learned from the result, as from that of any call.
            client.exchange(&AssetsTrashSnapshot { offset: None, limit: Some(1) }.into()).await;
            Ok(())
        };
        let failure = "Could not find out whether this service has a Trash";
        cx.run_reporting(failure, ask, |_| Output::Asked);
    }

    /// Reloads and shows the Trash, or closes it.
    pub(super) fn show_trash(&mut self, open: bool, cx: &mut Context<'_>) {
        self.open = open;
        if open {
            self.load_trash(cx);
        }
    }

    pub(super) fn load_trash(&mut self, cx: &mut Context<'_>) {
        self.listing.rows.start_loading();
        let client = cx.client();
        cx.read(ResourceKey::Trash, async move { list(&client?).await }, Output::Listed);
    }

    pub(super) fn trash_read(&mut self, rows: Result<Vec<Arc<TrashRow>>, CallError>, cx: &mut Context<'_>) {
        // A service without a Trash may read the path as that of an asset with the id `trash`.
        if let Err(CallError::Status { status: status @ (400 | 404 | 410), .. }) = &rows {
            cx.connection.capabilities.not_offered(AssetsTrashSnapshot::INFO.name, *status);
        }
        self.listing.resolve(rows.map(RowList::from));
    }

    /// Assets were deleted, restored or purged: the displayed data is reloaded.
    pub(super) fn trash_changed(&mut self, cx: &mut Context<'_>) {
        if self.open {
            self.load_trash(cx);
        }
    }

    /// Restores assets: one at once, several after confirmation.
    pub(super) fn restore_trashed(&mut self, assets: &NamedAssets, cx: &mut Context<'_>) {
        let restore = |asset: AssetId, name: String| Change::Restore { asset, name };
        match assets.as_slice() {
            [] => {}
            [(asset, name)] => cx.request(WriteAction::Change(restore(asset.clone(), name.clone()))),
            _ => {
                let text =
                    "They return with their content, links, history and scores. Undo moves them back to the Trash.";
                self.ask_batch(text.to_owned(), assets, restore, cx);
            }
        }
    }

    /// Deletes assets permanently, after confirmation.
    pub(super) fn purge_trashed(&mut self, assets: &NamedAssets, cx: &mut Context<'_>) {
        let purge = |asset: AssetId, name: String| Change::Purge { asset, name };
        match assets.as_slice() {
            [] => {}
            [(asset, name)] => cx.request(WriteAction::Change(purge(asset.clone(), name.clone()))),
            several => {
                let count = grouped(several.len() as u64);
                let text = gone(&format!("{count} assets"));
                self.ask_batch(text, assets, purge, cx);
            }
        }
    }

    fn ask_batch(
        &mut self,
        text: String,
        assets: &NamedAssets,
        change: impl Fn(AssetId, String) -> Change,
        cx: &mut Context<'_>,
    ) {
        let named = assets.iter().map(|(asset, name)| (change(asset.clone(), name.clone()), name.clone()));
        let changes: Vec<_> = named.collect();
        let Some((first, _)) = changes.first() else { return };
        let Some(title) = trash_title(first, changes.len()) else { return };
        if cx.blocks_write(first.capability(), "Could not start") {
            return;
        }
        let (asked, button) = (format!("{title}?"), title.clone());
        let batch = Batch { title, changes: Arc::new(changes), in_flight: IN_FLIGHT, answers: EntryRelation::None };
        cx.ask_first(Confirmation::batch(asked, text, &button, batch));
    }

    /// Empties the Trash, after confirmation.
    pub(super) fn ask_empty_trash(&mut self, cx: &mut Context<'_>) {
        if cx.blocks_write(Capability::EmptyTrash, "Could not delete") {
            return;
        }
        let count = self.listing.count();
        let assets = plural(count, "asset");
        // Sent with the displayed number, so that an asset that was deleted elsewhere since is not deleted too.
        let shown = (count < MAX_ROWS).then_some(count as u64);
        let call: Call = AssetsTrashEmpty { count: shown }.into();
        let mut asked = Confirmation::call("Empty the Trash?".to_owned(), "Empty Trash", call, |call, confirmed| {
            TrashAction::EmptyConfirmed(count, call, confirmed)
        });
        asked.deletes = true;
        asked.text = gone(&assets);
        cx.ask_first(asked);
    }

    pub(super) fn empty_trash_now(&mut self, count: usize, call: Call, cx: &mut Context<'_>) {
        self.emptying = true;
        let empty = async move |context: WriteContext| {
            let exchange = journaled::call(&context, &call, "Emptied the Trash".to_owned(), |_| None).await?;
            exchange.outcome?;
            Ok(count)
        };
        cx.run_write(empty, Output::Emptied);
    }

    pub(super) fn trash_emptied(&mut self, end: Result<usize, Failed>, cx: &mut Context<'_>) {
        self.emptying = false;
        if end.is_ok() {
            cx.resolve(Topic::Trash);
        }
        match end {
            Ok(1) => cx.show_success("Emptied the Trash: deleted 1 asset permanently".to_owned()),
            Ok(count) => {
                cx.show_success(format!("Emptied the Trash: deleted {} assets permanently", grouped(count as u64)));
            }
            Err(failed) => {
                let message =
                    failed.message("Could not empty the Trash", "It is unknown whether the Trash was emptied");
                cx.notify_failed(Topic::Trash, message, Vec::new());
            }
        }
        self.trash_changed(cx);
    }
}

/// The Trash, page by page. A list that changes between two pages may show an asset twice, so each is taken once.
pub async fn list<C: Transport>(client: &C) -> Result<Vec<Arc<TrashRow>>, CallError> {
    let (mut rows, mut seen, mut shared) = (Vec::new(), HashSet::new(), Shared::default());
    let mut offset = 0;
    loop {
        let page: Assets = client.list(AssetsTrashSnapshot { offset: Some(offset), limit: Some(PAGE) }).await?;
        let items = page.view().iterable();
        let (count, before) = (items.len() as u64, rows.len());
        let read = items.iter().filter_map(|asset| TrashRow::sharing(asset, &mut shared));
        rows.extend(read.filter(|row| seen.insert(row.asset.id())).map(Arc::new));
        rows.truncate(MAX_ROWS);
        offset += count;
        if count < PAGE || rows.len() == before || rows.len() == MAX_ROWS {
            return Ok(rows);
        }
    }
}
