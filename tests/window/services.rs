//! Services that are slow, partial, hostile or gone, and data that is damaged.

pub mod call_health;
pub mod connection;
pub mod failures;
pub mod faulty;
pub mod flips;
pub mod foreign;
pub mod foreign_search;
pub mod guard;
pub mod hanging;
pub mod hostile;
pub mod live;
pub mod meanwhile;
pub mod odd;
pub mod quantity;
pub mod store;
pub mod unreported;
pub mod write_policy;
