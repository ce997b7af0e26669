//! Which assets were imported from the folder of one, have the same content, or a name of the same shape.

use rusqlite::{Connection, params};

use super::words::{assets_of, quoted, rows};
use super::{Candidates, FOLDER, NAME, SHARING, Subject};
use crate::store::StoreError;
use crate::store::records::annotation;
use crate::store::records::asset::AssetSet;
use lunette_client::model::import_path;
use lunette_client::model::name_shape::name_shape;
use lunette_words::parts;

/// The most words of a folder that are looked for.
const WORDS: usize = 6;
/// How many names before and behind one are compared with it.
const NAMES: i64 = 128;
/// How many assets that were stored before and behind one are compared with it.
const NEIGHBOURS: i64 = 128;

/// Adds the assets of the folder, those of the same content, and those with a name of the same shape.
pub(super) fn gather(db: &Connection, subject: &Subject, candidates: &mut Candidates) -> Result<(), StoreError> {
    if let Some(folder) = &subject.folder {
        add_folder(db, subject.row, folder, candidates)?;
    }
    if let Some(digest) = &subject.digest {
        let query = "SELECT asset FROM format WHERE sha256 = ?1 ORDER BY row DESC LIMIT ?2";
        let mut query = db.prepare_cached(query)?;
        for asset in query.query_map(params![digest, SHARING as i64], |row| row.get(0))? {
            // They are the first to be compared.
            candidates.of(asset?).score += 100.0;
        }
    }
    match &subject.shape {
        Some(shape) => add_named_alike(db, subject, shape, candidates),
        None => Ok(()),
    }
}

/// Adds the assets of a folder among those that were stored about when the asset was, and those whose descriptions have
/// the words of the folder.
fn add_folder(db: &Connection, row: i64, folder: &str, candidates: &mut Candidates) -> Result<(), StoreError> {
    let mut words: Vec<String> = parts::words(folder).iter().map(|word| quoted(word)).collect();
    words.sort_unstable();
    words.truncate(WORDS);
    let mut assets: Vec<i64> = (row - NEIGHBOURS..=row + NEIGHBOURS).collect();
    if !words.is_empty() {
        let found = rows(db, &words.join(" AND "), SHARING)?;
        assets.extend(assets_of(db, found.iter().filter(|row| **row < 0))?.into_values());
        assets.sort_unstable();
        assets.dedup();
    }
    for (asset, paths) in annotation::import_paths(db, &AssetSet::of_rows(assets.into_iter()))? {
        let path = paths.into_iter().next_back().flatten();
        if path.as_deref().and_then(import_path::folder) == Some(folder) {
            candidates.of(asset).score += FOLDER;
        }
    }
    Ok(())
}

/// Adds the assets with a name of this shape among those whose names are next to it.
fn add_named_alike(
    db: &Connection,
    subject: &Subject,
    shape: &str,
    candidates: &mut Candidates,
) -> Result<(), StoreError> {
    for query in [
        "SELECT row, folded_name FROM asset WHERE deleted IS NULL AND folded_name >= ?1 ORDER BY folded_name LIMIT ?2",
        "SELECT row, folded_name FROM asset WHERE deleted IS NULL AND folded_name < ?1
         ORDER BY folded_name DESC LIMIT ?2",
    ] {
        let mut query = db.prepare_cached(query)?;
        let mut rows = query.query(params![subject.folded_name, NAMES])?;
        while let Some(row) = rows.next()? {
            let name = row.get_ref(1)?.as_str().unwrap_or_default();
            if name_shape(name).as_deref() == Some(shape) {
                candidates.of(row.get(0)?).score += NAME;
            }
        }
    }
    Ok(())
}
