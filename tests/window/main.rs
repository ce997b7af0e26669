//! The window, driven by labels, on the real service: every panel and every form, empty, loading, failed and full.

#![expect(
    clippy::too_many_lines,
    reason = "a test of a whole story, and a table of cases, are easier to read in one piece"
)]

#[path = "../support/mod.rs"]
mod support;

mod about;
mod access;
mod applications;
mod asset_page;
mod assets;
mod backups;
mod bulk;
mod call_health;
mod capture;
mod check;
mod commands;
mod compose;
mod conflict;
mod connection;
mod drafts;
mod dragging;
mod edit_text;
mod export_many;
mod external;
mod failures;
mod faulty;
mod filter;
mod first_key;
mod flips;
mod foreign;
mod forms;
mod frame;
mod front;
mod graph;
mod graph_tasks;
mod guard;
mod hanging;
mod history;
mod hostile;
mod icons;
mod import_offer;
mod import_preview;
mod import_receipt;
mod import_rows;
mod inventory;
mod key_order;
mod link_activity;
mod links;
mod live;
mod log;
mod looks;
mod meanwhile;
mod messages;
mod new_text;
mod odd;
mod open_row;
mod operations;
mod overview;
mod palette;
mod picked;
mod plan;
mod preview;
mod quantity;
mod quick;
mod record;
mod record_menu;
mod rename;
mod row_menu;
mod run;
mod search;
mod selected_keys;
mod selection;
mod split;
mod stage;
mod store;
mod targets;
mod ten_tasks;
mod trash;
mod unreported;
mod views;
mod visits;
mod widgets;
mod write_policy;
