//! Which service a verb uses, by its owner: real services of real other users, which only root can start.
//!
//! The user of these tests is neither root nor the squatter, so services of other tests belong to someone else.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use crate::exit_codes::{LISTS, NAMING};
use crate::program::{Ended, command};

/// User ids that are not in use here.
const USER: u32 = 54_321;
const SQUATTER: u32 = 54_322;

/// Held by each test: a service of the user that another one runs would be found, too.
static LOCK: Mutex<()> = Mutex::new(());

/// Two users, each with a home, and a copy of the program that both can run.
struct Users {
    folder: TempDir,
    program: PathBuf,
    _lock: MutexGuard<'static, ()>,
}

impl Users {
    /// `None` unless run by root, which alone can act as other users.
    fn new() -> Option<Self> {
        if fs::metadata("/proc/self").expect("this process").uid() != 0 {
            println!("skipped: only root can run programs of other users");
            return None;
        }
        let lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("lunette");
        fs::copy(env!("CARGO_BIN_EXE_lunette"), &program).expect("a copy of the program");
        for path in [folder.path(), &program] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("its mode");
        }
        let users = Self { folder, program, _lock: lock };
        for user in [USER, SQUATTER] {
            fs::create_dir(users.home(user)).expect("a home");
            chown(users.home(user), Some(user), Some(user)).expect("its owner");
        }
        Some(users)
    }

    fn home(&self, user: u32) -> PathBuf {
        self.folder.path().join(user.to_string())
    }

    fn data(&self, user: u32) -> PathBuf {
        self.home(user).join("lunette")
    }

    /// The program, as run by this user at home.
    fn command(&self, user: u32, arguments: &[&str]) -> Command {
        let program = command(&[]);
        let mut command = Command::new("setpriv");
        let ids = [format!("--reuid={user}"), format!("--regid={user}"), "--clear-groups".to_owned()];
        command.args(ids).arg(&self.program).args(arguments);
        for (name, value) in program.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        for name in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
            command.env(name, self.home(user));
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).current_dir("/");
        command
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        let output = self.command(USER, arguments).output().expect("setpriv (util-linux) runs");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ended { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// A service of this user on a port where services are looked for.
    fn serve(&self, user: u32) -> Serving {
        let mut child = self.command(user, &["serve"]).spawn().expect("setpriv (util-linux) runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let url = line.trim_end().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line:?}")).to_owned();
        Serving { child, url }
    }

    /// A file with this text, readable by the user.
    fn file(&self, name: &str, text: &str) -> String {
        let path = self.home(USER).join(name);
        fs::write(&path, text).expect("a file");
        chown(&path, Some(USER), Some(USER)).expect("its owner");
        path.to_str().expect("UTF-8").to_owned()
    }
}

struct Serving {
    child: Child,
    url: String,
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.child.kill().ok(); // It has ended already where the test ended it.
        self.child.wait().ok();
    }
}

fn assets(users: &Users, url: &str) -> usize {
    let listed = users.run(&["list", "assets", "--json", "--url", url]);
    listed.json().as_array().expect("a list").len()
}

#[test]
fn a_service_of_another_user_is_used_only_if_named() {
    let Some(users) = Users::new() else { return };
    let squatter = users.serve(SQUATTER);
    let passed_over = format!("the service at {} belongs to another user and was skipped", squatter.url);

    let read = users.run(&["list", "assets", "--json"]);
    assert_eq!((read.code, read.out.as_str()), (Some(0), "[]\n"), "{read:?}");
    assert!(read.err.contains(&passed_over) && read.err.contains("there is no data yet in"), "{read:?}");
    assert!(!users.data(USER).exists(), "reading makes no folder");

    let secret = users.file("secret.txt", "secret");
    let imported = users.run(&["import", &secret]);
    assert_eq!(imported.code, Some(0), "{imported:?}");
    let location = format!("to {} (data folder, no service running)", users.data(USER).display());
    assert!(imported.err.contains(&passed_over) && imported.err.contains(&location), "{imported:?}");

    let own = users.serve(USER);
    let imported = users.run(&["import", &users.file("other.txt", "another secret")]);
    assert_eq!(imported.code, Some(0), "{imported:?}");
    assert!(imported.err.starts_with(&format!("to {} (own data folder)\n", own.url)), "{imported:?}");
    let opened = users.run(&["call", "applicationsSessionOpen"]);
    assert_eq!((opened.code, opened.err), (Some(0), format!("to {} (own data folder)\n", own.url)));
    assert_eq!((assets(&users, &own.url), assets(&users, &squatter.url)), (2, 0));

    let named = users.run(&["import", &secret, "--url", &squatter.url]);
    assert!(named.err.starts_with(&format!("to {} (named with --url)\n", squatter.url)), "{named:?}");
    assert_eq!(assets(&users, &squatter.url), 1, "the user named it");
}

#[test]
fn a_user_without_data_gets_the_exit_codes_of_an_empty_folder() {
    let Some(users) = Users::new() else { return };
    for (arguments, code) in LISTS.iter().map(|list| (list, 0)).chain(NAMING.iter().map(|naming| (naming, 1))) {
        let mut ended = users.run(arguments);
        // A service of another test may end just while it is asked for its owner.
        for _ in 0..10 {
            if ended.err.contains("does not say which user") {
                ended = users.run(arguments);
            }
        }
        assert_eq!(ended.code, Some(code), "{arguments:?}: {ended:?}");
    }
    assert!(!users.data(USER).exists(), "nothing was created");
}

#[test]
fn services_reports_the_owner_of_each_and_trusts_no_name() {
    let Some(users) = Users::new() else { return };
    let (squatter, own) = (users.serve(SQUATTER), users.serve(USER));
    let rows = users.run(&["services", "--json"]).json();
    let row = |url: &str| {
        let rows = rows.as_array().expect("a list");
        let row = rows.iter().find(|row| row["address"] == url).unwrap_or_else(|| panic!("{url} in {rows:?}"));
        (row["owner"].as_str().map(str::to_owned), row["found"].as_str().map(str::to_owned))
    };
    let words = |owner: &str, found: &str| (Some(owner.to_owned()), Some(found.to_owned()));
    assert_eq!(row(&own.url), words("own_folder", "lunette"));
    assert_eq!(row(&squatter.url), words("another_user", "family"));
    let table = users.run(&["services"]).out;
    let line = |url: &str| table.lines().find(|line| line.starts_with(&format!("{url} "))).expect("its line");
    assert!(line(&own.url).contains("own folder") && line(&own.url).contains("Lunette"), "{table}");
    assert!(line(&squatter.url).contains("another user") && !line(&squatter.url).contains("Lunette"), "{table}");
}

#[test]
fn another_program_on_the_port_of_a_crashed_service_is_not_trusted() {
    let Some(users) = Users::new() else { return };
    let own = users.serve(USER);
    let address = users.data(USER).join("lunette.address");
    assert!(address.exists());
    drop(own);
    let squatter = users.serve(SQUATTER);
    let written = fs::read_to_string(users.data(SQUATTER).join("lunette.address")).expect("its address");
    // As if the squatter had taken the same port, and answered with the id of the folder.
    write_as_user(&address, &written);
    let imported = users.run(&["import", &users.file("a.txt", "secret")]);
    assert_eq!(imported.code, Some(0), "{imported:?}");
    assert!(imported.err.contains("no service running"), "{imported:?}");
    assert_eq!(assets(&users, &squatter.url), 0);
}

fn write_as_user(path: &Path, text: &str) {
    fs::write(path, text).expect("written");
    chown(path, Some(USER), Some(USER)).expect("its owner");
}
