//! `lunette man`: manual pages, generated from the same texts as `--help`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::builder::Resettable;
use clap::{Arg, ArgAction, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::cli::{Failure, help};

/// What `man` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Command to print the page of. Default: the page of the program.
    #[arg(value_name = "COMMAND", conflicts_with = "to")]
    verb: Option<String>,
    /// Write all pages to this folder, which must exist.
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
}

/// Prints a page, or writes all of them.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let pages = pages();
    if let Some(folder) = &arguments.to {
        return pages.iter().try_for_each(|page| write(folder, page));
    }
    let name = arguments.verb.as_ref().map_or_else(|| "lunette".to_owned(), |verb| format!("lunette-{verb}"));
    let is_meant = |page: &&Command| {
        page_name(page) == name || page.get_visible_aliases().any(|alias| Some(alias) == arguments.verb.as_deref())
    };
    let page = pages.iter().find(is_meant);
    let page = page.ok_or_else(|| {
        let verb = arguments.verb.as_deref().unwrap_or_default();
        Failure::usage(anyhow!("there is no command {verb:?}; `lunette --help` lists them"))
    })?;
    let text = text(page).context("cannot create the page").map_err(Failure::failed)?;
    crate::cli::print(&String::from_utf8_lossy(&text))
}

/// Returns the page of the program, and one for each visible verb.
fn pages() -> Vec<Command> {
    let mut command = help::command().disable_help_subcommand(true);
    command.build();
    let verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    let mut pages: Vec<Command> = verbs.cloned().collect();
    pages.insert(0, command);
    pages
}

/// Returns the name of a page, such as `lunette-serve`.
fn page_name(page: &Command) -> &str {
    page.get_display_name().unwrap_or(page.get_name())
}

fn text(page: &Command) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let words = page.get_after_help().map(ToString::to_string).unwrap_or_default();
    let page = page.clone().after_help(Resettable::Reset).override_usage(synopsis(page));
    Man::new(page).manual("Lunette").date(released()).render(&mut text)?;
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

/// Returns the synopsis of a verb, with the values of its options.
fn synopsis(page: &Command) -> String {
    let mut usage = page.get_bin_name().unwrap_or(page.get_name()).to_owned();
    let shown = page.get_arguments().filter(|argument| !argument.is_hide_set());
    let asks = |argument: &&Arg| matches!(argument.get_action(), ArgAction::Help | ArgAction::Version);
    let (positional, options): (Vec<_>, Vec<_>) =
        shown.filter(|argument| !asks(argument)).partition(|argument| argument.is_positional());
    for argument in options.into_iter().chain(positional) {
        let values = argument.get_value_names().unwrap_or_default();
        let values = if argument.get_action().takes_values() { values.join(" ") } else { String::new() };
        let name = argument.get_long().map(|name| format!("--{name}")).unwrap_or_default();
        let called = format!("{name} {values}");
        let many = matches!(argument.get_action(), ArgAction::Append);
        let ellipsis =
            if many || argument.get_num_args().is_some_and(|count| count.max_values() > 1) { "..." } else { "" };
        match argument.is_required_set() {
            true => usage.push_str(&format!(" {}{ellipsis}", called.trim())),
            false => usage.push_str(&format!(" [{}]{ellipsis}", called.trim())),
        }
    }
    usage
}

/// Returns the release date of this version, from the program's desktop metadata.
fn released() -> &'static str {
    let metadata = include_str!("../../../assets/desktop/local.lunette.lunette.metainfo.xml");
    let release = concat!("<release version=\"", env!("CARGO_PKG_VERSION"), "\" date=\"");
    metadata.split_once(release).and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default()
}

fn write(folder: &Path, page: &Command) -> Result<(), Failure> {
    let path = folder.join(format!("{}.1", page_name(page)));
    let written = text(page).and_then(|text| fs::write(&path, text));
    written.with_context(|| format!("cannot write the page to {}", path.display())).map_err(Failure::failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_manual_page_has_a_date_a_synopsis_and_no_empty_section() {
        assert!(released().len() == 10, "{}", released());
        for page in pages() {
            let text = String::from_utf8(text(&page).expect("a page")).expect("UTF-8");
            assert!(text.contains(released()) && !text.contains("EXTRA"), "{text}");
            let lines: Vec<_> = text.lines().collect();
            let empty = lines.windows(2).find(|pair| pair[0].starts_with(".SH") && pair[1].starts_with(".SH"));
            assert_eq!(empty, None, "{}", page_name(&page));
        }
        let list = pages().into_iter().find(|page| page_name(page) == "lunette-list").expect("the page of list");
        let usage = synopsis(&list);
        assert!(usage.starts_with("lunette list [--filter FILTER] [--sort COLUMN[:desc]] [--limit N]"), "{usage}");
        assert!(usage.ends_with(" [LIST]"), "{usage}");
    }
}
