//! One of the two things that are compared.

use std::sync::Arc;

use serde_json::Value;

use crate::assets::page::Content;
use crate::change::Item;
use lunette_client::model::id::AssetId;

/// The largest content that is compared, in bytes.
pub const MAX_BYTES: usize = 10_000_000;

/// How many of the first bytes are searched for a zero, which no text has.
const PROBED: usize = 8_000;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
    /// The left one, which is the older one where that is known.
    Left,
    /// The right one.
    Right,
}

impl Position {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Left, Self::Right];

    /// Its index in a pair.
    pub fn index(self) -> usize {
        match self {
            Self::Left => 0,
            Self::Right => 1,
        }
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// Its name within a sentence.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// One of the two things that are compared: an asset, a version of one, a record, a response, a file, …
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Side {
    /// Its name.
    pub title: String,
    /// What it is, in a few words, such as `asset` or `file · /home/user/a.rs`.
    pub kind: String,
    /// The record whose fields are compared: see [`super::asset_record`] for an asset's. `None` if it has none.
    pub record: Option<Value>,
    /// The items that it is linked to; `None` if it has none or does not tell them.
    pub links: Option<Vec<Item>>,
    /// Its content.
    pub body: Body,
    /// The asset that is written to when a part of the other side is copied; `None` if nothing can be.
    pub target: Option<AssetId>,
}

/// The content of a side.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Body {
    /// It has no content.
    #[default]
    None,
    /// The whole content.
    Bytes(Arc<[u8]>),
    /// It was not read, because it is larger than [`MAX_BYTES`]; its size in bytes, if it is known.
    TooLarge(Option<u64>),
}

impl Body {
    /// The size in bytes, if it is known.
    pub fn size(&self) -> Option<u64> {
        match self {
            Self::None => None,
            Self::Bytes(bytes) => Some(bytes.len() as u64),
            Self::TooLarge(size) => *size,
        }
    }

    /// A text as a content.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Bytes(Arc::from(text.into()))
    }
}

impl From<Content> for Body {
    fn from(content: Content) -> Self {
        match content {
            Content::Text(text) => Self::text(text),
            Content::Bytes(bytes) => Self::Bytes(bytes),
            Content::Part(_, size) | Content::Large(size) => Self::TooLarge(u64::try_from(size).ok()),
            Content::None => Self::None,
        }
    }
}

/// Returns the bytes as a text; `None` if they are not UTF-8 or have a zero near their beginning.
pub(super) fn as_text(bytes: &Arc<[u8]>) -> Option<Arc<str>> {
    if memchr::memchr(0, &bytes[..bytes.len().min(PROBED)]).is_some() {
        return None;
    }
    std::str::from_utf8(bytes).ok().map(Arc::from)
}

/// Whether the bytes begin as a picture does that this program draws.
pub(super) fn is_picture(bytes: &[u8]) -> bool {
    let known = infer::get(bytes).map(|kind| kind.mime_type());
    known.is_some_and(|kind| ["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp"].contains(&kind))
}
