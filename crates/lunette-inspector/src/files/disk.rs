//! Files on real disks: unusual paths and names; a disk that is full, read-only, or of another kind.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use tempfile::TempDir;

use super::*;
use lunette_client::model::file_name::suggested_name;

type Write = fn(&Path, &[u8]) -> io::Result<()>;

const WRITES: [(&str, Write); 2] = [("whole", write_whole), ("new", write_new)];
const ID: &str = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("listed");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("it is there").permissions().mode() & 0o7777
}

/// A disk of its own, mounted on a folder until it is dropped.
struct Disk(TempDir);

impl Disk {
    /// Panics if this user may not mount: a test that checked nothing must not pass.
    fn mount(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let done = Command::new("mount").args(arguments).arg(folder.path()).output().expect("mount runs");
        assert!(
            done.status.success(),
            "this test mounts a disk and needs root: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        Command::new("umount").arg(self.0.path()).status().expect("umount runs");
    }
}

#[test]
fn a_new_file_is_owner_only_and_a_replaced_one_keeps_its_mode() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, write) in WRITES {
        let path = folder.path().join(name);
        write(&path, b"private").expect("written");
        assert_eq!(mode(&path), 0o600, "{name}");
    }
    let shared = folder.path().join("shared");
    fs::write(&shared, "old").expect("written");
    fs::set_permissions(&shared, fs::Permissions::from_mode(0o644)).expect("said");
    write_whole(&shared, b"new").expect("written");
    assert_eq!((mode(&shared), fs::read(&shared).expect("read")), (0o644, b"new".to_vec()));
}

#[test]
fn a_temporary_file_is_never_visible_to_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = TempFile::beside(&folder.path().join("x"), "").expect("made");
    file.write_all(b"private").expect("written");
    let [name] = &names(folder.path())[..] else { panic!("one file") };
    assert_eq!(mode(&folder.path().join(name)), 0o600);
    drop(file);
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_full_disk_leaves_no_partial_file_and_accepts_a_smaller_one() {
    let disk = Disk::mount(&["-t", "tmpfs", "-o", "size=64k", "tmpfs"]);
    for (name, write) in WRITES {
        fs::write(disk.path().join("there"), "kept").expect("written");
        for file in ["there", "other"] {
            let error = write(&disk.path().join(file), &[0x5a; 256 * 1024]).expect_err("the disk is full");
            let expected = error.kind() == ErrorKind::StorageFull;
            assert!(expected && reason(&error).contains("the disk is full"), "{name} {file}: {error}");
            assert_eq!(names(disk.path()), ["there"], "{name} {file}");
        }
        assert_eq!(fs::read(disk.path().join("there")).expect("read"), b"kept");
        write(&disk.path().join("small"), b"small").expect("written");
        fs::remove_file(disk.path().join("small")).expect("removed");
    }
}

#[test]
fn a_read_only_disk_is_reported() {
    let disk = Disk::mount(&["-t", "tmpfs", "-o", "size=64k", "tmpfs"]);
    fs::write(disk.path().join("there"), "kept").expect("written");
    let remounted = Command::new("mount").args(["-o", "remount,ro"]).arg(disk.path()).status();
    assert!(remounted.expect("mount runs").success());
    for (name, write) in WRITES {
        for file in ["there", "other"] {
            let error = write(&disk.path().join(file), b"x").expect_err("refused");
            assert!(reason(&error).starts_with("no permission to write there"), "{name} {file}: {error}");
        }
    }
    assert_eq!(names(disk.path()), ["there"]);
}

/// Names of assets, and hostile names that try to leave a folder.
fn asset_names(count: usize) -> Vec<String> {
    let piece = "\\.\\.|\\.|/|\\\\|:|\\*|\\?|\"|<|>|\\||~|\\$|%2e|CON|nul|aux|com1|lpt9|LPT³|\\.txt|\\.tar|\\.gz| |é|日本|😀|\u{301}|ﬀ|İ|ß|[a-zA-Z0-9]{1,40}\
                 |\u{0}|\u{1f}|\u{7f}|\u{85}|\u{202e}|\u{200b}|\u{feff}|\u{2028}|\u{e000}|\u{fffd}|\u{fffe}|-|--|'|`|\n|\r|\t";
    let pieces = prop::collection::vec(proptest::string::string_regex(piece).expect("a pattern"), 0..12);
    let strategy = prop_oneof![4 => pieces.prop_map(|pieces| pieces.concat()), 1 => "(?s).{0,150}"];
    let mut runner = TestRunner::deterministic();
    (0..count).map(|_| strategy.new_tree(&mut runner).expect("a name").current()).collect()
}

/// Writes a file with the suggested name for each of these, and checks that exactly that file was created.
fn fill(folder: &Path, names_of_assets: &[String]) {
    let outside = folder.join("inside");
    fs::create_dir(&outside).expect("made");
    for (number, name) in names_of_assets.iter().enumerate() {
        let suggested = suggested_name(name, ID, if number & 1 == 0 { "md" } else { "" });
        let path = outside.join(&suggested);
        // Another asset may have the same suggested name, whose file is then kept.
        match write_new(&path, b"x") {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => panic!("{name:?} as {suggested:?}: {error}"),
        }
        assert_eq!(fs::canonicalize(&path).expect("there").parent(), fs::canonicalize(&outside).ok().as_deref());
        assert_eq!(fs::read(&path).expect("read"), b"x", "{name:?} as {suggested:?}");
        fs::remove_file(&path).expect("removed");
        assert_eq!(names(&outside), [""; 0], "{name:?} as {suggested:?} is the only one there was");
    }
    assert_eq!(names(folder), ["inside"]);
}

#[test]
fn any_name_becomes_a_file_in_the_chosen_folder_only() {
    let folder = tempfile::tempdir().expect("a folder");
    fill(folder.path(), &asset_names(2_000));
}

#[test]
#[ignore = "needs root, mkfs.vfat (Debian: dosfstools) and a loop device, which containers do not have"]
fn exported_names_are_valid_on_a_fat_file_system() {
    let image = tempfile::NamedTempFile::new().expect("a file");
    image.as_file().set_len(8 * 1024 * 1024).expect("its size");
    let path = image.path().to_string_lossy().into_owned();
    let made = Command::new("mkfs.vfat").arg(&path).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfs.vfat is not installed (Debian: dosfstools)");
    let disk = Disk::mount(&["-t", "vfat", "-o", "loop,utf8,shortname=mixed", &path]);
    fill(disk.path(), &asset_names(2_000));
}
