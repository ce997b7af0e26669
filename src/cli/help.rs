//! The parts of `--help` beyond the arguments: verbs in groups, examples, data locations, exit codes.
//!
//! What must hold: every visible verb is in one group and has an example, and the program accepts each example; tests
//! check this.

use std::fmt::Write as _;

use clap::{Arg, ArgAction, Command, CommandFactory as _};

use super::Arguments;
use super::data_dir::DATA_FOLDERS;

pub(super) mod complete_values;
pub(super) mod completions;
pub(super) mod man;

/// A group of verbs: its heading, and each verb with an example and its explanation.
type Group = (&'static str, &'static [(&'static str, &'static str, &'static str)]);

/// The verbs, in the order of the help.
const GROUPS: &[Group] = &[
    (
        "The window",
        &[(
            "open",
            "lunette open lunette://asset/5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159",
            "show an asset in the open window or in a new one",
        )],
    ),
    (
        "A service",
        &[
            (
                "serve",
                "lunette serve --port 0 --data ./scratch",
                "run a service for testing on any free port with its own data",
            ),
            ("services", "lunette services", "list the services on this machine"),
            (
                "check",
                "lunette check --read-only --url http://192.168.1.7:39300",
                "check another service without writing to it",
            ),
        ],
    ),
    (
        "Data",
        &[
            ("backup", "lunette backup before-the-upgrade.sqlite3", "write a backup and its checksum"),
            (
                "restore",
                "lunette restore before-the-upgrade.sqlite3",
                "restore it, and print where the previous database is now",
            ),
            (
                "rescue",
                "lunette rescue --from http://localhost:39300 --to rescued",
                "rescue everything from a service that ends, with a receipt",
            ),
        ],
    ),
    (
        "Assets",
        &[
            (
                "list",
                "lunette list assets --filter 'language:rust updated:<7d' --json",
                "list Rust assets of the last seven days as JSON",
            ),
            ("search", "lunette search 'connection pool' --limit 5", "find the five assets that match best"),
            ("show", "lunette show notes.md --content > notes.md", "write the content of an asset to a file"),
            ("diff", "lunette diff notes.md ./notes.md", "compare an asset with a file"),
            ("compare", "lunette compare own @yesterday", "print what changed since yesterday"),
            (
                "copy",
                "lunette copy --from http://localhost:39301 --to own --dry-run",
                "print what would be copied from another service",
            ),
            ("export", "lunette export notes.md --as html -o notes.html", "export an asset as a web page"),
            ("import", "lunette import src notes.md", "import a folder and a file"),
            ("new", "lunette new --name today --tag log < today.txt", "create an asset from standard input"),
            (
                "edit",
                "lunette edit notes.md --name plans.md --favourite yes",
                "rename an asset and make it a favourite",
            ),
            ("tag", "lunette tag 'to do' 5f0c1a34 notes.md", "add a tag to two assets"),
            ("untag", "lunette untag 'to do' notes.md --dry-run", "print what removing a tag would change"),
            (
                "links",
                "lunette links tags merge rust-lang --into rust --dry-run",
                "print what merging two tags would change",
            ),
            ("delete", "lunette delete 5f0c1a34", "delete an asset"),
            ("undelete", "lunette undelete notes.md", "restore a deleted asset"),
        ],
    ),
    (
        "Changes",
        &[
            ("history", "lunette history --limit 10", "list the last ten changes"),
            ("undo", "lunette undo --dry-run", "print what undoing the last change would change"),
            (
                "proposals",
                "lunette proposals show 3",
                "show what an assistant proposed, before applying or declining it",
            ),
            ("resume", "lunette resume", "continue the last command that was interrupted"),
            ("cancel", "lunette cancel", "end it without doing the rest, so that it can be undone"),
            ("bulk", "lunette bulk plan.json --dry-run", "print what a plan would change without changing anything"),
            ("call", "lunette call assetSnapshot asset=5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159", "print an asset as JSON"),
        ],
    ),
    #[cfg(feature = "mcp")]
    (
        "Assistants",
        &[
            ("mcp", "lunette mcp --install claude", "add Lunette to an assistant, after asking"),
            ("assistants", "lunette assistants off 'some assistant'", "turn an assistant off at once"),
        ],
    ),
    (
        "Reference",
        &[
            ("operations", "lunette operations --json", "print the table of operations for another program"),
            ("openapi", "lunette openapi --interface-only", "print the interface without the extension operations"),
            (
                "completions",
                "lunette completions bash > ~/.local/share/bash-completion/completions/lunette",
                "complete commands and options in new shells",
            ),
            ("man", "lunette man serve | man -l -", "read the manual page of a command"),
        ],
    ),
];

/// Examples of the program as a whole, with their explanations.
const EXAMPLES: &[(&str, &str)] = &[
    ("lunette", "open the window"),
    ("lunette --data ./scratch", "try things out with separate data"),
    (
        "lunette --url http://192.168.1.7:39300",
        "inspect a service on another machine, read-only until you allow changes",
    ),
    ("lunette import src", "import a folder without opening a window"),
    ("lunette help import", "show the help of a command with an example"),
];

const REST: &str = "
  With --data DIR everything is in DIR, and backups are in DIR-backups. Only one service can use a folder. Starting
  Lunette again brings its window to the front; --new-window opens another one. Nothing is stored anywhere else.

Which service is used:
  The first of these that applies: the service named with --url; the service running on the data folder (your own, or
  the one named with --data); without --data, another service that you are running on this machine; the data folder
  itself, opened while the command runs. A service of another user is used only if named with --url. Commands that
  write print the address on stderr.

Exit codes:
  0  done
  1  the service returned an error, or some items failed; each one is named
  2  invalid arguments, no service, or no data
  3  no display, or a desktop library is missing

Environment:
  LUNETTE_LOG  log level on stderr, such as lunette=debug

Results go to stdout, messages to stderr.";

/// The id of the option that every command has.
pub const QUIET: &str = "quiet";

/// Returns the command line with all of its help.
pub fn command() -> Command {
    let quiet = || {
        let help = "Print only results and errors";
        Arg::new(QUIET).short('q').long(QUIET).help(help).action(ArgAction::SetTrue).global(true)
    };
    let mut command = Arguments::command().mut_subcommands(|verb| match verb.is_hide_set() {
        true => verb,
        false => verb.arg(quiet()),
    });
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
    let after = format!("Examples:\n{}\nWhere data lives:\n{DATA_FOLDERS}{REST}", shown(EXAMPLES));
    command.help_template(template).after_help(after)
}

/// Returns the verbs under their headings.
fn verbs(command: &Command) -> String {
    let mut text = String::new();
    for (heading, verbs) in GROUPS {
        write!(text, "\n{heading}:\n").ok(); // Writing to a String cannot fail.
        for verb in verbs.iter().filter_map(|(verb, ..)| command.find_subcommand(verb)) {
            let names: Vec<&str> = std::iter::once(verb.get_name()).chain(verb.get_visible_aliases()).collect();
            writeln!(text, "  {:<14}{}", names.join(", "), verb.get_about().cloned().unwrap_or_default()).ok();
        }
    }
    text
}

/// Returns the examples, each with its explanation on the next line.
fn shown(examples: &[(&str, &str)]) -> String {
    examples.iter().map(|(example, what)| format!("  {example}\n      {what}\n")).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Splits the first command of an example into words like a shell: quotes group, and what follows is left to the
    /// shell.
    fn words(example: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut quoted = false;
        for letter in example.chars() {
            match letter {
                '\'' => quoted = !quoted,
                '|' | '>' | '<' | '&' if !quoted => break,
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
        let available =
            rows.filter(|(verb, ..)| command().find_subcommand(verb).is_some()).map(|(_, example, _)| *example);
        for example in available.chain(EXAMPLES.iter().map(|(example, _)| *example)) {
            let words = words(example);
            let asks_for_help = words.get(1).is_some_and(|word| word == "help");
            let taken = command().try_get_matches_from(words);
            let is_help = taken.as_ref().is_err_and(|error| error.kind() == clap::error::ErrorKind::DisplayHelp);
            assert!(taken.is_ok() || asks_for_help && is_help, "{example}: {taken:?}");
        }
    }

    #[test]
    fn every_verb_is_in_one_group_with_its_own_example() {
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
    fn the_help_fits_a_terminal_and_contains_common_search_terms() {
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
