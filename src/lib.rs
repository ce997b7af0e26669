//! Lunette.

pub mod app;
pub mod cli;
pub mod client;
pub mod model;
pub mod operation;
pub mod service;
pub mod store;
pub mod ui;
