//! Keys, the pointer, commands, selections, filters and moving about.

pub mod access;
pub mod commands;
pub mod dragging;
pub mod filter;
pub mod first_key;
pub mod key_order;
pub mod open_row;
pub mod palette;
pub mod palette_search;
pub mod peek;
pub mod recent_searches;
pub mod record_menu;
pub mod row_menu;
pub mod selected_keys;
pub mod selection;
pub mod targets;
pub mod views;
pub mod visits;
