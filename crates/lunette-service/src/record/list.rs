//! Writes collections record by record, as the store yields them, so that none is in memory twice.

use std::ops::ControlFlow;

use serde_json::Value;

use super::writer::Writer;
use crate::http::spool::{ResponseText, SpoolWriter};
use crate::{RequestContext, Service, ServiceError};

/// A collection that is being written.
pub(crate) struct List {
    out: Writer,
    /// What closes the objects around it.
    end: &'static str,
    count: i64,
    /// The index of each record by id, if the collection has `indices`.
    indices: Option<Writer>,
}

impl List {
    /// A collection without `indices`.
    pub(crate) fn plain(service: &Service, caller: &RequestContext) -> Self {
        Self::begin(caller.writer(service), "", "}")
    }

    /// A collection with `indices`: the position of each record by id.
    pub(crate) fn indexed(service: &Service, caller: &RequestContext) -> Self {
        Self::plain(service, caller).with_indices(service)
    }

    /// A collection that is the one field of an object.
    pub(crate) fn within(field: &str, service: &Service, caller: &RequestContext) -> Self {
        Self::begin(caller.writer(service), field, "}}")
    }

    /// Ends the list with its `indices`. They come after all records and grow with their number, so that they are spooled.
    pub(crate) fn with_indices(self, service: &Service) -> Self {
        Self { indices: Some(Writer::new(service.spool.writer())), ..self }
    }

    fn begin(writer: SpoolWriter, field: &str, end: &'static str) -> Self {
        let mut out = Writer::new(writer);
        if !field.is_empty() {
            out.raw("{").field(field);
        }
        out.raw("{\"iterable\":[");
        Self { out, end, count: 0, indices: None }
    }

    /// Whether there is any use in adding more: not if the client is gone.
    pub(super) fn wanted(&self) -> ControlFlow<()> {
        self.out.wanted()
    }

    /// Adds a record of this id; what is returned is where it is to be written.
    pub(super) fn next(&mut self, id: &str) -> &mut Writer {
        let comma = if self.count == 0 { "" } else { "," };
        if let Some(indices) = &mut self.indices {
            indices.raw(comma).text(id).raw(":").number(self.count);
        }
        self.count += 1;
        self.out.raw(comma)
    }

    /// Adds a record that is a tree.
    pub(crate) fn add(&mut self, record: &Value) -> ControlFlow<()> {
        let id = record.get("id").and_then(Value::as_str).unwrap_or_default();
        self.next(id).tree(record);
        self.wanted()
    }

    /// Adds a reference by id.
    pub(crate) fn add_reference(&mut self, id: &str) -> ControlFlow<()> {
        self.next(id).raw("{\"id\":").text(id).raw("}");
        self.wanted()
    }

    /// The text of the collection.
    pub(crate) fn finish(self) -> Result<ResponseText, ServiceError> {
        self.finish_with("")
    }

    /// The text of the collection with more fields, which are JSON already.
    pub(crate) fn finish_with(self, fields: &str) -> Result<ResponseText, ServiceError> {
        self.finish_around(fields, "")
    }

    /// The text of a collection that is a field of an object, with the last fields of that object, which are JSON already.
    pub(crate) fn finish_within(self, last: &str) -> Result<ResponseText, ServiceError> {
        self.finish_around("", last)
    }

    fn finish_around(self, fields: &str, last: &str) -> Result<ResponseText, ServiceError> {
        let Self { mut out, end, indices, .. } = self;
        out.raw("]");
        if let Some(indices) = indices {
            out.raw(",\"indices\":{");
            let copy = |piece: &[u8]| {
                out.bytes(piece);
            };
            indices.finish_text()?.each_piece(copy).map_err(ServiceError::internal)?;
            out.raw("}");
        }
        out.raw(if fields.is_empty() { "" } else { "," }).raw(fields);
        match last {
            "" => out.raw(end),
            last => out.raw("},").raw(last).raw("}"),
        };
        out.finish_text()
    }
}
