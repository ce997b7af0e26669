//! Seeds, from which records are created, and what a search finds (records, 2.5 and 3).
//!
//! Each table names the fields that the public clients of version 2.7.0 know; a field of a later version is kept all
//! the same, as every unknown field is.

use crate::model::application::Application;
use crate::model::asset::Asset;
use crate::model::closed_enum::{
    ClassificationGenericEnum, ClassificationRenderingEnum, ClassificationSpecificEnum, MechanismEnum,
    SearchedMatchEnum, TagCategoryEnum,
};
use crate::model::field_type::{Bool, Int, Json, List, Number, Text, Uuid};
use crate::model::linked::{ReferencedTag, ReferencedWebsite, SeededAnnotation, SeededWebsite};
use crate::model::record::records;
use crate::model::related::{SeededAnchor, SeededHint, SeededPerson};
use crate::model::search_result::SearchEngines;
use crate::model::value::{
    Classification, EmbeddedModelSchema, FragmentMetadata, TransferableBytes, TransferableString,
};

/// The most seeds of one batch.
pub const BATCH_SEEDS: usize = 256;
/// The most bytes of content that the seeds of one batch have together, decoded.
pub const BATCH_CONTENT_BYTES: usize = 4 << 20;

records! {
    /// The record `Seed` of the clients.
    Seed {
        asset? SeededAsset, person? Json, anchor? Json, website? SeededWebsite, kind? Text = "type",
        schema? EmbeddedModelSchema,
    }

    /// Seeds whose assets are created together. Each is a `Seed`; one that is not is rejected alone.
    Seeds {
        iterable: List<Json>, schema? EmbeddedModelSchema,
    }

    /// The outcomes of seeds that were sent together, in their order.
    CreatedAssets {
        iterable: List<CreatedAsset>, schema? EmbeddedModelSchema,
    }

    /// The outcome of one seed: the id of the created or existing asset, with its record on request, or an error.
    CreatedAsset {
        id? Uuid, existing? Bool, asset? Asset, status? Int, error? Text, schema? EmbeddedModelSchema,
    }

    /// What a list shows of assets. `next` continues after the last of them, if there may be more.
    AssetRows {
        iterable: List<AssetRow>, next? Text, schema? EmbeddedModelSchema,
    }

    /// What a list shows of an asset: the language and the size of its original, the sum of its scores, the texts of its
    /// tags, its websites with name and url, the names of its workstream summaries, id and name of the application that
    /// its original came from, and the path that its description says it was imported from.
    AssetRow {
        id: Uuid, name? Text, specific? Text, size? Int, score? Int, created: Text, updated: Text, favorited? Bool,
        tags? List<Json>, websites? List<Json>, summaries? List<Json>, application? Json, path? Text,
        schema? EmbeddedModelSchema,
    }

    /// The record `SeededAsset` of the clients.
    SeededAsset {
        metadata? SeededAssetMetadata, application: Application, format: SeededFormat, discovered? Bool,
        available? AvailableFormats, pseudo? Bool, enrichment? SeededAssetEnrichment, demo? Bool,
        schema? EmbeddedModelSchema,
    }

    /// The record `SeededFormat` of the clients.
    SeededFormat {
        file? SeededFile, fragment? SeededFragment, classification? SeededClassification,
        schema? EmbeddedModelSchema,
    }

    /// The record `SeededFragment` of the clients.
    SeededFragment {
        string? TransferableString, bytes? TransferableBytes, metadata? FragmentMetadata,
        schema? EmbeddedModelSchema,
    }

    /// The record `SeededFile` of the clients.
    SeededFile {
        bytes? TransferableBytes, string? TransferableString, metadata? FileMetadata,
        schema? EmbeddedModelSchema,
    }

    /// The record `FileMetadata` of the clients.
    FileMetadata {
        name? Text, ext? ClassificationSpecificEnum, size? Int, schema? EmbeddedModelSchema,
    }

    /// The record `SeededClassification` of the clients.
    SeededClassification {
        generic? ClassificationGenericEnum, specific? ClassificationSpecificEnum, rendering? ClassificationRenderingEnum, schema? EmbeddedModelSchema,
    }

    /// The record `SeededAssetMetadata` of the clients.
    SeededAssetMetadata {
        name? Text, mechanism? MechanismEnum, tags? List<SeededAssetTag>, websites? List<SeededAssetWebsite>,
        sensitives? List<Json>, persons? List<SeededPerson>, annotations? List<SeededAnnotation>,
        hints? List<SeededHint>, anchors? List<SeededAnchor>, schema? EmbeddedModelSchema,
    }

    /// The record `SeededAssetTag` of the clients.
    SeededAssetTag {
        text: Text, mechanism? MechanismEnum, category? TagCategoryEnum, schema? EmbeddedModelSchema,
    }

    /// The record `SeededAssetWebsite` of the clients.
    SeededAssetWebsite {
        url: Text, name: Text, mechanism? MechanismEnum, schema? EmbeddedModelSchema,
    }

    /// The record `SeededAssetEnrichment` of the clients.
    SeededAssetEnrichment {
        tags? Int, websites? Int, persons? Int, hints? Int, schema? EmbeddedModelSchema,
    }

    /// The record `AvailableFormats` of the clients.
    AvailableFormats {
        iterable: List<Classification>, schema? EmbeddedModelSchema,
    }

    /// The record `SearchedAsset` of the clients.
    SearchedAsset {
        asset? Asset, exact: Bool, score: Number, matched: SearchedMatchEnum = "match", identifier: Text, pseudo? Bool,
        schema? EmbeddedModelSchema,
    }

    /// The record `SearchedAssets` of the clients.
    SearchedAssets {
        iterable: List<SearchedAsset>, suggested: Number, exact: Number, schema? EmbeddedModelSchema,
    }

    /// The record `SearchInput` of the clients.
    SearchInput {
        engines: SearchEngines, schema? EmbeddedModelSchema,
    }

    /// The record `AssetsSearchWithFiltersInput` of the clients.
    AssetsSearchWithFiltersInput {
        query? Text, space? Json, filters? Json, casing? Bool, schema? EmbeddedModelSchema,
    }

    /// The record `AssetsSearchWithFiltersOutput` of the clients.
    AssetsSearchWithFiltersOutput {
        results: SearchedAssets, schema? EmbeddedModelSchema,
    }

    /// The record `ExistentMetadata` of the clients.
    ExistentMetadata {
        value: Text, schema? EmbeddedModelSchema,
    }

    /// The record `ExistingMetadata` of the clients.
    ExistingMetadata {
        website? ReferencedWebsite, tag? ReferencedTag, schema? EmbeddedModelSchema,
    }
}
