//! Writes the list with the shown columns in their order, as CSV or JSON.

use std::io::{self, Write as _};

use serde_json::{Map, Value};

use super::format::Format;
use super::item::ExportItem;
use super::target::{Spool, Target};
use super::writer::{Added, Ending, LibraryWriter};
use crate::listing::Column;
use crate::listing::rows::AssetRow;
use crate::tables::CsvWriter;

/// The name of the column with the id, which is always included to identify a row.
const ID: &str = "id";

/// Writes CSV.
pub(super) struct Csv {
    columns: Vec<&'static Column<AssetRow>>,
    writer: CsvWriter<Spool>,
}

impl Csv {
    pub fn new(target: &Target, columns: &[&'static Column<AssetRow>]) -> io::Result<Self> {
        let writer = CsvWriter::new(target.spool()?, columns.iter().map(|column| column.key).chain([ID]))?;
        Ok(Self { columns: columns.to_vec(), writer })
    }
}

impl LibraryWriter for Csv {
    fn add(&mut self, item: &ExportItem, _: &mut Target) -> io::Result<Added> {
        let cells = self.columns.iter().map(|column| (column.value)(&item.row).json());
        self.writer.row(cells.chain([item.id().into()]))?;
        Ok(Added::Written(None))
    }

    fn end(self: Box<Self>, _: &Ending<'_>, target: &mut Target) -> io::Result<()> {
        let mut spool = self.writer.finish()?;
        target.add(Format::Csv.file().unwrap_or_default(), spool.rewound()?)
    }
}

/// Writes a JSON array with an object for each row.
pub(super) struct Json {
    columns: Vec<&'static Column<AssetRow>>,
    spool: Spool,
    begun: bool,
}

impl Json {
    pub fn new(target: &Target, columns: &[&'static Column<AssetRow>]) -> io::Result<Self> {
        Ok(Self { columns: columns.to_vec(), spool: target.spool()?, begun: false })
    }
}

impl LibraryWriter for Json {
    fn add(&mut self, item: &ExportItem, _: &mut Target) -> io::Result<Added> {
        let columns = self.columns.iter().map(|column| (column.key.to_owned(), (column.value)(&item.row).json()));
        let row: Map<String, Value> = columns.chain([(ID.to_owned(), item.id().into())]).collect();
        self.spool.write_all(if self.begun { b",\n" } else { b"[\n" })?;
        self.begun = true;
        write!(self.spool, "  {}", Value::Object(row))?;
        Ok(Added::Written(None))
    }

    fn end(mut self: Box<Self>, _: &Ending<'_>, target: &mut Target) -> io::Result<()> {
        self.spool.write_all(if self.begun { b"\n]\n" } else { b"[]\n" })?;
        target.add(Format::Json.file().unwrap_or_default(), self.spool.rewound()?)
    }
}
