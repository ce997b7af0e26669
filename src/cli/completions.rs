//! `lunette completions`: what a shell needs to complete verbs, options, and the values that are known.

use std::collections::BTreeSet;

use clap::Command;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap_complete::Shell;

use crate::app::listing::rows::{ApplicationRow, AssetRow, ExternalRow};
use crate::app::listing::{Column, Row};
use lunette_client::operation::OPERATIONS;

use super::{Failure, help};

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

/// Prints them.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    super::print(&script(arguments.shell.0))
}

fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_values(help::command()), "lunette", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if shell == Shell::Fish {
        // The generated script completes the values of options alone.
        let operations = OPERATIONS.iter().map(|info| info.name).collect::<Vec<_>>().join(" ");
        for (verb, values) in [("call", operations.as_str()), ("list", "applications external assets")] {
            let condition = format!("__fish_lunette_using_subcommand {verb}");
            script.push_str(&format!("complete -c lunette -n \"{condition}\" -f -a \"{values}\"\n"));
        }
    }
    script
}

/// The command line with the names of operations, and of the columns of any list.
fn with_values(command: Command) -> Command {
    let operations = PossibleValuesParser::new(OPERATIONS.iter().map(|info| info.name));
    let columns: BTreeSet<&str> =
        keys::<ApplicationRow>().chain(keys::<ExternalRow>()).chain(keys::<AssetRow>()).collect();
    let columns = PossibleValuesParser::new(columns);
    command
        .mut_subcommand("call", |call| {
            // An argument that is changed comes last otherwise.
            call.mut_arg("operation", |argument| argument.value_parser(operations).index(1))
                .mut_arg("inputs", |argument| argument.index(2))
        })
        .mut_subcommand("list", |list| list.mut_arg("sort", |argument| argument.value_parser(columns)))
}

fn keys<R: Row>() -> impl Iterator<Item = &'static str> {
    R::Column::ALL.iter().map(|column| column.key())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_and_columns_are_completed_in_every_shell() {
        for shell in <Named as clap::ValueEnum>::value_variants() {
            let script = script(shell.0);
            // The script for PowerShell completes names of options alone.
            for value in ["assetSnapshot", "tagsCreateNewTag", "sessions", "language"] {
                assert!(script.contains(value) || matches!(shell.0, Shell::PowerShell), "{shell:?}: {value}");
            }
        }
    }
}
