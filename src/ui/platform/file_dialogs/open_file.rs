//! Opens a saved file, or shows it in its folder.
//!
//! What must hold: only a path that this program has just written is opened; it is passed as one argument without a
//! shell, and it is absolute, so that it is not an option.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lunette_inspector::DesktopError;
use lunette_inspector::tasks::blocking;

/// Opens a file in its default program.
pub(super) async fn open(path: PathBuf) -> Result<(), DesktopError> {
    let path = absolute(&path)?;
    run_blocking(move || run_to_end(opener(&path))).await
}

/// Shows a file in the file manager; if that cannot select it, opens its folder.
pub(super) async fn show_in_folder(path: PathBuf) -> Result<(), DesktopError> {
    let path = absolute(&path)?;
    #[cfg(all(unix, not(target_os = "macos")))]
    match tokio::time::timeout(bus::TIMEOUT, bus::show(&path)).await {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) => tracing::debug!("the file manager did not show a file: {error}"),
        Err(_) => tracing::debug!("the file manager does not respond"),
    }
    run_blocking(move || run_to_end(file_manager(&path))).await
}

fn failed(error: impl Display) -> DesktopError {
    DesktopError::Failed(error.to_string())
}

fn absolute(path: &Path) -> Result<PathBuf, DesktopError> {
    std::path::absolute(path).map_err(failed)
}

async fn run_blocking(work: impl FnOnce() -> io::Result<()> + Send + 'static) -> Result<(), DesktopError> {
    blocking(work).await?.map_err(failed)
}

/// Runs a program and waits for it, so that it does not remain as a zombie.
fn run_to_end(mut program: Command) -> io::Result<()> {
    let status = program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    // Explorer exits with 1 on success.
    if status.success() || cfg!(windows) {
        return Ok(());
    }
    let name = program.get_program().to_string_lossy().into_owned();
    Err(io::Error::other(format!("{name} ended with {status}")))
}

#[cfg(all(unix, not(target_os = "macos")))]
fn opener(path: &Path) -> Command {
    let mut program = Command::new("xdg-open");
    program.arg(path);
    program
}

#[cfg(all(unix, not(target_os = "macos")))]
fn file_manager(path: &Path) -> Command {
    opener(path.parent().unwrap_or(path))
}

#[cfg(target_os = "macos")]
fn opener(path: &Path) -> Command {
    let mut program = Command::new("open");
    program.arg(path);
    program
}

#[cfg(target_os = "macos")]
fn file_manager(path: &Path) -> Command {
    let mut program = Command::new("open");
    program.arg("-R").arg(path);
    program
}

#[cfg(windows)]
fn opener(path: &Path) -> Command {
    let mut program = Command::new("explorer.exe");
    program.arg(path);
    program
}

#[cfg(windows)]
fn file_manager(path: &Path) -> Command {
    let mut program = Command::new("explorer.exe");
    program.arg(format!("/select,{}", path.display()));
    program
}

#[cfg(all(unix, not(target_os = "macos")))]
mod bus {
    use std::path::Path;
    use std::time::Duration;

    /// How long the file manager may take to start and to answer.
    pub(super) const TIMEOUT: Duration = Duration::from_secs(5);

    /// Asks the file manager of the desktop
    /// ([org.freedesktop.FileManager1](https://www.freedesktop.org/wiki/Specifications/file-manager-interface/)).
    pub(super) async fn show(path: &Path) -> zbus::Result<()> {
        let no_address = |()| zbus::Error::Failure("its path is not an address".to_owned());
        let address = url::Url::from_file_path(path).map_err(no_address)?;
        ask(address.as_str()).await
    }

    async fn ask(address: &str) -> zbus::Result<()> {
        let bus = zbus::Connection::session().await?;
        let name = "org.freedesktop.FileManager1";
        let manager = zbus::Proxy::new(&bus, name, "/org/freedesktop/FileManager1", name).await?;
        manager.call("ShowItems", &(vec![address], "")).await
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_argument_and_no_option() {
        let path = absolute(Path::new("-rf; $(id).md")).expect("a path");
        for program in [opener(&path), file_manager(&path)] {
            let arguments: Vec<_> = program.get_args().collect();
            let last = arguments.last().expect("a path").to_string_lossy().into_owned();
            assert!(last.starts_with('/'), "{last}");
        }
    }
}
