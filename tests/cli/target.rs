//! Which data a verb works on: the given folder, through the service that serves it or without one.

use std::path::Path;
use std::process::Command;

use crate::program::{Ended, Served, command, run};

const APPLICATION: &str = "6c756e65-7474-4e00-8000-0000000000aa";

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

fn at_home(home: &Path, arguments: &[&str]) -> Ended {
    let mut command: Command = command(arguments);
    for name in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
        command.env(name, home);
    }
    let output = command.output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ended { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

#[test]
fn reading_or_changing_a_folder_without_data_exits_with_2_and_creates_nothing() {
    let around = tempfile::tempdir().expect("a folder");
    let (missing, empty) = (around.path().join("none"), around.path().join("empty"));
    std::fs::create_dir(&empty).expect("a folder");
    for folder in [&missing, &empty] {
        for verb in
            [&["list", "assets"][..], &["list", "external"], &["call", "assetsSnapshot"], &["check", "--read-only"]]
        {
            let ended = run(&[verb, &["--data", text(folder)]].concat());
            assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{ended:?}");
            assert!(ended.err.contains(&format!("there is no data in {}", folder.display())), "{ended:?}");
        }
    }
    for verb in [&["tag", "x", APPLICATION][..], &["edit", APPLICATION, "--name", "x"], &["delete", "x"], &["undo"]] {
        let ended = run(&[verb, &["--data", text(&missing)]].concat());
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{ended:?}");
        assert!(ended.err.contains(&format!("there is no data in {}", missing.display())), "{ended:?}");
    }
    assert!(!missing.exists());
    assert_eq!(std::fs::read_dir(&empty).expect("listed").count(), 0);
}

#[test]
fn a_data_folder_in_use_is_accessed_through_its_service() {
    let (data, files) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let service = Served::start(data.path(), &[]);
    let file = files.path().join("a.txt");
    std::fs::write(&file, "text").expect("a file");
    let imported = run(&["import", text(&file), "--data", text(data.path())]);
    assert_eq!(imported.code, Some(0), "{imported:?}");
    let location = format!("to {} (data folder {})\n", service.url, data.path().display());
    assert!(imported.err.starts_with(&location), "{imported:?}");
    let listed = run(&["list", "assets", "--json", "--data", text(data.path())]);
    assert_eq!((listed.code, listed.json().as_array().map(Vec::len)), (Some(0), Some(1)), "{listed:?}");
    assert_eq!(service.call(&["assetsSnapshot"]).json()["iterable"].as_array().map(Vec::len), Some(1));
}

#[test]
fn the_default_data_folder_is_used_with_or_without_a_running_service() {
    let (home, files) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let (data, file) = (home.path().join("lunette"), files.path().join("a.txt"));
    std::fs::write(&file, "text").expect("a file");
    // Given explicitly once, so that a service of another test is not found instead.
    let imported = at_home(home.path(), &["import", text(&file), "--data", text(&data)]);
    assert!(
        imported.err.starts_with(&format!("to {} (data folder, no service running)\n", data.display())),
        "{imported:?}"
    );
    let service = Served::start(&data, &[]);
    let listed = at_home(home.path(), &["list", "assets", "--json"]);
    assert_eq!((listed.code, listed.json().as_array().map(Vec::len), listed.err.as_str()), (Some(0), Some(1), ""));
    let application = format!(
        "application={{\"id\":\"{APPLICATION}\",\"name\":\"OPEN_SOURCE\",\"version\":\"1\",\"platform\":\"LINUX\",\"onboarded\":true,\"privacy\":\"OPEN\"}}"
    );
    let registered = at_home(home.path(), &["call", "applicationsRegister", &application]);
    assert_eq!((registered.code, registered.err), (Some(0), format!("to {} (own data folder)\n", service.url)));
}

#[test]
fn an_operation_can_be_called_on_a_data_folder_and_an_empty_response_prints_nothing() {
    let data = tempfile::tempdir().expect("a folder");
    let opened = run(&["call", "applicationsSessionOpen", "--data", text(data.path())]);
    assert_eq!(opened.code, Some(0), "{opened:?}");
    assert!(opened.json()["id"].is_string(), "{opened:?}");
    let install = format!(
        "install={{\"application\":{{\"id\":\"{APPLICATION}\",\"name\":\"OPEN_SOURCE\",\"version\":\"1\",\"platform\":\"LINUX\",\"onboarded\":true,\"privacy\":\"OPEN\"}}}}"
    );
    let output = run(&["call", "applicationsUsageInstallation", &install, "--data", text(data.path())]);
    assert_eq!((output.code, output.out.as_str()), (Some(0), ""), "{output:?}");
    let both = run(&["call", "assetsSnapshot", "--data", text(data.path()), "--url", "http://127.0.0.1:9"]);
    assert_eq!(both.code, Some(2), "{both:?}");
}

#[test]
fn a_folder_without_backups_is_reported() {
    let data = tempfile::tempdir().expect("a folder");
    let ended = run(&["restore", "--data", text(data.path())]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), ""), "{ended:?}");
    assert!(ended.err.contains(&format!("no backups found for {}", data.path().display())), "{ended:?}");
}
