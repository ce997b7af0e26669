//! Reads activities one by one, since a store may hold many.

use std::ops::ControlFlow;

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params};

use crate::store::records::asset::{self, AssetRow, Transfer};
use crate::store::records::format::{self, FormatRow};
use crate::store::{Store, StoreError, checksum, checksum::summed, each_text};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ActivityRow {
    pub(super) row: i64,
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    /// The name of the event; empty where it has none.
    pub(crate) event: String,
    /// The event as reported, as JSON; None for an event of the asset with only a name and `metadata`.
    pub(crate) event_json: Option<String>,
    pub(crate) mechanism: String,
    pub(crate) rank: i64,
    /// The record of the application, as JSON.
    pub(crate) application: String,
    pub(crate) metadata: Option<String>,
    /// A JSON object: the fields that have no column.
    pub(crate) document: String,
    /// The row and id of the asset it happened to, which may have been deleted since.
    pub(crate) asset: Option<(i64, String)>,
    format: Option<String>,
}

/// An activity with what its record includes.
pub(crate) struct WholeActivity {
    pub(crate) activity: ActivityRow,
    /// The asset, if it still exists, and the ids of its formats.
    pub(crate) asset: Option<(AssetRow, Vec<String>)>,
    /// The format, if it still exists, and the id of its asset.
    pub(crate) format: Option<(FormatRow, String)>,
}

/// Which activities are read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope<'a> {
    /// All; those of pseudo assets only on request.
    All { pseudo: bool },
    /// Those of one asset.
    Asset(&'a str),
    /// One.
    One(&'a str),
}

macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT asset.row, asset.id, asset.name, asset.mechanism, asset.created, asset.updated, asset.favorited,
             asset.score_manual, asset.score_automatic, asset.score_priority, asset.score_reuse, asset.score_update,
             asset.score_reference, asset.score_searched, asset.document, ",
            summed!(asset),
            ", asset.deleted, activity.row, activity.id, activity.created, activity.updated, event, told,
             activity.mechanism, rank, origin.document, metadata, activity.document, activity.format
             FROM activity JOIN origin ON origin.row = activity.origin LEFT JOIN asset ON asset.row = activity.asset
             WHERE ",
            $condition,
            " ORDER BY activity.row"
        )
    };
}

impl Scope<'_> {
    fn statement(self) -> &'static str {
        match self {
            Self::All { pseudo: true } => select!("?1 IS NULL"),
            Self::All { pseudo: false } => select!("?1 IS NULL AND coalesce(asset.pseudo, 0) = 0"),
            Self::Asset(_) => select!("activity.asset = ?1"),
            Self::One(_) => select!("activity.id = ?1"),
        }
    }
}

fn activity(row: &Row) -> Result<(ActivityRow, Option<AssetRow>), StoreError> {
    let named: Option<i64> = row.get(0)?;
    let present = named.is_some() && row.get::<_, Option<i64>>(16)?.is_none();
    let activity = ActivityRow {
        row: row.get(17)?,
        id: row.get(18)?,
        created: row.get(19)?,
        updated: row.get(20)?,
        event: row.get(21)?,
        event_json: row.get(22)?,
        mechanism: row.get(23)?,
        rank: row.get(24)?,
        application: row.get(25)?,
        metadata: row.get(26)?,
        document: row.get(27)?,
        format: row.get(28)?,
        asset: named.map(|asset| Ok::<_, rusqlite::Error>((asset, row.get(1)?))).transpose()?,
    };
    // An activity of a damaged asset is treated as one of a deleted asset.
    let asset = if present { checksum::skip_if_damaged(AssetRow::of(row)) } else { Ok(None) };
    Ok((activity, asset?))
}

/// Calls `each` with the activities of a scope, oldest first, until it has enough. Never reads content of formats.
pub(super) fn each(
    db: &Connection,
    scope: Scope,
    mut each: impl FnMut(WholeActivity) -> ControlFlow<()>,
) -> Result<(), StoreError> {
    let of = match scope {
        Scope::All { .. } => Value::Null,
        Scope::Asset(id) => Value::Integer(asset::row_of(db, id)?),
        Scope::One(id) => Value::Text(id.to_owned()),
    };
    let mut formats = db.prepare_cached("SELECT id FROM format WHERE asset = ?1 ORDER BY place")?;
    let mut statement = db.prepare_cached(scope.statement())?;
    let mut rows = statement.query([of])?;
    while let Some(row) = rows.next()? {
        let (activity, asset) = activity(row)?;
        let asset = match asset {
            Some(asset) => {
                let ids = formats.query_map([asset.row], |row| row.get(0))?.collect::<Result<_, _>>()?;
                Some((asset, ids))
            }
            None => None,
        };
        let format = match activity.format.as_deref() {
            // A damaged format is treated as one that is gone.
            Some(id) => checksum::skip_if_damaged(format::find(db, id, Transfer::Withheld))?
                .flatten()
                .map(|found| (found.format, found.asset_id)),
            None => None,
        };
        if each(WholeActivity { activity, asset, format }).is_break() {
            break;
        }
    }
    Ok(())
}

/// One activity. Fails with [`StoreError::NotFound`].
pub(super) fn one(db: &Connection, id: &str) -> Result<WholeActivity, StoreError> {
    let mut found = None;
    each(db, Scope::One(id), |activity| {
        found = Some(activity);
        ControlFlow::Break(())
    })?;
    found.ok_or_else(|| StoreError::not_found("activity", id))
}

impl Store {
    /// Calls `each` with the activities of a scope, oldest first, until it has enough. Fails if the asset of the scope
    /// does not exist.
    pub(crate) fn each_activity(
        &self,
        scope: Scope,
        each: impl FnMut(WholeActivity) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.read(|db| self::each(db, scope, each))
    }

    /// One activity. Fails with [`StoreError::NotFound`].
    pub(crate) fn activity(&self, id: &str) -> Result<WholeActivity, StoreError> {
        self.read(|db| one(db, id))
    }

    /// Calls `each` with the ids of activities, newest first, until it has enough: those of these events, or of all;
    /// those of pseudo assets only on request.
    pub(crate) fn each_activity_id(
        &self,
        events: Option<&[&str]>,
        pseudo: bool,
        each: impl FnMut(&str) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let events = events.map(|events| serde_json::json!(events).to_string());
        self.read(|db| {
            let mut statement = db.prepare_cached(
                "SELECT activity.id FROM activity LEFT JOIN asset ON asset.row = activity.asset
                 WHERE (?1 IS NULL OR event IN (SELECT value FROM json_each(?1)))
                 AND (?2 OR coalesce(asset.pseudo, 0) = 0) ORDER BY activity.row DESC",
            )?;
            each_text(statement.query(params![events, pseudo])?, each)
        })
    }
}
