//! Checks for free disk space before a backup: one that fills the disk and then fails would do harm.

use std::path::Path;

use rusqlite::Connection;

use crate::store::StoreError;

/// Space to leave free beside the backup, so that writes go on: 4 MiB.
const RESERVED_BYTES: u64 = 4 << 20;

/// Fails if this folder has no space for a copy of a database. If the system cannot tell, the copy itself will fail.
pub(in crate::store) fn ensure_free(source: &Connection, folder: &Path) -> Result<(), StoreError> {
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
    fn a_backup_that_does_not_fit_is_rejected_with_numbers() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = Connection::open_in_memory().expect("a database");
        assert_eq!(ensure_free(&database, folder.path()), Ok(()));
        let message = not_enough_space(folder.path(), 5 << 30, 3 << 30).to_string();
        assert!(message.contains("needs 5120 MiB") && message.contains("3072 MiB are free"), "{message}");
    }
}
