//! Versions that the program keeps of the assets of a service of others, without asking it for them. The data folder is
//! where it is on Linux.

use std::path::Path;

use lunette_client::client::{Address, Client, Limits};
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::AssetSnapshot;
use lunette_inspector::db::Database;
use lunette_inspector::local_versions::{LocalVersions, Recorder};
use lunette_inspector::settings::VersionBounds;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::mutating_proxy::{MutatingProxy, ProxyAction};
use crate::program::{Ended, command, run};
use crate::write::Home;

/// A service of another program, and a home directory of its own for the commands at it.
struct Foreign {
    behind: Home,
    proxy: MutatingProxy,
    home: TempDir,
}

impl Foreign {
    fn start() -> Self {
        let behind = Home::new();
        let port = behind.service.url.rsplit(':').next().and_then(|port| port.trim_end_matches('/').parse().ok());
        let proxy = MutatingProxy::named("other/1.0", port.expect("a port"), |_| ProxyAction::Pass);
        Self { behind, proxy, home: tempfile::tempdir().expect("a folder") }
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        let mut command = command(&[arguments, &["--url", &self.proxy.url()]].concat());
        for name in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
            command.env(name, self.home.path());
        }
        let output = command.output().expect("it ends");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ended { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    fn done(&self, arguments: &[&str]) -> Ended {
        let ended = self.run(arguments);
        assert_eq!(ended.code, Some(0), "{arguments:?}: {ended:?}");
        ended
    }

    fn versions(&self, id: &str) -> Vec<Value> {
        self.done(&["history", id, "--json"]).json().as_array().expect("a list").clone()
    }

    /// How many requests reached the service.
    fn requests(&self) -> usize {
        self.proxy.asked().len()
    }

    /// Reads assets as a window does that follows the service.
    fn watch(&self, data: &Path, ids: &[&str]) {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let address: Address = self.proxy.url().parse().expect("an address");
        let database = Database::open(data).expect("a database").database;
        let versions = LocalVersions::new(database, &address.to_string(), VersionBounds::default());
        let recorder = Recorder::default();
        recorder.attach(Some((versions, runtime.handle().clone())));
        recorder.watch(true);
        let client = Client::new(address, Limits::default()).expect("a client").observed_by(recorder.clone());
        runtime.block_on(async {
            for id in ids {
                let asset: AssetId = id.parse().expect("an id");
                client.call(AssetSnapshot { asset, transferables: Some(true) }).await.expect("an asset");
            }
            recorder.watch(false);
            recorder.flush().await;
        });
    }
}

#[test]
fn one_version_at_a_service_of_others_is_forgotten_alone_and_the_service_is_not_asked_for_it() {
    let foreign = Foreign::start();
    let id = foreign.behind.asset("a", "one\n");
    for name in ["b", "c"] {
        foreign.done(&["edit", &id, "--name", name]);
    }
    let numbers = |versions: &[Value]| versions.iter().filter_map(|one| one["version"].as_i64()).collect::<Vec<_>>();
    let known = foreign.versions(&id);
    let newest = numbers(&known)[0];
    assert!(newest >= 3, "{known:?}");
    let second = format!("{id}@2");
    let preview = foreign.done(&["history", "forget", &second, "--dry-run"]);
    assert_eq!(preview.out, "1 earlier version would be forgotten\n");
    assert_eq!(foreign.versions(&id), known);

    // Each command asks which service it is.
    let before = foreign.requests();
    foreign.run(&["history", &id]);
    let to_begin = foreign.requests() - before;
    let forgotten = foreign.done(&["history", "forget", &second]);
    assert!(forgotten.out.starts_with("1 earlier version forgotten"), "{forgotten:?}");
    assert_eq!(foreign.requests() - before, 2 * to_begin);
    let missing = foreign.run(&["show", &second]);
    assert!(missing.code == Some(1) && missing.err.contains("version 2 was forgotten"), "{missing:?}");
    assert_eq!(numbers(&foreign.versions(&id)), numbers(&known));
    let first = foreign.done(&["show", &format!("{id}@1"), "--json"]).json();
    assert_eq!(first["name"], "a", "{first}");
    let now = foreign.run(&["history", "forget", &format!("{id}@{newest}")]);
    assert!(now.code == Some(1) && now.err.contains("what the asset was last seen as"), "{now:?}");
    let none = foreign.run(&["history", "forget", &format!("{id}@{}", newest + 1)]);
    assert!(none.code == Some(1) && none.err.contains("is not kept"), "{none:?}");
    // Nothing was written to the service for that.
    assert_eq!(foreign.behind.shown(&id)["name"], "c");
}

#[test]
fn a_service_of_others_is_compared_with_what_it_was_without_being_asked_for_it() {
    let foreign = Foreign::start();
    let (a, b) = (foreign.behind.asset("a", "one\n"), foreign.behind.asset("b", "two\n"));
    let data = foreign.home.path().join("lunette");
    foreign.watch(&data, &[&a, &b]);
    // A time at which it was watched: when the second was seen.
    let at = foreign.versions(&b)[0]["at"]["value"].as_str().expect("a time").to_owned();
    foreign.behind.done(&["edit", &a, "--name", "renamed"]);
    let asked = |arguments: &[&str]| {
        let before = foreign.requests();
        let ended = foreign.done(arguments);
        (ended.json(), foreign.requests() - before)
    };
    let files = tempfile::tempdir().expect("a folder");
    let folder = files.path().to_str().expect("UTF-8");
    let then = format!("@{at}");
    let (told, with_own) = asked(&["compare", &then, "own", "--all", "--json"]);
    let states: Vec<_> =
        told["rows"].as_array().expect("rows").iter().map(|row| (&row["name"], &row["state"])).collect();
    assert_eq!(told["counts"]["different"], json!(1), "{told}");
    assert_eq!(states.len(), 2, "{told}");
    let (_, own) = asked(&["compare", "own", folder, "--json"]);
    assert_eq!(with_own, own, "the service is asked for what it is now, and nothing else");
    // With files on the other side it is not read at all.
    let (told, alone) = asked(&["compare", &then, folder, "--json"]);
    assert_eq!(told["counts"]["only_left"], json!(2), "{told}");
    let before = foreign.requests();
    foreign.versions(&a);
    assert_eq!(alone, foreign.requests() - before, "as a command that asks it nothing but which service it is");
}

#[test]
fn a_service_of_others_of_which_nothing_was_seen_has_no_past_and_says_so() {
    let foreign = Foreign::start();
    foreign.behind.asset("a", "one\n");
    let ended = foreign.run(&["compare", "@yesterday", "own"]);
    assert!(ended.code == Some(2) && ended.err.contains("nothing was watched yet"), "{ended:?}");
    let own = run(&["compare", "@yesterday", "own", "--data", foreign.behind.data.path().to_str().expect("UTF-8")]);
    assert_eq!(own.code, Some(0), "{own:?}");
}
