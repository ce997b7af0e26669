//! Desktop entries planted in temporary folders.

use std::fs;

use tempfile::TempDir;

use super::*;

struct Machine {
    root: TempDir,
    detector: DesktopEntries,
}

impl Machine {
    /// Two data folders, `home` before `usr`, and one folder of programs.
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        let at = |path: &str| root.path().join(path);
        let detector = DesktopEntries {
            data_folders: vec![at("home"), at("usr"), at("flatpak/exports/share"), at("gone")],
            programs: vec![at("bin")],
            locales: locales("de_AT.UTF-8"),
            root: root.path().to_owned(),
        };
        Self { root, detector }
    }

    fn plant(self, path: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.root.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, text).expect("written");
        self
    }

    fn entry(self, path: &str, keys: &str) -> Self {
        self.plant(path, format!("[Desktop Entry]\nType=Application\nExec=x\n{keys}\n"))
    }

    fn names(&self) -> Vec<String> {
        self.detector.detect().into_iter().map(|one| one.name).collect()
    }

    fn version(&self) -> Option<String> {
        let found = self.detector.detect();
        assert_eq!(found.len(), 1);
        found.into_iter().next().and_then(|one| one.version)
    }
}

#[test]
fn an_entry_gives_its_name_and_id() {
    let machine = Machine::new().entry("usr/applications/org.example.Editor.desktop", "Name=Editor\nVersion=1.5");
    let found = machine.detector.detect();
    let path = found.first().and_then(|one| one.path.clone()).expect("the path of the entry");
    assert!(path.ends_with("usr/applications/org.example.Editor.desktop"), "{path:?}");
    let identifier = Some("org.example.Editor".to_owned());
    let found_by = Some(Evidence::DesktopEntry);
    assert_eq!(found, [Detected { identifier, found_by, path: Some(path), ..Detected::named("Editor", None) }]);
}

#[test]
fn hidden_entries_links_and_folders_are_not_listed() {
    let machine = Machine::new()
        .entry("usr/applications/a.desktop", "Name=A\nNoDisplay=true")
        .entry("usr/applications/b.desktop", "Name=B\nHidden=true")
        .plant("usr/applications/c.desktop", "[Desktop Entry]\nType=Link\nName=C\nURL=https://example.org\n")
        .plant("usr/applications/d.desktop", "[Desktop Entry]\nType=Directory\nName=D\n")
        .plant("usr/applications/e.desktop", "[Desktop Entry]\nName=E\n")
        .entry("usr/applications/f.desktop", "Name=F\nNoDisplay=false");
    assert_eq!(machine.names(), ["F"]);
}

#[test]
fn an_earlier_folder_takes_precedence_for_the_same_id() {
    let machine = Machine::new()
        .entry("home/applications/editor.desktop", "Name=Mine")
        .entry("usr/applications/editor.desktop", "Name=Theirs")
        .entry("home/applications/deleted.desktop", "Name=Gone\nHidden=true")
        .entry("usr/applications/deleted.desktop", "Name=Gone");
    assert_eq!(machine.names(), ["Mine"]);
}

#[test]
fn a_subfolder_is_part_of_the_id() {
    let machine = Machine::new()
        .entry("home/applications/kde-editor.desktop", "Name=Mine")
        .entry("usr/applications/kde/editor.desktop", "Name=Theirs");
    assert_eq!(machine.names(), ["Mine"]);
}

#[test]
fn the_name_is_that_of_the_users_language() {
    let names = "Name[fr]=Éditeur\nName=Editor\nName[de]=Schreiber ü 😀\nName[de_DE]=Anders";
    let machine = Machine::new().entry("usr/applications/a.desktop", names);
    assert_eq!(machine.names(), ["Schreiber ü 😀"]);
}

#[test]
fn the_program_of_try_exec_must_exist() {
    let machine = Machine::new()
        .entry("usr/applications/a.desktop", "Name=A\nTryExec=tool")
        .entry("usr/applications/b.desktop", "Name=B\nTryExec=/not/there")
        .entry("usr/applications/c.desktop", "Name=C\nTryExec=text")
        .plant("bin/text", "")
        .plant("bin/tool", "");
    let tool = machine.root.path().join("bin/tool");
    fs::set_permissions(tool, fs::Permissions::from_mode(0o755)).expect("made a program");
    assert_eq!(machine.names(), ["A"]);
}

#[test]
fn broken_files_are_skipped_and_hide_nothing() {
    let machine = Machine::new()
        .plant("home/applications/a.desktop", [0xff, 0xfe, 0x00])
        .plant("home/applications/b.desktop", "")
        .plant("home/applications/c.desktop", vec![b'x'; (files::DESCRIPTION_BYTES + 1) as usize])
        .plant("home/applications/e.desktop", "[Desktop Entry\nType=Application\nName=E")
        .entry("usr/applications/c.desktop", "Name=C")
        .entry("usr/applications/nameless.desktop", "Name=  ")
        .entry("usr/applications/d.desktop", "Name=D");
    fs::create_dir_all(machine.root.path().join("usr/applications/folder.desktop")).expect("made");
    std::os::unix::fs::symlink("nowhere", machine.root.path().join("usr/applications/link.desktop")).expect("made");
    assert_eq!(machine.names(), ["C", "D"]);
}

#[test]
fn a_malformed_unread_key_hides_no_application() {
    let keys = "Name=Editor\nComment=a \\q escape\nno equals sign\n\n[Desktop Action New]\nName=New\\";
    let machine = Machine::new().entry("usr/applications/a.desktop", keys);
    assert_eq!(machine.names(), ["Editor"]);
}

#[test]
fn a_malformed_command_hides_no_application() {
    let machine = Machine::new().entry("usr/applications/a.desktop", "Name=Editor\nExec=sh -c \"\\$HOME\"");
    assert_eq!(machine.names(), ["Editor"]);
}

#[test]
fn cyclic_folders_end() {
    let machine = Machine::new().entry("usr/applications/a.desktop", "Name=A");
    let applications = machine.root.path().join("usr/applications");
    std::os::unix::fs::symlink(&applications, applications.join("again")).expect("made");
    assert!(machine.names().contains(&"A".to_owned()));
}

#[test]
fn an_app_image_has_its_version() {
    let machine = Machine::new().entry("home/applications/a.desktop", "Name=A\nX-AppImage-Version=1.2.3");
    assert_eq!(machine.version().as_deref(), Some("1.2.3"));
}

#[test]
fn snaps_flatpaks_and_packages_have_their_versions() {
    let snap = Machine::new()
        .entry("usr/applications/editor_editor.desktop", "Name=A\nX-SnapInstanceName=editor")
        .plant("snap/editor/current/meta/snap.yaml", "version: 5\n");
    assert_eq!(snap.version().as_deref(), Some("5"));
    let metainfo = "flatpak/app/org.example.A/current/active/files/share/metainfo/org.example.A.metainfo.xml";
    let flatpak = Machine::new()
        .entry("flatpak/exports/share/applications/org.example.A.desktop", "Name=A\nX-Flatpak=org.example.A")
        .plant(metainfo, "<releases><release version='6'/></releases>");
    assert_eq!(flatpak.version().as_deref(), Some("6"));
    let package = Machine::new()
        .entry("usr/applications/editor.desktop", "Name=A")
        .plant("var/lib/dpkg/status", "Package: editor\nStatus: install ok installed\nVersion: 7-1\n");
    let path = package.root.path().join("usr/applications/editor.desktop");
    let package = package.plant("var/lib/dpkg/info/editor.list", path.to_str().expect("text"));
    assert_eq!(package.version().as_deref(), Some("7"));
}

#[test]
fn sources_include_every_folder_and_version_file() {
    let machine = Machine::new().entry("usr/applications/kde/editor.desktop", "Name=A");
    let sources = machine.detector.sources();
    for path in ["gone/applications", "usr/applications/kde", "flatpak/.changed", "var/lib/dpkg/status"] {
        assert!(sources.contains(&machine.root.path().join(path)), "{path}");
    }
}

fn variables(given: &[(&str, &str)]) -> DesktopEntries {
    DesktopEntries::from_variables(|name| given.iter().find(|(known, _)| *known == name).map(|(_, text)| text.into()))
}

fn folders(detector: &DesktopEntries) -> Vec<&str> {
    detector.data_folders.iter().filter_map(|folder| folder.to_str()).collect()
}

#[test]
fn without_variables_the_specified_defaults_apply() {
    let expected = [
        "/home/a/.local/share",
        "/usr/local/share",
        "/usr/share",
        "/home/a/.local/share/flatpak/exports/share",
        "/var/lib/flatpak/exports/share",
        "/var/lib/snapd/desktop",
    ];
    assert_eq!(folders(&variables(&[("HOME", "/home/a"), ("XDG_DATA_DIRS", "")])), expected);
}

#[test]
fn given_folders_keep_their_order_without_duplicates_or_relative_paths() {
    let given = [("XDG_DATA_HOME", "/d"), ("XDG_DATA_DIRS", "/var/lib/snapd/desktop/:relative:/x:/d"), ("HOME", "/h")];
    let expected =
        ["/d", "/var/lib/snapd/desktop/", "/x", "/d/flatpak/exports/share", "/var/lib/flatpak/exports/share"];
    assert_eq!(folders(&variables(&given)), expected);
}

#[test]
fn a_locale_is_matched_in_all_its_forms() {
    assert_eq!(locales("sr_RS.UTF-8@latin"), ["sr_RS@latin", "sr_RS", "sr@latin", "sr"]);
    assert_eq!(locales("de"), ["de"]);
    for none in ["", "C", "C.UTF-8", "POSIX"] {
        assert_eq!(locales(none), Vec::<String>::new());
    }
    assert_eq!(variables(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "fr")]).locales, ["fr"]);
}
