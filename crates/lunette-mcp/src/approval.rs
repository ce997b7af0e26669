//! Asks the user of a client about a proposal, in the client itself.
//!
//! What must hold: what is applied is what the question showed; an answer counts once, for the client and the proposal
//! that were asked about, for ten minutes and until the program ends. An answer that is none of these changes nothing.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use lunette_client::model::diff::FieldChange;
use lunette_client::model::display::{Breaks, beginning, display_text};
use lunette_inspector::change::{Change, Item};
use lunette_inspector::proposals::{Action, Proposal, ProposedChange, Undo};
use lunette_secrets::masked;
use serde_json::Value;

use crate::tools::{TOO_LARGE, ToolError, text_diff};

/// How long an answer is taken.
pub(crate) const OPEN_FOR: Duration = Duration::from_secs(600);

/// The most questions that are open; the oldest is dropped for another one.
const MOST_OPEN: usize = 100;

/// The most bytes of a question. What does not fit is not asked in a client, since nobody would see all of it.
const LONGEST_QUESTION: usize = 6_000;

/// The most letters of one line of a question, and of the words of the assistant.
const LONGEST: usize = 400;

/// What the user said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    Apply,
    /// With a message for the assistant, which may be empty.
    Decline(String),
    /// Nothing: the question was closed, or there was no answer in time.
    Nothing,
}

/// A question for the user, and the text by which its answer is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub text: String,
    pub state: String,
}

/// What a client sends when it calls again with what its user said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub state: String,
    pub reply: Reply,
}

/// Asks with this text, and waits for what the user says.
pub(crate) type Ask = Box<dyn Fn(String) -> BoxFuture<'static, Reply> + Send + Sync>;

/// How a client asks its user.
pub(crate) enum Asking {
    /// It cannot.
    Never,
    /// While the call waits.
    Now(Ask),
    /// By calling again with the answer, which it may have sent.
    Again(Option<Answer>),
}

/// The questions that wait for an answer.
#[derive(Default)]
pub(crate) struct Questions(Mutex<HashMap<String, Asked>>);

struct Asked {
    at: Instant,
    client: String,
    /// As the question showed it.
    shown: Proposal,
}

impl Questions {
    /// Makes a question about a proposal for a client.
    pub fn ask(&self, client: &str, shown: &Proposal, text: String) -> Question {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, asked| asked.at.elapsed() < OPEN_FOR);
        if open.len() >= MOST_OPEN
            && let Some(oldest) = open.iter().min_by_key(|(_, asked)| asked.at).map(|(state, _)| state.clone())
        {
            open.remove(&oldest);
        }
        let state = uuid::Uuid::new_v4().simple().to_string();
        let asked = Asked { at: Instant::now(), client: client.to_owned(), shown: shown.clone() };
        open.insert(state.clone(), asked);
        Question { text, state }
    }

    /// The proposal that an answer is about, as it was shown. The question is closed then, unless the answer is not of
    /// the client that was asked.
    pub fn answered(&self, answer: &Answer, client: &str, number: u64) -> Result<Proposal, ToolError> {
        let gone = || ToolError::new("this question is no longer open, so nothing was decided; ask again");
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = open.get(&answer.state).ok_or_else(gone)?;
        if asked.client != client {
            return Err(gone());
        }
        let asked = open.remove(&answer.state).ok_or_else(gone)?;
        match asked.at.elapsed() < OPEN_FOR && asked.shown.number == number {
            true => Ok(asked.shown),
            false => Err(gone()),
        }
    }
}

/// What the user is asked: who proposes what, and all of what it does, with its words told apart from ours; `None` if
/// that is too much for a question.
pub(crate) fn text(proposal: &Proposal, shown_secrets: bool) -> Option<String> {
    let line = |text: &str| {
        let hidden = (!shown_secrets).then(|| masked(text)).flatten();
        display_text(&beginning(hidden.as_deref().unwrap_or(text), LONGEST), Breaks::Escaped).into_owned()
    };
    let Proposal { number, client, title, reason, changes, .. } = proposal;
    let mut text = format!("{} proposes to Lunette, as number {number}: {}\n", line(client), line(title));
    // Writing to a string does not fail.
    if !reason.is_empty() {
        writeln!(text, "Reason given by the assistant: “{}”", line(reason)).ok();
    }
    for change in changes {
        writeln!(text, "• {}", line(&change.title)).ok();
        for detail in details(change, shown_secrets)?.lines() {
            writeln!(text, "    {}", line(detail)).ok();
        }
        if text.len() > LONGEST_QUESTION {
            return None;
        }
    }
    Some(text)
}

/// What a change does, in lines; `None` if a line is too long to be shown.
fn details(change: &ProposedChange, shown_secrets: bool) -> Option<String> {
    let mut text = match &change.action {
        Action::Create(new) => {
            let language = new.language.as_deref().unwrap_or("detected");
            let hidden = (!shown_secrets).then(|| masked(&new.text)).flatten();
            let lines = hidden.as_deref().unwrap_or(&new.text).replace('\n', "\n+");
            format!("language {language}, tags {:?}\n+{lines}", new.tags)
        }
        Action::Change(boxed) => changed(boxed, change, shown_secrets)?,
    };
    if let Undo::Never(why) = &change.undo {
        write!(text, "\ncannot be undone: {why}").ok();
    }
    let shown = text.trim_end().to_owned();
    (text.len() <= LONGEST_QUESTION && shown.lines().all(|line| line.chars().count() <= LONGEST)).then_some(shown)
}

/// What a change of an asset does; `None` if it cannot be shown.
fn changed(change: &Change, proposed: &ProposedChange, shown_secrets: bool) -> Option<String> {
    let named = |sign: char, items: &[Item]| -> String {
        let url = |item: &Item| item.url.as_deref().map(|url| format!(" ({url})")).unwrap_or_default();
        items.iter().map(|item| format!("{sign} {} “{}”{}\n", item.kind.one(), item.name(), url(item))).collect()
    };
    Some(match change {
        Change::Text { from, to, .. } => Some(text_diff(from, to, shown_secrets)).filter(|diff| diff != TOO_LARGE)?,
        // Their fields are whole records of what is linked.
        Change::Link { item, .. } => named('+', std::slice::from_ref(item)),
        Change::Unlink { item, .. } => named('-', std::slice::from_ref(item)),
        Change::Relink { link, unlink, .. } => named('+', link) + &named('-', unlink),
        Change::LinkNew { kind, text, url, unlink, .. } => {
            let url = url.as_deref().map(|url| format!(" ({url})")).unwrap_or_default();
            format!("+ new {} “{text}”{url}\n", kind.one()) + &named('-', unlink)
        }
        _ => {
            let value = |value: &Option<Value>| value.as_ref().map_or("nothing".to_owned(), Value::to_string);
            let line = |field: &FieldChange| {
                format!("{}: {} becomes {}\n", field.path, value(&field.before), value(&field.after))
            };
            proposed.fields.iter().map(line).collect()
        }
    })
}

#[cfg(test)]
mod tests {
    use lunette_inspector::proposals::{NewText, Status};

    use super::*;

    fn proposal(number: u64) -> Proposal {
        Proposal {
            number,
            client: "a".to_owned(),
            reason: "because\u{202e}\nof it".to_owned(),
            at: String::new(),
            title: "a title".to_owned(),
            changes: Vec::new(),
            undoes: None,
            status: Status::Waiting,
        }
    }

    fn applying(question: &Question) -> Answer {
        Answer { state: question.state.clone(), reply: Reply::Apply }
    }

    #[test]
    fn an_answer_counts_once_and_for_what_was_asked_alone() {
        let questions = Questions::default();
        let question = questions.ask("a", &proposal(1), String::new());
        let answer = applying(&question);
        assert!(questions.answered(&answer, "b", 1).is_err(), "of another client");
        let altered = Answer { state: format!("{}0", answer.state), ..answer.clone() };
        assert!(questions.answered(&altered, "a", 1).is_err(), "altered");
        assert_eq!(questions.answered(&answer, "a", 1), Ok(proposal(1)));
        assert!(questions.answered(&answer, "a", 1).is_err(), "replayed");
        let question = questions.ask("a", &proposal(1), String::new());
        assert!(questions.answered(&applying(&question), "a", 2).is_err(), "about another proposal");
        assert!(Questions::default().answered(&applying(&question), "a", 1).is_err(), "from before a restart");
    }

    #[test]
    fn an_answer_is_stale_after_ten_minutes_and_few_questions_are_open() {
        let questions = Questions::default();
        let question = questions.ask("a", &proposal(1), String::new());
        let before = Instant::now().checked_sub(OPEN_FOR).expect("the machine runs for longer than that");
        questions.0.lock().expect("unlocked").values_mut().for_each(|asked| asked.at = before);
        assert!(questions.answered(&applying(&question), "a", 1).is_err());
        let first = questions.ask("a", &proposal(1), String::new());
        (0..MOST_OPEN).for_each(|_| drop(questions.ask("a", &proposal(1), String::new())));
        assert_eq!(questions.0.lock().expect("unlocked").len(), MOST_OPEN);
        assert!(questions.answered(&applying(&first), "a", 1).is_err(), "the oldest was dropped");
    }

    #[test]
    fn a_question_shows_the_words_of_the_assistant_on_one_line_without_hidden_characters() {
        let text = text(&proposal(7), false).expect("short");
        assert!(text.contains("Reason given by the assistant: “because<U+202E><U+000A>of it”"), "{text}");
        assert!(text.contains("as number 7"), "{text}");
    }

    fn created(text: &str) -> Proposal {
        let new = NewText { name: "n".to_owned(), text: text.to_owned(), language: None, tags: Vec::new() };
        Proposal { changes: vec![ProposedChange::new(new)], ..proposal(1) }
    }

    #[test]
    fn what_does_not_fit_into_a_question_is_not_asked_and_secrets_are_masked_in_it() {
        let shown = text(&created("one\nkey = AKIAQ3EGRT5HBK2XW7YZ\n"), false).expect("short");
        assert!(shown.contains("+one\n") && shown.contains("[masked: ") && !shown.contains("AKIAQ3"), "{shown}");
        assert_eq!(text(&created(&"line\n".repeat(2_000)), false), None, "too long");
        assert_eq!(text(&created(&"x".repeat(LONGEST + 1)), false), None, "a line that would be cut");
    }
}
