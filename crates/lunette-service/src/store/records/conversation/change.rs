//! Creates, changes, links and deletes conversations.

use rusqlite::{Connection, params};

use super::{ConversationRow, find, message, row_of, touch};
use crate::store::records::activity::{self, Event, Metadata};
use crate::store::records::annotation::{self, NewAnnotation, Subject};
use crate::store::records::asset::{self, Counted, Counter};
use crate::store::records::trash;
use crate::store::{PendingChange, Store, StoreError, now};

/// A new conversation created by this program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewConversation {
    /// Its name.
    pub name: Option<String>,
    /// Role (`USER`, `SYSTEM` or `ASSISTANT`) and text of each.
    pub messages: Vec<(String, String)>,
    /// The ids of the assets it is about.
    pub assets: Vec<String>,
}

/// A new conversation from a client's seed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ConversationSeed {
    pub(crate) name: Option<String>,
    pub(crate) favorited: Option<bool>,
    /// A JSON object: the fields that have no column.
    pub(crate) document: String,
    pub(crate) messages: Vec<NewMessage>,
    /// The ids of the assets it is about.
    pub(crate) assets: Vec<String>,
    pub(crate) annotations: Vec<NewAnnotation>,
    /// Counters of its score, if it had any in an archive.
    pub(crate) counters: Vec<(Counter, i64)>,
}

/// A new message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NewMessage {
    pub(crate) role: String,
    pub(crate) text: String,
    /// A JSON object: the fields that have no column.
    pub(crate) document: String,
}

/// An update of a conversation; None keeps the stored value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ConversationChange {
    pub(crate) name: Option<String>,
    pub(crate) favorited: Option<bool>,
    pub(crate) document: Option<String>,
}

/// Links an asset to the conversation of this id, which is created if there is none.
pub(in crate::store) fn link_with_id(
    db: &Connection,
    asset: i64,
    id: &str,
    seed: &ConversationSeed,
) -> Result<(), StoreError> {
    let row = match row_of(db, id) {
        Err(StoreError::NotFound { .. }) => insert_as(db, id, seed.clone())?,
        found => found?,
    };
    link(db, asset, row)
}

fn insert(db: &Connection, seed: ConversationSeed) -> Result<String, StoreError> {
    let id = uuid::Uuid::new_v4().to_string();
    insert_as(db, &id, seed)?;
    Ok(id)
}

/// Creates a conversation with this id; returns its row.
pub(in crate::store) fn insert_as(db: &Connection, id: &str, seed: ConversationSeed) -> Result<i64, StoreError> {
    let ConversationSeed { name, favorited, document, messages, assets, annotations, counters } = seed;
    let created = now();
    db.prepare_cached(
        "INSERT INTO conversation (id, name, created, updated, favorited, document) VALUES (?1, ?2, ?3, ?3, ?4, ?5)",
    )?
    .execute(params![id, name, created, favorited, document])?;
    let row = db.last_insert_rowid();
    for new in messages {
        message::insert(db, row, new, created)?;
    }
    for annotation in &annotations {
        annotation::insert(db, Subject::conversation(row), annotation)?;
    }
    for (counter, count) in counters {
        counter.set(db, Counted::Conversation, row, count)?;
    }
    for asset in &assets {
        link(db, asset::row_of(db, asset)?, row)?;
    }
    Ok(row)
}

/// Links a conversation to an asset; does nothing if it is already linked.
fn link(db: &Connection, asset: i64, conversation: i64) -> Result<(), StoreError> {
    let linked = db
        .prepare_cached("INSERT INTO conversation_asset (conversation, asset) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
        .execute([conversation, asset])?;
    if linked == 0 {
        return Ok(());
    }
    activity::record(db, asset, Event::Updated, &link_metadata(db, conversation, "linked")?)?;
    asset::touch(db, asset)?;
    touch(db, conversation)
}

/// The sentence that records a conversation's link.
pub(in crate::store) fn link_metadata(
    db: &Connection,
    conversation: i64,
    verb: &str,
) -> Result<Metadata<'static>, StoreError> {
    let mut statement = db.prepare_cached("SELECT name FROM conversation WHERE row = ?1")?;
    let name: Option<String> = statement.query_row([conversation], |row| row.get(0))?;
    Ok(Metadata::Described(activity::link_sentence("Conversation", &name.unwrap_or_default(), verb)))
}

/// Records on both sides that a link was removed.
fn unlinked(db: &Connection, asset: i64, conversation: i64) -> Result<(), StoreError> {
    activity::record_removal(db, asset, Event::Updated, &link_metadata(db, conversation, "unlinked")?)?;
    asset::touch(db, asset)?;
    touch(db, conversation)
}

impl Store {
    /// Stores a conversation; returns its id. Fails if an asset does not exist.
    pub fn make_conversation(&self, new: NewConversation) -> Result<String, StoreError> {
        let NewConversation { name, messages, assets } = new;
        let messages = messages.into_iter().map(|(role, text)| NewMessage { role, text, document: "{}".to_owned() });
        let seed = ConversationSeed {
            name,
            document: "{}".to_owned(),
            messages: messages.collect(),
            assets,
            ..ConversationSeed::default()
        };
        self.write(move |db| insert(db, seed))
    }

    /// Stores a conversation from a seed. Fails if an asset does not exist.
    pub(crate) fn seed_conversation(&self, seed: ConversationSeed) -> Result<ConversationRow, StoreError> {
        self.write(move |db| find(db, &insert(db, seed)?))
    }

    /// Changes a conversation as `decide` says, given its current state.
    pub(crate) fn update_conversation(
        &self,
        id: &str,
        decide: impl FnOnce(&ConversationRow) -> Result<ConversationChange, StoreError> + Send + 'static,
    ) -> Result<ConversationRow, StoreError> {
        let id = id.to_owned();
        self.write(move |db| {
            let before = find(db, &id)?;
            let ConversationChange { name, favorited, document } = decide(&before)?;
            let same = name.as_ref().is_none_or(|new| before.name.as_ref() == Some(new))
                && favorited.is_none_or(|new| before.favorited == Some(new))
                && document.as_ref().is_none_or(|new| *new == before.document);
            if same {
                return Ok(before);
            }
            db.prepare_cached(
                "UPDATE conversation SET name = coalesce(?2, name), favorited = coalesce(?3, favorited),
                 document = coalesce(?4, document) WHERE row = ?1",
            )?
            .execute(params![before.row, name, favorited, document])?;
            touch(db, before.row)?;
            find(db, &id)
        })
    }

    /// Deletes a conversation with its messages and annotations, and records that on its assets.
    pub(crate) fn delete_conversation(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write_freeing(move |db| {
            let before = find(db, &id)?;
            for asset in &before.assets {
                unlinked(db, asset::row_of(db, asset)?, before.row)?;
            }
            trash::unlink_conversation(db, before.row)?;
            // Before it goes: what asset it was linked to is kept by its id.
            db.prepare_cached("DELETE FROM conversation_asset WHERE conversation = ?1")?.execute([before.row])?;
            db.prepare_cached("DELETE FROM conversation WHERE row = ?1")?.execute([before.row])?;
            Ok(())
        })
    }

    /// Links a conversation to an asset, durably. Idempotent. Fails if either does not exist.
    pub(crate) fn link_conversation(&self, asset: &str, conversation: &str) -> Result<(), StoreError> {
        let (asset, conversation) = (asset.to_owned(), conversation.to_owned());
        self.write(move |db| link(db, asset::row_of(db, &asset)?, row_of(db, &conversation)?))
    }

    /// Removes a link, durably. Does nothing without one. Fails if either does not exist.
    pub(crate) fn unlink_conversation(&self, asset: &str, conversation: &str) -> Result<(), StoreError> {
        let (asset, conversation) = (asset.to_owned(), conversation.to_owned());
        self.write_freeing(move |db| {
            let (asset, conversation) = (asset::row_of(db, &asset)?, row_of(db, &conversation)?);
            let removed = db
                .prepare_cached("DELETE FROM conversation_asset WHERE conversation = ?1 AND asset = ?2")?
                .execute([conversation, asset])?;
            if removed == 0 { Ok(()) } else { unlinked(db, asset, conversation) }
        })
    }

    /// Begins to add one to a counter of a conversation. Fails at the largest value.
    pub(crate) fn begin_increment_conversation(&self, id: &str, counter: Counter) -> Result<PendingChange, StoreError> {
        let id = id.to_owned();
        self.queue_change(move |db| counter.one_more(db, Counted::Conversation, row_of(db, &id)?))
    }
}
