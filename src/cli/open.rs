//! `lunette open`: shows a link or imports files in the window that is open, else in a new one. What a desktop calls.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use crate::app::navigation::link::{self, Link};

use super::{Failure, WindowArguments, window};

/// What `open` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Link such as lunette://asset/UUID, or files and folders to import; the window asks before importing.
    #[arg(value_name = "LINK|PATH")]
    what: Vec<String>,
    #[command(flatten)]
    window: WindowArguments,
}

/// Opens the window, or brings the one that is open forward.
pub fn run(arguments: Arguments) -> Result<(), Failure> {
    let (links, paths): (Vec<&String>, Vec<&String>) = arguments.what.iter().partition(|what| link::is_meant(what));
    let links = links.into_iter().map(|link| link.parse::<Link>()).collect::<Result<Vec<_>, _>>();
    let link = match links.map_err(|error| Failure::usage(error.into()))?.as_slice() {
        [] => None,
        [link] => Some(link.clone()),
        _ => return Err(Failure::usage(anyhow!("only one link can be opened at a time"))),
    };
    let paths = paths.into_iter().map(|path| whole(path)).collect::<Result<Vec<_>, _>>()?;
    window::run(window::Wanted { link, paths, ..arguments.window.into() })
}

/// The whole path of what is there, also of a `file:` address, as desktops hand over what is dropped.
fn whole(what: &str) -> Result<PathBuf, Failure> {
    let path = match what.get(..5).filter(|start| start.eq_ignore_ascii_case("file:")) {
        Some(_) => url::Url::parse(what).ok().and_then(|url| url.to_file_path().ok()).unwrap_or_else(|| what.into()),
        None => PathBuf::from(what),
    };
    path.metadata().and_then(|_| absolute(&path)).with_context(|| format!("cannot open {what}")).map_err(Failure::usage)
}

fn absolute(path: &Path) -> std::io::Result<PathBuf> {
    std::path::absolute(path)
}
