//! Records related to an asset, which Lunette shows unchanged: shares, persons, sensitives, hints, anchors, analyses
//! (records, 2.4).
//!
//! Each table names the fields that the public clients of version 2.7.0 know; a field of a later version is kept all
//! the same, as every unknown field is.

use crate::model::asset::{FlattenedAsset, FlattenedAssets, Format};
use crate::model::closed_enum::{
    AccessEnum, AnchorTypeEnum, ExternallySourcedEnum, HintTypeEnum, MechanismEnum, NodeTypeEnum, PlatformEnum,
    SensitiveCategoryEnum, SensitiveSeverityEnum,
};
use crate::model::conversation::FlattenedConversations;
use crate::model::field_type::{Bool, Int, Json, Keyed, List, Number, Text};
use crate::model::linked::{
    FlattenedAnnotations, FlattenedTags, FlattenedWebsites, FlattenedWorkstreamSummaries, SeededAnnotation,
};
use crate::model::record::records;
use crate::model::value::{Accessors, EmbeddedModelSchema, GroupedTimestamp, Model, ReferencedModel, Score};

records! {
    /// The record `Share` of the clients.
    Share {
        id: Text, user? Text, asset? FlattenedAsset, assets? FlattenedAssets, link: Text, access: AccessEnum,
        accessors: Accessors, created: GroupedTimestamp, short: Text, name? Text, distributions? Json,
        score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `Shares` of the clients.
    Shares {
        iterable: List<Share>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedShare` of the clients.
    FlattenedShare {
        id: Text, asset? Text, user? Text, link: Text, access: AccessEnum, accessors: Accessors,
        created: GroupedTimestamp, short: Text, name? Text, assets? FlattenedAssets, distributions? Json,
        score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedShares` of the clients.
    FlattenedShares {
        iterable: List<FlattenedShare>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `Person` of the clients.
    Person {
        id: Text, created: GroupedTimestamp, updated: GroupedTimestamp, deleted? GroupedTimestamp,
        kind: PersonType = "type", assets? FlattenedAssets, mechanisms? Keyed<MechanismEnum>, interactions? Int,
        access? Keyed<Json>, tags? FlattenedTags, websites? FlattenedWebsites, models? Keyed<Json>,
        annotations? FlattenedAnnotations, score? Score, summaries? FlattenedWorkstreamSummaries,
        anchors? FlattenedAnchors, schema? EmbeddedModelSchema,
    }

    /// The record `Persons` of the clients.
    Persons {
        iterable: List<Person>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `PersonType` of the clients.
    PersonType {
        basic? PersonBasicType, platform? Json, schema? EmbeddedModelSchema,
    }

    /// The record `PersonBasicType` of the clients.
    PersonBasicType {
        username? Text, name? Text, picture? Text, email? Text, sourced? ExternallySourcedEnum, url? Text, mailgun? Json,
        schema? EmbeddedModelSchema,
    }

    /// The record `ReferencedPerson` of the clients.
    ReferencedPerson {
        id: Text, reference? Json, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedPersons` of the clients.
    FlattenedPersons {
        iterable: List<ReferencedPerson>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `Sensitive` of the clients.
    Sensitive {
        id: Text, created: GroupedTimestamp, updated: GroupedTimestamp, deleted? GroupedTimestamp,
        asset: FlattenedAsset, text: Text, mechanism: MechanismEnum, category: SensitiveCategoryEnum, severity: SensitiveSeverityEnum, name: Text,
        description: Text, metadata? Json, interactions? Int, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `Sensitives` of the clients.
    Sensitives {
        iterable: List<Sensitive>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `Hint` of the clients.
    Hint {
        id: Text, created: GroupedTimestamp, updated: GroupedTimestamp, deleted? GroupedTimestamp,
        mechanisms? Keyed<MechanismEnum>, assets? FlattenedAssets, kind: HintTypeEnum = "type", text: Text,
        model? ReferencedModel, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `Hints` of the clients.
    Hints {
        iterable: List<Hint>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `Anchor` of the clients.
    Anchor {
        id: Text, name? Text, kind: AnchorTypeEnum = "type", watch? Bool, points: Json, created: GroupedTimestamp,
        updated: GroupedTimestamp, deleted? GroupedTimestamp, assets? FlattenedAssets,
        annotations? FlattenedAnnotations, conversations? FlattenedConversations, score? Score,
        summaries? FlattenedWorkstreamSummaries, persons? FlattenedPersons, schema? EmbeddedModelSchema,
    }

    /// The record `Anchors` of the clients.
    Anchors {
        iterable: List<Anchor>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `ReferencedAnchor` of the clients.
    ReferencedAnchor {
        id: Text, reference? Json, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedAnchors` of the clients.
    FlattenedAnchors {
        iterable: List<ReferencedAnchor>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `Analysis` of the clients.
    Analysis {
        code? CodeAnalysis, id: Text, format: Text, image? ImageAnalysis, schema? EmbeddedModelSchema,
    }

    /// The record `CodeAnalysis` of the clients.
    CodeAnalysis {
        tokenized? List<Text>, language? Text, kind: Text = "type", prediction? Keyed<Number>,
        similarity? Keyed<Number>, top5_colors? List<Int> = "top5Colors",
        top5_sorted? List<Text> = "top5Sorted", id: Text, analysis: Text, model: Model,
        schema? EmbeddedModelSchema,
    }

    /// The record `ImageAnalysis` of the clients.
    ImageAnalysis {
        id: Text, analysis: Text, ocr? OCRAnalysis, schema? EmbeddedModelSchema,
    }

    /// The record `OCRAnalysis` of the clients.
    OCRAnalysis {
        id: Text, raw: Format, hocr: Format, image: Text, model: Model, schema? EmbeddedModelSchema,
    }

    /// The record `Relationship` of the clients.
    Relationship {
        id: Text, embeddings: Embeddings, edges: Edges, created: GroupedTimestamp, updated: GroupedTimestamp,
        deleted? GroupedTimestamp, schema? EmbeddedModelSchema,
    }

    /// The record `Edges` of the clients.
    Edges {
        iterable: List<Node>,
    }

    /// The record `Node` of the clients.
    Node {
        id: Text, kind: NodeTypeEnum = "type", root: Bool, created: GroupedTimestamp,
    }

    /// The record `Embeddings` of the clients.
    Embeddings {
        iterable: List<Embedding>,
    }

    /// The record `Embedding` of the clients.
    Embedding {
        raw: List<Number>, model: Model, created: GroupedTimestamp, updated: GroupedTimestamp,
        deleted? GroupedTimestamp,
    }

    /// The record `SeededPerson` of the clients.
    SeededPerson {
        asset? Text, mechanism? MechanismEnum, access? Json, kind: PersonType = "type", model? Json,
        annotations? List<SeededAnnotation>, anchors? FlattenedAnchors, schema? EmbeddedModelSchema,
    }

    /// The record `SeededAnchor` of the clients.
    SeededAnchor {
        kind: AnchorTypeEnum = "type", watch? Bool, fullpath: Text, asset? Text, platform? PlatformEnum, name? Text,
        annotations? List<SeededAnnotation>, conversation? Text, persons? FlattenedPersons,
        schema? EmbeddedModelSchema,
    }

    /// The record `SeededHint` of the clients.
    SeededHint {
        mechanism? MechanismEnum, asset? Text, kind: HintTypeEnum = "type", text: Text, model? Text, schema? EmbeddedModelSchema,
    }
}
