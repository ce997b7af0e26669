//! The window and the desktop: requests of other starts of the program, and closing.

mod closing;
pub mod open_requests;
