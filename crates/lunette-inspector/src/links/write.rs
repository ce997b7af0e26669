//! Changes of items: each is read again, shown if the connection asks first, recorded, and sent once.

use std::sync::Arc;

use serde_json::Value;

use super::{Links, Output, read};
use crate::CallError;
use crate::Vendor;
use crate::action::LinksAction;
use crate::change::{Item, LinkKind, told_assets};
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::history::{History, ItemWrite};
use crate::journal::{Entry, EntryId, EntryRelation, lower};
use crate::notifications::Topic;
use crate::write::journaled::{self, Failed, WriteContext};
use lunette_client::client::Client;
use lunette_client::operation::Call;

/// A change, ready to be sent.
pub(crate) struct Prepared {
    pub(super) call: Call,
    /// The record as it was read for the change; null for an item that does not exist.
    pub(super) before: Value,
}

/// A change that was made.
pub(crate) struct Written {
    step: EntryId,
}

impl Links {
    /// Reads the item afresh and then sends the change, or asks first.
    pub(super) fn write(&mut self, write: ItemWrite, answers: EntryRelation, cx: &mut Context<'_>) {
        if cx.blocks_write(write.capability(), &write.not_done()) {
            return;
        }
        let (client, vendor, intended) = (cx.client(), cx.connection.vendor, write.clone());
        let prepare = async move { prepare(&client.map_err(Failed::from)?, vendor, &intended).await };
        cx.run(prepare, move |prepared| Output::Prepared(write, answers, prepared));
    }

    pub(super) fn prepared(
        &mut self,
        write: ItemWrite,
        answers: EntryRelation,
        prepared: Result<Prepared, Failed>,
        cx: &mut Context<'_>,
    ) {
        let Prepared { call, before } = match prepared {
            Ok(prepared) => prepared,
            Err(failed) => return failed_write(&write, &failed, cx),
        };
        if !cx.confirms() && !matches!(write, ItemWrite::Delete(_)) {
            return self.send(write, Arc::new(call), before, answers, cx);
        }
        let (title, text, button) = question(&write);
        let confirmation = Confirmation::call(title, button, call, |call, confirmed| {
            LinksAction::WriteConfirmed(Box::new(write), call, Box::new(before), answers, confirmed)
        });
        cx.ask_first(Confirmation { text, ..confirmation });
    }

    /// Sends the call, as a step of the history.
    pub(super) fn send(
        &mut self,
        write: ItemWrite,
        call: Arc<Call>,
        before: Value,
        answers: EntryRelation,
        cx: &mut Context<'_>,
    ) {
        if let Some(page) = self.open.as_mut().filter(|page| page.item.id == write.item().id) {
            page.writing = true;
        }
        let (title, saving) = (write.title(answers), format!("Saving {}", write.item().name()));
        let send = async move |context: WriteContext| {
            let (step, exchange) = journaled::item_call(&context, &call, title, before, answers, None).await?;
            exchange.outcome?;
            Ok(Written { step })
        };
        let task = cx.run_write(send, move |end| Output::Written(write, answers, end));
        cx.show_saving(task, saving);
    }

    pub(super) fn written(
        &mut self,
        write: ItemWrite,
        answers: EntryRelation,
        end: Result<Written, Failed>,
        cx: &mut Context<'_>,
    ) {
        let is_open = self.open.as_ref().is_some_and(|page| page.item.id == write.item().id);
        if let Some(page) = self.open.as_mut().filter(|_| is_open) {
            page.writing = false;
        }
        match end {
            Ok(Written { step }) => {
                cx.resolve(Topic::Link);
                let undo = (!matches!(answers, EntryRelation::Undoes(_))).then_some(step);
                cx.outcome(write.reported(answers), undo);
                if let ItemWrite::Rename { item, to } = &write
                    && item.kind == LinkKind::Tag
                {
                    cx.set(|settings| settings.look.tag_colors.rename(&item.text, &to.text));
                }
                if is_open && matches!(write, ItemWrite::Delete(_)) {
                    self.close(cx);
                }
            }
            Err(failed) => failed_write(&write, &failed, cx),
        }
        cx.request(LinksAction::Reload);
        cx.request(crate::action::AssetsAction::LoadLinkable(write.item().kind));
    }

    /// Undoes a step that changed an item.
    pub(crate) fn undo(&mut self, id: EntryId, history: &History, cx: &mut Context<'_>) {
        let Some(entry) = history.entry(id).cloned() else { return };
        let back = |entry: &Arc<Entry>| Some((entry.id, entry.item_step()?.done.inverse()?));
        let mut back: Vec<_> = history.group(&entry).iter().filter_map(back).collect();
        match back.len() {
            0 => {}
            1 => self.write(back.remove(0).1, EntryRelation::Undoes(id), cx),
            _ => self.undo_group(back, cx),
        }
    }

    /// Redoes a step that changed an item.
    pub(crate) fn redo(&mut self, id: EntryId, history: &History, cx: &mut Context<'_>) {
        let Some(step) = history.entry(id).and_then(|entry| entry.item_step()) else { return };
        self.write(step.done, EntryRelation::Redoes(id), cx);
    }
}

fn failed_write(write: &ItemWrite, failed: &Failed, cx: &mut Context<'_>) {
    let unknown = format!("It is unknown whether this was done: {}", lower(&write.done()));
    cx.notify_failed(Topic::Link, failed.message(&write.not_done(), &unknown), Vec::new());
}

/// Returns title, text and button of the confirmation of a change.
fn question(write: &ItemWrite) -> (String, String, &'static str) {
    let (one, name) = (write.item().kind.one(), write.item().name());
    match write {
        ItemWrite::Rename { to, .. } => {
            (format!("Rename {one} “{name}” to “{}”?", to.name()), "This request will be sent:".to_owned(), "Rename")
        }
        ItemWrite::Delete(_) => (
            format!("Delete {one} “{name}”?"),
            "Undo creates it again, with a new id. This request will be sent:".to_owned(),
            "Delete",
        ),
        ItemWrite::Make(_) => {
            (format!("Create {one} “{name}” again?"), "This request will be sent:".to_owned(), "Create")
        }
    }
}

/// Reads the item, compares it with what the user saw, and builds the call.
pub(super) async fn prepare(client: &Client, vendor: Vendor, write: &ItemWrite) -> Result<Prepared, Failed> {
    match write {
        ItemWrite::Make(item) => {
            let call = item.kind.create_call(&item.text, item.url.as_deref()).map_err(|wrong| wrong.to_string())?;
            Ok(Prepared { call, before: Value::Null })
        }
        ItemWrite::Rename { item, to } => {
            let before = record(client, item, vendor.is_lunette().then_some(false)).await?;
            ensure_unchanged(item, &before)?;
            let mut after = before.clone();
            after[name_field(item.kind)] = to.text.as_str().into();
            if let Some(url) = &to.url {
                after["url"] = url.as_str().into();
            }
            let call = item.kind.update_call(after).map_err(|wrong| wrong.to_string())?;
            Ok(Prepared { call, before })
        }
        ItemWrite::Delete(item) => {
            let before = record(client, item, vendor.is_lunette().then_some(true)).await?;
            ensure_unchanged(item, &before)?;
            ensure_unused(&before)?;
            Ok(Prepared { call: item.id.delete_call().map_err(|problem| problem.to_string())?, before })
        }
    }
}

/// The record of an item, fresh from the service.
async fn record(client: &Client, item: &Item, assets: Option<bool>) -> Result<Value, Failed> {
    let call = item.id.read_call(assets).map_err(|problem| problem.to_string())?;
    let reply = client.with_json_limit(read::LONG_LIST).exchange(&call).await.outcome;
    Ok(reply.map_err(|error: CallError| error.reason())?.to_tree())
}

/// Why the record of an item keeps a change from being sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Unprepared {
    /// So many assets are linked to it, at least one.
    #[error("{}", match .0 {
        1 => "one asset is linked to it; remove it from the asset first".to_owned(),
        count => format!("{count} assets are linked to it; remove it from them first"),
    })]
    Used(usize),
    /// The service does not report the assets that are linked to it.
    #[error(
        "the service does not say which assets are linked to it. They would lose it, and Undo could not link them again, \
         so it was not deleted"
    )]
    MaybeUsed,
    /// The record has no id.
    #[error("the service returned a record without an id")]
    NoId,
    /// It has this name by now.
    #[error("it was renamed to “{0}” in the meantime")]
    Renamed(String),
    /// It is a website with another address by now.
    #[error("its address was changed in the meantime")]
    AddressChanged,
}

impl From<Unprepared> for Failed {
    fn from(why: Unprepared) -> Self {
        why.to_string().into()
    }
}

/// Fails if assets are linked to the item, or if the service does not report them: their links would be lost, and Undo
/// could not restore them.
fn ensure_unused(record: &Value) -> Result<(), Unprepared> {
    match told_assets(record).map(|assets| assets.len()) {
        Some(0) => Ok(()),
        Some(count) => Err(Unprepared::Used(count)),
        None => Err(Unprepared::MaybeUsed),
    }
}

/// Fails if the item is no longer as the user saw it.
fn ensure_unchanged(seen: &Item, record: &Value) -> Result<(), Unprepared> {
    let now = Item::of_record(seen.kind, record).ok_or(Unprepared::NoId)?;
    if now.text != seen.text {
        return Err(Unprepared::Renamed(now.name().to_owned()));
    }
    match (seen.kind, now.url == seen.url) {
        (LinkKind::Website, false) => Err(Unprepared::AddressChanged),
        (LinkKind::Website, true) | (LinkKind::Tag | LinkKind::Summary, _) => Ok(()),
    }
}

/// The field of a record with its name.
fn name_field(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Tag => "text",
        LinkKind::Website | LinkKind::Summary => "name",
    }
}
