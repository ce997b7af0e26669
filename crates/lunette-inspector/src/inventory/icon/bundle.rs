//! The icon of a macOS application bundle.
//!
//! Layout: <https://developer.apple.com/documentation/bundleresources/information-property-list/cfbundleiconfile>

use std::path::{Path, PathBuf};

use super::{MAX_TEXT_SIZE, read};

/// Returns the icon file that the property list of a bundle names.
pub(super) fn icon(bundle: &Path) -> Option<PathBuf> {
    let contents = bundle.join("Contents");
    let name = icon_name(&read(&contents.join("Info.plist"), MAX_TEXT_SIZE)?)?;
    let plain = !name.contains(['/', '\\']) && !name.starts_with('.');
    // The extension is optional.
    let file = if Path::new(&name).extension().is_some() { name } else { format!("{name}.icns") };
    plain.then(|| contents.join("Resources").join(file))
}

/// Returns the value of `CFBundleIconFile`.
fn icon_name(info: &[u8]) -> Option<String> {
    Some(lunette_plist::read(info)?.as_dictionary()?.get("CFBundleIconFile")?.as_string()?.to_owned())
}
