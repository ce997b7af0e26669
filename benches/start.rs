//! From the start of the program to its first frame on screen, and the memory it then has, beside a window with nothing
//! in it.
//!
//! Needs a display: `xvfb-run -a cargo bench --bench start` where there is none. Both are started in turn, as programs of
//! their own, and ended when their second frame begins: the first is on screen then. Lunette starts as the user starts
//! it, with the service inside and its data on disk.
//!
//! `start [ROUNDS] [DATA]`: with a data folder, such as `make_store` makes, Lunette starts with that, and its memory is
//! read again when the list has been read and freed memory was given back; beside it that of an empty store.
//!
//! `start --list DATA`: how soon after the window connects its first rows are on screen and its list is complete, the
//! longest frame meanwhile (what the program does for it, without painting), and the memory then. Rows are on screen when
//! the frame after the one that draws them begins.

use std::fmt;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The default number of starts of each.
const ROUNDS: usize = 15;
/// How long the memory must stay the same until the list counts as read, and how long that may take. Freed memory is
/// given back for the second time 13.5 s after it was freed.
const SETTLED: Duration = Duration::from_secs(15);
const PATIENCE: Duration = Duration::from_secs(120);
/// Printed by the empty window when its second frame begins.
const DRAWN: &str = "a frame is drawn";
/// How long the list may take.
const LISTED: Duration = Duration::from_secs(120);
/// Asks this program to be the empty window.
const EMPTY: &str = "LUNETTE_BENCH_EMPTY_WINDOW";

/// A window with nothing in it.
struct Empty {
    frames: usize,
}

impl eframe::App for Empty {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.frames += 1;
        println!("{DRAWN}");
        if self.frames < 3 {
            ui.ctx().request_repaint();
        }
    }
}

fn empty_window() {
    let viewport = egui::ViewportBuilder::default().with_inner_size([1280.0, 800.0]);
    let native = eframe::NativeOptions { viewport, ..eframe::NativeOptions::default() };
    eframe::run_native("Empty", native, Box::new(|_| Ok(Box::new(Empty { frames: 0 })))).expect("a window");
}

/// How a program started.
struct Start {
    /// How long it took to its second frame.
    took: Duration,
    /// The memory it had then, in kB.
    resident: u64,
}

/// A figure of a process's memory, in kB.
fn figure(child: &Child, name: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("its status");
    let figure = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).expect("its memory");
    figure.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// The memory of a process, in kB.
fn resident(child: &Child) -> u64 {
    figure(child, "VmRSS")
}

/// The memory of an idle process, in MB.
#[derive(Default)]
struct AtRest {
    resident: f64,
    /// The part that it allocated.
    anonymous: f64,
    /// The part that is the program and its libraries.
    of_files: f64,
}

impl fmt::Display for AtRest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { resident, anonymous, of_files } = self;
        write!(f, "{resident:.1} ({anonymous:.1} anonymous, {of_files:.1} of files)")
    }
}

/// The memory of a process once it has stayed the same, within 1 %, for a while.
fn settled(child: &Child) -> AtRest {
    let began = Instant::now();
    let (mut since, mut last) = (began, resident(child));
    while since.elapsed() < SETTLED && began.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(100));
        let now = resident(child);
        if now.abs_diff(last) > last / 100 {
            (since, last) = (Instant::now(), now);
        }
    }
    let [resident, anonymous, of_files] = ["VmRSS", "RssAnon", "RssFile"].map(|name| figure(child, name) as f64 / 1e3);
    AtRest { resident, anonymous, of_files }
}

/// Ends a process as a user does: the next start of a killed one checks its whole database first.
fn end(child: &mut Child) {
    Command::new("kill").arg(child.id().to_string()).status().expect("it is asked to end");
    child.wait().expect("it has ended");
}

fn measured(
    mut command: Command,
    said_on: impl FnOnce(&mut Child) -> Box<dyn Read + Send>,
    then: impl FnOnce(&Child),
) -> Start {
    let start = Instant::now();
    let mut child = command.spawn().expect("it starts");
    let mut frames = BufReader::new(said_on(&mut child)).lines().map_while(Result::ok);
    let second = frames.by_ref().filter(|line| line.contains(DRAWN)).nth(1);
    let took = start.elapsed();
    assert!(second.is_some(), "it ended before its second frame");
    let resident = resident(&child);
    // It keeps writing; a full pipe would block it.
    let rest = std::thread::spawn(move || frames.for_each(drop));
    then(&child);
    end(&mut child);
    rest.join().expect("its output is read");
    Start { took, resident }
}

fn empty() -> Start {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.env(EMPTY, "1").stdout(Stdio::piped());
    measured(command, |child| Box::new(child.stdout.take().expect("its output")), |_| ())
}

fn lunette(data: &Path, then: impl FnOnce(&Child)) -> Start {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lunette"));
    command.arg("--embedded").arg("--data").arg(data).env("LUNETTE_LOG", "lunette::frame=trace").stderr(Stdio::piped());
    measured(command, |child| Box::new(child.stderr.take().expect("its errors")), then)
}

/// What one line of the log says of the window.
#[derive(Clone, Copy, Default)]
struct Seen {
    up: bool,
    shown: usize,
    complete: bool,
    /// How long the frame before took, in microseconds.
    last: u64,
}

impl Seen {
    fn of(line: &str) -> Option<Self> {
        line.contains(DRAWN).then(|| {
            let field = |name: &str| line.split(' ').find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
            Self {
                up: field("up") == Some("true"),
                shown: field("shown").map_or(0, |shown| shown.parse().expect("a count")),
                complete: field("complete") == Some("true"),
                last: field("last_us").map_or(0, |last| last.parse().expect("microseconds")),
            }
        })
    }
}

/// Reads the log until the list is complete and all of it is shown; prints what came when.
fn list(data: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lunette"));
    command.arg("--embedded").arg("--data").arg(data).env("LUNETTE_LOG", "lunette::frame=trace").stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut lines = BufReader::new(child.stderr.take().expect("its errors")).lines().map_while(Result::ok);
    let (mut connected, mut before) = (None, Seen::default());
    let (mut first, mut listed, mut longest) = (None, None, 0);
    for seen in lines.by_ref().filter_map(|line| Seen::of(&line)).skip_while(|seen| !seen.up) {
        let now = Instant::now();
        let connected = *connected.get_or_insert(now);
        longest = longest.max(if before.up { seen.last } else { 0 });
        if before.shown > 0 && first.is_none() {
            first = Some(now - connected);
        }
        if before.complete && before.shown > 0 {
            listed = Some(now - connected);
        }
        before = seen;
        if listed.is_some() || now - connected > LISTED {
            break;
        }
    }
    // It keeps writing; a full pipe would block it.
    let rest = std::thread::spawn(move || lines.for_each(drop));
    let memory = settled(&child);
    end(&mut child);
    rest.join().expect("its output is read");
    let ms = |time: Option<Duration>| time.expect("the list is read").as_secs_f64() * 1e3;
    println!("first rows in ms: {:.1}; list complete in ms: {:.1}", ms(first), ms(listed));
    println!("longest frame in ms: {:.2}; resident then in MB: {memory}", longest as f64 / 1e3);
}

fn median<T: Ord + Copy>(mut of: Vec<T>) -> T {
    of.sort_unstable();
    of[of.len() / 2]
}

fn main() {
    if std::env::var_os(EMPTY).is_some() {
        return empty_window();
    }
    // `cargo bench` adds `--bench`.
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench").peekable();
    if arguments.next_if(|argument| argument == "--list").is_some() {
        return list(&PathBuf::from(arguments.next().expect("DATA")));
    }
    let rounds = arguments.next().map_or(ROUNDS, |rounds| rounds.parse().expect("ROUNDS is a number"));
    let folder = tempfile::tempdir().expect("a folder");
    let made = arguments.next().map(PathBuf::from);
    let data = made.clone().unwrap_or_else(|| folder.path().join("data"));
    // The first start creates the database; later ones are what users experience.
    lunette(&data, |_| ());
    let (empties, lunettes): (Vec<Start>, Vec<Start>) = (0..rounds).map(|_| (empty(), lunette(&data, |_| ()))).unzip();
    let took = |of: &[Start]| median(of.iter().map(|start| start.took).collect());
    let (empty, ours) = (took(&empties).as_secs_f64() * 1e3, took(&lunettes).as_secs_f64() * 1e3);
    println!("first frame in ms: empty window {empty:.1}, Lunette {ours:.1}; ratio {:.2}", ours / empty);
    let memory = |of: &[Start]| median(of.iter().map(|start| start.resident).collect()) as f64 / 1e3;
    println!("resident then in MB: empty window {:.1}, Lunette {:.1}", memory(&empties), memory(&lunettes));
    if made.is_some() {
        let at_rest = |data: &Path| {
            let mut memory = AtRest::default();
            lunette(data, |child| memory = settled(child));
            memory
        };
        println!("resident when all is listed, in MB: Lunette {}", at_rest(&data));
        println!("the same with nothing stored, in MB: Lunette {}", at_rest(&folder.path().join("empty")));
    }
}
