//! Applications of Windows: the uninstall keys of the registry, and shortcuts of the Start menu.
//!
//! Only the look-up of registry values is of the platform; what they mean is read the same everywhere.
//! Values: <https://learn.microsoft.com/windows/win32/msi/uninstall-registry-key>

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::files;
use super::{Detect, Detected, Evidence};

/// One value of a registry key, of the kinds that matter here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegistryValue {
    /// `REG_SZ` and `REG_EXPAND_SZ`.
    Text(String),
    /// `REG_DWORD` and `REG_QWORD`.
    Number(u64),
}

/// The values of one registry key by name. Windows compares the names without case; so does this module.
pub type RegistryValues = BTreeMap<String, RegistryValue>;

/// How deep the Start menu's folders are followed.
const DEPTH: usize = 4;

/// Reads one uninstall key. None when it has no name to show, is a part of the system, or an update of another
/// application, as the list of installed applications of Windows itself has it.
pub fn uninstall_entry(key: &str, values: &RegistryValues) -> Option<Detected> {
    let name = text(values, "DisplayName")?;
    let update = text(values, "ParentKeyName").is_some()
        || text(values, "ParentDisplayName").is_some()
        || text(values, "ReleaseType").is_some_and(|kind| kind != "Product")
        || is_knowledge_base_number(key);
    if update || number(values, "SystemComponent") == Some(1) {
        return None;
    }
    Some(Detected {
        name: name.to_owned(),
        version: text(values, "DisplayVersion").map(str::to_owned),
        identifier: Some(key.to_owned()),
        found_by: Some(Evidence::UninstallKey),
        path: executable(values).or_else(|| text(values, "InstallLocation")).map(PathBuf::from),
    })
}

/// Returns the executable whose icon the list of installed applications shows, if it is the application's own.
fn executable(values: &RegistryValues) -> Option<&str> {
    let icon = text(values, "DisplayIcon")?;
    // The number of the icon may follow the path.
    let file =
        icon.rsplit_once(',').filter(|(_, index)| index.trim().parse::<i32>().is_ok()).map_or(icon, |(file, _)| file);
    let file = file.trim().trim_matches('"');
    let lower = file.to_lowercase();
    let name = lower.rsplit(['\\', '/']).next().unwrap_or(&lower);
    // Copies that the installer of the system keeps are not where the application is.
    let own = !lower.contains(r"\windows\installer\")
        && !["unins", "setup", "install"].iter().any(|word| name.contains(word));
    (own && name.ends_with(".exe")).then_some(file)
}

/// Adds what the Start menu shows beside the uninstall keys: shortcuts by their names, except those that lead to
/// something already found, to an uninstaller or to a text.
pub fn with_shortcuts(mut found: Vec<Detected>, shortcuts: impl IntoIterator<Item = PathBuf>) -> Vec<Detected> {
    const ASIDE: [&str; 6] = ["uninstall", "readme", "read me", "release notes", "website", "documentation"];
    for path in shortcuts {
        let Some(shortcut) = path.file_stem().map(|name| name.to_string_lossy().into_owned()) else { continue };
        let lower = shortcut.to_lowercase();
        let known = |one: &Detected| one.name.to_lowercase().starts_with(&lower);
        if !lower.trim().is_empty() && !ASIDE.iter().any(|word| lower.contains(word)) && !found.iter().any(known) {
            let found_by = Some(Evidence::StartMenu);
            found.push(Detected { found_by, path: Some(path), ..Detected::named(shortcut.trim(), None) });
        }
    }
    found
}

fn value<'a>(values: &'a RegistryValues, name: &str) -> Option<&'a RegistryValue> {
    values.iter().find(|(given, _)| given.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

fn text<'a>(values: &'a RegistryValues, name: &str) -> Option<&'a str> {
    let blank = |sign: char| sign == '\0' || sign.is_whitespace();
    match value(values, name)? {
        RegistryValue::Text(text) => Some(text.trim_matches(blank)).filter(|text| !text.is_empty()),
        RegistryValue::Number(_) => None,
    }
}

/// Some installers write numbers as text.
fn number(values: &RegistryValues, name: &str) -> Option<u64> {
    match value(values, name)? {
        RegistryValue::Number(number) => Some(*number),
        RegistryValue::Text(text) => text.trim().parse().ok(),
    }
}

/// Updates of the system and of some products have keys such as `KB4023057`, or end in one.
fn is_knowledge_base_number(key: &str) -> bool {
    let tail = key.rsplit(['.', '_', ' ']).next().unwrap_or(key);
    tail.strip_prefix("KB").is_some_and(|digits| digits.len() >= 6 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The applications of a Windows machine: given registry keys and Start menu folders.
pub struct Installed {
    start_menus: Vec<PathBuf>,
    uninstall_keys: fn() -> Vec<(String, RegistryValues)>,
}

impl Installed {
    /// Looks at these Start menu folders, and at what `uninstall_keys` gives.
    pub fn of(start_menus: Vec<PathBuf>, uninstall_keys: fn() -> Vec<(String, RegistryValues)>) -> Self {
        Self { start_menus, uninstall_keys }
    }

    /// Looks at the registry and at the Start menus of all users and of this one.
    #[cfg(windows)]
    pub fn of_this_user() -> Self {
        let menus = ["ProgramData", "APPDATA"].into_iter().filter_map(std::env::var_os);
        let menus = menus.map(|base| PathBuf::from(base).join(r"Microsoft\Windows\Start Menu\Programs"));
        Self::of(menus.collect(), registry::uninstall_keys)
    }

    fn walk(&self, shortcut: &mut dyn FnMut(PathBuf), folder: &mut dyn FnMut(PathBuf)) {
        let mut level = self.start_menus.clone();
        for _ in 0..DEPTH {
            let mut below = Vec::new();
            for parent in level {
                for path in files::entries(&parent) {
                    match path.extension() {
                        Some(kind) if kind.eq_ignore_ascii_case("lnk") => shortcut(path),
                        _ if path.is_dir() => below.push(path),
                        _ => {}
                    }
                }
                folder(parent);
            }
            level = below;
        }
    }
}

impl Detect for Installed {
    fn detect(&self) -> Vec<Detected> {
        let keys = (self.uninstall_keys)();
        let found = keys.iter().filter_map(|(key, values)| uninstall_entry(key, values)).collect();
        let mut shortcuts = Vec::new();
        self.walk(&mut |path| shortcuts.push(path), &mut |_| {});
        with_shortcuts(found, shortcuts)
    }

    fn sources(&self) -> Vec<PathBuf> {
        let mut sources = Vec::new();
        self.walk(&mut |_| {}, &mut |folder| sources.push(folder));
        sources
    }
}

#[cfg(windows)]
mod registry {
    use windows_registry::{CURRENT_USER, Key, LOCAL_MACHINE, Type};

    use super::{RegistryValue, RegistryValues};

    const UNINSTALL: &str = r"Software\Microsoft\Windows\CurrentVersion\Uninstall";

    /// The uninstall keys of the machine, in the views of both word sizes, and of the user. A key that cannot be
    /// opened is left out.
    pub(super) fn uninstall_keys() -> Vec<(String, RegistryValues)> {
        let parents = [
            LOCAL_MACHINE.options().read().wow64_64().open(UNINSTALL),
            LOCAL_MACHINE.options().read().wow64_32().open(UNINSTALL),
            CURRENT_USER.open(UNINSTALL),
        ];
        let mut found = Vec::new();
        for parent in parents.into_iter().flatten() {
            let Ok(names) = parent.keys() else { continue };
            for name in names {
                if let Ok(key) = parent.open(&name) {
                    found.push((name, values(&key)));
                }
            }
        }
        found
    }

    fn values(key: &Key) -> RegistryValues {
        let Ok(values) = key.values() else { return RegistryValues::new() };
        let read = |(name, value): (String, windows_registry::Value)| {
            let value = match value.ty() {
                Type::U32 | Type::U64 => u64::try_from(value).map(RegistryValue::Number).ok()?,
                Type::String | Type::ExpandString => String::try_from(value).map(RegistryValue::Text).ok()?,
                _ => return None,
            };
            Some((name, value))
        };
        values.filter_map(read).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn text_value(text: &str) -> RegistryValue {
        RegistryValue::Text(text.to_owned())
    }

    fn editor() -> RegistryValues {
        [("DisplayName", text_value("Example Editor (User)")), ("DisplayVersion", text_value("1.2.3"))]
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    fn with(name: &str, value: RegistryValue) -> RegistryValues {
        let mut values = editor();
        values.insert(name.to_owned(), value);
        values
    }

    #[test]
    fn an_application_has_its_name_version_and_key() {
        let expected = Detected {
            name: "Example Editor (User)".to_owned(),
            version: Some("1.2.3".to_owned()),
            identifier: Some("{GUID}_is1".to_owned()),
            found_by: Some(Evidence::UninstallKey),
            path: None,
        };
        assert_eq!(uninstall_entry("{GUID}_is1", &editor()), Some(expected));
    }

    #[test]
    fn value_names_are_found_in_any_case_and_padding_is_dropped() {
        let values = RegistryValues::from([("displayname".to_owned(), text_value(" Tool ü \0"))]);
        assert_eq!(uninstall_entry("tool", &values).map(|one| one.name), Some("Tool ü".to_owned()));
    }

    #[test]
    fn system_components_and_updates_are_skipped() {
        let left_out = [
            ("SystemComponent", RegistryValue::Number(1)),
            ("SystemComponent", text_value("1")),
            ("ParentKeyName", text_value("OfficeSuite")),
            ("ParentDisplayName", text_value("Office Suite")),
            ("ReleaseType", text_value("Security Update")),
            ("ReleaseType", text_value("Hotfix")),
        ];
        for (name, value) in left_out {
            assert_eq!(uninstall_entry("key", &with(name, value.clone())), None, "{name} {value:?}");
        }
        assert_eq!(uninstall_entry("KB4023057", &editor()), None);
        assert_eq!(uninstall_entry("{GUID}.KB5001716", &editor()), None);
    }

    #[test]
    fn a_program_that_only_looks_like_an_update_is_listed() {
        let kept = [
            ("SystemComponent", RegistryValue::Number(0)),
            ("ParentKeyName", text_value("")),
            ("ReleaseType", text_value("Product")),
        ];
        for (name, value) in kept {
            assert!(uninstall_entry("key", &with(name, value)).is_some(), "{name}");
        }
        assert!(uninstall_entry("KBase Reader", &editor()).is_some());
    }

    #[test]
    fn entries_without_a_valid_name_are_skipped() {
        assert_eq!(uninstall_entry("key", &RegistryValues::new()), None);
        assert_eq!(uninstall_entry("key", &with("DisplayName", text_value("  "))), None);
        assert_eq!(uninstall_entry("key", &with("DisplayName", RegistryValue::Number(3))), None);
    }

    #[test]
    fn the_start_menu_adds_programs_without_an_uninstall_key() {
        let menu = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(menu.path().join("Vendor")).expect("made");
        for file in ["Example Editor.lnk", "Vendor/Portable Tool.LNK", "Vendor/Uninstall Tool.lnk", "notes.txt"] {
            fs::write(menu.path().join(file), "").expect("written");
        }
        let keys = || vec![("key".to_owned(), editor())];
        let installed = Installed::of(vec![menu.path().to_owned()], keys);
        let names: Vec<_> = installed.detect().into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["Example Editor (User)", "Portable Tool"]);
        assert!(installed.sources().contains(&menu.path().join("Vendor")));
        let paths: Vec<_> = installed.detect().into_iter().map(|one| one.path).collect();
        assert_eq!(paths, [None, Some(menu.path().join("Vendor/Portable Tool.LNK"))], "shortcuts have icons");
    }

    #[test]
    fn an_application_is_where_its_executable_is_or_where_it_was_installed() {
        let path = |icon: &str, location: &str| {
            let mut values = with("DisplayIcon", text_value(icon));
            values.insert("InstallLocation".to_owned(), text_value(location));
            uninstall_entry("key", &values).expect("an application").path
        };
        let (folder, file) = (r"C:\Program Files\Editor", r"C:\Program Files\Editor\editor.exe");
        for icon in [file.to_owned(), format!("{file},0"), format!("\"{file}\",-101"), format!("{file} , 2")] {
            assert_eq!(path(&icon, folder), Some(PathBuf::from(file)), "{icon}");
            assert_eq!(path(&icon, ""), Some(PathBuf::from(file)), "{icon}");
        }
        for icon in [
            "",
            r"C:\Windows\Installer\{1}\editor.exe",
            r"C:\Program Files\Editor\unins000.exe",
            r"C:\a,b\editor.ico,0",
        ] {
            assert_eq!(path(icon, folder), Some(PathBuf::from(folder)), "{icon}");
            assert_eq!(path(icon, ""), None, "{icon}");
        }
    }
}
