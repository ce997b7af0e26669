//! A virtual screen, if this machine can create one; and windows of the program on it.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::program::command;

/// The time limit of each step, for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A screen; ended when this is dropped.
pub struct Screen {
    server: Child,
    pub name: String,
}

impl Screen {
    /// Panics if Xvfb is missing: a test that checks nothing must not pass.
    pub fn start() -> Self {
        // Its port is 6000 plus this number, even if nothing listens there.
        let number = format!(":{}", 1_000 + std::process::id() % 5_000 * 10 + SCREENS.fetch_add(1, Ordering::Relaxed));
        let arguments = [&number, "-displayfd", "1", "-noreset", "-screen", "0", "1280x800x24", "-nolisten", "tcp"];
        let started = Command::new("Xvfb").args(arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut server = started.expect("Xvfb is installed (Debian: xvfb)");
        let mut line = String::new();
        BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        Self { server, name: format!(":{}", line.trim()) }
    }

    /// A start of the program on it, with data in this folder; not started yet.
    pub fn program(&self, data: &Path, arguments: &[&str]) -> Command {
        let mut command = command(arguments);
        command.args(["--data", data.to_str().expect("UTF-8")]).env("DISPLAY", &self.name);
        command.env("LIBGL_ALWAYS_SOFTWARE", "1").env_remove("DBUS_SESSION_BUS_ADDRESS");
        command
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.server.kill().ok(); // It has ended already where it failed.
        self.server.wait().ok();
    }
}

/// The number of screens so far, so that each has a number of its own.
static SCREENS: AtomicU32 = AtomicU32::new(0);

/// A window of the program; killed when this is dropped.
pub struct Opened(pub Child);

impl Opened {
    /// Sends it a signal by name.
    pub fn signal(&self, signal: &str) {
        let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {}", self.0.id())]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Waits for the end; returns the exit code and what it printed to stderr.
    pub fn ended(mut self) -> (Option<i32>, String) {
        until("the program ends", || self.0.try_wait().expect("a child").is_some());
        let mut message = String::new();
        std::io::Read::read_to_string(&mut self.0.stderr.take().expect("a pipe"), &mut message).expect("UTF-8");
        (self.0.wait().expect("a child").code(), message)
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.0.kill().ok(); // It has ended already where the test ended it.
        self.0.wait().ok();
    }
}

/// Polls until a condition holds; fails with its description.
#[track_caller]
pub fn until(what: &str, mut done: impl FnMut() -> bool) {
    let end = Instant::now() + TIMEOUT;
    while !done() {
        assert!(Instant::now() < end, "waited in vain until {what}");
        std::thread::park_timeout(Duration::from_millis(20));
    }
}
