//! Writes contents as files: all in one folder, or each in a folder of its own, like clones of gists.

use std::io;

use super::item::ExportItem;
use super::target::Target;
use super::writer::{Added, Ending, LibraryWriter};
use crate::files::file_names::FileNames;

/// Writes contents as files.
#[derive(Default)]
pub(super) struct Files(FileNames);

impl LibraryWriter for Files {
    fn add(&mut self, item: &ExportItem, target: &mut Target) -> io::Result<Added> {
        let name = self.0.free(&item.file_name());
        target.add(&name, &mut item.bytes())?;
        Ok(Added::Written(Some(name)))
    }

    fn end(self: Box<Self>, _: &Ending<'_>, _: &mut Target) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a folder for each asset.
///
/// Our choice: the folder is named after the id of the asset, and has a `.git/config` with an address at
/// gist.github.com with that id, since programs recognise clones by it. It is not a repository; `git init` creates one.
pub(super) struct Gists;

impl LibraryWriter for Gists {
    fn add(&mut self, item: &ExportItem, target: &mut Target) -> io::Result<Added> {
        let id = item.id().replace('-', "");
        let path = format!("{id}/{}", item.file_name());
        target.add(&path, &mut item.bytes())?;
        let config = format!("[remote \"origin\"]\n\turl = https://gist.github.com/{id}.git\n");
        target.add(&format!("{id}/.git/config"), &mut config.as_bytes())?;
        Ok(Added::Written(Some(path)))
    }

    fn end(self: Box<Self>, _: &Ending<'_>, _: &mut Target) -> io::Result<()> {
        Ok(())
    }
}
