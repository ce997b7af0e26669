//! Earlier versions of assets, and checkpoints. They are not part of the interface: a service of this program has them.

use crate::model::field_type::{Bool, Int, Json, List, Text, Uuid};
use crate::model::record::records;
use crate::model::value::{EmbeddedModelSchema, GroupedTimestamp};

records! {
    /// The versions of an asset, newest first: the first is what the asset is now. `from_creation` says whether the last is
    /// what it was created as; if not, what it was before is not recorded, or no longer kept: `ended` is the number of the
    /// last version that is not. `kept` says for how many `days`, how many `versions` of an asset, and how many `bytes` of all
    /// are kept. `gaps` are times, with `from` and `to`, in which no versions were kept.
    AssetVersions {
        asset: Uuid, iterable: List<AssetVersion>, from_creation: Bool, ended? Int, gaps? List<Json>,
        kept: Json, schema? EmbeddedModelSchema,
    }

    /// A version of an asset: when and by whom it was written (`client` is how the client named itself, `application` the
    /// name under which it registered), what differs from the version before, and in how many lines. `deleted` is `trash` or
    /// `purged`. Where `missing` says why, it cannot be read. `secret` is what its content looks like it holds, such as a
    /// private key.
    AssetVersion {
        version: Int, current: Bool, at? GroupedTimestamp, client? Text, application? Text, changed: List<Text>,
        added? Int, removed? Int, first_line? Text, bytes? Int, deleted? Text, missing? Text,
        secret? Text, schema? EmbeddedModelSchema,
    }

    /// An asset as it was, but for its content: links by their ids and names (`deleted` says that an item is not there any
    /// more), annotations, and in `fields` what else its record had.
    PastAsset {
        asset: Uuid, version: Int, current: Bool, at? GroupedTimestamp, deleted? Text, creator? Text, name? Text,
        mechanism: Text,
        favorited: Bool, generic? Text, specific? Text, tags: List<Json>, websites: List<Json>, summaries: List<Json>,
        persons: List<Json>, anchors: List<Json>, hints: List<Json>, conversations: List<Json>,
        annotations: List<Json>, fields: Json, schema? EmbeddedModelSchema,
    }

    /// A part of the content of a version: `size` bytes are all of it, `offset` is where the part begins. Text is in `text`,
    /// bytes are in `base64`.
    PastContent {
        asset: Uuid, version: Int, size: Int, offset: Int, text? Text, base64? Text, schema? EmbeddedModelSchema,
    }

    /// The assets that there were at a time.
    PastAssets {
        at: GroupedTimestamp, iterable: List<PastAssetRow>, schema? EmbeddedModelSchema,
    }

    /// What a list shows of an asset as it was. `recorded` says whether it is known that it was so at that time; if not, it is
    /// the earliest that is known.
    PastAssetRow {
        id: Uuid, version: Int, name? Text, specific? Text, updated? GroupedTimestamp, recorded: Bool,
        schema? EmbeddedModelSchema,
    }

    /// How many versions of assets are kept: for so many `days` after another one replaced it, so many `versions` of each
    /// asset, and so many `bytes` of all. None of an asset keeps none at all.
    VersionBounds {
        days: Int, versions: Int, bytes: Int, schema? EmbeddedModelSchema,
    }

    /// All checkpoints, newest first.
    Checkpoints {
        iterable: List<Checkpoint>, schema? EmbeddedModelSchema,
    }

    /// A moment with a name. Versions that were there then are not deleted for their age or number. Without `assets` it is
    /// about all. One that is `automatic` was made by a program before a change of many assets: it keeps no versions, and is
    /// deleted when it is older than versions may be.
    Checkpoint {
        id: Text, name: Text, at: GroupedTimestamp, assets? List<Text>, automatic? Bool, schema? EmbeddedModelSchema,
    }

    /// A checkpoint to make now.
    SeededCheckpoint {
        name: Text, assets? List<Text>, automatic? Bool, schema? EmbeddedModelSchema,
    }
}
