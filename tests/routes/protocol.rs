//! HTTP: connections, the guard, limits, caches and streams.

pub mod bounds;
pub mod cached;
pub mod guard;
pub mod http;
pub mod ids;
pub mod partial;
pub mod pressure;
pub mod routes;
pub mod semantics;
pub mod streamed;
pub mod streams;
pub mod unsupported;
pub mod write_policy;
