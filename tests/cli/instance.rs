//! One window per data folder, with real windows on a virtual screen.

use std::path::Path;

use crate::screen::{Opened, Screen, until};

const LINK: &str = "lunette://asset/5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";

fn opened(screen: &Screen, data: &Path, arguments: &[&str]) -> Opened {
    Opened(screen.program(data, arguments).spawn().expect("the program starts"))
}

/// Opens the first window, and waits until it listens.
fn first(screen: &Screen, data: &Path) -> Opened {
    let first = opened(screen, data, &[]);
    until("the first window listens", || data.join("window.address").exists());
    first
}

#[test]
fn a_second_start_raises_the_first_window_and_a_crash_does_not_block_the_next_start() {
    let screen = Screen::start();
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path();
    let window = first(&screen, data);
    for arguments in [&["open", LINK][..], &["--embedded"], &["open", env!("CARGO_MANIFEST_DIR")]] {
        let (code, message) = opened(&screen, data, arguments).ended();
        assert_eq!(code, Some(0), "{arguments:?}: {message}");
        assert!(message.contains("shown in the window already open on"), "{arguments:?}: {message}");
    }
    window.signal("KILL");
    drop(window);
    let before = std::fs::read(data.join("window.address")).expect("a crash leaves it");
    let again = opened(&screen, data, &[]);
    until("the next window is the first", || std::fs::read(data.join("window.address")).is_ok_and(|now| now != before));
    let (code, message) = opened(&screen, data, &["open"]).ended();
    assert_eq!((code, message.contains("shown in the window")), (Some(0), true), "{message}");
    drop(again);
}

#[test]
fn a_new_window_opens_beside_a_hanging_one_or_on_request() {
    let screen = Screen::start();
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path();
    let window = first(&screen, data);
    until("its service answers", || data.join("lunette.address").exists());
    let mut beside = opened(&screen, data, &["--new-window"]);
    window.signal("STOP");
    let mut other = opened(&screen, data, &["open", LINK]);
    let mut message = String::new();
    let mut lines = std::io::BufReader::new(other.0.stderr.take().expect("a pipe"));
    std::io::BufRead::read_line(&mut lines, &mut message).expect("UTF-8");
    assert!(message.contains("did not respond within") && message.contains("opening another one"), "{message}");
    window.signal("CONT");
    assert_eq!(beside.0.try_wait().expect("a child"), None, "the other window stays open");
    assert_eq!(other.0.try_wait().expect("a child"), None, "and so does this one");
}

#[test]
fn an_invalid_link_or_file_is_refused_before_a_window_is_contacted() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_str().expect("UTF-8");
    for (what, message) in [
        (&["lunette://delete/everything"][..], "is not a Lunette link"),
        (&[LINK, LINK], "only one link"),
        (&["/nonexistent/file"], "cannot open /nonexistent/file"),
    ] {
        let ended = crate::program::run(&[&["open", "--data", data], what].concat());
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{ended:?}");
        assert!(ended.err.contains(message), "{ended:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 0);
}
