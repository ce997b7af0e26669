//! Exports of assets, which are previewed, and saved completely or not at all.

mod actions;
pub mod code_picture;
mod content_secrets;
pub(crate) mod drag_file;
pub mod library;
mod many;
pub mod outline;
mod output;
mod picture;
mod state;

pub use actions::Action;
pub use content_secrets::locations as secret_locations;
pub use lunette_secrets::Finding;
pub use many::ExportRequest;
pub(crate) use output::Output;
pub use state::{Export, Exported, Exports};

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Vendor;
use crate::action::AssetsAction;
use crate::assets::content;
use crate::assets::page::{Content, OpenAssets};
use crate::context::Context;
use crate::export::code_picture::{PictureFormat, PictureKind, Sheet, png, svg};
use crate::files::{reason, write_new, write_whole};
use crate::notifications::{NotificationAction, Severity, Topic};
use crate::request_versions::ResourceKey;
use crate::setup::{DesktopError, NotPicked, picked};
use crate::tasks::{Ended, blocking};
use crate::{BoxFuture, CallError, Remote, Transport, internal_error};
use lunette_client::model::asset::Asset;
use lunette_client::model::export::ExportType;
use lunette_client::model::file_name::suggested_name;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record;
use lunette_client::operation::table::AssetSnapshot;

impl Exports {
    pub(super) fn export(&mut self, id: AssetId, kind: ExportType, pages: &OpenAssets, cx: &mut Context<'_>) {
        let asset = pages.of.get(&id).and_then(|page| page.record.value()).cloned();
        let mut document = Remote::NotRequested;
        document.start_loading();
        self.saved = None;
        self.of.insert(id.clone(), Export { kind: kind.clone(), picture: None, document });
        let client = cx.client();
        let (key, of) = (ResourceKey::Export(id.clone()), id.clone());
        let export = async move { document_of(&client?, &id, &kind, asset.as_deref(), None).await.map(Arc::new) };
        cx.read(key, export, move |exported| Output::Exported(of, exported));
    }

    /// Renders a picture of the text of an asset, for the preview.
    pub(super) fn export_picture(&mut self, id: AssetId, picture: PictureKind, cx: &mut Context<'_>) {
        let mut document = Remote::NotRequested;
        document.start_loading();
        self.saved = None;
        let kind = self.of.get(&id).map_or(ExportType::Html, |export| export.kind.clone());
        self.of.insert(id.clone(), Export { kind, picture: Some(picture), document });
        let (client, vendor) = (cx.client(), cx.connection.vendor);
        let (key, of) = (ResourceKey::Export(id.clone()), id.clone());
        let export = async move { picture_of(&client?, &id, picture, vendor).await.map(Arc::new) };
        cx.read(key, export, move |exported| Output::Exported(of, exported));
    }

    /// Drops the document of an export, which may be large; its format is kept for the next time.
    pub(super) fn drop_export(&mut self, id: &AssetId) {
        if let Some(export) = self.of.get_mut(id) {
            export.document = Remote::NotRequested;
        }
    }

    /// Stores the last requested document, unless it is no longer needed.
    pub(super) fn exported(&mut self, id: &AssetId, document: Result<Arc<Exported>, CallError>) {
        let export = self.of.get_mut(id);
        if let Some(export) = export.filter(|export| export.document.loading()) {
            export.document.resolve(document);
        }
    }

    pub(super) fn save_export(&mut self, id: &AssetId, cx: &mut Context<'_>) {
        let Some(document) = self.document(id).cloned() else { return };
        let file_name = document.file_name.clone();
        (self.saved, self.saving) = (None, Some(id.clone()));
        cx.save(&file_name, move || document.bytes.clone());
    }

    /// Saves the document at a typed path. Existing files are not overwritten, since no dialog asks first.
    pub(super) fn save_export_as(&mut self, id: &AssetId, path: PathBuf, cx: &mut Context<'_>) {
        let Some(document) = self.document(id).cloned() else { return };
        (self.saved, self.saving) = (None, Some(id.clone()));
        let save = move || match write_new(&path, &document.bytes) {
            Ok(()) => Ok(Some(path)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(SaveError::Exists(path)),
            Err(error) => Err(SaveError::NotWritten { reason: reason(&error), path }),
        };
        cx.run_blocking(save, Output::Saved);
    }

    /// Saves the content of an asset as it was loaded, under its own name.
    pub(super) fn save_content(&mut self, id: &AssetId, pages: &OpenAssets, cx: &mut Context<'_>) {
        let Some(page) = pages.of.get(id) else { return };
        self.saving = Some(id.clone());
        let asset = page.record.value().map(|asset| &**asset);
        let name = asset.and_then(|asset| asset.view().name()).unwrap_or_default();
        let file_name = suggested_name(name, id.as_str(), &extension(&ExportType::Raw, asset));
        match page.content.value() {
            Some(Content::Bytes(bytes)) => {
                let bytes = Arc::clone(bytes);
                cx.save(&file_name, move || bytes.to_vec());
            }
            Some(Content::Text(text)) => {
                let text = Arc::clone(text);
                cx.save(&file_name, move || text.as_bytes().to_vec());
            }
            Some(Content::Part(..) | Content::Large(_) | Content::None) | None => {}
        }
    }

    pub(super) fn saved(&mut self, end: Result<Option<PathBuf>, SaveError>, cx: &mut Context<'_>) {
        let asset = self.saving.take();
        match end {
            Ok(Some(path)) => {
                asset.into_iter().for_each(|asset| cx.request(AssetsAction::CountUse(asset)));
                let offers = vec![
                    NotificationAction { label: "Open", actions: vec![Action::OpenFile(path.clone()).into()] },
                    NotificationAction {
                        label: "Show in folder",
                        actions: vec![Action::ShowInFolder(path.clone()).into()],
                    },
                ];
                cx.notify_done(Topic::Saved(path.clone()), format!("Saved {}", path.display()), offers);
                self.saved = Some(path);
            }
            Ok(None) => {}
            Err(error) => cx.notify(Severity::Failed, error.to_string()),
        }
    }

    pub(super) fn open_file(&mut self, path: PathBuf, cx: &mut Context<'_>) {
        let opening = cx.setup().dialogs.open(path.clone());
        self.with_file("could not be opened", &path, opening, cx);
    }

    pub(super) fn show_in_folder(&mut self, path: PathBuf, cx: &mut Context<'_>) {
        let showing = cx.setup().dialogs.show_in_folder(path.clone());
        self.with_file("could not be shown in its folder", &path, showing, cx);
    }

    fn with_file(
        &mut self,
        failed: &'static str,
        path: &Path,
        work: BoxFuture<Result<(), DesktopError>>,
        cx: &mut Context<'_>,
    ) {
        let path = path.to_owned();
        cx.run(work, move |opened: Result<_, DesktopError>| {
            Output::FileOpened(opened.map_err(|error| NotShown { path, failed, error }))
        });
    }
}

/// Why a file was not saved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SaveError {
    /// A typed path names a file that exists.
    #[error("Not saved: {} already exists; choose another name", .0.display())]
    Exists(PathBuf),
    /// It could not be written; why and what to do, and where.
    #[error("Could not save: {reason}: {}", path.display())]
    NotWritten { reason: String, path: PathBuf },
    /// There is nothing to write.
    #[error("Could not save: {0}")]
    NotMade(#[from] NotMade),
    /// No path could be picked.
    #[error("Could not save: {0}")]
    NotPicked(#[from] NotPicked),
    /// The work panicked or was cancelled.
    #[error("Could not save: {0}")]
    Ended(#[from] Ended),
}

/// Why the bytes of a file could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NotMade(String);

impl NotMade {
    /// A picture that could not be encoded.
    pub(crate) fn of_picture(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// A saved file that could not be opened or shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} {failed}: {error}", path.display())]
pub(crate) struct NotShown {
    path: PathBuf,
    /// What could not be done with it.
    failed: &'static str,
    error: DesktopError,
}

impl Context<'_> {
    /// Asks where to save, and writes the file in the background.
    pub(super) fn save(&mut self, file_name: &str, bytes: impl FnOnce() -> Vec<u8> + Send + 'static) {
        self.save_made(file_name, move || Ok(bytes()));
    }

    /// Does the same with bytes that may fail to be produced; then nothing is written.
    pub(crate) fn save_made(
        &mut self,
        file_name: &str,
        bytes: impl FnOnce() -> Result<Vec<u8>, NotMade> + Send + 'static,
    ) {
        let picking = self.setup().dialogs.save(file_name);
        let dialogs = Arc::clone(&self.setup().dialogs);
        let save = async move {
            let Some(path) = picked(picking, dialogs).await? else { return Ok(None) };
            let write = move || {
                let bytes = bytes()?;
                match write_whole(&path, &bytes) {
                    Ok(()) => Ok(Some(path)),
                    Err(error) => Err(SaveError::NotWritten { reason: reason(&error), path }),
                }
            };
            blocking(write).await?
        };
        self.run(save, Output::Saved);
    }
}

/// Exports an asset whose record is not loaded: the fields that determine its file extension are read first.
pub(super) async fn fetch<C: Transport>(
    caller: &C,
    id: &AssetId,
    kind: &ExportType,
    name: &str,
) -> Result<Exported, CallError> {
    let asset = match kind {
        ExportType::Raw => Some(caller.call(AssetSnapshot { asset: id.clone(), transferables: Some(false) }).await?),
        ExportType::Html | ExportType::Md | ExportType::Json | ExportType::Txt | ExportType::Other(_) => None,
    };
    document_of(caller, id, kind, asset.as_ref(), Some(name)).await
}

/// Returns an asset as a document, with a name for its file; `own` is set for our own service. Others cannot export the
/// original content, so it is taken from the record.
pub async fn document<C: Transport>(
    caller: &C,
    id: &AssetId,
    kind: &ExportType,
    vendor: Vendor,
) -> Result<Exported, CallError> {
    let asset = caller.call(AssetSnapshot { asset: id.clone(), transferables: Some(false) }).await?;
    if *kind == ExportType::Raw && !vendor.is_lunette() {
        let content = content::whole(caller, id.clone(), vendor).await?;
        let name = asset.view().name().unwrap_or_default();
        return Ok(Exported::of(content, suggested_name(name, id.as_str(), &extension(kind, Some(&asset)))));
    }
    document_of(caller, id, kind, Some(&asset), None).await
}

/// Returns a picture of the text of an asset. Fails if it has no text.
pub async fn picture_of<C: Transport>(
    caller: &C,
    id: &AssetId,
    picture: PictureKind,
    vendor: Vendor,
) -> Result<Exported, CallError> {
    let asset = caller.call(AssetSnapshot { asset: id.clone(), transferables: Some(false) }).await?;
    let Content::Text(text) = content::whole(caller, id.clone(), vendor).await? else {
        return Err(internal_error("a picture of code needs text, and this asset has none; export it as raw"));
    };
    let name = asset.view().name().unwrap_or_default().to_owned();
    let specific = content::original(asset.view()).map(|format| format.classification().specific().to_owned());
    let file_name = suggested_name(&name, id.as_str(), picture.format.extension());
    let made = blocking(move || {
        let sheet = Sheet::new(&name, &specific.unwrap_or_default(), &text, picture.shade);
        match picture.format {
            PictureFormat::Svg => Ok(Content::Text(svg(&sheet).into())),
            PictureFormat::Png => png(&sheet).map(|bytes| Content::Bytes(bytes.into())).map_err(NotMade::of_picture),
        }
    });
    let made = made.await.map_err(NotMade::of_picture).flatten();
    made.map(|content| Exported::of(content, file_name))
        .map_err(|error| internal_error(format!("the picture could not be rendered: {error}")))
}

/// Returns an export as a document. Its file is named after the record, or else the given name, or else the export.
async fn document_of<C: Transport>(
    caller: &C,
    id: &AssetId,
    kind: &ExportType,
    asset: Option<&Asset>,
    name: Option<&str>,
) -> Result<Exported, CallError> {
    let (exported, content) = content::exported(caller, id.clone(), kind.clone()).await?;
    let name = asset.and_then(|asset| asset.view().name()).or(name).unwrap_or(&exported);
    Ok(Exported::of(content, suggested_name(name, id.as_str(), &extension(kind, asset))))
}

/// Returns the extension of the file of an export: that of its kind, or that of the asset.
fn extension(kind: &ExportType, asset: Option<&Asset>) -> String {
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
