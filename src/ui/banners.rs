//! The coloured lines below the top bar: each reports one condition of the connection or of the service, and what the
//! user can do about it.

pub mod origin;
pub mod reconnect;
pub mod scratch;
pub mod storage;
pub mod write_policy;
