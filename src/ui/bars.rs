//! The bars around the panel: the top bar, the sidebar and the status bar.

pub mod connection_state;
pub mod sidebar;
pub mod status;
pub mod top;
