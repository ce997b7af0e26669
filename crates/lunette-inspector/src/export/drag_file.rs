//! The file of an export that is dragged out of the window.
//!
//! What must hold: the file is complete before it is offered, in a folder that only the user can enter, under its own
//! name; it is deleted when the window closes, because another program may read it late.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::action::AssetsAction;
use crate::context::Context;
use crate::export::{Exports, Output};
use crate::files::{make_new_folder, reason, write_new};
use crate::notifications::Severity;
use crate::setup::DesktopError;
use crate::tasks::{Ended, blocking};
use lunette_client::model::id::AssetId;

/// A file in a folder of its own. Both are deleted when it is dropped.
#[derive(Debug)]
pub(crate) struct DragFile {
    folder: PathBuf,
    path: PathBuf,
}

impl DragFile {
    fn write(below: &Path, name: &str, bytes: &[u8]) -> io::Result<Self> {
        let folder = below.join(format!("lunette-{}", uuid::Uuid::new_v4()));
        make_new_folder(&folder)?;
        let drag_file = Self { path: folder.join(name), folder };
        write_new(&drag_file.path, bytes)?;
        Ok(drag_file)
    }
}

impl Drop for DragFile {
    fn drop(&mut self) {
        // If it cannot be removed, the system cleans the temporary folder.
        fs::remove_file(&self.path).and_then(|()| fs::remove_dir(&self.folder)).ok();
    }
}

/// Why a file was not dragged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotDragged {
    /// It could not be written; why, and what to do.
    #[error("{0}")]
    NotWritten(String),
    /// The desktop did not offer it.
    #[error(transparent)]
    Desktop(#[from] DesktopError),
    /// Writing it panicked or was cancelled.
    #[error(transparent)]
    Ended(#[from] Ended),
}

impl Exports {
    /// Offers the previewed export to the program it is dragged onto.
    pub(crate) fn drag_export(&mut self, id: &AssetId, cx: &mut Context<'_>) {
        let Some(document) = self.document(id).cloned() else { return };
        self.dragging = Some(id.clone());
        let dialogs = Arc::clone(&cx.setup().dialogs);
        let drag = async move {
            let write = move || DragFile::write(&std::env::temp_dir(), &document.file_name, &document.bytes);
            let drag_file = blocking(write).await?.map_err(|error| NotDragged::NotWritten(reason(&error)))?;
            let used = dialogs.drag(drag_file.path.clone()).await?;
            Ok::<_, NotDragged>(used.then_some(drag_file))
        };
        cx.run(drag, Output::Dragged);
    }

    pub(crate) fn dragged(&mut self, end: Result<Option<DragFile>, NotDragged>, cx: &mut Context<'_>) {
        let asset = self.dragging.take();
        match end {
            Ok(Some(drag_file)) => {
                asset.into_iter().for_each(|asset| cx.request(AssetsAction::CountUse(asset)));
                let name = drag_file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                cx.show_success(format!("Dragged {name}"));
                self.drag_files.push(drag_file);
            }
            Ok(None) => {}
            Err(problem) => cx.notify(Severity::Failed, format!("Could not drag the asset: {problem}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dragged_file_is_complete_has_its_name_and_is_removed_with_its_folder() {
        let below = tempfile::tempdir().expect("a folder");
        let drag_file = DragFile::write(below.path(), "moon.md", b"# Moon").expect("written");
        assert_eq!(fs::read(&drag_file.path).expect("read"), b"# Moon");
        assert_eq!(drag_file.path.file_name().and_then(|name| name.to_str()), Some("moon.md"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(fs::metadata(&drag_file.folder).expect("there").permissions().mode() & 0o777, 0o700);
        }
        drop(drag_file);
        assert_eq!(fs::read_dir(below.path()).expect("listed").count(), 0);
    }
}
