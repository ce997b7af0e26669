//! A SQLite database of assets, for programs that query it.

use std::fs::File;
use std::io;

use super::format::Format;
use super::item::ExportItem;
use super::target::{Target, TempFolder};
use super::writer::{Added, Ending, LibraryWriter};
use crate::db::asset_copy::{AssetCopy, CopiedAsset};

/// Writes a SQLite database.
pub(super) struct Sqlite {
    copy: AssetCopy,
    folder: TempFolder,
}

impl Sqlite {
    pub fn new(target: &Target) -> io::Result<Self> {
        let folder = target.folder()?;
        Ok(Self { copy: AssetCopy::create(&folder.path().join("copy")).map_err(io::Error::other)?, folder })
    }
}

impl LibraryWriter for Sqlite {
    fn add(&mut self, item: &ExportItem, _: &mut Target) -> io::Result<Added> {
        let record = item.whole.as_ref().map(|_| item.record("")["record"].to_string());
        let copied = CopiedAsset {
            id: &item.id(),
            name: item.name(),
            language: &item.specific(),
            created: item.created(),
            updated: item.updated(),
            favourite: item.favourite(),
            content: item.text().ok_or_else(|| item.bytes()),
            tags: item.tags(),
            websites: item.websites(),
            annotations: item.annotations(),
            record: record.as_deref().unwrap_or_default(),
        };
        self.copy.add(&copied).map_err(io::Error::other)?;
        Ok(Added::Written(None))
    }

    fn end(self: Box<Self>, _: &Ending<'_>, target: &mut Target) -> io::Result<()> {
        let Self { copy, folder } = *self;
        copy.finish().map_err(io::Error::other)?;
        target.add(Format::Sqlite.file().unwrap_or_default(), &mut File::open(folder.path().join("copy"))?)
    }
}
