//! Numbered reads of one resource: responses may arrive in another order than the requests were sent.
//!
//! What must hold: the response to an older read never replaces that to a newer one, whichever arrives first.

use std::collections::BTreeMap;

use crate::change::LinkKind;
use lunette_client::model::id::AssetId;

/// A resource that is read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ResourceKey {
    Applications,
    Application,
    External,
    Assets,
    /// All near duplicates.
    NearDuplicates,
    /// The plan that merges some of them.
    Merge,
    Linkable(LinkKind),
    /// The list of items in the panel of links.
    Links(LinkKind),
    /// The item that is open there.
    Link,
    /// Which assets it has.
    LinkAssets,
    /// The activity of its assets.
    LinkActivity,
    /// The graph of links.
    Graph,
    /// The assets of items that are to be merged or removed.
    LinkedAssets,
    Asset(AssetId),
    Content(AssetId),
    Formats(AssetId),
    Activities(AssetId),
    Conversations(AssetId),
    Related(AssetId),
    Export(AssetId),
    Versions(AssetId),
    /// A text in the versions of an asset.
    PastSearch,
    /// The list of assets as it was.
    AssetsThen,
    Checkpoints,
    /// How many versions the service keeps.
    VersionBounds,
    /// A version that is to be restored.
    VersionToRestore,
    /// The parts of a version of which some are restored.
    RestoreParts,
    /// The list of deleted assets.
    Trash,
    /// The plan of an operation on many assets.
    Bulk,
}

/// The number of the last read of each resource.
#[derive(Default)]
pub(crate) struct RequestVersions {
    count: u64,
    latest: BTreeMap<ResourceKey, u64>,
}

impl RequestVersions {
    /// Clears the reads; numbers are still never reused.
    pub(crate) fn clear(&mut self) {
        self.latest.clear();
    }

    /// Begins a read; responses to earlier reads are outdated from now on.
    pub(crate) fn begin(&mut self, read: ResourceKey) -> u64 {
        self.count += 1;
        self.latest.insert(read, self.count);
        self.count
    }

    /// Whether no later read of this was begun.
    pub(crate) fn is_latest(&self, read: &ResourceKey, number: u64) -> bool {
        self.latest.get(read) == Some(&number)
    }
}
