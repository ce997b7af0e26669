//! Reads versions back, in the records in which a service of this program gives its own.
//!
//! What must hold: what was not seen is said to be not seen; nothing is said of a version that is damaged but that it
//! is.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::record::Record as _;
use lunette_client::model::version::{AssetVersions, PastAsset, PastAssets, PastContent};
use lunette_secrets::find_in_bytes;
use lunette_versions::{LineChanges, decode, line_changes};
use serde_json::{Map, Value, json};

use super::append::{MAX_CONTENT, MAX_RECORD};
use super::facts::{ContentState, Facts, Who};
use super::state::State;
use super::{LocalVersions, VersionError};
use crate::db::versions::{RowResult, StoredAsset, StoredVersion, VersionRows};
use crate::settings::VersionBounds;

/// Contents of which one is larger are not compared line by line in a list, in bytes.
const MAX_COMPARED: usize = 1 << 20;

/// How much of all versions of an asset is searched for secrets in a list, the newest first, in bytes.
const MAX_SEARCHED: usize = 8 << 20;

/// Why a version cannot be read.
const DAMAGED: &str = "it is damaged, or depends on a version that is";
const FORGOTTEN: &str = "it was forgotten";

/// A version that was read back.
#[derive(Clone, Debug)]
pub(super) struct Version {
    pub number: i64,
    pub at: i64,
    pub facts: Facts,
    /// None if it is damaged.
    pub state: Option<State>,
    /// None if it was not read, or is damaged.
    pub content: Option<Vec<u8>>,
}

/// A version with its content, as far as that is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// What it was.
    pub record: PastAsset,
    /// Its content; None if it was not read while the asset was so.
    pub content: Option<PastContent>,
    /// The fields of the record of which it is not known what they were. They are there as if they were empty.
    pub unknown: Vec<&'static str>,
}

/// Reads all versions of an asset, the newest first.
pub(super) fn chain(rows: &VersionRows<'_>, stored: StoredAsset) -> RowResult<Vec<Version>> {
    let past = rows.past(stored.id)?;
    let (mut record, mut content, mut number) = (None, None, stored.newest.number + 1);
    let mut versions = Vec::with_capacity(past.len() + 1);
    for stored in std::iter::once(stored.newest).chain(past) {
        // A row that is missing breaks what hangs on it.
        if stored.number != number - 1 {
            (record, content) = (None, None);
        }
        number = stored.number;
        let version = version(stored, &mut record, &mut content);
        versions.push(version);
    }
    Ok(versions)
}

/// Reads a version; `record` and `content` are those of the next, and become its own.
fn version(stored: StoredVersion, record: &mut Option<Vec<u8>>, content: &mut Option<Vec<u8>>) -> Version {
    let facts = Facts::from_number(stored.facts);
    if facts.forgotten {
        // What is before it does not hang on it.
        return Version { number: stored.number, at: stored.at, facts, state: None, content: None };
    }
    if !stored.record.is_empty() {
        *record = decode(&stored.record, record.as_deref(), MAX_RECORD).ok();
    }
    let own = match facts.content {
        ContentState::Unread => None,
        ContentState::Read | ContentState::Carried => {
            *content = decode(&stored.content, content.as_deref(), MAX_CONTENT).ok();
            content.clone()
        }
    };
    let state = record.as_deref().and_then(State::read);
    Version { number: stored.number, at: stored.at, facts, state, content: own }
}

impl LocalVersions {
    /// The versions of an asset, the newest first; none if it was never seen. Blocks.
    pub fn of_asset(&self, asset: &AssetId) -> Result<AssetVersions, VersionError> {
        let (versions, watches) = self.database.read_versions(&self.connection, |rows| {
            let stored = rows.asset(asset.as_str())?;
            let versions = stored.map(|stored| chain(rows, stored)).transpose()?.unwrap_or_default();
            Ok((versions, rows.watches()?))
        })?;
        let VersionBounds { days, versions: most, bytes } = self.bounds;
        let mut tree = json!({
            "asset": asset.as_str(),
            "iterable": entries(&versions),
            "from_creation": versions.last().is_some_and(|first| first.number == 1 && first.facts.created),
            "kept": { "days": days, "versions": most, "bytes": bytes },
        });
        if let Some(ended) = versions.last().map(|first| first.number - 1).filter(|ended| *ended > 0) {
            tree["ended"] = ended.into();
        }
        let gaps = gaps(&versions, &watches, Timestamp::now().as_microsecond());
        if !gaps.is_empty() {
            tree["gaps"] = Value::Array(gaps);
        }
        AssetVersions::from_tree(tree).map_err(|error| VersionError::Damaged(error.to_string()))
    }

    /// A version of an asset. Fails if it is not kept, or is damaged. Blocks.
    pub fn version(&self, asset: &AssetId, number: &VersionNumber) -> Result<PastAsset, VersionError> {
        let (version, newest) = self.read(asset, number)?;
        record_of(asset, &version, newest)
    }

    /// A version with its content, where that was read. Fails if the version is not kept, or is damaged. Blocks.
    pub fn known(&self, asset: &AssetId, number: &VersionNumber) -> Result<Known, VersionError> {
        let (version, newest) = self.read(asset, number)?;
        let record = record_of(asset, &version, newest)?;
        let tells = |field: &str| version.state.as_ref().is_some_and(|state| state.tells(field));
        let unknown = FIELDS.into_iter().filter(|field| !tells(field)).collect();
        let content = match version.facts.content {
            ContentState::Unread => None,
            ContentState::Read | ContentState::Carried => Some(content_of(asset, version)?),
        };
        Ok(Known { record, content, unknown })
    }

    /// The content of a version. Fails if it was not read then, is not kept, or is damaged. Blocks.
    pub fn content(&self, asset: &AssetId, number: &VersionNumber) -> Result<PastContent, VersionError> {
        let (version, _) = self.read(asset, number)?;
        if version.facts.content == ContentState::Unread {
            return Err(VersionError::NotRead(version.number));
        }
        content_of(asset, version)
    }

    /// The version with this number, and the number of the newest.
    fn read(&self, asset: &AssetId, number: &VersionNumber) -> Result<(Version, i64), VersionError> {
        let versions = self.database.read_versions(&self.connection, |rows| {
            let stored = rows.asset(asset.as_str())?;
            stored.map(|stored| chain(rows, stored)).transpose()
        })?;
        let versions = versions.unwrap_or_default();
        let newest = versions.first().map(|newest| newest.number).unwrap_or_default();
        let number = i64::from(number.number());
        let found = versions.into_iter().find(|version| version.number == number);
        match found.ok_or(VersionError::NotKept(number))? {
            Version { facts: Facts { forgotten: true, .. }, .. } => Err(VersionError::Forgotten(number)),
            version => Ok((version, newest)),
        }
    }

    /// The assets as they were at a time, in microseconds. Blocks.
    pub fn assets_then(&self, at: i64) -> Result<PastAssets, VersionError> {
        let moment = Timestamp::from_microsecond(at).unwrap_or(Timestamp::UNIX_EPOCH).to_string();
        let then = self.database.read_versions(&self.connection, |rows| {
            let mut known = Vec::new();
            rows.each_asset(|asset| known.push(asset))?;
            let watches = rows.watches()?;
            let mut then = Vec::new();
            for asset in known {
                let (id, newest) = (asset.asset.clone(), asset.newest.at);
                let versions = match newest <= at {
                    true => vec![version(asset.newest, &mut None, &mut None)],
                    false => chain(rows, asset)?,
                };
                let watched = |from: i64| watches.iter().any(|(began, ended)| *began <= from && at <= *ended);
                then.extend(row_then(&id, &versions, at, &moment, watched));
            }
            Ok(then)
        })?;
        let tree = json!({ "at": stamp(at), "iterable": then });
        PastAssets::from_tree(tree).map_err(|error| VersionError::Damaged(error.to_string()))
    }
}

/// The fields of a version that a record may not tell.
const FIELDS: [&str; 8] = ["name", "favorited", "generic", "specific", "tags", "websites", "summaries", "annotations"];

/// A version as its record.
fn record_of(asset: &AssetId, version: &Version, newest: i64) -> Result<PastAsset, VersionError> {
    let state = version.state.as_ref().ok_or(VersionError::Unreadable(version.number))?;
    let mut tree = state.tree();
    tree.insert("asset".to_owned(), asset.as_str().into());
    tree.insert("version".to_owned(), version.number.into());
    tree.insert("current".to_owned(), (version.number == newest).into());
    tree.insert("at".to_owned(), stamp(version.at));
    if version.facts.deleted {
        tree.insert("deleted".to_owned(), "purged".into());
    }
    PastAsset::from_tree(Value::Object(tree)).map_err(|error| VersionError::Damaged(error.to_string()))
}

/// The content of a version that has one.
fn content_of(asset: &AssetId, version: Version) -> Result<PastContent, VersionError> {
    let content = version.content.ok_or(VersionError::Unreadable(version.number))?;
    let mut tree = json!({ "asset": asset.as_str(), "version": version.number, "size": content.len(), "offset": 0 });
    match String::from_utf8(content) {
        Ok(text) if version.facts.is_text => tree["text"] = text.into(),
        Ok(text) => tree["base64"] = STANDARD.encode(text).into(),
        Err(bytes) => tree["base64"] = STANDARD.encode(bytes.as_bytes()).into(),
    }
    PastContent::from_tree(tree).map_err(|error| VersionError::Damaged(error.to_string()))
}

/// What an asset was at a time; None if it was not there.
fn row_then(id: &str, versions: &[Version], at: i64, moment: &str, watched: impl Fn(i64) -> bool) -> Option<Value> {
    let then = versions.iter().find(|version| version.at <= at);
    let version = then.or(versions.last())?;
    let state = version.state.as_ref();
    // What is later seen for the first time may have been there.
    let is_new = || version.facts.created || state.is_some_and(|state| state.created() > moment);
    let is_later = then.is_none() && is_new();
    if version.facts.deleted || is_later {
        return None;
    }
    // What cannot be read is not known.
    let is_recorded = state.is_some() && then.is_some_and(|then| watched(then.at));
    let mut row = json!({ "id": id, "version": version.number, "recorded": is_recorded, "updated": stamp(version.at) });
    let told = |of: fn(&State) -> Option<&str>| state.and_then(of);
    for (field, value) in [("name", told(State::name)), ("specific", told(State::specific))] {
        if let Some(value) = value {
            row[field] = value.into();
        }
    }
    Some(row)
}

/// The entries of a list of versions, the newest first.
fn entries(versions: &[Version]) -> Vec<Value> {
    let mut searched = MAX_SEARCHED;
    let entry = |(index, version): (usize, &Version)| {
        let earlier = versions.get(index + 1);
        let mut entry = json!({ "version": version.number, "current": index == 0, "at": stamp(version.at) });
        let mut changed: Vec<&str> = Vec::new();
        match (version.facts.created, earlier.and_then(|earlier| earlier.state.as_ref()), &version.state) {
            (true, ..) => changed.push("created"),
            (false, None, _) if earlier.is_none() => changed.push("seen for the first time"),
            (false, Some(before), Some(now)) => changed.extend(now.differences(before)),
            _ => {}
        }
        if earlier.is_some_and(|earlier| earlier.facts.deleted != version.facts.deleted) {
            changed.push("deleted");
        }
        // The last content that was read before: a version in between may not have been read.
        let before = versions[index + 1..].iter().find_map(|earlier| earlier.content.as_deref());
        if let (Some(before), Some(now)) = (before, &version.content)
            && before != now
        {
            changed.push("content");
            set_lines(&mut entry, lines(before, now));
        }
        entry["changed"] = changed.into();
        if let Some(content) = &version.content {
            entry["bytes"] = content.len().into();
        }
        if let Some(client) = client(version.facts.who) {
            entry["client"] = client.into();
        }
        if version.facts.deleted {
            entry["deleted"] = "purged".into();
        }
        if version.state.is_none() {
            entry["missing"] = if version.facts.forgotten { FORGOTTEN } else { DAMAGED }.into();
        }
        if let Some(secret) = secret(version, &mut searched) {
            entry["secret"] = secret.into();
        }
        entry
    };
    versions.iter().enumerate().map(entry).collect()
}

/// What the text of a version looks like it holds, if that looks like a secret and so many bytes more may be searched.
fn secret(version: &Version, left: &mut usize) -> Option<String> {
    let content = version.content.as_ref().filter(|_| version.facts.is_text)?;
    *left = left.checked_sub(content.len())?;
    find_in_bytes(content).into_iter().next().map(|found| found.what)
}

/// How who made a version is named; None if it is not known.
fn client(who: Who) -> Option<&'static str> {
    match who {
        Who::Us => Some(US),
        Who::Other => Some("another client"),
        Who::Unknown => None,
    }
}

/// How this program names itself as a client.
pub(super) const US: &str = concat!("lunette/", env!("CARGO_PKG_VERSION"));

fn lines(before: &[u8], now: &[u8]) -> Option<LineChanges> {
    if before.len().max(now.len()) > MAX_COMPARED { None } else { line_changes(before, now) }
}

fn set_lines(entry: &mut Value, lines: Option<LineChanges>) {
    if let Some(LineChanges { added, removed, first }) = lines {
        entry["added"] = added.into();
        entry["removed"] = removed.into();
        entry["first_line"] = first.into();
    }
}

/// The times since the first version in which nobody watched, the newest first: those between two versions as one, with
/// how often watching was interrupted.
fn gaps(versions: &[Version], watches: &[(i64, i64)], now: i64) -> Vec<Value> {
    let Some(first) = versions.last() else { return Vec::new() };
    let mut ends: Vec<i64> = versions.iter().rev().skip(1).map(|version| version.at).collect();
    ends.push(now);
    let mut from = first.at;
    let mut gaps = Vec::new();
    for until in ends {
        let unwatched = unwatched(from, until, watches);
        if let (Some((began, _)), Some((_, ended))) = (unwatched.first(), unwatched.last()) {
            let mut gap = Map::new();
            gap.insert("from".to_owned(), stamp(*began));
            gap.insert("to".to_owned(), if *ended == now { Value::Null } else { stamp(*ended) });
            gap.insert("times".to_owned(), unwatched.len().into());
            gaps.push(Value::Object(gap));
        }
        from = until;
    }
    gaps.reverse();
    gaps
}

/// The parts of a time that are in none of these, which are sorted by their beginnings.
fn unwatched(from: i64, until: i64, watches: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let (mut at, mut parts) = (from, Vec::new());
    for (began, ended) in watches {
        if *began > at && at < until {
            parts.push((at, (*began).min(until)));
        }
        at = at.max(*ended);
    }
    if at < until {
        parts.push((at, until));
    }
    parts
}

/// A time as the interface writes it.
pub(super) fn stamp(microseconds: i64) -> Value {
    let at = Timestamp::from_microsecond(microseconds).unwrap_or(Timestamp::UNIX_EPOCH);
    json!({ "value": at.to_string(), "readable": at.strftime("%Y-%m-%d %H:%M UTC").to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_watch_covers_is_a_gap() {
        let watches = [(10, 20), (15, 30), (40, 50)];
        assert_eq!(unwatched(0, 60, &watches), [(0, 10), (30, 40), (50, 60)]);
        assert_eq!(unwatched(12, 28, &watches), []);
        assert_eq!(unwatched(12, 35, &watches), [(30, 35)]);
        assert_eq!(unwatched(3, 5, &watches), [(3, 5)]);
        assert_eq!(unwatched(3, 5, &[]), [(3, 5)]);
    }
}
