//! Lunette.

pub mod model;
pub mod operation;
