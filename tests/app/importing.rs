//! Imports, archives and watched folders.

pub mod archives;
pub mod imports;
pub mod watched;
