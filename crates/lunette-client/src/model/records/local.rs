//! Records of the service itself: who connects, whose it is, how it describes itself (records, section 3).
//!
//! Each table names the fields that the public clients of version 2.7.0 know; a field of a later version is kept all
//! the same, as every unknown field is.

use crate::model::application::Application;
use crate::model::closed_enum::{ApplicationNameEnum, CapabilitiesEnum, PlatformEnum, PrivacyEnum};
use crate::model::field_type::{Bool, Int, Json, List, Text};
use crate::model::record::records;
use crate::model::value::{EmbeddedModelSchema, GroupedTimestamp, Model};

records! {
    /// The record `SeededConnectorConnection` of the clients.
    SeededConnectorConnection {
        application: SeededTrackedApplication, schema? EmbeddedModelSchema,
    }

    /// The record `SeededTrackedApplication` of the clients.
    SeededTrackedApplication {
        name: ApplicationNameEnum, version: Text, platform: PlatformEnum, capabilities? CapabilitiesEnum, privacy? PrivacyEnum,
        automatic_unload? Bool = "automaticUnload", schema? EmbeddedModelSchema,
    }

    /// The record `Context` of the clients.
    Context {
        os: Text, application: Application, health: Health, user? UserProfile, schema? EmbeddedModelSchema,
    }

    /// The record `Health` of the clients.
    Health {
        os: OSHealth, schema? EmbeddedModelSchema,
    }

    /// The record `OSHealth` of the clients.
    OSHealth {
        id: Text, version: Text, schema? EmbeddedModelSchema,
    }

    /// The record `UserProfile` of the clients.
    UserProfile {
        picture? Text, email? Text, created? GroupedTimestamp, updated? GroupedTimestamp, username? Text, id: Text,
        name? Text, aesthetics: Aesthetics, vanityname? Text, allocation? Json, providers? Json, auth0? Json,
        schema? EmbeddedModelSchema,
    }

    /// The record `Aesthetics` of the clients.
    Aesthetics {
        theme: AestheticsTheme, font: AestheticsFont, schema? EmbeddedModelSchema,
    }

    /// The record `Theme` of the clients.
    AestheticsTheme {
        dark: Bool, schema? EmbeddedModelSchema,
    }

    /// The record `Font` of the clients.
    AestheticsFont {
        size: Int, schema? EmbeddedModelSchema,
    }

    /// The record `ReturnedUserProfile` of the clients.
    ReturnedUserProfile {
        user? UserProfile, schema? EmbeddedModelSchema,
    }

    /// The record `Users` of the clients.
    Users {
        iterable? List<UserProfile>, schema? EmbeddedModelSchema,
    }

    /// The record `Models` of the clients.
    Models {
        iterable? List<Model>, schema? EmbeddedModelSchema,
    }

    /// The record `ModelContextProtocolSchemaVersions` of the clients.
    SchemaVersions {
        iterable: List<Json>, schema? EmbeddedModelSchema,
    }

    /// A description of the interface (OpenAPI 3.1, 4.8.1).
    OpenApi {
        openapi: Text, info: Json, servers? Json, paths: Json, components? Json, tags? Json,
    }
}
