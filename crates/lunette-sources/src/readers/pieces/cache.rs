//! The cache of a client of Pieces, `pieces_client_sqlite.db`: a table for each collection, whose rows are records as JSON,
//! alone or as the field `os` of what the client adds to them.
//!
//! Our choice: rows whose time is over are read too. It says when the client asks the service again, not that a record is
//! wrong.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;

use super::asset::Assets;
use super::links::Links;
use super::material::Material;
use super::{MOST_READ, Records, TOO_MANY_REFERENCES};
use crate::candidate::Library;
use crate::files::Files;
use crate::json::{self, JsonError, text};
use crate::source::Facts;
use crate::sqlite::{Database, DatabaseError, is_database, read_database};
use crate::{Reader, Source, Warning};

/// Reads caches of clients of Pieces.
pub(crate) struct Cache;

const EXTENSIONS: [&str; 3] = ["db", "sqlite", "sqlite3"];

impl Source {
    /// Pieces, the cache of its clients.
    pub const PIECES_CACHE: Self =
        Self(&Facts { is_experimental: true, ..Facts::new("pieces-cache", "Pieces client cache", &Cache) });
}

impl Reader for Cache {
    fn detects(&self, files: &Files) -> bool {
        let open = |path: &str| Database::open(files, path).ok();
        let tables = |path: &str| open(path).and_then(|database| database.pieces_tables().ok()).unwrap_or_default();
        let is_known = |name: &str| Material::all().any(|material| material.table() == name);
        files.single().is_some_and(|path| {
            is_database(files, path, &EXTENSIONS) && tables(path).iter().any(|(name, _)| is_known(name))
        })
    }

    fn read(&self, files: &Files, library: &mut Library) {
        for path in files.content_paths().filter(|path| is_database(files, path, &EXTENSIONS)) {
            read_database(files, path, library, read);
        }
    }
}

fn read(database: &Database, location: &str, library: &mut Library) -> Result<(), DatabaseError> {
    let tables = database.pieces_tables()?;
    let (mut records, mut order) = (BTreeMap::new(), Vec::new());
    if tables.iter().any(|(name, count)| *name == Material::Asset.table() && *count > 0) {
        for material in Material::all().filter(|material| tables.iter().any(|(name, _)| *name == material.table())) {
            let location = format!("{location}:{}", material.table());
            match database.pieces_records(&material.table()) {
                Ok(rows) => add(rows, material, (&mut records, &mut order), &location, library),
                Err(error) => library.warn("sqlite.unreadable", location, error.to_string()),
            }
        }
    }
    if order.is_empty() {
        let what: Vec<_> =
            tables.iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{count} {name}")).collect();
        let what = if what.is_empty() { "nothing".to_owned() } else { what.join(", ") };
        let message = format!("has no assets; it has {what}: connect to the running service, which has them");
        library.warn("pieces.no-assets", location, message);
    }
    let is_unknown = |name: &str| Material::all().all(|material| material.table() != name);
    let unknown = tables.iter().filter(|(name, count)| *count > 0 && is_unknown(name));
    let unknown: Vec<_> = unknown.map(|(name, count)| format!("{count} {name}")).collect();
    if !order.is_empty() && !unknown.is_empty() {
        let message = format!("has rows that belong to no asset, which were left out: {}", unknown.join(", "));
        library.warn("pieces.tables", location, message);
    }
    let room = Cell::new(library.limits().total_bytes.saturating_mul(MOST_READ));
    let rows = Rows { texts: records, room, is_full: Cell::default() };
    candidates(&rows, &order, location, library);
    if rows.is_full.get() {
        library.warn("limit.work", location, TOO_MANY_REFERENCES);
    }
    Ok(())
}

type Texts = BTreeMap<(Material, String), String>;

/// Adds the rows of a table by the id in each, and the ids of assets in their order.
fn add(
    rows: Vec<Option<String>>,
    material: Material,
    (records, order): (&mut Texts, &mut Vec<String>),
    location: &str,
    library: &mut Library,
) {
    let mut unread = 0;
    for row in rows {
        let found = row.as_deref().map(record);
        let keys = row.as_deref().filter(|_| matches!(found, Some(Ok(_)))).map(json::repeated_keys);
        library.report(keys.iter().flatten().map(|key| Warning::of_repeated_key("json.twice", location, key)));
        if let Some(Err(error @ JsonError::TooLarge)) = &found {
            library.report([error.at(location)]);
            continue;
        }
        let id = found.and_then(Result::ok).map(|record| text(&record, "id").to_owned()).filter(|id| !id.is_empty());
        let (Some(id), Some(row)) = (id, row) else {
            unread += 1;
            continue;
        };
        match records.insert((material, id.clone()), row) {
            Some(_) => unread += 1,
            None if material == Material::Asset => order.push(id),
            None => {}
        }
    }
    if unread > 0 {
        library.warn("pieces.record", location, format!("rows that cannot be read and were left out: {unread}"));
    }
}

/// Returns the record in a row.
fn record(row: &str) -> Result<Value, JsonError> {
    let mut value = json::parse_strict(row.as_bytes())?;
    Ok(match value.get_mut("os").filter(|wrapped| wrapped.is_object()) {
        Some(wrapped) => wrapped.take(),
        None => value,
    })
}

fn candidates(records: &Rows, order: &[String], location: &str, library: &mut Library) {
    let mut links = Links::default();
    for ((material, _), row) in &records.texts {
        if Material::LINKED.contains(material) {
            record(row).iter().for_each(|record| links.add_record(*material, record));
        }
    }
    let assets = Assets { records, links: &links };
    for id in order {
        let mut warnings = Vec::new();
        let Some(asset) = records.get(Material::Asset, id, &mut warnings) else { continue };
        let location = format!("{location}:asset {id}");
        match assets.candidate(&asset, &location, warnings) {
            Ok(candidate) => library.add(candidate, &location),
            Err(warnings) => library.report(warnings),
        }
    }
}

/// The records of a cache, each as JSON.
struct Rows {
    texts: Texts,
    /// How many more bytes of records may be parsed, and whether one was not because of it.
    room: Cell<u64>,
    is_full: Cell<bool>,
}

impl Records for Rows {
    fn get(&self, material: Material, id: &str, _: &mut Vec<Warning>) -> Option<Rc<Value>> {
        let row = self.texts.get(&(material, id.to_owned()))?;
        let room = if self.is_full.get() { None } else { self.room.get().checked_sub(row.len() as u64) };
        self.is_full.set(room.is_none());
        self.room.set(room?);
        record(row).ok().map(Rc::new)
    }
}
