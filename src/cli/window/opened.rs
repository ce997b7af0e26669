//! Opens the window: its options, the built-in service, signals, later starts.

use std::cell::OnceCell;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::instance::FirstInstance;
use crate::cli::data_dir;
use crate::cli::embedded::EmbeddedServer;
use crate::cli::signals::Signals;
use crate::cli::{Failure, crash};
use crate::ui::platform::file_dialogs::SystemDialogs;
use crate::ui::{self, Options, WindowError};
use lunette_client::client::Limits;
use lunette_inspector::settings::{Settings, Target};
use lunette_inspector::shell::open_requests::{OpenRequest, OpenRequestSender, channel};
use lunette_inspector::tasks;

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
    let target = named.or(data.is_some().then_some(Target::Embedded));
    let loaded = folder.as_deref().map(Settings::read).unwrap_or_default();
    let size = (!reset_layout).then(|| loaded.settings.window_size(target.as_ref())).flatten();
    let server = EmbeddedServer::new(data, allowed_origins);
    let runtime = OnceCell::new();
    let mut listening = None;
    let options = || {
        let built = tasks::runtime_builder().build()?;
        let runtime = runtime.get_or_init(|| built);
        let (sender, receiver) = channel();
        sender.send(OpenRequest { target: None, link, paths, answer: Box::new(|_| ()), until: None });
        runtime.spawn(end_at_signal(sender.clone(), server.clone()));
        // Not awaited: the window does not wait for the file with its address.
        listening = first.map(|first| runtime.spawn(listen(first, sender)));
        Ok(Options {
            runtime: runtime.handle().clone(),
            target,
            embed: Arc::new(server.clone()),
            dialogs: Arc::new(SystemDialogs),
            data: folder,
            limits: Limits::default(),
            open_requests: Some(receiver),
            reset_layout,
            loaded: Some(loaded),
        })
    };
    let ended = ui::run(size, options).map_err(window_failure);
    if let Some(runtime) = runtime.into_inner() {
        runtime.block_on(server.stop());
        if let Some(listening) = listening {
            // Dropping the first instance removes that file.
            drop(runtime.block_on(listening));
        }
        // A call to a service that does not answer must not block the exit.
        runtime.shutdown_background();
    }
    ended
}

fn window_failure(error: WindowError) -> Failure {
    match error.is_closed_display() {
        true => Failure::failed(error.into()),
        false => Failure::no_window(error.into()),
    }
}

/// Listens for later starts. If that fails, they open windows of their own.
async fn listen(mut first: FirstInstance, sender: OpenRequestSender) -> FirstInstance {
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
