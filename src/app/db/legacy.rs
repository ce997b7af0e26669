//! The files of earlier versions, before the database: they are imported once and left in place.
//!
//! What must hold: nothing here writes; a partly damaged file loses only the damaged part.

pub(in crate::app) mod drafts;
pub(in crate::app) mod journal;
pub(in crate::app) mod runs;
pub(in crate::app) mod settings;
