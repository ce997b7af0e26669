//! The wire itself: ports, statuses, bodies, limits, stopping.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener, TcpStream};
use std::time::Duration;

use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{GetWellKnownHealth, GetWellKnownVersion, ModelsSnapshot};
use lunette_service::{Data, FAMILY_VERSION, HttpLimits, Ports, Settings, StartError, start};

use serde_json::json;

use crate::support::raw::{read_answer, request};
use crate::support::{TestService, client, settings};

#[tokio::test]
async fn the_service_reports_that_it_is_running() {
    let service = TestService::start().await;
    let health = service.client.call(GetWellKnownHealth {}).await.expect("an answer");
    assert!(health.starts_with("ok:"), "{health}");
    // Clients of the family refuse a version below 12.0.0.
    let version = service.client.call(GetWellKnownVersion {}).await.expect("an answer");
    assert_eq!(version, format!("{FAMILY_VERSION}-lunette.{}", env!("CARGO_PKG_VERSION")));
    let head = service.send("GET", "/.well-known/version", None).await;
    assert_eq!(head.header("server"), Some(concat!("lunette/", env!("CARGO_PKG_VERSION"))));
}

#[tokio::test]
async fn the_models_that_clients_look_for_are_placeholders() {
    let service = TestService::start().await;
    let models = service.client.call(ModelsSnapshot {}).await.expect("models");
    let models = models.tree()["iterable"].as_array().expect("a list").clone();
    assert!(models.iter().any(|model| model["unique"] == "gemini-2.0-flash-lite-001"), "{models:?}");
    for model in models {
        assert_eq!((&model["downloaded"], &model["loaded"]), (&json!(false), &json!(false)));
        assert!(model["description"].as_str().is_some_and(|text| text.starts_with("A placeholder")), "{model}");
    }
}

#[tokio::test]
async fn another_version_is_reported_where_that_is_set() {
    let announced = Settings { announced_version: Some("13.0.0".to_owned()), ..settings(Data::Memory) };
    let running = start(announced).await.expect("a service");
    assert_eq!(client(&running).call(GetWellKnownVersion {}).await.as_deref(), Ok("13.0.0"));
    running.stop().await;
}

#[tokio::test]
async fn the_service_listens_on_both_loopback_addresses() {
    let service = TestService::start().await;
    let health = request("GET", "/.well-known/health", service.port(), &[], None);
    let mut four = TcpStream::connect((Ipv4Addr::LOCALHOST, service.port())).expect("127.0.0.1");
    four.write_all(&health).expect("it is sent");
    let answer = tokio::task::spawn_blocking(move || read_answer(&mut four, false)).await.expect("an answer");
    assert_eq!(answer.status, 200);
    // A machine may have no IPv6.
    if TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_ok() {
        let mut six = TcpStream::connect((Ipv6Addr::LOCALHOST, service.port())).expect("::1");
        six.write_all(&health).expect("it is sent");
        let answer = tokio::task::spawn_blocking(move || read_answer(&mut six, false)).await.expect("an answer");
        assert_eq!(answer.status, 200);
    }
}

#[tokio::test]
async fn a_port_in_use_is_refused_by_its_address_or_skipped() {
    for squatter in [TcpListener::bind((Ipv4Addr::LOCALHOST, 0)), TcpListener::bind((Ipv6Addr::LOCALHOST, 0))] {
        // A machine may have no IPv6.
        let Ok(squatter) = squatter else { continue };
        let address = squatter.local_addr().expect("its address");
        let mut exactly = settings(Data::Memory);
        exactly.ports = Ports::Exactly(address.port());
        let error = lunette_service::start(exactly).await.err().expect("it is taken");
        // The other loopback address may be somebody else's at the same port, and is then named instead.
        assert!(error.to_string().contains(&format!(":{} is in use", address.port())), "{error}");

        let mut only = settings(Data::Memory);
        only.ports = Ports::FirstOf(address.port()..=address.port());
        let error = lunette_service::start(only).await.err().expect("all are taken");
        assert!(matches!(error, StartError::AllTaken(_)), "{error}");

        let mut any = settings(Data::Memory);
        any.ports = Ports::FirstOf(address.port()..=u16::MAX);
        let running = lunette_service::start(any).await.expect("one is free");
        assert!(running.port() > address.port());
    }
}

#[tokio::test]
async fn a_stopped_service_releases_its_port_and_folder() {
    let service = TestService::start().await;
    let port = service.port();
    // A connection that was used and is kept open does not hold it up.
    assert!(service.client.call(GetWellKnownHealth {}).await.is_ok());
    service.running.stop().await;
    for _ in 0..3 {
        let mut again = settings(Data::Folder(service.folder.path().to_owned()));
        again.ports = Ports::Exactly(port);
        let running = lunette_service::start(again).await.expect("nothing is held");
        assert!(client(&running).call(GetWellKnownHealth {}).await.is_ok());
        running.stop().await;
    }
}

#[tokio::test]
async fn a_second_service_on_the_same_folder_is_refused() {
    let service = TestService::start().await;
    let second = settings(Data::Folder(service.folder.path().to_owned()));
    let error = lunette_service::start(second).await.err().expect("the folder has an owner");
    assert!(matches!(error, StartError::Store(_)), "{error}");
    assert!(service.client.call(GetWellKnownHealth {}).await.is_ok());
}

#[tokio::test]
async fn an_unknown_operation_is_rejected_with_a_reason() {
    let service = TestService::start().await;
    for (method, target, status) in [
        ("GET", "/", 404),
        ("GET", "/favicon.ico", 404),
        ("GET", "/.well-known/health/", 404),
        ("GET", "//.well-known/health", 404),
        ("POST", "/asset/../asset/update/x/y", 404),
        ("POST", "/.well-known/health", 405),
        ("DELETE", "/.well-known/health", 405),
        ("TRACE", "/.well-known/health", 405),
        ("PATCH", "/no", 404),
    ] {
        let answer = service.send(method, target, None).await;
        assert_eq!(answer.status, status, "{method} {target}");
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
        assert_eq!(answer.header("allow").is_some(), status == 405, "{method} {target}");
        assert!(!answer.body.is_empty());
    }
}

#[tokio::test]
async fn every_get_route_answers_head_without_a_body() {
    let service = TestService::start().await;
    let answer = service.send("HEAD", "/.well-known/health", None).await;
    assert_eq!((answer.status, answer.body.len()), (200, 0));
    assert!(answer.header("content-length").is_some_and(|length| length != "0"), "{answer:?}");
}

#[tokio::test]
async fn an_empty_body_is_ignored_regardless_of_its_content_type() {
    let service = TestService::start().await;
    for headers in [
        vec![],
        vec![("Content-Length", "0")],
        vec![("Content-Type", "application/json")],
        vec![("Content-Type", "application/json"), ("Content-Length", "0")],
        vec![("Content-Type", "text/plain"), ("Content-Length", "0")],
    ] {
        let bytes = request("GET", "/.well-known/health", service.port(), &headers, None);
        assert_eq!(service.raw(bytes).await.status, 200, "{headers:?}");
    }
    let chunked = [("Content-Type", "application/json"), ("Transfer-Encoding", "chunked")];
    let mut bytes = request("GET", "/.well-known/health", service.port(), &chunked, None);
    bytes.extend(b"0\r\n\r\n");
    assert_eq!(service.raw(bytes).await.status, 200);
}

#[tokio::test]
async fn a_body_with_another_content_type_is_refused() {
    let service = TestService::start().await;
    let sent = async |types: &[&str], chunked: bool| {
        let mut headers: Vec<_> = types.iter().map(|value| ("Content-Type", *value)).collect();
        headers.push(if chunked { ("Transfer-Encoding", "chunked") } else { ("Content-Length", "2") });
        let mut bytes = request("GET", "/.well-known/health", service.port(), &headers, None);
        bytes.extend(if chunked { b"2\r\n{}\r\n0\r\n\r\n".as_slice() } else { b"{}" });
        service.raw(bytes).await
    };
    for chunked in [false, true] {
        for types in [
            vec![],
            vec!["text/plain"],
            vec!["application/x-www-form-urlencoded"],
            vec!["multipart/form-data; boundary=application/json"],
            vec!["text/plain; application/json"],
            vec!["application/jsonp"],
            vec!["application/json", "text/plain"],
            vec!["application/json, text/plain"],
        ] {
            let answer = sent(&types, chunked).await;
            assert_eq!(answer.status, 415, "{types:?}");
            assert!(answer.text().contains("Content-Type: application/json"), "{}", answer.text());
        }
        for fine in ["application/json", "Application/JSON; charset=utf-8"] {
            assert_eq!(sent(&[fine], chunked).await.status, 200, "{fine}");
        }
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_by_its_length() {
    let limits = HttpLimits { body_bytes: 1000, content_bytes: 2000, ..HttpLimits::default() };
    let service = TestService::within(limits, |_| {}).await;
    let body = |size: usize| format!("\"{}\"", "x".repeat(size - 2));
    let answer = service.send("GET", "/.well-known/health", Some(&body(1001))).await;
    assert_eq!(answer.status, 413);
    assert!(answer.text().contains("1000"), "{}", answer.text());
    assert_eq!(service.send("GET", "/.well-known/health", Some(&body(1000))).await.status, 200);

    let headers = [("Content-Type", "application/json"), ("Transfer-Encoding", "chunked")];
    let mut bytes = request("GET", "/.well-known/health", service.port(), &headers, None);
    bytes.extend(format!("3e9\r\n{}\r\n0\r\n\r\n", body(1001)).bytes());
    assert_eq!(service.raw(bytes).await.status, 413);
}

#[tokio::test]
async fn a_large_body_is_refused_with_a_reason_instead_of_a_broken_pipe() {
    let service = TestService::start().await;
    let body = format!("\"{}\"", "x".repeat(65 * 1024 * 1024));
    let answer = service.send("GET", "/.well-known/health", Some(&body)).await;
    assert_eq!(answer.status, 413);
    assert!(answer.text().contains(&(16 * 1024 * 1024).to_string()), "{}", answer.text());
}

#[tokio::test]
async fn a_client_that_sends_too_slowly_is_disconnected() {
    let limit = Duration::from_millis(50);
    let limits = HttpLimits { head: limit, body: limit, ..HttpLimits::default() };
    let service = TestService::within(limits, |_| {}).await;
    // Nothing at all, and half a head: closed without an answer.
    assert_eq!(service.raw("").await.status, 0);
    assert_eq!(service.raw("GET /.well-known/health HTTP/1.1\r\nHost: local").await.status, 0);
    // Half a body: there is a request to answer.
    let headers = [("Content-Type", "application/json"), ("Content-Length", "10")];
    let answer = service.raw(request("GET", "/.well-known/health", service.port(), &headers, None)).await;
    assert_eq!(answer.status, 408);
    assert!(service.client.call(GetWellKnownHealth {}).await.is_ok());
}

#[tokio::test]
async fn a_connection_may_be_idle_between_two_requests() {
    let limits = HttpLimits { head: Duration::from_millis(50), ..HttpLimits::default() };
    let service = TestService::within(limits, |_| {}).await;
    let port = service.port();
    let health = format!("GET /.well-known/health HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n");
    let twice = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
        stream.write_all(health.as_bytes()).expect("it is sent");
        let first = read_answer(&mut stream, false).status;
        // Longer than a head may take: nothing comes, and nothing is closed.
        stream.set_read_timeout(Some(Duration::from_millis(200))).expect("a time-out");
        let silence = stream.read(&mut [0]).map_err(|error| error.kind());
        stream.set_read_timeout(None).expect("no time-out");
        stream.write_all(health.as_bytes()).expect("it is still open");
        (first, silence, read_answer(&mut stream, false).status)
    });
    let (first, silence, second) = twice.await.expect("it ends");
    assert!(matches!(silence, Err(std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)), "{silence:?}");
    assert_eq!((first, second), (200, 200));
}

#[tokio::test]
async fn a_connection_that_is_idle_for_too_long_is_closed() {
    let limits = HttpLimits { idle: Duration::from_millis(50), ..HttpLimits::default() };
    let service = TestService::within(limits, |_| {}).await;
    let port = service.port();
    let health = format!("GET /.well-known/health HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n");
    let closed = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
        stream.write_all(health.as_bytes()).expect("it is sent");
        let status = read_answer(&mut stream, false).status;
        (status, stream.read(&mut [0]).expect("a regular end"))
    });
    assert_eq!(closed.await.expect("it ends"), (200, 0));
}

#[tokio::test]
async fn silent_connections_do_not_block_others() {
    let limits = HttpLimits { connections: 4, ..HttpLimits::default() };
    let service = TestService::within(limits, |_| {}).await;
    let port = service.port();
    let connect = || TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
    let mut silent: Vec<_> = (0..12).map(|_| connect()).collect();
    // Some of them begin a request and never end it.
    for stream in silent.iter_mut().step_by(2) {
        stream.write_all(b"GET / HTTP/1.1\r\nContent-Length: 5\r\n").ok();
    }
    for _ in 0..6 {
        assert_eq!(service.send("GET", "/.well-known/health", None).await.status, 200);
    }
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_order() {
    let service = TestService::start().await;
    let port = service.port();
    let answers = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("a connection");
        let one = format!("GET /.well-known/health HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n");
        let last = format!("GET /no HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n");
        stream.write_all(format!("{one}{one}{last}").as_bytes()).expect("they are sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("answers");
        text.matches("HTTP/1.1 ").count()
    });
    assert_eq!(answers.await.expect("it ends"), 3);
}

#[tokio::test]
async fn invalid_requests_affect_no_other_connection() {
    let service = TestService::start().await;
    for bytes in [
        b"\0\0\0\0\r\n\r\n".as_slice(),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n12345",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET /asset/%ff%fe HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n",
    ] {
        let answer = service.raw(bytes).await;
        assert!(
            answer.status == 0 || (400..500).contains(&answer.status),
            "{:?} gave {answer:?}",
            bytes.escape_ascii()
        );
    }
    assert!(service.client.call(GetWellKnownHealth {}).await.is_ok());
}
