//! The files in which earlier versions kept what the database has now: read in once, and left where they are.
//!
//! What must hold: nothing here writes; a file that is damaged in part loses that part.

pub(in crate::app) mod drafts;
pub(in crate::app) mod journal;
pub(in crate::app) mod runs;
pub(in crate::app) mod settings;
