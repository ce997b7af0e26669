//! Rows with a checksum, the seal, in their last column.

use lunette_storage::salvage::seal;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Params, Result, params_from_iter};

/// A table whose rows are sealed. Its first column is the rowid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub name: &'static str,
    /// The columns between the rowid and the seal.
    pub columns: &'static [&'static str],
}

pub(super) const SETTING: Table = Table { name: "setting", columns: &["name", "value"] };
pub(super) const DRAFT: Table = Table { name: "draft", columns: &["connection", "key", "draft"] };
pub(super) const STEP_LINE: Table = Table { name: "step_line", columns: &["connection", "line"] };
pub(super) const RUN_LINE: Table = Table { name: "run_line", columns: &["connection", "run", "line"] };
pub(super) const SOURCE_ITEM: Table =
    Table { name: "source_item", columns: &["connection", "source", "item", "asset", "hash"] };
pub(super) const INVENTORY_KNOWN: Table =
    Table { name: "inventory_known", columns: &["connection", "source", "item", "record"] };
pub(super) const INVENTORY_CHANGE: Table = Table { name: "inventory_change", columns: &["connection", "change"] };
pub(super) const INVENTORY_DAY: Table = Table { name: "inventory_day", columns: &["connection", "day", "counters"] };
pub(super) const ASSET_USE: Table = Table { name: "asset_use", columns: &["connection", "asset", "uses"] };
pub(super) const PROPOSAL: Table = Table { name: "proposal", columns: &["connection", "number", "proposal"] };
pub(super) const ASSISTANT: Table = Table { name: "assistant", columns: &["client", "assistant"] };
pub(super) const ASSISTANT_CALL: Table = Table { name: "assistant_call", columns: &["connection", "call"] };

pub(super) const VERSION_ASSET: Table = Table {
    name: "version_asset",
    columns: &["connection", "asset", "print", "number", "at", "facts", "record", "content"],
};
pub(super) const VERSION_PAST: Table =
    Table { name: "version_past", columns: &["of", "number", "at", "facts", "record", "content"] };
pub(super) const VERSION_WATCH: Table = Table { name: "version_watch", columns: &["connection", "began", "ended"] };
pub(super) const VERSION_CHECKPOINT: Table =
    Table { name: "version_checkpoint", columns: &["connection", "name", "at", "assets", "automatic"] };

/// All of them.
pub(super) const TABLES: [Table; 16] = [
    SETTING,
    DRAFT,
    STEP_LINE,
    RUN_LINE,
    SOURCE_ITEM,
    INVENTORY_KNOWN,
    INVENTORY_CHANGE,
    INVENTORY_DAY,
    ASSET_USE,
    PROPOSAL,
    ASSISTANT,
    ASSISTANT_CALL,
    VERSION_ASSET,
    VERSION_PAST,
    VERSION_WATCH,
    VERSION_CHECKPOINT,
];

/// Rows that were read, and the number of damaged ones.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The rowid and the columns, in the order of the rowids.
    pub rows: Vec<(i64, Vec<String>)>,
    pub damaged: usize,
}

impl Table {
    /// Inserts a row, or replaces the one with the same unique columns. Returns its rowid.
    pub fn insert(&self, connection: &Connection, columns: &[&str]) -> Result<i64> {
        self.insert_at(connection, None, columns)
    }

    /// Inserts a row with this rowid, or replaces the one with the same rowid or unique columns. Returns its rowid.
    pub fn insert_at(&self, connection: &Connection, id: Option<i64>, columns: &[&str]) -> Result<i64> {
        let values: Vec<_> = columns.iter().map(|column| Value::Text((*column).to_owned())).collect();
        self.insert_values(connection, id, values)
    }

    /// Inserts or replaces a row as [`Self::insert_at`] does, with columns of any type. Returns its rowid.
    pub fn insert_values(&self, connection: &Connection, id: Option<i64>, columns: Vec<Value>) -> Result<i64> {
        let Self { name, columns: names } = self;
        let placeholders = ", ?".repeat(names.len() + 1);
        let statement =
            format!("INSERT OR REPLACE INTO {name} (id, {}, seal) VALUES (?{placeholders})", names.join(", "));
        let seal = Value::Blob(self.seal(columns.iter().map(ValueRef::from)));
        let values = [id.map_or(Value::Null, Value::Integer)].into_iter().chain(columns).chain([seal]);
        connection.prepare_cached(&statement)?.execute(params_from_iter(values))?;
        Ok(connection.last_insert_rowid())
    }

    /// The rows of text that match this condition.
    pub fn read(&self, connection: &Connection, condition: &str, params: impl Params) -> Result<Rows> {
        let mut rows = Rows::default();
        rows.damaged = self.read_values(connection, condition, params, |id, columns| {
            let texts = columns.into_iter().map(|column| match column {
                Value::Text(text) => Some(text),
                Value::Null | Value::Integer(_) | Value::Real(_) | Value::Blob(_) => None,
            });
            let texts: Option<Vec<String>> = texts.collect();
            texts.map(|texts| rows.rows.push((id, texts))).is_some()
        })?;
        Ok(rows)
    }

    /// Calls `each` with the rowid and the columns of each row that matches this condition, in the order of the rowids.
    /// Returns how many rows were damaged: did not match their seal, or were not taken (`each` returns false).
    pub fn read_values(
        &self,
        connection: &Connection,
        condition: &str,
        params: impl Params,
        mut each: impl FnMut(i64, Vec<Value>) -> bool,
    ) -> Result<usize> {
        let columns = self.columns;
        let mut statement = connection.prepare_cached(&self.query(condition))?;
        let mut found = statement.query(params)?;
        let mut damaged = 0;
        while let Some(row) = found.next()? {
            let refs = (1..=columns.len()).map(|column| row.get_ref(column)).collect::<Result<Vec<_>>>()?;
            let sealed = row.get_ref(columns.len() + 1)? == ValueRef::Blob(&self.seal(refs.iter().copied()));
            // Bytes that are not UTF-8 are not text.
            let values: Option<Vec<Value>> = refs.into_iter().map(|value| value.try_into().ok()).collect();
            let id = row.get(0)?;
            let taken = values.filter(|_| sealed).is_some_and(|values| each(id, values));
            damaged += usize::from(!taken);
        }
        Ok(damaged)
    }

    /// The query for the rows that match this condition: the rowid, the columns and the seal.
    pub fn query(&self, condition: &str) -> String {
        let Self { name, columns } = self;
        format!("SELECT id, {}, seal FROM {name} WHERE {condition} ORDER BY id", columns.join(", "))
    }

    fn seal<'a>(&self, columns: impl IntoIterator<Item = ValueRef<'a>>) -> Vec<u8> {
        // The rowid is not stored as a column.
        seal(self.name, [ValueRef::Null].into_iter().chain(columns))
    }
}
