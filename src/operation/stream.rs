//! Streams of identifiers: what a service of this family pushes (records, section 3). The interface's own document names
//! none (section 6).

/// One stream, a row.
#[derive(Debug, PartialEq, Eq)]
pub struct StreamInfo {
    /// The clients' name, such as `assetsStreamIdentifiers`.
    pub name: &'static str,
    /// The path of its WebSocket.
    pub path: &'static str,
    /// What it tells of.
    pub kind: StreamKind,
}

/// What a stream tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each is the record of its name")]
pub enum StreamKind {
    Assets,
    Tags,
    Websites,
    WorkstreamSummaries,
    Conversations,
    Applications,
    Activities,
}

impl StreamKind {
    /// The field of a `StreamedIdentifier` that names one of them.
    pub fn field(self) -> &'static str {
        match self {
            Self::Assets => "asset",
            Self::Tags => "tag",
            Self::Websites => "website",
            Self::WorkstreamSummaries => "workstream_summary",
            Self::Conversations => "conversation",
            Self::Applications => "application",
            Self::Activities => "activity",
        }
    }

    /// Its row.
    pub fn info(self) -> &'static StreamInfo {
        let row = |kind| STREAMS.iter().find(|info| info.kind == kind);
        row(self).unwrap_or(&STREAMS[0])
    }
}

/// The streams of identifiers (records, section 3): WebSockets that send a snapshot first and then every change.
pub const STREAMS: [StreamInfo; 7] = [
    StreamInfo { name: "assetsStreamIdentifiers", path: "/assets/stream/identifiers", kind: StreamKind::Assets },
    StreamInfo { name: "tagsStreamIdentifiers", path: "/tags/stream/identifiers", kind: StreamKind::Tags },
    StreamInfo { name: "websitesStreamIdentifiers", path: "/websites/stream/identifiers", kind: StreamKind::Websites },
    StreamInfo {
        name: "workstreamSummariesStreamIdentifiers",
        path: "/workstream_summaries/stream/identifiers",
        kind: StreamKind::WorkstreamSummaries,
    },
    StreamInfo {
        name: "conversationsStreamIdentifiers",
        path: "/conversations/stream/identifiers",
        kind: StreamKind::Conversations,
    },
    StreamInfo {
        name: "applicationsStreamIdentifiers",
        path: "/applications/stream/identifiers",
        kind: StreamKind::Applications,
    },
    StreamInfo {
        name: "activitiesStreamIdentifiers",
        path: "/activities/stream/identifiers",
        kind: StreamKind::Activities,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_own_row() {
        for info in &STREAMS {
            assert_eq!(info.kind.info(), info);
        }
    }
}
