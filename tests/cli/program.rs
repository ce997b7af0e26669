//! Runs of the program: arguments, output, exit code; and a service that it serves.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// The result of a run.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ended {
    /// What it printed, as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// The home directory of runs that are given none: the history of services named by address is there.
const HOME: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/home");

/// A run that is not started yet: without a display, with a home directory that is not the user's.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lunette"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "LUNETTE_LOG", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
    for name in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, HOME);
    }
    command
}

/// Runs the program to its end.
pub fn run(arguments: &[&str]) -> Ended {
    ended(command(arguments).spawn().expect("the program starts"))
}

/// Runs it with this text as its standard input.
pub fn run_with_input(arguments: &[&str], input: &str) -> Ended {
    let mut child = command(arguments).stdin(Stdio::piped()).spawn().expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the input is taken");
    ended(child)
}

fn ended(child: Child) -> Ended {
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ended { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A service served by the program; killed when this is dropped.
pub struct Served {
    child: Child,
    _out: BufReader<ChildStdout>,
    pub url: String,
}

impl Served {
    /// On any free port, with its data in this folder.
    pub fn start(data: &Path, more: &[&str]) -> Self {
        Self::serve(data, &[&["--port", "0"], more].concat())
    }

    /// On this port.
    #[cfg(unix)]
    pub fn start_at(data: &Path, port: u16) -> Self {
        Self::serve(data, &["--port", &port.to_string()])
    }

    /// On the first free port where clients of this family look.
    pub fn start_on_a_family_port(data: &Path) -> Self {
        Self::serve(data, &[])
    }

    fn serve(data: &Path, more: &[&str]) -> Self {
        let data = data.to_str().expect("UTF-8");
        let mut child = command(&["serve", "--data", data])
            .args(more)
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        let url = line.trim_end().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line:?}")).to_owned();
        Self { child, _out: out, url }
    }

    /// Returns its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Calls one of its operations.
    pub fn call(&self, arguments: &[&str]) -> Ended {
        run(&[&["call"], arguments, &["--url", &self.url]].concat())
    }

    /// Sends this signal and returns the exit code.
    #[cfg(unix)]
    pub fn end(mut self, signal: &str) -> Option<i32> {
        // The shell has a `kill` of its own if a small system has no such program.
        let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {}", self.child.id())]).status();
        assert!(sent.expect("kill runs").success());
        self.child.wait().expect("the program ends").code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().ok(); // It has ended already where the test ended it.
        self.child.wait().ok();
    }
}
