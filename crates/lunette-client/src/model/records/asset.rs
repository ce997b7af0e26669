//! Assets and their formats (interface, 2 and 4.2; records, 2.4).
//!
//! Each table names the fields that the public clients of version 2.7.0 know; a field of a later version is kept all
//! the same, as every unknown field is.

use crate::model::activity::{Activities, FlattenedActivities};
use crate::model::application::Application;
use crate::model::closed_enum::{ClassificationSpecificEnum, MechanismEnum, Role};
use crate::model::conversation::{Conversations, FlattenedConversations};
use crate::model::field_type::{Bool, Int, Json, Keyed, List, Text, Uuid};
use crate::model::linked::{
    Annotations, FlattenedAnnotations, FlattenedTags, FlattenedWebsites, FlattenedWorkstreamSummaries, Tags, Websites,
    WorkstreamSummaries,
};
use crate::model::record::records;
use crate::model::related::{
    Analysis, Anchors, FlattenedAnchors, FlattenedPersons, FlattenedShares, Hints, Persons, Relationship, Sensitives,
    Shares,
};
use crate::model::value::{
    ByteDescriptor, Classification, EmbeddedModelSchema, FileFormat, FlattenedUserProfile, FragmentFormat,
    GroupedTimestamp, Score,
};

records! {
    /// One asset, identified by a UUID string (interface, 2).
    Asset {
        id: Uuid, name? Text, creator: Text, created: GroupedTimestamp, updated: GroupedTimestamp,
        synced? GroupedTimestamp, deleted? GroupedTimestamp, formats: Formats, preview: Preview,
        original: ReferencedFormat, shares? Shares, mechanism: MechanismEnum, websites? Websites,
        interacted? GroupedTimestamp, tags? Tags, sensitives? Sensitives, persons? Persons, curated? Bool,
        discovered? Bool, activities? Activities, score? Score, favorited? Bool, pseudo? Bool,
        annotations? Annotations, hints? Hints, anchors? Anchors, conversations? Conversations,
        summaries? WorkstreamSummaries, demo? Bool, schema? EmbeddedModelSchema,
    }

    /// The record `Assets` of the clients.
    Assets {
        iterable: List<Asset>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// An asset inside a format or activity: its own formats and links are ids (records, 0, surprise 10).
    FlattenedAsset {
        id: Text, name? Text, creator: Text, created: GroupedTimestamp, updated: GroupedTimestamp,
        synced? GroupedTimestamp, deleted? GroupedTimestamp, formats: FlattenedFormats,
        preview: FlattenedPreview, original: Text, shares? FlattenedShares, mechanism: MechanismEnum,
        websites? FlattenedWebsites, interacted? GroupedTimestamp, tags? FlattenedTags, sensitives? Json,
        persons? FlattenedPersons, curated? Bool, discovered? Bool, activities? FlattenedActivities,
        score? Score, favorited? Bool, pseudo? Bool, annotations? FlattenedAnnotations, hints? Json,
        anchors? FlattenedAnchors, conversations? FlattenedConversations, demo? Bool,
        summaries? FlattenedWorkstreamSummaries, schema? EmbeddedModelSchema,
    }

    /// The record `ReferencedAsset` of the clients.
    ReferencedAsset {
        id: Text, reference? FlattenedAsset, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedAssets` of the clients.
    FlattenedAssets {
        iterable? List<ReferencedAsset>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// One format of an asset: text in `fragment.string.raw`, bytes in `file.bytes.raw` (records, 2.4).
    Format {
        id: Text, creator: Text, classification: Classification, icon? Text, role: Role,
        application: Application, asset: FlattenedAsset, bytes: ByteDescriptor, created: GroupedTimestamp,
        updated: GroupedTimestamp, deleted? GroupedTimestamp, synced? GroupedTimestamp, cloud? Text,
        fragment? FragmentFormat, file? FileFormat, analysis? Analysis, relationship? Relationship,
        activities? Activities, schema? EmbeddedModelSchema,
    }

    /// Formats of an asset (interface, 2).
    Formats {
        iterable: List<Format>, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedFormat` of the clients.
    FlattenedFormat {
        id: Text, creator: Text, classification: Classification, icon? Text, role: Role,
        application: Application, asset: Uuid, bytes: ByteDescriptor, created: GroupedTimestamp,
        updated: GroupedTimestamp, deleted? GroupedTimestamp, synced? GroupedTimestamp, cloud? Text,
        fragment? FragmentFormat, file? FileFormat, analysis? Json, relationship? Relationship,
        activities? FlattenedActivities, schema? EmbeddedModelSchema,
    }

    /// The record `ReferencedFormat` of the clients.
    ReferencedFormat {
        id: Text, reference? FlattenedFormat, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedFormats` of the clients.
    FlattenedFormats {
        iterable: List<ReferencedFormat>, schema? EmbeddedModelSchema,
    }

    /// What is shown of an asset first (records, 2.4).
    Preview {
        base: ReferencedFormat, overlay? ReferencedFormat, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedPreview` of the clients.
    FlattenedPreview {
        base: Text, overlay? Text, schema? EmbeddedModelSchema,
    }

    /// Export version of an asset; the document is in `raw.string.raw` (interface, 2; records, 2.4).
    ExportedAsset {
        name: Text, description: Text, created: GroupedTimestamp, raw: FileFormat,
    }

    /// Body of reclassify: an asset and the language it becomes (interface, 2).
    AssetReclassification {
        ext: ClassificationSpecificEnum, asset: Asset, schema? EmbeddedModelSchema,
    }

    /// The record `FormatReclassification` of the clients.
    FormatReclassification {
        ext: ClassificationSpecificEnum, format: Format, schema? EmbeddedModelSchema,
    }

    /// Body of a snapshot by POST: the user who asks (interface, 2).
    SeededAccessor {
        os: Text, user? FlattenedUserProfile, share: Text, schema? EmbeddedModelSchema,
    }
}
