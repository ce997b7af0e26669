//! Opens the window: its options, the built-in service, signals, later starts.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;

use crate::app::settings::Target;
use crate::app::shell::open_requests::{OpenRequest, OpenRequestSender, channel};
use crate::cli::data_dir;
use crate::cli::embedded::EmbeddedServer;
use crate::cli::instance::FirstInstance;
use crate::cli::signals::Signals;
use crate::cli::{Failure, crash};
use crate::ui::platform::file_dialogs::SystemDialogs;
use crate::ui::{self, Options};
use lunette_client::client::Limits;

use super::Wanted;

/// How long a window may take to close after a signal.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(4);

/// Opens the window and blocks until it is closed.
pub(super) fn open(
    wanted: Wanted,
    named: Option<Target>,
    folder: Option<PathBuf>,
    first: Option<FirstInstance>,
) -> Result<(), Failure> {
    let Wanted { data, link, paths, reset_layout, allowed_origins, .. } = wanted;
    if let Some(folder) = data_dir::crashes(data.as_deref()) {
        crash::install(folder);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the window's threads")
        .map_err(Failure::failed)?;
    let (sender, receiver) = channel();
    sender.send(OpenRequest { target: None, link, paths, answer: Box::new(|_| ()), until: None });
    let server = EmbeddedServer::new(data.clone(), allowed_origins);
    runtime.spawn(end_at_signal(sender.clone(), server.clone()));
    let _first = first.map(|first| runtime.block_on(listening(first, sender)));
    let options = Options {
        runtime: runtime.handle().clone(),
        target: named.or(data.is_some().then_some(Target::Embedded)),
        embed: Arc::new(server.clone()),
        dialogs: Arc::new(SystemDialogs),
        data: folder,
        settings: settings_file(data),
        limits: Limits::default(),
        open_requests: Some(receiver),
        reset_layout,
    };
    let ended = ui::run(options).map_err(|error| match error.is_closed_display() {
        true => Failure::failed(error.into()),
        false => Failure::no_window(error.into()),
    });
    runtime.block_on(server.stop());
    // A call to a service that does not answer must not block the exit.
    runtime.shutdown_background();
    ended
}

/// Listens for later starts. If that fails, they open windows of their own.
async fn listening(mut first: FirstInstance, sender: OpenRequestSender) -> FirstInstance {
    if let Err(error) = first.listen(sender).await {
        tracing::warn!(%error, "later starts cannot bring this window forward");
    }
    first
}

/// Closes the window at a signal, as the user would. A second signal, or a window that does not close, ends the program
/// once the built-in service has stopped.
async fn end_at_signal(sender: OpenRequestSender, server: EmbeddedServer) {
    let Ok(mut signals) = Signals::listen() else { return };
    signals.next().await;
    sender.end();
    tokio::select! {
        () = signals.next() => {}
        () = tokio::time::sleep(CLOSE_TIMEOUT) => {}
    }
    // If it is being stopped already, this waits for that.
    server.stop().await;
    std::process::exit(1);
}

/// Returns the path of the settings: beside the data if its folder was given, else the system's folder for settings.
fn settings_file(data: Option<PathBuf>) -> Option<PathBuf> {
    let own = || directories::ProjectDirs::from("", "", "lunette").map(|folders| folders.config_dir().to_owned());
    Some(data.or_else(own)?.join("settings.json"))
}
