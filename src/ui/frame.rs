//! What holds for the whole window in a frame: the order of events, the keyboard focus, dragging, tooltips, disabled controls.

pub(super) mod covered_tooltips;
pub(super) mod disabled_reason;
pub(super) mod dragging;
pub(super) mod dropped_files;
pub(super) mod event_order;
pub(super) mod focus;
