//! The window's verb: prepares its options, opens it, and stops the built-in service at the end.
//!
//! If a window is open on the same data already, that one is raised instead (see [`instance`]).

use std::path::{Path, PathBuf};

use lunette_client::client::Address;

use lunette_inspector::navigation::link::Link;
use lunette_inspector::settings::Target;

use super::{Failure, connect, data_dir};

pub(super) mod instance;
pub(super) mod open;
#[cfg(feature = "window")]
mod opened;

use instance::{LaunchRequest, Start};

/// What the window is opened with.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The address of the service.
    pub url: Option<String>,
    /// Use the built-in service, whatever else is running.
    pub embedded: bool,
    /// The folder of the built-in service; `None` for the default one.
    pub data: Option<PathBuf>,
    /// Origins of web pages that may use the built-in service.
    pub allowed_origins: Vec<String>,
    /// Open another window in any case.
    pub new_window: bool,
    /// What to show.
    pub link: Option<Link>,
    /// What to import, after confirmation.
    pub paths: Vec<PathBuf>,
    /// Reset the layout of the window.
    pub reset_layout: bool,
}

/// Opens the window and blocks until it is closed, or raises the open one.
pub fn run(wanted: Wanted) -> Result<(), Failure> {
    if let Some(url) = &wanted.url {
        url.parse::<Address>().map_err(connect::failure)?;
    }
    let named = wanted.url.clone().map(Target::Url).or(wanted.embedded.then_some(Target::Embedded));
    let folder = data_dir::folder(wanted.data.as_deref()).ok();
    let first = match folder.as_deref().map(|folder| first(folder, &wanted, named.clone())) {
        Some(Some(Start::Shown)) => return Ok(()),
        Some(Some(Start::FirstInstance(first))) => Some(first),
        Some(Some(Start::Beside(_)) | None) | None => None,
    };
    open(wanted, named, folder, first)
}

#[cfg(feature = "window")]
use opened::open;

/// A build without the window shows the request in an open window, or not at all.
#[cfg(not(feature = "window"))]
fn open(_: Wanted, _: Option<Target>, _: Option<PathBuf>, _: Option<instance::FirstInstance>) -> Result<(), Failure> {
    Err(Failure::no_window(anyhow::anyhow!(
        "this build of lunette has no window; `lunette --help` lists its commands, and a build with the cargo feature \
         `window` has both"
    )))
}

/// Returns how this start relates to its data folder, and tells the user if it is not the first. `None` if that cannot
/// be determined: then it opens as if it were alone.
fn first(folder: &Path, wanted: &Wanted, target: Option<Target>) -> Option<Start> {
    let link = wanted.link.as_ref().map(Link::to_string);
    let request = LaunchRequest { target, link, paths: wanted.paths.clone() };
    let request = Some(&request).filter(|_| !wanted.new_window);
    let started = instance::start(folder, request, instance::TIMEOUT);
    match &started {
        Ok(Start::Shown) => {
            super::print_message(&format!("shown in the window already open on {}", folder.display()));
            if !wanted.allowed_origins.is_empty() {
                super::print_message("to allow web pages to use its service, open Connection in that window");
            }
            if wanted.reset_layout {
                super::print_message(
                    "its layout was not reset: reset it there, or close it and start again with --reset-layout",
                );
            }
        }
        Ok(Start::Beside(Some(why))) => {
            super::print_message(&format!(
                "a window is already open on {}, but {why}; opening another one",
                folder.display()
            ));
        }
        Ok(Start::FirstInstance(_) | Start::Beside(None)) => {}
        Err(error) => tracing::debug!(%error, "cannot tell whether another window is open"),
    }
    started.ok()
}
