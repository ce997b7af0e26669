//! `lunette import`, into a running service and into a data folder.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use crate::busy::{Busy, Mood};
use crate::program::{Ended, Served, run};

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, content).expect("a file");
    }
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn import(service: &Served, paths: &[&str]) -> Ended {
    run(&[&["import", "--json", "--url", &service.url], paths].concat())
}

fn length(ended: &Ended, list: &str) -> usize {
    ended.json()[list].as_array().map(Vec::len).expect("a list")
}

#[test]
fn importing_a_folder_twice_creates_each_asset_once() {
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &[]);
    let files = folder(&[("a.rs", b"fn main() {}\n"), ("sub/ü \"b\".md", b"# b\n"), ("x.bin", b"\0\xff\0\xfe\x01")]);

    let first = import(&service, &[text(files.path())]);
    assert_eq!(
        (first.code, length(&first, "imported"), length(&first, "already_present")),
        (Some(0), 3, 0),
        "{first:?}"
    );
    assert!(first.err.ends_with("3 imported, 0 already present, 0 failed\n"), "{first:?}");
    let again = import(&service, &[text(files.path())]);
    assert_eq!(
        (again.code, length(&again, "imported"), length(&again, "already_present")),
        (Some(0), 0, 3),
        "{again:?}"
    );
    let assets = service.call(&["assetsSnapshot"]).json();
    assert_eq!(assets["iterable"].as_array().map(Vec::len), Some(3));
}

#[test]
fn other_services_get_at_most_in_flight_concurrent_calls() {
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &[]);
    let port = service.url.rsplit(':').next().and_then(|port| port.trim_end_matches('/').parse().ok());
    let busy = Busy::start(port.expect("a port"), |_| Mood::Slow(Duration::from_millis(5)));
    let names: Vec<_> = (0..20).map(|number| format!("{number}.txt")).collect();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), name.as_bytes())).collect();
    let files = folder(&files);
    let ended = run(&["import", "--url", &busy.url(), "--in-flight", "1", text(files.path())]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.err.contains("20 of 20 (1 call at a time, of at most 1)"), "{ended:?}");
    assert_eq!((busy.most(), busy.arrivals().iter().filter(|arrival| arrival.writes).count()), (1, 20));
    let too_many = run(&["import", "--in-flight", "9", text(files.path())]);
    assert_eq!(too_many.code, Some(2), "{too_many:?}");
}

#[test]
fn an_imported_file_keeps_its_name_content_and_origin() {
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &[]);
    let files = folder(&[("sub/caf\u{e9}.txt", b"caf\xe9 \xe0 la carte, tr\xe8s bon\n")]);
    let taken = import(&service, &[text(&files.path().join("sub"))]).json();
    let id = format!("asset={}", taken["imported"][0]["asset"].as_str().expect("an id"));

    let asset = service.call(&["assetSnapshot", &id]).json();
    assert_eq!(asset["name"], "caf\u{e9}.txt");
    assert_eq!(asset["original"]["reference"]["fragment"]["string"]["raw"], "café à la carte, très bon\n");
    assert_eq!(asset["annotations"]["iterable"][0]["text"], "Imported from sub/caf\u{e9}.txt (was windows-1252)");
}

#[test]
fn binary_content_is_exported_unchanged() {
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &[]);
    let bytes: Vec<u8> =
        (0..20 * 1024 * 1024u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let files = folder(&[("large.bin", &bytes)]);
    let taken = import(&service, &[text(&files.path().join("large.bin"))]).json();
    let id = format!("asset={}", taken["imported"][0]["asset"].as_str().expect("an id"));

    let exported = service.call(&["assetSpecificAssetExport", &id, "exportType=RAW"]).json();
    let base64 = exported["raw"]["string"]["base64"].as_str().expect("base64");
    let decoded = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, base64).expect("base64");
    assert!(decoded == bytes, "{} bytes came back of {}", decoded.len(), bytes.len());
}

#[test]
fn unreadable_files_are_reported_and_the_others_imported() {
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &[]);
    let files = folder(&[("a", b"1")]);
    let ended = import(&service, &[text(&files.path().join("a")), "/nonexistent/b\u{1b}[2J"]);
    assert_eq!((ended.code, length(&ended, "imported"), length(&ended, "failed")), (Some(1), 1, 1), "{ended:?}");
    assert!(ended.err.contains("failed: /nonexistent/b<U+001B>[2J: cannot be read"), "{ended:?}");
    assert!(!ended.err.contains('\u{1b}'), "{ended:?}");
}

#[test]
fn import_writes_to_a_data_folder_without_a_running_service() {
    let data = tempfile::tempdir().expect("a folder");
    let files = folder(&[("a.py", b"print()\n")]);
    let ended = run(&["import", "--data", text(data.path()), text(&files.path().join("a.py"))]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let (id, path) = ended.out.trim_end().split_once("  ").expect("an id and a path");
    assert!(path.ends_with("a.py"), "{ended:?}");

    let service = Served::start(data.path(), &[]);
    assert_eq!(service.call(&["assetSnapshot", &format!("asset={id}")]).json()["name"], "a.py");
}

#[test]
fn a_dry_run_lists_the_files_and_calls_no_service() {
    let files = folder(&[("a", b"1"), ("b", b"22"), (".env", b"A=1")]);
    let ended = run(&["import", "--dry-run", "--url", "http://127.0.0.1:9", text(files.path())]);
    let path = |name: &str| format!("{}\n", files.path().join(name).display());
    assert_eq!((ended.code, ended.out), (Some(0), path("a") + &path("b")));
    assert_eq!(ended.err, "1 hidden or ignored file skipped\n2 would be imported, 0 failed\n");
    let ended = run(&["import", "--dry-run", "--json", text(files.path()), "/nonexistent"]);
    let lengths = ["would_import", "failed", "skipped"].map(|list| length(&ended, list));
    assert_eq!((ended.code, lengths), (Some(1), [2, 1, 1]), "{ended:?}");
}

#[test]
fn an_import_into_a_service_without_create_is_reported() {
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &["--interface-only"]);
    let files = folder(&[("a", b"1"), ("b", b"2")]);
    let ended = import(&service, &[text(files.path())]);
    assert_eq!((ended.code, length(&ended, "imported")), (Some(1), 0), "{ended:?}");
    assert!(ended.err.contains("this service does not create assets"), "{ended:?}");
}

/// The assets of a service: name and size of the content of each.
#[cfg(unix)]
fn stored(service: &Served) -> Vec<(String, u64)> {
    let assets = service.call(&["assetsSnapshot", "transferables=false"]).json();
    let assets = assets["iterable"].as_array().expect("a list").iter();
    let stored = assets.map(|asset| {
        let size = asset["original"]["reference"]["bytes"]["value"].as_u64();
        (asset["name"].as_str().expect("a name").to_owned(), size.expect("a size"))
    });
    let mut stored: Vec<_> = stored.collect();
    stored.sort();
    stored
}

#[cfg(unix)]
#[test]
fn a_service_killed_during_an_import_has_whole_files_and_each_one_that_it_acknowledged() {
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &[]);
    let names: Vec<String> = (0..2000).map(|number| format!("{number:04}.txt")).collect();
    let expected: Vec<(String, u64)> = names.iter().zip(1..).map(|(name, size)| (name.clone(), size)).collect();
    let contents: Vec<Vec<u8>> = expected.iter().map(|(_, size)| vec![b'x'; *size as usize]).collect();
    let files: Vec<(&str, &[u8])> =
        names.iter().zip(&contents).map(|(name, text)| (name.as_str(), &text[..])).collect();
    let files = folder(&files);
    let arguments = ["import", "--json", "--url", &service.url, text(files.path())];
    let running = crate::program::command(&arguments).spawn().expect("the program starts");
    while service.call(&["assetsIdentifiersSnapshot"]).json()["iterable"].as_array().is_none_or(Vec::is_empty) {}
    service.end("KILL");
    let out = running.wait_with_output().expect("it ends");
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    let acknowledged = report["imported"].as_array().expect("a list").iter();
    let acknowledged: Vec<&str> = acknowledged.map(|item| item["path"].as_str().expect("a path")).collect();

    let service = Served::start(data.path(), &[]);
    let kept = stored(&service);
    assert!(kept.iter().all(|asset| expected.contains(asset)), "only whole files");
    assert!(kept.windows(2).all(|two| two[0].0 != two[1].0), "none twice");
    for path in acknowledged {
        assert!(kept.iter().any(|(name, _)| path.ends_with(name.as_str())), "{path} was acknowledged");
    }
    let again = import(&service, &[text(files.path())]);
    assert_eq!((again.code, length(&again, "already_present")), (Some(0), kept.len()), "{}", again.err);
    assert_eq!(stored(&service), expected);
}

/// A service behind a gateway that answers every write itself, once it has read it; returns its address.
fn behind_a_gateway() -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("its address"));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A client that disconnects ends the thread, which is intended.
            std::thread::spawn(move || gateway(stream).ok());
        }
    });
    url
}

fn gateway(stream: TcpStream) -> io::Result<()> {
    let (mut reader, mut stream) = (BufReader::new(stream.try_clone()?), stream);
    let (mut head, mut length) = (String::new(), 0);
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head)? > 0 {
        let line = head.lines().next_back().unwrap_or_default().to_ascii_lowercase();
        length = line.strip_prefix("content-length: ").and_then(|length| length.parse().ok()).unwrap_or(length);
    }
    reader.read_exact(&mut vec![0; length])?;
    let (status, text) = if head.starts_with("POST ") { ("504 Late", "<html>504</html>") } else { ("200 OK", "ok") };
    let length = text.len();
    let text = if head.starts_with("HEAD ") { "" } else { text };
    write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{text}")
}

#[test]
fn a_write_answered_by_a_gateway_is_reported_as_unknown() {
    let url = behind_a_gateway();
    let files = folder(&[("a", b"1")]);
    let ended = run(&["import", "--json", "--url", &url, text(files.path())]);
    assert_eq!((ended.code, length(&ended, "unknown"), length(&ended, "failed")), (Some(1), 1, 0), "{ended:?}");
    assert!(ended.err.contains("it is unknown whether it was imported; check before"), "{ended:?}");
    assert!(ended.err.ends_with("0 imported, 0 already present, 0 failed, 1 unknown\n"), "{ended:?}");
    let ended = run(&["call", "applicationsSessionOpen", "--url", &url]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""), "{ended:?}");
    assert!(ended.err.contains("It is unknown whether the change was made"), "{ended:?}");
}

#[test]
fn a_refused_call_exits_with_1_and_prints_the_reason_of_the_service() {
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &[]);
    let ended = service.call(&["assetFormats", "asset=5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159"]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""), "{ended:?}");
    assert!(
        ended.err.contains("status 404: ") && ended.err.contains("5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159"),
        "{ended:?}"
    );
    assert_eq!(ended.err.lines().count(), 1, "{ended:?}");
}

#[cfg(unix)]
#[test]
fn skipped_files_of_a_folder_are_counted_and_are_not_failures() {
    let data = tempfile::tempdir().expect("a folder");
    let service = Served::start(data.path(), &[]);
    let files = folder(&[("a", b"1"), (".env", b"A=1"), (".gitignore", b"*.log\n"), ("x.log", b"1")]);
    let _socket = std::os::unix::net::UnixListener::bind(files.path().join("socket")).expect("a socket");
    let ended = import(&service, &[text(files.path())]);
    let lengths = ["imported", "already_present", "failed", "skipped"].map(|list| length(&ended, list));
    assert_eq!((ended.code, lengths), (Some(0), [1, 0, 0, 4]), "{ended:?}");
    assert!(ended.err.contains("socket: a socket, not a file"), "{ended:?}");
    assert!(
        ended.err.contains("\n3 hidden or ignored files skipped\n1 imported, 0 already present, 0 failed\n"),
        "{ended:?}"
    );
}
