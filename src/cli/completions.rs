//! `lunette completions`: what a shell needs to complete verbs and options.

use clap::builder::PossibleValue;
use clap_complete::Shell;

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
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell.0, &mut help::command(), "lunette", &mut script);
    super::print(&String::from_utf8_lossy(&script))
}
