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
//! - `drawing`: parts that several panels draw: activities, icons, times; the graph and plots as dots, for files
//! - `frame`: which events the window gets together, what has the keyboard focus, dragging, disabled controls
//! - `command`: everything that palette, menus, keys and buttons can start
//! - `palette`: finds commands and records by name
//! - `widgets`: tables, trees, fields and pickers; they know no type of the application
//! - `theme`: colours, type, spacing and icons
//! - `platform`: file dialogs, drag and drop, links, and the preferences of the desktop
//!
//! # What must hold
//!
//! No call, file access or lock while drawing. Every control has an accessible name.

mod banners;
mod bars;
pub mod command;
mod dialogs;
mod drawing;
mod frame;
mod list;
mod notifications;
pub mod palette;
mod panels;
pub mod platform;
pub mod theme;
pub mod widgets;
mod window;

use drawing::{activity, app_icon, format, link_icon, overview, raster};
use frame::{covered_tooltips, disabled_reason, dragging, dropped_files, event_order, focus};
pub use window::{Options, Window, WindowError, run};
