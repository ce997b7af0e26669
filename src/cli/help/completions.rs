//! `lunette completions`: a script that lets a shell complete verbs, options and values.

use std::collections::BTreeSet;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Command};
use clap_complete::Shell;

use lunette_client::operation::OPERATIONS;
use lunette_inspector::listing::rows::{ApplicationRow, AssetRow, ExternalRow};

use crate::cli::{Failure, help, list};

/// What the function of bash does first: it offers the values of `lunette complete-values`, if there are any.
const BASH: &str = r#"    COMPREPLY=()
    local value
    while IFS= read -r value; do
        COMPREPLY+=("$(printf '%q' "${value%%$'\t'*}")")
    done < <("$1" complete-values -- "${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
    [[ ${#COMPREPLY[@]} -gt 0 ]] && return 0
"#;

/// The completion of zsh, which asks the program for values.
const ZSH: &str = r#"_lunette() {
    local -a lunette_values
    lunette_values=(${${(f)"$($words[1] complete-values -- "${(@)words[1,CURRENT]}" 2>/dev/null)"}%%$'\t'*})
    if (( $#lunette_values )); then
        compadd -a lunette_values
        return
    fi
"#;

/// What `completions` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Named,
}

/// The shells, as people call them.
#[derive(Clone, Copy, Debug)]
struct Named(Shell);

impl clap::ValueEnum for Named {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self(Shell::Bash), Self(Shell::Zsh), Self(Shell::Fish), Self(Shell::PowerShell)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        self.0.to_possible_value()
    }
}

/// Prints the script.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    crate::cli::print(&script(arguments.shell.0))
}

fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_values(help::command()), "lunette", &mut script);
    let mut script = without_hidden(&String::from_utf8_lossy(&script));
    // The generated scripts know no values that a service has to be asked for.
    match shell {
        Shell::Bash => script = script.replacen("    COMPREPLY=()\n", BASH, 1),
        Shell::Zsh => script = script.replacen("_lunette() {\n", ZSH, 1),
        Shell::Fish => script.push_str(&fish_values()),
        _ => {}
    }
    if shell == Shell::Fish {
        // The generated script completes the values of options only.
        let operations = OPERATIONS.iter().map(|info| info.name).collect::<Vec<_>>().join(" ");
        for (verb, values) in [("call", operations.as_str()), ("list", "applications external assets")] {
            let condition = format!("__fish_lunette_using_subcommand {verb}");
            script.push_str(&format!("complete -c lunette -n \"{condition}\" -f -a \"{values}\"\n"));
        }
    }
    script
}

/// Removes the commands that are hidden, which the generated scripts offer after `help`.
fn without_hidden(script: &str) -> String {
    let hidden: Vec<String> = help::command()
        .get_subcommands()
        .filter(|verb| verb.is_hide_set())
        .map(|verb| verb.get_name().to_owned())
        .collect();
    let offers = |line: &&str| {
        let line = line.trim_start();
        hidden.iter().any(|name| {
            let quoted = format!("'{name}'");
            line.starts_with(&format!("'{name}:"))
                || line.contains(&format!("-a \"{name}\""))
                || line.contains(&format!("::new({quoted}, {quoted}"))
        })
    };
    let mut text = String::with_capacity(script.len());
    for line in script.lines().filter(|line| !offers(line)) {
        let mut line = line.to_owned();
        if line.trim_start().starts_with("opts=\"") {
            for name in &hidden {
                line = line.replace(&format!(" {name} "), " ").replace(&format!("\"{name} "), "\"");
            }
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// The lines for fish, which calls `lunette complete-values` for the arguments and options that name something.
fn fish_values() -> String {
    const VALUES: &str =
        "(lunette complete-values -- (commandline -opc) (commandline -ct | string collect --allow-empty) 2>/dev/null)";
    let arguments = ["show", "edit", "export", "delete", "undelete", "tag", "untag", "undo", "resume", "cancel"]
        .map(|verb| (verb, ""));
    let options = [("edit", "-l language -r "), ("new", "-l language -r "), ("new", "-l tag -r ")];
    let lines = arguments.into_iter().chain(options).map(|(verb, option)| {
        format!("complete -c lunette -n \"__fish_lunette_using_subcommand {verb}\" {option}-f -a \"{VALUES}\"\n")
    });
    lines.collect()
}

/// Adds the names of operations, and of the columns of all lists, to the command line.
fn with_values(command: Command) -> Command {
    let operations = PossibleValuesParser::new(OPERATIONS.iter().map(|info| info.name));
    let columns: BTreeSet<&str> =
        list::keys::<ApplicationRow>().chain(list::keys::<ExternalRow>()).chain(list::keys::<AssetRow>()).collect();
    let columns = PossibleValuesParser::new(columns);
    with_plain_names(command)
        .mut_subcommand("call", |call| {
            // A changed argument would otherwise come last.
            call.mut_arg("operation", |argument| argument.value_parser(operations).index(1))
                .mut_arg("inputs", |argument| argument.index(2))
        })
        .mut_subcommand("list", |list| list.mut_arg("sort", |argument| argument.value_parser(columns)))
}

/// Removes what is optional from the names of values, such as that of `COLUMN[:desc]`: brackets and colons mean something
/// in the scripts of zsh.
fn with_plain_names(command: Command) -> Command {
    let plain = |argument: Arg| {
        let is_column =
            argument.get_value_names().is_some_and(|names| names.iter().any(|name| name.starts_with("COLUMN[")));
        if is_column { argument.value_name("COLUMN") } else { argument }
    };
    command.mut_args(plain).mut_subcommands(with_plain_names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_script_but_that_of_powershell_asks_for_values() {
        for shell in <Named as clap::ValueEnum>::value_variants() {
            let asks = script(shell.0).contains("complete-values -- ");
            assert_eq!(asks, !matches!(shell.0, Shell::PowerShell), "{shell:?}");
        }
    }

    #[test]
    fn no_script_offers_a_hidden_command() {
        for shell in <Named as clap::ValueEnum>::value_variants() {
            let script = script(shell.0);
            let offered = |line: &&str| {
                let line = line.trim_start();
                line.starts_with("opts=\"") && line.contains("complete-values")
                    || line.starts_with("'complete-values:")
                    || line.contains("-a \"complete-values\"")
                    || line.contains("::new('complete-values'")
            };
            assert_eq!(script.lines().find(offered), None, "{shell:?}");
        }
    }

    #[test]
    fn the_name_of_a_value_means_nothing_to_zsh() {
        fn check(command: &Command) {
            for argument in command.get_arguments() {
                for name in argument.get_value_names().unwrap_or_default() {
                    assert!(!name.contains(['[', ']', ':', '(']), "{}: {name}", command.get_name());
                }
            }
            command.get_subcommands().for_each(check);
        }
        check(&with_values(help::command()));
        assert!(script(Shell::Zsh).contains(":COLUMN:"));
    }

    #[test]
    fn operations_and_columns_are_completed_in_every_shell() {
        for shell in <Named as clap::ValueEnum>::value_variants() {
            let script = script(shell.0);
            // The script for PowerShell completes only option names.
            for value in ["assetSnapshot", "tagsCreateNewTag", "sessions", "language"] {
                assert!(script.contains(value) || matches!(shell.0, Shell::PowerShell), "{shell:?}: {value}");
            }
        }
    }
}
