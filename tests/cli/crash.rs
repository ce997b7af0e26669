//! A panic leaves a report: small, readable only by the user, without user data, mentioned once.

use std::path::Path;
use std::process::Command;

use lunette::cli::crash;

/// Represents user data.
const CANARY: &str = "canary-4711";
/// Names the folder of the reports for the child.
const FOLDER: &str = "LUNETTE_TEST_CRASHES";

/// The child process: it panics on a thread of its own, as its environment says. It is a test so that it can be run as
/// a program, and does nothing when run as a test.
#[test]
fn child() {
    let (Some(folder), Some(way)) = (std::env::var_os(FOLDER), std::env::var_os("LUNETTE_TEST_WAY")) else { return };
    crash::install(folder.into());
    let secret = std::env::var("LUNETTE_TEST_CANARY").expect("the canary");
    let panic = move || match way.to_str() {
        Some("literal") => panic!("a fixed sentence"),
        Some("made") => panic!("what the user keeps: {secret}"),
        Some("unwrap") => unwrapped(std::hint::black_box(Err(secret))),
        Some("slice") => drop(format!("{secret}é")[..secret.len() + 1].to_owned()),
        Some("deep") => deep(0),
        _ => (0..100).for_each(|_| drop(std::panic::catch_unwind(|| panic!("again")))),
    };
    let thread = std::thread::Builder::new().name("worker".to_owned()).spawn(panic).expect("a thread");
    drop(thread.join());
}

#[allow(clippy::unwrap_used, reason = "what it says of the value is what is looked at")]
fn unwrapped(value: Result<(), String>) {
    value.unwrap();
}

/// Deep enough for a long backtrace.
#[inline(never)]
fn deep(level: usize) {
    if level == 2_000 {
        panic!("a fixed sentence");
    }
    deep(level + 1);
    std::hint::black_box(level);
}

/// Returns the reports of a child that panics in this way.
fn reports(folder: &Path, way: &str) -> Vec<String> {
    let mut child = Command::new(std::env::current_exe().expect("this program"));
    child.args(["--exact", "crash::child", "--nocapture"]);
    child.env(FOLDER, folder.join("crashes")).env("LUNETTE_TEST_WAY", way).env("LUNETTE_TEST_CANARY", CANARY);
    // The home is where this was built, so that it is in every frame.
    child.env("HOME", env!("CARGO_MANIFEST_DIR")).env_remove("RUST_BACKTRACE");
    let ended = child.output().expect("it runs");
    assert!(ended.status.success(), "{ended:?}");
    assert!(String::from_utf8_lossy(&ended.stderr).contains("panicked at"), "it is said as ever");
    let files = std::fs::read_dir(folder.join("crashes")).expect("the folder").flatten();
    files.map(|file| std::fs::read_to_string(file.path()).expect("a report")).collect()
}

#[test]
fn a_panic_writes_a_report_with_message_thread_location_and_frames() {
    let folder = tempfile::tempdir().expect("a folder");
    let reports = reports(folder.path(), "literal");
    let [report] = reports.as_slice() else { panic!("one report: {reports:?}") };
    for part in ["message: a fixed sentence", "thread: worker", "place: ", "crash.rs:", "Lunette "] {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert!(report.lines().count() > 10, "{report}");
    #[cfg(unix)]
    for file in std::fs::read_dir(folder.path().join("crashes")).expect("the folder").flatten() {
        let mode = std::os::unix::fs::PermissionsExt::mode(&file.metadata().expect("there").permissions());
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn reports_contain_no_user_data_and_no_home_path() {
    for way in ["literal", "made", "unwrap", "slice", "deep"] {
        let folder = tempfile::tempdir().expect("a folder");
        let reports = reports(folder.path(), way);
        let [report] = reports.as_slice() else { panic!("{way}: one report: {reports:?}") };
        assert!(!report.contains(CANARY), "{way}: {report}");
        assert!(!report.contains(env!("CARGO_MANIFEST_DIR")), "{way}: {report}");
        assert!(report.len() <= 64 * 1024, "{way}: {}", report.len());
        assert!(report.contains("message: "), "{way}: {report}");
    }
}

#[test]
fn repeated_panics_keep_five_reports_and_print_one_message() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(reports(folder.path(), "again").len(), 5);
    let crashes = folder.path().join("crashes");
    assert!(crash::unreported_crashes(&crashes).is_some_and(|message| message.contains("crash-")));
    assert_eq!(crash::unreported_crashes(&crashes), None);
}
