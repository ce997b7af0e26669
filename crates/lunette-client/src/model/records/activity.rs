//! What happened to an asset, as the service reports it (records, 2.4).
//!
//! Each table names the fields that the public clients of version 2.7.0 know; a field of a later version is kept all
//! the same, as every unknown field is.

use crate::model::application::{Application, SeededTrackedInteractionEvent, SeededTrackedKeyboardEvent};
use crate::model::asset::{FlattenedAsset, FlattenedFormat, ReferencedAsset, ReferencedFormat};
use crate::model::closed_enum::MechanismEnum;
use crate::model::conversation::ReferencedConversation;
use crate::model::field_type::{Int, Json, List, Text};
use crate::model::linked::{ReferencedAnnotation, ReferencedTag, ReferencedWebsite};
use crate::model::record::records;
use crate::model::related::{ReferencedAnchor, ReferencedPerson};
use crate::model::value::{
    Classification, EmbeddedModelSchema, FlattenedUserProfile, GroupedTimestamp, ReferencedUser,
};

records! {
    /// The record `Activity` of the clients.
    Activity {
        id: Text, created: GroupedTimestamp, updated: GroupedTimestamp, event: SeededConnectorTracking,
        application: Application, deleted? GroupedTimestamp, asset? FlattenedAsset, user? FlattenedUserProfile,
        format? FlattenedFormat, mechanism: MechanismEnum, rank? Int, schema? EmbeddedModelSchema,
    }

    /// Activity events of an asset (interface, 2).
    Activities {
        iterable: List<Activity>, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedActivity` of the clients.
    FlattenedActivity {
        id: Text, created: GroupedTimestamp, updated: GroupedTimestamp, event: SeededConnectorTracking,
        application: Application, deleted? GroupedTimestamp, asset? ReferencedAsset, format? ReferencedFormat,
        user? FlattenedUserProfile, mechanism: MechanismEnum, rank? Int, schema? EmbeddedModelSchema,
    }

    /// The record `ReferencedActivity` of the clients.
    ReferencedActivity {
        id: Text, reference? FlattenedActivity, schema? EmbeddedModelSchema,
    }

    /// The record `FlattenedActivities` of the clients.
    FlattenedActivities {
        iterable: List<ReferencedActivity>, schema? EmbeddedModelSchema,
    }

    /// The record `SeededActivity` of the clients.
    SeededActivity {
        event: SeededConnectorTracking, application: Application, asset? ReferencedAsset, user? ReferencedUser,
        format? ReferencedFormat, mechanism? MechanismEnum, conversation? ReferencedConversation,
    }

    /// The record `SeededConnectorTracking` of the clients.
    SeededConnectorTracking {
        format? SeededTrackedFormatEvent, asset? SeededTrackedAssetEvent,
        interaction? SeededTrackedInteractionEvent, keyboard? SeededTrackedKeyboardEvent,
        session? SeededTrackedSessionEvent, assets? SeededTrackedAssetsEvent, ml? Json,
        adoption? SeededTrackedAdoptionEvent, conversation? SeededTrackedConversationEvent,
        schema? EmbeddedModelSchema,
    }

    /// The record `SeededTrackedAssetEvent` of the clients.
    SeededTrackedAssetEvent {
        asset: ReferencedAsset, identifier_description_pair: Json, metadata? TrackedAssetEventMetadata,
        schema? EmbeddedModelSchema,
    }

    /// The record `SeededTrackedFormatEvent` of the clients.
    SeededTrackedFormatEvent {
        identifier_description_pair: Json, format: ReferencedFormat, metadata? Json,
        schema? EmbeddedModelSchema,
    }

    /// The record `SeededTrackedSessionEvent` of the clients.
    SeededTrackedSessionEvent {
        identifier_description_pair: Json, schema? EmbeddedModelSchema,
    }

    /// The record `SeededTrackedAssetsEvent` of the clients.
    SeededTrackedAssetsEvent {
        identifier_description_pair? Json, metadata? Json, schema? EmbeddedModelSchema,
    }

    /// The record `SeededTrackedConversationEvent` of the clients.
    SeededTrackedConversationEvent {
        identifier_description_pair: Json, conversation: ReferencedConversation, metadata? Json,
        schema? EmbeddedModelSchema,
    }

    /// The record `SeededTrackedAdoptionEvent` of the clients.
    SeededTrackedAdoptionEvent {
        identifier_description_pair? Json, schema? EmbeddedModelSchema,
    }

    /// The record `TrackedAssetEventMetadata` of the clients.
    TrackedAssetEventMetadata {
        reclassification? TrackedAssetEventFormatReclassificationMetadata, creation? Json,
        rename? TrackedAssetEventRenameMetadata, tag? ReferencedTag, website? ReferencedWebsite,
        person? ReferencedPerson, sensitive? Json, share? Json, search? Json, annotation? ReferencedAnnotation,
        hint? Json, anchor? ReferencedAnchor,
    }

    /// The record `TrackedAssetEventRenameMetadata` of the clients.
    TrackedAssetEventRenameMetadata {
        previous: Text, current: Text, schema? EmbeddedModelSchema,
    }

    /// The record `TrackedAssetEventFormatReclassificationMetadata` of the clients.
    TrackedAssetEventFormatReclassificationMetadata {
        previous? Classification, current? Classification, schema? EmbeddedModelSchema,
    }
}
