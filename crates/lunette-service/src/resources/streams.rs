//! Streams of identifiers (records, section 3): a snapshot of all ids, then every change. And what the streams about
//! the service itself say.
//!
//! What must hold: no change committed after a stream began is missed; a stream never buffers everything in memory,
//! however much there is and however slow the client. A subscriber that falls behind gets a new snapshot.

use serde_json::{Value, json};

use crate::store::feed::{FeedEnd, FeedEvent, FeedKind, Subscription};
use lunette_client::operation::unsupported::{QUESTION_STREAM, unsupported};
use lunette_client::operation::{Change, StatusStream, StreamKind};

use super::{local, well_known};
use crate::{Service, ServiceError};

/// The most identifiers in a message, about 64 KiB. Our choice: a client has something to show at once, and 100,000 ids
/// are 100 messages.
const MAX_IDS_PER_MESSAGE: usize = 1000;
/// How many changes are buffered for a slow client before it gets a new snapshot.
const MAX_PENDING: usize = 4096;

/// One stream.
pub(crate) struct Stream {
    kind: StreamKind,
    changes: Subscription,
    /// The position in the snapshot; None once it is complete.
    cursor: Option<Cursor>,
    /// Changes received from the store and not sent yet.
    changed: Vec<Change>,
}

/// A position in the snapshot: continue below this row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cursor(i64);

/// The beginning of the snapshot.
const FIRST_PAGE: Cursor = Cursor(i64::MAX);

/// The next step of a stream.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Send this message.
    Message(String),
    /// Read this page on a blocking thread and pass it to [`Stream::page_message`].
    Read(Cursor),
    /// The stream has ended, for this reason.
    End(FeedEnd),
}

/// A page of the snapshot.
#[derive(Debug)]
pub(crate) struct Page {
    ids: Vec<String>,
    rest: Option<Cursor>,
}

/// The message of a stream about the service itself.
pub(crate) fn status(service: &Service, kind: StatusStream) -> String {
    match kind {
        StatusStream::Health => well_known::health_text(service),
        StatusStream::User => local::user(service).to_string(),
    }
}

/// What is said to a question for a language model: that it failed and why, and then that this is all. The public command
/// line shows the first message and waits for the second; for others the first is enough. The names that the client gave its
/// question and its conversation are repeated, and no conversation is made.
pub(crate) fn refusal(question: &[u8]) -> [String; 2] {
    let question: Value = serde_json::from_slice(question).unwrap_or_default();
    let named = |field: &str| question.get(field).and_then(Value::as_str);
    let why = unsupported(QUESTION_STREAM).map_or("", |part| part.reason);
    let message = |status: &str| {
        let conversation = named("conversation").unwrap_or_default();
        let mut message = json!({ "conversation": conversation, "status": status, "statusCode": 501 });
        if let Some(request) = named("request") {
            message["request"] = request.into();
        }
        message
    };
    let mut failed = message("FAILED");
    failed["errorMessage"] = why.into();
    [failed.to_string(), message("COMPLETED").to_string()]
}

/// Begins a stream, which misses nothing from now on; without a snapshot it has the changes alone, until it falls behind.
pub(crate) fn begin(service: &Service, kind: StreamKind, snapshot: bool) -> Stream {
    let changes = service.store.subscribe(store_kind(kind), MAX_PENDING);
    Stream { kind, changes, cursor: snapshot.then_some(FIRST_PAGE), changed: Vec::new() }
}

/// Reads a page of the snapshot.
pub(crate) fn read(service: &Service, kind: StreamKind, cursor: Cursor) -> Result<Page, ServiceError> {
    // One extra row tells whether there is more.
    let mut rows = service.store.page_of_ids(store_kind(kind), cursor.0, MAX_IDS_PER_MESSAGE + 1)?;
    let more = rows.len() > MAX_IDS_PER_MESSAGE;
    rows.truncate(MAX_IDS_PER_MESSAGE);
    let rest = rows.last().filter(|_| more).map(|(row, _)| Cursor(*row));
    Ok(Page { ids: rows.into_iter().map(|(_, id)| id).collect(), rest })
}

impl Stream {
    /// What it is about.
    pub(crate) fn kind(&self) -> StreamKind {
        self.kind
    }

    /// Waits for the next step. Cancel-safe.
    pub(crate) async fn next(&mut self) -> Next {
        loop {
            // Deletions come before the snapshot: a deleted record may have been restored since.
            if !self.changed.is_empty() {
                let rest = self.changed.split_off(self.changed.len().min(MAX_IDS_PER_MESSAGE));
                return Next::Message(Change::message(std::mem::replace(&mut self.changed, rest)));
            }
            if let Some(cursor) = self.cursor {
                return Next::Read(cursor);
            }
            match self.changes.next().await {
                FeedEvent::Changed { records, behind } => {
                    let kind = self.kind;
                    self.changed = records.into_iter().map(|(id, deleted)| Change { kind, id, deleted }).collect();
                    self.cursor = behind.then_some(FIRST_PAGE);
                }
                FeedEvent::End(end) => return Next::End(end),
            }
        }
    }

    /// The message for a page, which counts as sent.
    pub(crate) fn page_message(&mut self, page: Page) -> String {
        self.cursor = page.rest;
        let kind = self.kind;
        Change::message(page.ids.into_iter().map(|id| Change { kind, id, deleted: false }))
    }
}

fn store_kind(kind: StreamKind) -> FeedKind {
    match kind {
        StreamKind::Assets => FeedKind::Asset,
        StreamKind::Tags => FeedKind::Tag,
        StreamKind::Websites => FeedKind::Website,
        StreamKind::WorkstreamSummaries => FeedKind::Summary,
        StreamKind::Conversations => FeedKind::Conversation,
        StreamKind::Applications => FeedKind::Application,
        StreamKind::Activities => FeedKind::Activity,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures_util::FutureExt as _;

    use super::*;
    use crate::detect::NoDetector;
    use crate::store::{NewConversation, Store};

    fn service() -> Service {
        Service::new(Store::in_memory().expect("a store"), Arc::new(NoDetector)).expect("a service")
    }

    fn make(service: &Service) -> String {
        service.store.make_conversation(NewConversation::default()).expect("a conversation")
    }

    /// The next message as sent; None if there is nothing to send.
    fn next_changes(service: &Service, stream: &mut Stream) -> Option<Vec<(String, bool)>> {
        let message = match stream.next().now_or_never()? {
            Next::Message(message) => message,
            Next::Read(cursor) => {
                stream.page_message(read(service, StreamKind::Conversations, cursor).expect("a page"))
            }
            Next::End(end) => panic!("{end:?}"),
        };
        let changes = Change::read(message.as_bytes()).expect("changes");
        Some(changes.into_iter().map(|change| (change.id, change.deleted)).collect())
    }

    #[test]
    fn an_empty_store_yields_one_empty_message() {
        let service = service();
        let mut stream = begin(&service, StreamKind::Conversations, true);
        assert_eq!(next_changes(&service, &mut stream), Some(Vec::new()));
        assert_eq!(next_changes(&service, &mut stream), None);
    }

    #[test]
    fn records_created_while_a_stream_starts_are_not_missed() {
        let service = service();
        let first = make(&service);
        let mut stream = begin(&service, StreamKind::Conversations, true);
        let second = make(&service);
        let snapshot = next_changes(&service, &mut stream).expect("a snapshot");
        assert_eq!(snapshot, [(second.clone(), false), (first, false)]);
        assert_eq!(next_changes(&service, &mut stream), Some(vec![(second, false)]), "told again, which does no harm");
    }

    #[test]
    fn many_ids_are_sent_in_messages_of_a_thousand() {
        let service = service();
        for _ in 0..2 * MAX_IDS_PER_MESSAGE {
            make(&service);
        }
        let mut stream = begin(&service, StreamKind::Conversations, true);
        let sizes: Vec<usize> =
            std::iter::from_fn(|| next_changes(&service, &mut stream)).map(|message| message.len()).collect();
        assert_eq!(sizes, [MAX_IDS_PER_MESSAGE, MAX_IDS_PER_MESSAGE]);
    }

    #[test]
    fn a_slow_subscriber_gets_a_new_snapshot() {
        let service = service();
        let mut stream = begin(&service, StreamKind::Conversations, true);
        assert_eq!(next_changes(&service, &mut stream), Some(Vec::new()));
        let mut ids: Vec<String> = (0..MAX_PENDING + 1).map(|_| make(&service)).collect();
        let mut found: Vec<String> = Vec::new();
        while let Some(message) = next_changes(&service, &mut stream) {
            found.extend(message.into_iter().map(|(id, _)| id));
        }
        ids.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, ids);
    }
}
