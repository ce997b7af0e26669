//! What service and window share about the Trash.

/// How many days a deleted asset stays in the Trash before it is deleted permanently.
///
/// Our choice: 30 days.
pub const KEPT_DAYS: i64 = 30;
