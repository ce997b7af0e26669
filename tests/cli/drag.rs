//! Dragging a file out of the window: another program on the same screen accepts it, with a real pointer.

use std::path::PathBuf;
use std::process::Command;

use lunette::ui::platform::drag::x11::drag_file;
use x11rb::connection::Connection as _;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, CLIENT_MESSAGE_EVENT, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode,
    Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::screen::{Screen, until};

/// Another program, with a window that accepts drops according to the protocol.
struct Taker {
    connection: RustConnection,
    window: Window,
}

impl Taker {
    fn on(screen: &Screen) -> Self {
        let (connection, number) = x11rb::connect(Some(&screen.name)).expect("a display");
        let root = connection.setup().roots[number].root;
        let window = connection.generate_id().expect("an id");
        let (class, depth) = (WindowClass::INPUT_OUTPUT, x11rb::COPY_DEPTH_FROM_PARENT);
        let nothing = CreateWindowAux::new();
        connection.create_window(depth, window, root, 600, 300, 200, 200, 0, class, 0, &nothing).expect("a window");
        let taker = Self { connection, window };
        let aware = taker.atom("XdndAware");
        let version = taker.connection.change_property32(PropMode::REPLACE, window, aware, AtomEnum::ATOM, &[5]);
        version.expect("sent").check().expect("set");
        taker.connection.map_window(window).expect("sent").check().expect("mapped");
        taker
    }

    fn atom(&self, name: &str) -> u32 {
        self.connection.intern_atom(false, name.as_bytes()).expect("sent").reply().expect("an atom").atom
    }

    fn tell(&self, to: Window, kind: &str, data: [u32; 5]) {
        let (response_type, type_) = (CLIENT_MESSAGE_EVENT, self.atom(kind));
        let event = ClientMessageEvent { response_type, format: 32, sequence: 0, window: to, type_, data: data.into() };
        self.connection.send_event(false, to, EventMask::NO_EVENT, event).expect("sent").check().expect("told");
    }

    /// Accepts a drop as this type; returns its text, and whether anything but a copy was offered.
    fn take(&self, kind: &str) -> (String, bool) {
        let [position, drop, copy] = ["XdndPosition", "XdndDrop", "XdndActionCopy"].map(|name| self.atom(name));
        let (selection, kind) = (self.atom("XdndSelection"), self.atom(kind));
        let (mut only_copies, mut source) = (true, 0);
        loop {
            match self.connection.wait_for_event().expect("an event") {
                Event::ClientMessage(message) if message.type_ == position => {
                    let data = message.data.as_data32();
                    only_copies &= data[4] == copy;
                    self.tell(data[0], "XdndStatus", [self.window, 1, 0, 0, copy]);
                }
                Event::ClientMessage(message) if message.type_ == drop => {
                    source = message.data.as_data32()[0];
                    self.connection.convert_selection(self.window, selection, kind, kind, 0u32).expect("sent");
                    self.connection.flush().expect("sent");
                }
                Event::SelectionNotify(notify) => {
                    let got = self.connection.get_property(false, self.window, notify.property, kind, 0, 4096);
                    let got = got.expect("sent").reply().expect("the text").value;
                    self.tell(source, "XdndFinished", [self.window, 1, copy, 0, 0]);
                    return (String::from_utf8(got).expect("UTF-8"), only_copies);
                }
                _ => {}
            }
        }
    }
}

fn pointer(screen: &Screen, arguments: &[&str]) -> bool {
    Command::new("xdotool").args(arguments).env("DISPLAY", &screen.name).status().is_ok_and(|status| status.success())
}

/// Presses the button at the upper left, drags a file from there, and releases it at this position.
fn dragged(screen: &Screen, path: PathBuf, position: [&str; 2]) -> bool {
    assert!(pointer(screen, &["mousemove", "10", "10", "mousedown", "1"]));
    let name = screen.name.clone();
    let drag = std::thread::spawn(move || drag_file(Some(&name), &path).expect("dragged"));
    let (connection, _) = x11rb::connect(Some(&screen.name)).expect("a display");
    let selection = connection.intern_atom(false, b"XdndSelection").expect("sent").reply().expect("an atom").atom;
    let owner = || connection.get_selection_owner(selection).expect("sent").reply().expect("an owner").owner;
    until("the drag has begun", || owner() != x11rb::NONE);
    assert!(pointer(screen, &["mousemove", position[0], position[1]]));
    assert!(pointer(screen, &["mousemove_relative", "3", "3", "mouseup", "1"]));
    drag.join().expect("it ends")
}

#[test]
fn dropping_a_dragged_file_copies_it_into_another_program() {
    let screen = Screen::start();
    assert!(pointer(&screen, &["getmouselocation"]), "xdotool is installed (Debian: xdotool)");
    let path = PathBuf::from("/tmp/a moon & <stars> ü.md");
    for (kind, text) in [
        ("text/uri-list", "file:///tmp/a%20moon%20&%20%3Cstars%3E%20%C3%BC.md\r\n"),
        ("text/plain", "/tmp/a moon & <stars> ü.md"),
    ] {
        let taker = Taker::on(&screen);
        let taken = std::thread::spawn(move || taker.take(kind));
        assert!(dragged(&screen, path.clone(), ["700", "400"]));
        assert_eq!(taken.join().expect("taken"), (text.to_owned(), true));
    }
    assert!(!dragged(&screen, path, ["20", "20"]), "where nobody takes it, nothing is handed over");
    assert!(drag_file(Some(&screen.name), "no/whole/path".as_ref()).is_err());
    assert!(drag_file(Some(":9"), "/tmp/x".as_ref()).is_err());
}
