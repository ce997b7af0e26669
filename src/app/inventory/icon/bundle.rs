//! The icon of a macOS application bundle.
//!
//! Layout: <https://developer.apple.com/documentation/bundleresources/information-property-list/cfbundleiconfile>

use std::io::Cursor;
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

/// The maximum number of dictionaries and arrays in a property list.
const MAX_CONTAINERS: u64 = 4_000;

/// Returns the value of `CFBundleIconFile`. A property list that may be nested too deeply is not parsed: dropping it
/// would overflow the stack.
fn icon_name(info: &[u8]) -> Option<String> {
    let xml = !info.starts_with(b"bplist");
    let containers = if xml {
        info.windows(5).filter(|at| at == b"<dict" || at == b"<arra").count() as u64
    } else {
        // The number of objects in the trailer; any of them may be a container.
        u64::from_be_bytes(*info.get(info.len().checked_sub(24)?..)?.first_chunk()?)
    };
    if containers > MAX_CONTAINERS {
        return None;
    }
    let list = Cursor::new(info);
    let list = if xml { plist::Value::from_reader_xml(list) } else { plist::Value::from_reader(list) }.ok()?;
    Some(list.as_dictionary()?.get("CFBundleIconFile")?.as_string()?.to_owned())
}
