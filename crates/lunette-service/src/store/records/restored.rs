//! Records of another service, stored under the ids and with the times and scores that they had there.
//!
//! What must hold: a record whose id is stored already is not changed by storing it again, only on request, so that
//! storing the same records again changes nothing; linking and storing record no activity, since nobody did anything to
//! the records; the scores `manual` and `automatic` of an asset stay the sums of the ranks of its activities.

use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use serde_json::{Map, Value};

use super::activity::{self, NewActivity};
use super::annotation::{self, About, NewAnnotation};
use super::application;
use super::asset;
use super::conversation::{self, ConversationSeed, NewMessage};
use super::create::{self, NewAsset};
use super::item::{self, ItemKind, NewItem};
use super::related::{self, NewRelated, RelatedKind};
use crate::store::{Store, StoreError, now};

mod changed;

/// The id and the times that a record had, in microseconds since 1970 UTC; None for now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) id: String,
    pub(crate) created: Option<i64>,
    pub(crate) updated: Option<i64>,
}

/// A record to store.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Restored {
    Item(NewItem),
    Related(NewRelated),
    /// Without its messages and assets, which are stored and linked by themselves.
    Conversation(ConversationSeed),
    /// A message of the conversation with this id.
    Message(String, NewMessage),
    Annotation(About, NewAnnotation),
    Activity(NewActivity),
    /// The record of an application.
    Application(Map<String, Value>),
    /// An asset with its original format, whose id may be known.
    Asset(Box<NewAsset>, Stamp),
}

/// What an asset is linked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkedKind {
    Item(ItemKind),
    Related(RelatedKind),
    Conversation,
}

/// A link between two records, by their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RestoredLink {
    pub(crate) asset: String,
    pub(crate) kind: LinkedKind,
    pub(crate) other: String,
    pub(crate) mechanism: String,
    /// A JSON object: what is said of the link of a person, an anchor or a hint.
    pub(crate) document: String,
}

/// What became of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was stored.
    Stored,
    /// A record with its id was stored before, and was not changed.
    Existing,
    /// A tag of its text or a website of its address was stored before under this id, and was not changed.
    StoredAs(String),
}

impl Store {
    /// Stores records in one transaction; one that cannot be stored does not affect the others.
    pub(crate) fn restore(
        &self,
        records: Vec<(Stamp, Restored)>,
    ) -> Result<Vec<Result<Outcome, StoreError>>, StoreError> {
        self.write_alone(move |db| {
            let each = |(stamp, record): &(Stamp, Restored)| create::in_savepoint(db, || store(db, stamp, record));
            records.iter().map(each).collect()
        })
    }

    /// Links records in one transaction. A link that exists is left as it is; one whose ends are not both stored is an
    /// error, and does not affect the others.
    pub(crate) fn restore_links(
        &self,
        links: Vec<RestoredLink>,
    ) -> Result<Vec<Result<Outcome, StoreError>>, StoreError> {
        self.write_alone(move |db| links.iter().map(|link| create::in_savepoint(db, || self::link(db, link))).collect())
    }
}

fn store(db: &Transaction, stamp: &Stamp, record: &Restored) -> Result<Outcome, StoreError> {
    let exists = match record {
        Restored::Item(new) => found(item::row_of(db, new.kind, &stamp.id))?,
        Restored::Related(new) => related::is_known_id(db, new.kind, &stamp.id)?,
        Restored::Conversation(_) => found(conversation::row_of(db, &stamp.id))?,
        Restored::Message(..) => has(db, "SELECT 1 FROM conversation_message WHERE id = ?1", &stamp.id)?,
        Restored::Annotation(..) => has(db, "SELECT 1 FROM annotation WHERE id = ?1", &stamp.id)?,
        Restored::Activity(_) => has(db, "SELECT 1 FROM activity WHERE id = ?1", &stamp.id)?,
        Restored::Application(_) => has(db, "SELECT 1 FROM application WHERE id = ?1", &stamp.id)?,
        Restored::Asset(..) => create::id_is_taken(db, &stamp.id)?,
    };
    if exists {
        return Ok(Outcome::Existing);
    }
    match record {
        Restored::Item(new) => return item(db, stamp, new),
        Restored::Related(new) => {
            let row = related::insert_as(db, &stamp.id, new)?;
            stamp_row(db, "UPDATE aside SET created = ?2, updated = ?3 WHERE row = ?1", row, stamp)?;
        }
        Restored::Conversation(seed) => {
            let row = conversation::insert_as(db, &stamp.id, seed.clone())?;
            stamp_row(db, "UPDATE conversation SET created = ?2, updated = ?3 WHERE row = ?1", row, stamp)?;
        }
        Restored::Message(conversation, new) => message(db, stamp, conversation, new)?,
        Restored::Annotation(about, new) => {
            let id = annotation::insert(db, annotation::subject(db, about)?, new)?;
            let statement = "UPDATE annotation SET id = ?2, created = ?3, updated = ?4 WHERE id = ?1";
            stamp_id(db, statement, &id, stamp)?;
        }
        Restored::Activity(new) => {
            let (created, _) = stamp.times();
            let id = activity::insert_at(db, new, created)?;
            stamp_id(db, "UPDATE activity SET id = ?2, created = ?3, updated = ?4 WHERE id = ?1", &id, stamp)?;
        }
        Restored::Application(document) => application::insert(db, document.clone(), stamp.times().0)?,
        Restored::Asset(new, format) => asset(db, stamp, new, format)?,
    }
    Ok(Outcome::Stored)
}

impl Stamp {
    /// When the record was created and changed, neither in the future.
    fn times(&self) -> (i64, i64) {
        let now = now();
        let created = self.created.or(self.updated).unwrap_or(now).min(now);
        (created, self.updated.unwrap_or(created).clamp(created, now))
    }
}

fn stamp_row(db: &Connection, statement: &'static str, row: i64, stamp: &Stamp) -> Result<(), StoreError> {
    let (created, updated) = stamp.times();
    db.prepare_cached(statement)?.execute([row, created, updated])?;
    Ok(())
}

fn stamp_id(db: &Connection, statement: &'static str, id: &str, stamp: &Stamp) -> Result<(), StoreError> {
    let (created, updated) = stamp.times();
    db.prepare_cached(statement)?.execute(params![id, stamp.id, created, updated])?;
    Ok(())
}

fn item(db: &Connection, stamp: &Stamp, new: &NewItem) -> Result<Outcome, StoreError> {
    if let Some(key) = &new.key {
        let other: Option<String> = db
            .prepare_cached("SELECT id FROM item WHERE kind = ?1 AND key = ?2")?
            .query_row([new.kind.stored(), key], |row| row.get(0))
            .optional()?;
        if let Some(other) = other {
            return Ok(Outcome::StoredAs(other));
        }
    }
    let row = item::make_with_id(db, &stamp.id, new)?;
    stamp_row(db, "UPDATE item SET created = ?2, updated = ?3 WHERE row = ?1", row, stamp)?;
    Ok(Outcome::Stored)
}

fn message(db: &Connection, stamp: &Stamp, conversation: &str, new: &NewMessage) -> Result<(), StoreError> {
    let row = conversation::row_of(db, conversation)?;
    let id = conversation::insert_message(db, row, new.clone(), stamp.times().0)?;
    let statement = "UPDATE conversation_message SET id = ?2, created = ?3, updated = ?4 WHERE id = ?1";
    stamp_id(db, statement, &id, stamp)
}

fn asset(db: &Transaction, stamp: &Stamp, new: &NewAsset, format: &Stamp) -> Result<(), StoreError> {
    let id = create::insert(db, new)?;
    let row = asset::row_of(db, &id)?;
    // Its activities are records of their own.
    activity::replace_all(db, (row, &id), "", &[])?;
    let (created, updated) = format.times();
    db.prepare_cached(
        "UPDATE format SET id = iif(?2 = '' OR EXISTS (SELECT 1 FROM format WHERE id = ?2), id, ?2), created = ?3,
         updated = ?4 WHERE asset = ?1 AND place = 0",
    )?
    .execute(params![row, format.id, created, updated])?;
    stamp_row(db, "UPDATE asset SET created = ?2, updated = ?3 WHERE row = ?1", row, stamp)
}

fn link(db: &Transaction, link: &RestoredLink) -> Result<Outcome, StoreError> {
    let RestoredLink { asset, kind, other, mechanism, document } = link;
    let asset = asset::row_of(db, asset)?;
    let linked = match kind {
        LinkedKind::Item(kind) => db
            .prepare_cached(
                "INSERT INTO link (asset, item, mechanism, created) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
            )?
            .execute(params![asset, item::row_of(db, *kind, other)?, mechanism, now()])?,
        LinkedKind::Related(kind) => db
            .prepare_cached(
                "INSERT INTO aside_link (asset, aside, mechanism, document) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO NOTHING",
            )?
            .execute(params![asset, related::row_of(db, *kind, other)?, mechanism, document])?,
        LinkedKind::Conversation => db
            .prepare_cached(
                "INSERT INTO conversation_asset (conversation, asset) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            )?
            .execute([conversation::row_of(db, other)?, asset])?,
    };
    Ok(if linked > 0 { Outcome::Stored } else { Outcome::Existing })
}

fn found(row: Result<i64, StoreError>) -> Result<bool, StoreError> {
    match row {
        Ok(_) => Ok(true),
        Err(StoreError::NotFound { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

fn has(db: &Connection, statement: &'static str, id: &str) -> Result<bool, StoreError> {
    Ok(db.prepare_cached(statement)?.exists([id])?)
}
