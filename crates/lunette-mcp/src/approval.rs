//! Asks the user of a client about a proposal, in the client itself.
//!
//! What must hold: what is applied is what the question showed; an answer counts once, for the client and the proposal that
//! were asked about, for ten minutes and until the program ends. An answer that is none of these changes nothing.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use lunette_client::model::display::{Breaks, beginning, display_text};
use lunette_inspector::proposals::{Proposal, Undo};

use crate::tools::ToolError;

/// How long an answer is taken.
pub(crate) const OPEN_FOR: Duration = Duration::from_secs(600);

/// The most questions that are open; the oldest is dropped for another one.
const MOST_OPEN: usize = 100;

/// The most changes that a question names.
const MOST_NAMED: usize = 20;

/// The most letters of one line of a question, and of the words of the assistant.
const LONGEST: usize = 300;

/// What the user said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    Apply,
    /// With a word for the assistant, which may be empty.
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
    pub fn ask(&self, client: &str, shown: &Proposal) -> Question {
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
        Question { text: text(shown), state }
    }

    /// The proposal that an answer is about, as it was shown. The question is closed then, unless the answer is not of the
    /// client that was asked.
    pub fn answered(&self, answer: &Answer, client: &str, number: u64) -> Result<Proposal, ToolError> {
        let gone = || ToolError::new("this question is not open (any more), so nothing was decided; ask again");
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

/// What the user is asked: who proposes what, and what it does. Its words are told apart from ours.
pub(crate) fn text(proposal: &Proposal) -> String {
    let line = |text: &str| display_text(&beginning(text, LONGEST), Breaks::Escaped).into_owned();
    let Proposal { number, client, title, reason, changes, .. } = proposal;
    let mut text = format!("{} proposes to Lunette, as number {number}: {}\n", line(client), line(title));
    // Writing to a string does not fail.
    if !reason.is_empty() {
        writeln!(text, "Its words: “{}”", line(reason)).ok();
    }
    for change in changes.iter().take(MOST_NAMED) {
        let never = if matches!(change.undo, Undo::Never(_)) { " — cannot be undone" } else { "" };
        writeln!(text, "• {}{never}", line(&change.title)).ok();
    }
    if changes.len() > MOST_NAMED {
        let rest = &changes[MOST_NAMED..];
        let never = rest.iter().filter(|change| matches!(change.undo, Undo::Never(_))).count();
        writeln!(text, "• and {} more, of which {never} cannot be undone", rest.len()).ok();
    }
    write!(text, "`lunette proposals show {number}` and the window show all of it.").ok();
    text
}

#[cfg(test)]
mod tests {
    use lunette_inspector::proposals::Status;

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
        let question = questions.ask("a", &proposal(1));
        let answer = applying(&question);
        assert!(questions.answered(&answer, "b", 1).is_err(), "of another client");
        let altered = Answer { state: format!("{}0", answer.state), ..answer.clone() };
        assert!(questions.answered(&altered, "a", 1).is_err(), "altered");
        assert_eq!(questions.answered(&answer, "a", 1), Ok(proposal(1)));
        assert!(questions.answered(&answer, "a", 1).is_err(), "replayed");
        let question = questions.ask("a", &proposal(1));
        assert!(questions.answered(&applying(&question), "a", 2).is_err(), "about another proposal");
        assert!(Questions::default().answered(&applying(&question), "a", 1).is_err(), "from before a restart");
    }

    #[test]
    fn an_answer_is_stale_after_ten_minutes_and_few_questions_are_open() {
        let questions = Questions::default();
        let question = questions.ask("a", &proposal(1));
        let before = Instant::now().checked_sub(OPEN_FOR).expect("the machine runs for longer than that");
        questions.0.lock().expect("unlocked").values_mut().for_each(|asked| asked.at = before);
        assert!(questions.answered(&applying(&question), "a", 1).is_err());
        let first = questions.ask("a", &proposal(1));
        (0..MOST_OPEN).for_each(|_| drop(questions.ask("a", &proposal(1))));
        assert_eq!(questions.0.lock().expect("unlocked").len(), MOST_OPEN);
        assert!(questions.answered(&applying(&first), "a", 1).is_err(), "the oldest was dropped");
    }

    #[test]
    fn a_question_shows_the_words_of_the_assistant_on_one_line_without_hidden_characters() {
        let text = text(&proposal(7));
        assert!(text.contains("Its words: “because<U+202E><U+000A>of it”"), "{text}");
        assert!(text.contains("as number 7"), "{text}");
    }
}
