//! Applications of Linux and the other free desktops: desktop entries in every data folder.
//!
//! Folders: <https://specifications.freedesktop.org/basedir-spec/latest/>; entries and their ids:
//! <https://specifications.freedesktop.org/desktop-entry-spec/latest/>. Flatpak exports and snaps are data folders too.

use std::collections::HashSet;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use freedesktop_desktop_entry::DesktopEntry;

use super::files;
use super::package::{self, Dpkg};
use super::{Detect, Detected, Evidence};

/// How deep folders below `applications` are followed; ids such as `kde4-editor` come from one level.
const DEPTH: usize = 4;
/// The keys that are read. The others are not even parsed: one with a bad escape must not hide its application.
const KEYS: [&str; 9] = [
    "Type",
    "Name",
    "NoDisplay",
    "Hidden",
    "TryExec",
    "X-AppImage-Version",
    "X-Flatpak",
    "X-SnapInstanceName",
    "X-SnapAppName",
];

/// The desktop entries below some data folders.
pub struct DesktopEntries {
    /// Data folders, the most important first: an entry hides those of the same id after it.
    pub data_folders: Vec<PathBuf>,
    /// The folders of programs (`PATH`), to check whether the program of `TryExec` exists.
    pub programs: Vec<PathBuf>,
    /// Locales of names, the best first, such as `de_DE` and `de`.
    pub locales: Vec<String>,
    /// The root of the file system, for what package systems keep.
    pub root: PathBuf,
}

impl DesktopEntries {
    /// Looks where the environment of this process says.
    pub fn of_this_user() -> Self {
        Self::from_variables(|name| std::env::var_os(name))
    }

    /// Looks where these environment variables say.
    pub fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let list = |name: &str| variable(name).filter(|list| !list.is_empty());
        let absolute = |paths: OsString| -> Vec<PathBuf> {
            // "All paths must be absolute; a relative one is invalid and should be ignored" (base directory spec).
            std::env::split_paths(&paths).filter(|path| path.is_absolute()).collect()
        };
        let home = list("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        let data_home = list("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        let data_home = data_home.or_else(|| home.map(|home| home.join(".local/share")));
        let mut folders: Vec<PathBuf> = data_home.iter().cloned().collect();
        folders.extend(absolute(list("XDG_DATA_DIRS").unwrap_or_else(|| "/usr/local/share:/usr/share".into())));
        folders.extend(data_home.map(|home| home.join("flatpak/exports/share")));
        folders.extend(["/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop"].map(PathBuf::from));
        let mut seen = HashSet::new();
        folders.retain(|folder| seen.insert(folder.components().as_path().to_owned()));
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(|name| list(name));
        Self {
            data_folders: folders,
            programs: list("PATH").map(absolute).unwrap_or_default(),
            locales: locale.map(|locale| locales(&locale.to_string_lossy())).unwrap_or_default(),
            root: PathBuf::from("/"),
        }
    }

    /// Whether the program of `TryExec` is there to be run.
    fn can_run(&self, program: &str) -> bool {
        let runs =
            |path: &Path| path.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0);
        match Path::new(program) {
            path if path.is_absolute() => runs(path),
            name => self.programs.iter().any(|folder| runs(&folder.join(name))),
        }
    }

    /// Reads one entry and the program it runs; None when it cannot be read and so hides no other.
    fn entry(&self, path: &Path) -> Option<(DesktopEntry, Option<String>)> {
        read(path, &files::text(path, files::DESCRIPTION_BYTES)?, &self.locales)
    }

    fn application(&self, found: &Found, dpkg: &mut Dpkg) -> Option<Detected> {
        let Found { entry, .. } = found;
        let name = name(entry, &self.locales)?;
        if entry.try_exec().is_some_and(|program| !self.can_run(program)) {
            return None;
        }
        Some(Detected {
            name,
            version: self.version(found, dpkg),
            identifier: Some(found.id.clone()),
            found_by: Some(evidence(entry)),
            path: Some(found.path.clone()),
        })
    }

    fn version(&self, found: &Found, dpkg: &mut Dpkg) -> Option<String> {
        let Found { path, id, data_folder, entry, program } = found;
        // "Version" is that of the desktop entry specification, not the application's.
        let stated = entry.desktop_entry("X-AppImage-Version").and_then(package::tidy);
        let snap = || {
            let instance = entry.desktop_entry("X-SnapInstanceName");
            let instance = instance.or_else(|| entry.snap_appname().map(|name| name.split('_').next().unwrap_or(name)));
            package::snap_version(&self.root, instance?)
        };
        stated
            .or_else(snap)
            .or_else(|| package::appstream_version(data_folder, entry.flatpak(), id))
            .or_else(|| dpkg.version_of(path, id, program.as_deref()))
    }

    /// Calls with the path, id and data folder of every file that has the name of an entry, the most important first;
    /// and with every folder.
    fn walk(&self, mut file: impl FnMut(PathBuf, String, &Path), mut folder: impl FnMut(&Path)) {
        for data_folder in &self.data_folders {
            let applications = data_folder.join("applications");
            let mut level = vec![applications.clone()];
            for _ in 0..DEPTH {
                let mut below = Vec::new();
                for parent in &level {
                    folder(parent);
                    for path in files::entries(parent) {
                        if let Some(id) = desktop_id(&applications, &path) {
                            file(path, id, data_folder);
                        } else if path.is_dir() {
                            below.push(path);
                        }
                    }
                }
                level = below;
            }
        }
    }
}

/// Who made an entry, as far as it says.
fn evidence(entry: &DesktopEntry) -> Evidence {
    if entry.flatpak().is_some() {
        Evidence::Flatpak
    } else if entry.desktop_entry("X-SnapInstanceName").is_some() || entry.snap_appname().is_some() {
        Evidence::Snap
    } else if entry.desktop_entry("X-AppImage-Version").is_some() {
        Evidence::AppImage
    } else {
        Evidence::DesktopEntry
    }
}

/// An entry that could be read.
struct Found<'a> {
    path: PathBuf,
    /// The desktop file id without `.desktop`.
    id: String,
    data_folder: &'a Path,
    entry: DesktopEntry,
    /// The name of the program it runs.
    program: Option<String>,
}

impl Detect for DesktopEntries {
    fn detect(&self) -> Vec<Detected> {
        let mut dpkg = Dpkg::of(&self.root);
        let mut seen = HashSet::new();
        let mut applications = Vec::new();
        let file = |path: PathBuf, id: String, data_folder: &Path| {
            if seen.contains(&id) {
                return;
            }
            if let Some((entry, program)) = self.entry(&path) {
                seen.insert(id.clone());
                let found = Found { path, id, data_folder, entry, program };
                applications.extend(self.application(&found, &mut dpkg));
            }
        };
        self.walk(file, |_| {});
        applications
    }

    fn sources(&self) -> Vec<PathBuf> {
        let mut sources = Vec::new();
        self.walk(|_, _, _| {}, |folder| sources.push(folder.to_owned()));
        // Versions change without any entry: Flatpak touches this file at every change of an installation.
        let flatpaks = self.data_folders.iter().filter(|folder| folder.ends_with("exports/share"));
        sources.extend(flatpaks.filter_map(|folder| Some(folder.parent()?.parent()?.join(".changed"))));
        sources.push(Dpkg::status_file(&self.root));
        sources
    }
}

/// The id of an entry: its path below `applications`, `/` written as `-`, without `.desktop`.
fn desktop_id(applications: &Path, path: &Path) -> Option<String> {
    let relative = path.strip_prefix(applications).ok()?.to_str()?;
    Some(relative.strip_suffix(".desktop")?.replace('/', "-"))
}

/// The name under which the text of an entry is shown in a locale such as `de_DE.UTF-8`; None where it is not an application
/// to be shown.
pub fn shown_name(text: &str, locale: &str) -> Option<String> {
    let locales = locales(locale);
    let (entry, _) = read(Path::new("entry.desktop"), text, &locales)?;
    name(&entry, &locales)
}

/// Parses an entry and the program it runs; None if the text is not a desktop entry.
fn read(path: &Path, text: &str, locales: &[String]) -> Option<(DesktopEntry, Option<String>)> {
    let group = main_group(text);
    let entry = DesktopEntry::from_str(path, &lines_of(&group, &KEYS), Some(locales)).ok()?;
    Some((entry, program(&group)))
}

fn name(entry: &DesktopEntry, locales: &[String]) -> Option<String> {
    let shown = entry.type_() == Some("Application") && !entry.no_display() && !entry.hidden();
    let name = entry.name(locales).filter(|name| shown && !name.trim().is_empty())?;
    Some(name.trim().to_owned())
}

/// The group `Desktop Entry` of a file, its heading first.
fn main_group(text: &str) -> Vec<&str> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim_end);
    let from = lines.skip_while(|line| *line != "[Desktop Entry]").enumerate();
    from.take_while(|(number, line)| *number == 0 || !line.starts_with('[')).map(|(_, line)| line).collect()
}

/// The heading and the lines of these keys, whatever their locale.
fn lines_of(group: &[&str], keys: &[&str]) -> String {
    let key = |line: &str| line.split(['=', '[']).next().unwrap_or_default().trim_end().to_owned();
    let heading = group.iter().take(1);
    let wanted = group.iter().skip(1).filter(|line| keys.contains(&key(line).as_str()));
    heading.chain(wanted).flat_map(|line| [*line, "\n"]).collect()
}

/// The name of the program that an entry runs, as far as it is written plainly.
fn program(group: &[&str]) -> Option<String> {
    let command = group.iter().find_map(|line| line.strip_prefix("Exec")?.trim_start().strip_prefix('='))?;
    let program = command.split_whitespace().next()?.trim_matches('"');
    Some(Path::new(program).file_name()?.to_str()?.to_owned())
}

/// What to look for in `Name[…]`, by a locale such as `sr_RS.UTF-8@latin`: with country and modifier, with country,
/// with modifier, the language alone (desktop entry specification, "Localized values for keys").
fn locales(locale: &str) -> Vec<String> {
    let (rest, modifier) = locale.split_once('@').map_or((locale, None), |(rest, modifier)| (rest, Some(modifier)));
    let rest = rest.split('.').next().unwrap_or_default();
    let (language, country) = rest.split_once('_').map_or((rest, None), |(language, c)| (language, Some(c)));
    if matches!(language, "" | "C" | "POSIX") {
        return Vec::new();
    }
    let forms = [
        country.zip(modifier).map(|(country, modifier)| format!("{language}_{country}@{modifier}")),
        country.map(|country| format!("{language}_{country}")),
        modifier.map(|modifier| format!("{language}@{modifier}")),
        Some(language.to_owned()),
    ];
    forms.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests;
