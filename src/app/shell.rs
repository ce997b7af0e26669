//! The window's dealings with the rest of the desktop: requests of other starts of the program, the end.

mod closing;
pub mod open_requests;
