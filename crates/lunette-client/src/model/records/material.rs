//! Everything that a service holds, kind by kind: how many records there are, their ids, and the records themselves in
//! batches, as programs read it that copy everything out of a service of this family.

use crate::model::activity::Activities;
use crate::model::asset::{Assets, Formats};
use crate::model::closed_enum::MaterialTypeEnum;
use crate::model::conversation::{ConversationMessages, Conversations};
use crate::model::field_type::{Int, Json, List, Text};
use crate::model::linked::{Annotations, Tags, Websites, WorkstreamSummaries};
use crate::model::local::Users;
use crate::model::record::records;
use crate::model::related::{Anchors, Hints, Persons};
use crate::model::value::EmbeddedModelSchema;

records! {
    /// Which records are counted: those of a kind, and with `filters` those that were created or updated within a time,
    /// such as `{"created": {"from": {"value": "2026-01-01T00:00:00Z"}}}`.
    MaterialsMetricsInput {
        material_type: MaterialTypeEnum, filters? Json, schema? EmbeddedModelSchema,
    }

    /// How many records there are.
    MaterialsMetrics {
        total_count: Int, schema? EmbeddedModelSchema,
    }

    /// Whose ids are listed: those of a kind, at most `limit` of them, created or updated within a time, such as
    /// `{"from": {"value": "2026-01-01T00:00:00Z"}, "to": {"value": "2026-12-31T00:00:00Z"}}`.
    MaterialsIdentifiersInput {
        material_type: MaterialTypeEnum, limit? Int, created? Json, updated? Json, schema? EmbeddedModelSchema,
    }

    /// The ids of the records, newest first.
    MaterialsIdentifiers {
        identifiers: List<Text>, schema? EmbeddedModelSchema,
    }

    /// A record by its id.
    ReferencedMaterial {
        id: Text, schema? EmbeddedModelSchema,
    }

    /// Records by their ids.
    FlattenedMaterials {
        iterable: List<ReferencedMaterial>, schema? EmbeddedModelSchema,
    }

    /// The workstream summaries to read.
    WorkstreamSummariesBatchInput {
        workstream_summaries: FlattenedMaterials = "workstreamSummaries", schema? EmbeddedModelSchema,
    }

    /// The workstream summaries that were found, and the ids of the others.
    WorkstreamSummariesBatchOutput {
        workstream_summaries: WorkstreamSummaries = "workstreamSummaries", not_found? List<Text> = "notFound",
        schema? EmbeddedModelSchema,
    }

    /// The records to read, in the field of their kind; other fields are ignored.
    MaterialsBatchFetchInput {
        workstream_summaries? FlattenedMaterials = "workstreamSummaries", tags? FlattenedMaterials,
        annotations? FlattenedMaterials, persons? FlattenedMaterials, conversations? FlattenedMaterials,
        conversation_messages? FlattenedMaterials = "conversationMessages", assets? FlattenedMaterials,
        formats? FlattenedMaterials, anchors? FlattenedMaterials, websites? FlattenedMaterials,
        hints? FlattenedMaterials, activities? FlattenedMaterials, users? FlattenedMaterials,
        schema? EmbeddedModelSchema,
    }

    /// The records that were found, in the field of their kind, and the ids of the others in `notFound`.
    MaterialsBatchFetchOutput {
        workstream_summaries? WorkstreamSummaries = "workstreamSummaries", tags? Tags, annotations? Annotations,
        persons? Persons, conversations? Conversations,
        conversation_messages? ConversationMessages = "conversationMessages", assets? Assets, formats? Formats,
        anchors? Anchors, websites? Websites, hints? Hints, activities? Activities, users? Users,
        not_found? List<Text> = "notFound", schema? EmbeddedModelSchema,
    }
}
