//! Collections written record by record, as the store gives them out: none is held whole beside its text.

use serde_json::Value;

use super::writer::Writer;
use crate::ServiceError;
use crate::spool::{ResponseText, Spool};

/// A collection that is being written.
pub(crate) struct List {
    out: Writer,
    /// What closes the objects around it.
    end: &'static str,
    count: i64,
    /// The places of the records by id, where the collection tells them.
    indices: Option<Writer>,
}

impl List {
    /// A collection without `indices`.
    pub(crate) fn plain(spool: &Spool) -> Self {
        let mut out = Writer::spooled(spool);
        out.raw("{\"iterable\":[");
        Self { out, end: "}", count: 0, indices: None }
    }

    /// A collection that is the one field of an object.
    pub(crate) fn within(field: &str, spool: &Spool) -> Self {
        let mut out = Writer::spooled(spool);
        out.raw("{").field(field).raw("{\"iterable\":[");
        Self { out, end: "}}", count: 0, indices: None }
    }

    /// A collection that tells the place of each record by its id.
    pub(crate) fn indexed(spool: &Spool) -> Self {
        Self { indices: Some(Writer::default()), ..Self::plain(spool) }
    }

    /// Adds a record of this id; what is given back is where it is to be written.
    pub(super) fn next(&mut self, id: &str) -> &mut Writer {
        let comma = if self.count == 0 { "" } else { "," };
        if let Some(indices) = &mut self.indices {
            indices.raw(comma).text(id).raw(":").number(self.count);
        }
        self.count += 1;
        self.out.raw(comma)
    }

    /// Adds a record that is a tree.
    pub(crate) fn add(&mut self, record: &Value) {
        let id = record.get("id").and_then(Value::as_str).unwrap_or_default();
        self.next(id).tree(record);
    }

    /// Adds a reference by id.
    pub(crate) fn add_reference(&mut self, id: &str) {
        self.next(id).raw("{\"id\":").text(id).raw("}");
    }

    /// The text of the collection.
    pub(crate) fn finish(self) -> Result<ResponseText, ServiceError> {
        self.finish_with("")
    }

    /// The text of the collection with more fields, which are JSON already.
    pub(crate) fn finish_with(self, fields: &str) -> Result<ResponseText, ServiceError> {
        let Self { mut out, end, indices, .. } = self;
        out.raw("]");
        if let Some(mut indices) = indices {
            out.raw(",\"indices\":{").bytes(&indices.finish()).raw("}");
        }
        out.raw(if fields.is_empty() { "" } else { "," }).raw(fields).raw(end);
        out.finish_text()
    }
}
