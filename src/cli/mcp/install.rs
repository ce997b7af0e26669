//! Adds Lunette to the settings of a client, and removes it: shows what is written and where, asks, and keeps
//! everything else.
//!
//! What must hold: a file that cannot be read as what it is to be is left alone; an existing entry of another program
//! is never replaced; a file is replaced as a whole or not at all.

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::ValueEnum;
use serde_json::{Value, json};

use lunette_inspector::files::write_whole;

use crate::cli::{Failure, print, print_message};

mod json;

/// A client whose settings are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Client {
    /// Claude Code.
    Claude,
    /// Claude Desktop.
    ClaudeDesktop,
    /// Visual Studio Code.
    Vscode,
    /// Cursor.
    Cursor,
    /// Zed.
    Zed,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Windsurf.
    Windsurf,
}

/// How the settings of a client are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// JSON, with the entry under this field.
    Json(&'static str),
    /// TOML, with a table of its own at the end.
    Toml,
}

/// Why settings are left as they are.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
struct NotChanged(String);

/// What is done with the entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// It is added, with these options of `lunette mcp`.
    Add(Vec<String>),
    /// It is removed.
    Remove,
}

/// The name of the entry.
const NAME: &str = "lunette";

impl Client {
    /// The file of its settings, below the home folder or the folder of settings of the user.
    fn file(self, home: &Path, config: &Path) -> PathBuf {
        match self {
            Self::Claude => home.join(".claude.json"),
            Self::ClaudeDesktop => config.join("Claude/claude_desktop_config.json"),
            Self::Vscode => config.join("Code/User/mcp.json"),
            Self::Cursor => home.join(".cursor/mcp.json"),
            Self::Zed => config.join("zed/settings.json"),
            Self::Codex => home.join(".codex/config.toml"),
            Self::Gemini => home.join(".gemini/settings.json"),
            Self::Windsurf => home.join(".codeium/windsurf/mcp_config.json"),
        }
    }

    fn form(self) -> Form {
        match self {
            Self::Claude | Self::ClaudeDesktop | Self::Cursor | Self::Gemini | Self::Windsurf => {
                Form::Json("mcpServers")
            }
            Self::Vscode => Form::Json("servers"),
            Self::Zed => Form::Json("context_servers"),
            Self::Codex => Form::Toml,
        }
    }

    fn entry(self, program: &str, arguments: &[String]) -> Value {
        match self {
            Self::Claude | Self::Vscode => json!({ "type": "stdio", "command": program, "args": arguments }),
            Self::Zed => json!({ "command": program, "args": arguments, "env": {} }),
            Self::ClaudeDesktop | Self::Cursor | Self::Codex | Self::Gemini | Self::Windsurf => {
                json!({ "command": program, "args": arguments })
            }
        }
    }
}

/// Shows what would be written, asks, and writes it.
pub(super) fn run(client: Client, wish: &Wish, yes: bool) -> Result<(), Failure> {
    let folders = directories::BaseDirs::new();
    let folders =
        folders.ok_or_else(|| Failure::usage(anyhow!("the system does not say where your home folder is")))?;
    let path = client.file(folders.home_dir(), folders.config_dir());
    let before = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::failed(anyhow!("cannot read {}: {error}", path.display()))),
    };
    let after = changed(client, &before, wish)?;
    let after = after.map_err(|why| Failure::failed(anyhow!("{}: {why}; nothing was written", path.display())))?;
    let Some(after) = after else {
        let is_so = if *wish == Wish::Remove { "does not have Lunette" } else { "has Lunette already" };
        print_message(&format!("{} {is_so}", path.display()));
        return Ok(());
    };
    print(&format!("{}\n{}", path.display(), changed_lines(&before, &after)))?;
    if !yes && !agreed()? {
        print_message("nothing was written");
        return Ok(());
    }
    write(&path, &after).map_err(|error| Failure::failed(anyhow!("cannot write {}: {error}", path.display())))?;
    print_message("written; start the client again");
    Ok(())
}

/// The settings after the wish; `None` if they are so already.
fn changed(client: Client, before: &str, wish: &Wish) -> Result<Result<Option<String>, NotChanged>, Failure> {
    let Wish::Add(options) = wish else {
        return Ok(match client.form() {
            Form::Json(field) => json::without(before, field),
            Form::Toml => Ok(without_toml(before)),
        });
    };
    let program = std::env::current_exe().context("the path of this program is not known").map_err(Failure::failed)?;
    let program = program.to_string_lossy().into_owned();
    let arguments: Vec<String> = std::iter::once("mcp".to_owned()).chain(options.iter().cloned()).collect();
    Ok(match client.form() {
        Form::Json(field) => json::with(before, field, &client.entry(&program, &arguments)),
        Form::Toml => with_toml(before, &program, &arguments),
    })
}

/// Returns the settings with a table at the end; `None` if it is there.
fn with_toml(before: &str, program: &str, arguments: &[String]) -> Result<Option<String>, NotChanged> {
    // Strings of JSON are strings of TOML.
    let quoted = |text: &str| Value::from(text).to_string();
    let arguments: Vec<String> = arguments.iter().map(|text| quoted(text)).collect();
    let header = format!("[mcp_servers.{NAME}]");
    let table = format!("{header}\ncommand = {}\nargs = [{}]\n", quoted(program), arguments.join(", "));
    if before.contains(&table) {
        return Ok(None);
    }
    if before.lines().any(|line| line.trim() == header) {
        return Err(NotChanged(format!("it has another table {header}; remove that first")));
    }
    let gap = if before.is_empty() || before.ends_with("\n\n") { "" } else { "\n" };
    let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    Ok(Some(format!("{before}{end}{gap}{table}")))
}

/// Returns the settings without the table; `None` if there is none.
fn without_toml(before: &str) -> Option<String> {
    let header = format!("[mcp_servers.{NAME}]");
    let own = |line: &str| line.trim() == header;
    let start = before.split_inclusive('\n').position(own)?;
    let lines: Vec<&str> = before.split_inclusive('\n').collect();
    // Up to the next table that is not below this one; comments and empty lines before that one are its own.
    let below = format!("[mcp_servers.{NAME}.");
    let is_next = |line: &&str| line.trim_start().starts_with('[') && !line.trim_start().starts_with(&below);
    let end = lines[start + 1..].iter().position(is_next).map_or(lines.len(), |at| start + 1 + at);
    let is_of_next = |line: &&&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let of_next =
        if end == lines.len() { 0 } else { lines[start + 1..end].iter().rev().take_while(is_of_next).count() };
    let (head, tail) = (lines[..start].concat(), lines[end - of_next..].concat());
    Some(if tail.is_empty() { format!("{}\n", head.trim_end()).trim_start().to_owned() } else { head + &tail })
}

/// The lines that differ, from the first to the last: those that are removed, and those that are there instead.
fn changed_lines(before: &str, after: &str) -> String {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = before.iter().zip(&after).take_while(same).count();
    let (before, after) = (&before[head..], &after[head..]);
    let tail = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
    let (removed, added) = (&before[..before.len() - tail], &after[..after.len() - tail]);
    let line = |sign: char| move |line: &&str| format!("{sign} {line}\n");
    removed.iter().map(line('-')).chain(added.iter().map(line('+'))).collect()
}

fn agreed() -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::usage(anyhow!(
            "standard input is not a terminal, so nothing can be asked; add --yes to write this"
        )));
    }
    write!(io::stderr(), "write this? [y/N] ").ok(); // A closed stderr leaves nobody to ask.
    io::stderr().flush().ok();
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).context("cannot read the answer").map_err(Failure::failed)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    write_whole(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_added_at_the_end_of_toml() {
        let arguments = ["mcp".to_owned(), "--data".to_owned(), "/a \"b\"".to_owned()];
        let after = with_toml("model = \"x\"", "/usr/bin/lunette", &arguments).expect("added").expect("new");
        assert!(after.starts_with("model = \"x\"\n\n[mcp_servers.lunette]\n"), "{after}");
        assert!(after.contains(r#"args = ["mcp", "--data", "/a \"b\""]"#), "{after}");
        assert_eq!(with_toml(&after, "/usr/bin/lunette", &arguments), Ok(None));
        assert!(with_toml(&after, "/opt/other", &arguments).is_err());
        assert_eq!(without_toml(&after).as_deref(), Some("model = \"x\"\n"));
        assert_eq!(without_toml("model = \"x\""), None);
        let between =
            format!("{after}enabled = true\n[mcp_servers.lunette.env]\nA = \"b\"\n\n# of it\n[other]\nc = 1\n");
        assert_eq!(without_toml(&between).as_deref(), Some("model = \"x\"\n\n\n# of it\n[other]\nc = 1\n"));
    }

    #[test]
    fn what_is_shown_is_every_line_that_is_written() {
        let (before, after) = ("{\n  \"a\": {}\n}\n", "{\n  \"b\": {\n  },\n  \"a\": {}\n}\n");
        assert_eq!(changed_lines(before, after), "+   \"b\": {\n+   },\n");
        assert_eq!(changed_lines(after, before), "-   \"b\": {\n-   },\n");
        assert_eq!(changed_lines("{}", "{ \"b\": 1 }"), "- {}\n+ { \"b\": 1 }\n");
        assert_eq!(changed_lines("", "a\n"), "+ a\n");
    }

    #[test]
    fn every_client_has_a_file_of_its_own() {
        let files = Client::value_variants().iter().map(|client| client.file(Path::new("h"), Path::new("c")));
        assert_eq!(files.collect::<std::collections::HashSet<_>>().len(), Client::value_variants().len());
    }
}
