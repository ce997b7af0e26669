//! Identifiers. Text is parsed into an id once, at the edge; from then on it is safe in a path.
//!
//! Assets, applications and sessions are identified by UUIDs (interface, 2), everything else by any text (records,
//! section 0, surprise 11). What must hold of all: an id never changes which operation is called. So the empty text and
//! the dot segments are refused, because URL builders and parsers drop or resolve them (WHATWG URL, 4.1).

use std::fmt::{self, Write as _};
use std::str::FromStr;

use arrayvec::ArrayString;
use uuid::fmt::Hyphenated;

mod compact;

pub use compact::CompactId;

/// Why a text is not an id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadId {
    /// Nothing was given.
    #[error("an id is required")]
    Empty,
    /// A dot segment, plain or percent-encoded.
    #[error("{0:?} is not a valid id because it has a meaning in paths")]
    DotSegment(String),
    /// Not a number.
    #[error("{0:?} is not the number of a version, such as 3")]
    NotNumber(String),
    /// Not the 36 characters of a UUID.
    #[error("{0:?} is not a UUID such as 5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159")]
    NotUuid(String),
}

/// The text of a UUID, kept in place: there may be millions of them.
type UuidText = ArrayString<{ Hyphenated::LENGTH }>;

fn any_text(text: &str) -> Result<String, BadId> {
    let plain = text.replace("%2e", ".").replace("%2E", ".");
    match plain.as_str() {
        "" => Err(BadId::Empty),
        "." | ".." => Err(BadId::DotSegment(text.to_owned())),
        _ => Ok(text.to_owned()),
    }
}

fn uuid(text: &str) -> Result<UuidText, BadId> {
    any_text(text)?;
    let hyphenated = text.len() == Hyphenated::LENGTH && uuid::Uuid::try_parse(text).is_ok();
    let id = hyphenated.then(|| UuidText::from(text).ok()).flatten();
    id.ok_or_else(|| BadId::NotUuid(shortened(text)))
}

/// The number of a version, from 1 on, without leading zeros.
fn number(text: &str) -> Result<String, BadId> {
    any_text(text)?;
    let number = text.parse::<u32>().ok().filter(|number| *number > 0).map(|number| number.to_string());
    number.filter(|number| number == text).ok_or_else(|| BadId::NotNumber(shortened(text)))
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 60 { text.to_owned() } else { text.chars().take(60).chain(['…']).collect() }
}

macro_rules! ids {
    ($( $(#[$meta:meta])* $name:ident: $text:ident by $rule:ident; )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($text);

        impl $name {
            /// The id as it came.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            fn from_str(text: &str) -> Result<Self, BadId> {
                $rule(text).map(Self)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )* };
}

impl VersionNumber {
    /// The version of this number; None for 0.
    pub fn of(number: u32) -> Option<Self> {
        (number > 0).then(|| Self(number.to_string()))
    }

    /// The number.
    pub fn number(&self) -> u32 {
        self.0.parse().unwrap_or_default()
    }
}

macro_rules! new_ids {
    ($($name:ident),*) => { $(
        impl $name {
            /// A new random id (UUID version 4).
            pub fn random() -> Self {
                let mut id = Self(Default::default());
                // Both kinds of text have room for it.
                write!(id.0, "{}", uuid::Uuid::new_v4()).ok();
                id
            }
        }
    )* };
}

ids! {
    /// Names an asset.
    AssetId: UuidText by uuid;
    /// Names a tracked application.
    ApplicationId: UuidText by uuid;
    /// Names a session.
    SessionId: UuidText by uuid;
    /// Names a tag.
    TagId: String by any_text;
    /// Names a website.
    WebsiteId: String by any_text;
    /// Names a workstream summary.
    WorkstreamSummaryId: String by any_text;
    /// Names a format.
    FormatId: String by any_text;
    /// Names a conversation.
    ConversationId: String by any_text;
    /// Names a message of a conversation.
    MessageId: String by any_text;
    /// Names an annotation.
    AnnotationId: String by any_text;
    /// Names an activity.
    ActivityId: String by any_text;
    /// Names a person.
    PersonId: String by any_text;
    /// Names an anchor.
    AnchorId: String by any_text;
    /// Names a hint.
    HintId: String by any_text;
    /// Names a checkpoint.
    CheckpointId: String by any_text;
    /// Names a version of an asset by its number.
    VersionNumber: String by number;
    /// Names a collection of records by its path, such as `tags`.
    CollectionName: String by any_text;
}

new_ids!(AssetId, ApplicationId, SessionId, TagId, WebsiteId, WorkstreamSummaryId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_segments_are_not_ids_in_any_encoding() {
        for text in ["", ".", "..", "%2e", "%2E%2e", ".%2e"] {
            assert!(text.parse::<TagId>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn unusual_text_is_accepted_as_an_id_if_any_text_is() {
        for text in ["a b", "\"", "a/b", "100%", "...", "ü", "😀", "שלום"] {
            assert_eq!(text.parse::<TagId>().map(|id| id.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn an_asset_id_is_a_hyphenated_uuid() {
        assert!("update".parse::<AssetId>().is_err());
        assert!("5f0c1a340b7e4c5d9a512f6f3d1ae159".parse::<AssetId>().is_err());
        assert!("5F0C1A34-0b7e-4c5d-9a51-2f6f3d1ae159".parse::<AssetId>().is_ok());
    }
}
