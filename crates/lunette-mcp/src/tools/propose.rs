//! `propose`, `proposal`, `withdraw` and `undo`.

use serde_json::{Value, json};

use lunette_inspector::change::Change;
use lunette_inspector::compare::{Body, Comparison, ContentDiff, Side, Whitespace, unified};
use lunette_inspector::proposals::{self, Action, Draft, Proposal, ProposedChange, Status, Target, Undo, take_back};
use lunette_inspector::tasks::blocking;
use lunette_inspector::write::headless::recovery;

use super::{Answered, Tool, ToolError};
use crate::answer::{CURSOR, LIMIT, Page};
use crate::arguments::{Argument, Arguments, Kind};
use crate::backend::{Permission, Session, Writer};
use crate::plan::{self, CHANGE};

/// The most changes that an answer shows; the others are counted.
const SHOWN: usize = 50;

/// The longest diff of a text in an answer, in bytes.
const LONGEST_DIFF: usize = 8_000;

pub(crate) const PROPOSE: Tool = Tool {
    name: "propose",
    title: "Propose changes",
    about: "Plans changes and keeps them as a proposal with a number. Nothing is sent to the service: a person looks at the \
            proposal, and applies it, applies some of it, or declines it with a word. `proposal` tells how it stands.",
    arguments: &[
        Argument::needed("reason", Kind::Text(8_000), "Why, in a few sentences, for the person who decides."),
        Argument::needed("changes", Kind::Objects(1_000, CHANGE), "The changes, in order."),
    ],
    needs: Permission::Propose,
    run: |session, arguments| Box::pin(propose(session, arguments)) as Answered<'_>,
};

pub(crate) const PROPOSAL: Tool = Tool {
    name: "proposal",
    title: "How proposals stand",
    about: "Tells how one of your proposals stands: waiting, applied, declined with a word of the person, and what became \
            of its changes. Without a number, lists your proposals, newest first.",
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
    about: "Withdraws one of your proposals that nobody has decided about.",
    arguments: &[Argument::needed("number", Kind::Number(u32::MAX as u64), "The number of the proposal.")],
    needs: Permission::Propose,
    run: |session, arguments| Box::pin(withdraw(session, arguments)) as Answered<'_>,
};

pub(crate) const UNDO: Tool = Tool {
    name: "undo",
    title: "Take an applied proposal back",
    about: "Takes back one of your proposals that was applied. Assets that changed since are left as they are. Where every \
            change needs a person, this makes a proposal that waits.",
    arguments: &[Argument::needed("number", Kind::Number(u32::MAX as u64), "The number of the proposal.")],
    needs: Permission::Propose,
    run: |session, arguments| Box::pin(undo(session, arguments)) as Answered<'_>,
};

async fn propose(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let reason = arguments.needed("reason")?.to_owned();
    let planned = plan::all(session, &arguments.objects("changes")).await?;
    if planned.changes.is_empty() {
        return Ok(json!({ "proposal": null, "nothing_to_do": planned.unchanged }));
    }
    let title = proposals::title(&planned.changes);
    let draft = Draft { client: session.name.clone(), reason, title, changes: planned.changes, undoes: None };
    let kept = kept(session, draft).await?;
    let mut answer = json!({ "proposal": told(&kept, session.shown_secrets) });
    answer["next"] = "A person decides. Ask `proposal` for how it stands; do not wait for it.".into();
    if !planned.unchanged.is_empty() {
        answer["unchanged"] = planned.unchanged.into();
    }
    Ok(answer)
}

async fn kept(session: &Session, draft: Draft) -> Result<Proposal, ToolError> {
    let store = session.backend.proposals();
    blocking(move || store.add(draft)).await.map_err(ToolError::of)?.map_err(ToolError::of)
}

/// The proposals of this assistant, oldest first.
async fn own(session: &Session) -> Result<Vec<Proposal>, ToolError> {
    let store = session.backend.proposals();
    let all = blocking(move || store.list()).await.map_err(ToolError::of)?.map_err(ToolError::of)?;
    Ok(all.into_iter().filter(|proposal| proposal.client == session.name).collect())
}

/// One of them. Those of others are not told apart from those that do not exist.
async fn own_with(session: &Session, arguments: Arguments<'_>) -> Result<Proposal, ToolError> {
    let number = arguments.number("number").ok_or_else(|| ToolError::new("number is missing"))? as u64;
    let found = own(session).await?.into_iter().find(|proposal| proposal.number == number);
    found.ok_or_else(|| ToolError::new(format!("you have no proposal {number}")))
}

async fn proposal(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    if arguments.number("number").is_some() {
        return Ok(json!({ "proposal": told(&own_with(session, arguments).await?, session.shown_secrets) }));
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
                reason: format!("Take proposal {} back: {}", own.number, own.reason),
                title: format!("Undo proposal {}: {}", own.number, own.title),
                changes: Vec::new(),
                undoes: Some(own.number),
            };
            Ok(json!({ "proposal": summary(&kept(session, draft).await?) }))
        }
    }
}

async fn undo_now(session: &Session, writer: &Writer, own: &Proposal) -> Result<Value, ToolError> {
    let backend = &session.backend;
    let target = Target {
        client: writer.client.clone(),
        vendor: backend.vendor,
        recovery: recovery(&session.client, backend.vendor).await,
        connection: &backend.connection,
        folder: &backend.folder,
        back_up: &*writer.back_up,
    };
    let taken = take_back(&target, Some(&backend.proposals()), (&session.name, Some(own.number))).await;
    let taken = taken.map_err(ToolError::of)?;
    Ok(json!({ "undone": taken.titles, "not_undone": taken.left }))
}

/// A proposal in a line.
fn summary(proposal: &Proposal) -> Value {
    json!({
        "number": proposal.number,
        "at": proposal.at,
        "title": proposal.title,
        "changes": proposal.changes.len(),
        "state": proposal.status.as_str(),
    })
}

/// A proposal with its plan, as its assistant sees it.
fn told(proposal: &Proposal, shown_secrets: bool) -> Value {
    let mut answer = summary(proposal);
    let changes = proposal.changes.iter().take(SHOWN).map(|change| shown_change(change, shown_secrets));
    answer["plan"] = changes.collect();
    answer["not_shown"] = proposal.changes.len().saturating_sub(SHOWN).into();
    match &proposal.status {
        Status::Declined(word) => answer["word"] = word.as_str().into(),
        Status::Applied(applied) => {
            answer["result"] = json!({
                "done": applied.done, "unchanged": applied.unchanged, "failed": applied.failed,
                "unknown": applied.unknown, "left_out": applied.left_out, "problems": applied.problems,
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
            Change::Text { from, to, .. } => shown["diff"] = text_diff(from, to, shown_secrets).into(),
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
fn text_diff(from: &str, to: &str, shown_secrets: bool) -> String {
    let hide = |text: &str| match shown_secrets {
        true => text.to_owned(),
        false => lunette_secrets::masked(text).unwrap_or_else(|| text.to_owned()),
    };
    let side = |text: &str| Side { body: Body::text(hide(text)), ..Side::default() };
    let comparison = Comparison::of(side(from).into(), side(to).into(), Whitespace::Exact);
    let mut text = match &comparison.content {
        ContentDiff::Text(diff) => unified(diff),
        ContentDiff::None | ContentDiff::Pictures(_) | ContentDiff::Bytes(_) | ContentDiff::TooLarge(_) => {
            "the texts are too large to be compared".to_owned()
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
