//! Changes formats: language and content.

use std::borrow::Cow;

use rusqlite::{Connection, params};

use super::{Content, FoundFormat, find, keep, rows_of};
use crate::store::records::activity::{self, Event, Metadata};
use crate::store::records::asset::{self, Transfer};
use crate::store::{Store, StoreError, now, past};

impl Store {
    /// Sets the language of an asset's formats; does nothing if they have it already.
    pub(crate) fn reclassify(&self, id: &str, generic: &str, specific: &str) -> Result<(), StoreError> {
        let (id, generic, specific) = (id.to_owned(), generic.to_owned(), specific.to_owned());
        self.write(move |db| {
            let asset = asset::row_of(db, &id)?;
            // A damaged one would get a checksum that holds.
            rows_of(db, asset)?;
            let previous = db
                .prepare_cached("SELECT generic, specific FROM format WHERE asset = ?1 AND place = 0")?
                .query_row([asset], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
            if previous == (generic.clone(), specific.clone()) {
                return Ok(());
            }
            db.prepare_cached(
                "UPDATE format SET generic = ?2, specific = ?3, updated = max(?4, updated + 1) WHERE asset = ?1",
            )?
            .execute(params![asset, generic, specific, now()])?;
            reclassified(db, asset, (&previous.0, &previous.1), (&generic, &specific))
        })
    }

    /// Sets the language of one format; does nothing if it has it already. An asset has the language of its original.
    pub(crate) fn reclassify_format(&self, id: &str, generic: &str, specific: &str) -> Result<(), StoreError> {
        let (id, generic, specific) = (id.to_owned(), generic.to_owned(), specific.to_owned());
        self.write(move |db| {
            let FoundFormat { format, asset, .. } = found(db, &id)?;
            if (&format.generic, &format.specific) == (&generic, &specific) {
                return Ok(());
            }
            db.prepare_cached(
                "UPDATE format SET generic = ?2, specific = ?3, updated = max(?4, updated + 1) WHERE row = ?1",
            )?
            .execute(params![format.row, generic, specific, now()])?;
            reclassified(db, asset, (&format.generic, &format.specific), (&generic, &specific))
        })
    }

    /// Replaces the content of a format; does nothing if it is the same.
    pub(crate) fn replace_content(&self, id: &str, content: Content) -> Result<(), StoreError> {
        let keeps = self.past_bounds().keeps();
        let is_small = content.as_bytes().len() < past::PREPARED_FROM;
        if !keeps {
            return self.replace(id, content, Difference::Before(None)).map(drop);
        }
        if is_small && self.replace(id, content.clone(), Difference::InWrite)? {
            return Ok(());
        }
        // The writer is not held while a large content is compared.
        let prepared = self.read(|db| past::prepare_content(db, id, content.as_bytes()))?;
        self.replace(id, content, Difference::Before(prepared)).map(drop)
    }

    /// Replaces the content; returns false without a change if the difference of what is stored has to be made before.
    fn replace(&self, id: &str, content: Content, difference: Difference) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.write(move |db| {
            let FoundFormat { format, asset, .. } = found(db, &id)?;
            let sha256 = content.sha256();
            if is_stored(db, format.row, matches!(content, Content::Bytes(_)), sha256)? {
                return Ok(true);
            }
            let prepared = match difference {
                Difference::InWrite if format.size_bytes >= past::PREPARED_FROM as i64 => return Ok(false),
                Difference::InWrite => None,
                Difference::Before(prepared) => prepared,
            };
            past::content_replaced(db, asset, format.row, content.as_bytes(), prepared)?;
            let (binary, bytes) = (matches!(content, Content::Bytes(_)), content.as_bytes().len() as i64);
            db.prepare_cached(
                "UPDATE format SET binary = ?2, size = ?3, sha256 = ?4, updated = max(?5, updated + 1) WHERE row = ?1",
            )?
            .execute(params![format.row, binary, bytes, sha256, now()])?;
            db.prepare_cached("DELETE FROM content WHERE format = ?1")?.execute([format.row])?;
            keep(db, format.row, Cow::Owned(content))?;
            activity::record(db, asset, Event::ValueEdited, &Metadata::None)?;
            asset::touch(db, asset)?;
            Ok(true)
        })
    }
}

/// When the difference of a content from what replaces it is made.
enum Difference {
    /// In the write, if both are small.
    InWrite,
    /// Before it, if one of them is large.
    Before(Option<past::Prepared>),
}

/// Whether a format holds this already.
fn is_stored(db: &Connection, format: i64, binary: bool, sha256: [u8; 32]) -> Result<bool, StoreError> {
    let same = "SELECT binary = ?2 AND sha256 = ?3 FROM format WHERE row = ?1";
    Ok(db.prepare_cached(same)?.query_row(params![format, binary, sha256], |row| row.get(0))?)
}

fn found(db: &Connection, id: &str) -> Result<FoundFormat, StoreError> {
    find(db, id, Transfer::Withheld)?.ok_or_else(|| StoreError::not_found("format", id))
}

fn reclassified(db: &Connection, asset: i64, previous: (&str, &str), current: (&str, &str)) -> Result<(), StoreError> {
    activity::record_reclassification(db, asset, previous, current)?;
    asset::touch(db, asset)
}
