//! Several items are deleted, or made again, one after the other.
//!
//! What must hold: each is read again before it is deleted, and left where an asset is linked to it by then; each is a
//! step of its own, on disk before it is sent, in a group of steps that one Undo takes back; a cancel ends with the item
//! that is being written.

use super::write::{Prepared, prepare};
use super::{ItemWrite, Links};
use crate::app::CallError;
use crate::app::action::{AssetsAction, LinksAction};
use crate::app::change::{Item, LinkKind};
use crate::app::confirm::{Confirmation, Confirmed};
use crate::app::context::Context;
use crate::app::journal::{EntryId, EntryRelation};
use crate::app::notifications::Grade;
use crate::app::output::{LinksOutput, ProgressEvent, TaskOutput};
use crate::app::session::feature::Feature;
use crate::app::tasks::CancelFlag;
use crate::app::write::step::{self, Failed, WriteContext};
use lunette_client::model::size::grouped;

/// Changes of several items, in the order in which they are made, each with what it undoes.
#[derive(Clone, Debug, PartialEq)]
pub struct ManyWrites {
    kind: LinkKind,
    writes: Vec<(ItemWrite, EntryRelation)>,
}

/// What became of the items.
#[derive(Debug)]
pub(in crate::app) struct ManyDone {
    kind: LinkKind,
    /// Whether items were made again, and not deleted.
    made: bool,
    done: usize,
    /// Why items were left, in a sentence each.
    refused: Vec<String>,
    /// Whether the user ended it.
    cancelled: bool,
}

impl ManyWrites {
    fn makes(&self) -> bool {
        self.writes.iter().any(|(write, _)| matches!(write, ItemWrite::Make(_)))
    }
}

/// So many items, in words.
fn count_of(count: usize, kind: LinkKind) -> String {
    match count {
        1 => format!("1 {}", kind.one()),
        count => format!("{} {}", grouped(count as u64), kind.many().to_lowercase()),
    }
}

impl Links {
    /// Asks whether these items are to be deleted; those with assets are left out.
    pub(super) fn ask_to_delete(&mut self, items: Vec<Item>, cx: &mut Context<'_>) {
        let unused = |item: &Item| self.row(item).is_some_and(|row| row.unused());
        let items: Vec<Item> = items.into_iter().filter(unused).collect();
        let Some(first) = items.first() else {
            return cx.show_success("None of them is unused".to_owned());
        };
        let kind = first.kind;
        if cx.blocks_write(Feature::DeleteItem(kind), "Cannot delete these") {
            return;
        }
        let title = match items.len() {
            1 => format!("Delete 1 unused {}?", kind.one()),
            count => format!("Delete {} unused {}?", grouped(count as u64), kind.many().to_lowercase()),
        };
        let text = "Each is read again first, and left if an asset is linked to it by then. One Undo creates all of them \
                    again, with other ids.";
        let writes = items.into_iter().map(|item| (ItemWrite::Delete(item), EntryRelation::None)).collect();
        cx.ask_first(Confirmation::deletion(title, text, |confirmed| {
            LinksAction::WriteMany(ManyWrites { kind, writes }, confirmed)
        }));
    }

    /// Makes the items again that were deleted together; asks first where the connection does.
    pub(super) fn undo_group(&mut self, back: Vec<(EntryId, ItemWrite)>, cx: &mut Context<'_>) {
        let Some(kind) = back.first().map(|(_, write)| write.item().kind) else { return };
        if back.iter().any(|(_, write)| cx.blocks_write(write.feature(), "Cannot undo this")) {
            return;
        }
        let title = format!("Create {} again?", count_of(back.len(), kind));
        let writes = back.into_iter().map(|(step, write)| (write, EntryRelation::Undoes(step))).collect();
        let text = "They get other ids.".to_owned();
        let asked = Confirmation::writes(title, text, "Create", |confirmed| {
            LinksAction::WriteMany(ManyWrites { kind, writes }, confirmed)
        });
        match cx.confirms() {
            true => cx.ask_first(asked),
            false => cx.without_asking(asked),
        }
    }

    /// Makes the changes that were asked about.
    pub(super) fn write_many(&mut self, many: ManyWrites, _: &Confirmed, cx: &mut Context<'_>) {
        let (cancel, number) = (CancelFlag::default(), cx.next_work());
        let (context, left) = cx.write_context_and_sent();
        let flag = cancel.clone();
        let verb = if many.makes() { "Creating" } else { "Deleting" };
        let title = format!("{verb} {}", count_of(many.writes.len(), many.kind));
        let work = async move {
            let end = match context {
                Ok(context) => Ok(written(&context, many, number, &flag).await),
                Err(error) => Err(Failed::from(error)),
            };
            TaskOutput::Links(LinksOutput::ManyWritten(end))
        };
        let task = cx
            .start(work, move |error: CallError| TaskOutput::Links(LinksOutput::ManyWritten(Err(left.failed(&error)))));
        cx.show_work(number, task, title, Some(cancel));
    }

    /// Says what became of the items.
    pub(super) fn many_written(&mut self, end: Result<ManyDone, Failed>, cx: &mut Context<'_>) {
        match end {
            Ok(ManyDone { kind, made, done, refused, cancelled }) => {
                let (verb, again) = if made { ("Created", " again") } else { ("Deleted", "") };
                let ended = if cancelled { ", then cancelled" } else { "" };
                let failed = match refused.len() {
                    0 => String::new(),
                    count => format!(", {} failed", grouped(count as u64)),
                };
                cx.show_success(format!("{verb} {}{again}{failed}{ended}", count_of(done, kind)));
                if let Some(first) = refused.first() {
                    let (count, what) = (grouped(refused.len() as u64), if made { "created" } else { "deleted" });
                    cx.notify(Grade::Failed, format!("{count} could not be {what}; the first: {first}"));
                }
                cx.request(AssetsAction::LoadLinkable(kind));
            }
            Err(failed) => {
                let message = failed.message("Could not change the links", "It is unknown which links were changed");
                cx.notify(Grade::Failed, message);
            }
        }
        cx.request(LinksAction::LoadAgain);
    }
}

async fn written(context: &WriteContext, many: ManyWrites, work: u64, cancel: &CancelFlag) -> ManyDone {
    let (made, group, all) = (many.makes(), EntryId::random(), many.writes.len());
    let mut end = ManyDone { kind: many.kind, made, done: 0, refused: Vec::new(), cancelled: false };
    for (place, (write, answers)) in many.writes.into_iter().enumerate() {
        if cancel.cancelled() {
            end.cancelled = true;
            break;
        }
        context.client.report(ProgressEvent::Progress { work, done: place, all });
        match one_written(context, &write, answers, group).await {
            Ok(()) => end.done += 1,
            Err(failed) => end.refused.push(format!("“{}”: {}", write.item().name(), failed.why)),
        }
    }
    end
}

async fn one_written(
    context: &WriteContext,
    write: &ItemWrite,
    answers: EntryRelation,
    group: EntryId,
) -> Result<(), Failed> {
    let Prepared { call, before } = prepare(&context.client, context.own, write).await?;
    let step = step::item_call(context, &call, write.title(answers), before, (answers, Some(group))).await;
    let (_, exchange) = step?;
    Ok(exchange.outcome.map(drop)?)
}
