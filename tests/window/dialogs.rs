//! The dialogs and forms.

pub mod about;
pub mod backups;
pub mod bulk;
pub mod capture;
pub mod check;
pub mod code_editor;
pub mod compose;
pub mod conflict;
pub mod edit_text;
pub mod export_many;
pub mod forms;
pub mod import_offer;
pub mod import_preview;
pub mod import_receipt;
pub mod import_rows;
pub mod new_text;
pub mod picked;
pub mod plan;
pub mod quick;
pub mod record;
pub mod rename;
pub mod review;
pub mod run;
pub mod synonyms;
pub mod version_bounds;
