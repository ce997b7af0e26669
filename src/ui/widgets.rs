//! The widgets that panels are made of: tables, trees, code, fields, pickers, toasts.
//!
//! Widgets know nothing of the inspector: they take plain values, keep their state in a struct that the caller owns,
//! and return what the user did. Text from a service is drawn through [`shown`] and copied unchanged.

pub mod background;
mod content;
mod controls;
mod display;
pub mod editor;
mod lists;
mod painting;
pub mod revision;

pub use content::{
    code, delimited_table, field_diff, hex, highlight, html, json_text, json_tree, markdown, picture, plot_days,
    text_diff,
};
pub use controls::{context_menu, picker, placeholder, text_field, toast, typing};
pub(in crate::ui) use lists::type_ahead;
pub use lists::{row_list, table};

use controls::{chip, dialog, nav, segments, stat, tab_strip as tab_strips};
use lists::{list, list_keys, scroll};

pub use chip::{ChipResponse, badge, chip, chip_row, chip_width, locked_chip, removable_chip, removable_chip_width};
pub use controls::progress::progress;
pub use dialog::{CONFIRM_KEY, buttons, choice_key, confirm_key, dialog, dialog_with_changes, is_on_top};
pub use display::{shown, shown_short};
pub(super) use list::{DrawnList as ListDrawn, List, ListState};
pub(super) use list_keys::{ListKeys, ListMove};
pub use lunette_client::model::size::{counted, grouped, plural};
pub use nav::{
    Branch, COUNT_PENDING, NAV_LINK, nav_branch, nav_counted_link, nav_icon_link, nav_item, nav_link, nav_tree_link,
    status_dot, tabs,
};
pub use scroll::Scroll;
pub use segments::{Choice, arrow_target, choice_sense, choose};
pub use stat::{Stat, stats};
pub use tab_strips::{TabEvent, TabText, tab_strip};
