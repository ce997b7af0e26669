//! Conversations, their messages, and the assets they are about.

use std::collections::HashSet;
use std::ops::ControlFlow;

use rusqlite::{Connection, OptionalExtension as _, Row, Rows};

use super::annotation::{self, AnnotationRow};
use super::asset::{self, AssetSet, Score};
use crate::store::checksum::{self, summed};
use crate::store::{Store, StoreError, each_text, now};

mod change;
mod message;

pub use change::NewConversation;
pub(crate) use change::{ConversationChange, ConversationSeed, NewMessage};
pub(in crate::store) use change::{insert_as, link_metadata, link_with_id};
pub(crate) use message::MessageChange;
pub(in crate::store) use message::insert as insert_message;

/// One conversation with its messages.
pub(crate) struct ConversationRow {
    row: i64,
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) favorited: Option<bool>,
    /// Events of conversations have no rank: only the counters change.
    pub(crate) score: Score,
    /// A JSON object: the fields that have no column.
    pub(crate) document: String,
    pub(crate) messages: Vec<MessageRow>,
    /// The assets it is about.
    pub(crate) assets: Vec<String>,
    pub(crate) annotations: Vec<AnnotationRow>,
}

/// One message.
pub(crate) struct MessageRow {
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) role: String,
    pub(crate) text: String,
    /// A JSON object: the fields that have no column.
    pub(crate) document: String,
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT conversation.row, id, name, created, updated, favorited, score_priority, score_reuse, score_update,
             score_reference, score_searched, document, ",
            summed!(conversation),
            " FROM conversation ",
            $rest
        )
    };
}

impl ConversationRow {
    fn of(row: &Row) -> rusqlite::Result<Self> {
        checksum::verify(row, 12, "conversation", 1)?;
        Ok(Self {
            row: row.get(0)?,
            id: row.get(1)?,
            name: row.get(2)?,
            created: row.get(3)?,
            updated: row.get(4)?,
            favorited: row.get(5)?,
            score: Score {
                priority: row.get(6)?,
                reuse: row.get(7)?,
                update: row.get(8)?,
                reference: row.get(9)?,
                searched: row.get(10)?,
                ..Score::default()
            },
            document: row.get(11)?,
            messages: Vec::new(),
            assets: Vec::new(),
            annotations: Vec::new(),
        })
    }

    fn whole(mut self, db: &Connection) -> Result<Self, StoreError> {
        self.messages = messages(db, self.row)?;
        self.assets = assets(db, self.row)?;
        self.annotations = annotation::of_conversation(db, self.row)?;
        Ok(self)
    }
}

/// The row of the conversation of this id.
pub(in crate::store) fn row_of(db: &Connection, id: &str) -> Result<i64, StoreError> {
    db.prepare_cached("SELECT row FROM conversation WHERE id = ?1")?
        .query_row([id], |row| row.get(0))
        .optional()?
        .ok_or_else(|| StoreError::not_found("conversation", id))
}

/// Advances `updated`.
pub(in crate::store) fn touch(db: &Connection, conversation: i64) -> Result<(), StoreError> {
    db.prepare_cached("UPDATE conversation SET updated = max(?2, updated + 1) WHERE row = ?1")?
        .execute([conversation, now()])?;
    Ok(())
}

/// The conversations about an asset, oldest first.
const OF_ASSET: &str = select!(
    "JOIN conversation_asset ON conversation_asset.conversation = conversation.row WHERE asset = ?1
     ORDER BY conversation.row"
);

/// Calls `each` with the conversations of these rows until it has enough.
fn each_whole(
    db: &Connection,
    mut rows: Rows,
    each: &mut impl FnMut(&ConversationRow) -> ControlFlow<()>,
) -> Result<(), StoreError> {
    while let Some(row) = rows.next()? {
        if let Some(conversation) = checksum::skip_if_damaged(ConversationRow::of(row))?
            && each(&conversation.whole(db)?).is_break()
        {
            break;
        }
    }
    Ok(())
}

pub(in crate::store) fn of_asset(db: &Connection, asset: i64) -> Result<Vec<ConversationRow>, StoreError> {
    let mut statement = db.prepare_cached(OF_ASSET)?;
    let rows = statement.query_map([asset], ConversationRow::of)?;
    checksum::skip_damaged(rows)?.into_iter().map(|conversation| conversation.whole(db)).collect()
}

/// Those of several assets that have any.
pub(in crate::store) fn of_assets(db: &Connection, assets: &AssetSet) -> Result<HashSet<i64>, StoreError> {
    let query = "SELECT DISTINCT asset FROM conversation_asset WHERE asset IN (SELECT value FROM json_each(?1))";
    assets.those(db, query)
}

fn find(db: &Connection, id: &str) -> Result<ConversationRow, StoreError> {
    db.prepare_cached(select!("WHERE id = ?1"))?
        .query_row([id], ConversationRow::of)
        .optional()?
        .ok_or_else(|| StoreError::not_found("conversation", id))?
        .whole(db)
}

fn messages(db: &Connection, conversation: i64) -> Result<Vec<MessageRow>, StoreError> {
    let mut statement = db.prepare_cached(concat!(
        "SELECT id, created, coalesce(updated, created), role, text, document, ",
        summed!(message),
        "
         FROM conversation_message WHERE conversation = ?1 ORDER BY row"
    ))?;
    let rows = statement.query_map([conversation], MessageRow::of)?;
    checksum::skip_damaged(rows)
}

fn assets(db: &Connection, conversation: i64) -> Result<Vec<String>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT id FROM conversation_asset JOIN asset ON asset.row = conversation_asset.asset
         WHERE conversation = ?1 ORDER BY asset.row",
    )?;
    let ids = statement.query_map([conversation], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

impl Store {
    /// The size of all messages of the conversations of an asset, which are read with it, in bytes.
    pub(crate) fn conversations_size(&self, asset: &str) -> Result<u64, StoreError> {
        self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT sum(octet_length(text)) FROM conversation_message WHERE conversation IN (SELECT conversation
                 FROM conversation_asset WHERE asset = (SELECT row FROM asset WHERE id = ?1))",
            )?;
            let size: Option<i64> = statement.query_row([asset], |row| row.get(0))?;
            Ok(size.and_then(|size| u64::try_from(size).ok()).unwrap_or_default())
        })
    }

    /// Calls `each` with the conversations about an asset, oldest first, until it has enough.
    pub(crate) fn each_conversation_of(
        &self,
        asset: &str,
        mut each: impl FnMut(&ConversationRow) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.read(|db| {
            let mut statement = db.prepare_cached(OF_ASSET)?;
            each_whole(db, statement.query([asset::row_of(db, asset)?])?, &mut each)
        })
    }

    /// Calls `each` with every conversation, oldest first, until it has enough.
    pub(crate) fn each_conversation(
        &self,
        mut each: impl FnMut(&ConversationRow) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.read(|db| {
            let mut statement = db.prepare_cached(select!("ORDER BY row"))?;
            each_whole(db, statement.query([])?, &mut each)
        })
    }

    /// Calls `each` with the ids of all conversations, oldest first, until it has enough.
    pub(crate) fn each_conversation_id(&self, each: impl FnMut(&str) -> ControlFlow<()>) -> Result<(), StoreError> {
        self.read(|db| {
            let mut statement = db.prepare_cached("SELECT id FROM conversation ORDER BY row")?;
            each_text(statement.query([])?, each)
        })
    }

    /// One conversation. Fails with [`StoreError::NotFound`].
    pub(crate) fn conversation(&self, id: &str) -> Result<ConversationRow, StoreError> {
        self.read(|db| find(db, id))
    }
}
