//! Stands in for classification and export until they are there.

use crate::model::export::ExportType;
use crate::store::asset::WholeAsset;
use crate::store::format::Content;

pub(super) struct Language {
    pub(super) generic: &'static str,
    pub(super) specific: &'static str,
}

pub(super) fn language(specific: &str) -> Option<Language> {
    let known = [("CODE", "py"), ("CODE", "rs"), ("TEXT", "md"), ("TEXT", "txt"), ("IMAGE", "png")];
    known.into_iter().find(|(_, word)| *word == specific).map(|(generic, specific)| Language { generic, specific })
}

pub(super) fn classify(name: Option<&str>, hint: Option<&str>, content: &Content) -> (&'static str, &'static str) {
    let ext = hint.or_else(|| name.and_then(|name| name.rsplit_once('.')).map(|(_, ext)| ext));
    match (ext.and_then(language), content) {
        (Some(language), _) => (language.generic, language.specific),
        (None, Content::Text(_)) => ("TEXT", "txt"),
        (None, Content::Bytes(_)) => ("FILE", "bin"),
    }
}

pub(super) fn document(whole: &WholeAsset, _: &ExportType) -> String {
    whole.asset.name.clone().unwrap_or_default()
}
