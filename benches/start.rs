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

/// How long a started program takes to its second frame, and the memory it has then, in kB.
fn measured(mut command: Command, said_on: impl FnOnce(&mut Child) -> Box<dyn Read>) -> (Duration, u64) {
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
    (took, resident)
}

fn empty() -> (Duration, u64) {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.env(EMPTY, "1").stdout(Stdio::piped());
    measured(command, |child| Box::new(child.stdout.take().expect("its output")))
}

fn lunette(data: &std::path::Path) -> (Duration, u64) {
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
    let rounds: Vec<_> = (0..ROUNDS).map(|_| (empty(), lunette(&data))).collect();
    let empty = median(rounds.iter().map(|round| round.0.0).collect());
    let ours = median(rounds.iter().map(|round| round.1.0).collect());
    println!(
        "first frame: empty window {empty:.0?}, Lunette {ours:.0?}: {:.2}",
        ours.as_secs_f64() / empty.as_secs_f64()
    );
    let memory =
        |which: fn(&((Duration, u64), (Duration, u64))) -> u64| median(rounds.iter().map(which).collect()) / 1024;
    println!("resident then: empty window {} MB, Lunette {} MB", memory(|round| round.0.1), memory(|round| round.1.1));
}
