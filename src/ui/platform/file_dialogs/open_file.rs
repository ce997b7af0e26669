//! Opening a file that was saved, and showing it in its folder, at a click.
//!
//! What must hold: only a path that this program has just written is opened; it is handed over as one argument that no
//! shell reads, and begins with the root of the file system, so that it is no option.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Opens a file in the program that the system has for it.
pub(super) async fn open(path: PathBuf) -> Result<(), String> {
    let path = whole(&path)?;
    blocking(move || run(opener(&path))).await
}

/// Shows a file in the system's file manager; where that cannot point at it, its folder is opened.
pub(super) async fn show_in_folder(path: PathBuf) -> Result<(), String> {
    let path = whole(&path)?;
    #[cfg(all(unix, not(target_os = "macos")))]
    match tokio::time::timeout(bus::PATIENCE, bus::show(&path)).await {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) => tracing::debug!("the file manager did not show a file: {error}"),
        Err(_) => tracing::debug!("the file manager does not answer"),
    }
    blocking(move || run(shower(&path))).await
}

fn whole(path: &Path) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| error.to_string())
}

async fn blocking(work: impl FnOnce() -> io::Result<()> + Send + 'static) -> Result<(), String> {
    let done = tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())?;
    done.map_err(|error| error.to_string())
}

/// Runs a program to its end, so that it does not stay behind as a zombie.
fn run(mut program: Command) -> io::Result<()> {
    let status = program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    // Explorer ends with 1 where it did what it was asked.
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
fn shower(path: &Path) -> Command {
    opener(path.parent().unwrap_or(path))
}

#[cfg(target_os = "macos")]
fn opener(path: &Path) -> Command {
    let mut program = Command::new("open");
    program.arg(path);
    program
}

#[cfg(target_os = "macos")]
fn shower(path: &Path) -> Command {
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
fn shower(path: &Path) -> Command {
    let mut program = Command::new("explorer.exe");
    program.arg(format!("/select,{}", path.display()));
    program
}

#[cfg(all(unix, not(target_os = "macos")))]
mod bus {
    use std::path::Path;
    use std::time::Duration;

    /// How long the file manager may take to start and to answer.
    pub(super) const PATIENCE: Duration = Duration::from_secs(5);

    /// Asks the file manager of the desktop
    /// ([org.freedesktop.FileManager1](https://www.freedesktop.org/wiki/Specifications/file-manager-interface/)).
    pub(super) async fn show(path: &Path) -> Result<(), String> {
        let address = url::Url::from_file_path(path).map_err(|()| "its path is no address".to_owned())?;
        ask(address.as_str()).await.map_err(|error| error.to_string())
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
        let path = whole(Path::new("-rf; $(id).md")).expect("a path");
        for program in [opener(&path), shower(&path)] {
            let arguments: Vec<_> = program.get_args().collect();
            let last = arguments.last().expect("a path").to_string_lossy().into_owned();
            assert!(last.starts_with('/'), "{last}");
        }
    }
}
