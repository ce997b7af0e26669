//! The window's dealings with the rest of the desktop: file dialogs, requests of other starts of the program, the end.

mod closing;
pub(in crate::app) mod drag_file;
pub mod open_requests;
pub(in crate::app) mod pick;
