//! Activities reported by clients: created, changed and deleted, with the score of their asset kept correct.

use std::borrow::Cow;

use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::Value;

use super::read::{WholeActivity, one};
use super::score;
use crate::store::records::{asset, format};
use crate::store::{Store, StoreError, new_id, now};

/// A new activity.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NewActivity {
    /// The name of the event; empty where it has none.
    pub(crate) event: String,
    /// The event as reported, as JSON.
    pub(crate) event_json: String,
    /// What it adds to the score of its asset.
    pub(crate) rank: i64,
    pub(crate) mechanism: String,
    /// The record of the application, as JSON.
    pub(crate) application: String,
    /// The asset it happened to, which must exist.
    pub(crate) asset: Option<String>,
    /// The asset that the event names, which may have been deleted.
    pub(crate) named: Option<String>,
    pub(crate) format: Option<String>,
    /// A JSON object: the fields that have no column.
    pub(crate) document: String,
}

/// An update of an activity; None keeps the stored value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ActivityChange {
    /// Name, record and rank of the event.
    pub(crate) event: Option<(String, String, i64)>,
    pub(crate) mechanism: Option<String>,
    pub(crate) document: Option<String>,
}

/// An activity of an asset that comes from an archive.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ArchivedActivity {
    /// What it is; its rank is the one that it had.
    pub(crate) new: NewActivity,
    /// When it happened, in microseconds; None for now.
    pub(crate) created: Option<i64>,
}

/// Replaces the activities of an asset by those that it had as `previous_id`, and its scores by the sums of their ranks.
pub(in crate::store) fn replace_all(
    db: &Connection,
    (asset, id): (i64, &str),
    previous_id: &str,
    activities: &[ArchivedActivity],
) -> Result<(), StoreError> {
    db.prepare_cached("DELETE FROM activity WHERE asset = ?1")?.execute([asset])?;
    db.prepare_cached("UPDATE asset SET score_manual = 0, score_automatic = 0 WHERE row = ?1")?.execute([asset])?;
    let now = now();
    for ArchivedActivity { new, created } in activities {
        let event_json = with_id(&new.event_json, previous_id, id);
        insert(db, Some(asset), new, &event_json, created.unwrap_or(now).min(now))?;
    }
    Ok(())
}

/// An event as JSON, with an id in place of another. Any text may come as the id of an archived asset, so values and names
/// are compared whole.
fn with_id<'a>(event_json: &'a str, before: &str, after: &str) -> Cow<'a, str> {
    fn replace(value: Value, before: &str, after: &str) -> Value {
        let named = |name: String| if name == before { after.to_owned() } else { name };
        match value {
            Value::String(text) => Value::String(named(text)),
            Value::Array(list) => list.into_iter().map(|value| replace(value, before, after)).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(name, value)| (named(name), replace(value, before, after))).collect()
            }
            other => other,
        }
    }
    match serde_json::from_str(event_json) {
        Ok(event) if !before.is_empty() => Cow::Owned(replace(event, before, after).to_string()),
        _ => Cow::Borrowed(event_json),
    }
}

/// Inserts an activity that happened at a time, and adds its rank to the score of its asset, if that is stored; returns
/// its id.
pub(in crate::store) fn insert_at(db: &Connection, new: &NewActivity, created: i64) -> Result<String, StoreError> {
    let asset = new.asset.as_ref().or(new.named.as_ref()).map(|id| present(db, id)).transpose()?.flatten();
    insert(db, asset, new, &new.event_json, created)
}

/// Inserts an activity, and adds its rank to the score of its asset; returns its id.
fn insert(
    db: &Connection,
    asset: Option<i64>,
    new: &NewActivity,
    event_json: &str,
    created: i64,
) -> Result<String, StoreError> {
    let (id, origin) = (new_id(), format::origin(db, &new.application)?);
    db.prepare_cached(
        "INSERT INTO activity (id, asset, format, created, updated, event, told, mechanism, rank, origin, document)
         VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        id,
        asset,
        new.format,
        created,
        new.event,
        event_json,
        new.mechanism,
        new.rank,
        origin,
        new.document
    ])?;
    score(db, asset, &new.mechanism, new.rank)?;
    Ok(id)
}

impl Store {
    /// Stores an activity, and adds its rank to the score of its asset. Fails if its asset does not exist.
    pub(crate) fn make_activity(&self, new: NewActivity) -> Result<WholeActivity, StoreError> {
        self.write(move |db| {
            let asset = match (&new.asset, &new.named) {
                (Some(id), _) => Some(asset::row_of(db, id)?),
                (None, Some(id)) => present(db, id)?,
                (None, None) => None,
            };
            let id = insert(db, asset, &new, &new.event_json, now())?;
            one(db, &id)
        })
    }

    /// Changes an activity as `decide` says, given its current state. Its asset never changes.
    pub(crate) fn update_activity(
        &self,
        id: &str,
        decide: impl FnOnce(&WholeActivity) -> Result<ActivityChange, StoreError> + Send + 'static,
    ) -> Result<WholeActivity, StoreError> {
        let id = id.to_owned();
        self.write(move |db| {
            let before = one(db, &id)?;
            let ActivityChange { event, mechanism, document } = decide(&before)?;
            let before = before.activity;
            let (event, event_json, rank) = match event {
                Some((event, event_json, rank)) => (event, Some(event_json), rank),
                None => (before.event.clone(), before.event_json.clone(), before.rank),
            };
            let mechanism = mechanism.unwrap_or_else(|| before.mechanism.clone());
            let document = document.unwrap_or_else(|| before.document.clone());
            let same =
                (&event_json, &mechanism, &document) == (&before.event_json, &before.mechanism, &before.document);
            if !same {
                db.prepare_cached(
                    "UPDATE activity SET event = ?2, told = ?3, rank = ?4, mechanism = ?5, document = ?6,
                     updated = max(?7, updated + 1) WHERE row = ?1",
                )?
                .execute(params![before.row, event, event_json, rank, mechanism, document, now()])?;
                let asset = before.asset.as_ref().map(|(row, _)| *row);
                score(db, asset, &before.mechanism, -before.rank)?;
                score(db, asset, &mechanism, rank)?;
            }
            one(db, &id)
        })
    }

    /// Deletes an activity, and subtracts its rank from the score of its asset.
    pub(crate) fn delete_activity(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.write_freeing(move |db| {
            let before = one(db, &id)?.activity;
            db.prepare_cached("DELETE FROM activity WHERE row = ?1")?.execute([before.row])?;
            score(db, before.asset.map(|(row, _)| row), &before.mechanism, -before.rank)
        })
    }
}

/// The row of an asset, if it exists.
fn present(db: &Connection, id: &str) -> Result<Option<i64>, StoreError> {
    Ok(db
        .prepare_cached("SELECT row FROM asset WHERE id = ?1 AND deleted IS NULL")?
        .query_row([id], |row| row.get(0))
        .optional()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_stays_json_whatever_the_id_was() {
        let event = r#"{"asset":{"id":"old"},"text":"old and \"old\"","empty":"","old":1}"#;
        assert_eq!(
            with_id(event, "old", "new"),
            event.replace(":\"old\"", ":\"new\"").replace("\"old\":1", "\"new\":1")
        );
        for before in ["", ":", ",", "{", "\":\"", "none"] {
            assert_eq!(with_id(event, before, "new"), event, "{before}");
        }
    }
}
