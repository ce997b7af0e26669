//! Rows with a checksum, the seal, in their last column.

use lunette_storage::salvage::seal;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Params, Result, params_from_iter};

/// A table whose rows are sealed. Its first column is the rowid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub name: &'static str,
    /// The columns between the rowid and the seal, all of them text.
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

/// All of them.
pub(super) const TABLES: [Table; 12] = [
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
        let Self { name, columns: names } = self;
        let placeholders = ", ?".repeat(names.len() + 1);
        let statement =
            format!("INSERT OR REPLACE INTO {name} (id, {}, seal) VALUES (?{placeholders})", names.join(", "));
        let texts = columns.iter().map(|column| Value::Text((*column).to_owned()));
        let values = [id.map_or(Value::Null, Value::Integer)].into_iter().chain(texts);
        let values = values.chain([Value::Blob(self.seal(columns))]);
        connection.prepare_cached(&statement)?.execute(params_from_iter(values))?;
        Ok(connection.last_insert_rowid())
    }

    /// The rows that match this condition.
    pub fn read(&self, connection: &Connection, condition: &str, params: impl Params) -> Result<Rows> {
        let Self { name, columns } = self;
        let query = format!("SELECT id, {}, seal FROM {name} WHERE {condition} ORDER BY id", columns.join(", "));
        let mut statement = connection.prepare_cached(&query)?;
        let mut found = statement.query(params)?;
        let mut rows = Rows::default();
        while let Some(row) = found.next()? {
            let texts = (1..=columns.len()).map(|column| row.get_ref(column)?.as_str().map_err(Into::into));
            // Bytes that are not text are damaged, as are rows that do not match their seal.
            let texts: Option<Vec<&str>> = texts.map(|text: Result<&str>| text.ok()).collect();
            match texts
                .filter(|texts| row.get_ref(columns.len() + 1).is_ok_and(|checksum| self.is_sealed(texts, checksum)))
            {
                Some(texts) => rows.rows.push((row.get(0)?, texts.into_iter().map(str::to_owned).collect())),
                None => rows.damaged += 1,
            }
        }
        Ok(rows)
    }

    fn is_sealed(&self, columns: &[&str], checksum: ValueRef<'_>) -> bool {
        checksum == ValueRef::Blob(&self.seal(columns))
    }

    fn seal(&self, columns: &[&str]) -> Vec<u8> {
        let texts = columns.iter().map(|column| ValueRef::Text(column.as_bytes()));
        // The rowid is not stored as a column.
        seal(self.name, [ValueRef::Null].into_iter().chain(texts))
    }
}
