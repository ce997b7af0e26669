//! A client of the Model Context Protocol that a test plays.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::program::command;

/// A client of the protocol, as a program that starts `lunette mcp`.
pub struct Assistant {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Assistant {
    /// A client of 2025-11-25 that cannot ask its user.
    pub fn start(name: &str, arguments: &[&str]) -> Self {
        Self::with(name, (&json!({}), None), arguments)
    }

    /// One that can do this, with a home of its own if one is given.
    pub fn with(name: &str, (capabilities, home): (&Value, Option<&Path>), arguments: &[&str]) -> Self {
        let mut assistant = Self::unopened(home, arguments);
        let client = json!({ "name": name, "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": client });
        let answer = assistant.ask("initialize", params);
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{answer}");
        assistant.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        assistant
    }

    /// A client of 2026-07-28, which begins with any request.
    pub fn unopened(home: Option<&Path>, arguments: &[&str]) -> Self {
        let mut command = command(&[&["mcp"], arguments].concat());
        if let Some(home) = home {
            command.env("HOME", home).env("XDG_DATA_HOME", home).env("XDG_CONFIG_HOME", home);
        }
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::inherit()).spawn().expect("the program starts");
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("a pipe")));
        Self { child, input, output, last: 0 }
    }

    pub fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("open");
        input.write_all(format!("{message}\n").as_bytes()).and_then(|()| input.flush()).expect("sent");
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.request(method, params);
        self.next()
    }

    /// Sends a request, whose answer is not read yet.
    pub fn request(&mut self, method: &str, params: Value) {
        self.last += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }));
    }

    /// The next message of the server.
    pub fn next(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    pub fn tools(&mut self) -> Vec<String> {
        let answer = self.ask("tools/list", json!({}));
        let tools = answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("{answer}")).clone();
        tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
    }

    /// Calls a tool and returns its data.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        let result = &answer["result"];
        assert_eq!(result["isError"], false, "{answer}");
        result["structuredContent"]["data"].clone()
    }

    /// Calls a tool that fails, and returns why.
    pub fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        let result = &answer["result"];
        assert_eq!(result["isError"], true, "{answer}");
        result["structuredContent"]["error"].as_str().expect("a reason").to_owned()
    }

    /// Ends it as its program does, by closing its input.
    pub fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().expect("it ends").success());
    }
}

impl Drop for Assistant {
    fn drop(&mut self) {
        self.child.kill().ok(); // It has ended already where the test ended it.
        self.child.wait().ok();
    }
}
