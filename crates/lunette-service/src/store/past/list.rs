//! The versions of an asset, and one of them.

use lunette_secrets::find_in_bytes;
use lunette_versions::{LineChanges, line_changes};
use rusqlite::{Connection, OptionalExtension as _};

use super::entry::{self, Chain, Entry, PastContent, Reading, Unreadable};
use super::state::{Deletion, PastAnnotation, PastState};
use crate::store::records::format::Content;
use crate::store::{Store, StoreError};

/// The largest content of which the versions are compared in a list, in bytes.
const MAX_COMPARED: i64 = 1 << 20;

/// How much of all versions of an asset is searched for secrets in a list, the newest first, in bytes.
const MAX_SEARCHED: usize = 8 << 20;

/// What of a version is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// All but its content.
    Record,
    /// Its content too.
    Content,
}

/// The versions of an asset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Versions {
    /// Newest first: the first is what the asset is now.
    pub(crate) entries: Vec<VersionEntry>,
    /// Whether the first version is what the asset was created as. If not, what it was before is not recorded, or no longer
    /// kept.
    pub(crate) from_creation: bool,
    /// Versions up to this number are no longer kept.
    pub(crate) ended: Option<i64>,
    /// From when to when changes were made of which no versions were kept, newest first.
    pub(crate) gaps: Vec<(i64, Option<i64>)>,
}

/// A version of an asset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct VersionEntry {
    pub(crate) number: i64,
    /// When it was written; None if that is not recorded.
    pub(crate) at: Option<i64>,
    /// Who wrote it, as the client named itself; None if that is not recorded.
    pub(crate) client: Option<String>,
    /// The name of the application that registered with that name of a client.
    pub(crate) application: Option<String>,
    /// What is different from the version before, in the words of the interface.
    pub(crate) changed: Vec<&'static str>,
    /// The lines that are different, where both contents are text.
    pub(crate) lines: Option<LineChanges>,
    /// How long its content is; None without any, or if it cannot be read.
    pub(crate) bytes: Option<usize>,
    pub(crate) deletion: Deletion,
    /// Why it cannot be read; None if it can.
    pub(crate) missing: Option<&'static str>,
    /// What its content looks like it holds, if that looks like a secret.
    pub(crate) secret: Option<String>,
}

/// A version with what it holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Version {
    pub(crate) asset: String,
    pub(crate) number: i64,
    /// Whether it is what the asset is now.
    pub(crate) current: bool,
    pub(crate) at: Option<i64>,
    pub(crate) state: PastState,
    /// Which of the items that it was linked to have been deleted since, by id.
    pub(crate) deleted_items: Vec<String>,
    /// None where it has none, or where content is not read.
    pub(crate) content: Option<Content>,
}

impl Unreadable {
    /// The reason in a phrase.
    fn phrase(self) -> &'static str {
        match self {
            Self::Damaged => "it is damaged, or depends on a version that is",
            Self::NotRecorded => "it was not recorded",
            Self::Forgotten => "it was forgotten",
        }
    }
}

/// The annotations that are descriptions, or the others.
fn annotations(state: &PastState, descriptions: bool) -> Vec<(&String, &PastAnnotation)> {
    state.annotations.iter().filter(|(_, one)| (one.kind == "DESCRIPTION") == descriptions).collect()
}

/// What differs between two versions, in the words of the interface.
fn differences(old: &Reading, new: &Reading) -> Vec<&'static str> {
    let mut changed = Vec::new();
    if let (Ok(old), Ok(new)) = (&old.state, &new.state) {
        let linked = |kind: &str, state: &PastState| {
            state.items.iter().filter(|(_, item)| item.kind == kind).map(|(id, _)| id.clone()).collect::<Vec<_>>()
        };
        let related = |kind: &str, state: &PastState| {
            state.related.iter().filter(|(_, one)| one.kind == kind).map(|(id, _)| id.clone()).collect::<Vec<_>>()
        };
        changed = [
            ("deleted", old.deletion != new.deletion),
            ("name", old.name != new.name),
            ("mechanism", old.mechanism != new.mechanism),
            ("favorited", old.favorited.unwrap_or_default() != new.favorited.unwrap_or_default()),
            ("classification", old.language != new.language),
            ("tags", linked("tag", old) != linked("tag", new)),
            ("websites", linked("website", old) != linked("website", new)),
            ("summaries", linked("summary", old) != linked("summary", new)),
            ("persons", related("person", old) != related("person", new)),
            ("anchors", related("anchor", old) != related("anchor", new)),
            ("hints", related("hint", old) != related("hint", new)),
            ("conversations", !old.conversations.keys().eq(new.conversations.keys())),
            ("description", annotations(old, true) != annotations(new, true)),
            ("annotations", annotations(old, false) != annotations(new, false)),
            ("fields", old.document != new.document),
        ]
        .into_iter()
        .filter_map(|(word, differs)| differs.then_some(word))
        .collect();
    }
    if let (Ok(old), Ok(new)) = (&old.content, &new.content)
        && old != new
    {
        changed.push("content");
    }
    changed
}

/// The lines that differ, where both contents are text.
fn lines(old: &Reading, new: &Reading) -> Option<LineChanges> {
    let text = |reading: &Reading| match &reading.content {
        Ok(Some(content)) if !content.binary => Some(content.bytes.clone()),
        _ => None,
    };
    line_changes(&text(old)?, &text(new)?)
}

impl VersionEntry {
    /// Marks it if its content looks like it holds a secret, as far as so many bytes more may be searched.
    fn mark_secret(&mut self, reading: &Reading, left: &mut usize) {
        let Ok(Some(content)) = &reading.content else { return };
        let Some(rest) = left.checked_sub(content.bytes.len()).filter(|_| !content.binary) else { return };
        *left = rest;
        self.secret = find_in_bytes(&content.bytes).into_iter().next().map(|found| found.what);
    }

    /// Says how it was written: by the change that replaced what the version before it was.
    fn describe(&mut self, db: &Connection, change: &Entry, old: &Reading, new: &Reading) -> Result<(), StoreError> {
        // By which of the changes that were not recorded it was written is not known.
        if !change.is_unrecorded() {
            self.at = Some(change.at);
            self.client.clone_from(&change.client);
            self.application = application(db, change.client.as_deref())?;
        }
        self.changed = differences(old, new);
        if !new.reads_content() && change.has_content() {
            self.changed.push("content");
        }
        self.lines = lines(old, new);
        Ok(())
    }

    fn of(number: i64, reading: &Reading) -> Self {
        Self {
            number,
            at: None,
            client: None,
            application: None,
            changed: Vec::new(),
            lines: None,
            bytes: reading.content.as_ref().ok().and_then(Option::as_ref).map(|content| content.bytes.len()),
            deletion: reading.state.as_ref().map(|state| state.deletion).unwrap_or_default(),
            missing: reading.state.as_ref().err().or(reading.content.as_ref().err()).map(|why| why.phrase()),
            secret: None,
        }
    }
}

/// The row of an asset, deleted or not, and when it was created.
fn asset_row(db: &Connection, id: &str) -> Result<(i64, i64), StoreError> {
    db.prepare_cached("SELECT row, created FROM asset WHERE id = ?1")?
        .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?
        .ok_or_else(|| StoreError::not_found("asset", id))
}

/// Whether all versions of an asset were recorded from its creation on.
fn recorded_from_creation(db: &Connection, asset: i64, created: i64, chain: &Chain) -> Result<bool, StoreError> {
    let unrecorded: i64 =
        db.prepare_cached("SELECT unrecorded_row FROM past_status")?.query_row([], |row| row.get(0))?;
    let first = chain.entries.last().map(|entry| entry.at);
    // What was created while none were kept may have been changed then.
    let in_gap = chain.gaps.iter().any(|gap| gap.began <= created && gap.ended.is_none_or(|ended| ended > created));
    Ok(asset > unrecorded && chain.ended.is_none() && !in_gap && !chain.has_gap_after(created, first))
}

fn list(db: &Connection, id: &str) -> Result<Versions, StoreError> {
    let (asset, created) = asset_row(db, id)?;
    let chain = entry::chain(db, asset)?;
    let from_creation = recorded_from_creation(db, asset, created, &chain)?;
    let mut entries: Vec<VersionEntry> = Vec::new();
    let compares = content_size(db, asset)? <= MAX_COMPARED;
    let mut newer = Reading::begin(db, asset, compares)?;
    let mut searched = MAX_SEARCHED;
    let mut current = VersionEntry::of(chain.current(), &newer);
    current.mark_secret(&newer, &mut searched);
    entries.push(current);
    let mut reading = Reading::begin(db, asset, compares)?;
    let mut next = None;
    for stored in &chain.entries {
        if chain.is_broken_after(stored.at, next) {
            reading.pass_gap();
        }
        reading.back(stored);
        if let Some(written) = entries.last_mut() {
            written.describe(db, stored, &reading, &newer)?;
        }
        let mut entry = VersionEntry::of(stored.version, &reading);
        match (reading.content == newer.content, entries.last()) {
            (true, Some(written)) => entry.secret.clone_from(&written.secret),
            _ => entry.mark_secret(&reading, &mut searched),
        }
        entries.push(entry);
        newer.state.clone_from(&reading.state);
        newer.content.clone_from(&reading.content);
        next = Some(stored.at);
    }
    if let Some(first) = entries.last_mut().filter(|_| from_creation) {
        first.at = Some(created);
        first.changed = vec!["created"];
    }
    // What was before is not a gap of this asset.
    let gaps = chain.gaps.iter().filter(|gap| gap.ended.is_none_or(|ended| ended > created.max(chain.ended_at)));
    let gaps = gaps.map(|gap| (gap.began, gap.ended)).collect();
    Ok(Versions { entries, from_creation, ended: chain.ended, gaps })
}

/// The name of the application that registered with this name of a client.
fn application(db: &Connection, client: Option<&str>) -> Result<Option<String>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT document ->> '$.name' FROM registration JOIN application ON application.row = registration.application
         WHERE user_agent = ?1",
    )?;
    Ok(statement.query_row([client], |row| row.get(0)).optional()?.flatten())
}

fn one(db: &Connection, id: &str, number: i64, read: Read) -> Result<Version, StoreError> {
    let (asset, created) = asset_row(db, id)?;
    // The one before says when it was made.
    let chain = entry::chain_from(db, asset, number.saturating_sub(1))?;
    let missing = |why: &str| StoreError::NoVersion { asset: id.to_owned(), number, why: why.to_owned() };
    if number < 1 || number > chain.current() || chain.ended.is_some_and(|ended| number <= ended) {
        return Err(no_version(id, number, &chain));
    }
    let at = match chain.entries.iter().find(|entry| entry.version == number - 1) {
        Some(before) => Some(before.at).filter(|_| !before.is_unrecorded()),
        None if number == 1 && recorded_from_creation(db, asset, created, &chain)? => Some(created),
        None => None,
    };
    let found = entry::read(db, asset, number, read == Read::Content, &chain)?;
    let Reading { state, content, .. } = found.ok_or_else(|| missing("it is not recorded"))?;
    let (state, content) = state.and_then(|state| Ok((state, content?))).map_err(|why| missing(why.phrase()))?;
    let current = number == chain.current();
    let deleted_items = deleted_items(db, &state)?;
    Ok(Version { asset: id.to_owned(), number, current, at, state, deleted_items, content: content.map(typed) })
}

/// Why there is no version of this number.
pub(super) fn no_version(id: &str, number: i64, chain: &Chain) -> StoreError {
    let why = match chain.ended.is_some_and(|ended| number <= ended) {
        true => "it is no longer kept".to_owned(),
        false => format!("the newest is {}", chain.current()),
    };
    StoreError::NoVersion { asset: id.to_owned(), number, why }
}

/// Which of the items of a version are not there any more, by id.
fn deleted_items(db: &Connection, state: &PastState) -> Result<Vec<String>, StoreError> {
    let mut statement = db.prepare_cached("SELECT EXISTS (SELECT 1 FROM item WHERE kind = ?1 AND id = ?2)")?;
    let mut deleted = Vec::new();
    for (id, item) in &state.items {
        if !statement.query_row([&item.kind, id], |row| row.get::<_, bool>(0))? {
            deleted.push(id.clone());
        }
    }
    Ok(deleted)
}

/// How long the content of an asset is, in bytes; of one without any, how long what is kept of its versions is.
fn content_size(db: &Connection, asset: i64) -> Result<i64, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT coalesce((SELECT size FROM format WHERE asset = ?1 AND place = 0),
           (SELECT max(length(pieces)) FROM past WHERE asset = ?1), 0)",
    )?;
    Ok(statement.query_row([asset], |row| row.get(0))?)
}

/// Content as the rest of the store has it. Text that is none is bytes.
fn typed(content: PastContent) -> Content {
    match content.binary {
        true => Content::Bytes(content.bytes),
        false => {
            String::from_utf8(content.bytes).map_or_else(|error| Content::Bytes(error.into_bytes()), Content::Text)
        }
    }
}

impl Store {
    /// About how many bytes it takes to read the versions of an asset back.
    pub(crate) fn past_content_size(&self, id: &str) -> Result<u64, StoreError> {
        self.read(|db| {
            let (asset, _) = asset_row(db, id)?;
            Ok(u64::try_from(content_size(db, asset)?).unwrap_or_default().saturating_mul(3))
        })
    }

    /// The versions of an asset, deleted or not, the newest first.
    pub(crate) fn versions_of(&self, id: &str) -> Result<Versions, StoreError> {
        self.read(|db| list(db, id))
    }

    /// One version of an asset, deleted or not. Fails with [`StoreError::NoVersion`] where it is not kept, was not recorded,
    /// or is damaged.
    pub(crate) fn version_of(&self, id: &str, number: i64, read: Read) -> Result<Version, StoreError> {
        self.read(|db| one(db, id, number, read))
    }
}
