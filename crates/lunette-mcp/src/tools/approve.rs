//! `approve`: asks the user of the client about a proposal.

use serde_json::{Value, json};

use lunette_inspector::proposals::Proposal;
use lunette_inspector::tasks::blocking;

use super::propose::{applied, own_with, summary, told};
use super::{Answered, Tool, ToolError};
use crate::answer::Page;
use crate::approval::{Asking, Reply, text};
use crate::arguments::{Argument, Arguments, Kind};
use crate::backend::{Permission, Session};

pub(crate) const APPROVE: Tool = Tool {
    name: "approve",
    title: "Ask the user about a proposal",
    about: "Asks the user, in the client that you work in, whether to apply or decline one of your proposals, and \
            returns its state. If the client cannot ask, or the proposal is too large to be shown there, it keeps \
            waiting for a person in Lunette.",
    arguments: &[Argument::needed("number", Kind::Number(u32::MAX as u64), "The number of the proposal.")],
    needs: Permission::Propose,
    run: |session, arguments| Box::pin(approve(session, arguments)) as Answered<'_>,
};

async fn approve(session: &Session, arguments: Arguments<'_>) -> Result<Value, ToolError> {
    let own = own_with(session, arguments).await?;
    let questions = &session.backend.questions;
    if let Asking::Again(Some(answer)) = &session.asking {
        let shown = questions.answered(answer, &session.name, own.number)?;
        return decided(session, &shown, &answer.reply).await;
    }
    if !own.is_waiting() {
        return Err(ToolError::new(format!(
            "proposal {} is {}, and no longer waiting",
            own.number,
            own.status.as_str()
        )));
    }
    let not_asked = |why: &str| {
        let next = format!("{why}. A person decides in Lunette; `proposal` returns its state.");
        Ok(json!({ "asked": false, "proposal": summary(&own), "next": next }))
    };
    match (&session.asking, text(&own, session.shown_secrets)) {
        (Asking::Never, _) => not_asked("This client cannot ask its user"),
        (_, None) => not_asked("The proposal is too large to be shown in a question"),
        (Asking::Now(ask), Some(text)) => {
            let reply = ask(text).await;
            decided(session, &own, &reply).await
        }
        (Asking::Again(_), Some(text)) => {
            session.ask(questions.ask(&session.name, &own, text));
            Ok(json!({ "asked": true }))
        }
    }
}

/// Carries out what the user said about a proposal that was shown. What the user decided about the assistant and the
/// connection meanwhile comes first.
async fn decided(session: &Session, shown: &Proposal, reply: &Reply) -> Result<Value, ToolError> {
    session.backend.known(&session.name).await?;
    if session.backend.permission().await? < Permission::Propose {
        return Err(ToolError::new("the connection is read-only now, so nothing was decided"));
    }
    let now = match reply {
        Reply::Apply => applied(session, shown).await?,
        Reply::Decline(reply) => {
            let (store, number, reply) = (session.backend.proposals(), shown.number, reply.clone());
            let declined = blocking(move || store.decline(number, &reply)).await.map_err(ToolError::of)?;
            declined.map_err(ToolError::of)?
        }
        Reply::Nothing => {
            let next = "The user did not decide. The proposal is still waiting; do not ask again on your own.";
            return Ok(json!({ "asked": true, "proposal": summary(shown), "next": next }));
        }
    };
    Ok(json!({ "asked": true, "proposal": told(&now, session.shown_secrets, Page::FIRST) }))
}
