//! Made-up ids in every row of the interface: what a client writes reads back as the same row with the same inputs, or
//! it is refused before anything is sent.

use lunette_client::operation::{Call, Group, InputLocation, OPERATIONS, OperationInfo, RequestParts};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::support::TestService;
use crate::support::raw;

/// How many ids are made up, and how many of them are sent as well.
const IDS: usize = 5_000;
const SENT: usize = 300;

/// The 27 rows of the interface.
fn rows() -> impl Iterator<Item = &'static OperationInfo> {
    OPERATIONS.iter().copied().filter(|info| info.group != Group::Extension)
}

/// Texts that could be taken for another place, another operation, or another request.
fn made_up() -> impl Strategy<Value = String> {
    let piece = "\\.|%2e|%2E|%252e|/|%2f|%2F|\\\\|%5c|\\?|#|;|&|=|@|:|%|%00|%zz| |\\+|\u{0}|\r|\n|\t|\u{7f}|ü|😀|\u{202e}\
                 |update|reclassify|create|delete|tags|associate|register|session|external|related|export|[a-z0-9]{1,3}";
    let pieces = prop::collection::vec(proptest::string::string_regex(piece).expect("a pattern"), 0..8);
    let id = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
    prop_oneof![
        3 => pieces.prop_map(|pieces| pieces.concat()),
        1 => "(?s).{0,12}",
        2 => id.prop_map(|id| id),
        1 => id.prop_map(|id| id.to_uppercase()),
        1 => (id, 0..7_usize).prop_map(|(id, shape)| match shape {
            0 => id.replace('-', ""),
            1 => format!("{{{id}}}"),
            2 => format!("urn:uuid:{id}"),
            3 => format!("{id}/.."),
            4 => format!("{id}%2f..%2fupdate"),
            5 => format!("{id}?transferables=true"),
            _ => format!("{id} "),
        }),
    ]
}

fn some(count: usize) -> Vec<String> {
    let (mut runner, strategy) = (TestRunner::deterministic(), made_up());
    (0..count).map(|_| strategy.new_tree(&mut runner).expect("a text").current()).collect()
}

/// A call of this row with the same text for every id of its path, and for what its query has to say; None where the text
/// is refused.
fn call(info: &OperationInfo, text: &str) -> Option<(Call, RequestParts)> {
    let mut parts = RequestParts::default();
    for input in info.inputs {
        match input.location {
            InputLocation::Path => parts.path.push((input.name.to_owned(), text.to_owned())),
            InputLocation::Query if input.required => parts.query.push((input.name.to_owned(), text.to_owned())),
            InputLocation::Query | InputLocation::Body => {}
        }
    }
    Call::read(info, &parts).ok().map(|call| (call, parts))
}

/// The row that a request line names, found without the service's router: the one whose segments are the same, where a
/// word beats an input.
fn row_of(method: &str, path: &str) -> Option<&'static OperationInfo> {
    let segments: Vec<_> = path.split('/').collect();
    let words = |info: &OperationInfo| info.path.split('/').map(|word| !word.starts_with('{')).collect::<Vec<_>>();
    let matching = OPERATIONS.iter().copied().filter(|info| {
        let template: Vec<_> = info.path.split('/').collect();
        info.method.as_str() == method
            && template.len() == segments.len()
            && template.iter().zip(&segments).all(|(word, given)| word.starts_with('{') || word == given)
    });
    matching.max_by_key(|info| words(info))
}

#[test]
fn a_made_up_id_round_trips_or_is_refused_before_sending() {
    assert_eq!(rows().count(), 27);
    let base = url::Url::parse("http://127.0.0.1:1").expect("an address");
    let (mut written, mut refused) = (0, 0);
    for text in some(IDS) {
        for info in rows() {
            let Some((call, parts)) = call(info, &text) else {
                refused += 1;
                continue;
            };
            let target = call.parts().target(info);
            // What a builder of URLs makes of it is what is sent: nothing of it is dropped, followed or decoded.
            let url = base.join(&target).expect("an address");
            let line = url[url::Position::BeforePath..].to_owned();
            assert_eq!(line, target, "{} {text:?}", info.name);
            let (path, query) = line.split_once('?').map_or((line.as_str(), None), |(path, query)| (path, Some(query)));
            assert_eq!(row_of(info.method.as_str(), path).map(|row| row.name), Some(info.name), "{target} {text:?}");
            let read = RequestParts::from_target(info, path, query, Vec::new()).expect("parts");
            assert_eq!((&read.path, &read.query), (&parts.path, &parts.query), "{target} {text:?}");
            assert_eq!(Call::read(info, &read), Ok(call), "{target}");
            written += 1;
        }
    }
    println!("{written} calls read back as they were, {refused} were refused before");
    assert_eq!(written + refused, IDS * 27);
    assert!(written > IDS && refused > IDS, "{written} written, {refused} refused");
}

#[tokio::test]
async fn a_made_up_id_reaches_only_its_own_operation() {
    let service = TestService::start().await;
    let named: Vec<_> = rows().filter(|info| info.path.contains('{')).collect();
    // Each text to one row in turn, so that all of them meet all kinds of text.
    for (text, info) in some(SENT).into_iter().zip(named.into_iter().cycle()) {
        let Some((call, _)) = call(info, &text) else { continue };
        let target = call.parts().target(info);
        let request = raw::request(info.method.as_str(), &target, service.port(), &[], None);
        let answer = service.raw(request).await;
        // Nothing is there of that name, or nothing is to be done with it; no text makes it another operation's answer.
        assert!(matches!(answer.status, 400 | 404 | 410), "{} {text:?} {target}: {answer:?}", info.name);
    }
}
