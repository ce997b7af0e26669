//! What an asset is but for its content, and what it was before a piece of a change.

use std::collections::BTreeMap;

use lunette_versions::decode;
use rusqlite::{Connection, OptionalExtension as _};
use serde::{Deserialize, Serialize};

use super::piece::{Piece, What};
use crate::store::StoreError;

/// The largest record whose fields are read back, in bytes.
const MAX_DOCUMENT: usize = 64 << 20;

/// Whether an asset was deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Deletion {
    #[default]
    Present,
    /// In the Trash.
    Trashed,
    /// For good.
    Purged,
}

/// A tag, website or summary that is linked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PastItem {
    /// `tag`, `website` or `summary`.
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) key: Option<String>,
    pub(crate) mechanism: String,
}

/// A person, anchor or hint that is linked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PastRelated {
    /// `person`, `anchor` or `hint`.
    pub(crate) kind: String,
    pub(crate) mechanism: String,
    /// A JSON object: what is said of the link.
    pub(crate) link: String,
    /// A JSON object: its record.
    pub(crate) document: String,
}

/// An annotation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PastAnnotation {
    pub(crate) kind: String,
    pub(crate) text: String,
    pub(crate) document: String,
}

/// What an asset is, or was, but for its content: links and annotations by their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PastState {
    pub(crate) deletion: Deletion,
    pub(crate) name: Option<String>,
    pub(crate) mechanism: String,
    pub(crate) favorited: Option<bool>,
    /// A JSON object: the fields that have no column.
    pub(crate) document: String,
    /// The two words of its language; None where it has no format.
    pub(crate) language: Option<(String, String)>,
    pub(crate) items: BTreeMap<String, PastItem>,
    pub(crate) related: BTreeMap<String, PastRelated>,
    /// Their names.
    pub(crate) conversations: BTreeMap<String, Option<String>>,
    pub(crate) annotations: BTreeMap<String, PastAnnotation>,
}

impl PastState {
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Makes of a state what it was before a piece of a change; None if the piece is damaged. Content is none of it.
    pub(super) fn undo(&mut self, piece: &Piece) -> Option<()> {
        let bytes = piece.bytes.as_slice();
        let id = || std::str::from_utf8(bytes).ok();
        match piece.what {
            What::Fields => (self.name, self.mechanism, self.favorited) = fields(bytes)?,
            What::Document => {
                let text = decode(bytes, Some(self.document.as_bytes()), MAX_DOCUMENT).ok()?;
                self.document = String::from_utf8(text).ok()?;
            }
            What::Deleted => {
                self.deletion = if bytes.first() == Some(&0) { Deletion::Present } else { Deletion::Trashed };
            }
            What::Language => self.language = serde_json::from_slice(bytes).ok()?,
            What::LinkMade => drop(self.items.remove(id()?)),
            What::LinkGone => {
                let (id, kind, name, key, mechanism) = serde_json::from_slice(bytes).ok()?;
                self.items.insert(id, PastItem { kind, name, key, mechanism });
            }
            What::RelatedMade => drop(self.related.remove(id()?)),
            What::RelatedGone => {
                let (id, kind, mechanism, link, document) = serde_json::from_slice(bytes).ok()?;
                self.related.insert(id, PastRelated { kind, mechanism, link, document });
            }
            What::ConversationMade => drop(self.conversations.remove(id()?)),
            What::ConversationGone => {
                let (id, name) = serde_json::from_slice(bytes).ok()?;
                self.conversations.insert(id, name);
            }
            What::AnnotationMade => drop(self.annotations.remove(id()?)),
            What::AnnotationGone => {
                let (id, kind, text, document) = serde_json::from_slice(bytes).ok()?;
                self.annotations.insert(id, PastAnnotation { kind, text, document });
            }
            What::State => *self = serde_json::from_slice(bytes).ok()?,
            What::Content | What::ContentLost | What::Forgotten | What::Unrecorded => {}
        }
        Some(())
    }
}

/// Name, mechanism and favorite. SQLite writes a flag as a number.
pub(super) fn fields(bytes: &[u8]) -> Option<(Option<String>, String, Option<bool>)> {
    let (name, mechanism, favorited): (_, _, Option<i64>) = serde_json::from_slice(bytes).ok()?;
    Some((name, mechanism, favorited.map(|flag| flag != 0)))
}

/// What an asset is. Fails if there is none with this row.
pub(super) fn of(db: &Connection, asset: i64) -> Result<PastState, StoreError> {
    let mut state = db
        .prepare_cached(
            "SELECT name, mechanism, favorited, document, deleted IS NOT NULL,
               EXISTS (SELECT 1 FROM trash WHERE trash.asset = asset.row) FROM asset WHERE row = ?1",
        )?
        .query_row([asset], |row| {
            let deletion = match (row.get(4)?, row.get(5)?) {
                (false, _) => Deletion::Present,
                (true, true) => Deletion::Trashed,
                (true, false) => Deletion::Purged,
            };
            Ok(PastState {
                deletion,
                name: row.get(0)?,
                mechanism: row.get(1)?,
                favorited: row.get(2)?,
                document: row.get(3)?,
                ..PastState::default()
            })
        })?;
    state.language = db
        .prepare_cached("SELECT generic, specific FROM format WHERE asset = ?1 AND place = 0")?
        .query_row([asset], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    read_links(db, asset, &mut state)?;
    let mut statement = db.prepare_cached(
        "SELECT id, kind, text, document FROM annotation WHERE asset = ?1
         UNION ALL SELECT id, kind, text, document FROM trash_annotation WHERE asset = ?1",
    )?;
    let annotations = statement.query_map([asset], |row| {
        Ok((row.get(0)?, PastAnnotation { kind: row.get(1)?, text: row.get(2)?, document: row.get(3)? }))
    })?;
    state.annotations = annotations.collect::<Result<_, _>>()?;
    Ok(state)
}

/// Reads what an asset is linked to, in the Trash or not.
fn read_links(db: &Connection, asset: i64, state: &mut PastState) -> Result<(), StoreError> {
    let mut statement = db.prepare_cached(
        "WITH links AS (SELECT item, mechanism FROM link WHERE asset = ?1
           UNION ALL SELECT item, mechanism FROM trash_link WHERE asset = ?1)
         SELECT id, kind, name, key, mechanism FROM links JOIN item ON item.row = links.item",
    )?;
    let items = statement.query_map([asset], |row| {
        let item = PastItem { kind: row.get(1)?, name: row.get(2)?, key: row.get(3)?, mechanism: row.get(4)? };
        Ok((row.get(0)?, item))
    })?;
    state.items = items.collect::<Result<_, _>>()?;
    let mut statement = db.prepare_cached(
        "WITH links AS (SELECT aside, mechanism, document FROM aside_link WHERE asset = ?1
           UNION ALL SELECT aside, mechanism, document FROM trash_aside_link WHERE asset = ?1)
         SELECT id, kind, links.mechanism, links.document, aside.document FROM links JOIN aside ON aside.row = links.aside",
    )?;
    let related = statement.query_map([asset], |row| {
        let (kind, mechanism) = (row.get(1)?, row.get(2)?);
        Ok((row.get(0)?, PastRelated { kind, mechanism, link: row.get(3)?, document: row.get(4)? }))
    })?;
    state.related = related.collect::<Result<_, _>>()?;
    let mut statement = db.prepare_cached(
        "WITH links AS (SELECT conversation FROM conversation_asset WHERE asset = ?1
           UNION ALL SELECT conversation FROM trash_conversation_asset WHERE asset = ?1)
         SELECT id, name FROM links JOIN conversation ON conversation.row = links.conversation",
    )?;
    let conversations = statement.query_map([asset], |row| Ok((row.get(0)?, row.get(1)?)))?;
    state.conversations = conversations.collect::<Result<_, _>>()?;
    Ok(())
}
