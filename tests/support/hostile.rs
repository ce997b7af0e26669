//! A server that misbehaves, each time in one known way.
