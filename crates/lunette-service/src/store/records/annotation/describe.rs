//! Descriptions of an asset that come with its update.
//!
//! What must hold: the time grows with the number of texts, whatever a body repeats. It is spent where all writes wait.

use std::collections::HashMap;

use rusqlite::{Connection, params};

use super::{DESCRIPTION, NewAnnotation, Subject, insert};
use crate::store::records::asset::Description;
use crate::store::{StoreError, now};

/// Edits descriptions of an asset, creates new ones and empties those without text; returns true if anything changed.
pub(in crate::store) fn describe(
    db: &Connection,
    asset: i64,
    descriptions: Vec<Description>,
) -> Result<bool, StoreError> {
    if descriptions.is_empty() {
        return Ok(false);
    }
    let mut present = Present::read(db, asset)?;
    let mut changed = false;
    for Description { id, text } in descriptions {
        match present.find(id.as_deref(), &text) {
            Some(index) if present.texts[index].text == text => continue,
            Some(index) => {
                db.prepare_cached(
                    "UPDATE annotation SET text = ?2, folded_text = ?3, updated = max(?4, updated + 1) WHERE row = ?1",
                )?
                .execute(params![present.texts[index].row, text, text.to_lowercase(), now()])?;
                present.replace(index, text);
            }
            None if text.is_empty() => continue,
            None => {
                let new = NewAnnotation { kind: DESCRIPTION.to_owned(), text, document: "{}".to_owned() };
                let id = insert(db, Subject::asset(asset), &new)?;
                present.add(db.last_insert_rowid(), id, new.text);
            }
        }
        changed = true;
    }
    Ok(changed)
}

/// A stored description.
struct Known {
    row: i64,
    text: String,
}

/// The descriptions that an asset has, by id and by text.
#[derive(Default)]
struct Present {
    texts: Vec<Known>,
    by_id: HashMap<String, usize>,
    by_text: HashMap<String, Vec<usize>>,
}

impl Present {
    fn read(db: &Connection, asset: i64) -> Result<Self, StoreError> {
        let sql = "SELECT row, id, text FROM annotation WHERE asset = ?1 AND kind = ?2 ORDER BY row DESC";
        let mut statement = db.prepare_cached(sql)?;
        let mut rows = statement.query(params![asset, DESCRIPTION])?;
        let mut present = Self::default();
        while let Some(row) = rows.next()? {
            present.add(row.get(0)?, row.get(1)?, row.get(2)?);
        }
        Ok(present)
    }

    fn add(&mut self, row: i64, id: String, text: String) {
        let index = self.texts.len();
        self.by_id.insert(id, index);
        self.by_text.entry(text.clone()).or_default().push(index);
        self.texts.push(Known { row, text });
    }

    /// The description of this id. The same text under another id is the same description, so that nothing is recorded
    /// twice; and an emptied one is reused before another is created.
    fn find(&self, id: Option<&str>, text: &str) -> Option<usize> {
        let with_text = |text: &str| self.by_text.get(text).and_then(|indices| indices.last()).copied();
        id.and_then(|id| self.by_id.get(id).copied()).or_else(|| with_text(text)).or_else(|| with_text(""))
    }

    fn replace(&mut self, index: usize, text: String) {
        let before = std::mem::replace(&mut self.texts[index].text, text.clone());
        if let Some(indices) = self.by_text.get_mut(&before) {
            match indices.last() == Some(&index) {
                true => drop(indices.pop()),
                false => indices.retain(|known| *known != index),
            }
        }
        self.by_text.entry(text).or_default().push(index);
    }
}
