//! Every row of the table over real HTTP, without knowing what it does: it is there, it takes what may be left out, and
//! it refuses what is malformed.

use lunette_client::operation::{Call, Group, InputLocation, Method, OPERATIONS, OperationInfo, RequestParts};

use crate::support::raw::{Answer, request};
use crate::support::{TestService, least};

/// Sends a call by hand, so that it is sent as another client would.
async fn send(service: &TestService, call: &Call, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let target = call.parts().target(call.info());
    let mut bytes = request(call.info().method.as_str(), &target, service.port(), headers, None);
    bytes.extend(body);
    service.raw(bytes).await
}

fn is_unmounted(answer: &Answer) -> bool {
    answer.status == 405 || answer.text().starts_with("unknown path")
}

/// Rows with a body that may be left out.
fn with_body() -> impl Iterator<Item = &'static OperationInfo> {
    OPERATIONS.iter().copied().filter(|info| info.inputs.iter().any(|input| input.location == InputLocation::Body))
}

#[tokio::test]
async fn every_operation_is_implemented() {
    let service = TestService::start().await;
    for info in OPERATIONS {
        let answer = send(&service, &least(info), &[], b"").await;
        assert!(!is_unmounted(&answer) && answer.status < 500, "{}: {answer:?}", info.name);
        assert_eq!(answer.header("content-type").is_some(), !answer.body.is_empty(), "{}: {answer:?}", info.name);
    }
}

#[tokio::test]
async fn the_interface_alone_has_no_extensions() {
    let service = TestService::with(|settings| settings.interface_only = true).await;
    for info in OPERATIONS {
        let answer = send(&service, &least(info), &[], b"").await;
        assert_eq!(is_unmounted(&answer), info.group == Group::Extension, "{}: {answer:?}", info.name);
    }
    let address = service.client.address().clone();
    let found =
        lunette_client::client::probe(address, Default::default()).await.result.expect("it is known all the same");
    assert_eq!((found.health, found.version), (None, None));
}

#[tokio::test]
async fn a_body_is_required_exactly_if_the_table_says_so() {
    let service = TestService::start().await;
    // Closing a session needs none, as long as one is open.
    assert_eq!(service.send("POST", "/applications/session/open", None).await.status, 200);
    for info in with_body() {
        let answer = send(&service, &least(info), &[], b"").await;
        assert_eq!(answer.status == 400, info.needs_body, "{}: {answer:?}", info.name);
    }
}

#[tokio::test]
async fn an_omitted_body_is_handled_alike_in_every_form() {
    let service = TestService::start().await;
    assert!(with_body().count() >= 10);
    for info in with_body() {
        let call = least(info);
        let plain = send(&service, &call, &[], b"").await;
        let json = ("Content-Type", "application/json");
        for (headers, body) in [
            (vec![("Content-Length", "0")], ""),
            (vec![json], ""),
            (vec![json, ("Content-Length", "0")], ""),
            (vec![("Transfer-Encoding", "chunked")], "0\r\n\r\n"),
            (vec![json, ("Transfer-Encoding", "chunked")], "0\r\n\r\n"),
        ] {
            let answer = send(&service, &call, &headers, body.as_bytes()).await;
            assert_eq!((answer.status, answer.text()), (plain.status, plain.text()), "{} {headers:?}", info.name);
        }
    }
}

#[tokio::test]
async fn a_malformed_body_is_refused_with_a_reason() {
    let service = TestService::start().await;
    let deep = "[".repeat(100_000);
    for info in with_body() {
        for body in [
            "{".as_bytes(),
            b"nonsense",
            b"[]",
            b"7",
            b"\"\"",
            b"{\"id\": 1, \"text\": 1, \"asset\": 1, \"description\": 1, \"application\": 1, \"current\": 1, \"os\": 1, \"name\": 1, \"url\": 1, \"semantic\": 1}",
            b"\xff\xfe",
            b"\xef\xbb\xbf{}",
            b"{} {}",
            deep.as_bytes(),
        ] {
            let length = body.len().to_string();
            let headers = [("Content-Type", "application/json"), ("Content-Length", length.as_str())];
            let answer = send(&service, &least(info), &headers, body).await;
            let shown = body[..body.len().min(40)].escape_ascii();
            // A bare id is a session's body too (records, section 0, surprise 6); then no such session is known. And an
            // increment of nothing, or for an asset that is not there, is refused for that.
            assert!((400..500).contains(&answer.status), "{} {shown}: {answer:?}", info.name);
            assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"), "{} {shown}", info.name);
            assert!(!answer.body.is_empty(), "{} {shown}", info.name);
        }
    }
}

#[tokio::test]
async fn unusual_text_in_a_path_neither_reaches_nor_breaks_another_operation() {
    let service = TestService::start().await;
    let odd = [
        "update",
        "reclassify",
        "create",
        "%2e",
        "%2E%2e",
        ".",
        "..",
        "%2F",
        "a%2Fb",
        "%00",
        "%0d%0a",
        "%25",
        "%ff",
        "%zz",
        "%F0%9F%98%80",
        "a%20b",
        "'",
        "%22",
        ";",
        "*",
        "%3Cscript%3E",
        "%D7%A9",
        "~",
        "null",
        "-1",
        "5f0c1a340b7e4c5d9a512f6f3d1ae159",
        "5F0C1A34-0B7E-4C5D-9A51-2F6F3D1AE159",
    ];
    for info in OPERATIONS.iter().filter(|info| info.path.contains('{')) {
        for text in odd {
            let target: Vec<_> =
                info.path.split('/').map(|segment| if segment.starts_with('{') { text } else { segment }).collect();
            let answer = service.send(info.method.as_str(), &target.join("/"), None).await;
            let fine = (400..500).contains(&answer.status) || (answer.status == 200 && ["update"].contains(&text));
            assert!(fine, "{} {text}: {answer:?}", info.name);
        }
    }
}

#[tokio::test]
async fn a_malformed_query_is_refused_and_an_unknown_parameter_is_not() {
    let service = TestService::start().await;
    for info in OPERATIONS.iter().filter(|info| info.inputs.iter().any(|input| input.name == "transferables")) {
        let target = least(info).parts().target(info);
        let sign = if target.contains('?') { '&' } else { '?' };
        let method = info.method.as_str();
        let plain = service.send(method, &target, None).await;
        let wrong = service.send(method, &format!("{target}{sign}transferables=maybe"), None).await;
        assert_eq!(wrong.status, 400, "{}", info.name);
        assert!(wrong.text().contains("transferables"), "{}", wrong.text());
        let more = service.send(method, &format!("{target}{sign}package_activities=true&x=%ff"), None).await;
        assert_eq!(more.status, plain.status, "{}", info.name);
    }
}

/// As the Python clients of old write them, and others.
#[tokio::test]
async fn a_query_boolean_is_accepted_in_every_spelling_of_the_clients() {
    let service = TestService::start().await;
    let asset = crate::support::assets::text_asset(&service.client, "a", "some text").await;
    for (spelling, with_content) in [
        ("true", true),
        ("True", true),
        ("TRUE", true),
        ("1", true),
        ("false", false),
        ("False", false),
        ("FALSE", false),
        ("0", false),
    ] {
        let answer = service.send("GET", &format!("/asset/{asset}?transferables={spelling}"), None).await;
        assert_eq!((answer.status, answer.text().contains("some text")), (200, with_content), "{spelling}");
    }
    for none in ["", "yes", "2", "01", "truee", "null"] {
        let answer = service.send("GET", &format!("/assets?transferables={none}"), None).await;
        assert_eq!(answer.status, 400, "{none:?}: {}", answer.text());
    }
}

#[tokio::test]
async fn literal_routes_take_precedence_over_ids() {
    let service = TestService::start().await;
    let wrong_id = service.send("POST", "/asset/other", None).await;
    assert!(wrong_id.text().contains("UUID"), "{}", wrong_id.text());
    for target in ["/asset/update", "/asset/reclassify"] {
        let answer = service.send("POST", target, None).await;
        assert!(answer.status == 400 && !answer.text().contains("UUID"), "{target}: {}", answer.text());
    }
    for target in ["/applications/external", "/applications/external/related", "/assets/identifiers"] {
        assert_eq!(service.send("GET", target, None).await.status, 200, "{target}");
    }
}

#[tokio::test]
async fn every_read_can_be_requested_by_head() {
    let service = TestService::start().await;
    for info in OPERATIONS.iter().filter(|info| info.method == Method::Get) {
        let target = least(info).parts().target(info);
        let read = service.send("GET", &target, None).await;
        let head = service.send("HEAD", &target, None).await;
        assert_eq!((head.status, head.body.len()), (read.status, 0), "{}", info.name);
        assert_eq!(head.header("content-type"), read.header("content-type"), "{}", info.name);
    }
}

#[tokio::test]
async fn a_call_parsed_from_its_own_request_target_is_unchanged() {
    for info in OPERATIONS {
        let call = least(info);
        let target = call.parts().target(info);
        let (path, query) = target.split_once('?').map_or((target.as_str(), None), |(path, query)| (path, Some(query)));
        let parts = RequestParts::from_target(info, path, query, Vec::new()).expect("parts");
        assert_eq!(Call::read(info, &parts), Ok(call));
    }
}
