//! Small values that many records share (records, 2.2).
//!
//! Each table names the fields that the public clients of version 2.7.0 know; a field of a later version is kept all
//! the same, as every unknown field is.

use crate::model::closed_enum::{
    ClassificationGenericEnum, ClassificationRenderingEnum, ClassificationSpecificEnum,
    EmbeddedModelSchemaSemanticVersionEnum, ModelTypeEnum, ModelUsageEnum,
};
use crate::model::field_type::{Bool, Int, List, Moment, Number, Text};
use crate::model::record::records;

records! {
    /// The record `EmbeddedModelSchema` of the clients.
    EmbeddedModelSchema {
        migration: Int, semantic: EmbeddedModelSchemaSemanticVersionEnum,
    }

    /// A moment: `value` is RFC 3339, `readable` free text (records, 2.2).
    GroupedTimestamp {
        value: Moment, readable? Text, schema? EmbeddedModelSchema,
    }

    /// A size: `value` in bytes, `readable` as text (records, 2.2).
    ByteDescriptor {
        value: Int, readable: Text, schema? EmbeddedModelSchema,
    }

    /// The scores of a material; manual and automatic are sums of activity ranks (records, 2.2).
    Score {
        manual: Int, automatic: Int, priority? Int, reuse? Int, update? Int, reference? Int, searched? Int,
        schema? EmbeddedModelSchema,
    }

    /// The record `SeededScore` of the clients.
    SeededScore {
        reuse? Bool, update? Bool, reference? Bool, priority? Bool, searched? Bool,
        schema? EmbeddedModelSchema,
    }

    /// Body of a score increment: one seeded score per material (interface, 2).
    SeededScoreIncrement {
        asset? SeededScore, assets? SeededScore, website? SeededScore, websites? SeededScore,
        anchor? SeededScore, anchors? SeededScore, anchor_point? SeededScore = "anchorPoint",
        anchor_points? SeededScore = "anchorPoints", annotation? SeededScore, annotations? SeededScore,
        conversation? SeededScore, conversations? SeededScore,
        conversation_message? SeededScore = "conversationMessage",
        conversation_messages? SeededScore = "conversationMessages", share? SeededScore, shares? SeededScore,
        sensitive? SeededScore, sensitives? SeededScore, hint? SeededScore, hints? SeededScore,
        person? SeededScore, persons? SeededScore, tag? SeededScore, tags? SeededScore,
        workstream_summary? SeededScore, workstream_summaries? SeededScore, workstream_events? SeededScore,
        workstream_event? SeededScore, ranges? SeededScore, range? SeededScore, schema? EmbeddedModelSchema,
    }

    /// The record `Classification` of the clients.
    Classification {
        generic: ClassificationGenericEnum, specific: ClassificationSpecificEnum, rendering? ClassificationRenderingEnum, schema? EmbeddedModelSchema,
    }

    /// The record `TransferableString` of the clients.
    TransferableString {
        raw? Text, base64? Text, base64_url? Text, data_url? Text, schema? EmbeddedModelSchema,
    }

    /// The record `TransferableBytes` of the clients.
    TransferableBytes {
        raw? List<Int>, base64? List<Int>, base64_url? List<Int>, data_url? List<Int>,
        schema? EmbeddedModelSchema,
    }

    /// The record `FragmentMetadata` of the clients.
    FragmentMetadata {
        ext? ClassificationSpecificEnum, schema? EmbeddedModelSchema,
    }

    /// The record `FragmentFormat` of the clients.
    FragmentFormat {
        string? TransferableString, bytes? TransferableBytes, metadata? FragmentMetadata,
        schema? EmbeddedModelSchema,
    }

    /// The record `FileFormat` of the clients.
    FileFormat {
        bytes? TransferableBytes, string? TransferableString, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedUserProfile` of the clients.
    FlattenedUserProfile {
        id: Text, email? Text, name? Text, username? Text, picture? Text, vanityname? Text,
        schema? EmbeddedModelSchema,
    }

    /// The record `ReferencedUser` of the clients.
    ReferencedUser {
        id: Text, reference? FlattenedUserProfile, schema? EmbeddedModelSchema,
    }

    /// The record `Accessor` of the clients.
    Accessor {
        id: Text, os: Text, share: Text, count: Int, user? FlattenedUserProfile, schema? EmbeddedModelSchema,
    }

    /// The record `Accessors` of the clients.
    Accessors {
        iterable: List<Accessor>, schema? EmbeddedModelSchema,
    }

    /// The record `Model` of the clients.
    Model {
        id: Text, version: Text, created: GroupedTimestamp, name: Text, description? Text, cloud: Bool,
        kind: ModelTypeEnum = "type", usage: ModelUsageEnum, bytes? ByteDescriptor, ram? ByteDescriptor, quantization? Text,
        foundation? Text, downloaded? Bool, loaded? Bool, unique? Text, parameters? Number, provider? Text,
        cpu? Bool, downloading? Bool, max_tokens? ModelMaxTokens = "maxTokens", custom? Bool,
        schema? EmbeddedModelSchema,
    }

    /// The record `ModelMaxTokens` of the clients.
    ModelMaxTokens {
        total: Number, input? Number, output? Number, schema? EmbeddedModelSchema,
    }

    /// The record `ReferencedModel` of the clients.
    ReferencedModel {
        id: Text, schema? EmbeddedModelSchema,
    }
}
