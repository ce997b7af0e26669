//! Detects the applications installed on this machine from what the system itself keeps: desktop entries on Linux,
//! bundles on macOS, uninstall keys and the Start menu on Windows.
//!
//! What must hold: a scan changes nothing and starts nothing; a file that is broken, too large or unreadable is skipped
//! and never ends the scan; parsers of foreign formats do not depend on the platform and are tested everywhere. Desktop
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

/// Detects the applications of one machine.
pub trait Detect: Send + Sync {
    /// Everything found, ordered by name. Reads files, so it takes milliseconds to seconds.
    fn detect(&self) -> Vec<Detected>;
    /// The folders and files whose modification time changes when something is installed or removed; missing ones count
    /// too, since they may appear.
    fn sources(&self) -> Vec<PathBuf>;
}

/// One application found on the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Detected {
    /// The name shown to the user of this machine.
    pub name: String,
    /// The version, if the platform reports it.
    pub version: Option<String>,
    /// The platform's own name of it: desktop file id without `.desktop`, bundle identifier, or uninstall key.
    pub identifier: Option<String>,
    /// The evidence that it is installed.
    pub found_by: Option<Evidence>,
    /// The file or folder of that evidence.
    pub path: Option<PathBuf>,
}

/// The evidence that an application is installed.
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

/// Detects nothing: for tests, and where detection is off.
pub struct NoDetector;

impl Detect for NoDetector {
    fn detect(&self) -> Vec<Detected> {
        Vec::new()
    }

    fn sources(&self) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// A cached scan older than this is repeated even if no source has changed: editing a file in place does not touch its
/// folder, and the Windows registry is not a file.
const MAX_AGE: Duration = Duration::from_secs(60);
/// A source modified this recently may change again within the same tick of the file system's clock, so the scan is not
/// cached.
const STABLE_AFTER: Duration = Duration::from_secs(2);

/// Caches the last scan; repeats it when its sources have changed.
pub struct DetectionCache {
    detector: Arc<dyn Detect>,
    /// Locked during a scan, so that concurrent requests share it.
    last: Mutex<Option<Scan>>,
}

struct Scan {
    stamps: Vec<Option<SystemTime>>,
    is_stable: bool,
    at: Instant,
    found: Arc<[Detected]>,
}

impl DetectionCache {
    /// Creates an empty cache.
    pub fn new(detector: Arc<dyn Detect>) -> Self {
        Self { detector, last: Mutex::new(None) }
    }

    /// What is installed now, ordered by name, each once.
    pub fn detected(&self) -> Arc<[Detected]> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let stamps = self.stamps();
        if let Some(scan) = &*last
            && scan.is_stable
            && scan.stamps == stamps
            && scan.at.elapsed() < MAX_AGE
        {
            return scan.found.clone();
        }
        let mut found = self.detector.detect();
        sort(&mut found);
        let found: Arc<[Detected]> = found.into();
        let is_stable = is_stable(&stamps, SystemTime::now());
        *last = Some(Scan { stamps, is_stable, at: Instant::now(), found: found.clone() });
        found
    }

    fn stamps(&self) -> Vec<Option<SystemTime>> {
        let modified = |path: &PathBuf| std::fs::metadata(path).and_then(|meta| meta.modified()).ok();
        self.detector.sources().iter().map(modified).collect()
    }
}

fn is_stable(stamps: &[Option<SystemTime>], now: SystemTime) -> bool {
    // A timestamp in the future has no age; do not wait for it.
    let fresh = |stamp: &SystemTime| now.duration_since(*stamp).is_ok_and(|age| age < STABLE_AFTER);
    !stamps.iter().flatten().any(fresh)
}

/// Sorts by name, ignoring case, and removes duplicates.
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
    fn an_unchanged_scan_is_cached() {
        let folder = tempfile::tempdir().expect("a folder");
        age(folder.path(), Duration::from_secs(60));
        let cache = cache(folder.path());
        assert_eq!(cache.detected(), cache.detected());
    }

    #[test]
    fn a_changed_folder_is_scanned_again() {
        let folder = tempfile::tempdir().expect("a folder");
        age(folder.path(), Duration::from_secs(60));
        let cache = cache(folder.path());
        let before = cache.detected();
        age(folder.path(), Duration::from_secs(30));
        assert_ne!(cache.detected(), before);
    }

    #[test]
    fn a_new_source_counts_as_a_change() {
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
    fn a_recently_changed_folder_is_not_cached() {
        let now = SystemTime::now();
        assert!(!is_stable(&[None, Some(now - Duration::from_millis(5))], now));
        assert!(is_stable(&[None, Some(now - Duration::from_secs(5))], now));
        assert!(is_stable(&[Some(now + Duration::from_secs(5))], now));
    }

    #[test]
    fn duplicates_are_listed_once_and_versions_separately() {
        let one = |version| Detected::named("Editor", version);
        let other = Detected { identifier: Some("org.example.Editor".to_owned()), ..one(Some("1")) };
        let mut found = vec![one(Some("2")), Detected::named("a tool", None), one(Some("1")), other];
        sort(&mut found);
        let described: Vec<_> = found.iter().map(|one| (one.name.as_str(), one.version.as_deref())).collect();
        assert_eq!(described, [("a tool", None), ("Editor", Some("1")), ("Editor", Some("2"))]);
    }
}
