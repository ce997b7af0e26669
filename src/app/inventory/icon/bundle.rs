//! The icon of an application bundle of macOS.
//!
//! Layout: <https://developer.apple.com/documentation/bundleresources/information-property-list/cfbundleiconfile>

use std::io::Cursor;
use std::path::{Path, PathBuf};

use super::{ENTRY, read};

/// The file that the description of a bundle names.
pub(super) fn icon(bundle: &Path) -> Option<PathBuf> {
    let contents = bundle.join("Contents");
    let name = icon_name(&read(&contents.join("Info.plist"), ENTRY)?)?;
    let plain = !name.contains(['/', '\\']) && !name.starts_with('.');
    // The ending can be left out.
    let file = if Path::new(&name).extension().is_some() { name } else { format!("{name}.icns") };
    plain.then(|| contents.join("Resources").join(file))
}

/// More dictionaries and arrays than any application describes itself with.
const MOST_CONTAINERS: u64 = 4_000;

/// The value of `CFBundleIconFile`. A list that may be nested without end is not read: dropping it would overflow the
/// stack.
fn icon_name(info: &[u8]) -> Option<String> {
    let xml = !info.starts_with(b"bplist");
    let containers = if xml {
        info.windows(5).filter(|at| at == b"<dict" || at == b"<arra").count() as u64
    } else {
        // The trailer's number of objects, of which any may be a container.
        u64::from_be_bytes(*info.get(info.len().checked_sub(24)?..)?.first_chunk()?)
    };
    if containers > MOST_CONTAINERS {
        return None;
    }
    let list = Cursor::new(info);
    let list = if xml { plist::Value::from_reader_xml(list) } else { plist::Value::from_reader(list) }.ok()?;
    Some(list.as_dictionary()?.get("CFBundleIconFile")?.as_string()?.to_owned())
}
