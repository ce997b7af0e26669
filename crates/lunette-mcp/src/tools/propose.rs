//! `propose`, `proposal`, `withdraw` and `undo`.

use serde_json::{Value, json};

use lunette_inspector::change::{Change, Recovery};
use lunette_inspector::compare::{Body, Comparison, ContentDiff, Side, Whitespace, unified};
use lunette_inspector::proposals::{
    self, Action, Draft, Proposal, ProposedChange, Selection, Status, Target, Undo, settle, take_back,
};
use lunette_inspector::tasks::blocking;
use lunette_inspector::write::headless::recovery;

use super::{Answered, Tool, ToolError};
use crate::answer::{CURSOR, LIMIT, Page, finished};
use crate::arguments::{Argument, Arguments, Kind};
use crate::backend::{Permission, Session, Writer};
use crate::plan::{self, CHANGE};

/// The longest diff of a text in an answer, in bytes.
const LONGEST_DIFF: usize = 8_000;

pub(crate) const PROPOSE: Tool = Tool {
    name: "propose",
    title: "Propose changes",
    about: "Plans changes and stores them as a numbered proposal. Nothing is sent to the service: a person reviews \
            the proposal and applies it, applies part of it, or declines it with a reply. `proposal` returns its \
            state. A small change that can be undone is applied at once only if the user has allowed that for you; \
            the answer says so.",
    arguments: &[
        Argument::needed("reason", Kind::Text(8_000), "Why, in a few sentences, for the person who decides."),
        Argument::needed("changes", Kind::Objects(1_000, CHANGE), "The changes, in order."),
    ],
    needs: Permission::Propose,
    run: |session, arguments| Box::pin(propose(session, arguments)) as Answered<'_>,
};

pub(crate) const PROPOSAL: Tool = Tool {
    name: "proposal",
    title: "State of proposals",
    about: "Returns the state of one of your proposals: waiting, applied or declined, with the person's reply, how \
            many of its changes were made, and its plan. For the rest of a long plan, pass its `next` as the cursor. \
            Without a number, lists your proposals, newest first.",
    arguments: &[
        Argument::optional("number", Kind::Number(u32::MAX as u64), "The number of the proposal."),
        LIMIT,
        CURSOR,
    ],
    needs: Permission::Propose,
    run: |session, arguments| Box::pin(proposal(session, arguments)) as Answered<'_>,
};

pub(crate) const WITHDRAW: Tool = Tool {
    name: "withdraw",
    title: "Withdraw a proposal",
    about: "Withdraws one of your proposals that has not been decided yet.",
    arguments: &[Argument::needed("number", Kind::Number(u32::MAX as u64), "The number of the proposal.")],
    needs: Permission::Propose,
    run: |session, arguments| Box::pin(withdraw(session, arguments)) as Answered<'_>,
};

pub(crate) const UNDO: Tool = Tool {
    name: "undo",
    title: "Undo an applied proposal",
    about: "Undoes one of your proposals that was applied. Assets that have changed since are left as they are. Where \
            every change needs a person's approval, this makes a new proposal, which waits.",
    arguments: &[Argument::needed("number", Kind::Number(u32::MAX as u64), "The number of the proposal.")],
    needs: Permission::Propose,
    run: |session, arguments| Box::pin(undo(session, arguments)) as Answered<'_>,
};

/// What is said of texts that are too large to be compared.
pub(crate) const TOO_LARGE: &str = "the texts are too large to be compared";

async fn propose(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let reason = arguments.needed("reason")?.to_owned();
    let planned = plan::all(session, &arguments.objects("changes")).await?;
    if planned.changes.is_empty() {
        return Ok(json!({ "proposal": null, "nothing_to_do": planned.unchanged }));
    }
    let title = proposals::title(&planned.changes);
    let draft = Draft { client: session.name.clone(), reason, title, changes: planned.changes, undoes: None };
    let is_small = may_apply(session) && proposals::are_small(&draft.changes, recovery_of(session).await);
    let mut kept = kept(session, draft).await?;
    let next = match is_small {
        true => {
            kept = applied(session, &kept).await?;
            "It was applied at once. `undo` undoes it."
        }
        false => "A person decides. Call `proposal` later for its state; do not wait for it.",
    };
    let mut answer = json!({ "proposal": told(&kept, session.shown_secrets, Page::FIRST), "next": next });
    if !planned.unchanged.is_empty() {
        answer["unchanged"] = planned.unchanged.into();
    }
    Ok(answer)
}

/// Whether a small change is made at once: the write policy allows changes, and the user allowed it for this assistant.
fn may_apply(session: &Session) -> bool {
    session.permission == Permission::TakeBack && session.applies_small && session.backend.writer.is_some()
}

async fn recovery_of(session: &Session) -> Recovery {
    recovery(&session.client, session.backend.vendor).await
}

/// Applies a whole proposal as it was shown, and returns how it stands then.
pub(super) async fn applied(session: &Session, shown: &Proposal) -> Result<Proposal, ToolError> {
    let target = target(session, writer(session)?).await;
    let applied = proposals::apply(&target, &session.backend.proposals(), shown, &Selection::All).await;
    applied.map_err(|error| ToolError::new(format!("{error}; nothing was sent")))
}

/// What sends the writes that were agreed to.
fn writer(session: &Session) -> Result<&Writer, ToolError> {
    let writer = session.backend.writer.as_ref();
    writer.ok_or_else(|| ToolError::new("nothing can be sent from here; a person decides in Lunette"))
}

/// Where proposals of this session are applied and taken back.
async fn target<'a>(session: &'a Session, writer: &'a Writer) -> Target<'a> {
    let backend = &session.backend;
    Target {
        client: writer.client.clone(),
        vendor: backend.vendor,
        recovery: recovery_of(session).await,
        connection: &backend.connection,
        folder: &backend.folder,
        back_up: &*writer.back_up,
    }
}

async fn kept(session: &Session, draft: Draft) -> Result<Proposal, ToolError> {
    let store = session.backend.proposals();
    blocking(move || store.add(draft)).await.map_err(ToolError::of)?.map_err(ToolError::of)
}

/// The proposals of this assistant, oldest first. One that was cut off while it was sent, or has a change of unknown
/// outcome, is read again before.
async fn own(session: &Session) -> Result<Vec<Proposal>, ToolError> {
    let mut all = all(session).await?;
    let is_open = |proposal: &Proposal| proposal.client == session.name && proposal.status.is_unsettled();
    if let Some(writer) = &session.backend.writer
        && all.iter().any(is_open)
    {
        let target = target(session, writer).await;
        match settle(&target, &session.backend.proposals()).await {
            Ok(_) => all = self::all(session).await?,
            Err(why) => tracing::warn!("a proposal that was cut off cannot be read again: {why}"),
        }
    }
    Ok(all.into_iter().filter(|proposal| proposal.client == session.name).collect())
}

/// The proposals of all assistants, oldest first.
async fn all(session: &Session) -> Result<Vec<Proposal>, ToolError> {
    let store = session.backend.proposals();
    blocking(move || store.list()).await.map_err(ToolError::of)?.map_err(ToolError::of)
}

/// One of them. Those of others are not told apart from those that do not exist.
pub(super) async fn own_with(session: &Session, arguments: Arguments<'_>) -> Result<Proposal, ToolError> {
    let number = arguments.number("number").ok_or_else(|| ToolError::new("number is missing"))? as u64;
    let found = own(session).await?.into_iter().find(|proposal| proposal.number == number);
    found.ok_or_else(|| ToolError::new(format!("you have no proposal {number}")))
}

async fn proposal(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    if arguments.number("number").is_some() {
        let (own, page) = (own_with(session, arguments).await?, Page::of(arguments)?);
        return Ok(json!({ "proposal": told(&own, session.shown_secrets, page) }));
    }
    let (page, all) = (Page::of(arguments)?, own(session).await?);
    let rows = all.iter().rev().skip(page.offset).map(summary);
    Ok(page.answer(rows, Some(all.len())))
}

async fn withdraw(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let (number, name) = (own_with(session, arguments).await?.number, session.name.clone());
    let store = session.backend.proposals();
    let withdrawn = blocking(move || store.withdraw(number, &name)).await.map_err(ToolError::of)?;
    Ok(json!({ "proposal": summary(&withdrawn.map_err(ToolError::of)?) }))
}

async fn undo(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let own = own_with(session, arguments).await?;
    if !matches!(own.status, Status::Applied(_)) {
        return Err(ToolError::new(format!(
            "proposal {} is {}, so there is nothing to undo",
            own.number,
            own.status.as_str()
        )));
    }
    match (&session.backend.writer, session.permission) {
        (Some(writer), Permission::TakeBack) => undo_now(session, writer, &own).await,
        _ => {
            let draft = Draft {
                client: session.name.clone(),
                reason: format!("Undo proposal {}: {}", own.number, own.reason),
                title: format!("Undo proposal {}: {}", own.number, own.title),
                changes: Vec::new(),
                undoes: Some(own.number),
            };
            Ok(json!({ "proposal": summary(&kept(session, draft).await?) }))
        }
    }
}

async fn undo_now(session: &Session, writer: &Writer, own: &Proposal) -> Result<Value, ToolError> {
    let target = target(session, writer).await;
    let taken = take_back(&target, (&session.name, Some(own.number))).await.map_err(ToolError::of)?;
    Ok(json!({ "undone": taken.titles, "not_undone": taken.left }))
}

/// A proposal in a line.
pub(super) fn summary(proposal: &Proposal) -> Value {
    json!({
        "number": proposal.number,
        "at": proposal.at,
        "title": proposal.title,
        "changes": proposal.changes.len(),
        "state": proposal.status.as_str(),
    })
}

/// A proposal with a page of its plan, as its assistant sees it.
pub(super) fn told(proposal: &Proposal, shown_secrets: bool, page: Page) -> Value {
    let mut answer = summary(proposal);
    let changes = proposal.changes.iter().skip(page.offset).map(|change| shown_change(change, shown_secrets));
    let plan = page.answer(changes, None);
    (answer["plan"], answer["next"]) = (plan["rows"].clone(), plan["next"].clone());
    match &proposal.status {
        Status::Declined(reply) => answer["reply"] = reply.as_str().into(),
        Status::Applied(applied) => {
            answer["result"] = json!({
                "done": applied.done, "unchanged": applied.unchanged, "failed": applied.failed,
                "unknown": applied.unknown, "left_out": applied.left_out, "undone": applied.undone,
                "problems": applied.problems,
            });
        }
        Status::Waiting | Status::Sending | Status::Withdrawn | Status::Undone => {}
    }
    answer
}

fn shown_change(change: &ProposedChange, shown_secrets: bool) -> Value {
    let mut shown = json!({ "does": change.title, "calls": change.calls });
    match &change.undo {
        Undo::By(how) => shown["undo"] = how.as_str().into(),
        Undo::Never(why) => shown["cannot_be_undone"] = why.as_str().into(),
    }
    match &change.action {
        Action::Change(boxed) => match &**boxed {
            Change::Text { from, to, .. } => shown["diff"] = finished(&text_diff(from, to, shown_secrets)),
            _ => {
                let fields = change.fields.iter().map(
                    |field| json!({ "field": field.path.to_string(), "before": field.before, "after": field.after }),
                );
                shown["fields"] = fields.collect();
            }
        },
        Action::Create(new) => shown["size"] = new.text.len().into(),
    }
    shown
}

/// How two texts differ, in the unified format. What looks like a secret is masked before they are compared, so that no
/// part of one is left in the lines of the diff.
pub(crate) fn text_diff(from: &str, to: &str, shown_secrets: bool) -> String {
    let hide = |text: &str| match shown_secrets {
        true => text.to_owned(),
        false => lunette_secrets::masked(text).unwrap_or_else(|| text.to_owned()),
    };
    let side = |text: &str| Side { body: Body::text(hide(text)), ..Side::default() };
    let comparison = Comparison::of(side(from).into(), side(to).into(), Whitespace::Exact);
    let mut text = match &comparison.content {
        ContentDiff::Text(diff) => unified(diff),
        ContentDiff::None | ContentDiff::Pictures(_) | ContentDiff::Bytes(_) | ContentDiff::TooLarge(_) => {
            TOO_LARGE.to_owned()
        }
    };
    if text.len() > LONGEST_DIFF {
        let end = (0..=LONGEST_DIFF).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.push_str("\n… the rest is not shown");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_of_a_proposal_shows_no_secret() {
        let shown = text_diff("a\nkey = AKIAQ3EGRT5HBK2XW7YZ\n", "b\nkey = AKIAQ3EGRT5HBK2XW7YZ\n", false);
        assert!(shown.contains("-a\n+b\n") && !shown.contains("AKIAQ3"), "{shown}");
    }
}
