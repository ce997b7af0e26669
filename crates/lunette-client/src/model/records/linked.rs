//! What an asset is linked to: tags, websites, workstream summaries, annotations (records, 2.4).
//!
//! Each table names the fields that the public clients of version 2.7.0 know; a field of a later version is kept all
//! the same, as every unknown field is.

use crate::model::application::Applications;
use crate::model::asset::{FlattenedAssets, ReferencedAsset};
use crate::model::closed_enum::{AnnotationTypeEnum, MechanismEnum, TagCategoryEnum};
use crate::model::conversation::{FlattenedConversationMessages, FlattenedConversations, ReferencedConversation};
use crate::model::field_type::{Bool, Int, Json, Keyed, List, Text};
use crate::model::record::records;
use crate::model::related::{FlattenedAnchors, FlattenedPersons, ReferencedAnchor, ReferencedPerson, Relationship};
use crate::model::value::{EmbeddedModelSchema, GroupedTimestamp, Model, ReferencedModel, Score};

records! {
    /// A linkable tag (interface, 2).
    Tag {
        id: Text, text: Text, mechanisms? Keyed<MechanismEnum>, assets? FlattenedAssets, created: GroupedTimestamp,
        updated: GroupedTimestamp, deleted? GroupedTimestamp, category: TagCategoryEnum, relationship? Relationship,
        interactions? Int, persons? FlattenedPersons, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `Tags` of the clients.
    Tags {
        iterable: List<Tag>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedTag` of the clients.
    FlattenedTag {
        id: Text, text: Text, mechanisms? Keyed<MechanismEnum>, assets? FlattenedAssets, created: GroupedTimestamp,
        updated: GroupedTimestamp, deleted? GroupedTimestamp, category: TagCategoryEnum, relationship? Relationship,
        interactions? Int, persons? FlattenedPersons, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `ReferencedTag` of the clients.
    ReferencedTag {
        id: Text, reference? FlattenedTag, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedTags` of the clients.
    FlattenedTags {
        iterable: List<ReferencedTag>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// A linkable website (interface, 2).
    Website {
        id: Text, assets? FlattenedAssets, url: Text, name: Text, created: GroupedTimestamp,
        updated: GroupedTimestamp, deleted? GroupedTimestamp, mechanisms? Keyed<MechanismEnum>, interactions? Int,
        persons? FlattenedPersons, conversations? FlattenedConversations, score? Score,
        summaries? FlattenedWorkstreamSummaries, schema? EmbeddedModelSchema,
    }

    /// The record `Websites` of the clients.
    Websites {
        iterable: List<Website>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedWebsite` of the clients.
    FlattenedWebsite {
        id: Text, assets? FlattenedAssets, name: Text, url: Text, created: GroupedTimestamp,
        updated: GroupedTimestamp, deleted? GroupedTimestamp, mechanisms? Keyed<MechanismEnum>, interactions? Int,
        persons? FlattenedPersons, conversations? FlattenedConversations, score? Score,
        summaries? FlattenedWorkstreamSummaries, schema? EmbeddedModelSchema,
    }

    /// The record `ReferencedWebsite` of the clients.
    ReferencedWebsite {
        id: Text, reference? FlattenedWebsite, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedWebsites` of the clients.
    FlattenedWebsites {
        iterable: List<ReferencedWebsite>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// A linkable workstream summary (interface, 2).
    WorkstreamSummary {
        id: Text, score? Score, created: GroupedTimestamp, updated: GroupedTimestamp, events? Json, name: Text,
        annotations? FlattenedAnnotations, ranges? Json, model: Model, websites? FlattenedWebsites,
        anchors? FlattenedAnchors, assets? FlattenedAssets, conversations? FlattenedConversations,
        persons? FlattenedPersons, applications? Applications, schema? EmbeddedModelSchema,
    }

    /// The record `WorkstreamSummaries` of the clients.
    WorkstreamSummaries {
        iterable: List<WorkstreamSummary>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedWorkstreamSummary` of the clients.
    FlattenedWorkstreamSummary {
        id: Text, score? Score, created: GroupedTimestamp, updated: GroupedTimestamp, events? Json, name: Text,
        annotations? FlattenedAnnotations, ranges? Json, model: Model, websites? FlattenedWebsites,
        anchors? FlattenedAnchors, assets? FlattenedAssets, conversations? FlattenedConversations,
        persons? FlattenedPersons, applications? Applications, schema? EmbeddedModelSchema,
    }

    /// The record `ReferencedWorkstreamSummary` of the clients.
    ReferencedWorkstreamSummary {
        id: Text, reference? FlattenedWorkstreamSummary, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedWorkstreamSummaries` of the clients.
    FlattenedWorkstreamSummaries {
        iterable: List<ReferencedWorkstreamSummary>, indices? Keyed<Int>, score? Score,
        schema? EmbeddedModelSchema,
    }

    /// The record `Annotation` of the clients.
    Annotation {
        id: Text, created: GroupedTimestamp, updated: GroupedTimestamp, deleted? GroupedTimestamp,
        mechanism? MechanismEnum, asset? ReferencedAsset, person? ReferencedPerson, kind: AnnotationTypeEnum = "type", text: Text,
        model? ReferencedModel, pseudo? Bool, favorited? Bool, anchor? ReferencedAnchor,
        conversation? ReferencedConversation, score? Score, messages? FlattenedConversationMessages,
        summary? ReferencedWorkstreamSummary, schema? EmbeddedModelSchema,
    }

    /// The record `Annotations` of the clients.
    Annotations {
        iterable: List<Annotation>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedAnnotation` of the clients.
    FlattenedAnnotation {
        id: Text, created: GroupedTimestamp, updated: GroupedTimestamp, deleted? GroupedTimestamp,
        mechanism? MechanismEnum, asset? ReferencedAsset, person? ReferencedPerson, kind: AnnotationTypeEnum = "type", text: Text,
        model? ReferencedModel, pseudo? Bool, favorited? Bool, anchor? ReferencedAnchor,
        conversation? ReferencedConversation, score? Score, messages? FlattenedConversationMessages,
        summary? ReferencedWorkstreamSummary, schema? EmbeddedModelSchema,
    }

    /// The record `ReferencedAnnotation` of the clients.
    ReferencedAnnotation {
        id: Text, reference? FlattenedAnnotation, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedAnnotations` of the clients.
    FlattenedAnnotations {
        iterable: List<ReferencedAnnotation>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `SeededTag` of the clients.
    SeededTag {
        text: Text, asset? Text, mechanism? MechanismEnum, category? TagCategoryEnum, person? Text, schema? EmbeddedModelSchema,
    }

    /// The record `SeededWebsite` of the clients.
    SeededWebsite {
        asset? Text, conversation? Text, url: Text, name: Text, mechanism? MechanismEnum, person? Text,
        schema? EmbeddedModelSchema,
    }

    /// The record `SeededWorkstreamSummary` of the clients.
    SeededWorkstreamSummary {
        events? Json, name: Text, annotations? List<SeededAnnotation>, ranges? Json, model: Model,
        websites? FlattenedWebsites, anchors? FlattenedAnchors, assets? FlattenedAssets,
        conversations? FlattenedConversations, persons? FlattenedPersons, applications? Applications,
        schema? EmbeddedModelSchema,
    }

    /// The record `SeededAnnotation` of the clients.
    SeededAnnotation {
        mechanism? MechanismEnum, asset? Text, person? Text, kind: AnnotationTypeEnum = "type", text: Text, model? Text, pseudo? Bool,
        favorited? Bool, anchor? Text, conversation? Text, messages? FlattenedConversationMessages,
        schema? EmbeddedModelSchema,
    }
}
