//! Reads, creates, changes and deletes messages one by one.

use std::ops::ControlFlow;

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::{ConversationRow, MessageRow, NewMessage, find, touch};
use crate::store::{Store, StoreError, checksum, checksum::summed, now};

/// One message, and the id of its conversation.
pub(crate) struct SpokenMessage {
    pub(crate) message: MessageRow,
    pub(crate) conversation: String,
}

/// An update of a message; None keeps the stored value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MessageChange {
    pub(crate) text: Option<String>,
    pub(crate) document: Option<String>,
}

macro_rules! select_message {
    ($rest:literal) => {
        concat!(
            "SELECT conversation_message.id, conversation_message.created,
             coalesce(conversation_message.updated, conversation_message.created), role, text,
             conversation_message.document, ",
            summed!(message),
            ", conversation.id
             FROM conversation_message JOIN conversation ON conversation.row = conversation_message.conversation ",
            $rest
        )
    };
}

impl MessageRow {
    /// Reads the columns from the first on: id, created, updated, role, text, document, and whether the checksum holds.
    pub(super) fn of(row: &Row) -> rusqlite::Result<Self> {
        checksum::verify(row, 6, "conversation message", 0)?;
        Ok(Self {
            id: row.get(0)?,
            created: row.get(1)?,
            updated: row.get(2)?,
            role: row.get(3)?,
            text: row.get(4)?,
            document: row.get(5)?,
        })
    }
}

impl SpokenMessage {
    fn of(row: &Row) -> rusqlite::Result<Self> {
        Ok(Self { message: MessageRow::of(row)?, conversation: row.get(7)? })
    }
}

fn find_message(db: &Connection, id: &str) -> Result<SpokenMessage, StoreError> {
    db.prepare_cached(select_message!("WHERE conversation_message.id = ?1"))?
        .query_row([id], SpokenMessage::of)
        .optional()?
        .ok_or_else(|| StoreError::not_found("message", id))
}

/// Inserts a message at the end of a conversation; returns its id.
pub(in crate::store) fn insert(
    db: &Connection,
    conversation: i64,
    new: NewMessage,
    created: i64,
) -> Result<String, StoreError> {
    let NewMessage { role, text, document } = new;
    let id = uuid::Uuid::new_v4().to_string();
    db.prepare_cached(
        "INSERT INTO conversation_message (id, conversation, created, role, text, document)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![id, conversation, created, role, text, document])?;
    Ok(id)
}

impl Store {
    /// One message. Fails with [`StoreError::NotFound`].
    pub(crate) fn message(&self, id: &str) -> Result<SpokenMessage, StoreError> {
        self.read(|db| find_message(db, id))
    }

    /// Calls `each` with every message, by conversation, oldest first, until it has enough.
    pub(crate) fn each_message(
        &self,
        mut each: impl FnMut(&SpokenMessage) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.read(|db| {
            let order = select_message!("ORDER BY conversation_message.conversation, conversation_message.row");
            let mut statement = db.prepare_cached(order)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                if let Some(message) = checksum::skip_if_damaged(SpokenMessage::of(row))?
                    && each(&message).is_break()
                {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Adds a message to a conversation, if `check` finds that it may. Fails if the conversation does not exist.
    pub(crate) fn create_message(
        &self,
        conversation: &str,
        new: NewMessage,
        check: impl FnOnce(&ConversationRow) -> Result<(), StoreError> + Send + 'static,
    ) -> Result<SpokenMessage, StoreError> {
        let conversation = conversation.to_owned();
        self.write(move |db| {
            let before = find(db, &conversation)?;
            check(&before)?;
            let id = insert(db, before.row, new, now())?;
            touch(db, before.row)?;
            find_message(db, &id)
        })
    }

    /// Changes a message as `decide` says, given its conversation and its current state.
    pub(crate) fn update_message(
        &self,
        id: &str,
        decide: impl FnOnce(&ConversationRow, &MessageRow) -> Result<MessageChange, StoreError> + Send + 'static,
    ) -> Result<SpokenMessage, StoreError> {
        let id = id.to_owned();
        self.write(move |db| {
            let before = find_message(db, &id)?;
            let conversation = find(db, &before.conversation)?;
            let MessageChange { text, document } = decide(&conversation, &before.message)?;
            let same = text.as_ref().is_none_or(|new| *new == before.message.text)
                && document.as_ref().is_none_or(|new| *new == before.message.document);
            if same {
                return Ok(before);
            }
            db.prepare_cached(
                "UPDATE conversation_message SET text = coalesce(?2, text), document = coalesce(?3, document),
                 updated = max(?4, coalesce(updated, created) + 1) WHERE id = ?1",
            )?
            .execute(params![id, text, document, now()])?;
            touch(db, conversation.row)?;
            find_message(db, &id)
        })
    }

    /// Deletes a message. Fails with [`StoreError::NotFound`].
    pub(crate) fn delete_message(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write_freeing(move |db| {
            let conversation: i64 = db
                .prepare_cached("SELECT conversation FROM conversation_message WHERE id = ?1")?
                .query_row([&id], |row| row.get(0))
                .optional()?
                .ok_or_else(|| StoreError::not_found("message", &id))?;
            db.prepare_cached("DELETE FROM conversation_message WHERE id = ?1")?.execute([&id])?;
            touch(db, conversation)
        })
    }
}
