//! Verbs that list, read, create, change and write out assets and what is linked to them, and how assets are named in
//! arguments.

pub(super) mod asset_id;
pub mod bulk;
pub(super) mod compare;
pub(super) mod copy;
pub(super) mod delete;
pub(super) mod diff;
pub(super) mod edit;
pub(super) mod export;
pub mod import;
pub(super) mod indexed;
pub(super) mod language;
pub(super) mod links;
pub mod list;
pub(super) mod new;
pub(super) mod related;
pub(super) mod search;
pub(super) mod secrets;
pub(super) mod short_id;
pub(super) mod show;
pub(super) mod tag;
pub(super) mod versions;
