//! The first instance and later starts, over the real socket, in one process.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use tempfile::TempDir;
use tokio::runtime::Runtime;

use lunette_inspector::shell::open_requests::{Answer, OpenRequest, OpenRequestSender, channel};

use super::*;

const LINK: &str = "lunette://asset/5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime")
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn first(folder: &TempDir) -> FirstInstance {
    match start(folder.path(), None, TIMEOUT).expect("it starts") {
        Start::FirstInstance(first) => first,
        other => panic!("{other:?}"),
    }
}

/// A first instance that passes requests to this sender.
fn listening(folder: &TempDir, runtime: &Runtime, sender: OpenRequestSender) -> FirstInstance {
    let mut first = first(folder);
    runtime.block_on(first.listen(sender)).expect("it listens");
    first
}

/// A first instance that gives this answer to every request, for as long as the returned value lives.
fn answering(
    folder: &TempDir,
    runtime: &Runtime,
    answer: Answer,
) -> (FirstInstance, std::sync::mpsc::Receiver<OpenRequest>) {
    let (sender, mut app) = front(answer);
    let (heard, hears) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        while let Some(request) = app() {
            if heard.send(request).is_err() {
                break;
            }
        }
    });
    (listening(folder, runtime, sender), hears)
}

/// A sender, and a function that takes the next request and answers it.
fn front(answer: Answer) -> (OpenRequestSender, impl FnMut() -> Option<OpenRequest>) {
    let (sender, receiver) = channel();
    let next = move || {
        let mut request = receiver.next()?;
        std::mem::replace(&mut request.answer, Box::new(|_| ()))(answer);
        Some(request)
    };
    (sender, next)
}

fn request() -> LaunchRequest {
    LaunchRequest { link: Some(LINK.to_owned()), paths: vec![std::env::temp_dir()], target: None }
}

#[test]
fn a_second_start_forwards_its_arguments() {
    let (folder, runtime) = (folder(), runtime());
    let (_first, heard) = answering(&folder, &runtime, Answer::Shown);
    assert!(matches!(start(folder.path(), Some(&request()), TIMEOUT), Ok(Start::Shown)));
    let request = heard.recv().expect("heard");
    assert_eq!(request.link.map(|link| link.to_string()).as_deref(), Some(LINK));
    assert_eq!(request.paths, [std::env::temp_dir()]);
}

#[test]
fn a_window_with_other_data_gets_another_one_beside_it() {
    let (folder, runtime) = (folder(), runtime());
    let (_first, _heard) = answering(&folder, &runtime, Answer::Elsewhere);
    assert!(matches!(start(folder.path(), Some(&request()), TIMEOUT), Ok(Start::Beside(None))));
    assert!(matches!(start(folder.path(), None, TIMEOUT), Ok(Start::Beside(None))));
}

#[test]
fn a_hanging_or_starting_window_blocks_no_other_process() {
    let (folder, runtime) = (folder(), runtime());
    let patience = Duration::from_millis(300);
    let timed_out = |start: io::Result<Start>| matches!(start, Ok(Start::Beside(Some(problem))) if problem.contains("did not respond within"));
    let mut first = first(&folder);
    assert!(timed_out(start(folder.path(), Some(&request()), patience)), "it does not listen yet");
    let (sender, _receiver) = channel();
    runtime.block_on(first.listen(sender)).expect("it listens");
    assert!(timed_out(start(folder.path(), Some(&request()), patience)), "it listens and does nothing");
}

#[test]
fn leftovers_of_a_crash_do_not_count_as_a_first_window() {
    let (folder, runtime) = (folder(), runtime());
    let (sender, _receiver) = channel();
    let left = {
        let _first = listening(&folder, &runtime, sender);
        fs::read(folder.path().join(ADDRESS)).expect("an address")
    };
    assert!(!folder.path().join(ADDRESS).exists(), "an end in order takes it away");
    fs::write(folder.path().join(ADDRESS), left).expect("written");
    assert!(matches!(start(folder.path(), Some(&request()), TIMEOUT), Ok(Start::FirstInstance(_))));
    assert!(!folder.path().join(ADDRESS).exists());
}

#[test]
fn requests_with_a_wrong_token_or_too_much_data_are_ignored() {
    let (folder, runtime) = (folder(), runtime());
    let (_first, heard) = answering(&folder, &runtime, Answer::Shown);
    let address = ListenAddress::read(folder.path()).expect("an address");
    let reply_to = |line: &[u8]| {
        let mut stream = TcpStream::connect(("127.0.0.1", address.port)).expect("a connection");
        stream.write_all(line).ok(); // It may be closed before everything is sent.
        let mut reply = String::new();
        stream.read_to_string(&mut reply).ok(); // A reset says no more than an end.
        reply
    };
    let message = |word: &str, request: serde_json::Value| {
        format!("{}\n", serde_json::json!({ "word": word, "wish": request })).into_bytes()
    };
    let empty = serde_json::json!({ "target": null, "link": null, "paths": [] });
    for word in ["", "x", &address.word[1..], &"0".repeat(64), &format!("{}0", address.word)] {
        assert_eq!(reply_to(&message(word, empty.clone())), "\"Refused\"\n", "{word}");
    }
    for line in [&b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"[..], b"{}\n", b"\n", b"\xff\xfe\n"] {
        assert_eq!(reply_to(line), "");
    }
    assert_eq!(reply_to(&vec![b' '; 2 * MAX_MESSAGE as usize]), "");
    let odd = serde_json::json!({ "target": null, "link": null, "paths": [], "write": true });
    assert_eq!(reply_to(&message(&address.word, odd)), "");
    for (link, path) in [(Some("lunette://delete/x"), None), (None, Some("relative/path"))] {
        let request = serde_json::json!({ "target": null, "link": link, "paths": path.as_slice() });
        assert_eq!(reply_to(&message(&address.word, request)), "\"Refused\"\n");
    }
    assert!(heard.try_recv().is_err(), "nothing reached the window");
    assert_eq!(reply_to(&message(&address.word, empty)), "\"Shown\"\n");
}

#[test]
fn silent_clients_do_not_block_others() {
    let (folder, runtime) = (folder(), runtime());
    let (_first, _heard) = answering(&folder, &runtime, Answer::Shown);
    let address = ListenAddress::read(folder.path()).expect("an address");
    let idle: Vec<_> =
        (0..100).map(|_| TcpStream::connect(("127.0.0.1", address.port)).expect("a connection")).collect();
    assert!(matches!(start(folder.path(), Some(&request()), TIMEOUT), Ok(Start::Shown)));
    drop(idle);
}

#[cfg(unix)]
#[test]
fn only_the_user_can_read_the_token() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, runtime) = (folder(), runtime());
    let (sender, _receiver) = channel();
    let _first = listening(&folder, &runtime, sender);
    let mode = fs::metadata(folder.path().join(ADDRESS)).expect("an address").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[cfg(unix)]
#[test]
fn the_folder_and_the_lock_are_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    let data = folder.path().join("new");
    let _first = FirstInstance::take(&data).expect("taken").expect("the first");
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!((mode(&data), mode(&data.join(LOCK))), (0o700, 0o600));
}
