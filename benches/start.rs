//! From the start of the program to its first frame on screen, and the memory it then has, beside a window with nothing
//! in it.
//!
//! Needs a display: `xvfb-run -a cargo bench --bench start` where there is none. Both are started in turn, as programs of
//! their own, and ended when their second frame begins: the first is on screen then. Lunette starts as the user starts
//! it, with the service inside and its data on disk.

use std::io::{BufRead as _, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often each is started.
const ROUNDS: usize = 15;
/// Said by the empty window when its second frame begins.
const DRAWN: &str = "a frame is drawn";
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

fn measured(mut command: Command, said_on: impl FnOnce(&mut Child) -> Box<dyn Read>) -> Start {
    let start = Instant::now();
    let mut child = command.spawn().expect("it starts");
    let mut frames = BufReader::new(said_on(&mut child)).lines().map_while(Result::ok);
    let second = frames.by_ref().filter(|line| line.contains(DRAWN)).nth(1);
    let took = start.elapsed();
    assert!(second.is_some(), "it ended before its second frame");
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("its status");
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
    let resident = resident.trim().trim_end_matches(" kB").parse().expect("a number");
    child.kill().expect("it is ended");
    child.wait().expect("it has ended");
    Start { took, resident }
}

fn empty() -> Start {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.env(EMPTY, "1").stdout(Stdio::piped());
    measured(command, |child| Box::new(child.stdout.take().expect("its output")))
}

fn lunette(data: &std::path::Path) -> Start {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lunette"));
    command.arg("--embedded").arg("--data").arg(data).env("LUNETTE_LOG", "lunette::frame=trace").stderr(Stdio::piped());
    measured(command, |child| Box::new(child.stderr.take().expect("its errors")))
}

fn median<T: Ord + Copy>(mut of: Vec<T>) -> T {
    of.sort_unstable();
    of[of.len() / 2]
}

fn main() {
    if std::env::var_os(EMPTY).is_some() {
        return empty_window();
    }
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    // The first start makes the database; later ones are what a user waits for.
    lunette(&data);
    let (empties, lunettes): (Vec<Start>, Vec<Start>) = (0..ROUNDS).map(|_| (empty(), lunette(&data))).unzip();
    let took = |of: &[Start]| median(of.iter().map(|start| start.took).collect());
    let (empty, ours) = (took(&empties), took(&lunettes));
    let ratio = ours.as_secs_f64() / empty.as_secs_f64();
    println!("first frame: empty window {empty:.0?}, Lunette {ours:.0?}: {ratio:.2}");
    let memory = |of: &[Start]| median(of.iter().map(|start| start.resident / 1024).collect());
    println!("resident then: empty window {} MB, Lunette {} MB", memory(&empties), memory(&lunettes));
}
