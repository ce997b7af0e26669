//! The window on services that never answer, drip, lie, flood or disappear: it keeps drawing and stays usable.

use egui::Key;
use lunette_inspector::panel::Panel;

use crate::stage::Stage;
use crate::support::hostile::{Behaviour, Hostile};

/// A response that claims to be compressed. Nothing is decompressed here, so it is not a zip bomb; as it is, it is not
/// JSON.
fn packed() -> Vec<u8> {
    [b"\x1f\x8b\x08\0\0\0\0\0\0\x03".as_slice(), &[0xff; 4096]].concat()
}

fn behaviours() -> Vec<Behaviour> {
    let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
    let list = br#"{"iterable": []}"#.to_vec();
    vec![
        Behaviour::Never,
        Behaviour::Continue,
        Behaviour::HangBody,
        Behaviour::HalfBody,
        Behaviour::Drip,
        Behaviour::DripHead,
        Behaviour::EndlessHead,
        Behaviour::NeverTakes,
        Behaviour::Huge,
        Behaviour::Announce(1 << 40),
        Behaviour::Reset,
        Behaviour::NotHttp,
        Behaviour::Answer(200, "Content-Encoding: gzip\r\n", packed()),
        Behaviour::Answer(200, "Content-Length: 3\r\n", list.clone()),
        Behaviour::Answer(302, "Location: http://192.0.2.1/\r\n", Vec::new()),
        Behaviour::ok(*b"{\"iterable\": [\xff\xfe]}"),
        Behaviour::ok("{\"iterable\": ["),
        Behaviour::ok(deep),
        Behaviour::StaleClose(list),
    ]
}

#[test]
fn a_hostile_service_does_not_prevent_using_the_window() {
    for behaviour in behaviours() {
        let server = Hostile::start(behaviour.clone());
        let mut stage = Stage::at(&server.url());
        stage.harness.run_steps(3);
        for (key, panel) in
            [(Key::Num5, Panel::Operations), (Key::Num1, Panel::Applications), (Key::Num3, Panel::Assets)]
        {
            stage.ctrl(key);
            assert_eq!(stage.state().navigation.panel, panel, "{behaviour:?}");
        }
        stage.type_into("Filter assets", "still here");
        stage.harness.run_steps(3);
        assert!(stage.state().assets.list.rows.value().is_none_or(|rows| rows.is_empty()), "{behaviour:?}");
    }
}
