//! What a look at an address finds: our service, another of the family, another program, silence, nothing.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener};
use std::time::Duration;

use lunette_client::client::{Limits, Owner, Probe, ProbeStatus, discover_each, probe};

use crate::support::TestService;
use crate::support::hostile::{Behaviour, Hostile};

fn short() -> Limits {
    Limits { connect: Duration::from_millis(500), total: Duration::from_millis(300), ..Limits::default() }
}

async fn look(url: &str) -> Probe {
    probe(url.parse().expect("an address"), Limits::default()).await
}

/// A server that answers by method and path, one request a connection.
fn scripted(answer: fn(&str, &str) -> (u16, &'static str)) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = listener.local_addr().expect("its address").port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
            let mut first = String::new();
            reader.read_line(&mut first).ok();
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|count| count > 2) {
                line.clear();
            }
            let mut words = first.split(' ');
            let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let (status, body) = answer(method, path);
            let head = format!(
                "HTTP/1.1 {status} Whatever\r\nServer: other/1\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            let body = if method == "HEAD" { "" } else { body };
            // A client that has heard enough is gone.
            stream.write_all(format!("{head}{body}").as_bytes()).ok();
        }
    });
    format!("http://127.0.0.1:{port}")
}

#[tokio::test]
async fn our_service_is_identified_with_its_data_id() {
    let service = TestService::start().await;
    let probe = look(&service.running.url()).await;
    assert_eq!(probe.status(), ProbeStatus::Ours);
    let found = probe.result.expect("it is there");
    assert_eq!(found.version.as_deref(), Some(concat!("12.4.1-lunette.", env!("CARGO_PKG_VERSION"))));
    assert_eq!(found.folder().map(str::len), Some(36));
}

#[tokio::test]
async fn a_service_with_only_the_interface_is_identified_by_its_first_list() {
    let service = TestService::with(|settings| settings.interface_only = true).await;
    let probe = look(&service.running.url()).await;
    // It is ours all the same, by its Server header.
    assert_eq!(probe.status(), ProbeStatus::Ours);
    let found = probe.result.expect("it is there");
    assert_eq!((found.folder(), &found.version), (None, &None));
    let foreign = scripted(|_, path| match path {
        "/applications" => (200, "{\"iterable\": []}"),
        _ => (404, "not found"),
    });
    assert_eq!(look(&foreign).await.status(), ProbeStatus::Interface);
}

#[tokio::test]
async fn a_service_that_refuses_head_is_probed_by_get() {
    let url = scripted(|method, path| match (method, path) {
        ("HEAD", _) => (405, ""),
        (_, "/.well-known/health") => (200, "ok:11111111-2222-3333-4444-555555555555"),
        (_, "/.well-known/version") => (200, "12.4.1"),
        _ => (404, "not found"),
    });
    let probe = look(&url).await;
    assert_eq!((probe.status(), probe.server.as_deref()), (ProbeStatus::Family, Some("other/1")));
    let found = probe.result.expect("it is there");
    assert_eq!(found.version.as_deref(), Some("12.4.1"));
    assert_eq!(found.folder(), Some("11111111-2222-3333-4444-555555555555"));
}

#[tokio::test]
async fn a_plain_ok_health_response_identifies_a_service_without_an_id() {
    let url = scripted(|_, path| match path {
        "/.well-known/health" => (200, "ok"),
        _ => (404, "not found"),
    });
    let found = look(&url).await.result.expect("it is there");
    assert_eq!(
        (found.folder(), found.version.as_deref(), found.status(Owner::SameUser)),
        (None, None, ProbeStatus::Family)
    );
}

#[tokio::test]
async fn another_program_is_identified_by_its_response() {
    for (behaviour, reported) in [
        (Behaviour::ok("<!doctype html><title>Hello</title>"), "page"),
        (Behaviour::ok("fine"), "its health check returns \"fine\""),
        (Behaviour::NotHttp, "not HTTP"),
        (Behaviour::Answer(404, "", b"nothing here".to_vec()), "404"),
        (Behaviour::Answer(401, "", b"who are you".to_vec()), "401"),
    ] {
        let server = Hostile::start(behaviour.clone());
        let probe = look(&server.url()).await;
        assert_eq!(probe.status(), ProbeStatus::Other, "{behaviour:?}: {probe:?}");
        assert!(probe.problem().is_some_and(|problem| problem.contains(reported)), "{behaviour:?}: {probe:?}");
    }
}

#[tokio::test]
async fn a_port_that_accepts_and_stays_silent_is_reported_and_probed_once() {
    let server = Hostile::start(Behaviour::Never);
    let probe = probe(server.url().parse().expect("an address"), short()).await;
    assert_eq!(probe.status(), ProbeStatus::Silent);
    assert_eq!(server.requests().len(), 1);
    assert!(server.requests()[0].starts_with("HEAD "), "{:?}", server.requests());
}

#[tokio::test]
async fn a_port_without_a_listener_is_refused() {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
    assert_eq!(look(&format!("http://127.0.0.1:{port}")).await.status(), ProbeStatus::Refused);
}

#[tokio::test]
async fn two_programs_on_both_loopback_addresses_of_a_port_are_reported() {
    let both =
        |port| Some((TcpListener::bind(("127.0.0.1", port)).ok()?, TcpListener::bind(("::1", port)).ok()?, port));
    let Some((four, six, port)) = (39_300..=39_333).rev().find_map(both) else {
        return; // A machine without IPv6 has no second address.
    };
    // One says nothing; the other hangs up.
    std::thread::spawn(move || six.incoming().for_each(drop));
    let mut reported = Vec::new();
    discover_each(Limits::default(), |probe| reported.push((probe.address.to_string(), probe.status()))).await;
    drop(four);
    let of = |host: &str| {
        reported.iter().find(|(at, _)| *at == format!("http://{host}:{port}")).map(|(_, standing)| *standing)
    };
    assert_eq!((of("127.0.0.1"), of("[::1]")), (Some(ProbeStatus::Silent), Some(ProbeStatus::Other)), "{reported:?}");
}

#[tokio::test]
async fn every_probed_port_is_reported_as_it_completes_and_the_result_is_ordered() {
    let mut reported = 0;
    let probes = discover_each(short(), |_| reported += 1).await;
    assert_eq!(reported, probes.len());
    assert!(probes.len() >= 36, "{}", probes.len());
    let port = |probe: &Probe| -> u16 {
        probe.address.to_string().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port")
    };
    let ports: Vec<u16> = probes.iter().map(port).collect();
    assert_eq!(ports.first(), Some(&39_300));
    assert_eq!(ports[ports.len() - 1], 5_323);
}
