//! A service as a whole: starting and stopping it, its settings, the address file and the turns of its data folder, and
//! the maintenance of that folder.

pub mod address;
pub mod maintenance;
pub(crate) mod restorer;
pub(crate) mod running;
pub(crate) mod settings;
pub mod turn;
