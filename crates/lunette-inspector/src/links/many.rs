//! Deletes or recreates several items, one after another.
//!
//! What must hold: each is read again before it is deleted, and skipped if an asset is linked to it by then; each is a
//! step of its own, on disk before it is sent, in a group that one Undo reverts; a cancellation takes effect after the
//! item that is being written.

use super::write::{Prepared, prepare};
use super::{Links, Output};
use crate::action::{AssetsAction, LinksAction};
use crate::capability::Capability;
use crate::change::{Item, LinkKind};
use crate::confirm::{Confirmation, Confirmed};
use crate::context::Context;
use crate::history::ItemWrite;
use crate::journal::{EntryId, EntryRelation};
use crate::notifications::Topic;
use crate::output::ProgressEvent;
use crate::tasks::CancelFlag;
use crate::write::journaled::{self, Failed, WriteContext};
use lunette_client::model::size::grouped;

/// Changes of several items, in order, each with its relation to another step.
#[derive(Clone, Debug, PartialEq)]
pub struct ManyWrites {
    kind: LinkKind,
    writes: Vec<(ItemWrite, EntryRelation)>,
}

/// What happened to the items.
#[derive(Debug)]
pub(crate) struct ManyResult {
    kind: LinkKind,
    /// Whether items were recreated instead of deleted.
    made: bool,
    done: usize,
    /// Why items were skipped, in a sentence each.
    refused: Vec<String>,
    /// Whether the user cancelled.
    cancelled: bool,
}

impl ManyWrites {
    fn recreates(&self) -> bool {
        self.writes.iter().any(|(write, _)| matches!(write, ItemWrite::Make(_)))
    }
}

/// Returns a number of items as text.
fn count_text(count: usize, kind: LinkKind) -> String {
    match count {
        1 => format!("1 {}", kind.one()),
        count => format!("{} {}", grouped(count as u64), kind.many().to_lowercase()),
    }
}

impl Links {
    /// Asks whether to delete these items; those with assets are skipped.
    pub(super) fn ask_to_delete(&mut self, items: Vec<Item>, cx: &mut Context<'_>) {
        let unused = |item: &Item| self.row(item).is_some_and(|row| row.unused());
        let items: Vec<Item> = items.into_iter().filter(unused).collect();
        let Some(first) = items.first() else {
            return cx.show_success("None of them are unused".to_owned());
        };
        let kind = first.kind;
        if cx.blocks_write(Capability::DeleteItem(kind), "Cannot delete these") {
            return;
        }
        let title = match items.len() {
            1 => format!("Delete 1 unused {}?", kind.one()),
            count => format!("Delete {} unused {}?", grouped(count as u64), kind.many().to_lowercase()),
        };
        let text = "Each is read again first, and skipped if an asset is linked to it by then. Undo creates them all \
                    again, with new ids.";
        let writes = items.into_iter().map(|item| (ItemWrite::Delete(item), EntryRelation::None)).collect();
        cx.ask_first(Confirmation::deletion(title, text, |confirmed| {
            LinksAction::WriteMany(ManyWrites { kind, writes }, confirmed)
        }));
    }

    /// Recreates the items that were deleted together; asks first if the connection does.
    pub(super) fn undo_group(&mut self, back: Vec<(EntryId, ItemWrite)>, cx: &mut Context<'_>) {
        let Some(kind) = back.first().map(|(_, write)| write.item().kind) else { return };
        if back.iter().any(|(_, write)| cx.blocks_write(write.capability(), "Cannot undo this")) {
            return;
        }
        let title = format!("Create {} again?", count_text(back.len(), kind));
        let writes = back.into_iter().map(|(step, write)| (write, EntryRelation::Undoes(step))).collect();
        let text = "They get new ids.".to_owned();
        let asked = Confirmation::writes(title, text, "Create", |confirmed| {
            LinksAction::WriteMany(ManyWrites { kind, writes }, confirmed)
        });
        match cx.confirms() {
            true => cx.ask_first(asked),
            false => cx.without_asking(asked),
        }
    }

    /// Makes the confirmed changes.
    pub(super) fn write_many(&mut self, many: ManyWrites, _: &Confirmed, cx: &mut Context<'_>) {
        let (cancel, number) = (CancelFlag::default(), cx.next_work());
        let flag = cancel.clone();
        let verb = if many.recreates() { "Creating" } else { "Deleting" };
        let title = format!("{verb} {}", count_text(many.writes.len(), many.kind));
        let work = async move |context: WriteContext| Ok(write_all(&context, many, number, &flag).await);
        let task = cx.run_write(work, Output::ManyWritten);
        cx.show_work(number, task, title, Some(cancel));
    }

    /// Reports what happened to the items.
    pub(super) fn many_written(&mut self, result: Result<ManyResult, Failed>, cx: &mut Context<'_>) {
        match result {
            Ok(ManyResult { kind, made, done, refused, cancelled }) => {
                cx.resolve(Topic::Link);
                // They are made only by Undo.
                let verb = if made { "Undone: deleted" } else { "Deleted" };
                let ended = if cancelled { ", then cancelled" } else { "" };
                let failed = match refused.len() {
                    0 => String::new(),
                    count => format!(", {} failed", grouped(count as u64)),
                };
                cx.show_success(format!("{verb} {}{failed}{ended}", count_text(done, kind)));
                if let Some(first) = refused.first() {
                    let (count, what) = (grouped(refused.len() as u64), if made { "created" } else { "deleted" });
                    let text = format!("{count} could not be {what}; the first: {first}");
                    cx.notify_failed(Topic::Link, text, Vec::new());
                }
                cx.request(AssetsAction::LoadLinkable(kind));
            }
            Err(failed) => {
                let message = failed.message("Could not change the links", "It is unknown which links were changed");
                cx.notify_failed(Topic::Link, message, Vec::new());
            }
        }
        cx.request(LinksAction::Reload);
    }
}

async fn write_all(context: &WriteContext, many: ManyWrites, work: u64, cancel: &CancelFlag) -> ManyResult {
    let (made, group, all) = (many.recreates(), EntryId::random(), many.writes.len());
    let mut result = ManyResult { kind: many.kind, made, done: 0, refused: Vec::new(), cancelled: false };
    for (index, (write, answers)) in many.writes.into_iter().enumerate() {
        if cancel.cancelled() {
            result.cancelled = true;
            break;
        }
        context.reporter.report(ProgressEvent::Progress { work, done: index, all });
        match write_one(context, &write, answers, group).await {
            Ok(()) => result.done += 1,
            Err(failed) => result.refused.push(format!("“{}”: {}", write.item().name(), failed.why)),
        }
    }
    result
}

async fn write_one(
    context: &WriteContext,
    write: &ItemWrite,
    answers: EntryRelation,
    group: EntryId,
) -> Result<(), Failed> {
    let Prepared { call, before } = prepare(&context.client, context.vendor, write).await?;
    let step = journaled::item_call(context, &call, write.title(answers), before, answers, Some(group)).await;
    let (_, exchange) = step?;
    Ok(exchange.outcome.map(drop)?)
}
