//! Controls and small parts: fields, pickers, chips, menus, dialogs, tabs, toasts.

pub(super) mod chip;
pub mod context_menu;
pub(super) mod dialog;
pub(super) mod nav;
pub mod picker;
pub mod placeholder;
pub(super) mod progress;
pub(super) mod segments;
pub(super) mod stat;
pub(super) mod tab_strip;
pub mod text_field;
pub mod toast;
pub mod typing;
