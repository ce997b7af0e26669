//! Conversations about assets. The interface only reads them; what makes them stands outside of it.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::{Store, StoreError, asset, now};

/// One conversation with its messages.
pub(crate) struct ConversationRow {
    pub(crate) id: String,
    pub(crate) name: Option<String>,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) messages: Vec<MessageRow>,
    /// The assets it is about.
    pub(crate) assets: Vec<String>,
}

/// One message.
pub(crate) struct MessageRow {
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) role: String,
    pub(crate) text: String,
}

/// A conversation as it is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewConversation {
    /// Its name.
    pub name: Option<String>,
    /// Role (`USER`, `SYSTEM` or `ASSISTANT`) and text of each.
    pub messages: Vec<(String, String)>,
    /// The ids of the assets it is about.
    pub assets: Vec<String>,
}

/// The row of the conversation of this id.
pub(super) fn row_of(db: &Connection, id: &str) -> Result<i64, StoreError> {
    db.prepare_cached("SELECT row FROM conversation WHERE id = ?1")?
        .query_row([id], |row| row.get(0))
        .optional()?
        .ok_or_else(|| StoreError::not_found("conversation", id))
}

/// Moves `updated` on.
pub(super) fn touch(db: &Connection, conversation: i64) -> Result<(), StoreError> {
    db.prepare_cached("UPDATE conversation SET updated = max(?2, updated + 1) WHERE row = ?1")?
        .execute([conversation, now()])?;
    Ok(())
}

pub(super) fn of_asset(db: &Connection, asset: i64) -> Result<Vec<ConversationRow>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT row, id, name, created, updated FROM conversation_asset
         JOIN conversation ON conversation.row = conversation_asset.conversation WHERE asset = ?1 ORDER BY row",
    )?;
    let rows = statement.query_map([asset], |row| {
        let conversation = ConversationRow {
            id: row.get(1)?,
            name: row.get(2)?,
            created: row.get(3)?,
            updated: row.get(4)?,
            messages: Vec::new(),
            assets: Vec::new(),
        };
        Ok((row.get::<_, i64>(0)?, conversation))
    })?;
    let mut conversations = Vec::new();
    for pair in rows {
        let (row, mut conversation) = pair?;
        conversation.messages = messages(db, row)?;
        conversation.assets = assets(db, row)?;
        conversations.push(conversation);
    }
    Ok(conversations)
}

fn messages(db: &Connection, conversation: i64) -> Result<Vec<MessageRow>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT id, created, role, text FROM conversation_message WHERE conversation = ?1 ORDER BY row",
    )?;
    let rows = statement.query_map([conversation], |row| {
        Ok(MessageRow { id: row.get(0)?, created: row.get(1)?, role: row.get(2)?, text: row.get(3)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
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
    /// The conversations about an asset, oldest first.
    pub(crate) fn conversations(&self, asset: &str) -> Result<Vec<ConversationRow>, StoreError> {
        self.read(|db| of_asset(db, asset::row_of(db, asset)?))
    }

    /// Keeps a conversation; gives its id. Fails when an asset is not there.
    pub fn make_conversation(&self, new: NewConversation) -> Result<String, StoreError> {
        self.write(move |db| {
            let id = uuid::Uuid::new_v4().to_string();
            let created = now();
            db.prepare_cached("INSERT INTO conversation (id, name, created, updated) VALUES (?1, ?2, ?3, ?3)")?
                .execute(params![id, new.name, created])?;
            let row = db.last_insert_rowid();
            for (role, text) in &new.messages {
                db.prepare_cached(
                    "INSERT INTO conversation_message (id, conversation, created, role, text)
                     VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute(params![uuid::Uuid::new_v4().to_string(), row, created, role, text])?;
            }
            for asset in &new.assets {
                db.prepare_cached("INSERT INTO conversation_asset (conversation, asset) VALUES (?1, ?2)")?
                    .execute([row, asset::row_of(db, asset)?])?;
            }
            Ok(id)
        })
    }
}
