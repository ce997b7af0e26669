//! Which applications are installed on this machine, told by what the system itself keeps: desktop entries on Linux,
//! bundles on macOS, uninstall keys and the Start menu on Windows.
//!
//! What must hold: looking changes nothing and starts nothing; a file that is broken, too large or out of reach is left
//! out and never ends the look; what reads a foreign format is free of the platform and is tested everywhere. Desktop
//! entries are the exception: their reader is a dependency of Linux alone.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

#[cfg(all(unix, not(target_os = "macos")))]
pub mod desktop;
pub mod files;
pub mod macos;
pub mod package;
pub mod windows;

/// Looks for the applications of one machine.
pub trait Detect: Send + Sync {
    /// Everything found, ordered by name. Reads files, so it takes milliseconds to seconds.
    fn detect(&self) -> Vec<Detected>;
    /// The folders and files whose modification time changes when something is installed or removed; one that is not
    /// there counts too, since it may come.
    fn sources(&self) -> Vec<PathBuf>;
}

/// One application found on the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Detected {
    /// The name shown to the user of this machine.
    pub name: String,
    /// The version, where the platform tells it.
    pub version: Option<String>,
    /// The platform's own name of it: desktop file id without `.desktop`, bundle identifier, or uninstall key.
    pub identifier: Option<String>,
    /// What tells that it is there.
    pub found_by: Option<Evidence>,
    /// The file or folder that tells it.
    pub path: Option<PathBuf>,
}

/// What tells that an application is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// A desktop entry of a package or of the user.
    DesktopEntry,
    /// A desktop entry that Flatpak exports.
    Flatpak,
    /// A desktop entry of a snap.
    Snap,
    /// A desktop entry of an AppImage.
    AppImage,
    /// A bundle of macOS.
    Bundle,
    /// An uninstall key of the Windows registry.
    UninstallKey,
    /// A shortcut of the Windows Start menu.
    StartMenu,
}

impl Evidence {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::DesktopEntry => "desktop_entry",
            Self::Flatpak => "flatpak",
            Self::Snap => "snap",
            Self::AppImage => "appimage",
            Self::Bundle => "bundle",
            Self::UninstallKey => "uninstall_key",
            Self::StartMenu => "start_menu",
        }
    }
}

impl Detected {
    /// An application by name and version alone.
    pub fn named(name: impl Into<String>, version: Option<&str>) -> Self {
        Self { name: name.into(), version: version.map(str::to_owned), ..Self::default() }
    }
}

/// The detector of the system this program was built for, with the folders of the user who runs it.
pub fn of_this_machine() -> Arc<dyn Detect> {
    #[cfg(target_os = "macos")]
    let detector = macos::Bundles::of_this_user();
    #[cfg(windows)]
    let detector = windows::Installed::of_this_user();
    #[cfg(all(unix, not(target_os = "macos")))]
    let detector = desktop::DesktopEntries::of_this_user();
    Arc::new(detector)
}

/// Finds nothing: for tests, and where nothing shall be looked for.
pub struct NoDetector;

impl Detect for NoDetector {
    fn detect(&self) -> Vec<Detected> {
        Vec::new()
    }

    fn sources(&self) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// A look older than this is repeated even when no source has changed: a file edited in place does not touch its
/// folder, and the Windows registry is no file.
const MAX_AGE: Duration = Duration::from_secs(60);
/// A source this fresh at the time of a look may have changed again within the same tick of the file system's clock.
const SETTLED: Duration = Duration::from_secs(2);

/// The last look at the machine, repeated when its sources have changed.
pub struct DetectionCache {
    detector: Arc<dyn Detect>,
    /// Held while looking, so that requests that come together look once.
    last: Mutex<Option<Scan>>,
}

struct Scan {
    stamps: Vec<Option<SystemTime>>,
    normalized: bool,
    at: Instant,
    found: Arc<[Detected]>,
}

impl DetectionCache {
    /// A cache that has not looked yet.
    pub fn new(detector: Arc<dyn Detect>) -> Self {
        Self { detector, last: Mutex::new(None) }
    }

    /// What is installed now, ordered by name, each once.
    pub fn detected(&self) -> Arc<[Detected]> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps = self.stamps();
        if let Some(scan) = &*last
            && scan.normalized
            && scan.stamps == stamps
            && scan.at.elapsed() < MAX_AGE
        {
            return scan.found.clone();
        }
        let mut found = self.detector.detect();
        sort(&mut found);
        let found: Arc<[Detected]> = found.into();
        let normalized = normalized(&stamps, SystemTime::now());
        *last = Some(Scan { stamps, normalized, at: Instant::now(), found: found.clone() });
        found
    }

    fn stamps(&self) -> Vec<Option<SystemTime>> {
        let modified = |path: &PathBuf| std::fs::metadata(path).and_then(|meta| meta.modified()).ok();
        self.detector.sources().iter().map(modified).collect()
    }
}

fn normalized(stamps: &[Option<SystemTime>], now: SystemTime) -> bool {
    // A stamp of the future has no age; what lies there is not awaited.
    let fresh = |stamp: &SystemTime| now.duration_since(*stamp).is_ok_and(|age| age < SETTLED);
    !stamps.iter().flatten().any(fresh)
}

/// Orders by name without regard to case, and leaves out what the list cannot tell apart.
fn sort(found: &mut Vec<Detected>) {
    found.sort_by_cached_key(|one| (one.name.to_lowercase(), one.clone()));
    found.dedup_by(|one, other| one.name == other.name && one.version == other.version);
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    struct Counting {
        folder: PathBuf,
        looks: AtomicUsize,
    }

    impl Detect for Counting {
        fn detect(&self) -> Vec<Detected> {
            let scan = self.looks.fetch_add(1, Ordering::Relaxed);
            vec![Detected::named(format!("look {scan}"), None)]
        }

        fn sources(&self) -> Vec<PathBuf> {
            vec![self.folder.clone(), self.folder.join("not there")]
        }
    }

    fn cache(folder: &std::path::Path) -> DetectionCache {
        DetectionCache::new(Arc::new(Counting { folder: folder.to_owned(), looks: AtomicUsize::new(0) }))
    }

    fn age(path: &std::path::Path, by: Duration) {
        let folder = fs::File::open(path).expect("the folder");
        folder.set_modified(SystemTime::now() - by).expect("an older stamp");
    }

    #[test]
    fn a_second_look_is_spared_while_nothing_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        age(folder.path(), Duration::from_secs(60));
        let cache = cache(folder.path());
        assert_eq!(cache.detected(), cache.detected());
    }

    #[test]
    fn a_changed_folder_is_looked_at_again() {
        let folder = tempfile::tempdir().expect("a folder");
        age(folder.path(), Duration::from_secs(60));
        let cache = cache(folder.path());
        let before = cache.detected();
        age(folder.path(), Duration::from_secs(30));
        assert_ne!(cache.detected(), before);
    }

    #[test]
    fn a_source_that_appears_is_a_change() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = cache(folder.path());
        fs::create_dir(folder.path().join("not there")).expect("made");
        age(&folder.path().join("not there"), Duration::from_secs(60));
        age(folder.path(), Duration::from_secs(60));
        let after = cache.detected();
        fs::remove_dir(folder.path().join("not there")).expect("removed");
        age(folder.path(), Duration::from_secs(60));
        assert_ne!(cache.detected(), after);
    }

    #[test]
    fn a_folder_changed_just_now_is_not_trusted_to_stay() {
        let now = SystemTime::now();
        assert!(!normalized(&[None, Some(now - Duration::from_millis(5))], now));
        assert!(normalized(&[None, Some(now - Duration::from_secs(5))], now));
        assert!(normalized(&[Some(now + Duration::from_secs(5))], now));
    }

    #[test]
    fn what_is_found_twice_is_listed_once_and_versions_are_told_apart() {
        let one = |version| Detected::named("Editor", version);
        let other = Detected { identifier: Some("org.example.Editor".to_owned()), ..one(Some("1")) };
        let mut found = vec![one(Some("2")), Detected::named("a tool", None), one(Some("1")), other];
        sort(&mut found);
        let told: Vec<_> = found.iter().map(|one| (one.name.as_str(), one.version.as_deref())).collect();
        assert_eq!(told, [("a tool", None), ("Editor", Some("1")), ("Editor", Some("2"))]);
    }
}
