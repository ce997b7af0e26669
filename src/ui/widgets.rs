//! The widgets that panels are made of: tables, trees, code, fields, pickers, toasts.
//!
//! Widgets know nothing of the inspector: they take plain values, keep their state in a struct that the caller owns,
//! and return what the user did. Text from a service is drawn through [`shown`] and copied unchanged.

pub mod background;
pub mod code;
pub mod code_edit;
pub mod context_menu;
pub mod editor;
pub mod highlight;
pub mod html;
pub mod json_text;
pub mod json_tree;
pub mod markdown;
pub mod picker;
pub mod picture;
pub mod placeholder;
pub mod plot_days;
pub mod revision;
pub mod row_list;
pub mod table;
pub mod text_field;
pub mod toast;

mod chip;
mod dialog;
mod display;
mod list;
mod list_keys;
mod nav;
mod painting;
mod progress;
mod scroll;
mod segments;
mod stat;
pub(in crate::ui) mod type_ahead;
pub mod typing;

pub use chip::{ChipResponse, badge, chip, chip_row, chip_width, locked_chip, removable_chip};
pub use dialog::{CONFIRM_KEY, buttons, confirm_key, dialog, dialog_with_changes, is_on_top};
pub use display::{shown, shown_short};
pub(super) use list::{DrawnList as ListDrawn, List, ListState};
pub(super) use list_keys::{ListKeys, ListMove};
pub use lunette_client::model::size::grouped;
pub use nav::{COUNT_PENDING, nav_counted_link, nav_item, nav_link, status_dot, tabs};
pub use progress::progress;
pub use scroll::Scroll;
pub use segments::{Choice, arrow_target, choice_sense, choose};
pub use stat::{Stat, stats};
