//! Records that were restored and have changed since at the service that they are from.
//!
//! What must hold: a record keeps its row, so that what is linked to it stays linked; what it says is replaced as a
//! whole, with its times and counters; no activity is recorded.

use rusqlite::{Connection, Transaction, params};

use super::{Restored, Stamp, stamp_id, stamp_row};
use crate::store::records::annotation::NewAnnotation;
use crate::store::records::asset::{self, Counted, Counter};
use crate::store::records::conversation::{self, ConversationSeed, NewMessage};
use crate::store::records::create::{self, NewAsset};
use crate::store::records::item::{self, NewItem};
use crate::store::records::related::{self, NewRelated};
use crate::store::records::{application, format};
use crate::store::{Store, StoreError};

impl Store {
    /// Replaces what stored records say, in one transaction; one that cannot be changed, or is not stored, does not
    /// affect the others.
    pub(crate) fn change_restored(
        &self,
        records: Vec<(Stamp, Restored)>,
    ) -> Result<Vec<Result<(), StoreError>>, StoreError> {
        self.write_alone(move |db| {
            let each = |(stamp, record): &(Stamp, Restored)| create::in_savepoint(db, || change(db, stamp, record));
            records.iter().map(each).collect()
        })
    }
}

fn change(db: &Transaction, stamp: &Stamp, record: &Restored) -> Result<(), StoreError> {
    match record {
        Restored::Item(new) => change_item(db, stamp, new),
        Restored::Related(new) => change_related(db, stamp, new),
        Restored::Conversation(seed) => change_conversation(db, stamp, seed),
        Restored::Message(_, new) => change_message(db, stamp, new),
        Restored::Annotation(_, new) => change_annotation(db, stamp, new),
        // The score of its asset is made of its rank.
        Restored::Activity(_) => Err(StoreError::Conflict("an activity that is stored is never changed".to_owned())),
        Restored::Application(document) => application::insert(db, document.clone(), stamp.times().0),
        Restored::Asset(new, format) => change_asset(db, stamp, new, format),
    }
}

fn change_item(db: &Connection, stamp: &Stamp, new: &NewItem) -> Result<(), StoreError> {
    let row = item::row_of(db, new.kind, &stamp.id)?;
    item::replace(db, row, new)?;
    set_counters(db, Counted::Item, row, &new.counters)?;
    stamp_row(db, "UPDATE item SET created = ?2, updated = ?3 WHERE row = ?1", row, stamp)
}

fn change_related(db: &Connection, stamp: &Stamp, new: &NewRelated) -> Result<(), StoreError> {
    let row = related::row_of(db, new.kind, &stamp.id)?;
    db.prepare_cached("UPDATE aside SET document = ?2 WHERE row = ?1")?.execute(params![row, new.document])?;
    stamp_row(db, "UPDATE aside SET created = ?2, updated = ?3 WHERE row = ?1", row, stamp)
}

fn change_conversation(db: &Connection, stamp: &Stamp, seed: &ConversationSeed) -> Result<(), StoreError> {
    let row = conversation::row_of(db, &stamp.id)?;
    let ConversationSeed { name, favorited, document, counters, .. } = seed;
    db.prepare_cached("UPDATE conversation SET name = ?2, favorited = ?3, document = ?4 WHERE row = ?1")?
        .execute(params![row, name, favorited, document])?;
    set_counters(db, Counted::Conversation, row, counters)?;
    stamp_row(db, "UPDATE conversation SET created = ?2, updated = ?3 WHERE row = ?1", row, stamp)
}

fn change_message(db: &Connection, stamp: &Stamp, new: &NewMessage) -> Result<(), StoreError> {
    let NewMessage { role, text, document } = new;
    db.prepare_cached("UPDATE conversation_message SET role = ?2, text = ?3, document = ?4 WHERE id = ?1")?
        .execute(params![stamp.id, role, text, document])?;
    let statement = "UPDATE conversation_message SET id = ?2, created = ?3, updated = ?4 WHERE id = ?1";
    stamp_id(db, statement, &stamp.id, stamp)
}

fn change_annotation(db: &Connection, stamp: &Stamp, new: &NewAnnotation) -> Result<(), StoreError> {
    let NewAnnotation { kind, text, document } = new;
    db.prepare_cached("UPDATE annotation SET kind = ?2, text = ?3, folded_text = ?4, document = ?5 WHERE id = ?1")?
        .execute(params![stamp.id, kind, text, text.to_lowercase(), document])?;
    stamp_id(db, "UPDATE annotation SET id = ?2, created = ?3, updated = ?4 WHERE id = ?1", &stamp.id, stamp)
}

fn change_asset(db: &Transaction, stamp: &Stamp, new: &NewAsset, format: &Stamp) -> Result<(), StoreError> {
    let row = asset::row_of(db, &stamp.id)?;
    let NewAsset { name, mechanism, favorited, document, generic, specific, .. } = new;
    let folded = name.as_deref().unwrap_or_default().to_lowercase();
    db.prepare_cached(
        "UPDATE asset SET name = ?2, folded_name = ?3, mechanism = ?4, favorited = ?5, document = ?6 WHERE row = ?1",
    )?
    .execute(params![row, name, folded, mechanism, favorited.then_some(true), document])?;
    db.prepare_cached("UPDATE format SET generic = ?2, specific = ?3 WHERE asset = ?1 AND place = 0")?
        .execute(params![row, generic, specific])?;
    format::replace_original(db, row, &new.content)?;
    let (created, updated) = format.times();
    db.prepare_cached("UPDATE format SET created = ?2, updated = ?3 WHERE asset = ?1 AND place = 0")?
        .execute([row, created, updated])?;
    let counters = new.archived.as_ref().map_or(&[][..], |archived| &archived.counters);
    set_counters(db, Counted::Asset, row, counters)?;
    stamp_row(db, "UPDATE asset SET created = ?2, updated = ?3 WHERE row = ?1", row, stamp)
}

fn set_counters(db: &Connection, of: Counted, row: i64, counters: &[(Counter, i64)]) -> Result<(), StoreError> {
    counters.iter().try_for_each(|(counter, count)| counter.set(db, of, row, *count))
}
