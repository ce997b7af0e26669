//! The sides that are made from what the window has already: calls of the log, responses of the console, and records of
//! applications.

use serde_json::Value;

use super::side::{Body, Side};
use crate::assets::content::pretty;

impl Side {
    /// A call: its request, and below it its response, each with its body one field a line.
    pub fn of_call(title: String, kind: String, call: &Exchanged<'_>) -> Self {
        let Exchanged { request, request_body, outcome, response_body } = *call;
        let mut text = format!("{request}\n");
        for body in request_body.into_iter().filter(|body| !body.is_empty()) {
            text.push_str(&format!("\n{}\n", readable(body)));
        }
        text.push_str(&format!("\n{outcome}\n"));
        if !response_body.is_empty() {
            text.push_str(&format!("\n{}\n", readable(response_body)));
        }
        Self { title, kind, body: Body::text(text), ..Self::default() }
    }

    /// A response: its body alone.
    pub fn of_response(title: String, kind: String, body: &str) -> Self {
        Self { title, kind, body: Body::text(readable(body)), ..Self::default() }
    }

    /// A record without content, such as that of an application.
    pub fn of_record(title: String, kind: String, record: Value) -> Self {
        Self { title, kind, record: Some(record), ..Self::default() }
    }
}

/// A call as texts.
#[derive(Clone, Copy, Debug)]
pub struct Exchanged<'a> {
    /// Method and URL.
    pub request: &'a str,
    /// The body of the request.
    pub request_body: Option<&'a str>,
    /// What became of it.
    pub outcome: &'a str,
    /// The body of the response.
    pub response_body: &'a str,
}

/// A JSON text with one field on each line; any other text as it is.
fn readable(text: &str) -> String {
    serde_json::from_str::<Value>(text).map_or_else(|_| text.to_owned(), |tree| pretty(&tree))
}
