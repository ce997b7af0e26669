//! Crash reports: a small file on this machine for each panic, mentioned when the window opens next.
//!
//! What must hold: a report contains no user data and not the home directory; only the user can read it; it is small,
//! few are kept, and nothing is sent. If writing it fails, the panic continues as it would without.

use std::backtrace::Backtrace;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;

use lunette_inspector::files::{make_folder, private};

/// Maximum size of a report, in bytes.
const MAX_BYTES: usize = 64 * 1_024;
/// Maximum number of reports kept.
const MAX_REPORTS: usize = 5;
/// Maximum number of reports per run: repeated panics add no information.
const MAX_WRITTEN: usize = 5;
/// The file that names the last report that the user was told about.
const REPORTED_FILE: &str = "told";

/// What the standard library prints before values. The values may be user data.
const KNOWN_PREFIXES: [&str; 12] = [
    "index out of bounds",
    "byte index",
    "start byte index",
    "end byte index",
    "range start index",
    "range end index",
    "slice index starts at",
    "called `Result::unwrap()` on an `Err` value",
    "called `Result::expect()` on an `Err` value",
    "assertion `left == right` failed",
    "assertion `left != right` failed",
    "source slice length",
];

/// From now on, every panic of this program writes a report to this folder; the previous panic hook still runs.
pub fn install(folder: PathBuf) {
    let (usual, written) = (std::panic::take_hook(), AtomicUsize::new(0));
    std::panic::set_hook(Box::new(move |panic| {
        if written.fetch_add(1, Ordering::Relaxed) < MAX_WRITTEN {
            write(&folder, &report(panic)).ok(); // A full disk must not hide the panic itself.
        }
        usual(panic);
    }));
}

/// Returns one sentence about the reports of earlier runs that the user was not told about; each is mentioned once.
pub fn unreported_crashes(folder: &Path) -> Option<String> {
    let reported = fs::read_to_string(folder.join(REPORTED_FILE)).unwrap_or_default();
    let reports = reports(folder);
    let newest = reports.last()?;
    let name = newest.file_name()?.to_str()?;
    if name <= reported.trim() {
        return None;
    }
    record_reported(folder, name).ok()?; // What cannot be noted would be told at every start.
    Some(format!(
        "Lunette stopped because of an internal error. A report without your data was saved; nothing was sent: {}",
        newest.display()
    ))
}

/// Records the last report that the user was told about.
fn record_reported(folder: &Path, name: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let options = private(options.write(true).create(true).truncate(true));
    options.open(folder.join(REPORTED_FILE))?.write_all(name.as_bytes())
}

/// Returns the reports in a folder, oldest first.
fn reports(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_report = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("crash-") && name.ends_with(".txt"))
    };
    let mut reports: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_report).collect();
    reports.sort();
    reports
}

fn write(folder: &Path, report: &str) -> io::Result<()> {
    make_folder(folder)?;
    let name = Timestamp::now().strftime("crash-%Y%m%dT%H%M%S.%6fZ.txt").to_string();
    let mut file = private(OpenOptions::new().write(true).create_new(true)).open(folder.join(name))?;
    file.write_all(report.as_bytes())?;
    let reports = reports(folder);
    for surplus in &reports[..reports.len().saturating_sub(MAX_REPORTS)] {
        fs::remove_file(surplus)?;
    }
    Ok(())
}

fn report(panic: &PanicHookInfo<'_>) -> String {
    let literal = panic.payload().downcast_ref::<&'static str>().copied();
    let formatted = panic.payload().downcast_ref::<String>().map(String::as_str);
    let message = match (literal, formatted) {
        (Some(text), _) => text.to_owned(),
        (None, Some(text)) => without_values(text),
        (None, None) => "none".to_owned(),
    };
    let location = panic.location().map_or_else(|| "unknown".to_owned(), |location| location.to_string());
    let thread = std::thread::current().name().unwrap_or("without a name").to_owned();
    let text = format!(
        "Lunette {} on {} {}\nat {}\nthread: {thread}\nmessage: {message}\nplace: {location}\n\n{}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
        Timestamp::now(),
        Backtrace::force_capture(),
    );
    let home = directories::BaseDirs::new().map(|folders| folders.home_dir().to_string_lossy().into_owned());
    let mut text = without_home(&text, home.as_deref());
    text.truncate(text.floor_char_boundary(MAX_BYTES));
    text
}

/// Of a formatted message, returns only the known prefix.
fn without_values(message: &str) -> String {
    match KNOWN_PREFIXES.iter().find(|known| message.starts_with(**known)) {
        Some(known) => format!("{known} (with values, left out)"),
        None => "made of values, left out".to_owned(),
    }
}

fn without_home(text: &str, home: Option<&str>) -> String {
    match home.filter(|home| home.len() > 1) {
        Some(home) => text.replace(home, "~"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_omitted_from_a_message() {
        let canary = "byte index 1 is not a char boundary; it is inside 'é' (bytes 0..2) of `élan secret`";
        assert_eq!(without_values(canary), "byte index (with values, left out)");
        assert_eq!(without_values("no such asset: secret"), "made of values, left out");
    }

    #[test]
    fn the_home_is_cut() {
        assert_eq!(without_home("/home/u/a /home/u", Some("/home/u")), "~/a ~");
        assert_eq!(without_home("/a", Some("/")), "/a");
        assert_eq!(without_home("/a", None), "/a");
    }

    #[cfg(unix)]
    #[test]
    fn the_folder_and_its_files_are_owner_only() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let crashes = folder.path().join("crashes");
        write(&crashes, "report").expect("written");
        assert!(unreported_crashes(&crashes).is_some());
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        let report = reports(&crashes).pop().expect("a report");
        assert_eq!([&crashes, &report, &crashes.join(REPORTED_FILE)].map(|path| mode(path)), [0o700, 0o600, 0o600]);
    }

    #[test]
    fn the_last_five_reports_are_kept_and_the_newest_is_reported_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let crashes = folder.path().join("crashes");
        assert_eq!(unreported_crashes(&crashes), None);
        for number in 0..8 {
            write(&crashes, &format!("report {number}")).expect("written");
        }
        let kept: Vec<String> =
            reports(&crashes).iter().map(|path| fs::read_to_string(path).expect("a report")).collect();
        assert_eq!(kept, (3..8).map(|number| format!("report {number}")).collect::<Vec<_>>());
        assert!(unreported_crashes(&crashes).is_some_and(|message| message.contains("crash-")));
        assert_eq!(unreported_crashes(&crashes), None);
        write(&crashes, "another").expect("written");
        assert!(unreported_crashes(&crashes).is_some());
    }
}
