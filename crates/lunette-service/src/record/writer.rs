//! Writes JSON text piece by piece. The caller writes braces and commas; texts are escaped here.

use std::ops::ControlFlow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::fmt::temporal::DateTimePrinter;
use serde_json::Value;

use crate::ServiceError;
use crate::http::spool::{ResponseText, SpoolWriter};

#[derive(Default)]
pub(super) struct Writer {
    out: SpoolWriter,
}

impl Writer {
    /// A part of a record, in memory: most take no more room than this has.
    pub(super) fn part() -> Self {
        Self { out: SpoolWriter::with_room(512) }
    }

    /// A text that may become large, and so is written to its client or to a file.
    pub(super) fn new(out: SpoolWriter) -> Self {
        Self { out }
    }

    /// Whether there is any use in writing more: not if the client is gone.
    pub(super) fn wanted(&self) -> ControlFlow<()> {
        self.out.wanted()
    }

    /// Returns the buffer, which is in memory only, and starts again.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        self.out.take()
    }

    /// Gives what was written.
    pub(super) fn finish_text(self) -> Result<ResponseText, ServiceError> {
        self.out.finish()
    }

    /// Bytes as base64, in pieces: a content is large.
    pub(super) fn base64(&mut self, bytes: &[u8]) -> &mut Self {
        for piece in bytes.chunks(48 * 1024) {
            self.raw(&STANDARD.encode(piece));
        }
        self
    }

    /// Text that is JSON already.
    #[inline(always)]
    pub(super) fn raw(&mut self, json: &str) -> &mut Self {
        self.bytes(json.as_bytes())
    }

    /// Bytes that are JSON already.
    #[inline(always)]
    pub(super) fn bytes(&mut self, json: &[u8]) -> &mut Self {
        self.out.add(json);
        self
    }

    /// A field's name, which needs no escapes, and the colon.
    #[inline(always)]
    pub(super) fn field(&mut self, name: &str) -> &mut Self {
        self.raw("\"").raw(name).raw("\":")
    }

    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        // An id or a name, most often, which needs no escapes.
        if text.len() <= 64 && text.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
            return self.raw("\"").raw(text).raw("\"");
        }
        // Writing text to memory does not fail.
        serde_json::to_writer(&mut self.out, text).ok();
        self
    }

    pub(super) fn number(&mut self, number: i64) -> &mut Self {
        serde_json::to_writer(&mut self.out, &number).ok();
        self
    }

    pub(super) fn tree(&mut self, tree: &Value) -> &mut Self {
        serde_json::to_writer(&mut self.out, tree).ok();
        self
    }

    /// A moment of the store as clients read it: RFC 3339 in UTC, and the same for people.
    pub(super) fn stamp(&mut self, microseconds: i64) -> &mut Self {
        let value = rfc3339(microseconds);
        self.raw("{\"value\":\"").raw(&value).raw("\",\"readable\":\"");
        // `2024-05-01T12:00:00.000001Z`: day and minute stand at fixed offsets, but for years of other lengths.
        match (value.get(..10), value.get(11..16), value.get(10..11)) {
            (Some(day), Some(minute), Some("T")) => self.raw(day).raw(" ").raw(minute).raw(" UTC\"}"),
            _ => self.raw(&value).raw("\"}"),
        }
    }

    /// A moment of the store in RFC 3339, in UTC.
    pub(super) fn moment(&mut self, microseconds: i64) -> &mut Self {
        self.raw("\"").raw(&rfc3339(microseconds)).raw("\"")
    }

    /// The fields of an object that is JSON already, after others.
    pub(super) fn fields_of(&mut self, object: &str) -> &mut Self {
        match object.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).map(str::trim) {
            None | Some("") => self,
            Some(fields) => self.raw(",").raw(fields),
        }
    }
}

/// A moment of the store in RFC 3339, in UTC. Our choice: a fraction of a second has six digits. Texts of moments are
/// then ordered as the moments are, and parsers that take three or six digits read them (Python before 3.11).
fn rfc3339(microseconds: i64) -> String {
    let at = jiff::Timestamp::from_microsecond(microseconds).unwrap_or_default();
    let mut text = String::with_capacity(32);
    let digits = (at.subsec_nanosecond() != 0).then_some(6);
    // Writing text to memory does not fail.
    DateTimePrinter::new().precision(digits).print_timestamp(&at, &mut text).ok();
    text
}
