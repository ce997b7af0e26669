//! Collections written record by record, as the store gives them out: none is held whole beside its text.

use serde_json::Value;

use super::writer::Writer;

/// A collection that is being written.
pub(crate) struct List {
    out: Writer,
    count: i64,
    /// The places of the records by id, where the collection tells them.
    indices: Option<Writer>,
}

impl List {
    /// A collection without `indices`.
    pub(crate) fn plain() -> Self {
        let mut out = Writer::default();
        out.raw("{\"iterable\":[");
        Self { out, count: 0, indices: None }
    }

    /// A collection that tells the place of each record by its id.
    pub(crate) fn indexed() -> Self {
        Self { indices: Some(Writer::default()), ..Self::plain() }
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
    pub(crate) fn finish(self) -> Vec<u8> {
        let Self { mut out, indices, .. } = self;
        out.raw("]");
        if let Some(mut indices) = indices {
            out.raw(",\"indices\":{").bytes(&indices.finish()).raw("}");
        }
        out.raw("}").finish()
    }
}
