//! The window's verb: makes what the window is handed, opens it, and stops the service inside at the end.
//!
//! Where a window is open on the same data already, that one comes forward instead (see [`super::instance`]).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;

use crate::app::front::{Bell, Summons, bell};
use crate::app::link::Link;
use crate::app::state::Target;
use crate::ui::dialogs::SystemDialogs;
use crate::ui::{self, Options};
use lunette_client::client::{Address, Limits};

use super::embedded::Inside;
use super::instance::{self, First, Start, Wish};
use super::signals::Signals;
use super::{Failure, crash, inside, reach};

/// How long a window may take to close after a signal.
const CLOSING: Duration = Duration::from_secs(4);

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
    let Wanted { data, link, paths, reset_layout, allowed_origins, .. } = wanted;
    if let Some(folder) = inside::crashes(data.as_deref()) {
        crash::install(folder);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the window's threads")
        .map_err(Failure::failed)?;
    let (bell, door) = bell();
    bell.ring(Summons { target: None, link, paths, answer: Box::new(|_| ()), until: None });
    let inside = Inside::new(data.clone(), allowed_origins);
    runtime.spawn(end_at_signal(bell.clone(), inside.clone()));
    let _first = first.map(|first| runtime.block_on(listening(first, bell)));
    let options = Options {
        runtime: runtime.handle().clone(),
        target: named.or(data.is_some().then_some(Target::Embedded)),
        embed: Arc::new(inside.clone()),
        dialogs: Arc::new(SystemDialogs),
        journal: folder.map(|folder| folder.join("journal")),
        settings: settings_file(data),
        limits: Limits::default(),
        door: Some(door),
        reset_layout,
    };
    let ended = ui::run(options).map_err(|error| Failure::no_window(error.into()));
    runtime.block_on(inside.stop());
    // A call to a service that does not answer must not hold the program back.
    runtime.shutdown_background();
    ended
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

/// The first window, listening to later starts. Where it cannot, those open windows of their own.
async fn listening(mut first: First, bell: Bell) -> First {
    if let Err(error) = first.listen(bell).await {
        tracing::warn!(%error, "later starts cannot bring this window forward");
    }
    first
}

/// Closes the window at a signal, as its user would. A second one, or a window that does not close, ends the program
/// once the service inside has stopped.
async fn end_at_signal(bell: Bell, inside: Inside) {
    let Ok(mut signals) = Signals::listen() else { return };
    signals.next().await;
    bell.end();
    tokio::select! {
        () = signals.next() => {}
        () = tokio::time::sleep(CLOSING) => {}
    }
    // Where it is being stopped already, this waits for that.
    inside.stop().await;
    std::process::exit(1);
}

/// Where the settings are kept: beside the data when its folder was named, else where the system keeps such files.
fn settings_file(data: Option<PathBuf>) -> Option<PathBuf> {
    let own = || directories::ProjectDirs::from("", "", "lunette").map(|folders| folders.config_dir().to_owned());
    Some(data.or_else(own)?.join("settings.json"))
}
