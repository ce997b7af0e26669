//! The window by its labels, on the real service: every panel and every form, empty, loading, failed and full.

#[path = "../support/mod.rs"]
mod support;

mod access;
mod applications;
mod asset_page;
mod assets;
mod backups;
mod bulk;
mod check;
mod commands;
mod compose;
mod conflict;
mod connection;
mod drafts;
mod external;
mod faulty;
mod filter;
mod flips;
mod forms;
mod frame;
mod front;
mod guard;
mod history;
mod hostile;
mod live;
mod log;
mod looks;
mod meanwhile;
mod odd;
mod operations;
mod palette;
mod picked;
mod plan;
mod quick;
mod rails;
mod record;
mod run;
mod search;
mod selection;
mod stage;
mod store;
mod views;
mod visits;
mod widgets;
