//! Versions of applications, from what package systems keep as plain files.
//!
//! A desktop entry has no version of the application. Asked in turn, the cheapest first: the entry's AppImage key (by
//! the caller), the snap's description, the AppStream metadata beside the entry or inside its Flatpak, and dpkg.
//! Nothing is guessed: a package's version is taken only when its list of files names the desktop entry.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::files;

/// dpkg keeps all packages in one file, a few MB on a full desktop.
const STATUS_BYTES: u64 = 64 << 20;
/// The largest lists of files have some ten thousand lines.
const LIST_BYTES: u64 = 8 << 20;

/// The version a snap says it has. `root` is the root of the file system.
/// Format: <https://documentation.ubuntu.com/snapcraft/stable/reference/metadata/snap-yaml/>
pub fn snap_version(root: &Path, instance: &str) -> Option<String> {
    let instance = plain(instance)?;
    ["snap", "var/lib/snapd/snap"].iter().find_map(|mounts| {
        let path = root.join(mounts).join(instance).join("current/meta/snap.yaml");
        let about = files::text(&path, files::DESCRIPTION_BYTES)?;
        let version = about.lines().find_map(|line| line.strip_prefix("version:"))?;
        tidy(version.trim().trim_matches(['\'', '"']))
    })
}

/// The latest release in the AppStream metadata of a desktop entry: beside the entry in its data folder, or inside
/// the Flatpak that exports it. `id` is the desktop file id without `.desktop`.
/// Format: <https://www.freedesktop.org/software/appstream/docs/chap-Metadata.html#tag-releases>
pub fn appstream_version(data_folder: &Path, flatpak: Option<&str>, id: &str) -> Option<String> {
    let mut folders = vec![data_folder.to_owned()];
    if let Some(application) = flatpak.and_then(plain) {
        // Exports are in <installation>/exports/share, applications in <installation>/app.
        let installation = data_folder.parent().and_then(Path::parent);
        folders.extend(installation.map(|at| at.join("app").join(application).join("current/active/files/share")));
    }
    let id = plain(id)?;
    let files = folders.iter().flat_map(|folder| {
        [
            folder.join(format!("metainfo/{id}.metainfo.xml")),
            folder.join(format!("metainfo/{id}.appdata.xml")),
            folder.join(format!("appdata/{id}.appdata.xml")),
            folder.join(format!("appdata/{id}.metainfo.xml")),
        ]
    });
    files.filter_map(|path| files::text(&path, files::DESCRIPTION_BYTES)).find_map(|text| latest_release(&text))
}

/// The version of the first `release` element; AppStream wants the latest first.
pub fn latest_release(metainfo: &str) -> Option<String> {
    let mut rest = metainfo;
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = &comment[comment.find("-->")?..];
            continue;
        }
        let tag = &rest[..rest.find('>')?];
        if let Some(attributes) = tag.strip_prefix("<release").filter(|rest| rest.starts_with(char::is_whitespace)) {
            return attribute(attributes, "version").and_then(tidy);
        }
        rest = &rest[tag.len()..];
    }
    None
}

fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = attributes;
    loop {
        let (before, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (value, next) = after[1..].split_once(quote)?;
        if before.trim() == name {
            return Some(value);
        }
        rest = next;
    }
}

/// The versions of installed Debian packages, read on first use.
pub struct Dpkg {
    folder: PathBuf,
    versions: Option<BTreeMap<String, String>>,
}

impl Dpkg {
    /// Reads below this root of the file system.
    pub fn of(root: &Path) -> Self {
        Self { folder: root.join("var/lib/dpkg"), versions: None }
    }

    /// The file that changes with every package.
    pub fn status_file(root: &Path) -> PathBuf {
        root.join("var/lib/dpkg/status")
    }

    /// The upstream version of the package that owns this desktop entry; None when the entry's id and program do not
    /// lead to it. Reading every package's list of files instead would take seconds on a cold disk, so only packages
    /// whose names derive from the entry's are checked.
    pub fn version_of(&mut self, entry: &Path, id: &str, program: Option<&str>) -> Option<String> {
        let entry = entry.to_str()?;
        let package = candidates(id, program).into_iter().find(|package| self.owns(package, entry))?;
        let status = self.folder.join("status");
        let versions = self.versions.get_or_insert_with(|| installed_versions(&status));
        tidy(upstream(versions.get(&package)?))
    }

    fn owns(&self, package: &str, entry: &str) -> bool {
        let lists = [format!("info/{package}.list"), format!("info/{package}:{}.list", architecture())];
        let texts = lists.iter().filter_map(|list| files::text(&self.folder.join(list), LIST_BYTES));
        texts.into_iter().any(|text| text.lines().any(|line| line == entry))
    }
}

/// Names of packages that may own an entry, such as `nautilus` and `gnome-nautilus` for `org.gnome.Nautilus`.
fn candidates(id: &str, program: Option<&str>) -> Vec<String> {
    let id = id.to_lowercase();
    let words: Vec<&str> = id.split('.').collect();
    let mut names = vec![id.clone()];
    if let [_, .., vendor, last] = words.as_slice() {
        names.extend([(*last).to_owned(), format!("{vendor}-{last}")]);
    }
    names.extend(program.map(str::to_lowercase));
    let more: Vec<String> = ["common", "stable", "bin", "core", "desktop"]
        .iter()
        .flat_map(|end| names.iter().map(move |name| format!("{name}-{end}")))
        .collect();
    names.extend(more);
    names.retain(|name| plain(name).is_some());
    let mut seen = Vec::new();
    names.retain(|name| {
        !seen.contains(name) && {
            seen.push(name.clone());
            true
        }
    });
    names
}

/// Debian's name of the architecture this program runs on.
fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "x86" => "i386",
        other => other,
    }
}

fn installed_versions(status: &Path) -> BTreeMap<String, String> {
    let text = files::text(status, STATUS_BYTES).unwrap_or_default();
    let mut versions = BTreeMap::new();
    for paragraph in text.split("\n\n") {
        let field = |name: &str| paragraph.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let installed = field("Status:").is_some_and(|status| status.ends_with(" installed"));
        if let (true, Some(package), Some(version)) = (installed, field("Package:"), field("Version:")) {
            versions.insert(package.to_owned(), version.to_owned());
        }
    }
    versions
}

/// A Debian version without its epoch and the packager's revision: `9.0.1378` of `2:9.0.1378-2+deb12u2`.
/// Format: <https://www.debian.org/doc/debian-policy/ch-controlfields.html#version>
fn upstream(version: &str) -> &str {
    let version = version.split_once(':').map_or(version, |(_, rest)| rest);
    version.rsplit_once('-').map_or(version, |(upstream, _)| upstream)
}

/// A name that can only mean a file of the folder it is joined to.
fn plain(name: &str) -> Option<&str> {
    let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0']);
    plain.then_some(name)
}

/// A version fit to be shown, or None: one line, of a length that a version has.
pub(super) fn tidy(version: &str) -> Option<String> {
    let version = version.trim();
    let fit = !version.is_empty() && version.len() <= 100 && !version.contains(char::is_control);
    fit.then(|| version.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn plant(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, text).expect("written");
    }

    #[test]
    fn a_snap_version_is_read_with_or_without_quotes() {
        let root = tempfile::tempdir().expect("a folder");
        plant(root.path(), "snap/editor/current/meta/snap.yaml", "name: editor\nversion: '143.0-1'\nsummary: x\n");
        plant(root.path(), "var/lib/snapd/snap/tool/current/meta/snap.yaml", "version: 2.0\n");
        assert_eq!(snap_version(root.path(), "editor").as_deref(), Some("143.0-1"));
        assert_eq!(snap_version(root.path(), "tool").as_deref(), Some("2.0"));
        assert_eq!(snap_version(root.path(), "gone"), None);
        assert_eq!(snap_version(root.path(), "../snap/editor"), None);
    }

    #[test]
    fn the_first_release_is_the_latest() {
        let text = r#"<component><releases type="embedded">
            <!-- <release version="9"/> -->
            <release date="2026-01-02" version = '48.1'><description/></release>
            <release version="48.0"/></releases></component>"#;
        assert_eq!(latest_release(text).as_deref(), Some("48.1"));
    }

    #[test]
    fn metadata_without_a_release_has_no_version() {
        let texts = [
            "",
            "<",
            "<!--",
            "<releases>",
            "<release",
            "<release version",
            "<release version=>",
            "<release date='1'/>",
            // Looking for the end of a tag from each sign takes minutes.
            &format!("{}>", "<".repeat(1_000_000)),
        ];
        for text in texts {
            assert_eq!(latest_release(text), None, "{text}");
        }
    }

    #[test]
    fn metadata_is_found_beside_the_entry_and_in_its_flatpak() {
        let root = tempfile::tempdir().expect("a folder");
        let release = |version: &str| format!("<release version=\"{version}\"/>");
        plant(root.path(), "share/metainfo/org.example.A.metainfo.xml", &release("1"));
        plant(root.path(), "share/appdata/org.example.B.appdata.xml", &release("2"));
        let inside = "app/org.example.C/current/active/files/share/metainfo/org.example.C.metainfo.xml";
        plant(root.path(), inside, &release("3"));
        let share = root.path().join("share");
        assert_eq!(appstream_version(&share, None, "org.example.A").as_deref(), Some("1"));
        assert_eq!(appstream_version(&share, None, "org.example.B").as_deref(), Some("2"));
        let exports = root.path().join("exports/share");
        let version = appstream_version(&exports, Some("org.example.C"), "org.example.C");
        assert_eq!(version.as_deref(), Some("3"));
    }

    fn debian(root: &Path) -> Dpkg {
        let status = "Package: vim-common\nStatus: install ok installed\nVersion: 2:9.0.1378-2+deb12u2\n\n\
            Package: gone\nStatus: deinstall ok config-files\nVersion: 1\n\n\
            Package: gnome-calculator\nStatus: install ok installed\nDescription: x\n Version: 0\nVersion: 1:48.1-2\n";
        plant(root, "var/lib/dpkg/status", status);
        plant(root, "var/lib/dpkg/info/vim-common.list", "/.\n/usr/share/applications/vim.desktop\n");
        plant(root, "var/lib/dpkg/info/vim.list", "/.\n/usr/bin/vim.basic\n");
        plant(root, "var/lib/dpkg/info/gone.list", "/usr/share/applications/gone.desktop\n");
        let calculator = "/usr/share/applications/org.gnome.Calculator.desktop\n";
        plant(root, &format!("var/lib/dpkg/info/gnome-calculator:{}.list", architecture()), calculator);
        Dpkg::of(root)
    }

    #[test]
    fn the_package_that_owns_the_entry_gives_its_upstream_version() {
        let root = tempfile::tempdir().expect("a folder");
        let mut dpkg = debian(root.path());
        let applications = Path::new("/usr/share/applications");
        let vim = dpkg.version_of(&applications.join("vim.desktop"), "vim", Some("vim"));
        assert_eq!(vim.as_deref(), Some("9.0.1378"));
        let id = "org.gnome.Calculator";
        let calculator = dpkg.version_of(&applications.join(format!("{id}.desktop")), id, None);
        assert_eq!(calculator.as_deref(), Some("48.1"));
    }

    #[test]
    fn a_removed_or_unrelated_package_gives_no_version() {
        let root = tempfile::tempdir().expect("a folder");
        let mut dpkg = debian(root.path());
        assert_eq!(dpkg.version_of(Path::new("/usr/share/applications/gone.desktop"), "gone", None), None);
        assert_eq!(dpkg.version_of(Path::new("/home/me/.local/share/applications/vim.desktop"), "vim", None), None);
        assert_eq!(Dpkg::of(Path::new("/not there")).version_of(Path::new("/x/vim.desktop"), "vim", None), None);
    }

    #[test]
    fn a_debian_version_loses_its_epoch_and_revision_only() {
        for (version, expected) in [("1.2", "1.2"), ("2:1.2-3", "1.2"), ("1.2-rc1-3", "1.2-rc1"), ("1:1.2", "1.2")] {
            assert_eq!(upstream(version), expected);
        }
    }
}
