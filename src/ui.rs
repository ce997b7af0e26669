//! The window: what it is built from and how it is laid out.
//!
//! Only this part of the crate names egui. Panels, dialogs and banners draw from `&State`, own the text that is being
//! typed into them, and push actions, which are performed once the frame is drawn.
//!
//! # Layout
//!
//! - `window`: the window itself: owns the inspector, draws everything below once a frame, performs the actions
//! - `bars`: the bars around the panel: at the top, at the left, at the bottom
//! - `banners`: the coloured lines below the top bar, each about one condition of the connection or the service
//! - `panels`: one for each feature: assets, applications, operations, log, history, …
//! - `list`: what the lists of all panels share: filter field, column layout, empty states, copying, the split view
//! - `dialogs`: one a file
//! - `notifications`: the toasts in the corner and their history
//! - `event_order`, `focus`: which events the window gets together, and what has the keyboard focus
//! - `command`: everything that palette, menus, keys and buttons can start
//! - `palette`: finds commands and records by name
//! - `widgets`: tables, trees, fields and pickers; they know no type of the application
//! - `theme`: colours, type, spacing and icons
//! - `raster`: the graph and plots as dots, for files
//! - `platform`: file dialogs, drag and drop, links, and the preferences of the desktop
//!
//! # What must hold
//!
//! No call, file access or lock while drawing. Every control has an accessible name.

mod activity;
mod app_icon;
mod banners;
mod bars;
pub mod command;
mod covered_tooltips;
mod dialogs;
mod disabled_reason;
mod dragging;
mod event_order;
mod focus;
mod format;
mod link_icon;
mod list;
mod notifications;
mod overview;
pub mod palette;
mod panels;
pub mod platform;
mod raster;
pub mod theme;
pub mod widgets;
mod window;

pub use window::{Options, Window, WindowError, run};
