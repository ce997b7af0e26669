//! Reads of paths that the table does not have: of one that no service has, whose response tells an unsupported operation
//! from a missing record where both return 404, and of lists that only other services have.

use std::any::Any;

use jiff::Timestamp;

use crate::model::record::Schema;
use crate::operation::{
    Accept, BodyKind, DecodeError, Group, Input, InputLocation, Method, OperationInfo, RequestParts,
};

use super::send::downcast;
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

/// A row for the lists that only other services have.
static OTHER_LIST: OperationInfo = OperationInfo {
    name: "otherList",
    path: "/{list}",
    inputs: &[Input {
        name: "list",
        location: InputLocation::Path,
        required: true,
        kind: "String",
        schema: Schema::Text,
    }],
    accept: Accept::Json,
    summary: "Reads a list that the table does not have.",
    answer: "Records",
    body_kind: BodyKind::Record,
    status: 200,
    ..UNKNOWN_PATH
};

impl Client {
    /// Reads a list at the path `/list`, which the table does not have, and decodes it with `read`.
    pub async fn read_path<T: Send + 'static>(
        &self,
        list: &str,
        read: impl FnOnce(&[u8]) -> Result<T, DecodeError> + Send + 'static,
    ) -> Exchange<T> {
        let parts = RequestParts { path: vec![("list".to_owned(), list.to_owned())], ..RequestParts::default() };
        let decoder = Box::new(move |body: &[u8]| Ok(Box::new(read(body)?) as Box<dyn Any + Send>));
        self.exchange_any(&OTHER_LIST, parts, None, decoder).await.and_then(downcast)
    }

    /// Sends a harmless read to a path that no service has. The outcome is always a failure; its status is what
    /// matters.
    pub async fn probe_unknown_path(&self) -> Exchange {
        let path = vec![("nowhere".to_owned(), format!("lunette-{}", uuid::Uuid::new_v4()))];
        let parts = RequestParts { path, ..RequestParts::default() };
        let (permit, at) = (self.permit().await, Timestamp::now());
        let (target, raw, outcome) = self.send(&UNKNOWN_PATH, &parts, None, permit).await;
        let found = "a response to an unknown path".to_owned();
        let answered = CallError::NotThisService { target: target.clone(), found, status: raw.status };
        let error = outcome.err().unwrap_or(answered);
        self.ended(&UNKNOWN_PATH, at, parts, (target, raw, Err(error))).and_then(downcast)
    }
}
