//! The kinds of records that are rescued, each with the list that has them.

use lunette_client::model::id::AssetId;
use lunette_client::operation::Call;
use lunette_client::operation::table::{
    ActivitiesSnapshot, AnchorsSnapshot, AnnotationsSnapshot, ApplicationsSnapshot, AssetSnapshot,
    AssetsIdentifiersSnapshot, AssetsSnapshot, ConversationsSnapshot, HintsSnapshot, MessagesSnapshot, ModelsSnapshot,
    PersonsSnapshot, TagsSnapshot, WebsitesSnapshot, WorkstreamSummariesSnapshot,
};

/// A kind of record, in the order in which they are stored: what is linked to assets before the assets, and what names
/// an asset after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Tracked applications.
    Applications,
    /// Tags.
    Tags,
    /// Websites.
    Websites,
    /// Workstream summaries.
    Summaries,
    /// Persons.
    Persons,
    /// Anchors.
    Anchors,
    /// Hints.
    Hints,
    /// Conversations.
    Conversations,
    /// Messages of conversations.
    Messages,
    /// Assets, with their content.
    Assets,
    /// Annotations.
    Annotations,
    /// Activities.
    Activities,
    /// Language models.
    Models,
    /// Ranges of time that summaries are about.
    Ranges,
    /// What was observed on the machine.
    Events,
    /// Findings of what looks secret.
    Sensitives,
    /// Shares.
    Shares,
}

/// How the records of a kind are listed.
pub(super) enum Listing {
    /// By an operation whose response has the records.
    Operation(Call),
    /// By a path that the table of operations does not have.
    Path(&'static str),
    /// By their ids; each is read by itself.
    Ids(Call),
}

impl Kind {
    /// All kinds, in the order in which they are stored.
    pub const ALL: [Self; 17] = [
        Self::Applications,
        Self::Tags,
        Self::Websites,
        Self::Summaries,
        Self::Persons,
        Self::Anchors,
        Self::Hints,
        Self::Conversations,
        Self::Messages,
        Self::Assets,
        Self::Annotations,
        Self::Activities,
        Self::Models,
        Self::Ranges,
        Self::Events,
        Self::Sensitives,
        Self::Shares,
    ];

    /// Its name, as in a sentence; also the name of its file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Applications => "applications",
            Self::Tags => "tags",
            Self::Websites => "websites",
            Self::Summaries => "summaries",
            Self::Persons => "persons",
            Self::Anchors => "anchors",
            Self::Hints => "hints",
            Self::Conversations => "conversations",
            Self::Messages => "messages",
            Self::Assets => "assets",
            Self::Annotations => "annotations",
            Self::Activities => "activities",
            Self::Models => "models",
            Self::Ranges => "ranges",
            Self::Events => "events",
            Self::Sensitives => "sensitives",
            Self::Shares => "shares",
        }
    }

    /// The kind of this name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether our service stores its records; others are only kept as they were received.
    pub fn is_stored(self) -> bool {
        !matches!(self, Self::Models | Self::Ranges | Self::Events | Self::Sensitives | Self::Shares)
    }

    /// How a service lists its records.
    pub(super) fn listing(self) -> Listing {
        let whole = Some(true);
        Listing::Operation(match self {
            Self::Applications => ApplicationsSnapshot {}.into(),
            Self::Tags => TagsSnapshot { transferables: whole, assets: None, counts: None }.into(),
            Self::Websites => WebsitesSnapshot { transferables: whole, assets: None, counts: None }.into(),
            Self::Summaries => WorkstreamSummariesSnapshot { transferables: whole, assets: None, counts: None }.into(),
            Self::Persons => PersonsSnapshot { transferables: whole }.into(),
            Self::Anchors => AnchorsSnapshot { transferables: whole }.into(),
            Self::Hints => HintsSnapshot {}.into(),
            Self::Conversations => ConversationsSnapshot { transferables: whole }.into(),
            Self::Messages => MessagesSnapshot { transferables: whole }.into(),
            Self::Annotations => AnnotationsSnapshot { annotation_type_filter: None }.into(),
            Self::Activities => ActivitiesSnapshot { transferables: whole, pseudo: whole }.into(),
            Self::Models => ModelsSnapshot {}.into(),
            Self::Assets => return Listing::Ids(AssetsIdentifiersSnapshot { pseudo: whole }.into()),
            Self::Ranges => return Listing::Path("ranges"),
            Self::Events => return Listing::Path("workstream_events"),
            Self::Sensitives => return Listing::Path("sensitives"),
            Self::Shares => return Listing::Path("shares"),
        })
    }
}

/// Lists assets without content, where a service has no list of ids.
pub(super) fn assets_without_content() -> Call {
    AssetsSnapshot { transferables: Some(false), suggested: None, pseudo: Some(true), offset: None, limit: None }.into()
}

/// Reads an asset with its content.
pub(super) fn asset(id: &AssetId) -> Call {
    AssetSnapshot { asset: id.clone(), transferables: Some(true) }.into()
}
