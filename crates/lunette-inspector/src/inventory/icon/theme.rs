//! Finds a named icon: in the chosen theme and those it inherits from, then in `hicolor`, where applications install
//! theirs, then in `pixmaps`.
//!
//! Specification: <https://specifications.freedesktop.org/icon-theme-spec/latest/>
//!
//! What must hold: the search ends even if themes inherit from each other; an index of any length takes bounded time.

use std::collections::{HashMap, VecDeque};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{MAX_TEXT_SIZE, SIDE, read, value};

/// The theme that every other theme inherits from.
const FALLBACK_THEME: &str = "hicolor";
/// The maximum number of themes searched for an icon.
const MAX_THEMES: usize = 16;
/// The maximum number of folders of a theme that are searched.
const MAX_FOLDERS: usize = 200;
/// The extensions of icon files, best first.
const EXTENSIONS: [&str; 2] = ["png", "svg"];
/// The folders of a theme without an index.
const DEFAULT_FOLDERS: [(&str, u32); 9] = [
    ("64x64/apps", 64),
    ("96x96/apps", 96),
    ("128x128/apps", 128),
    ("256x256/apps", 256),
    ("scalable/apps", SIDE),
    ("48x48/apps", 48),
    ("512x512/apps", 512),
    ("32x32/apps", 32),
    ("24x24/apps", 24),
];

/// The icon themes of a user.
pub(in crate::inventory) struct Themes {
    /// The data folders, in search order.
    data: Vec<PathBuf>,
    /// The theme that the user chose.
    chosen: Option<String>,
    /// The themes that were read, by data folder and name.
    read: HashMap<(PathBuf, String), Option<Arc<Theme>>>,
}

/// A theme in one data folder.
#[derive(Default)]
struct Theme {
    inherits: Vec<String>,
    /// Its folders for applications, best first.
    folders: Vec<PathBuf>,
}

impl Themes {
    /// Returns the themes of the current user.
    pub fn of_this_user() -> Self {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let home = std::env::home_dir();
        let data_home = variable("XDG_DATA_HOME").map(PathBuf::from);
        let data_home = data_home.or_else(|| Some(home.as_ref()?.join(".local/share")));
        let dirs = variable("XDG_DATA_DIRS").unwrap_or_else(|| OsString::from("/usr/local/share:/usr/share"));
        let data = data_home.into_iter().chain(std::env::split_paths(&dirs)).filter(|path| path.is_absolute());
        let config = variable("XDG_CONFIG_HOME").map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(".config")));
        Self { data: data.collect(), chosen: config.as_deref().and_then(chosen), read: HashMap::new() }
    }

    /// Returns the themes in these data folders, with this chosen theme.
    #[cfg(test)]
    pub fn of(data: Vec<PathBuf>, chosen: Option<&str>) -> Self {
        Self { data, chosen: chosen.map(str::to_owned), read: HashMap::new() }
    }

    /// Returns the file of an icon; `own` is the data folder of the entry that names it.
    pub fn find(&mut self, own: Option<&Path>, name: &str) -> Option<PathBuf> {
        let data: Vec<PathBuf> = own.into_iter().map(Path::to_owned).chain(self.data.iter().cloned()).collect();
        let files: Vec<String> = match Path::new(name).extension().and_then(|ending| ending.to_str()) {
            Some(ending) if EXTENSIONS.contains(&ending) => vec![name.to_owned()],
            _ => EXTENSIONS.map(|ending| format!("{name}.{ending}")).into(),
        };
        let (mut wanted, mut seen) = (VecDeque::from_iter(self.chosen.clone()), Vec::new());
        // Every theme inherits from this one, so it comes last even if it is named earlier.
        while let Some(theme) = wanted
            .pop_front()
            .or_else(|| (!seen.contains(&FALLBACK_THEME.to_owned())).then(|| FALLBACK_THEME.to_owned()))
        {
            if seen.contains(&theme) || (seen.len() >= MAX_THEMES && theme != FALLBACK_THEME) {
                continue;
            }
            seen.push(theme.clone());
            for folder in &data {
                let Some(read) = self.theme(folder, &theme) else { continue };
                let paths = read.folders.iter().flat_map(|folder| files.iter().map(move |file| folder.join(file)));
                if let Some(found) = paths.into_iter().find(|path| path.is_file()) {
                    return Some(found);
                }
                wanted.extend(read.inherits.iter().filter(|name| *name != FALLBACK_THEME).cloned());
            }
        }
        let pixmaps = data.iter().flat_map(|folder| files.iter().map(|file| folder.join("pixmaps").join(file)));
        pixmaps.into_iter().find(|path| path.is_file())
    }

    fn theme(&mut self, data: &Path, name: &str) -> Option<Arc<Theme>> {
        let key = (data.to_owned(), name.to_owned());
        self.read.entry(key).or_insert_with(|| Theme::read(&data.join("icons").join(name)).map(Arc::new)).clone()
    }
}

impl Theme {
    fn read(folder: &Path) -> Option<Self> {
        if !folder.is_dir() {
            return None;
        }
        let index = read(&folder.join("index.theme"), MAX_TEXT_SIZE).and_then(|bytes| String::from_utf8(bytes).ok());
        let index = index.unwrap_or_default();
        let list = |key: &str| -> Vec<&str> {
            let names = value(&index, "[Icon Theme]", key).unwrap_or_default().split(',');
            names.map(str::trim).filter(|name| is_plain(name)).collect()
        };
        let named = list("Directories").into_iter().chain(list("ScaledDirectories"));
        let mut sized: Vec<(u32, &str)> =
            named.filter_map(|name| Some((distance(&index, name)?, name))).take(MAX_FOLDERS).collect();
        sized.sort_by_key(|(distance, _)| *distance);
        let usual =
            DEFAULT_FOLDERS.iter().map(|(name, _)| *name).filter(|name| !sized.iter().any(|(_, known)| known == name));
        let folders = sized.iter().map(|(_, name)| *name).chain(usual).map(|name| folder.join(name)).collect();
        let inherits = list("Inherits").into_iter().map(str::to_owned).take(MAX_THEMES).collect();
        Some(Self { inherits, folders })
    }
}

/// Returns whether a name is a relative path that stays below its folder.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.split(['/', '\\']).any(|part| matches!(part, "" | "." | ".."))
}

/// Returns how far the icon size of a folder is from the wanted one, or `None` if its icons are not for applications.
/// Scaling down counts less than scaling up.
fn distance(index: &str, name: &str) -> Option<u32> {
    let group = format!("[{name}]");
    let text = |key: &str| value(index, &group, key);
    let number = |key: &str| text(key).and_then(|text| text.parse::<u32>().ok());
    let of_applications = match text("Context") {
        Some(context) => context.eq_ignore_ascii_case("Applications"),
        None => name.split('/').any(|part| part == "apps"),
    };
    let size = number("Size").filter(|_| of_applications)?;
    let scale = number("Scale").unwrap_or(1).clamp(1, 8);
    let (least, most) = match text("Type").unwrap_or("Threshold") {
        "Scalable" => (number("MinSize").unwrap_or(size), number("MaxSize").unwrap_or(size)),
        "Fixed" => (size, size),
        _ => {
            let threshold = number("Threshold").unwrap_or(2);
            (size.saturating_sub(threshold), size.saturating_add(threshold))
        }
    };
    let (least, most) = (least.saturating_mul(scale), most.saturating_mul(scale));
    let too_small = SIDE.saturating_sub(most).saturating_mul(4);
    Some(too_small.max(least.saturating_sub(SIDE)))
}

/// Returns the theme that the user chose in the settings of KDE or GTK.
fn chosen(config: &Path) -> Option<String> {
    let setting = |file: &str, group: &str, key: &str| {
        let text = String::from_utf8(read(&config.join(file), MAX_TEXT_SIZE)?).ok()?;
        value(&text, group, key).map(|name| name.trim_matches('"').to_owned())
    };
    let gtk = || setting("gtk-3.0/settings.ini", "[Settings]", "gtk-icon-theme-name");
    setting("kdeglobals", "[Icons]", "Theme").or_else(gtk).filter(|name| is_plain(name) && !name.contains('/'))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    /// Creates a data folder with these files.
    fn data_folder(files: &[(&str, &str)]) -> TempDir {
        let folder = TempDir::new().expect("a folder");
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        }
        folder
    }

    fn found(folder: &TempDir, chosen: Option<&str>, name: &str) -> Option<String> {
        let found = Themes::of(vec![folder.path().to_owned()], chosen).find(None, name)?;
        let path = found.strip_prefix(folder.path()).expect("a file of it");
        Some(path.to_str().expect("UTF-8").replace('\\', "/"))
    }

    #[test]
    fn icons_of_the_theme_come_before_inherited_ones() {
        let index = "[Icon Theme]\nInherits=Parent,hicolor\nDirectories=own/apps\n[own/apps]\nSize=64\n";
        let parent = "[Icon Theme]\nInherits=Child\nDirectories=a\n[a]\nSize=48\nContext=Applications\n";
        let folder = data_folder(&[
            ("icons/Child/index.theme", index),
            ("icons/Child/own/apps/one.png", ""),
            ("icons/Parent/index.theme", parent),
            ("icons/Parent/a/one.svg", ""),
            ("icons/Parent/a/two.svg", ""),
            ("icons/hicolor/48x48/apps/two.png", ""),
            ("icons/hicolor/48x48/apps/three.png", ""),
            ("pixmaps/four.png", ""),
        ]);
        let found = |name| found(&folder, Some("Child"), name);
        assert_eq!(found("one").as_deref(), Some("icons/Child/own/apps/one.png"));
        assert_eq!(found("two").as_deref(), Some("icons/Parent/a/two.svg"));
        assert_eq!(found("three").as_deref(), Some("icons/hicolor/48x48/apps/three.png"));
        assert_eq!(found("four").as_deref(), Some("pixmaps/four.png"));
        assert_eq!(found("five"), None);
    }

    #[test]
    fn the_nearest_size_that_is_not_smaller_is_preferred() {
        let index = "[Icon Theme]\nDirectories=s,m,l,x\nScaledDirectories=m2\n\
            [s]\nSize=24\nContext=Applications\n[m]\nSize=48\nContext=Applications\n\
            [m2]\nSize=48\nScale=2\nContext=Applications\n[l]\nSize=256\nContext=Applications\n\
            [x]\nSize=72\nContext=MimeTypes\n";
        let all = ["s", "m", "m2", "l", "x"];
        let paths: Vec<String> = all.iter().map(|name| format!("icons/hicolor/{name}/e.png")).collect();
        let mut files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "")).collect();
        files.push(("icons/hicolor/index.theme", index));
        let mut order = Vec::new();
        let folder = data_folder(&files);
        while let Some(path) = found(&folder, None, "e") {
            fs::remove_file(folder.path().join(&path)).expect("removed");
            order.push(path.trim_start_matches("icons/hicolor/").trim_end_matches("/e.png").to_owned());
        }
        assert_eq!(order, ["m2", "m", "l", "s"], "and what is of no application is none");
    }

    #[test]
    fn the_theme_of_the_desktop_is_read_from_its_settings() {
        let folder = data_folder(&[("gtk-3.0/settings.ini", "[Settings]\ngtk-icon-theme-name=\"Papirus\"\n")]);
        assert_eq!(chosen(folder.path()).as_deref(), Some("Papirus"));
        fs::write(folder.path().join("kdeglobals"), "[Icons]\nTheme=breeze-dark\n").expect("written");
        assert_eq!(chosen(folder.path()).as_deref(), Some("breeze-dark"));
        fs::write(folder.path().join("kdeglobals"), "[Icons]\nTheme=../..\n").expect("written");
        assert_eq!(chosen(folder.path()), None);
    }

    #[test]
    fn an_index_cannot_lead_out_of_its_theme() {
        let index =
            "[Icon Theme]\nInherits=../../x\nDirectories=../secret,/etc\n[../secret]\nSize=64\nContext=Applications\n";
        let folder = data_folder(&[("icons/T/index.theme", index), ("icons/secret/e.png", "")]);
        assert_eq!(found(&folder, Some("T"), "e"), None);
    }
}
