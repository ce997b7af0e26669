//! Conversations and their messages (records, 2.4).
//!
//! Each table names the fields that the public clients of version 2.7.0 know; a field of a later version is kept all
//! the same, as every unknown field is.

use crate::model::application::Application;
use crate::model::asset::FlattenedAssets;
use crate::model::closed_enum::{
    ConversationMessageSentimentEnum, ConversationTypeEnum, QGPTConversationMessageRoleEnum,
};
use crate::model::field_type::{Bool, Int, Json, Keyed, List, Text};
use crate::model::linked::{FlattenedAnnotations, FlattenedWebsites, FlattenedWorkstreamSummaries, SeededAnnotation};
use crate::model::record::records;
use crate::model::related::FlattenedAnchors;
use crate::model::value::{EmbeddedModelSchema, FragmentFormat, GroupedTimestamp, Model, ReferencedModel, Score};

records! {
    /// The record `Conversation` of the clients.
    Conversation {
        id: Text, name? Text, created: GroupedTimestamp, updated: GroupedTimestamp, deleted? GroupedTimestamp,
        favorited? Bool, application? Application, annotations? FlattenedAnnotations,
        messages: FlattenedConversationMessages, model? ReferencedModel, assets? FlattenedAssets,
        websites? FlattenedWebsites, anchors? FlattenedAnchors, kind: ConversationTypeEnum = "type",
        grounding? ConversationGrounding, score? Score, pipeline? Json, demo? Bool,
        summaries? FlattenedWorkstreamSummaries, schema? EmbeddedModelSchema,
    }

    /// Conversations of an asset (interface, 2).
    Conversations {
        iterable: List<Conversation>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedConversation` of the clients.
    FlattenedConversation {
        id: Text, name? Text, created: GroupedTimestamp, updated: GroupedTimestamp, deleted? GroupedTimestamp,
        favorited? Bool, application? Application, annotations? FlattenedAnnotations,
        messages: FlattenedConversationMessages, model? ReferencedModel, assets? FlattenedAssets,
        websites? FlattenedWebsites, anchors? FlattenedAnchors, kind: ConversationTypeEnum = "type",
        grounding? ConversationGrounding, score? Score, pipeline? Json, demo? Bool,
        summaries? FlattenedWorkstreamSummaries, schema? EmbeddedModelSchema,
    }

    /// The record `ReferencedConversation` of the clients.
    ReferencedConversation {
        id: Text, reference? FlattenedConversation, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedConversations` of the clients.
    FlattenedConversations {
        iterable: List<ReferencedConversation>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `ConversationMessage` of the clients.
    ConversationMessage {
        id: Text, created: GroupedTimestamp, updated: GroupedTimestamp, deleted? GroupedTimestamp,
        model? Model, fragment? FragmentFormat, conversation: ReferencedConversation, sentiment? ConversationMessageSentimentEnum,
        role: QGPTConversationMessageRoleEnum, score? Score, annotations? FlattenedAnnotations, schema? EmbeddedModelSchema,
    }

    /// The record `ConversationMessages` of the clients.
    ConversationMessages {
        iterable: List<ConversationMessage>, indices? Keyed<Int>, score? Score, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedConversationMessage` of the clients.
    FlattenedConversationMessage {
        id: Text, created: GroupedTimestamp, updated: GroupedTimestamp, deleted? GroupedTimestamp,
        model? Model, fragment? FragmentFormat, conversation: ReferencedConversation, sentiment? ConversationMessageSentimentEnum,
        role: QGPTConversationMessageRoleEnum, score? Score, annotations? FlattenedAnnotations, schema? EmbeddedModelSchema,
    }

    /// The record `ReferencedConversationMessage` of the clients.
    ReferencedConversationMessage {
        id: Text, reference? FlattenedConversationMessage, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedConversationMessages` of the clients.
    FlattenedConversationMessages {
        iterable: List<ReferencedConversationMessage>, indices? Keyed<Int>, score? Score,
        schema? EmbeddedModelSchema,
    }

    /// The record `ConversationGrounding` of the clients.
    ConversationGrounding {
        messages? FlattenedConversationMessages, temporal? Json, schema? EmbeddedModelSchema,
    }

    /// The record `SeededConversation` of the clients.
    SeededConversation {
        name? Text, favorited? Bool, application? Application, annotations? List<SeededAnnotation>,
        messages? List<SeededConversationMessage>, model? ReferencedModel, assets? FlattenedAssets,
        websites? FlattenedWebsites, anchors? List<Json>, kind: ConversationTypeEnum = "type", pipeline? Json, demo? Bool,
        schema? EmbeddedModelSchema,
    }

    /// The record `SeededConversationMessage` of the clients.
    SeededConversationMessage {
        created? GroupedTimestamp, model? Model, fragment: FragmentFormat,
        conversation? ReferencedConversation, sentiment? ConversationMessageSentimentEnum, role: QGPTConversationMessageRoleEnum, schema? EmbeddedModelSchema,
    }
}
