//! Texts about an asset or a workstream summary; an asset's description is one of them.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::asset::Description;
use super::{StoreError, now};

/// One annotation.
pub(crate) struct AnnotationRow {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) text: String,
    pub(crate) created: i64,
    pub(crate) updated: i64,
}

impl AnnotationRow {
    fn of(row: &Row) -> rusqlite::Result<Self> {
        Ok(Self { id: row.get(0)?, kind: row.get(1)?, text: row.get(2)?, created: row.get(3)?, updated: row.get(4)? })
    }
}

/// An annotation as it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewAnnotation {
    pub(crate) kind: String,
    pub(crate) text: String,
}

/// What an annotation is about.
#[derive(Clone, Copy)]
pub(super) enum Subject {
    Asset(i64),
    Item(i64),
}

/// The annotations of an asset. Our choice: a description without text is none; its row stays, so that a text that comes
/// back is the same annotation.
pub(super) fn of_asset(db: &Connection, asset: i64) -> Result<Vec<AnnotationRow>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT id, kind, text, created, updated FROM annotation
         WHERE asset = ?1 AND NOT (kind = 'DESCRIPTION' AND text = '') ORDER BY row",
    )?;
    let rows = statement.query_map([asset], AnnotationRow::of)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn of_item(db: &Connection, item: i64) -> Result<Vec<AnnotationRow>, StoreError> {
    let mut statement =
        db.prepare_cached("SELECT id, kind, text, created, updated FROM annotation WHERE item = ?1 ORDER BY row")?;
    let rows = statement.query_map([item], AnnotationRow::of)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn insert(db: &Connection, subject: Subject, new: &NewAnnotation) -> Result<(), StoreError> {
    let (asset, item) = match subject {
        Subject::Asset(row) => (Some(row), None),
        Subject::Item(row) => (None, Some(row)),
    };
    db.prepare_cached(
        "INSERT INTO annotation (id, asset, item, kind, text, folded_text, created, updated)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)",
    )?
    .execute(params![
        uuid::Uuid::new_v4().to_string(),
        asset,
        item,
        new.kind,
        new.text,
        new.text.to_lowercase(),
        now()
    ])?;
    Ok(())
}

/// Edits descriptions of an asset, makes those that are new and empties those without text; true when anything changed.
pub(super) fn describe(db: &Connection, asset: i64, descriptions: Vec<Description>) -> Result<bool, StoreError> {
    let mut changed = false;
    for Description { id, text } in descriptions {
        // The same text under another id is the same description, so that nothing is told twice; and one that was
        // emptied is taken before another is made.
        let present = db
            .prepare_cached(
                "SELECT row, text FROM annotation
                 WHERE asset = ?1 AND kind = 'DESCRIPTION' AND (id = ?2 OR text = ?3 OR text = '')
                 ORDER BY id = ?2 DESC, text = ?3 DESC LIMIT 1",
            )?
            .query_row(params![asset, id, text], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))
            .optional()?;
        match present {
            Some((_, present)) if present == text => continue,
            Some((row, _)) => {
                db.prepare_cached(
                    "UPDATE annotation SET text = ?2, folded_text = ?3, updated = max(?4, updated + 1) WHERE row = ?1",
                )?
                .execute(params![row, text, text.to_lowercase(), now()])?;
            }
            None if text.is_empty() => continue,
            None => insert(db, Subject::Asset(asset), &NewAnnotation { kind: "DESCRIPTION".to_owned(), text })?,
        }
        changed = true;
    }
    Ok(changed)
}
