//! Applications of macOS: bundles in the folders of applications, described by their `Info.plist`.
//!
//! Only the folders are of the platform; bundles are read the same everywhere.
//! Layout: <https://developer.apple.com/library/archive/documentation/CoreFoundation/Conceptual/CFBundles/>

use std::path::{Path, PathBuf};

use lunette_plist::{Dictionary, Value};

use super::files;
use super::{Detect, Detected, Evidence};

/// Below the folders of applications there is one more level: `Utilities`, or a vendor's folder.
const DEPTH: usize = 2;

/// The bundles below some folders.
pub struct Bundles {
    folders: Vec<PathBuf>,
}

impl Bundles {
    /// Looks in these folders and one level below each.
    pub fn of(folders: Vec<PathBuf>) -> Self {
        Self { folders }
    }

    /// Looks where macOS keeps applications for all users and for this one.
    #[cfg(target_os = "macos")]
    pub fn of_this_user() -> Self {
        let mut folders = vec![PathBuf::from("/Applications"), PathBuf::from("/System/Applications")];
        folders.extend(std::env::home_dir().map(|home| home.join("Applications")));
        Self::of(folders)
    }
}

impl Detect for Bundles {
    fn detect(&self) -> Vec<Detected> {
        let mut found = Vec::new();
        walk(&self.folders, &mut |path| found.extend(bundle(path)), &mut |_| {});
        found
    }

    fn sources(&self) -> Vec<PathBuf> {
        let mut sources = Vec::new();
        walk(&self.folders, &mut |_| {}, &mut |folder| sources.push(folder.to_owned()));
        sources
    }
}

fn walk(folders: &[PathBuf], bundle: &mut dyn FnMut(&Path), folder: &mut dyn FnMut(&Path)) {
    let mut level = folders.to_vec();
    for _ in 0..DEPTH {
        let mut below = Vec::new();
        for parent in &level {
            folder(parent);
            for path in files::entries(parent) {
                match path.extension() {
                    Some(extension) if extension == "app" => bundle(&path),
                    _ if path.is_dir() => below.push(path),
                    _ => {}
                }
            }
        }
        level = below;
    }
}

/// The application of one bundle; None when it has no description that can be read.
fn bundle(path: &Path) -> Option<Detected> {
    let info = files::bytes(&path.join("Contents/Info.plist"), files::DESCRIPTION_BYTES)?;
    // The Finder shows a bundle by the name of its folder.
    let shown = path.file_stem()?.to_string_lossy();
    let found = application(&shown, &info)?;
    Some(Detected { path: Some(path.to_owned()), ..found })
}

/// Reads an `Info.plist`, XML or binary, of the bundle shown under this name. None when it is not a property list, or
/// that of a program without any face (`LSBackgroundOnly`).
/// Keys: <https://developer.apple.com/documentation/bundleresources/information-property-list>
pub fn application(shown: &str, info_plist: &[u8]) -> Option<Detected> {
    let Value::Dictionary(info) = lunette_plist::read(info_plist)? else { return None };
    if is_set(&info, "LSBackgroundOnly") {
        return None;
    }
    let name = [Some(shown), text(&info, "CFBundleDisplayName"), text(&info, "CFBundleName")];
    Some(Detected {
        name: name.into_iter().flatten().map(str::trim).find(|name| !name.is_empty())?.to_owned(),
        version: text(&info, "CFBundleShortVersionString")
            .or_else(|| text(&info, "CFBundleVersion"))
            .map(str::to_owned),
        identifier: text(&info, "CFBundleIdentifier").map(str::to_owned),
        found_by: Some(Evidence::Bundle),
        path: None,
    })
}

fn text<'a>(info: &'a Dictionary, key: &str) -> Option<&'a str> {
    info.get(key)?.as_string().map(str::trim).filter(|text| !text.is_empty())
}

/// Flags are booleans, but `1`, `"1"` and `YES` are met too.
fn is_set(info: &Dictionary, key: &str) -> bool {
    match info.get(key) {
        Some(Value::Boolean(set)) => *set,
        Some(Value::Integer(number)) => number.as_signed() == Some(1),
        Some(Value::String(text)) => matches!(text.as_str(), "1" | "YES" | "true"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const EDITOR: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
    <key>CFBundleIdentifier</key><string>com.example.Editor</string>
    <key>CFBundleName</key><string>Ed</string>
    <key>CFBundleShortVersionString</key><string>4.2.1</string>
    <key>CFBundleVersion</key><string>4201</string>
</dict></plist>"#;

    fn editor() -> Detected {
        Detected {
            name: "Editor".to_owned(),
            version: Some("4.2.1".to_owned()),
            identifier: Some("com.example.Editor".to_owned()),
            found_by: Some(Evidence::Bundle),
            path: None,
        }
    }

    fn with(extra: &str) -> String {
        EDITOR.replace("<dict>", &format!("<dict>{extra}"))
    }

    #[test]
    fn an_xml_list_is_read() {
        assert_eq!(application("Editor", EDITOR.as_bytes()), Some(editor()));
    }

    #[test]
    fn a_binary_list_is_read_the_same() {
        let list = lunette_plist::read(EDITOR.as_bytes()).expect("a list");
        let mut binary = Vec::new();
        list.to_writer_binary(&mut binary).expect("written");
        assert!(binary.starts_with(b"bplist00"));
        assert_eq!(application("Editor", &binary), Some(editor()));
    }

    #[test]
    fn the_build_number_replaces_an_absent_version() {
        let list = EDITOR.replace("CFBundleShortVersionString", "Other");
        assert_eq!(application("Editor", list.as_bytes()).and_then(|one| one.version), Some("4201".to_owned()));
    }

    #[test]
    fn a_background_program_is_skipped_and_a_menu_bar_program_is_listed() {
        let hidden = ["<true/>", "<integer>1</integer>", "<string>1</string>"];
        for value in hidden {
            assert_eq!(application("Agent", with(&format!("<key>LSBackgroundOnly</key>{value}")).as_bytes()), None);
        }
        assert!(application("Bar", with("<key>LSUIElement</key><true/>").as_bytes()).is_some());
    }

    #[test]
    fn other_property_lists_are_skipped() {
        for bytes in [
            &b""[..],
            b"<plist>",
            b"bplist00",
            b"\xff\xfe\x00",
            b"<plist><array/></plist>",
            EDITOR.as_bytes().split_at(200).0,
        ] {
            assert_eq!(application("Editor", bytes), None, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn a_deeply_nested_list_is_skipped() {
        let deep = format!("<plist>{}{}</plist>", "<array>".repeat(60_000), "</array>".repeat(60_000));
        assert_eq!(application("Editor", deep.as_bytes()), None);
        let mut binary = b"bplist00".to_vec();
        binary.extend([0; 8]);
        binary.extend(u64::MAX.to_be_bytes());
        binary.extend([0; 16]);
        assert_eq!(application("Editor", &binary), None);
    }

    #[test]
    fn bundles_are_found_one_level_down_and_broken_ones_skipped() {
        let folder = tempfile::tempdir().expect("a folder");
        for (path, list) in [("Editor.app", EDITOR), ("Utilities/Tool ü.app", EDITOR), ("Broken.app", "<plist>")] {
            let contents = folder.path().join(path).join("Contents");
            fs::create_dir_all(&contents).expect("made");
            fs::write(contents.join("Info.plist"), list).expect("written");
        }
        fs::create_dir_all(folder.path().join("Empty.app")).expect("made");
        let bundles = Bundles::of(vec![folder.path().to_owned(), folder.path().join("gone")]);
        let names: Vec<_> = bundles.detect().into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["Editor", "Tool ü"]);
        assert!(bundles.sources().contains(&folder.path().join("Utilities")));
    }
}
