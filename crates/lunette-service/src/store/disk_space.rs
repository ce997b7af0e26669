//! Whether a disk has room for a copy, asked before one is begun: what fills a disk and then fails does harm on its way.

use std::path::Path;

use rusqlite::Connection;

use super::StoreError;

/// What must be left beside the copy, so that writes go on: 4 MiB.
const RESERVED_BYTES: u64 = 4 << 20;

/// Fails in words where there is no room in this folder for a copy of a database. Where the system cannot tell, the copy
/// itself finds out.
pub(super) fn ensure_free(source: &Connection, folder: &Path) -> Result<(), StoreError> {
    let number = |name| source.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let bytes = number("page_count")?.saturating_mul(number("page_size")?);
    let needed = u64::try_from(bytes).unwrap_or_default().saturating_add(RESERVED_BYTES);
    match fs4::available_space(folder) {
        Ok(free) if free < needed => Err(not_enough_space(folder, needed, free)),
        Ok(_) | Err(_) => Ok(()),
    }
}

fn not_enough_space(folder: &Path, needed: u64, free: u64) -> StoreError {
    let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
    let problem = format!("it needs {} MiB, and {} MiB are free", mebibytes(needed), mebibytes(free));
    StoreError::unusable("make a backup", folder, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_fits_is_begun_and_what_does_not_is_told_in_numbers() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = Connection::open_in_memory().expect("a database");
        assert_eq!(ensure_free(&database, folder.path()), Ok(()));
        let said = not_enough_space(folder.path(), 5 << 30, 3 << 30).to_string();
        assert!(said.contains("needs 5120 MiB") && said.contains("3072 MiB are free"), "{said}");
    }
}
