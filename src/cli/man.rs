//! `lunette man`: the manual, as pages for `man`; made from the same words as `--help`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::{Failure, help};

/// What `man` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The verb to print the page of; without it the program's own page.
    #[arg(value_name = "VERB", conflicts_with = "to")]
    verb: Option<String>,
    /// Write all pages into this folder, which must exist.
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

/// Prints a page, or writes all.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let pages = pages();
    if let Some(folder) = &arguments.to {
        return pages.iter().try_for_each(|page| write(folder, page));
    }
    let name = arguments.verb.as_ref().map_or_else(|| "lunette".to_owned(), |verb| format!("lunette-{verb}"));
    let page = pages.iter().find(|page| named(page) == name);
    let page = page.ok_or_else(|| Failure::usage(anyhow!("there is no verb of that name: see `lunette --help`")))?;
    let text = text(page).context("the page could not be made").map_err(Failure::failed)?;
    super::print(&String::from_utf8_lossy(&text))
}

/// The program's page, and one for each verb that is shown.
fn pages() -> Vec<Command> {
    let mut command = help::command().disable_help_subcommand(true);
    command.build();
    let verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    let mut pages: Vec<Command> = verbs.cloned().collect();
    pages.insert(0, command);
    pages
}

/// The name of a page, such as `lunette-serve`.
fn named(page: &Command) -> &str {
    page.get_display_name().unwrap_or(page.get_name())
}

fn text(page: &Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let words = page.get_after_help().map(ToString::to_string).unwrap_or_default();
    Man::new(page.clone().after_help("")).manual("Lunette").render(&mut text)?;
    let mut roff = Roff::new();
    for part in words.split("\n\n") {
        let (heading, lines) = match part.split_once('\n') {
            Some((heading, lines)) if heading.ends_with(':') => (heading.trim_end_matches(':'), lines),
            _ => ("Output", part),
        };
        roff.control("SH", [heading.to_uppercase().as_str()]);
        // Line by line, as on a terminal.
        roff.control("nf", []);
        lines.lines().for_each(|line| {
            roff.text([roman(line)]);
        });
        roff.control("fi", []);
    }
    roff.to_writer(&mut text)?;
    Ok(text)
}

fn write(folder: &Path, page: &Command) -> Result<(), Failure> {
    let path = folder.join(format!("{}.1", named(page)));
    let written = text(page).and_then(|text| fs::write(&path, text));
    written.with_context(|| format!("the page could not be written: {}", path.display())).map_err(Failure::failed)
}
