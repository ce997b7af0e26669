//! What `--help` says beyond the arguments: verbs in groups, examples, where data lives, exit codes.
//!
//! What must hold: every verb that is shown stands in one group and has an example, and each example is one that the
//! program takes; the tests walk the table.

use std::fmt::Write as _;

use clap::{Command, CommandFactory as _};

use super::Arguments;

/// A group of verbs: its heading, and each verb with an example and what that one does.
type Group = (&'static str, &'static [(&'static str, &'static str, &'static str)]);

/// The verbs, in the order of the help.
const GROUPS: &[Group] = &[
    (
        "The window",
        &[(
            "open",
            "lunette open lunette://asset/5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159",
            "shows an asset in the window that is open, else in a new one",
        )],
    ),
    (
        "A service",
        &[
            (
                "serve",
                "lunette serve --port 0 --data ./scratch",
                "a service for a test: any free port, a folder of its own",
            ),
            ("services", "lunette services", "what runs here, and why anything else is none"),
            (
                "check",
                "lunette check --read-only --url http://192.168.1.7:39300",
                "checks another service, and writes nothing",
            ),
        ],
    ),
    (
        "Data",
        &[
            ("backup", "lunette backup before-the-upgrade.sqlite3", "a copy, with its checksum beside it"),
            (
                "restore",
                "lunette restore before-the-upgrade.sqlite3",
                "brings it back, and says where the other is now",
            ),
        ],
    ),
    (
        "Assets",
        &[
            ("import", "lunette import src notes.md", "makes assets of a folder and a file"),
            (
                "list",
                "lunette list assets --filter 'language:rust updated:<7d' --json",
                "Rust assets of the last seven days, as JSON",
            ),
            ("bulk", "lunette bulk plan.json --dry-run", "prints what a plan would change, and sends no write"),
            (
                "call",
                "lunette call assetSnapshot asset=5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159",
                "an asset as the service has it, as JSON",
            ),
        ],
    ),
    (
        "Reference",
        &[
            ("operations", "lunette operations --json", "the table of operations, for a program"),
            ("openapi", "lunette openapi --interface-only", "the interface alone, without the companions"),
            (
                "completions",
                "lunette completions bash > ~/.local/share/bash-completion/completions/lunette",
                "completes verbs and options in new shells",
            ),
            ("man", "lunette man serve | man -l -", "reads the page of a verb"),
        ],
    ),
];

/// Examples of the program as a whole, and what they do.
const EXAMPLES: &[(&str, &str)] = &[
    ("lunette", "opens the window on a service that runs, else on its own"),
    ("lunette --data ./scratch", "opens it on data of its own, to try things out"),
    ("lunette --url http://192.168.1.7:39300", "looks at a service elsewhere; it is only read until you say otherwise"),
    ("lunette import src", "imports a folder into your data, without a window; a service need not run"),
    ("lunette help import", "says all of a verb, with an example"),
];

const DATA: &str = if cfg!(windows) {
    r"  data      %LOCALAPPDATA%\lunette\data: everything the service keeps, the journal of writes, drafts
  backups   %LOCALAPPDATA%\lunette\data-backups: five daily ones, those by hand and those before a new version
  settings  %APPDATA%\lunette\config\settings.json"
} else if cfg!(target_os = "macos") {
    "  data      ~/Library/Application Support/lunette: everything the service keeps, the journal of writes, drafts
  backups   ~/Library/Application Support/lunette-backups: five daily ones, those by hand and before a new version
  settings  ~/Library/Application Support/lunette/settings.json"
} else {
    "  data      ~/.local/share/lunette: everything the service keeps, the journal of writes, drafts
  backups   ~/.local/share/lunette-backups: five daily ones, those by hand and those before a new version
  settings  ~/.config/lunette/settings.json"
};

const REST: &str = "
  With --data DIR all of it is in DIR, and backups are in DIR-backups. One folder is served by one program, and has one
  window: a second start brings it forward, and --new-window opens another beside it. Nothing is kept anywhere else.

Which service is used:
  --url URL, if given; else the one that serves the data folder (yours, or that of --data DIR); else, without --data, one
  of the same user that runs on this machine; else the data folder itself, opened for as long as the command takes.
  A service of another user is used only with --url. Commands that write print where to on stderr.

Exit codes:
  0  done
  1  the service refused, or an item failed; each is named
  2  wrong usage, no service, or no data to read
  3  no display, or a library of the desktop is missing

Environment:
  LUNETTE_LOG  what the program says of itself on stderr, such as lunette=debug

Answers go to stdout, everything said to people to stderr.";

/// The command line with all of its help.
pub fn command() -> Command {
    let mut command = Arguments::command();
    for (verb, example, what) in GROUPS.iter().flat_map(|(_, verbs)| *verbs) {
        if command.find_subcommand(verb).is_some() {
            let text = format!("Example:\n{}", shown(&[(*example, *what)]));
            command = command.mut_subcommand(verb, |verb| verb.after_help(text));
        }
    }
    let template = format!(
        "{{about}}\n\n{{usage-heading}} lunette [OPTIONS]\n       lunette COMMAND …\n{}\nOptions of the window:\n{{options}}{{after-help}}",
        verbs(&command)
    );
    let after = format!("Examples:\n{}\nWhere data lives:\n{DATA}{REST}", shown(EXAMPLES));
    command.help_template(template).after_help(after)
}

/// The verbs under their headings.
fn verbs(command: &Command) -> String {
    let mut text = String::new();
    for (heading, verbs) in GROUPS {
        write!(text, "\n{heading}:\n").ok(); // Writing to a String cannot fail.
        for verb in verbs.iter().filter_map(|(verb, ..)| command.find_subcommand(verb)) {
            writeln!(text, "  {:<13}{}", verb.get_name(), verb.get_about().cloned().unwrap_or_default()).ok();
        }
    }
    text
}

/// Examples, each with what it does in the line below.
fn shown(examples: &[(&str, &str)]) -> String {
    examples.iter().map(|(example, what)| format!("  {example}\n      {what}\n")).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The words a shell makes of an example's first command: quotes hold together, and what follows is the shell's.
    fn words(example: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut quoted = false;
        for letter in example.chars() {
            match letter {
                '\'' => quoted = !quoted,
                '|' | '>' | '&' if !quoted => break,
                ' ' if !quoted => words.push(String::new()),
                letter => words.last_mut().expect("one at least").push(letter),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn every_example_is_taken() {
        let rows = GROUPS.iter().flat_map(|(_, verbs)| *verbs);
        let there = rows.filter(|(verb, ..)| command().find_subcommand(verb).is_some()).map(|(_, example, _)| *example);
        for example in there.chain(EXAMPLES.iter().map(|(example, _)| *example)) {
            let words = words(example);
            let asks_for_help = words.get(1).is_some_and(|word| word == "help");
            let taken = command().try_get_matches_from(words);
            let is_help = taken.as_ref().is_err_and(|error| error.kind() == clap::error::ErrorKind::DisplayHelp);
            assert!(taken.is_ok() || asks_for_help && is_help, "{example}: {taken:?}");
        }
    }

    #[test]
    fn every_verb_stands_in_one_group_with_its_own_example() {
        let command = command();
        let mut known = BTreeSet::new();
        for (verb, example, what) in GROUPS.iter().flat_map(|(_, verbs)| *verbs) {
            assert!(known.insert(*verb), "{verb} stands there twice");
            assert!(example.starts_with(&format!("lunette {verb}")) && !what.is_empty(), "{verb}");
        }
        for verb in command.get_subcommands().filter(|verb| verb.get_name() != "help" && !verb.is_hide_set()) {
            assert!(known.contains(verb.get_name()), "{} is in no group of the help", verb.get_name());
            assert!(verb.get_about().is_some(), "{}", verb.get_name());
        }
    }

    #[test]
    fn the_help_fits_a_terminal_and_says_what_one_looks_for() {
        let mut command = command();
        let help = command.render_long_help().to_string();
        for part in [
            "The window:",
            "Examples:",
            "Which service is used:",
            "Where data lives:",
            "Exit codes:",
            "--new-window",
            "LUNETTE_LOG",
            "serve ",
        ] {
            assert!(help.contains(part), "{part} is missing in:\n{help}");
        }
        let wide = help.lines().find(|line| line.chars().count() > 130);
        assert_eq!(wide, None);
    }
}
