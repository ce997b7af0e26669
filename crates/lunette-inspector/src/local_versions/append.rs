//! Adds what was seen to the stored versions.
//!
//! What must hold: a state that is known already adds nothing; each version that is stored can be read back from the
//! ones after it; what was not read is not taken from another version, unless only this program changed something else.

use std::sync::Arc;

use lunette_versions::{WHOLE_EVERY, decode, encode};

use super::facts::{ContentState, Facts, Who};
use super::sighting::{Seen, SeenContent};
use super::state::State;
use crate::db::versions::{RowResult, StoredAsset, StoredVersion, VersionRows};

/// Our choice: larger contents are not kept, in bytes. What a page reads of itself is at most 4 MB.
pub(super) const MAX_CONTENT: usize = 16 << 20;

/// The longest record that is read back, in bytes.
pub(super) const MAX_RECORD: usize = 64 << 20;

/// The fingerprint of an asset that is gone, which no record has.
pub(super) const DELETED: i64 = 0;

/// Something that was seen of an asset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Incoming<'a> {
    pub asset: &'a str,
    pub at: i64,
    pub who: Who,
    /// Whether this program created it with what was seen.
    pub created: bool,
    pub seen: &'a Seen,
}

/// What an asset was, with its content where that is known.
struct Before {
    facts: Facts,
    /// None if it is damaged.
    state: Option<State>,
    content: Option<Vec<u8>>,
}

impl Before {
    fn of(stored: &StoredVersion) -> Self {
        let facts = Facts::from_number(stored.facts);
        let state = decode(&stored.record, None, MAX_RECORD).ok().and_then(|text| State::read(&text));
        let content = decode(&stored.content, None, MAX_CONTENT).ok().filter(|_| facts.content != ContentState::Unread);
        Self { facts, state, content }
    }
}

/// What is stored of an asset after something was seen of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Appended {
    /// The fingerprint of the newest record.
    pub print: i64,
    /// The number of the newest version.
    pub number: i64,
    /// Whether that version was added.
    pub added: bool,
}

/// Stores what was seen. Returns what is stored then; None if nothing is known of the asset.
pub(super) fn append(rows: &VersionRows<'_>, incoming: Incoming<'_>) -> RowResult<Option<Appended>> {
    match rows.asset(incoming.asset)? {
        Some(stored) => append_to(rows, &stored, incoming).map(Some),
        None => begin(rows, incoming),
    }
}

/// Stores the first version of an asset.
fn begin(rows: &VersionRows<'_>, incoming: Incoming<'_>) -> RowResult<Option<Appended>> {
    let Seen::Record { told, extent, content } = incoming.seen else { return Ok(None) };
    let state = State::default().told(told, *extent);
    let content = content.as_ref().filter(|content| content.bytes.len() <= MAX_CONTENT);
    let facts = Facts {
        who: incoming.who,
        created: incoming.created,
        deleted: false,
        content: if content.is_some() { ContentState::Read } else { ContentState::Unread },
        is_text: content.is_none_or(|content| content.is_text),
        forgotten: false,
    };
    let content = content.map(|content| encode(&content.bytes, None)).unwrap_or_default();
    let record = encode(&state.text(), None);
    let newest = StoredVersion { number: 1, at: incoming.at, facts: facts.number(), record, content };
    rows.put_asset(None, incoming.asset, state.print(), &newest)?;
    Ok(Some(Appended { print: state.print(), number: 1, added: true }))
}

fn append_to(rows: &VersionRows<'_>, stored: &StoredAsset, incoming: Incoming<'_>) -> RowResult<Appended> {
    let before = Before::of(&stored.newest);
    let known = before.state.clone().unwrap_or_default();
    let (after, deleted, seen_content) = match incoming.seen {
        Seen::Record { told, extent, content } => (known.told(told, *extent), false, content.as_ref()),
        Seen::Linked(item, is_linked) => (known.linked(item, *is_linked), before.facts.deleted, None),
        Seen::Deleted => (known.clone(), true, None),
    };
    let seen_content = seen_content.filter(|content| content.bytes.len() <= MAX_CONTENT);
    let other_record = before.state.as_ref() != Some(&after) || deleted != before.facts.deleted;
    let other_content = matches!((&before.content, seen_content), (Some(was), Some(is)) if was[..] != is.bytes[..]);
    let print = if deleted { DELETED } else { after.print() };
    let same = deleted == before.facts.deleted && !other_content;
    if same && stored.newest.number == 1 && after.completes(&known) {
        return complete_first(rows, stored, (&before, &after), seen_content);
    }
    if !other_record && !other_content {
        if let (None, Some(content)) = (&before.content, seen_content) {
            fill_in(rows, stored, before.facts, content)?;
        }
        return Ok(Appended { print, number: stored.newest.number, added: false });
    }
    // A link, or a change that this program made to the record alone, leaves the content as it was.
    let carries = matches!(incoming.seen, Seen::Linked(..) | Seen::Deleted) || incoming.who == Who::Us;
    let (content, state) = content_after(seen_content, before.content.as_deref().filter(|_| carries));
    let is_text = seen_content.map_or(before.facts.is_text, |content| content.is_text);
    let facts = Facts { who: incoming.who, created: false, deleted, content: state, is_text, forgotten: false };
    let record = after.text();
    rows.put_past(stored.id, &as_past(&stored.newest, &before, &record, content.as_deref()))?;
    let newest = StoredVersion {
        number: stored.newest.number + 1,
        at: incoming.at.max(stored.newest.at + 1),
        facts: facts.number(),
        record: encode(&record, None),
        content: content.map(|content| encode(&content, None)).unwrap_or_default(),
    };
    rows.put_asset(Some(stored.id), incoming.asset, print, &newest)?;
    Ok(Appended { print, number: newest.number, added: true })
}

/// The newest version as the one before another.
fn as_past(newest: &StoredVersion, before: &Before, next: &[u8], next_content: Option<&[u8]>) -> StoredVersion {
    let whole = newest.number % WHOLE_EVERY as i64 == 0;
    let record = match &before.state {
        Some(state) if !whole && state.text() == next => Vec::new(),
        Some(state) => encode(&state.text(), Some(next).filter(|_| !whole)),
        // What is damaged stays so.
        None => newest.record.clone(),
    };
    let content = match &before.content {
        Some(content) => encode(content, next_content.filter(|_| !whole)),
        None => Vec::new(),
    };
    StoredVersion { record, content, ..newest.clone() }
}

/// The content of a version: what was seen, or what the version before had.
fn content_after(seen: Option<&SeenContent>, carried: Option<&[u8]>) -> (Option<Arc<[u8]>>, ContentState) {
    match (seen, carried) {
        (Some(content), _) => (Some(Arc::clone(&content.bytes)), ContentState::Read),
        (None, Some(carried)) => (Some(Arc::from(carried)), ContentState::Carried),
        (None, None) => (None, ContentState::Unread),
    }
}

/// Adds to the first version what its record did not tell: that of a list tells less than the asset's own.
fn complete_first(
    rows: &VersionRows<'_>,
    stored: &StoredAsset,
    (before, after): (&Before, &State),
    content: Option<&SeenContent>,
) -> RowResult<Appended> {
    let print = if before.facts.deleted { DELETED } else { after.print() };
    let newest = StoredVersion { record: encode(&after.text(), None), ..stored.newest.clone() };
    rows.put_asset(Some(stored.id), &stored.asset, print, &newest)?;
    if let (None, Some(content)) = (&before.content, content) {
        fill_in(rows, &StoredAsset { newest, ..stored.clone() }, before.facts, content)?;
    }
    Ok(Appended { print, number: 1, added: false })
}

/// Adds the content of the newest version, which had not been read, and stores the one before as its difference from
/// it.
fn fill_in(rows: &VersionRows<'_>, stored: &StoredAsset, facts: Facts, content: &SeenContent) -> RowResult<()> {
    let facts = Facts { content: ContentState::Read, is_text: content.is_text, ..facts };
    let newest =
        StoredVersion { facts: facts.number(), content: encode(&content.bytes, None), ..stored.newest.clone() };
    let earlier = rows.past(stored.id)?.into_iter().find(|version| !version.content.is_empty());
    if let Some(earlier) = earlier.filter(|earlier| earlier.number % WHOLE_EVERY as i64 != 0)
        && let Ok(was) = decode(&earlier.content, None, MAX_CONTENT)
    {
        rows.put_past(stored.id, &StoredVersion { content: encode(&was, Some(&content.bytes)), ..earlier })?;
    }
    let print = decode(&newest.record, None, MAX_RECORD).ok().and_then(|text| State::read(&text));
    let print = print.map(|state| state.print()).unwrap_or_default();
    rows.put_asset(Some(stored.id), &stored.asset, print, &newest).map(drop)
}
