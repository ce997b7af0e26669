//! The tools: what each is called, takes and does. Their texts are these constants, and nothing that is stored.

use std::fmt::Display;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::Value;

use lunette_client::client::CallError;
use lunette_client::model::id::AssetId;
use lunette_inspector::assistants::ToolCall;
use lunette_inspector::filter::List;
use lunette_inspector::tasks::briefly;
use lunette_inspector::versions::SourceError;

use crate::answer::shown;
use crate::approval::{Asking, Question};
use crate::arguments::{Argument, Arguments, check};
use crate::backend::{Backend, Permission, Session};

mod activity;
mod applications;
mod approve;
mod assets;
mod compare;
mod operations;
mod propose;
mod service;
mod tags;

pub(crate) use propose::{TOO_LARGE, text_diff};

/// A tool.
pub(crate) struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    /// What it does, for the model.
    pub about: &'static str,
    pub arguments: &'static [Argument],
    /// What an assistant must be permitted to see it.
    pub needs: Permission,
    pub run: for<'a> fn(&'a Session, Arguments<'a>) -> Answered<'a>,
}

/// What a tool answers with: an object.
pub(crate) type Answered<'a> = BoxFuture<'a, Result<Value, ToolError>>;

/// Why a tool failed, in a sentence for the assistant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(String);

impl ToolError {
    pub(crate) fn new(problem: impl Into<String>) -> Self {
        Self(problem.into())
    }

    pub(crate) fn of(error: impl Display) -> Self {
        Self(error.to_string())
    }
}

impl From<CallError> for ToolError {
    fn from(error: CallError) -> Self {
        Self(format!("{}. {}", error.to_string().trim_end_matches('.'), error.advice()))
    }
}

impl From<SourceError> for ToolError {
    fn from(error: SourceError) -> Self {
        match error {
            SourceError::Call(error) => error.into(),
            error => Self::of(error),
        }
    }
}

/// All of them, in the order in which they are listed.
const TOOLS: [&Tool; 17] = [
    &assets::FIND,
    &assets::GET,
    &assets::LINKS,
    &activity::ACTIVITY,
    &activity::HISTORY,
    &compare::DIFF,
    &applications::APPLICATIONS,
    &tags::TAGS,
    &compare::EXPORT,
    &service::CHECK,
    &operations::OPERATIONS_TOOL,
    &service::GUIDE,
    &propose::PROPOSE,
    &propose::PROPOSAL,
    &approve::APPROVE,
    &propose::WITHDRAW,
    &propose::UNDO,
];

/// The tools that an assistant sees with a permission.
pub(crate) fn offered(permission: Permission) -> impl Iterator<Item = &'static Tool> {
    let is_offered = move |tool: &&'static Tool| match (tool.needs, permission) {
        (Permission::Read, _) | (_, Permission::TakeBack) => true,
        (Permission::Propose, Permission::Propose) => true,
        (Permission::Propose | Permission::TakeBack, Permission::Read | Permission::Propose) => false,
    };
    TOOLS.into_iter().filter(is_offered)
}

/// What a call is answered with.
pub(crate) enum Answer {
    /// What the tool returns, and the same as text, which is made once.
    Data(Value, String),
    /// What the client is to ask its user before it calls again.
    Question(Question),
    /// Nothing: the assistant has no such tool. Why, in a sentence.
    NoTool(ToolError),
}

/// Calls a tool for an assistant of this name whose client cannot ask its user, and records the call. Fails with what
/// the assistant is told.
pub async fn call(backend: &Arc<Backend>, client: &str, tool: &str, arguments: &Value) -> Result<Value, ToolError> {
    match answer(backend, (client, Asking::Never), tool, arguments).await? {
        Answer::Data(data, _) => Ok(data),
        Answer::Question(_) => Err(ToolError::new("this client cannot ask its user")),
        Answer::NoTool(why) => Err(why),
    }
}

/// Calls a tool for an assistant of this name, whose client asks in this way, and records the call.
pub(crate) async fn answer(
    backend: &Arc<Backend>,
    (client, asking): (&str, Asking),
    tool: &str,
    arguments: &Value,
) -> Result<Answer, ToolError> {
    let mut recorded = ToolCall::begun(client, tool);
    let (answer, requests) = match backend.begin(client, asking).await {
        Ok(session) => {
            let answer = match offered(session.permission).find(|offered| offered.name == tool) {
                Some(tool) => {
                    let data = run(&session, tool, arguments).await;
                    data.map(|data| match session.question() {
                        Some(question) => Answer::Question(question),
                        None => {
                            let text = data.to_string();
                            Answer::Data(data, text)
                        }
                    })
                }
                None => Ok(Answer::NoTool(no_tool(&session, tool))),
            };
            (answer, session.requests())
        }
        Err(error) => (Err(error), 0),
    };
    recorded.requests = requests;
    match &answer {
        Ok(Answer::Data(_, text)) => recorded.bytes = text.len() as u64,
        Ok(Answer::Question(question)) => recorded.bytes = question.text.len() as u64,
        Ok(Answer::NoTool(error)) | Err(error) => recorded.failed = Some(error.to_string()),
    }
    let (assistants, connection) = (backend.assistants().clone(), backend.connection.clone());
    let kept = briefly(move || assistants.record(&connection, &recorded)).await;
    // An answer that cannot be recorded is not given: the record has every answer.
    kept.map_err(ToolError::of)?.map_err(ToolError::of)?;
    answer
}

async fn run(session: &Session, tool: &'static Tool, arguments: &Value) -> Result<Value, ToolError> {
    check(tool.name, tool.arguments, arguments)?;
    let data = (tool.run)(session, Arguments(arguments)).await?;
    Ok(shown(data, session.shown_secrets))
}

/// Why there is no tool of this name.
fn no_tool(session: &Session, name: &str) -> ToolError {
    let names: Vec<&str> = offered(session.permission).map(|tool| tool.name).collect();
    ToolError::new(format!("there is no tool {name:?}; the tools are {}", names.join(", ")))
}

/// The ids of the assets that a filter takes.
pub(crate) async fn rows_of(session: &Session, text: &str, list: List) -> Result<Vec<AssetId>, ToolError> {
    let rows = assets::rows(session, &assets::filter(text, list)?).await?;
    Ok(rows.iter().map(|row| row.id()).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn tools_have_names_of_their_own_and_no_argument_is_a_path_or_an_address_to_fetch() {
        let names: HashSet<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        assert_eq!(names.len(), TOOLS.len());
        for tool in TOOLS {
            assert!(!tool.about.is_empty() && tool.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
            let taken = ["path", "file", "folder", "address", "uri", "policy", "setting"];
            assert!(tool.arguments.iter().all(|argument| !taken.contains(&argument.name)), "{}", tool.name);
        }
    }

    #[test]
    fn a_read_only_connection_hides_the_tools_that_propose() {
        let names = |permission| offered(permission).map(|tool| tool.name).collect::<Vec<_>>();
        let read = names(Permission::Read);
        assert!(read.contains(&"find") && !read.contains(&"propose") && !read.contains(&"undo"), "{read:?}");
        assert!(names(Permission::Propose).contains(&"propose"));
        assert_eq!(names(Permission::TakeBack).len(), TOOLS.len());
    }
}
