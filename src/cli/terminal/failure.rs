//! The failure of a verb: its message and its exit code.

use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use lunette_client::model::display::{Breaks, display_text};
use lunette_inspector::files::error_text;

/// A result other than success.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    /// `None` if everything was reported already.
    error: Option<anyhow::Error>,
}

impl Failure {
    /// The service refused, or an item failed: exit code 1.
    pub fn failed(error: anyhow::Error) -> Self {
        Self { code: 1, error: Some(error) }
    }

    /// Items failed and each was reported: exit code 1.
    pub fn reported() -> Self {
        Self { code: 1, error: None }
    }

    /// Wrong usage, or no service: exit code 2.
    pub fn usage(error: anyhow::Error) -> Self {
        Self { code: 2, error: Some(error) }
    }

    /// Whether the arguments are to blame, or that there is no service.
    pub(in crate::cli) fn is_usage(&self) -> bool {
        self.code == 2
    }

    /// This failure with the exit code 2, for a command whose exit code 1 is an answer.
    pub(in crate::cli) fn into_usage(self) -> Self {
        Self { code: 2, ..self }
    }

    /// No display, or a library is missing: exit code 3.
    pub fn no_window(error: anyhow::Error) -> Self {
        Self { code: 3, error: Some(error) }
    }

    /// Prints the error chain on one line and returns the exit code.
    pub(in crate::cli) fn report(self) -> ExitCode {
        if let Some(error) = self.error {
            // If stderr is closed, only the exit code is left.
            let message = format!("lunette: {}", causes(&error));
            writeln!(std::io::stderr(), "{}", display_text(&message, Breaks::Kept)).ok();
        }
        ExitCode::from(self.code)
    }
}

/// The message of an error and of what caused it.
fn causes(error: &anyhow::Error) -> String {
    let message = |cause: &(dyn std::error::Error + 'static)| match cause.downcast_ref::<io::Error>() {
        Some(error) => error_text(error),
        None => cause.to_string(),
    };
    error.chain().map(message).collect::<Vec<_>>().join(": ")
}

/// Prints what is wrong with the arguments, in the form of every other error, or the help that was asked for; returns the
/// exit code.
pub(in crate::cli) fn report_arguments(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() || error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        error.print().ok(); // There is nowhere left to say that this failed.
        return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
    }
    let message = option_before_command(error)
        .or_else(|| meant(error))
        .unwrap_or_else(|| error.render().to_string().replacen("error:", "lunette:", 1));
    write!(std::io::stderr(), "{message}").ok();
    ExitCode::from(2)
}

/// What other programs call commands, and what they are called here.
const SYNONYMS: &[(&str, &str)] = &[
    ("add", "new"),
    ("annotate", "edit"),
    ("create", "new"),
    ("find", "search"),
    ("get", "show"),
    ("grep", "search"),
    ("info", "show"),
    ("remove", "delete"),
    ("rename", "edit --name"),
    ("revert", "undo"),
    ("start", "serve"),
    ("status", "services"),
    ("update", "edit"),
    ("version", "--version"),
    ("view", "show"),
];

/// What to do about a command that has another name here.
fn meant(error: &clap::Error) -> Option<String> {
    let ContextValue::String(command) = error.get(ContextKind::InvalidSubcommand)? else { return None };
    let (_, known) = SYNONYMS.iter().find(|(word, _)| word == command)?;
    Some(format!("lunette: there is no command {command:?}; did you mean `lunette {known}`?\n"))
}

/// What to do about an option that stands before the command, where only those of the window stand.
fn option_before_command(error: &clap::Error) -> Option<String> {
    let ContextValue::String(command) = error.get(ContextKind::InvalidSubcommand)? else { return None };
    let options = match error.get(ContextKind::PriorArg)? {
        ContextValue::String(option) => option.clone(),
        ContextValue::Strings(options) => options.join(" "),
        _ => return None,
    };
    Some(format!(
        "lunette: the options of a command come after it, as in `lunette {command} {options}`; `lunette help {command}` \
         lists them\n"
    ))
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.as_ref().map_or(Ok(()), |error| write!(f, "{error:#}"))
    }
}
