//! The errors of the service, as status and message.

use std::io;

use crate::store::StoreError;
use lunette_client::model::record::SchemaError;
use lunette_client::operation::InvalidInput;

/// An error response: a status and one sentence, sent as `text/plain`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{sentence}")]
pub struct ServiceError {
    status: u16,
    sentence: String,
    /// After how many seconds a retry makes sense.
    retry_after: Option<u8>,
}

impl ServiceError {
    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The sentence, safe to send: never anything internal.
    pub fn sentence(&self) -> &str {
        &self.sentence
    }

    /// After how many seconds a retry makes sense, if at all.
    pub fn retry_after(&self) -> Option<u8> {
        self.retry_after
    }

    fn new(status: u16, sentence: impl Into<String>) -> Self {
        Self { status, sentence: sentence.into(), retry_after: None }
    }

    /// 503: the service is overloaded. Nothing was done.
    pub(crate) fn busy() -> Self {
        let sentence = "the service is busy with other large requests: try again in a second";
        Self { retry_after: Some(1), ..Self::new(503, sentence) }
    }

    /// A response fits neither in memory nor on disk, for this reason: 507 if the disk is full, otherwise 503.
    pub(crate) fn no_room_for_answer(problem: Option<&io::Error>) -> Self {
        let (status, problem) = match problem {
            Some(error) if !matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => {
                (503, format!("no temporary file can be written ({error})"))
            }
            Some(_) | None => (507, "the disk is full".to_owned()),
        };
        let sentence = format!(
            "{problem}, and this response does not fit in memory: request fewer records at once (`limit`) or no content \
             (`transferables=false`)"
        );
        Self::new(status, sentence)
    }

    /// The client of a streamed response is gone: nobody is told.
    pub(crate) fn client_gone() -> Self {
        Self::new(499, "the client is gone")
    }

    /// An error after a committed write: the changed record cannot be returned.
    pub(crate) fn after_write(self) -> Self {
        let sentence = format!("the change was made, but its record cannot be returned: {}", self.sentence);
        Self { sentence, retry_after: None, ..self }
    }

    /// 413: the body has too many values.
    pub(crate) fn too_many_values(most: usize) -> Self {
        let sentence = format!(
            "the body has more than {most} values, which is the limit: send it in parts, and the bytes of a file as \
             `string.base64`"
        );
        Self::new(413, sentence)
    }

    /// 400: the request cannot be understood or must not be done.
    pub(crate) fn bad_request(sentence: impl Into<String>) -> Self {
        Self::new(400, sentence)
    }

    /// 410: a record that is not there, asked for by its snapshot (records, section 1, note on errors).
    pub(crate) fn gone(sentence: impl Into<String>) -> Self {
        Self::new(410, sentence)
    }

    /// Turns "not found" into 410, for rows that document only that status (records, section 3).
    pub(crate) fn absent_is_gone(error: StoreError) -> Self {
        match error {
            StoreError::NotFound { .. } | StoreError::Gone { .. } => Self::gone(error.to_string()),
            other => other.into(),
        }
    }

    /// 413: the body is larger than we take.
    pub(crate) fn too_large(limit_bytes: usize) -> Self {
        Self::new(413, format!("the body is larger than the limit of {limit_bytes} bytes"))
    }

    /// 413: a content is larger than we keep.
    pub(crate) fn content_too_large(limit_bytes: usize, bytes: usize) -> Self {
        Self::new(413, format!("the content has {bytes} bytes; the limit is {limit_bytes}"))
    }

    /// 415: the body is not JSON.
    pub(crate) fn unsupported_type(sentence: impl Into<String>) -> Self {
        Self::new(415, sentence)
    }

    /// 500: an internal error. It is logged here, once; the response reveals nothing of it.
    pub(crate) fn internal(problem: impl std::fmt::Display) -> Self {
        tracing::error!(%problem, "a request failed");
        Self::new(500, "internal error; see the log of the service")
    }

    /// This error with another status.
    pub(crate) fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        let status = match &error {
            StoreError::NotFound { .. } | StoreError::NoVersion { .. } | StoreError::Gone { .. } => 404,
            StoreError::Invalid(_) => 400,
            StoreError::Conflict(_) => 409,
            StoreError::Full => 507,
            // The service itself is fine; its disk is not, and may recover.
            StoreError::ReadOnly { .. } | StoreError::Disk(_) => 503,
            StoreError::Damaged { .. } => 500,
            // These two contain paths of this machine, which belong in the log only.
            StoreError::Corrupt { problem, .. } | StoreError::Unusable { problem, .. } => {
                tracing::error!(%error, "a request failed");
                return Self::new(503, StoreError::Disk(problem.clone()).to_string());
            }
            StoreError::Newer { .. } | StoreError::Older { .. } | StoreError::Locked { .. } | StoreError::Broken(_) => {
                return Self::internal(error);
            }
        };
        Self::new(status, error.to_string())
    }
}

impl From<InvalidInput> for ServiceError {
    fn from(bad: InvalidInput) -> Self {
        Self::bad_request(bad.to_string())
    }
}

impl From<SchemaError> for ServiceError {
    fn from(wrong: SchemaError) -> Self {
        Self::internal(format!("created an invalid record: {wrong}"))
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn store_failures_are_explained_without_a_path() {
        let path = || PathBuf::from("/home/somebody/secret");
        let unusable = StoreError::Unusable { doing: "open", problem: "no".to_owned(), path: path() };
        let corrupt = StoreError::Corrupt { problem: "it is damaged".to_owned(), path: path(), newest: Some(path()) };
        for (error, status) in [
            (StoreError::Full, 507),
            (StoreError::ReadOnly { problem: "attempt to write a readonly database".to_owned() }, 503),
            (StoreError::Disk("disk I/O error".to_owned()), 503),
            (unusable, 503),
            (corrupt, 503),
            (StoreError::Damaged { what: "format", id: "an id".to_owned() }, 500),
            (StoreError::Broken("a fault".to_owned()), 500),
        ] {
            let answer = ServiceError::from(error);
            assert_eq!(answer.status(), status, "{answer}");
            assert!(answer.sentence().len() > 20 && !answer.sentence().contains("secret"), "{answer}");
        }
    }
}
