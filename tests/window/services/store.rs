//! A store that cannot be written, and one that cannot be opened: what the window reports and offers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use egui::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_inspector::Action;
use lunette_inspector::action::{EmbeddedAction, ImportAction};
use lunette_inspector::embedded::storage_alert::AlertKind;
use lunette_inspector::panel::Panel;
use lunette_inspector::session::Status;
use lunette_service::{Data, start};

use crate::dialogs::plan::stand;
use crate::stage::Stage;
use crate::support;
use crate::support::unsupported_proxy::UnsupportedProxy;

/// A folder with a store of one asset and its backup, as a window left it; the data is in `data` below it.
fn with_backup() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut stage = Stage::on_folder(&folder.path().join("data"), &[]);
    stage.until_idle();
    stage.asset("kept.rs", "fn main() {}");
    stage.perform(EmbeddedAction::BackUp);
    stage.until_said("Backed up: ");
    stage.closed();
    folder
}

fn database(folder: &Path) -> PathBuf {
    folder.join("data/lunette.sqlite3")
}

/// Overwrites the header of the database, and opens a window on it.
fn opened_damaged(folder: &Path) -> (Stage, Vec<u8>) {
    let mut bytes = fs::read(database(folder)).expect("the database");
    bytes[..512].fill(0x5a);
    fs::write(database(folder), &bytes).expect("damaged");
    let mut stage = Stage::on_folder(&folder.join("data"), &[]);
    stage.until("it is down", |state| matches!(state.connection.status, Status::Down(_)));
    stage.until_said("Not connected");
    (stage, bytes)
}

/// Returns whether a file with these bytes is kept in a folder below the data whose name begins so.
fn is_kept(folder: &Path, begins: &str, bytes: &[u8]) -> bool {
    let entries = fs::read_dir(folder.join("data")).expect("the data").flatten();
    let mut asides = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(begins));
    asides.any(|aside| fs::read(aside.path().join("lunette.sqlite3")).is_ok_and(|kept| kept == bytes))
}

/// Presses the button whose name contains this.
fn press_containing(stage: &mut Stage, part: &str) {
    stage.until_said(part);
    let mut found = stage.harness.query_all_by_label_contains(part);
    found.find(|node| node.accesskit_node().role() == Role::Button).expect("a button").click();
    drop(found);
    stage.settle();
}

#[test]
fn a_damaged_database_offers_the_newest_backup_and_keeps_the_damaged_files() {
    let folder = with_backup();
    let (mut stage, damaged) = opened_damaged(folder.path());
    press_containing(&mut stage, "Restore the backup of ");
    stage.until_said("Nothing is deleted: the current data moves to a folder next to it");
    stand(&mut stage);
    assert_eq!(fs::read(database(folder.path())).expect("bytes"), damaged, "nothing is done before it was said");
    stage.press("Restore");
    stage.until("it is up again", |state| state.connection.status == Status::Up && state.assets.list.count() == 1);
    until_notified(&mut stage, "The previous data is in ");
    assert!(is_kept(folder.path(), "before-restore-", &damaged));
    assert!(!stage.says("Not connected"));
}

#[test]
fn a_damaged_database_is_quarantined_only_after_confirmation_and_recreated_empty() {
    let folder = with_backup();
    let (mut stage, damaged) = opened_damaged(folder.path());
    for answer in ["Cancel", "Move and start empty"] {
        assert_eq!(fs::read(database(folder.path())).expect("bytes"), damaged);
        stage.press("Move it aside and start empty…");
        stage.until_said("It moves to a folder next to it");
        stand(&mut stage);
        stage.press(answer);
    }
    stage.until("it is up again", |state| {
        state.connection.status == Status::Up && state.assets.list.rows.value().is_some_and(|rows| rows.is_empty())
    });
    until_notified(&mut stage, "The previous data is in ");
    assert!(is_kept(folder.path(), "corrupt-", &damaged));
}

/// Checks that the notification history contains a text.
pub fn until_notified(stage: &mut Stage, part: &str) {
    stage.press("Messages");
    stage.until_said(part);
    stage.key(egui::Key::Escape);
}

/// A disk of a few megabytes, mounted until it is dropped.
struct Disk(tempfile::TempDir);

impl Disk {
    /// Panics if this user may not mount: a test that checks nothing must not pass.
    fn mounted(size: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let size = format!("size={size}");
        let mut mount = Command::new("mount");
        let done = mount.args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(folder.path()).output().expect("mount runs");
        assert!(
            done.status.success(),
            "this test mounts a disk and needs root: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        Self(folder)
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        Command::new("umount").arg("-l").arg(self.0.path()).output().ok();
    }
}

#[test]
fn a_full_disk_is_reported_with_advice_while_reads_work_and_clears_with_the_next_write() {
    let disk = Disk::mounted("12m");
    let mut stage = Stage::on_folder(&disk.0.path().join("data"), &[]);
    stage.until_idle();
    stage.asset("kept.txt", "kept");
    let ballast = disk.0.path().join("ballast");
    fs::write(&ballast, vec![0; 32 << 20]).expect_err("the disk is smaller");
    let text = "x".repeat(3 << 20);
    let refused = stage.create("big.txt", &text).expect_err("there is no room");
    assert!(refused.to_string().contains("507"), "{refused}");
    stage.until_said("Free some disk space");
    assert!(matches!(stage.state().embedded.trouble.as_ref().map(|trouble| &trouble.kind), Some(AlertKind::Own(_))));
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("it is read", |state| !state.assets.list.rows.loading() && state.assets.list.count() == 1);
    fs::remove_file(&ballast).expect("room again");
    stage.create("next.txt", "next").expect("it is kept");
    stage.until_drawn("the bar is gone", |harness| {
        harness.query_all_by_label_contains("Free some disk space").next().is_none()
    });
    stage.closed();
}

#[test]
fn damaged_records_are_reported_with_advice_and_the_others_listed() {
    let folder = with_backup();
    let db = rusqlite::Connection::open(database(folder.path())).expect("the database");
    // Past the program, like a failing disk: the checksum of the row is unchanged.
    assert_eq!(db.execute("UPDATE asset SET name = 'kepT.rs'", []).expect("changed"), 1);
    drop(db);
    let mut stage = Stage::on_folder(&folder.path().join("data"), &[]);
    stage.until_said("1 record is damaged and not listed. Restore a backup");
    assert_eq!(
        stage.state().embedded.trouble.as_ref().map(|trouble| trouble.kind.clone()),
        Some(AlertKind::Damaged(1))
    );
    stage.asset("next.rs", "fn main() {}");
    stage.perform(Action::Refresh(Panel::Assets));
    stage.until("the rest is listed", |state| !state.assets.list.rows.loading() && state.assets.list.count() == 1);
    stage.closed();
}

#[cfg(unix)]
#[test]
fn a_data_folder_writable_by_others_is_reported_until_fixed() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    fs::create_dir(&data).expect("made");
    let allow = |mode| fs::set_permissions(&data, fs::Permissions::from_mode(mode)).expect("permissions");
    allow(0o777);
    let mut stage = Stage::on_folder(&data, &[]);
    stage.until_said("Every user of this machine can write to it. Run “chmod go-w”");
    allow(0o700);
    stage.until_drawn("the bar is gone", |harness| harness.query_all_by_label_contains("chmod go-w").next().is_none());
    stage.closed();
}

#[test]
fn a_failed_write_of_a_foreign_service_is_shown_verbatim_until_one_succeeds() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let service = runtime.block_on(start(support::settings(Data::Memory))).expect("the service starts");
    let wire = UnsupportedProxy::start(service.port());
    let mut stage = Stage::at(&wire.url());
    stage.until("it is connected", |state| state.connection.status == Status::Up);
    wire.reject(lunette_client::operation::OperationInfo::named("assetsCreateNewAsset").expect("a row"), 507);
    let create = || Action::Import(ImportAction::Create { name: "a.txt".to_owned(), text: "text".to_owned() });
    stage.perform(create());
    stage.until_said("The service rejected a change: ");
    stage.until_label("Disk full");
    wire.accept_all();
    stage.perform(create());
    stage.until_drawn("the bar is gone", |harness| harness.query_all_by_label_contains("Disk full").next().is_none());
    drop(runtime);
}
