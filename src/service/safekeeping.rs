//! What keeps data safe beyond the service that runs: backups, bringing one back, setting a damaged database aside.
//!
//! The store does all of it; here it has its name for those who may not name the store.

pub use crate::store::{Backup, Cause, Health, Restored, StoreError, back_up, backups, restore, set_aside};
