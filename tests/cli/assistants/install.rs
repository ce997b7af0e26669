//! `lunette mcp --install` and `--uninstall` in homes of their own: what is there stays, byte for byte, and nothing is
//! written before the user agrees. The files are where the clients keep them on Linux.

use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use crate::program::command;

/// A client, its file below the home and below the folder of settings, and settings that it may have.
const CLIENTS: [(&str, &str, &str); 8] = [
    (
        "claude",
        ".claude.json",
        "{\n  \"numStartups\": 3,\n  \"mcpServers\": {\n    \"other\": { \"command\": \"x\" }\n  }\n}\n",
    ),
    ("claude-desktop", ".config/Claude/claude_desktop_config.json", "{ \"globalShortcut\": \"\" }"),
    ("vscode", ".config/Code/User/mcp.json", "{\n\t// of my own\n\t\"servers\": {},\n\t\"inputs\": []\n}\n"),
    ("cursor", ".cursor/mcp.json", "{ \"mcpServers\": { \"other\": { \"command\": \"x\" } } }"),
    (
        "zed",
        ".config/zed/settings.json",
        "// Zed settings\n{\n  \"theme\": \"One Dark\", // dark\n  \"context_servers\": {\n    \"a\": {},\n  },\n}\n",
    ),
    ("codex", ".codex/config.toml", "# mine\nmodel = \"m\"\n\n[mcp_servers.other]\ncommand = \"x\"\n"),
    ("gemini", ".gemini/settings.json", "{ /* a comment */ \"ui\": { \"theme\": \"Default\" } }"),
    ("windsurf", ".codeium/windsurf/mcp_config.json", "{}"),
];

fn lunette(home: &Path, arguments: &[&str]) -> Output {
    let mut command = command(&[&["mcp"], arguments].concat());
    command.env("HOME", home).env("XDG_CONFIG_HOME", home.join(".config")).env("XDG_DATA_HOME", home.join("data"));
    command.output().expect("it ends")
}

#[test]
fn the_settings_of_each_client_get_the_entry_and_lose_it_and_keep_everything_else() {
    for (client, file, before) in CLIENTS {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        std::fs::write(&path, before).expect("written");
        let read = || std::fs::read_to_string(&path).expect("read");
        let asked = lunette(home.path(), &["--install", client]);
        assert_eq!(asked.status.code(), Some(2), "{client}: no terminal to ask on");
        let shown = String::from_utf8_lossy(&asked.stdout).into_owned();
        assert!(shown.contains(file) && shown.contains("lunette"), "{client}: {shown}");
        assert_eq!(read(), before, "{client}: nothing was written");
        let installed = lunette(home.path(), &["--install", client, "--yes", "--read-only"]);
        assert_eq!(installed.status.code(), Some(0), "{client}: {installed:?}");
        let after = read();
        assert!(after.contains("--read-only") && after.len() > before.len(), "{client}: {after}");
        for line in before.lines().filter(|line| line.contains("//") || line.contains('#') || line.contains("/*")) {
            let comment = line.find(['/', '#']).map_or(line, |at| &line[at..]);
            assert!(after.contains(comment.split("*/").next().expect("some")), "{client} lost {comment}: {after}");
        }
        let again = lunette(home.path(), &["--install", client, "--yes", "--read-only"]);
        assert_eq!((again.status.code(), read()), (Some(0), after.clone()), "{client}: once");
        let other = lunette(home.path(), &["--install", client, "--yes"]);
        assert_eq!((other.status.code(), read()), (Some(1), after), "{client}: another entry of the name is kept");
        let asked = lunette(home.path(), &["--uninstall", client]);
        assert_eq!(asked.status.code(), Some(2), "{client}: no terminal to ask on");
        let removed = lunette(home.path(), &["--uninstall", client, "--yes"]);
        assert_eq!(removed.status.code(), Some(0), "{client}: {removed:?}");
        let words = |text: &str| text.split_whitespace().collect::<String>().replace(",}", "}");
        let kept = words(&read()).replace("\"mcpServers\":{}", "").replace("{,", "{");
        assert_eq!(kept, words(before).replace("\"mcpServers\":{}", ""), "{client}: as before");
        assert_eq!(lunette(home.path(), &["--uninstall", client, "--yes"]).status.code(), Some(0), "{client}: again");
    }
}

#[test]
fn the_entry_has_the_form_that_each_client_documents() {
    for (client, file, _) in CLIENTS {
        let home = tempfile::tempdir().expect("a folder");
        assert_eq!(lunette(home.path(), &["--install", client, "--yes"]).status.code(), Some(0), "{client}");
        let text = std::fs::read_to_string(home.path().join(file)).expect("written");
        if client == "codex" {
            assert!(text.starts_with("[mcp_servers.lunette]\ncommand = \""), "{text}");
            assert!(text.contains("\nargs = [\"mcp\"]\n"), "{text}");
            continue;
        }
        let settings: Value = serde_json::from_str(&text).expect("JSON");
        let field = match client {
            "vscode" => "servers",
            "zed" => "context_servers",
            _ => "mcpServers",
        };
        let entry = &settings[field]["lunette"];
        assert_eq!(entry["args"], json!(["mcp"]), "{client}: {text}");
        assert!(Path::new(entry["command"].as_str().expect("a path")).is_absolute(), "{client}: {text}");
        assert_eq!(entry["type"] == "stdio", matches!(client, "claude" | "vscode"), "{client}: {text}");
    }
}

#[test]
fn the_entry_has_the_service_and_the_folder_that_were_given() {
    let home = tempfile::tempdir().expect("a folder");
    let install = |client: &str, options: &[&str]| {
        let ended = lunette(home.path(), &[&["--install", client, "--yes"], options].concat());
        assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    };
    let arguments = |file: &str| {
        let text = std::fs::read_to_string(home.path().join(file)).expect("written");
        serde_json::from_str::<Value>(&text).expect("JSON")["mcpServers"]["lunette"]["args"].clone()
    };
    install("claude", &["--url", "http://127.0.0.1:1000", "--in-flight", "2"]);
    assert_eq!(arguments(".claude.json"), json!(["mcp", "--url", "http://127.0.0.1:1000", "--in-flight", "2"]));
    let data = home.path().join("folder").to_string_lossy().into_owned();
    install("cursor", &["--data", &data, "--read-only"]);
    assert_eq!(arguments(".cursor/mcp.json"), json!(["mcp", "--data", data, "--read-only"]));
}
