//! Adds Lunette to the settings of a client: shows what is written and where, asks, and keeps everything else.
//!
//! What must hold: a file that cannot be read as what it is to be is left alone; an existing entry of another program is
//! never replaced; a file is replaced as a whole or not at all.

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::ValueEnum;
use serde_json::{Map, Value, json};

use lunette_inspector::files::write_whole;

use crate::cli::{Failure, print, print_message};

/// A client whose settings are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Client {
    /// Claude Code and Claude Desktop.
    Claude,
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
}

/// How the settings of a client are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// JSON, with the entry under this field.
    Json(&'static str),
    /// TOML, with a table of its own at the end.
    Toml,
}

/// The name of the entry.
const NAME: &str = "lunette";

impl Client {
    /// The file of its settings, below the home folder or the folder of settings of the user.
    fn file(self, home: &Path, config: &Path) -> PathBuf {
        match self {
            Self::Claude => home.join(".claude.json"),
            Self::Vscode => config.join("Code/User/mcp.json"),
            Self::Cursor => home.join(".cursor/mcp.json"),
            Self::Zed => config.join("zed/settings.json"),
            Self::Codex => home.join(".codex/config.toml"),
            Self::Gemini => home.join(".gemini/settings.json"),
        }
    }

    fn form(self) -> Form {
        match self {
            Self::Claude | Self::Cursor | Self::Gemini => Form::Json("mcpServers"),
            Self::Vscode => Form::Json("servers"),
            Self::Zed => Form::Json("context_servers"),
            Self::Codex => Form::Toml,
        }
    }

    fn entry(self, program: &str, arguments: &[String]) -> Value {
        match self {
            Self::Claude | Self::Vscode => json!({ "type": "stdio", "command": program, "args": arguments }),
            Self::Zed => json!({ "source": "custom", "command": program, "args": arguments, "env": {} }),
            Self::Cursor | Self::Codex | Self::Gemini => json!({ "command": program, "args": arguments }),
        }
    }
}

/// Shows what would be written, asks, and writes it.
pub(super) fn run(client: Client, data: Option<&Path>, read_only: bool, yes: bool) -> Result<(), Failure> {
    let folders = directories::BaseDirs::new();
    let folders =
        folders.ok_or_else(|| Failure::usage(anyhow!("the system does not say where your home folder is")))?;
    let path = client.file(folders.home_dir(), folders.config_dir());
    let program = std::env::current_exe().context("the path of this program is not known").map_err(Failure::failed)?;
    let (program, arguments) = (program.to_string_lossy().into_owned(), arguments(data, read_only)?);
    let before = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::failed(anyhow!("cannot read {}: {error}", path.display()))),
    };
    let entry = client.entry(&program, &arguments);
    let after = match client.form() {
        Form::Json(field) => with_json(&before, field, entry),
        Form::Toml => with_toml(&before, &program, &arguments),
    };
    let after = after.map_err(|why| Failure::failed(anyhow!("{}: {why}; nothing was written", path.display())))?;
    let Some(after) = after else {
        print_message(&format!("{} has Lunette already", path.display()));
        return Ok(());
    };
    print(&format!("{}\n{}", path.display(), added(&before, &after)))?;
    if !yes && !agreed()? {
        print_message("nothing was written");
        return Ok(());
    }
    write(&path, &after).map_err(|error| Failure::failed(anyhow!("cannot write {}: {error}", path.display())))?;
    print_message("written; start the client again");
    Ok(())
}

fn arguments(data: Option<&Path>, read_only: bool) -> Result<Vec<String>, Failure> {
    let mut arguments = vec!["mcp".to_owned()];
    if let Some(data) = data {
        let data = std::path::absolute(data).context("the data folder has no absolute path").map_err(Failure::usage)?;
        arguments.extend(["--data".to_owned(), data.to_string_lossy().into_owned()]);
    }
    if read_only {
        arguments.push("--read-only".to_owned());
    }
    Ok(arguments)
}

/// Returns the settings with the entry; `None` if it is there. Fails if the file is not plain JSON, whose comments would
/// be lost, or has another entry of that name.
fn with_json(before: &str, field: &str, entry: Value) -> Result<Option<String>, String> {
    let mut settings: Value = match before.trim().is_empty() {
        true => Value::Object(Map::new()),
        false => serde_json::from_str(before).map_err(|error| {
            format!("it is not plain JSON ({error}), so add this under {field:?} by hand:\n\"{NAME}\": {entry:#}")
        })?,
    };
    let object = settings.as_object_mut().ok_or("it is not a JSON object")?;
    let servers = object.entry(field).or_insert_with(|| Value::Object(Map::new()));
    let servers = servers.as_object_mut().ok_or_else(|| format!("{field:?} is not an object"))?;
    match servers.get(NAME) {
        Some(known) if *known == entry => return Ok(None),
        Some(_) => return Err(format!("it has another entry {NAME:?}; remove that first")),
        None => servers.insert(NAME.to_owned(), entry),
    };
    Ok(Some(format!("{settings:#}\n")))
}

/// Returns the settings with a table at the end; `None` if it is there.
fn with_toml(before: &str, program: &str, arguments: &[String]) -> Result<Option<String>, String> {
    // Strings of JSON are strings of TOML.
    let quoted = |text: &str| Value::from(text).to_string();
    let arguments: Vec<String> = arguments.iter().map(|text| quoted(text)).collect();
    let header = format!("[mcp_servers.{NAME}]");
    let table = format!("{header}\ncommand = {}\nargs = [{}]\n", quoted(program), arguments.join(", "));
    if before.contains(&table) {
        return Ok(None);
    }
    if before.lines().any(|line| line.trim() == header) {
        return Err(format!("it has another table {header}; remove that first"));
    }
    let gap = if before.is_empty() || before.ends_with("\n\n") { "" } else { "\n" };
    let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    Ok(Some(format!("{before}{end}{gap}{table}")))
}

/// The lines that are new.
fn added(before: &str, after: &str) -> String {
    let known: std::collections::HashSet<&str> = before.lines().map(str::trim).collect();
    let new = after.lines().filter(|line| !known.contains(line.trim()));
    new.map(|line| format!("+ {line}\n")).collect()
}

fn agreed() -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::usage(anyhow!("standard input is no terminal to ask on; add --yes to write this")));
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
    fn an_entry_is_added_and_everything_else_is_kept() {
        let entry = Client::Cursor.entry("/usr/bin/lunette", &["mcp".to_owned()]);
        let before = r#"{ "theme": "dark", "mcpServers": { "other": { "command": "x" } } }"#;
        let after = with_json(before, "mcpServers", entry.clone()).expect("added").expect("new");
        let tree: Value = serde_json::from_str(&after).expect("JSON");
        assert_eq!((&tree["theme"], &tree["mcpServers"]["other"]["command"]), (&json!("dark"), &json!("x")));
        assert_eq!(tree["mcpServers"]["lunette"], entry);
        assert_eq!(with_json(&after, "mcpServers", entry.clone()), Ok(None), "once");
        let other = after.replace("/usr/bin/lunette", "/opt/other");
        assert!(with_json(&other, "mcpServers", entry.clone()).expect_err("kept").contains("another entry"));
        assert!(with_json("{ // a comment\n}", "mcpServers", entry).expect_err("kept").contains("by hand"));
    }

    #[test]
    fn a_table_is_added_at_the_end_of_toml() {
        let arguments = ["mcp".to_owned(), "--data".to_owned(), "/a \"b\"".to_owned()];
        let after = with_toml("model = \"x\"", "/usr/bin/lunette", &arguments).expect("added").expect("new");
        assert!(after.starts_with("model = \"x\"\n\n[mcp_servers.lunette]\n"), "{after}");
        assert!(after.contains(r#"args = ["mcp", "--data", "/a \"b\""]"#), "{after}");
        assert_eq!(with_toml(&after, "/usr/bin/lunette", &arguments), Ok(None));
        assert!(with_toml(&after, "/opt/other", &arguments).is_err());
    }

    #[test]
    fn every_client_has_a_file_of_its_own() {
        let files = Client::value_variants().iter().map(|client| client.file(Path::new("h"), Path::new("c")));
        assert_eq!(files.collect::<std::collections::HashSet<_>>().len(), Client::value_variants().len());
    }
}
