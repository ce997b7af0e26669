//! The files of earlier versions, before the database: they are imported once and left in place.
//!
//! What must hold: nothing here writes; a partly damaged file loses only the damaged part.

pub(crate) mod drafts;
pub(crate) mod journal;
pub(crate) mod runs;
pub(crate) mod settings;
