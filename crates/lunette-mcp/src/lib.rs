//! A Model Context Protocol server over the inspector: an assistant reads what a service has, and proposes changes.
//!
//! [`serve_stdio`] answers a client on standard input and output; [`HttpService`] answers over streamable HTTP. Both
//! need a [`Backend`]: the service that is read, and the data folder in which proposals and the trail are kept.
//!
//! What must hold: a proposal waits for a person. No tool sends a write, except that an assistant takes back what is
//! its own, that a small change is made at once if the user allowed that for the assistant, and that the user of a
//! client agreed in the client to what was shown there. No tool reads a path, fetches an address, or changes a setting,
//! a policy, the journal or the trail. What is stored is data: it is in no name, description or instruction of a tool.
//! Only the files of `sdk` name the SDK, since the protocol changes with each revision.

mod answer;
mod approval;
mod arguments;
mod backend;
mod find_asset;
mod last_list;
mod plan;
mod prompts;
mod sdk;
mod tools;
mod watch;

pub use backend::{Backend, NotOpened, Permission, Writer};
pub use sdk::{HttpService, NotServed, serve_stdio};
pub use tools::{ToolError, call};

/// The names of the tools that an assistant may call with a permission.
pub fn tool_names(permission: Permission) -> Vec<&'static str> {
    tools::offered(permission).map(|tool| tool.name).collect()
}
