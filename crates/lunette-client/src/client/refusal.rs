//! Writes that a service refuses because of what it is, and not because of what was sent.

use std::fmt;

use super::CallError;

/// The first write that a service refused because it accepts none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The operation.
    pub operation: &'static str,
    /// The status of the response.
    pub status: u16,
    /// The service's own text, shortened.
    pub sentence: String,
}

/// What a text calls a service that accepts no writes.
const READ_ONLY: [&str; 3] = ["read-only", "read only", "readonly"];
/// What a text must name beside that, so that it is not about a field of the request.
const SUBJECTS: [&str; 7] = ["service", "server", "mode", "instance", "database", "installation", "api"];

impl Refusal {
    /// The refusal of a write that failed with this error; `None` if the error concerns this write only. `accepts` is
    /// whether the service is known to accept writes.
    ///
    /// Our choice: 403 and a text that says so mean the service. 405 and 501 do too until a write has succeeded; from
    /// then on they mean the operation, as they always do at our own service.
    pub(super) fn of(operation: &'static str, error: &CallError, accepts: bool) -> Option<Self> {
        let CallError::Status { status, sentence, .. } = error else { return None };
        let refuses = match status {
            403 => true,
            405 | 501 => !accepts || says_read_only(sentence),
            _ => says_read_only(sentence),
        };
        refuses.then(|| Self { operation, status: *status, sentence: sentence.clone() })
    }

    /// Whether a failed write is one that the service refused in this way.
    pub fn explains(&self, error: &CallError) -> bool {
        match error {
            CallError::Status { status, .. } => *status == self.status && !error.outcome_unknown(),
            CallError::ReadOnly { .. } => true,
            _ => false,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, status, sentence } = self;
        write!(f, "the service refused {operation} (status {status}: {})", sentence.trim_end_matches('.'))
    }
}

/// Whether a text says that a service is read-only.
fn says_read_only(text: &str) -> bool {
    let text = text.to_lowercase();
    let words = |word: &str| text.split(|letter: char| !letter.is_alphanumeric()).any(|part| part == word);
    READ_ONLY.iter().any(|phrase| text.contains(phrase)) && SUBJECTS.iter().any(|subject| words(subject))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Target;
    use crate::operation::Method;

    fn refusal(status: u16, sentence: &str, accepts: bool) -> Option<Refusal> {
        let target = Target { method: Method::Post, url: "http://localhost/".to_owned(), writes: true, content: false };
        Refusal::of("assetUpdate", &CallError::Status { target, status, sentence: sentence.to_owned() }, accepts)
    }

    #[test]
    fn a_status_or_a_text_about_the_service_is_a_refusal_of_all_writes() {
        assert!(refusal(403, "no", false).is_some() && refusal(403, "no", true).is_some());
        for status in [405, 501] {
            assert!(refusal(status, "no", false).is_some(), "{status}");
            assert!(refusal(status, "no", true).is_none(), "{status}: a write has succeeded");
        }
        for text in ["This service is in read-only mode.", "the server is read only", "API is readonly"] {
            assert!(refusal(400, text, true).is_some(), "{text}");
        }
    }

    #[test]
    fn an_error_about_the_request_is_no_refusal_of_all_writes() {
        for status in [400, 401, 404, 409, 410, 413, 429, 500, 503, 507] {
            assert!(refusal(status, "no", false).is_none(), "{status}");
        }
        for text in ["the field `created` is read-only", "services are fine", "apiary is readonly"] {
            assert!(refusal(400, text, false).is_none(), "{text}");
        }
    }
}
