//! Exports: asked for, looked at, saved whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::event::What;
use crate::app::state::{Content, Export, Exported, Grade};
use crate::app::{App, CallError, Remote, content};
use crate::model::export::ExportType;
use crate::model::file_name::suggested_name;
use crate::model::id::AssetId;
use crate::model::record::Record;
use crate::operation::table::AssetSpecificAssetExport;

impl App {
    pub(super) fn export(&mut self, id: AssetId, kind: ExportType) {
        let page = self.state.pages.entry(id.clone()).or_default();
        let asset = page.record.value().cloned();
        let mut document = Remote::Unasked;
        document.ask();
        page.export = Some(Export { kind: kind.clone(), document });
        let wire = self.wire();
        let (key, failed) = (id.clone(), (id, kind.clone()));
        let export = async move {
            let exported = async {
                let call = AssetSpecificAssetExport { asset: key.clone(), export_type: kind.clone() };
                let exported = wire?.call(call).await?;
                let name = asset.as_ref().and_then(|asset| asset.view().name()).unwrap_or(exported.view().name());
                let extension = extension(&kind, asset.as_deref());
                Ok(Arc::new(content::document(&exported, suggested_name(name, key.as_str(), &extension))))
            };
            let exported = exported.await;
            What::Exported(key, kind, exported)
        };
        self.start(export, |error| What::Exported(failed.0, failed.1, Err(error)));
    }

    /// Takes a document, unless another kind was asked for meanwhile.
    pub(super) fn exported(&mut self, id: &AssetId, kind: &ExportType, document: Result<Arc<Exported>, CallError>) {
        let page = self.state.pages.get_mut(id);
        if let Some(export) = page.and_then(|page| page.export.as_mut()).filter(|export| export.kind == *kind) {
            export.document.answer(document);
        }
    }

    pub(super) fn save_export(&mut self, id: &AssetId) {
        let export = self.state.pages.get(id).and_then(|page| page.export.as_ref());
        let Some(document) = export.and_then(|export| export.document.value()).cloned() else { return };
        let file_name = document.file_name.clone();
        self.save(&file_name, move || document.bytes.clone());
    }

    /// Saves the content of an asset as it was loaded, under its own name.
    pub(super) fn save_content(&mut self, id: &AssetId) {
        let Some(page) = self.state.pages.get(id) else { return };
        let asset = page.record.value().map(|asset| &**asset);
        let name = asset.and_then(|asset| asset.view().name()).unwrap_or_default();
        let file_name = suggested_name(name, id.as_str(), &extension(&ExportType::Raw, asset));
        match page.content.value() {
            Some(Content::Bytes(bytes)) => {
                let bytes = Arc::clone(bytes);
                self.save(&file_name, move || bytes.to_vec());
            }
            Some(Content::Text(text)) => {
                let text = Arc::clone(text);
                self.save(&file_name, move || text.as_bytes().to_vec());
            }
            Some(Content::Large(_) | Content::None) | None => {}
        }
    }

    /// Asks where to save, and writes the file in the background.
    pub(super) fn save(&mut self, file_name: &str, bytes: impl FnOnce() -> Vec<u8> + Send + 'static) {
        let place = self.setup.dialogs.save(file_name);
        let runtime = self.setup.runtime.clone();
        let save = async move {
            let Some(path) = place.await else { return What::Saved(Ok(None)) };
            let written = runtime.spawn_blocking(move || {
                write_whole(&path, &bytes()).map(|()| path.clone()).map_err(|error| (path, error))
            });
            What::Saved(match written.await {
                Ok(Ok(path)) => Ok(Some(path)),
                Ok(Err((path, error))) => Err(format!("it could not be saved: {error}: {}", path.display())),
                Err(error) => Err(format!("it could not be saved: {error}")),
            })
        };
        self.start(save, |error| What::Saved(Err(error.to_string())));
    }

    pub(super) fn saved(&mut self, end: Result<Option<PathBuf>, String>) {
        match end {
            Ok(Some(path)) => self.say(format!("Saved {}", path.display())),
            Ok(None) => {}
            Err(problem) => self.notify(Grade::Failed, problem),
        }
    }
}

/// The ending of an export's file: that of its kind, or the asset's own.
fn extension(kind: &ExportType, asset: Option<&crate::model::asset::Asset>) -> String {
    let own = || {
        let format = content::original(asset?.view())?;
        let specific = format.classification().specific();
        specific.chars().all(|c| c.is_ascii_alphanumeric()).then(|| specific.to_owned())
    };
    match kind {
        ExportType::Html => "html".to_owned(),
        ExportType::Md => "md".to_owned(),
        ExportType::Json => "json".to_owned(),
        ExportType::Txt => "txt".to_owned(),
        ExportType::Raw => own().unwrap_or_else(|| "bin".to_owned()),
        ExportType::Other(_) => "txt".to_owned(),
    }
}

/// Writes a file whole or not at all: a new file beside it, synced, then renamed over the name the user chose.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let temporary = folder.join(format!(".lunette-{}", uuid::Uuid::new_v4()));
    let written = OpenOptions::new().write(true).create_new(true).open(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| {
        if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io::Error::other("it is a link, a folder or a device, and not overwritten"));
        }
        fs::rename(&temporary, path)
    });
    if renamed.is_err() {
        // What was begun is of no use; where it cannot be removed the first error is the one to tell.
        fs::remove_file(&temporary).ok();
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_not_followed_and_nothing_is_left_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let (canary, link) = (folder.path().join("canary"), folder.path().join("link"));
        fs::write(&canary, "alive").expect("written");
        #[cfg(unix)]
        std::os::unix::fs::symlink(&canary, &link).expect("linked");
        #[cfg(not(unix))]
        fs::create_dir(&link).expect("made");
        assert!(write_whole(&link, b"dead").is_err());
        assert_eq!(fs::read_to_string(&canary).expect("read"), "alive");
        assert_eq!(fs::read_dir(folder.path()).expect("listed").count(), 2);
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("export.md");
        write_whole(&path, b"a longer text").expect("written");
        write_whole(&path, b"short").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "short");
    }
}
