//! `lunette open`: shows a link or imports files in the open window, or in a new one. Desktops call this.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use lunette_inspector::navigation::link::{self, Link};

use crate::cli::{Failure, WindowArguments, window};

/// What `open` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Link such as lunette://asset/UUID, or files and folders to import; the window asks before importing.
    #[arg(value_name = "LINK|PATH")]
    what: Vec<String>,
    #[command(flatten)]
    window: WindowArguments,
}

/// Opens the window, or raises the open one.
pub fn run(arguments: Arguments) -> Result<(), Failure> {
    let (links, paths): (Vec<&String>, Vec<&String>) = arguments.what.iter().partition(|what| link::is_meant(what));
    let links = links.into_iter().map(|link| link.parse::<Link>()).collect::<Result<Vec<_>, _>>();
    let link = match links.map_err(|error| Failure::usage(error.into()))?.as_slice() {
        [] => None,
        [link] => Some(link.clone()),
        _ => return Err(Failure::usage(anyhow!("only one link can be opened at a time"))),
    };
    let paths = paths.into_iter().map(|path| absolute_path(path)).collect::<Result<Vec<_>, _>>()?;
    window::run(window::Wanted { link, paths, ..arguments.window.into() })
}

/// Returns the absolute path of an existing file, also from a `file:` URL, which desktops pass for dropped files.
fn absolute_path(what: &str) -> Result<PathBuf, Failure> {
    let path = match what.get(..5).filter(|start| start.eq_ignore_ascii_case("file:")) {
        Some(_) => url::Url::parse(what).ok().and_then(|url| url.to_file_path().ok()).unwrap_or_else(|| what.into()),
        None => PathBuf::from(what),
    };
    path.metadata().and_then(|_| absolute(&path)).with_context(|| format!("cannot open {what}")).map_err(Failure::usage)
}

fn absolute(path: &Path) -> std::io::Result<PathBuf> {
    std::path::absolute(path)
}
