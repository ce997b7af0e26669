//! What the window asks of the desktop: file dialogs, drag and drop, opening links, and its preferences for the look.

pub mod desktop;
pub mod drag;
pub mod file_dialogs;
pub mod open_link;
