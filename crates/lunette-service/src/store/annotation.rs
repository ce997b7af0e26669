//! Texts about an asset, a workstream summary, a conversation, a person, an anchor, or nothing; an asset's description is
//! one of them.
//!
//! What must hold: a change is seen by what the annotation is about: an asset, a summary or a conversation moves its
//! `updated` on, and an asset is told of it in its history.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::activity::{self, Event, Metadata};
use super::asset::{self, Description};
use super::item::{self, ItemKind};
use super::{Store, StoreError, checksum, checksum::summed, conversation, now};

/// The kind that an asset's description is of.
const DESCRIPTION: &str = "DESCRIPTION";

/// One annotation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AnnotationRow {
    row: i64,
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) text: String,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) about: About,
    /// A JSON object: the fields that have no column.
    pub(crate) document: String,
}

/// What an annotation is about, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct About {
    pub(crate) asset: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) conversation: Option<String>,
    /// Our choice: persons and anchors are named, and need not be there.
    pub(crate) person: Option<String>,
    pub(crate) anchor: Option<String>,
}

/// An annotation as it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewAnnotation {
    pub(crate) kind: String,
    pub(crate) text: String,
    /// A JSON object: the fields that have no column.
    pub(crate) document: String,
}

/// What an update makes of an annotation; None keeps what is there.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AnnotationChange {
    pub(crate) kind: Option<String>,
    pub(crate) text: Option<String>,
    pub(crate) document: Option<String>,
}

/// What an annotation is about, as the store keeps it.
#[derive(Clone, Copy, Default)]
pub(super) struct Subject<'a> {
    pub(super) asset: Option<i64>,
    pub(super) item: Option<i64>,
    pub(super) conversation: Option<i64>,
    pub(super) person: Option<&'a str>,
    pub(super) anchor: Option<&'a str>,
}

impl Subject<'static> {
    pub(super) fn asset(row: i64) -> Self {
        Self { asset: Some(row), ..Self::default() }
    }

    pub(super) fn item(row: i64) -> Self {
        Self { item: Some(row), ..Self::default() }
    }

    pub(super) fn conversation(row: i64) -> Self {
        Self { conversation: Some(row), ..Self::default() }
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT row, id, kind, text, created, updated, document, person, anchor,
             (SELECT asset.id FROM asset WHERE asset.row = annotation.asset),
             (SELECT item.id FROM item WHERE item.row = annotation.item),
             (SELECT conversation.id FROM conversation WHERE conversation.row = annotation.conversation), ",
            summed!(annotation),
            " FROM annotation WHERE ",
            $rest
        )
    };
}

impl AnnotationRow {
    fn of(row: &Row) -> rusqlite::Result<Self> {
        checksum::verify(row, 12, "annotation", 1)?;
        Ok(Self {
            row: row.get(0)?,
            id: row.get(1)?,
            kind: row.get(2)?,
            text: row.get(3)?,
            created: row.get(4)?,
            updated: row.get(5)?,
            document: row.get(6)?,
            about: About {
                person: row.get(7)?,
                anchor: row.get(8)?,
                asset: row.get(9)?,
                summary: row.get(10)?,
                conversation: row.get(11)?,
            },
        })
    }

    /// Whether it is, or was, the description of an asset that has none now.
    fn is_empty_description(&self) -> bool {
        self.about.asset.is_some() && self.kind == DESCRIPTION && self.text.is_empty()
    }
}

/// The annotations of an asset. Our choice: a description without text is none; its row stays, so that a text that comes
/// back is the same annotation.
pub(super) fn of_asset(db: &Connection, asset: i64) -> Result<Vec<AnnotationRow>, StoreError> {
    let mut statement =
        db.prepare_cached(select!("asset = ?1 AND NOT (kind = 'DESCRIPTION' AND text = '') ORDER BY row"))?;
    let rows = statement.query_map([asset], AnnotationRow::of)?;
    checksum::skip_damaged(rows)
}

pub(super) fn of_item(db: &Connection, item: i64) -> Result<Vec<AnnotationRow>, StoreError> {
    let mut statement = db.prepare_cached(select!("item = ?1 ORDER BY row"))?;
    let rows = statement.query_map([item], AnnotationRow::of)?;
    checksum::skip_damaged(rows)
}

pub(super) fn of_conversation(db: &Connection, conversation: i64) -> Result<Vec<AnnotationRow>, StoreError> {
    let mut statement = db.prepare_cached(select!("conversation = ?1 ORDER BY row"))?;
    let rows = statement.query_map([conversation], AnnotationRow::of)?;
    checksum::skip_damaged(rows)
}

pub(super) fn of_person(db: &Connection, person: &str) -> Result<Vec<AnnotationRow>, StoreError> {
    let mut statement = db.prepare_cached(select!("person = ?1 ORDER BY row"))?;
    let rows = statement.query_map([person], AnnotationRow::of)?;
    checksum::skip_damaged(rows)
}

pub(super) fn of_anchor(db: &Connection, anchor: &str) -> Result<Vec<AnnotationRow>, StoreError> {
    let mut statement = db.prepare_cached(select!("anchor = ?1 ORDER BY row"))?;
    let rows = statement.query_map([anchor], AnnotationRow::of)?;
    checksum::skip_damaged(rows)
}

/// Keeps an annotation and tells nobody: what it is about is being made or changed itself. Gives its id.
pub(super) fn insert(db: &Connection, subject: Subject, new: &NewAnnotation) -> Result<String, StoreError> {
    let Subject { asset, item, conversation, person, anchor } = subject;
    let NewAnnotation { kind, text, document } = new;
    let id = uuid::Uuid::new_v4().to_string();
    db.prepare_cached(
        "INSERT INTO annotation (id, asset, item, conversation, person, anchor, kind, text, folded_text, created,
         updated, document) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, ?11)",
    )?
    .execute(params![
        id,
        asset,
        item,
        conversation,
        person,
        anchor,
        kind,
        text,
        text.to_lowercase(),
        now(),
        document
    ])?;
    Ok(id)
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
            None => {
                let new = NewAnnotation { kind: DESCRIPTION.to_owned(), text, document: "{}".to_owned() };
                insert(db, Subject::asset(asset), &new)?;
            }
        }
        changed = true;
    }
    Ok(changed)
}

fn find(db: &Connection, id: &str) -> Result<AnnotationRow, StoreError> {
    db.prepare_cached(select!("id = ?1"))?
        .query_row([id], AnnotationRow::of)
        .optional()?
        .ok_or_else(|| StoreError::not_found("annotation", id))
}

/// The rows of what is named; fails where an asset, summary or conversation is not there.
fn subject<'a>(db: &Connection, about: &'a About) -> Result<Subject<'a>, StoreError> {
    let About { asset, summary, conversation, person, anchor } = about;
    Ok(Subject {
        asset: asset.as_deref().map(|id| asset::row_of(db, id)).transpose()?,
        item: summary.as_deref().map(|id| item::row_of(db, ItemKind::Summary, id)).transpose()?,
        conversation: conversation.as_deref().map(|id| conversation::row_of(db, id)).transpose()?,
        person: person.as_deref(),
        anchor: anchor.as_deref(),
    })
}

/// What was done to an annotation.
#[derive(Clone, Copy)]
enum Done {
    Added,
    Updated,
    Deleted,
}

/// Tells what the annotation is about of a change. A description of an asset is told as one that came with an update of
/// the asset is.
fn tell(db: &Connection, subject: Subject, id: &str, done: Done, describes: bool) -> Result<(), StoreError> {
    if let Some(asset) = subject.asset {
        let event = match done {
            _ if describes => Event::Described,
            Done::Added => Event::AnnotationAdded,
            Done::Updated => Event::AnnotationUpdated,
            Done::Deleted => Event::AnnotationDeleted,
        };
        // A description is told without its id by an update of the asset too.
        let metadata = if describes { Metadata::None } else { Metadata::Annotation(id) };
        activity::record(db, asset, event, &metadata)?;
        asset::touch(db, asset)?;
    }
    if let Some(item) = subject.item {
        db.prepare_cached("UPDATE item SET updated = max(?2, updated + 1) WHERE row = ?1")?.execute([item, now()])?;
    }
    if let Some(conversation) = subject.conversation {
        conversation::touch(db, conversation)?;
    }
    Ok(())
}

impl Store {
    /// Gives every annotation of a kind, or of all, to `each`, oldest first.
    pub(crate) fn each_annotation(
        &self,
        kind: Option<&str>,
        mut each: impl FnMut(&AnnotationRow),
    ) -> Result<(), StoreError> {
        self.read(|db| {
            let mut statement = db.prepare_cached(select!(
                "(?1 IS NULL OR kind = ?1) AND NOT (kind = 'DESCRIPTION' AND text = '' AND asset IS NOT NULL) ORDER BY row"
            ))?;
            let mut rows = statement.query([kind])?;
            while let Some(row) = rows.next()? {
                if let Some(annotation) = checksum::skip_if_damaged(AnnotationRow::of(row))? {
                    each(&annotation);
                }
            }
            Ok(())
        })
    }

    /// One annotation. Fails with [`StoreError::NotFound`], also on the description of an asset that has none now.
    pub(crate) fn annotation(&self, id: &str) -> Result<AnnotationRow, StoreError> {
        let found = self.read(|db| find(db, id))?;
        if found.is_empty_description() { Err(StoreError::not_found("annotation", id)) } else { Ok(found) }
    }

    /// Makes an annotation. Fails when an asset, a summary or a conversation that it is about is not there.
    pub(crate) fn make_annotation(&self, about: About, new: NewAnnotation) -> Result<AnnotationRow, StoreError> {
        self.write(move |db| {
            let subject = subject(db, &about)?;
            let id = insert(db, subject, &new)?;
            tell(db, subject, &id, Done::Added, new.kind == DESCRIPTION)?;
            find(db, &id)
        })
    }

    /// Changes an annotation by what `decide` makes of its present state. What it is about stays.
    pub(crate) fn update_annotation(
        &self,
        id: &str,
        decide: impl FnOnce(&AnnotationRow) -> Result<AnnotationChange, StoreError> + Send + 'static,
    ) -> Result<AnnotationRow, StoreError> {
        let id = id.to_owned();
        self.write(move |db| {
            let before = find(db, &id)?;
            let AnnotationChange { kind, text, document } = decide(&before)?;
            let kind = kind.unwrap_or_else(|| before.kind.clone());
            let text = text.unwrap_or_else(|| before.text.clone());
            let document = document.unwrap_or_else(|| before.document.clone());
            if (&kind, &text, &document) == (&before.kind, &before.text, &before.document) {
                return Ok(before);
            }
            db.prepare_cached(
                "UPDATE annotation SET kind = ?2, text = ?3, folded_text = ?4, document = ?5,
                 updated = max(?6, updated + 1) WHERE row = ?1",
            )?
            .execute(params![before.row, kind, text, text.to_lowercase(), document, now()])?;
            let describes = kind == DESCRIPTION || before.kind == DESCRIPTION;
            tell(db, subject(db, &before.about)?, &id, Done::Updated, describes)?;
            find(db, &id)
        })
    }

    /// Deletes an annotation.
    pub(crate) fn delete_annotation(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write_freeing(move |db| {
            let before = find(db, &id)?;
            if before.is_empty_description() {
                return Err(StoreError::not_found("annotation", &id));
            }
            db.prepare_cached("DELETE FROM annotation WHERE row = ?1")?.execute([before.row])?;
            tell(db, subject(db, &before.about)?, &id, Done::Deleted, before.kind == DESCRIPTION)
        })
    }
}
