//! Import, on real files.

use std::fs;
use std::sync::Mutex;

use tempfile::TempDir;

use std::sync::atomic::AtomicBool;

use super::*;
use lunette_client::operation::Method;

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, content).expect("a file");
    }
    folder
}

fn surveyed(folder: &TempDir) -> ScanResult {
    scan(&[folder.path().to_owned()], &AtomicBool::new(false))
}

/// The names below the folder, in order.
fn names(plan: &ScanResult) -> Vec<&str> {
    plan.files.iter().filter_map(|file| file.shown_as.split_once('/').map(|(_, below)| below)).collect()
}

#[test]
fn hidden_and_ignored_files_are_skipped_outside_of_a_repository_too() {
    let folder = folder(&[
        ("a.rs", b""),
        ("sub/b.rs", b""),
        (".hidden", b""),
        (".git/config", b""),
        (".gitignore", b"*.log\n/out/\n"),
        ("x.log", b""),
        ("out/y", b""),
    ]);
    let plan = surveyed(&folder);
    assert_eq!(names(&plan), ["a.rs", "sub/b.rs"]);
    let left_out =
        plan.hidden.iter().map(|left| (left.path.strip_prefix(folder.path()).expect("below"), &*left.reason));
    let expected =
        [(".git", "hidden"), (".gitignore", "hidden"), (".hidden", "hidden"), ("out", "ignored"), ("x.log", "ignored")];
    assert_eq!(left_out.collect::<Vec<_>>(), expected.map(|(path, why)| (Path::new(path), why)), "each is counted");
}

#[test]
fn a_path_given_by_the_user_is_imported_even_if_hidden_or_ignored() {
    let folder = folder(&[(".gitignore", b"*\n"), (".env", b"A=1")]);
    let path = folder.path().join(".env");
    let plan = scan(&[path.clone(), path], &AtomicBool::new(false));
    assert_eq!(plan.files.iter().map(|file| file.shown_as.as_str()).collect::<Vec<_>>(), [".env"]);
}

#[test]
fn missing_files_are_reported() {
    let plan = scan(&[PathBuf::from("/nowhere/at all")], &AtomicBool::new(false));
    assert_eq!(plan.refused[0].path, PathBuf::from("/nowhere/at all"));
    assert!(plan.refused[0].reason.starts_with("cannot be read"), "{plan:?}");
}

#[cfg(unix)]
#[test]
fn links_and_special_files_in_a_folder_are_skipped() {
    let folder = folder(&[("a", b"")]);
    std::os::unix::fs::symlink("a", folder.path().join("link")).expect("a link");
    std::os::unix::fs::symlink(folder.path(), folder.path().join("loop")).expect("a link");
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).expect("a socket");
    let plan = surveyed(&folder);
    assert_eq!(names(&plan), ["a"]);
    assert_eq!((plan.skipped.len(), plan.refused.len()), (3, 0));
    assert_eq!(plan.skipped[2].reason, "a socket, not a file");
}

#[cfg(unix)]
#[test]
fn a_symlink_to_a_folder_given_by_the_user_is_followed() {
    let folder = folder(&[("a", b"text"), ("sub/b", b"")]);
    let around = tempfile::tempdir().expect("a folder");
    let link = around.path().join("link");
    std::os::unix::fs::symlink(folder.path(), &link).expect("a link");
    let plan = scan(&[link], &AtomicBool::new(false));
    assert_eq!(plan.files.iter().map(|file| file.shown_as.as_str()).collect::<Vec<_>>(), ["link/a", "link/sub/b"]);
    assert_eq!((plan.refused, plan.skipped, plan.hidden), (vec![], vec![], vec![]));
}

#[cfg(unix)]
#[test]
fn a_symlink_given_by_the_user_is_followed() {
    let folder = folder(&[("a", b"text")]);
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("a", &link).expect("a link");
    assert_eq!(scan(&[link], &AtomicBool::new(false)).files.len(), 1);
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_refused_without_waiting() {
    let folder = folder(&[]);
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    assert_eq!(seed(&pipe, "pipe", true).expect_err("no file").reason, "a named pipe, not a file");
    assert_eq!(surveyed(&folder).skipped.len(), 1);
    assert_eq!(scan(&[pipe], &AtomicBool::new(false)).refused.len(), 1, "what the user named is not passed over");
}

#[test]
fn text_becomes_a_fragment_with_its_origin() {
    let folder = folder(&[("ü.txt", b"caf\xe9 \xe0 la carte, tr\xe8s bon")]);
    let seed = seed(&folder.path().join("ü.txt"), "docs/ü.txt", false).expect("a seed");
    let asset = &seed.tree()["asset"];
    assert_eq!(asset["format"]["fragment"]["string"]["raw"], "café à la carte, très bon");
    assert_eq!(asset["metadata"]["name"], "ü.txt");
    assert_eq!(asset["metadata"]["annotations"][0]["text"], "Imported from docs/ü.txt (was windows-1252)");
}

#[test]
fn bytes_are_sent_as_base64_to_our_service_and_as_numbers_to_others() {
    let folder = folder(&[("a.bin", b"\0\x01\x02\xff")]);
    let path = folder.path().join("a.bin");
    let file = |own| seed(&path, "a.bin", own).expect("a seed").tree()["asset"]["format"]["file"].clone();
    assert_eq!(file(true)["string"]["base64"], "AAEC/w==");
    assert_eq!(file(false)["bytes"]["raw"], serde_json::json!([0, 1, 2, 255]));
}

#[test]
fn an_oversized_file_is_refused_with_its_size() {
    let folder = folder(&[("bytes", &[0; LARGEST_FOREIGN_BINARY as usize + 1])]);
    let path = folder.path().join("bytes");
    assert!(seed(&path, "bytes", true).is_ok());
    assert!(seed(&path, "bytes", false).expect_err("too large").reason.starts_with("binary file of 4194305 bytes"));
    fs::File::options().write(true).open(&path).and_then(|file| file.set_len(LARGEST_FILE + 1)).expect("a long file");
    assert!(seed(&path, "bytes", true).expect_err("too large").reason.starts_with("67108865 bytes: more than"));
}

fn asset(existing: bool) -> Asset {
    let moment = serde_json::json!({ "value": "2024-05-01T12:00:00Z" });
    let asset = serde_json::json!({
        "id": AssetId::random().as_str(), "creator": "c", "created": moment, "updated": moment, "existing": existing,
        "formats": { "iterable": [] }, "preview": { "base": { "id": "f" } }, "original": { "id": "f" },
        "mechanism": "MANUAL",
    });
    Asset::from_tree(asset).expect("an asset")
}

async fn imported<F>(folder: &TempDir, cancel: CancelFlag, answer: F) -> (ImportReport, Vec<Progress>)
where
    F: Fn(&str) -> Result<Asset, CallError> + Clone + Send + 'static,
{
    let steps = Mutex::new(Vec::new());
    let send = move |create: AssetsCreateNewAsset| {
        let name = create.seed.expect("a seed").tree()["asset"]["metadata"]["name"].clone();
        let answer = answer(name.as_str().unwrap_or_default());
        async move { answer }
    };
    let note = |step| steps.lock().expect("no panic while held").push(step);
    let report = import_through(send, vec![folder.path().to_owned()], true, note, cancel).await;
    (report, steps.into_inner().expect("no panic while held"))
}

fn error(status: u16) -> CallError {
    let target = lunette_client::client::Target {
        method: Method::Post,
        url: "http://x".to_owned(),
        writes: true,
        content: false,
    };
    CallError::Status { target, status, sentence: "no".to_owned() }
}

#[tokio::test]
async fn every_file_is_in_one_result_list_ordered_by_name() {
    let folder = folder(&[("a", b"1"), ("b", b"2"), ("c", b"3"), ("d", b"4")]);
    let answer = |name: &str| match name {
        "b" => Ok(asset(true)),
        "c" => Err(error(413)),
        _ => Ok(asset(false)),
    };
    let (report, steps) = imported(&folder, CancelFlag::default(), answer).await;
    let last = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    assert_eq!(report.taken.iter().map(|(path, _)| last(path)).collect::<Vec<_>>(), ["a", "d"]);
    assert_eq!(report.existing.len(), 1);
    assert_eq!(report.refused[0].reason, "status 413: no");
    assert_eq!((steps.len(), steps[4].done, steps[4].total), (5, 4, 4));
}

#[tokio::test]
async fn a_file_that_may_have_been_imported_is_not_reported_as_rejected() {
    let folder = folder(&[("a", b"1"), ("b", b"2"), ("c", b"3")]);
    let answer = |name: &str| match name {
        "a" => Err(error(504)),
        "b" => Err(CallError::Reset { target: error(504).target().expect("one").clone(), problem: "gone".to_owned() }),
        _ => Err(error(507)),
    };
    let (report, _) = imported(&folder, CancelFlag::default(), answer).await;
    assert_eq!((report.unknown.len(), report.refused.len()), (2, 1), "{report:?}");
    let unknown = |refused: &Rejected| refused.reason.starts_with("it is unknown whether it was imported");
    assert!(report.unknown.iter().all(unknown) && !unknown(&report.refused[0]), "{report:?}");
}

#[tokio::test]
async fn nothing_is_sent_after_a_cancel() {
    let folder = folder(&[("a", b"1"), ("b", b"2")]);
    let cancel = CancelFlag::default();
    cancel.cancel();
    let (report, _) = imported(&folder, cancel, |_| Ok(asset(false))).await;
    assert_eq!((report.taken.len(), report.refused.len()), (0, 0));
}

#[tokio::test]
async fn an_import_gives_up_after_a_few_refused_creations() {
    let files: Vec<String> = (0..100).map(|number| format!("{number:03}")).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    let (report, steps) = imported(&folder(&files), CancelFlag::default(), |_| Err(error(404))).await;
    assert_eq!(report.stopped, Some(error(404)));
    assert!(steps.len() <= 1 + IN_FLIGHT, "{}", steps.len());
}
