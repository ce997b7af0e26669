//! Records of searches and streams (records, section 3).
//!
//! Each table names the fields that the public clients of version 2.7.0 know; a field of a later version is kept all
//! the same, as every unknown field is.

use crate::model::activity::ReferencedActivity;
use crate::model::asset::{FlattenedAssets, ReferencedAsset};
use crate::model::conversation::{Conversation, ReferencedConversation};
use crate::model::field_type::{Bool, Int, Json, List, Number, Text, Uuid};
use crate::model::linked::{
    Annotation, ReferencedTag, ReferencedWebsite, ReferencedWorkstreamSummary, Tag, Website, WorkstreamSummary,
};
use crate::model::record::records;
use crate::model::seed::SeededAssetTag;
use crate::model::value::EmbeddedModelSchema;

/// The most hits that a search of Lunette's own service returns. Our choice: the interface names no limit.
pub const MAX_HITS: usize = 500;

/// The most related assets that Lunette's own service returns.
pub const MAX_RELATED: usize = 100;
/// How many related assets it returns if no limit is asked for.
pub const DEFAULT_RELATED: usize = 20;

records! {
    /// The record `SearchEngines` of the clients.
    SearchEngines {
        iterable: List<SearchEngine>, kind? Text = "type", schema? EmbeddedModelSchema,
    }

    /// The record `SearchEngine` of the clients.
    SearchEngine {
        query? Text, embeddings? Json, full_text? FullTextSearchOptions, temporal? Json, workstream? Json,
        operations? Json, schema? EmbeddedModelSchema,
    }

    /// The record `FullTextSearchOptions` of the clients.
    FullTextSearchOptions {
        similarity? Number, exact? Bool, schema? EmbeddedModelSchema,
    }

    /// The assets that are related to one, the closest first. `unindexed` says how many contents were not looked through.
    RelatedAssets {
        iterable: List<RelatedAsset>, unindexed? Int, schema? EmbeddedModelSchema,
    }

    /// An asset that is related to another: its name, the language of its original, the path that its description says it
    /// was imported from; for a near duplicate, how much of its text is the same, from 0.5 to 1.
    RelatedAsset {
        id: Uuid, name? Text, specific? Text, path? Text, near_duplicate? Number, why: SharedTraits,
        schema? EmbeddedModelSchema,
    }

    /// The groups of assets that are near duplicates of one another, those last updated first.
    NearDuplicates {
        iterable: List<NearDuplicateGroup>, schema? EmbeddedModelSchema,
    }

    /// Assets that are near duplicates of one another: their ids, that of the last updated first.
    NearDuplicateGroup {
        assets: List<Text>, schema? EmbeddedModelSchema,
    }

    /// What two assets have in common: how many rare words; texts of tags, addresses of websites, names of workstream
    /// summaries; how many persons, anchors and conversations; the folder that they were imported from; the shape of their
    /// names. A field without a value is omitted.
    SharedTraits {
        words? Int, tags? List<Text>, websites? List<Text>, summaries? List<Text>, persons? Int, anchors? Int,
        conversations? Int, folder? Bool, name? Bool, schema? EmbeddedModelSchema,
    }

    /// The record `SeededAssetTags` of the clients.
    SeededAssetTags {
        iterable: List<SeededAssetTag>, schema? EmbeddedModelSchema,
    }

    /// The record `PseudoAssets` of the clients.
    PseudoAssets {
        identifiers? FlattenedAssets, schema? EmbeddedModelSchema,
    }

    /// The record `SearchedTags` of the clients.
    SearchedTags {
        iterable: List<SearchedTag>, schema? EmbeddedModelSchema,
    }

    /// The record `SearchedTag` of the clients.
    SearchedTag {
        tag? Tag, exact: Bool, similarity: Number, temporal? Bool, identifier: Text, schema? EmbeddedModelSchema,
    }

    /// The record `SearchedWebsites` of the clients.
    SearchedWebsites {
        iterable: List<SearchedWebsite>, schema? EmbeddedModelSchema,
    }

    /// The record `SearchedWebsite` of the clients.
    SearchedWebsite {
        website? Website, exact: Bool, similarity: Number, temporal? Bool, identifier: Text, schema? EmbeddedModelSchema,
    }

    /// The record `SearchedWorkstreamSummaries` of the clients.
    SearchedWorkstreamSummaries {
        iterable: List<SearchedWorkstreamSummary>, schema? EmbeddedModelSchema,
    }

    /// The record `SearchedWorkstreamSummary` of the clients.
    SearchedWorkstreamSummary {
        summary? WorkstreamSummary, exact: Bool, similarity: Number, temporal? Bool, identifier: Text, schema? EmbeddedModelSchema,
    }

    /// The record `SearchedConversations` of the clients.
    SearchedConversations {
        iterable: List<SearchedConversation>, schema? EmbeddedModelSchema,
    }

    /// The record `SearchedConversation` of the clients.
    SearchedConversation {
        conversation? Conversation, exact: Bool, similarity: Number, temporal? Bool, identifier: Text, schema? EmbeddedModelSchema,
    }

    /// The record `SearchedAnnotations` of the clients.
    SearchedAnnotations {
        iterable: List<SearchedAnnotation>, schema? EmbeddedModelSchema,
    }

    /// The record `SearchedAnnotation` of the clients.
    SearchedAnnotation {
        annotation? Annotation, exact: Bool, similarity: Number, temporal? Bool, identifier: Text, schema? EmbeddedModelSchema,
    }

    /// The record `StreamedIdentifiers` of the clients.
    StreamedIdentifiers {
        iterable: List<StreamedIdentifier>, schema? EmbeddedModelSchema,
    }

    /// The record `StreamedIdentifier` of the clients: what changed, and whether it is gone. Version 2.7.0 knows assets
    /// and conversations, later ones the others.
    StreamedIdentifier {
        asset? ReferencedAsset, conversation? ReferencedConversation, tag? ReferencedTag, website? ReferencedWebsite,
        workstream_summary? ReferencedWorkstreamSummary, application? ReferencedApplication,
        activity? ReferencedActivity, deleted? Bool,
    }

    /// The record `ReferencedApplication` of the clients.
    ReferencedApplication {
        id: Text, reference? Json, schema? EmbeddedModelSchema,
    }
}
