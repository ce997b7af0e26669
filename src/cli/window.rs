//! The window's verb: makes what the window is handed, opens it, and stops the service inside at the end.
//!
//! Where a window is open on the same data already, that one comes forward instead (see [`super::instance`]).

use std::path::{Path, PathBuf};

use lunette_client::client::Address;

use crate::app::navigation::link::Link;
use crate::app::state::Target;

use super::instance::{self, Start, Wish};
use super::{Failure, inside, reach};

#[cfg(feature = "window")]
mod opened;

/// What the window is opened on.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The service at an address.
    pub url: Option<String>,
    /// The service inside, whatever else runs.
    pub embedded: bool,
    /// The folder of the service inside; None for the user's own.
    pub data: Option<PathBuf>,
    /// Origins of web pages that may use the service inside.
    pub allowed_origins: Vec<String>,
    /// Another window, whatever is open.
    pub new_window: bool,
    /// What to show.
    pub link: Option<Link>,
    /// What to import, once the user says so.
    pub paths: Vec<PathBuf>,
    /// Forget how the window was laid out.
    pub reset_layout: bool,
}

/// Opens the window and stays until it is closed; or brings the one forward that is open.
pub fn run(wanted: Wanted) -> Result<(), Failure> {
    if let Some(url) = &wanted.url {
        url.parse::<Address>().map_err(reach::failure)?;
    }
    let named = wanted.url.clone().map(Target::Url).or(wanted.embedded.then_some(Target::Embedded));
    let folder = inside::folder(wanted.data.as_deref()).ok();
    let first = match folder.as_deref().map(|folder| first(folder, &wanted, named.clone())) {
        Some(Some(Start::Shown)) => return Ok(()),
        Some(Some(Start::First(first))) => Some(first),
        Some(Some(Start::Beside(_)) | None) | None => None,
    };
    open(wanted, named, folder, first)
}

#[cfg(feature = "window")]
use opened::open;

/// A build without the window shows what it is asked for in one that is open already, or not at all.
#[cfg(not(feature = "window"))]
fn open(_: Wanted, _: Option<Target>, _: Option<PathBuf>, _: Option<instance::First>) -> Result<(), Failure> {
    Err(Failure::no_window(anyhow::anyhow!(
        "this build of lunette has no window; `lunette --help` lists its commands, and a build with the cargo feature \
         `window` has both"
    )))
}

/// How this start stands on its data folder, said to the user where it is not the first. None where that cannot be
/// found out: then it opens as if it were alone.
fn first(folder: &Path, wanted: &Wanted, target: Option<Target>) -> Option<Start> {
    let link = wanted.link.as_ref().map(Link::to_string);
    let wish = Wish { target, link, paths: wanted.paths.clone() };
    let wish = Some(&wish).filter(|_| !wanted.new_window);
    let started = instance::start(folder, wish, instance::PATIENCE);
    match &started {
        Ok(Start::Shown) => {
            super::say(&format!("shown in the window already open on {}", folder.display()));
            if !wanted.allowed_origins.is_empty() {
                super::say("to allow web pages to use its service, open Connection in that window");
            }
            if wanted.reset_layout {
                super::say("its layout was not reset: reset it there, or close it and start again with --reset-layout");
            }
        }
        Ok(Start::Beside(Some(why))) => {
            super::say(&format!("a window is already open on {}, but {why}; opening another one", folder.display()));
        }
        Ok(Start::First(_) | Start::Beside(None)) => {}
        Err(error) => tracing::debug!(%error, "cannot tell whether another window is open"),
    }
    started.ok()
}
