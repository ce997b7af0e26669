//! The Applications group (interface, 2 and 4.1; records, 2.3).
//!
//! Each table names the fields that the public clients of version 2.7.0 know; a field of a later version is kept all
//! the same, as every unknown field is.

use crate::model::closed_enum::{ApplicationNameEnum, CapabilitiesEnum, MechanismEnum, PlatformEnum, PrivacyEnum};
use crate::model::field_type::{Bool, Int, Json, List, Text, Uuid};
use crate::model::record::records;
use crate::model::value::{EmbeddedModelSchema, GroupedTimestamp};

records! {
    /// One application: status, version and engagement; identified by a UUID string (interface, 2).
    Application {
        id: Text, name: ApplicationNameEnum, version: Text, platform: PlatformEnum, onboarded: Bool, privacy: PrivacyEnum,
        capabilities? CapabilitiesEnum, mechanism? MechanismEnum, automatic_unload? Bool = "automaticUnload",
        schema? EmbeddedModelSchema,
    }

    /// The tracked applications (interface, 2).
    Applications {
        iterable: List<Application>, schema? EmbeddedModelSchema,
    }

    /// One application found on the machine, or known and not found (records, 2.3).
    DetectedExternalApplication {
        name: Text, version? Text, schema? EmbeddedModelSchema,
    }

    /// External applications; both external endpoints give it (interface, 2).
    DetectedExternalApplications {
        iterable: List<DetectedExternalApplication>, schema? EmbeddedModelSchema,
    }

    /// A period of use; open while `closed` is absent (interface, 2; records, 2.3).
    Session {
        id: Uuid, opened: GroupedTimestamp, closed? GroupedTimestamp,
    }

    /// Body of an interaction event: a click or tap (interface, 2).
    SeededTrackedInteractionEvent {
        description: Text, element? Text, identifier_description_pair? Json, schema? EmbeddedModelSchema,
    }

    /// The recorded interaction event (interface, 2).
    TrackedInteractionEvent {
        description: Text, element? Text, schema? EmbeddedModelSchema,
    }

    /// Body of a keyboard event, shortcuts included (interface, 2).
    SeededTrackedKeyboardEvent {
        description: Text, shortcut: List<Int>, identifier_description_pair? Json, schema? EmbeddedModelSchema,
    }

    /// The recorded keyboard event (interface, 2).
    TrackedKeyboardEvent {
        description: Text, shortcut: List<Int>, schema? EmbeddedModelSchema,
    }

    /// The record `TrackedUserProfile` of the clients.
    TrackedUserProfile {
        id: Text, username: Text, email? Text, granularity: Text, schema? EmbeddedModelSchema,
    }

    /// Body of an installation event (interface, 2).
    TrackedApplicationInstall {
        application: Application, user? TrackedUserProfile, schema? EmbeddedModelSchema,
    }

    /// Body of an update event: previous and current version, and the user (interface, 2).
    TrackedApplicationUpdate {
        current: Application, previous? Application, user? TrackedUserProfile, schema? EmbeddedModelSchema,
    }
}
