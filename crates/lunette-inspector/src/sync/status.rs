//! The sync status of the connection, and how it is displayed.

use std::collections::BTreeMap;
use std::time::Duration;

use lunette_client::client::StreamKind;

/// The status of one stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StreamStatus {
    /// It was requested.
    #[default]
    Asked,
    /// It is open: changes are received at once.
    Followed,
    /// The service has no such stream.
    NotOffered,
    /// It broke or could not be opened, and will be retried; why.
    Broken(String),
}

/// How the window follows a service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyncStatus {
    streams: BTreeMap<StreamKind, StreamStatus>,
    /// The polling interval of visible data; `None` while nothing is polled.
    pub every: Option<Duration>,
}

impl SyncStatus {
    /// The status of each stream.
    pub const KINDS: [StreamKind; 7] = [
        StreamKind::Assets,
        StreamKind::Tags,
        StreamKind::Websites,
        StreamKind::WorkstreamSummaries,
        StreamKind::Conversations,
        StreamKind::Applications,
        StreamKind::Activities,
    ];

    /// The status of a stream.
    pub fn of(&self, kind: StreamKind) -> &StreamStatus {
        self.streams.get(&kind).unwrap_or(&StreamStatus::Asked)
    }

    /// Whether the service reports changes of this kind.
    pub fn follows(&self, kind: StreamKind) -> bool {
        *self.of(kind) == StreamStatus::Followed
    }

    pub(super) fn set(&mut self, kind: StreamKind, following: StreamStatus) {
        self.streams.insert(kind, following);
    }

    /// The status in a few words: `live`, `every 2 s`, `no live updates`.
    pub fn word(&self) -> String {
        match (self.of(StreamKind::Assets), self.every) {
            (StreamStatus::Followed, _) => "live".to_owned(),
            (_, Some(every)) => format!("every {} s", every.as_secs_f32().round().max(1.0)),
            (StreamStatus::Asked, None) => "no live updates yet".to_owned(),
            (StreamStatus::NotOffered | StreamStatus::Broken(_), None) => "no live updates".to_owned(),
        }
    }

    /// The reason for the status, in a sentence.
    pub fn reason(&self) -> String {
        let lacking: Vec<&str> =
            Self::KINDS.into_iter().filter(|kind| !self.follows(*kind)).map(|kind| kind.info().name).collect();
        let polled = match self.every {
            Some(_) => "visible data is refreshed regularly while the window has focus",
            None => "no visible data needs refreshing",
        };
        match self.of(StreamKind::Assets) {
            StreamStatus::Asked => "Connecting to the change streams.".to_owned(),
            StreamStatus::Followed if lacking.is_empty() => "All changes appear immediately.".to_owned(),
            StreamStatus::Followed => {
                format!("Changes appear immediately, except for these streams: {}.", lacking.join(", "))
            }
            StreamStatus::NotOffered => format!("This service has no change streams: {polled}."),
            StreamStatus::Broken(why) => {
                format!("The change stream was interrupted and is being retried: {why}. Meanwhile, {polled}.")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sync_label_says_how_soon_changes_appear() {
        let mut status = SyncStatus::default();
        assert_eq!(status.word(), "no live updates yet");
        status.set(StreamKind::Assets, StreamStatus::NotOffered);
        assert_eq!(status.word(), "no live updates");
        status.every = Some(Duration::from_secs(2));
        assert_eq!(status.word(), "every 2 s");
        assert!(status.reason().contains("no change streams"));
        status.set(StreamKind::Assets, StreamStatus::Followed);
        assert_eq!(status.word(), "live");
        assert!(status.reason().contains("tagsStreamIdentifiers"));
    }
}
