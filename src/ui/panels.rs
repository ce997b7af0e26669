//! The panels: one for each feature of the inspector. The sidebar chooses which of them is shown.

pub mod applications;
pub mod assets;
pub mod external;
pub mod graph;
pub mod history;
pub mod links;
pub mod log;
pub mod operations;
pub mod path_field;
pub mod welcome;
