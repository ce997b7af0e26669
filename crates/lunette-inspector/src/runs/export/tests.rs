//! Exports of a run on a real disk: names, invalid destinations, a full disk, an archive.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::process::Command;

use tempfile::TempDir;

use super::*;
use crate::runs::RowStatus;
use lunette_client::model::file_name::{name_key, suggested_name};

fn run(assets: usize) -> Run {
    let rows = (0..assets).map(|number| RunRow::new(AssetId::random(), &format!("asset {number}"))).collect();
    Run::new("Export to a place".to_owned(), rows, 4)
}

fn document(file_name: &str, bytes: &[u8]) -> Exported {
    Exported { file_name: file_name.to_owned(), bytes: bytes.to_vec(), text: None, secrets: Vec::new() }
}

/// A row that was exported to this file.
fn saved(run: &mut Run, row: usize, file: SavedFile) {
    run.change(row, |row| (row.status, row.saved) = (RowStatus::Done, Some(Arc::new(file))));
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("listed");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn folder_sink(folder: &Path, run: &Run) -> ExportSink {
    ExportSink::open(&ExportTarget::Folder(folder.to_owned()), &ExportType::Md, run).expect("opened")
}

fn zip_sink(path: &Path, run: &Run) -> ExportSink {
    ExportSink::open(&ExportTarget::Zip(path.to_owned()), &ExportType::Md, run).expect("opened")
}

fn manifest_at(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join(MANIFEST)).expect("a manifest")).expect("JSON")
}

/// The names in an archive, in order.
fn entries<R: io::Read + io::Seek>(archive: &zip::ZipArchive<R>) -> Vec<String> {
    archive.file_names().map(|name| name.expect("a name").into_owned()).collect()
}

/// Bytes that cannot be compressed.
fn noise(length: usize) -> Vec<u8> {
    (0..length).flat_map(|_| uuid::Uuid::new_v4().into_bytes()).take(length).collect()
}

#[test]
fn three_hundred_hostile_names_become_distinct_files_in_the_folder() {
    let stems = [
        "",
        "..",
        "../../etc/passwd",
        "CON",
        "con",
        "Name",
        "NAME",
        "name",
        "name (2)",
        "a/b",
        "a\\b",
        "a:b",
        "manifest",
        "Manifest.JSON",
        ".hidden",
        "x\u{202e}y",
        "\u{0}",
        "é",
        "e\u{301}",
        " a ",
        "a",
        "ſ",
        "ﬀ",
        "😀",
        "-rf",
        "É",
        "e\u{301}",
        "*?<>|",
    ];
    let hostile: Vec<String> =
        (0..300).map(|number| stems[number % stems.len()].to_owned() + &"x".repeat(number / 60 * 60)).collect();
    let outside = tempfile::tempdir().expect("a folder");
    let folder = outside.path().join("exports");
    let mut run = run(hostile.len());
    let sink = folder_sink(&folder, &run);
    for (row, name) in hostile.iter().enumerate() {
        let file_name = suggested_name(name, run.rows[row].asset.as_str(), if row % 2 == 0 { "md" } else { "json" });
        let file = sink.save(&document(&file_name, format!("{row}").as_bytes())).expect("saved");
        saved(&mut run, row, file);
    }
    sink.finish(&run, "http://127.0.0.1:1").expect("finished");

    let written = names(&folder);
    assert_eq!(written.len(), 301, "with the manifest");
    assert_eq!(written.iter().map(|name| name_key(name)).collect::<BTreeSet<_>>().len(), 301);
    assert!(!written.iter().any(|name| name.starts_with('-')), "{written:?}");
    assert_eq!(names(outside.path()), ["exports"]);
    for (row, line) in manifest_at(&folder)["assets"].as_array().expect("a list").iter().enumerate() {
        let bytes = fs::read(folder.join(line["file"].as_str().expect("a name"))).expect("the file");
        assert_eq!(bytes, format!("{row}").as_bytes());
        assert_eq!(line["sha256"], hex(&Sha256::digest(&bytes)));
    }
}

#[test]
fn existing_files_are_kept_and_new_ones_numbered() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["a.md", "a (2).md", "manifest.json"] {
        fs::write(folder.path().join(name), "mine").expect("written");
    }
    let run = run(1);
    let sink = folder_sink(folder.path(), &run);
    assert_eq!(sink.save(&document("a.md", b"theirs")).expect("saved").name, "a (3).md");
    sink.finish(&run, "").expect("finished");
    assert_eq!(names(folder.path()), ["a (2).md", "a (3).md", "a.md", "manifest (2).json", "manifest.json"]);
    assert_eq!(fs::read_to_string(folder.path().join("manifest.json")).expect("read"), "mine");
}

#[test]
fn resuming_a_run_writes_nothing_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut run = run(3);
    let sink = folder_sink(folder.path(), &run);
    let first = sink.save(&document("a.md", b"text")).expect("saved");
    saved(&mut run, 0, first);
    // The ledger of the killed program does not have the second.
    sink.save(&document("b.md", b"text")).expect("saved");
    std::mem::forget(sink);

    let sink = folder_sink(folder.path(), &run);
    let second = sink.save(&document("b.md", b"text")).expect("saved");
    let third = sink.save(&document("a.md", b"text")).expect("saved");
    saved(&mut run, 1, second);
    saved(&mut run, 2, third);
    sink.finish(&run, "").expect("finished");
    folder_sink(folder.path(), &run).finish(&run, "").expect("finished again");
    assert_eq!(names(folder.path()), ["a (2).md", "a.md", "b.md", "manifest.json"]);
}

#[cfg(unix)]
#[test]
fn no_link_out_of_the_folder_is_followed() {
    let folder = tempfile::tempdir().expect("a folder");
    let canary = tempfile::NamedTempFile::new().expect("a file");
    fs::write(canary.path(), "alive").expect("written");
    for name in ["a.md", "manifest.json"] {
        std::os::unix::fs::symlink(canary.path(), folder.path().join(name)).expect("linked");
    }
    let run = run(1);
    let sink = folder_sink(folder.path(), &run);
    assert_eq!(sink.save(&document("a.md", b"alive")).expect("saved").name, "a (2).md");
    sink.finish(&run, "").expect("finished");
    assert_eq!(fs::read_to_string(canary.path()).expect("read"), "alive");
    assert_eq!(names(folder.path()), ["a (2).md", "a.md", "manifest (2).json", "manifest.json"]);
}

#[cfg(unix)]
#[test]
fn an_invalid_destination_is_refused_before_exporting() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("file"), "alive").expect("written");
    fs::create_dir(path("folder.zip")).expect("made");
    std::os::unix::fs::symlink(path("file"), path("link.zip")).expect("linked");
    assert!(Command::new("mkfifo").arg(path("pipe.zip")).status().expect("mkfifo runs").success());
    let open = |target| ExportSink::open(&target, &ExportType::Md, &run(1)).expect_err("refused");
    for name in ["folder.zip", "link.zip", "pipe.zip"] {
        let refused = open(ExportTarget::Zip(path(name)));
        assert!(
            refused.fatal && refused.reason.starts_with("the name is taken by a link, a folder or a device"),
            "{refused:?}"
        );
    }
    for name in ["file", "file/below", "pipe.zip"] {
        let refused = open(ExportTarget::Folder(path(name)));
        assert!(refused.fatal && refused.reason.ends_with(&*path(name).to_string_lossy()), "{refused:?}");
    }
    assert_eq!(names(folder.path()), ["file", "folder.zip", "link.zip", "pipe.zip"]);
}

#[test]
fn an_archive_has_the_order_of_the_run_and_is_deterministic() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut run = run(3);
    run.change(1, |row| row.status = RowStatus::Failed("the service refused".to_owned()));
    let mut packed = Vec::new();
    for path in ["a.zip", "b.zip"].map(|name| folder.path().join(name)) {
        let sink = zip_sink(&path, &run);
        for (row, text) in [(2, "two"), (0, "nought")] {
            let file = sink.save(&document("ü 😀.md", text.as_bytes())).expect("saved");
            saved(&mut run, row, file);
        }
        assert_eq!(sink.finish(&run, "http://127.0.0.1:1").expect("finished"), path);
        packed.push(fs::read(path).expect("read"));
        run.change(0, |row| row.saved = None);
        run.change(2, |row| row.saved = None);
    }
    assert!(packed[0] == packed[1], "the same files give the same archive");
    assert_eq!(names(folder.path()), ["a.zip", "b.zip"]);

    let mut archive = zip::ZipArchive::new(io::Cursor::new(&packed[0])).expect("an archive");
    let entries = entries(&archive);
    assert_eq!(entries, ["ü 😀 (2).md", "ü 😀.md", "manifest.json"]);
    let mut text = String::new();
    archive.by_index(0).expect("an entry").read_to_string(&mut text).expect("read whole, with its checksum");
    assert_eq!(text, "nought");
    let manifest: Value = serde_json::from_reader(archive.by_name(MANIFEST).expect("a manifest")).expect("JSON");
    assert_eq!(manifest["counts"], json!({ "exported": 2, "failed": 1 }));
    assert_eq!((&manifest["kind"], &manifest["service"]), (&"MD".into(), &"http://127.0.0.1:1".into()));
    assert_eq!(manifest["assets"][1]["failure"], "the service refused");
}

#[test]
fn failed_rows_of_an_archive_are_added_by_a_retry() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.zip");
    let mut run = run(2);
    let sink = zip_sink(&path, &run);
    let file = sink.save(&document("a.md", b"one")).expect("saved");
    saved(&mut run, 0, file);
    sink.finish(&run, "").expect("finished");

    let sink = zip_sink(&path, &run);
    let file = sink.save(&document("a.md", b"two")).expect("saved");
    saved(&mut run, 1, file);
    sink.finish(&run, "").expect("finished");
    let archive = zip::ZipArchive::new(File::open(&path).expect("opened")).expect("an archive");
    let mut entries = entries(&archive);
    entries.sort_unstable();
    assert_eq!(entries, ["a (2).md", "a.md", "manifest.json"]);
    assert_eq!(names(folder.path()), ["a.zip"]);
}

#[test]
fn an_archive_created_meanwhile_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.zip");
    let mut run = run(1);
    let sink = zip_sink(&path, &run);
    let file = sink.save(&document("a.md", b"one")).expect("saved");
    saved(&mut run, 0, file);
    fs::write(&path, "mine").expect("written");
    let refused = sink.finish(&run, "").expect_err("refused");
    assert!(refused.reason.contains("The exported files are in "), "{refused}");
    assert_eq!(fs::read_to_string(&path).expect("read"), "mine");
    assert_eq!(names(&sink.folder), ["a.md", "manifest.json"]);
}

/// A disk of its own, mounted until it is dropped.
struct Disk(TempDir);

impl Disk {
    /// Panics if this user may not mount: a test that checked nothing must not pass.
    fn mount(options: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mount = Command::new("mount");
        let done = mount.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(folder.path()).output().expect("mount runs");
        assert!(
            done.status.success(),
            "this test mounts a disk and needs root: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        Self(folder)
    }

    fn again(&self, options: &str) {
        let mut mount = Command::new("mount");
        let status = mount.args(["-o", &format!("remount,{options}")]).arg(self.0.path()).status();
        assert!(status.expect("mount runs").success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        Command::new("umount").arg(self.0.path()).status().ok();
    }
}

/// Fills a destination completely; returns the failure.
fn fill(sink: &ExportSink, run: &mut Run) -> ExportFailure {
    for row in 0..run.rows.len() {
        match sink.save(&document(&format!("{row}.bin"), &noise(100_000))) {
            Ok(file) => saved(run, row, file),
            Err(failure) => return failure,
        }
    }
    panic!("the disk is too large");
}

#[test]
fn a_full_disk_ends_the_run_and_the_manifest_lists_the_written_files() {
    let disk = Disk::mount("size=1m");
    let folder = disk.0.path();
    let mut run = run(20);
    let sink = folder_sink(folder, &run);
    let failure = fill(&sink, &mut run);
    assert!(failure.fatal && failure.reason.starts_with("the disk is full; free some space"), "{failure:?}");
    sink.finish(&run, "").expect("there is room for the manifest");

    let manifest = manifest_at(folder);
    let files: Vec<_> =
        manifest["assets"].as_array().expect("a list").iter().filter(|line| line["file"].is_string()).collect();
    assert!(files.len() > 3);
    for line in &files {
        let bytes = fs::read(folder.join(line["file"].as_str().expect("a name"))).expect("the file");
        assert_eq!((bytes.len(), &line["sha256"]), (100_000, &hex(&Sha256::digest(&bytes)).into()));
    }
    assert_eq!(names(folder).len(), files.len() + 1, "{:?}", names(folder));
}

#[test]
fn an_archive_without_disk_space_keeps_the_exported_files_until_space_is_freed() {
    let disk = Disk::mount("size=1m");
    let path = disk.0.path().join("a.zip");
    let mut run = run(20);
    let sink = zip_sink(&path, &run);
    fill(&sink, &mut run);
    let failure = sink.finish(&run, "").expect_err("no room");
    assert!(
        failure.reason.contains("the disk is full") && failure.reason.contains("The exported files are in"),
        "{failure}"
    );
    let record = names(disk.0.path());
    assert_eq!(record.len(), 1, "{record:?}");
    assert!(record[0].starts_with("a.zip.unfinished-"), "{record:?}");

    disk.again("size=8m");
    zip_sink(&path, &run).finish(&run, "").expect("there is room");
    assert_eq!(names(disk.0.path()), ["a.zip"]);
    let archive = zip::ZipArchive::new(File::open(&path).expect("opened")).expect("an archive");
    assert_eq!(archive.len(), run.rows.iter().filter(|row| row.saved.is_some()).count() + 1);
}

#[test]
fn a_read_only_folder_is_reported() {
    let disk = Disk::mount("size=1m");
    let run = run(1);
    let sink = folder_sink(disk.0.path(), &run);
    sink.room.lock().expect("whole").take();
    disk.again("ro");
    let failure = sink.save(&document("a.md", b"x")).expect_err("refused");
    assert!(failure.fatal && failure.reason.starts_with("no permission to write there"), "{failure:?}");
    let failure = ExportSink::open(&ExportTarget::Folder(disk.0.path().to_owned()), &ExportType::Md, &run);
    assert!(failure.expect_err("refused").fatal);
    disk.again("rw");
}
