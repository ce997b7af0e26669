//! What a stream of identifiers says (records, section 3): all that is there, then what changes.
//!
//! What must hold: nothing that is committed after a stream began is missed; what a stream has to say is never all in
//! memory, however much is there and however slowly it is taken. A listener that fell behind is told everything again.

use crate::store::feed::{FeedEnd, FeedEvent, Kind, Subscription};
use lunette_client::operation::{Change, StreamKind};

use super::{Service, ServiceError};

/// How many identifiers a message holds at most, about 64 KiB of them. Our choice: a client that reads a message at a
/// time has something to show at once, and 100,000 are 100 messages.
const MAX_IDS_PER_MESSAGE: usize = 1000;
/// How many records may change while a listener does not listen, until it is told everything again.
const MAX_PENDING: usize = 4096;

/// One stream, from its beginning to its end.
pub(crate) struct Stream {
    kind: StreamKind,
    changes: Subscription,
    /// Where the telling of all that is there goes on; None once it is done.
    cursor: Option<Cursor>,
    /// What was heard of the store and not told yet.
    changed: Vec<Change>,
}

/// A place among all that is there: what comes below this row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cursor(i64);

/// The place where everything begins.
const FIRST_PAGE: Cursor = Cursor(i64::MAX);

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A message to be sent.
    Message(String),
    /// A page to be read, where blocking is right, and given to [`Stream::page_message`].
    Read(Cursor),
    /// Nothing more, for this reason.
    FeedEnd(FeedEnd),
}

/// A part of all that is there.
#[derive(Debug)]
pub(crate) struct Page {
    ids: Vec<String>,
    rest: Option<Cursor>,
}

/// Begins a stream: it misses nothing from here on.
pub(crate) fn begin(service: &Service, kind: StreamKind) -> Stream {
    let changes = service.store.subscribe(store_kind(kind), MAX_PENDING);
    Stream { kind, changes, cursor: Some(FIRST_PAGE), changed: Vec::new() }
}

/// Reads a part of all that is there.
pub(crate) fn read(service: &Service, kind: StreamKind, cursor: Cursor) -> Result<Page, ServiceError> {
    // One more than is told says whether there is a rest.
    let mut rows = service.store.page_of_ids(store_kind(kind), cursor.0, MAX_IDS_PER_MESSAGE + 1)?;
    let more = rows.len() > MAX_IDS_PER_MESSAGE;
    rows.truncate(MAX_IDS_PER_MESSAGE);
    let rest = rows.last().filter(|_| more).map(|(row, _)| Cursor(*row));
    Ok(Page { ids: rows.into_iter().map(|(_, id)| id).collect(), rest })
}

impl Stream {
    /// Waits for what comes next. It may be dropped while it waits: nothing is lost.
    pub(crate) async fn next(&mut self) -> Next {
        loop {
            // What is gone is told before all that is there: one of them may have come back since.
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
                FeedEvent::FeedEnd(end) => return Next::FeedEnd(end),
            }
        }
    }

    /// The message of a page, which is told then.
    pub(crate) fn page_message(&mut self, page: Page) -> String {
        self.cursor = page.rest;
        let kind = self.kind;
        Change::message(page.ids.into_iter().map(|id| Change { kind, id, deleted: false }))
    }
}

fn store_kind(kind: StreamKind) -> Kind {
    match kind {
        StreamKind::Assets => Kind::Asset,
        StreamKind::Tags => Kind::Tag,
        StreamKind::Websites => Kind::Website,
        StreamKind::WorkstreamSummaries => Kind::Summary,
        StreamKind::Conversations => Kind::Conversation,
        StreamKind::Applications => Kind::Application,
        StreamKind::Activities => Kind::Activity,
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

    /// The next message, as it is sent; None where there is nothing to tell.
    fn next_changes(service: &Service, stream: &mut Stream) -> Option<Vec<(String, bool)>> {
        let message = match stream.next().now_or_never()? {
            Next::Message(message) => message,
            Next::Read(cursor) => {
                stream.page_message(read(service, StreamKind::Conversations, cursor).expect("a page"))
            }
            Next::FeedEnd(end) => panic!("{end:?}"),
        };
        let changes = Change::read(message.as_bytes()).expect("changes");
        Some(changes.into_iter().map(|change| (change.id, change.deleted)).collect())
    }

    #[test]
    fn an_empty_store_is_told_in_one_empty_message() {
        let service = service();
        let mut stream = begin(&service, StreamKind::Conversations);
        assert_eq!(next_changes(&service, &mut stream), Some(Vec::new()));
        assert_eq!(next_changes(&service, &mut stream), None);
    }

    #[test]
    fn what_is_made_while_a_stream_begins_is_not_missed() {
        let service = service();
        let first = make(&service);
        let mut stream = begin(&service, StreamKind::Conversations);
        let second = make(&service);
        let snapshot = next_changes(&service, &mut stream).expect("a snapshot");
        assert_eq!(snapshot, [(second.clone(), false), (first, false)]);
        assert_eq!(next_changes(&service, &mut stream), Some(vec![(second, false)]), "told again, which does no harm");
    }

    #[test]
    fn many_are_told_in_messages_of_a_thousand() {
        let service = service();
        for _ in 0..2 * MAX_IDS_PER_MESSAGE {
            make(&service);
        }
        let mut stream = begin(&service, StreamKind::Conversations);
        let sizes: Vec<usize> =
            std::iter::from_fn(|| next_changes(&service, &mut stream)).map(|message| message.len()).collect();
        assert_eq!(sizes, [MAX_IDS_PER_MESSAGE, MAX_IDS_PER_MESSAGE]);
    }

    #[test]
    fn a_listener_that_fell_behind_is_told_everything_again() {
        let service = service();
        let mut stream = begin(&service, StreamKind::Conversations);
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
