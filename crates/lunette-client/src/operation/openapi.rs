//! The interface as an OpenAPI 3.1 document (<https://spec.openapis.org/oas/v3.1.0>), made of the table, the streams
//! and the registry of records. It is served, and printed by the command line.
//!
//! What must hold: whatever the service answers is described here, and the same document is made each time.
//!
//! Our choice: streams are in an extension, `x-websockets`. OpenAPI cannot describe what follows a protocol upgrade,
//! and a tool that sent them as plain requests would only get errors.

use serde_json::{Map, Value, json};

use super::{Group, OPERATIONS, OperationInfo, STATUS_STREAMS, STREAMS, StatusStreamInfo, StreamInfo};

mod path;
mod responses;
mod rules;
mod schema;

use schema::{Direction, Schemas};

/// Which operations are offered or described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiSurface {
    /// The interface's 27 operations.
    Interface,
    /// The extension operations and the streams too.
    Everything,
}

/// Where the document is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Publication {
    /// By the service that it describes.
    Served,
    /// Anywhere else: it lists the usual addresses of services.
    Apart,
}

const DESCRIPTION: &str = "\
The local application and asset service that `lunette serve` and the Lunette window provide on this machine.

An optional field may be absent or null. Unknown fields are kept unchanged. The format of a string in a request says \
what to send; other strings are accepted where the schema does not list the values. If a schema of a request lists \
values and allows strings, any other string is stored as the listed value for unknown.

A request needs exactly one `Host` header with `localhost`, `127.0.0.1` or `[::1]`; a body is `application/json`. A request \
from a web page is rejected with 403 unless its origin is that of the service or was allowed with `--allow-origin`.

The service also has WebSockets that send the existing ids and then each change: see `x-websockets`.";

/// The document.
pub fn document(surface: ApiSurface, publication: Publication) -> Value {
    let offered = |info: &&OperationInfo| surface == ApiSurface::Everything || info.group != Group::Extension;
    let rows: Vec<&OperationInfo> = OPERATIONS.iter().copied().filter(offered).collect();
    let streams = if surface == ApiSurface::Everything { &STREAMS[..] } else { &[] };
    let schemas = Schemas::of(&rows, streams);
    let mut document = json!({
        "openapi": "3.1.0",
        "info": info(),
        "servers": servers(publication),
        // There is no authorization (interface, 1): anyone on this machine may call every operation.
        "security": [],
        "tags": path::tags(&rows),
        "paths": path::paths(&rows, &schemas),
        "components": { "schemas": schemas.components(), "responses": responses::components(&rows) },
    });
    if let (Value::Object(fields), false) = (&mut document, streams.is_empty()) {
        let of_records = streams.iter().map(|info| websocket(info, &schemas));
        let of_status = STATUS_STREAMS.iter().map(status_websocket);
        fields.insert("x-websockets".to_owned(), of_records.chain(of_status).collect());
    }
    document
}

fn info() -> Value {
    json!({
        "title": "Local Application and Asset Service",
        "version": env!("CARGO_PKG_VERSION"),
        "description": DESCRIPTION,
        "license": { "name": "MIT or Apache 2.0", "identifier": env!("CARGO_PKG_LICENSE") },
    })
}

/// The servers of the document. A served document needs none: the server is where it was read.
fn servers(publication: Publication) -> Value {
    match publication {
        Publication::Served => json!([{ "url": "/", "description": "The service that served this document." }]),
        Publication::Apart => ["127.0.0.1", "localhost", "[::1]"].map(server).into_iter().collect(),
    }
}

fn server(host: &str) -> Value {
    let port = json!({ "default": "39300", "description": "By default the first free port from 39300 to 39333." });
    json!({
        "url": format!("http://{host}:{{port}}"),
        "description": "A service on this machine.",
        "variables": { "port": port },
    })
}

fn websocket(info: &StreamInfo, schemas: &Schemas) -> Value {
    let StreamInfo { name, path, kind } = info;
    json!({
        "name": name,
        "path": path,
        "summary": format!("Sends the existing ids, then each change, under `{}`.", kind.field()),
        "message": schemas.schema(schema::STREAMED, Direction::Answered),
    })
}

fn status_websocket(info: &StatusStreamInfo) -> Value {
    let StatusStreamInfo { name, path, summary, .. } = info;
    json!({ "name": name, "path": path, "summary": summary })
}

/// An object that has no field for what is empty.
fn object(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let empty = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    let kept = fields.into_iter().filter(|(_, value)| !empty(value));
    Value::Object(kept.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests;
