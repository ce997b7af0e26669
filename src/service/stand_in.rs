//! Stands in for the documents of an export until they are made.

use crate::model::export::ExportType;
use crate::store::asset::WholeAsset;

pub(super) fn document(whole: &WholeAsset, _: &ExportType) -> String {
    whole.asset.name.clone().unwrap_or_default()
}
