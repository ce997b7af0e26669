//! Hostile libraries of each source: about 200 of each, made of its samples and for its format. Reading any of them takes
//! no more than 10 seconds of a processor and 300 MiB of memory.

#![expect(clippy::too_many_lines, reason = "a table of cases is easier to read in one piece")]

mod archives;
mod databases;
mod documents;
mod mutations;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

use lunette_sources::{Cancelled, Files, Limits, Source, read, recognise};

/// How much of a processor reading a library may take, and how long it may last on a busy machine.
const MOST_WORK: Duration = Duration::from_secs(10);
const TIMEOUT: Duration = Duration::from_secs(300);
/// How much memory this process may have at most while it reads a library, in KiB.
const MOST_MEMORY: u64 = 300 << 10;
/// How many libraries there are of each source.
const COUNT: usize = 200;

/// The files of a library, by their paths. One without a folder is opened by itself.
pub type Entries = Vec<(String, Vec<u8>)>;

/// A library that is made when it is its turn.
pub struct Hostile {
    name: String,
    make: Box<dyn Fn() -> Entries>,
}

impl Hostile {
    /// One of several files.
    pub fn new(name: impl Into<String>, make: impl Fn() -> Entries + 'static) -> Self {
        Self { name: name.into(), make: Box::new(make) }
    }

    /// One of a single file.
    pub fn file(path: &str, name: &str, make: impl Fn() -> Vec<u8> + 'static) -> Self {
        let file = path.to_owned();
        Self::new(format!("{path}: {name}"), move || vec![(file.clone(), make())])
    }
}

/// What reading took: time of the processor, and the most memory of the process in KiB.
struct Cost {
    work: Duration,
    memory: u64,
}

/// Writes a library and reads it. `None` if that takes too long.
fn cost(entries: Entries, source: Source) -> Option<Cost> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut path = folder.path().to_owned();
    if let [(name, _)] = entries.as_slice()
        && !name.contains('/')
    {
        path.push(name);
    }
    write(folder.path(), entries);
    let (done, result) = mpsc::channel();
    std::thread::spawn(move || done.send(read_all(&path, source)));
    result.recv_timeout(TIMEOUT).ok()
}

fn write(folder: &Path, entries: Entries) {
    for (name, bytes) in entries {
        let file: PathBuf = folder.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, bytes).expect("written");
    }
}

fn read_all(path: &Path, source: Source) -> Cost {
    let before = work();
    // Sets the peak to what is used now, where the system can.
    fs::write("/proc/self/clear_refs", "5").ok();
    if let Ok(files) = Files::open(path, Limits::default(), Cancelled(None)) {
        recognise(&files);
        let library = read(&files, source);
        assert!(library.candidates.iter().all(|candidate| !candidate.fragments.is_empty()));
    }
    Cost { work: work().saturating_sub(before), memory: peak() }
}

/// How much of a processor this thread has used.
fn work() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or_default())
}

/// The most memory that this process has had, in KiB.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_ascii_whitespace().next()?.parse().ok()).unwrap_or_default()
}

/// The hostile libraries of a source: those for its format, and changed samples.
fn libraries(source: Source) -> Vec<Hostile> {
    let mut libraries = documents::of(source);
    libraries.extend(databases::of(source));
    libraries.extend(archives::of(source));
    let rest = COUNT.saturating_sub(libraries.len());
    libraries.extend(mutations::of(source, rest));
    libraries
}

/// The variable that names the source whose libraries a process reads.
const OF_SOURCE: &str = "LUNETTE_HOSTILE_SOURCE";

/// The only test of this program. It runs itself once for each source: the memory is that of a whole process, and an
/// allocator keeps some of what thousands of other libraries took.
#[test]
fn no_hostile_library_takes_more_than_10_seconds_and_300_mib() {
    if let Ok(name) = env::var(OF_SOURCE) {
        return read_libraries(name.parse().expect("a source"));
    }
    let read = |source: &Source| {
        let mut program = Command::new(env::current_exe().expect("this program"));
        program.arg("--nocapture").env(OF_SOURCE, source.name()).status().expect("it runs").success()
    };
    let failed: Vec<_> = Source::all().filter(|source| !read(source)).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

/// Reads all libraries of a source, and fails if one of them takes too much.
fn read_libraries(source: Source) {
    let (mut failed, mut most) = (Vec::new(), (Duration::ZERO, 0));
    let libraries = libraries(source);
    assert!(libraries.len() >= COUNT, "{source}: {}", libraries.len());
    for Hostile { name, make } in libraries {
        let cost = cost(make(), source);
        if let Some(Cost { work, memory }) = &cost {
            most = (most.0.max(*work), most.1.max(*memory));
        }
        match cost {
            None => panic!("{source}: {name} took longer than {TIMEOUT:?}"),
            Some(Cost { work, memory }) if work > MOST_WORK || memory > MOST_MEMORY => {
                failed.push(format!("{name}: {work:?}, {} MiB", memory >> 10));
            }
            Some(Cost { .. }) => {}
        }
    }
    println!("{source}: at most {:?} and {} MiB", most.0, most.1 >> 10);
    assert!(failed.is_empty(), "{source}: {}", failed.join("\n"));
}
