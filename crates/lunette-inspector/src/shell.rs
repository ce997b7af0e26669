//! The window and the desktop: requests of other starts of the program.

pub mod open_requests;
