//! The parts of a request: what the table reads of a target and a body is what it would write, and reads again.
//!
//! The bytes: the number of a row, the path's segments and the query on one line, the body after it.

use lunette_client::operation::{Call, OPERATIONS, RequestParts};

/// A request that is read is the call that is written, and the call that is written reads back.
pub fn holds(data: &[u8]) {
    let Some((&row, data)) = data.split_first() else { return };
    let info = OPERATIONS[usize::from(row) % OPERATIONS.len()];
    let (target, body) = super::line(data);
    let (given, query) = target.split_once('?').map_or((target.as_str(), None), |(path, query)| (path, Some(query)));
    let mut given = given.split('/');
    let path: Vec<&str> = info
        .path
        .split('/')
        .map(|segment| if segment.starts_with('{') { given.next().unwrap_or_default() } else { segment })
        .collect();
    let Ok(parts) = RequestParts::from_target(info, &path.join("/"), query, body.to_vec()) else { return };
    let Ok(call) = Call::read(info, &parts) else { return };
    let written = call.parts();
    let target = written.target(info);
    assert!(target.is_ascii() && !target.contains(['\r', '\n', ' ']), "{target:?}");
    let (path, query) = target.split_once('?').map_or((target.as_str(), None), |(path, query)| (path, Some(query)));
    assert_eq!(path.split('/').count(), info.path.split('/').count(), "{target:?} is another path");
    let body = written.body.clone().unwrap_or_default();
    let again = RequestParts::from_target(info, path, query, body).expect("what was written is read");
    assert_eq!(Call::read(info, &again).as_ref(), Ok(&call), "{target:?}");
}
