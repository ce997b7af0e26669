//! Tests of the import with real files.

use std::fs;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::batch::FILES;
use super::sender::IN_FLIGHT;
use super::*;
use lunette_client::model::seed::CreatedAssets;
use lunette_client::operation::table::AssetsCreateNewAsset;
use lunette_client::operation::{Call, Method};

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, content).expect("a file");
    }
    folder
}

fn scanned(folder: &TempDir) -> ScanResult {
    scan(&[folder.path().to_owned()], &AtomicBool::new(false))
}

/// Returns the names below the folder, in order.
fn names(plan: &ScanResult) -> Vec<&str> {
    plan.files.iter().filter_map(|file| file.display_path.split_once('/').map(|(_, below)| below)).collect()
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
    let plan = scanned(&folder);
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
    assert_eq!(plan.files.iter().map(|file| file.display_path.as_str()).collect::<Vec<_>>(), [".env"]);
}

#[test]
fn missing_files_are_reported() {
    let plan = scan(&[PathBuf::from("/nowhere/at all")], &AtomicBool::new(false));
    assert_eq!(plan.rejected[0].path, PathBuf::from("/nowhere/at all"));
    assert!(plan.rejected[0].reason.starts_with("cannot be read"), "{plan:?}");
}

#[cfg(unix)]
#[test]
fn links_and_special_files_in_a_folder_are_skipped() {
    let folder = folder(&[("a", b"")]);
    std::os::unix::fs::symlink("a", folder.path().join("link")).expect("a link");
    std::os::unix::fs::symlink(folder.path(), folder.path().join("loop")).expect("a link");
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).expect("a socket");
    let plan = scanned(&folder);
    assert_eq!(names(&plan), ["a"]);
    assert_eq!((plan.skipped.len(), plan.rejected.len()), (3, 0));
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
    assert_eq!(plan.files.iter().map(|file| file.display_path.as_str()).collect::<Vec<_>>(), ["link/a", "link/sub/b"]);
    assert_eq!((plan.rejected, plan.skipped, plan.hidden), (vec![], vec![], vec![]));
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
fn a_named_pipe_is_rejected_without_waiting() {
    let folder = folder(&[]);
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    assert_eq!(seed(&pipe, "pipe", Vendor::Lunette).expect_err("no file").reason, "a named pipe, not a file");
    assert_eq!(scanned(&folder).skipped.len(), 1);
    assert_eq!(scan(&[pipe], &AtomicBool::new(false)).rejected.len(), 1, "what the user named is not passed over");
}

#[test]
fn text_becomes_a_fragment_with_its_origin() {
    let folder = folder(&[("ü.txt", b"caf\xe9 \xe0 la carte, tr\xe8s bon")]);
    let seed = seed(&folder.path().join("ü.txt"), "docs/ü.txt", Vendor::Other).expect("a seed");
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
    assert_eq!(file(Vendor::Lunette)["string"]["base64"], "AAEC/w==");
    assert_eq!(file(Vendor::Other)["bytes"]["raw"], serde_json::json!([0, 1, 2, 255]));
}

#[test]
fn an_oversized_file_is_rejected_with_its_size() {
    let folder = folder(&[("bytes", &[0; MAX_FOREIGN_BINARY_SIZE as usize + 1])]);
    let path = folder.path().join("bytes");
    assert!(seed(&path, "bytes", Vendor::Lunette).is_ok());
    assert!(
        seed(&path, "bytes", Vendor::Other).expect_err("too large").reason.starts_with("binary file of 4194305 bytes")
    );
    fs::File::options().write(true).open(&path).and_then(|file| file.set_len(MAX_FILE_SIZE + 1)).expect("a long file");
    assert!(
        seed(&path, "bytes", Vendor::Lunette).expect_err("too large").reason.starts_with("67108865 bytes: more than")
    );
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

/// A service whose response to a file depends on its name.
#[derive(Clone)]
struct FakeService<F> {
    answer: F,
    /// The error of a batch by its number, or `None` for the outcomes of its files.
    batch: fn(usize) -> Option<CallError>,
    /// The names of the files of each request.
    requests: Arc<Mutex<Vec<Vec<String>>>>,
}

impl<F> FakeService<F> {
    fn note(&self, names: Vec<String>) -> usize {
        let mut requests = self.requests.lock().expect("no panic while held");
        requests.push(names);
        requests.len() - 1
    }
}

fn name(seed: &Value) -> String {
    seed["asset"]["metadata"]["name"].as_str().unwrap_or_default().to_owned()
}

impl<F: Fn(&str) -> Result<Asset, CallError> + Clone + Send + Sync + 'static> CreateAssets for FakeService<F> {
    const RECORDS: bool = false;

    async fn create(&self, call: AssetsCreateNewAsset) -> Result<Asset, CallError> {
        let name = name(call.seed.expect("a seed").tree());
        self.note(vec![name.clone()]);
        (self.answer)(&name)
    }

    async fn create_batch(&self, call: &Call) -> Result<CreatedAssets, CallError> {
        let names: Vec<String> = seeds_of(call).map(name).collect();
        if let Some(error) = (self.batch)(self.note(names.clone())) {
            return Err(error);
        }
        let outcome = |name: &String| match (self.answer)(name) {
            Ok(asset) => json!({ "id": asset.view().id(), "existing": asset.tree()["existing"] }),
            Err(CallError::Status { status, sentence, .. }) => json!({ "status": status, "error": sentence }),
            Err(error) => panic!("{error}"),
        };
        let outcomes: Vec<Value> = names.iter().map(outcome).collect();
        Ok(CreatedAssets::from_tree(json!({ "iterable": outcomes })).expect("outcomes"))
    }
}

fn fake_service<F>(answer: F) -> FakeService<F> {
    FakeService { answer, batch: |_| None, requests: Arc::default() }
}

async fn imported_through<C: CreateAssets>(
    folder: &TempDir,
    cancel: CancelFlag,
    create: C,
    sending: SendMode,
) -> (ImportReport, Vec<Progress>) {
    let steps = Mutex::new(Vec::new());
    let note = |step| steps.lock().expect("no panic while held").push(step);
    let report = import_through(create, vec![folder.path().to_owned()], sending, note, cancel).await;
    (report, steps.into_inner().expect("no panic while held"))
}

async fn imported<F>(folder: &TempDir, cancel: CancelFlag, answer: F) -> (ImportReport, Vec<Progress>)
where
    F: Fn(&str) -> Result<Asset, CallError> + Clone + Send + Sync + 'static,
{
    imported_through(folder, cancel, fake_service(answer), SendMode::Compact).await
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
    assert_eq!(report.imported.iter().map(|(path, _)| last(path)).collect::<Vec<_>>(), ["a", "d"]);
    assert_eq!(report.existing.len(), 1);
    assert_eq!(report.rejected[0].reason, "status 413: no");
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
    assert_eq!((report.unknown.len(), report.rejected.len()), (2, 1), "{report:?}");
    let unknown = |rejected: &Rejected| rejected.reason.starts_with("it is unknown whether it was imported");
    assert!(report.unknown.iter().all(unknown) && !unknown(&report.rejected[0]), "{report:?}");
}

#[tokio::test]
async fn nothing_is_sent_after_a_cancel() {
    let folder = folder(&[("a", b"1"), ("b", b"2")]);
    let cancel = CancelFlag::default();
    cancel.cancel();
    let (report, _) = imported(&folder, cancel, |_| Ok(asset(false))).await;
    assert_eq!((report.imported.len(), report.rejected.len()), (0, 0));
}

#[tokio::test]
async fn an_import_stops_after_a_few_refused_creations() {
    let files: Vec<String> = (0..100).map(|number| format!("{number:03}")).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    let (report, steps) = imported(&folder(&files), CancelFlag::default(), |_| Err(error(404))).await;
    assert_eq!(report.stopped, Some(error(404)));
    assert!(steps.len() <= 1 + IN_FLIGHT, "{}", steps.len());
}

fn many(count: usize) -> TempDir {
    let files: Vec<String> = (0..count).map(|number| format!("{number:04}")).collect();
    folder(&files.iter().map(|name| (name.as_str(), name.as_bytes())).collect::<Vec<_>>())
}

/// The names of the files of each request, in the order of the first.
fn requests<F>(service: &FakeService<F>) -> Vec<Vec<String>> {
    let mut requests = service.requests.lock().expect("no panic while held").clone();
    requests.sort();
    requests
}

#[tokio::test]
async fn files_are_sent_in_full_batches_and_each_has_its_own_outcome() {
    let folder = many(300);
    let service = fake_service(|name: &str| match name {
        "0005" => Err(error(400)),
        "0200" => Ok(asset(true)),
        _ => Ok(asset(false)),
    });
    let (report, steps) = imported_through(&folder, CancelFlag::default(), service.clone(), SendMode::Batches).await;
    assert_eq!(requests(&service).iter().map(Vec::len).collect::<Vec<_>>(), [FILES, FILES, 300 - 2 * FILES]);
    assert_eq!((report.imported.len(), report.existing.len(), report.rejected.len()), (298, 1, 1), "{report:?}");
    assert!(report.rejected[0].path.ends_with("0005") && report.rejected[0].reason == "status 400: no", "{report:?}");
    assert!(report.imported.is_sorted_by_key(|(path, _)| path.clone()), "in the order of the scan");
    assert_eq!((steps.len(), steps[300].done), (301, 300), "the progress counts files");
}

#[tokio::test]
async fn a_file_that_cannot_be_read_does_not_affect_its_batch() {
    let folder = folder(&[("a", b"1"), ("b", b"2"), ("c", b"3")]);
    let large = fs::File::options().write(true).open(folder.path().join("b")).expect("a file");
    large.set_len(MAX_FILE_SIZE + 1).expect("a long file");
    let service = fake_service(|_: &str| Ok(asset(false)));
    let (report, _) = imported_through(&folder, CancelFlag::default(), service, SendMode::Batches).await;
    assert_eq!((report.imported.len(), report.rejected.len()), (2, 1), "{report:?}");
}

#[tokio::test]
async fn batches_respect_the_limit_on_content_and_large_files_are_sent_alone() {
    let text = |megabytes: usize| vec![b'x'; megabytes << 20];
    // UTF-16 text that is 1.5 times as large in UTF-8.
    let wide: Vec<u8> =
        std::iter::repeat_n("\u{3042}".encode_utf16().flat_map(u16::to_le_bytes), (1 << 19) - 1).flatten().collect();
    let wide = [b"\xff\xfe".as_slice(), &wide].concat();
    let files = [
        ("a", text(1)),
        ("b", text(1)),
        ("c", text(1)),
        ("d", text(9)),
        ("f", wide.clone()),
        ("g", wide.clone()),
        ("h", wide),
    ];
    let folder = folder(&files.each_ref().map(|(name, bytes)| (*name, bytes.as_slice())));
    let service = fake_service(|_: &str| Ok(asset(false)));
    let (report, _) = imported_through(&folder, CancelFlag::default(), service.clone(), SendMode::Batches).await;
    assert_eq!(report.imported.len(), 7);
    let expected = [vec!["a", "b", "c"], vec!["d"], vec!["f", "g"], vec!["h"]];
    assert_eq!(requests(&service), expected.map(|names| names.into_iter().map(str::to_owned).collect::<Vec<_>>()));
}

#[tokio::test]
async fn a_service_without_batches_gets_its_files_one_by_one() {
    let folder = many(300);
    let service = FakeService { batch: |_| Some(error(404)), ..fake_service(|_: &str| Ok(asset(false))) };
    let (report, _) = imported_through(&folder, CancelFlag::default(), service.clone(), SendMode::Batches).await;
    assert_eq!(report.imported.len(), 300);
    let requests = requests(&service);
    let (single, batches): (Vec<_>, Vec<_>) = requests.iter().partition(|names| names.len() == 1);
    assert_eq!(single.len(), 300);
    assert!(batches.len() <= 3, "it is not tried again: {}", batches.len());
}

#[tokio::test]
async fn a_batch_that_is_rejected_as_a_whole_is_sent_one_by_one() {
    let folder = many(10);
    let service = FakeService {
        batch: |_| Some(error(413)),
        ..fake_service(|name: &str| if name == "0003" { Err(error(413)) } else { Ok(asset(false)) })
    };
    let (report, _) = imported_through(&folder, CancelFlag::default(), service, SendMode::Batches).await;
    assert_eq!((report.imported.len(), report.rejected.len()), (9, 1), "{report:?}");
    assert!(report.rejected[0].path.ends_with("0003"));
}

#[tokio::test]
async fn a_batch_of_unknown_outcome_is_not_sent_one_by_one_and_all_its_files_are_unknown() {
    let folder = many(200);
    let service =
        FakeService { batch: |number| (number == 0).then(|| error(504)), ..fake_service(|_: &str| Ok(asset(false))) };
    let (report, _) = imported_through(&folder, CancelFlag::default(), service.clone(), SendMode::Batches).await;
    assert_eq!(requests(&service).len(), 2);
    assert_eq!(report.imported.len() + report.unknown.len(), 200);
    assert!(!report.unknown.is_empty() && report.rejected.is_empty(), "{report:?}");
    let unknown = |rejected: &Rejected| rejected.reason.starts_with("it is unknown whether it was imported");
    assert!(report.unknown.iter().all(unknown), "{report:?}");
}

#[tokio::test]
async fn an_import_in_batches_ends_when_the_service_is_gone() {
    let folder = many(1000);
    fn missing_folder_message() -> CallError {
        CallError::Refused { target: error(504).target().expect("one").clone(), problem: "gone".to_owned() }
    }
    let service = FakeService {
        batch: |number| (number > 0).then(missing_folder_message),
        ..fake_service(|_: &str| Ok(asset(false)))
    };
    let (report, _) = imported_through(&folder, CancelFlag::default(), service.clone(), SendMode::Batches).await;
    assert_eq!(report.stopped, Some(missing_folder_message()));
    assert_eq!((report.imported.len(), report.rejected.len(), report.unknown.len()), (FILES, 0, 0));
    assert!(requests(&service).len() <= 4);
}
