//! Creates an asset with everything in its seed, in one transaction.

use rusqlite::{Transaction, params};

use super::activity::{self, Event, Metadata};
use super::annotation::{self, NewAnnotation, Subject};
use super::format::{self, Content, NewFormat};
use super::item::{self, NewItem};
use super::related::{self, NewRelated};
use super::{Store, StoreError, feed, link, now};

/// A new asset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NewAsset {
    pub(crate) name: Option<String>,
    pub(crate) mechanism: String,
    /// The record of the application it comes from, as JSON.
    pub(crate) application: String,
    pub(crate) generic: String,
    pub(crate) specific: String,
    pub(crate) content: Content,
    /// A JSON object: fields that have no column.
    pub(crate) document: String,
    pub(crate) items: Vec<NewItem>,
    pub(crate) annotations: Vec<NewAnnotation>,
    pub(crate) related: Vec<NewRelated>,
}

/// What to do if the same asset exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnDuplicate {
    /// Always create a new one.
    Create,
    /// Return the existing one of the same name and content.
    Reuse,
}

/// The asset that was created or found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CreatedAsset {
    pub(crate) id: String,
    /// It existed before.
    pub(crate) existing: bool,
}

impl Store {
    /// Creates an asset.
    pub(crate) fn create_asset(&self, new: NewAsset, again: OnDuplicate) -> Result<CreatedAsset, StoreError> {
        self.write(move |db| create_or_find(db, new, again))
    }

    /// Creates assets in one transaction. One that cannot be created is undone alone; if the disk fails or is full, none
    /// is created.
    pub(crate) fn create_assets(
        &self,
        new: Vec<NewAsset>,
        again: OnDuplicate,
    ) -> Result<Vec<Result<CreatedAsset, StoreError>>, StoreError> {
        if new.is_empty() {
            return Ok(Vec::new());
        }
        self.write(move |db| new.into_iter().map(|new| in_savepoint(db, |db| create_or_find(db, new, again))).collect())
    }
}

fn create_or_find(db: &Transaction, new: NewAsset, again: OnDuplicate) -> Result<CreatedAsset, StoreError> {
    if again == OnDuplicate::Reuse
        && let Some(id) = format::twin(db, new.name.as_deref(), new.content.sha256())?
    {
        return Ok(CreatedAsset { id, existing: true });
    }
    Ok(CreatedAsset { id: create(db, new)?, existing: false })
}

/// Runs a change that may fail alone: the inner result. Fails if the transaction cannot continue.
fn in_savepoint<T>(
    db: &Transaction,
    change: impl FnOnce(&Transaction) -> Result<T, StoreError>,
) -> Result<Result<T, StoreError>, StoreError> {
    db.prepare_cached("SAVEPOINT seed")?.execute([])?;
    let mark = feed::mark();
    let result = change(db);
    if let Err(error) = &result {
        if db.is_autocommit()
            || error.is_of_the_disk()
            || matches!(error, StoreError::Full | StoreError::ReadOnly { .. })
        {
            return Err(error.clone());
        }
        db.prepare_cached("ROLLBACK TO seed")?.execute([])?;
        feed::forget_after(mark);
    }
    db.prepare_cached("RELEASE seed")?.execute([])?;
    Ok(result)
}

fn create(db: &Transaction, mut new: NewAsset) -> Result<String, StoreError> {
    let id = uuid::Uuid::new_v4().to_string();
    let created = now();
    let folded = new.name.as_deref().unwrap_or_default().to_lowercase();
    db.prepare_cached(
        "INSERT INTO asset (id, name, folded_name, mechanism, created, updated, document)
         VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6)",
    )?
    .execute(params![id, new.name, folded, new.mechanism, created, new.document])?;
    let asset = db.last_insert_rowid();
    let origin = format::origin(db, &new.application)?;
    let format_id = uuid::Uuid::new_v4().to_string();
    let content = std::mem::replace(&mut new.content, Content::Bytes(Vec::new()));
    let NewAsset { generic, specific, .. } = &new;
    format::insert(db, NewFormat { id: &format_id, asset, generic, specific, origin, content, created })?;
    activity::record(db, asset, Event::Created, &Metadata::None)?;
    for annotation in &new.annotations {
        annotation::insert(db, Subject::asset(asset), annotation)?;
    }
    for item in &new.items {
        let item = item::make(db, item)?;
        link::add_to_row(db, asset, item)?;
    }
    for new in &new.related {
        let related_record = related::insert(db, new)?;
        related::add(db, asset, related_record, &new.mechanism, &new.link)?;
    }
    Ok(id)
}
