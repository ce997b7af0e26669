//! The closed enums of the interface (records, 2.1): lists of the values that some fields may have.
//!
//! What must hold: each list has exactly the values that clients of version 2.7.0 know, since they reject a whole
//! record for an unknown one (records, section 0, surprise 2). A value from outside is checked as any text is: an
//! unknown one is shown, not rejected.

use serde_json::Value;

use crate::model::field_type::Text;
use crate::model::language::LANGUAGES;
use crate::model::record::{FieldType, Schema, SchemaError};

/// A closed enum.
#[derive(Clone, Copy, Debug)]
pub struct ClosedEnum {
    /// Its name in the clients.
    pub name: &'static str,
    /// What the values mean, in a sentence.
    pub summary: &'static str,
    /// The values, in the order of the clients.
    pub words: fn() -> Vec<&'static str>,
}

macro_rules! closed_enums {
    ($( #[doc = $doc:literal] $name:ident: $($words:expr)?; )*) => { $(
        #[doc = $doc]
        pub struct $name;

        impl FieldType for $name {
            const SCHEMA: Schema = Schema::Enum(&ClosedEnum {
                name: stringify!($name),
                summary: $doc.trim_ascii(),
                words: closed_enums!(@list $name $($words)?),
            });
            type View<'a> = &'a str;

            fn check(tree: &Value) -> Result<(), SchemaError> {
                Text::check(tree)
            }

            fn view(tree: &Value) -> &str {
                Text::view(tree)
            }
        }

        $( impl $name {
            /// The values, in the order of the clients.
            pub const VARIANTS: &'static [&'static str] = &$words;
        } )?
    )* };
    (@list $name:ident $words:expr) => { || $name::VARIANTS.to_vec() };
    (@list $name:ident) => { || LANGUAGES.iter().filter(|language| language.emitted).map(|language| language.specific).collect() };
}

closed_enums! {
    /// What an application is called.
    ApplicationNameEnum: ["UNKNOWN", "SUBLIME", "VS_CODE", "JETBRAINS", "FIREFOX_ADDON_MV2", "FIREFOX_ADDON_MV3", "SAFARI_EXTENSION_MV2", "SAFARI_EXTENSION_MV3", "PIECES_FOR_DEVELOPERS", "PIECES_FOR_DEVELOPERS_CLI", "OS_SERVER", "GOOGLE_CHROME_EXTENSION_MV2", "GOOGLE_CHROME_EXTENSION_MV3", "ULTRA_EDIT", "ATOM_PACKAGE", "ADOBE_ILLUSTRATOR_PIECES_COLOR_SHARE", "MICROSOFT_TEAMS", "CHAT_GPT", "OBSIDIAN", "JUPYTER_HUB", "VISUAL_STUDIO", "MICROSOFT_EDGE", "BRAVE", "GOOGLE_CHAT", "SLACK", "AZURE_DATA_STUDIO", "OPEN_SOURCE", "R_STUDIO", "VIM", "NOTION", "GITHUB_DESKTOP", "RAYCAST", "REPLIT", "ALFRED", "FIGMA", "SKETCH", "ADOBE_ILLUSTRATOR", "NOTEPAD_PLUS_PLUS", "EMBEETLE", "ECLIPSE", "X_CODE", "NETBEANS"];
    /// What it runs on.
    PlatformEnum: ["UNKNOWN", "WEB", "MACOS", "LINUX", "WINDOWS", "FUCHSIA", "IOS", "ANDROID"];
    /// How much of its use is reported.
    PrivacyEnum: ["OPEN", "CLOSED", "ANONYMOUS"];
    /// Where it may work: here, away, or both.
    CapabilitiesEnum: ["LOCAL", "CLOUD", "BLENDED"];
    /// How something came to be.
    MechanismEnum: ["MANUAL", "RECOMMENDED", "AUTOMATIC", "INTERNAL", "DELETED"];
    /// What a format is to its asset.
    Role: ["ORIGINAL", "ADDITIONAL", "BOTH", "PREVIEW"];
    /// What kind of thing it is.
    ClassificationGenericEnum: ["UNKNOWN", "CODE", "TEXT", "IMAGE", "VIDEO", "EXTERNAL_RESOURCE_REFERENCE", "FILE"];
    /// How it is to be drawn.
    ClassificationRenderingEnum: ["HTML", "TWENTY_FOUR_BIT_ANSI_ESCAPED_SEQUENCES", "HIGHLIGHT_JS_HTML"];
    /// What a tag names.
    TagCategoryEnum: ["UNKNOWN", "HANDLE", "EMAIL"];
    /// What kind of conversation it is.
    ConversationTypeEnum: ["COPILOT"];
    /// Who speaks.
    QGPTConversationMessageRoleEnum: ["USER", "SYSTEM", "ASSISTANT"];
    /// What was thought of a message.
    ConversationMessageSentimentEnum: ["LIKE", "DISLIKE", "REPORT"];
    /// What an annotation is.
    AnnotationTypeEnum: ["DESCRIPTION", "COMMENT", "DOCUMENTATION", "SUMMARY", "EXPLANATION", "GIT_COMMIT"];
    /// What a model is good at.
    ModelTypeEnum: ["BALANCED", "SPEED", "ACCURACY"];
    /// What a model is for.
    ModelUsageEnum: ["OCR", "CODE_CLASSIFICATION", "TEXT_VS_CODE", "TAGIFY_CODE", "TLP_TAG_SEARCH", "TLP_NEURAL_CODE_SEARCH", "TAGIFY_COLOR_FROM_CODE", "CODE_DESCRIPTION", "CODE_TITLE", "CODE_SEARCH_QUERIES", "CODE_EXTRACTIVE_TAGS", "CODE_EXTRACTIVE_LINKS", "CODE_CONVERSATION", "CODE_GENERATION", "CODE_SEARCH", "CODE_DISCOVERY", "CODE_RELATED_PEOPLE", "CODE_FRAMEWORK", "VIDEO_OCR", "TEXT_VS_CODE_SEGMENTATION", "TEXT_EMBEDDING", "TECHNICAL_ERROR"];
    /// Where a search matched.
    SearchedMatchEnum: ["TITLE", "ANNOTATION", "HINT", "CONTENT", "FUZZY", "MULTIPLE", "TAGS", "WEBSITES", "PERSONS"];
    /// Who may see a share.
    AccessEnum: ["PUBLIC", "PRIVATE"];
    /// What a hint is.
    HintTypeEnum: ["SUGGESTED_QUERY", "QGPT_HINT"];
    /// What an anchor points at.
    AnchorTypeEnum: ["FILE", "DIRECTORY"];
    /// What is related.
    NodeTypeEnum: ["TAG", "WEBSITE", "FORMAT", "ASSET"];
    /// What a sensitive text is.
    SensitiveCategoryEnum: ["SECRET", "API_KEY", "CLIENT_ID", "CLIENT_SECRET", "SECRET_KEY", "API_TOKEN", "ACCESS_KEY", "ACCESS_TOKEN", "URL", "PUBLIC_KEY", "PRIVATE_KEY", "API_ID", "WEB_HOOK_URL"];
    /// How much it matters that a text is sensitive.
    SensitiveSeverityEnum: ["LOW", "MODERATE", "HIGH"];
    /// Where a person is known from.
    ExternallySourcedEnum: ["TWITTER", "MEDIUM", "LINKED_IN", "INSTAGRAM", "FACEBOOK", "REDDIT", "DISCORD", "BIT_BUCKET", "GIT_LAB", "GIT_HUB", "SLACK", "MAILGUN"];
    /// The version of a record's schema.
    EmbeddedModelSchemaSemanticVersionEnum: ["MAJOR_0_MINOR_0_PATCH_1"];
    /// What kind of record it is.
    MaterialTypeEnum: ["WORKSTREAM_SUMMARIES", "WORKSTREAM_EVENTS", "TAGS", "ANNOTATIONS", "PERSONS", "CONVERSATIONS", "CONVERSATION_MESSAGES", "ASSETS", "FORMATS", "ANCHORS", "ANCHOR_POINTS", "WEBSITES", "RANGES", "HINTS", "WORKSTREAM_PATTERN_ENGINE_SOURCES", "WORKSTREAM_PATTERN_ENGINE_SOURCE_WINDOWS", "WORKSTREAM_PATTERN_ENGINE_OBSERVERS", "CONNECTORS", "PIPELINES", "SCHEDULES", "SIGNALS", "FINGERPRINTS", "ACTIVITIES", "APPLICATIONS", "DISTRIBUTIONS", "ENTITIES", "MODELS", "RELATIONSHIPS", "SENSITIVES", "SHARES", "SUBSCRIPTIONS", "USERS", "ALLOCATIONS", "INTERNAL_SUMMARY_REPORTS"];
    /// What language or format it is, mostly by the extension of its files.
    ClassificationSpecificEnum: ;
}
