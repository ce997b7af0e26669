//! Creates an asset with everything in its seed, in one transaction.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::{Connection, Transaction, params};

use super::activity::{self, Event, Metadata};
use super::annotation::{self, NewAnnotation, Subject};
use super::archived::{self, Archived};
use super::asset;
use super::format::{self, Content, NewFormat};
use super::item::{self, NewItem};
use super::link;
use super::related::{self, NewRelated};
use crate::store::{Store, StoreError, feed, new_id, now, past, search};

/// What to do if the id that a new asset would keep is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnTaken {
    /// Give it another id.
    NewId,
    /// Return the existing asset; one with the id of a deleted asset gets another id.
    Skip,
}

/// The id that a new asset had elsewhere and keeps if it is free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptId {
    pub(crate) id: String,
    pub(crate) taken: OnTaken,
}

/// A new asset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NewAsset {
    /// The id that it keeps; None for a new one.
    pub(crate) id: Option<KeptId>,
    pub(crate) name: Option<String>,
    /// The client gave no name.
    pub(crate) name_is_derived: bool,
    pub(crate) mechanism: String,
    /// The record of the application it comes from, as JSON.
    pub(crate) application: String,
    pub(crate) generic: String,
    pub(crate) specific: String,
    pub(crate) content: Content,
    pub(crate) favorited: bool,
    /// When it was created, in microseconds; None for now.
    pub(crate) created: Option<i64>,
    /// When it was last changed; None for when it was created.
    pub(crate) updated: Option<i64>,
    /// A JSON object: fields that have no column.
    pub(crate) document: String,
    pub(crate) items: Vec<NewItem>,
    pub(crate) annotations: Vec<NewAnnotation>,
    pub(crate) related: Vec<NewRelated>,
    /// What it had when it was written to an archive.
    pub(crate) archived: Option<Box<Archived>>,
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

/// A new asset with what is worked out of it before the writer takes it.
struct Prepared {
    new: NewAsset,
    sha256: [u8; 32],
}

impl Prepared {
    fn of(new: NewAsset) -> Self {
        Self { sha256: new.content.sha256(), new }
    }

    /// Its content, which it gives away.
    fn take_content(&mut self) -> Content {
        std::mem::replace(&mut self.new.content, Content::Bytes(Vec::new()))
    }
}

impl Store {
    /// Creates an asset.
    pub(crate) fn create_asset(&self, new: NewAsset, again: OnDuplicate) -> Result<CreatedAsset, StoreError> {
        let mut new = Prepared::of(new);
        let content = new.take_content();
        self.write(move |db| create_or_find(db, &new, Cow::Owned(content), again))
    }

    /// Creates assets in one transaction. One that cannot be created is undone alone; if the disk fails or is full, none
    /// is created. The content of a large batch is indexed for searches after the commit.
    pub(crate) fn create_assets(
        &self,
        new: Vec<NewAsset>,
        again: OnDuplicate,
    ) -> Result<Vec<Result<CreatedAsset, StoreError>>, StoreError> {
        if new.is_empty() {
            return Ok(Vec::new());
        }
        let new: Arc<[Prepared]> = new.into_iter().map(Prepared::of).collect();
        // Whether an asset failed: if the commit failed, it may be on disk all the same, and is not tried again.
        let failed = Arc::new(AtomicBool::new(false));
        let (batch, fails) = (Arc::clone(&new), Arc::clone(&failed));
        let created = self.write_alone(move |db| {
            let create = |new: &Prepared| create_or_find(db, new, Cow::Borrowed(&new.new.content), again).map(Ok);
            create_all(db, &batch, create).inspect_err(|_| fails.store(true, Ordering::Relaxed))
        });
        match created {
            // Almost never; so the others need no savepoint each, of which SQLite keeps a copy of each page it changes.
            Err(error) if failed.load(Ordering::Relaxed) && may_fail_alone(&error) => self.write_alone(move |db| {
                create_all(db, &new, |new| {
                    in_savepoint(db, || create_or_find(db, new, Cow::Borrowed(&new.new.content), again))
                })
            }),
            created => created,
        }
    }
}

/// Creates the assets of a batch.
fn create_all(
    db: &Transaction,
    new: &[Prepared],
    create: impl Fn(&Prepared) -> Result<Result<CreatedAsset, StoreError>, StoreError>,
) -> Result<Vec<Result<CreatedAsset, StoreError>>, StoreError> {
    let before = format::last_row(db)?;
    let created = new.iter().map(create).collect::<Result<_, _>>()?;
    search::postpone(db, before)?;
    Ok(created)
}

fn create_or_find(
    db: &Transaction,
    new: &Prepared,
    content: Cow<Content>,
    again: OnDuplicate,
) -> Result<CreatedAsset, StoreError> {
    if let Some(KeptId { id, taken: OnTaken::Skip }) = &new.new.id
        && asset::row_of(db, id).is_ok()
    {
        return Ok(CreatedAsset { id: id.clone(), existing: true });
    }
    if again == OnDuplicate::Reuse
        && let Some(id) = twin(db, new)?
    {
        return Ok(CreatedAsset { id, existing: true });
    }
    Ok(CreatedAsset { id: create(db, new, content)?, existing: false })
}

/// The id of the asset that was created from the same seed. One without a name was created before names were derived.
fn twin(db: &Transaction, new: &Prepared) -> Result<Option<String>, StoreError> {
    match format::twin(db, new.new.name.as_deref(), new.sha256)? {
        None if new.new.name_is_derived => format::twin(db, None, new.sha256),
        found => Ok(found),
    }
}

/// Creates an asset; returns its id.
pub(in crate::store) fn insert(db: &Transaction, new: &NewAsset) -> Result<String, StoreError> {
    let mut new = Prepared::of(new.clone());
    let content = new.take_content();
    create(db, &new, Cow::Owned(content))
}

/// Whether an asset has or had this id.
pub(in crate::store) fn id_is_taken(db: &Connection, id: &str) -> Result<bool, StoreError> {
    Ok(db.prepare_cached("SELECT 1 FROM asset WHERE id = ?1")?.exists([id])?)
}

/// Whether an error of one asset says nothing about the others.
fn may_fail_alone(error: &StoreError) -> bool {
    !error.is_of_the_disk() && !matches!(error, StoreError::Full | StoreError::ReadOnly { .. })
}

/// Runs a change that may fail alone: the inner result. Fails if the transaction cannot continue.
pub(super) fn in_savepoint<T>(
    db: &Transaction,
    change: impl FnOnce() -> Result<T, StoreError>,
) -> Result<Result<T, StoreError>, StoreError> {
    db.prepare_cached("SAVEPOINT seed")?.execute([])?;
    let mark = feed::mark();
    let result = change();
    if let Err(error) = &result {
        if db.is_autocommit() || !may_fail_alone(error) {
            return Err(error.clone());
        }
        db.prepare_cached("ROLLBACK TO seed")?.execute([])?;
        feed::forget_after(mark);
    }
    db.prepare_cached("RELEASE seed")?.execute([])?;
    Ok(result)
}

fn create(db: &Transaction, new: &Prepared, content: Cow<Content>) -> Result<String, StoreError> {
    let Prepared { new, sha256 } = new;
    let id = match &new.id {
        Some(kept) if !id_is_taken(db, &kept.id)? => kept.id.clone(),
        Some(_) | None => new_id(),
    };
    // A date in the future would keep the asset at the top of the list.
    let now = now();
    let created = new.created.or(new.updated).unwrap_or(now).min(now);
    let updated = new.updated.unwrap_or(created).clamp(created, now);
    let folded = new.name.as_deref().unwrap_or_default().to_lowercase();
    db.prepare_cached(
        "INSERT INTO asset (id, name, folded_name, mechanism, created, updated, favorited, document, sum)
         VALUES (?1, ?2, ?3, ?4, ?5, ?8, ?7, ?6, row_sum(?1, ?2, ?4, ?5, ?6))",
    )?
    .execute(params![
        id,
        new.name,
        folded,
        new.mechanism,
        created,
        new.document,
        new.favorited.then_some(true),
        updated
    ])?;
    let asset = db.last_insert_rowid();
    past::created(asset);
    let origin = format::origin(db, &new.application)?;
    let format_id = new_id();
    let NewAsset { generic, specific, .. } = new;
    let sha256 = *sha256;
    format::insert(db, NewFormat { id: &format_id, asset, generic, specific, origin, content, sha256, created })?;
    activity::record(db, asset, Event::Created, &Metadata::None)?;
    attach(db, asset, new)?;
    if let Some(archived) = &new.archived {
        archived::attach(db, (asset, &id), archived)?;
    }
    if new.created.is_some() || new.updated.is_some() {
        // What was added to it is part of its creation, and changes none of the dates that it came with.
        db.prepare_cached("UPDATE asset SET updated = ?2 WHERE row = ?1")?.execute(params![asset, updated])?;
    }
    Ok(id)
}

/// Adds the annotations, items and other records that an asset is created with.
fn attach(db: &Transaction, asset: i64, new: &NewAsset) -> Result<(), StoreError> {
    for annotation in &new.annotations {
        annotation::insert(db, Subject::asset(asset), annotation)?;
    }
    for item in &new.items {
        let row = item::make(db, item)?;
        link::add_to_row(db, asset, (row, &item.mechanism))?;
    }
    for new in &new.related {
        let related_record = related::insert(db, new)?;
        related::add(db, asset, related_record, &new.mechanism, &new.link)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use rusqlite::trace::{TraceEvent, TraceEventCodes};

    use super::*;
    use crate::store::disk::file::{self, LogLimits};
    use crate::store::disk::migration;
    use crate::store::tests::assets::new_asset;
    use crate::store::writer;

    thread_local! {
        static STATEMENTS: Cell<usize> = const { Cell::new(0) };
    }

    fn count(event: TraceEvent<'_>) {
        if let TraceEvent::Stmt(..) = event {
            STATEMENTS.set(STATEMENTS.get() + 1);
        }
    }

    /// How many statements, with those of triggers, it takes to create so many assets as an import does.
    fn cost(connection: &mut Connection, assets: usize) -> usize {
        let annotation = NewAnnotation {
            kind: "DESCRIPTION".to_owned(),
            text: "Imported from a folder".to_owned(),
            document: "{}".to_owned(),
        };
        let text = |number| Content::Text(format!("{number} {}", "word ".repeat(200)));
        let new = |number: usize| NewAsset {
            annotations: vec![annotation.clone()],
            ..new_asset(&format!("{assets} {number}"), text(number))
        };
        let new: Vec<_> = (0..assets).map(|number| Prepared::of(new(number))).collect();
        STATEMENTS.set(0);
        let transaction = connection.transaction().expect("a transaction");
        create_all(&transaction, &new, |new| {
            create_or_find(&transaction, new, Cow::Borrowed(&new.new.content), OnDuplicate::Reuse).map(Ok)
        })
        .expect("created");
        search::refresh(&transaction).expect("indexed");
        transaction.commit().expect("committed");
        STATEMENTS.get()
    }

    #[test]
    fn an_asset_of_a_batch_takes_few_statements_and_its_content_is_not_indexed_in_its_commit() {
        let mut connection = Connection::open_in_memory().expect("a database");
        file::prepare_writer(&connection, LogLimits::of_memory()).expect("prepared");
        migration::create(&mut connection).expect("the tables");
        writer::install_triggers(&connection).expect("triggers");
        connection.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(count)).expect("traced");
        let (few, many) = (cost(&mut connection, 100), cost(&mut connection, 200));
        // Seven of its own, and those of triggers and of the two indexes of the metadata.
        assert!(many - few <= 100 * 39, "{} for 100 assets more", many - few);
        let indexed = "SELECT count(*) FROM search_word_docsize";
        assert_eq!(connection.query_row(indexed, [], |row| row.get(0)), Ok(0));
    }
}
