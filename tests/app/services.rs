//! Services that are slow, partial, hostile or gone.

pub mod bounds;
pub mod capabilities;
pub mod check;
pub mod endless;
pub mod flood;
pub mod foreign;
pub mod live;
pub mod live_streams;
pub mod panics;
pub mod partial;
pub mod races;
pub mod read_only;
pub mod reconnect;
pub mod trust;
pub mod tunnel;
pub mod unreported;
