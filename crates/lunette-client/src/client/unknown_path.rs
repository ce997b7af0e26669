//! How a service responds to an unknown path: this tells an unsupported operation from a missing record where both
//! return 404.

use jiff::Timestamp;

use crate::model::record::Schema;
use crate::operation::{Accept, BodyKind, Group, Input, InputLocation, Method, OperationInfo, RequestParts};

use super::{CallError, Client, Exchange};

/// A row outside the table: no service has its path.
static UNKNOWN_PATH: OperationInfo = OperationInfo {
    name: "nowhere",
    method: Method::Get,
    path: "/{nowhere}",
    inputs: &[Input {
        name: "nowhere",
        location: InputLocation::Path,
        required: true,
        kind: "String",
        schema: Schema::Text,
    }],
    accept: Accept::Undefined,
    group: Group::Extension,
    deprecated: false,
    reads: true,
    updates: false,
    brings_content: false,
    cached: false,
    streamed: false,
    conflicts: false,
    needs_body: false,
    label: None,
    summary: "Requests an unknown path to learn how the service rejects it.",
    answer: "void",
    body_kind: BodyKind::Void,
    status: 404,
};

impl Client {
    /// Sends a harmless read to a path that no service has. The outcome is always a failure; its status is what
    /// matters.
    pub async fn probe_unknown_path(&self) -> Exchange {
        let at = Timestamp::now();
        let path = vec![("nowhere".to_owned(), format!("lunette-{}", uuid::Uuid::new_v4()))];
        let parts = RequestParts { path, ..RequestParts::default() };
        let (target, heard, outcome) = self.send(&UNKNOWN_PATH, &parts).await;
        let found = "a response to an unknown path".to_owned();
        let status = heard.status;
        let error = outcome.err().unwrap_or(CallError::NotThisService { target: target.clone(), found, status });
        Exchange {
            info: &UNKNOWN_PATH,
            at,
            method: UNKNOWN_PATH.method,
            url: target.url,
            request_body: None,
            status: heard.status,
            content_type: heard.content_type,
            server: heard.server,
            response_body: heard.body,
            elapsed: heard.elapsed,
            outcome: Err(error),
        }
    }
}
