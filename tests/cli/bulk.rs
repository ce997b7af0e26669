//! `lunette bulk` on a running service: reports, exit codes, invalid plans, and a run that is killed.

use std::fs;
#[cfg(unix)]
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use lunette_client::client::{Client, Limits};
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record;
use lunette_client::model::seed::Seed;
use lunette_client::operation::table::{AssetSnapshot, AssetsCreateNewAsset, AssetsSnapshot};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{Ended, Served, command, run};

/// A service with assets, and a home for the journals of `lunette bulk`.
struct Bench {
    home: TempDir,
    _data: TempDir,
    service: Served,
    assets: Vec<AssetId>,
    runtime: tokio::runtime::Runtime,
}

impl Bench {
    fn with(count: usize) -> Self {
        let (home, data) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let service = Served::start(data.path(), &[]);
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let mut bench = Self { home, _data: data, service, assets: Vec::new(), runtime };
        bench.assets = bench.runtime.block_on(made(bench.client(), count));
        bench
    }

    fn client(&self) -> Client {
        Client::new(self.service.url.parse().expect("an address"), Limits::default()).expect("a client")
    }

    fn plan(&self, plan: &Value) -> PathBuf {
        self.file(&plan.to_string())
    }

    fn file(&self, text: &str) -> PathBuf {
        let path = self.home.path().join("plan.json");
        fs::write(&path, text).expect("written");
        path
    }

    fn increments(&self) -> PathBuf {
        self.plan(&json!({ "version": 1, "in_flight": 8, "each": { "increment": "reuse" }, "assets": self.assets }))
    }

    fn command(&self, plan: &Path, more: &[&str]) -> std::process::Command {
        let arguments = [&["bulk", plan.to_str().expect("UTF-8"), "--url", &self.service.url], more].concat();
        let mut command = command(&arguments);
        command.env("XDG_DATA_HOME", self.home.path());
        command.env("HOME", self.home.path());
        command
    }

    fn bulk(&self, plan: &Path, more: &[&str]) -> Ended {
        let output = self.command(plan, more).output().expect("the program runs");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ended { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Returns a counter of each asset on the service.
    fn reuses(&self) -> Vec<i64> {
        let client = self.client();
        let assets = self
            .runtime
            .block_on(client.call(AssetsSnapshot {
                transferables: Some(false),
                suggested: None,
                pseudo: None,
                limit: None,
                offset: None,
            }))
            .expect("assets");
        let reuse = |asset: &Value| asset["score"]["reuse"].as_i64().unwrap_or_default();
        assets.into_tree()["iterable"].as_array().expect("a list").iter().map(reuse).collect()
    }

    /// Makes a tag; returns its id.
    #[cfg(unix)]
    fn tag(&self, text: &str) -> String {
        use lunette_client::model::linked::SeededTag;
        use lunette_client::operation::table::TagsCreateNewTag;

        let seed = SeededTag::from_tree(json!({ "text": text })).expect("a seed");
        let made = self.runtime.block_on(self.client().call(TagsCreateNewTag { transferables: None, tag: Some(seed) }));
        made.expect("a tag").view().id().to_owned()
    }

    /// Links a tag to every asset.
    #[cfg(unix)]
    fn link(&self, tag: &str) {
        use lunette_client::model::id::TagId;
        use lunette_client::operation::table::AssetAssociateTag;

        let (client, tag): (_, TagId) = (self.client(), tag.parse().expect("an id"));
        self.runtime.block_on(async {
            for asset in &self.assets {
                let call = AssetAssociateTag { asset: asset.clone(), tag: tag.clone() };
                client.call(call).await.expect("linked");
            }
        });
    }

    /// The tags of each asset, by their ids.
    #[cfg(unix)]
    fn tags(&self) -> Vec<Vec<String>> {
        let (client, all) = (
            self.client(),
            AssetsSnapshot { transferables: Some(false), suggested: None, pseudo: None, limit: None, offset: None },
        );
        let assets = self.runtime.block_on(client.call(all)).expect("assets").into_tree();
        let id = |tag: &Value| tag["id"].as_str().expect("an id").to_owned();
        let tags = |asset: &Value| asset["tags"]["iterable"].as_array().expect("tags").iter().map(id).collect();
        assets["iterable"].as_array().expect("a list").iter().map(tags).collect()
    }

    fn asset(&self, index: usize) -> Value {
        let call = AssetSnapshot { asset: self.assets[index].clone(), transferables: None };
        self.runtime.block_on(self.client().call(call)).expect("the asset").into_tree()
    }
}

/// Creates assets in parallel.
async fn made(client: Client, count: usize) -> Vec<AssetId> {
    let make = |number: usize| {
        let client = client.clone();
        async move {
            let seed = json!({ "type": "SEEDED_ASSET", "asset": {
                "application": { "id": "00000003-0000-4000-8000-000000000003", "name": "OPEN_SOURCE",
                    "version": "1.0.0", "platform": "LINUX", "onboarded": false, "privacy": "OPEN" },
                "format": { "fragment": { "string": { "raw": format!("text {number}") } } },
                "metadata": { "name": format!("asset {number}") },
            } });
            let seed = Some(Seed::from_tree(seed).expect("a seed"));
            let asset = client.call(AssetsCreateNewAsset { transferables: Some(false), once: None, seed }).await;
            asset.expect("an asset").view().id().parse().expect("an id")
        }
    };
    let mut assets = Vec::new();
    for numbers in (0..count).collect::<Vec<_>>().chunks(32) {
        let begun: Vec<_> = numbers.iter().map(|number| tokio::spawn(make(*number))).collect();
        for asset in begun {
            assets.push(asset.await.expect("made"));
        }
    }
    assets
}

#[test]
fn running_a_plan_twice_changes_nothing_and_exits_with_0() {
    let bench = Bench::with(3);
    let plan = bench.plan(&json!({ "version": 1, "each": { "favourite": true }, "assets": bench.assets }));
    let first = bench.bulk(&plan, &["--json"]);
    assert_eq!((first.code, &first.json()["counts"]["done"]), (Some(0), &3.into()), "{first:?}");
    assert!(first.err.ends_with("3 done, 0 unchanged, 0 failed, 0 unknown, 0 pending\n"), "{first:?}");
    assert_eq!(first.json()["rows"][0]["changes"][0], json!({ "field": "favourite", "before": false, "after": true }));
    assert_eq!(bench.asset(0)["favorited"], true);

    let again = bench.bulk(&plan, &["--csv"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(again.out.matches(",unchanged,").count(), 3, "{again:?}");
}

#[test]
fn a_failed_row_is_reported_and_the_others_are_processed() {
    let bench = Bench::with(2);
    let gone = AssetId::random();
    let assets = json!([bench.assets[0], { "id": gone, "name": "=1\u{1b}[2J" }, bench.assets[1]]);
    let plan = bench.plan(&json!({ "version": 1, "each": { "increment": "reuse" }, "assets": assets }));
    let report = bench.home.path().join("report.csv");
    let ended = bench.bulk(&plan, &["--report", report.to_str().expect("UTF-8")]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""), "{ended:?}");
    assert!(ended.err.contains(&format!("failed: {gone}: asset not found")), "{ended:?}");
    let report = fs::read_to_string(report).expect("the report");
    assert!(report.contains(&format!("{gone},'=1\u{1b}[2J,failed,asset not found")), "{report}");
    assert_eq!(bench.reuses(), [1, 1]);
}

#[test]
fn a_dry_run_of_a_deletion_prints_one_short_line_per_asset() {
    let bench = Bench::with(1);
    let plan = bench.plan(&json!({ "version": 1, "each": "delete", "assets": bench.assets }));
    let ended = bench.bulk(&plan, &["--dry-run"]);
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{ended:?}");
    let lines: Vec<_> = ended.out.lines().skip(1).collect();
    assert_eq!(lines, [format!("{}  asset 0", bench.assets[0]), "    would be deleted (6 B)".to_owned()]);
    let row = &bench.bulk(&plan, &["--dry-run", "--json"]).json()["rows"][0];
    assert_eq!((&row["name"], &row["deleted"]), (&"asset 0".into(), &json!({ "size": 6 })));
    assert_eq!(bench.reuses().len(), 1, "nothing was deleted");
}

#[test]
fn a_dry_run_prints_the_changes_and_sends_no_write() {
    let bench = Bench::with(1);
    let ended = bench.bulk(&bench.increments(), &["--dry-run"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.out.ends_with("    reuse: 0 → 1\n"), "{ended:?}");
    let ended = bench.bulk(&bench.increments(), &["--dry-run", "--json"]);
    assert_eq!(ended.json()["rows"][0]["changes"], json!([{ "field": "reuse", "before": 0, "after": 1 }]));
    assert_eq!(bench.reuses(), [0]);
}

#[test]
fn an_invalid_plan_file_exits_with_2_and_sends_nothing() {
    let bench = Bench::with(1);
    let id = &bench.assets[0];
    for (text, message) in [
        ("{".to_owned(), "the plan is not valid JSON: EOF while parsing an object at line 1 column 1"),
        (
            format!(r#"{{"version":1,"each":{{"explode":1}},"assets":["{id}"]}}"#),
            "unknown operation \"explode\"; the operations are link,",
        ),
        (
            r#"{"version":1,"each":{"increment":"reuse"},"assets":["all"]}"#.to_owned(),
            "assets[0]: \"all\" is not a UUID",
        ),
        (r#"{"version":1,"each":{"increment":"reuse"},"assets":[]}"#.to_owned(), "assets is empty"),
        (format!(r#"{{"version":1,"each":{{"increment":"reuse"}},"assets":["{id}","{id}"]}}"#), "list each asset once"),
        (
            format!(r#"{{"version":1,"in_flight":9,"each":{{"increment":"reuse"}},"assets":["{id}"]}}"#),
            "in_flight must be a number from 1 to 8, not 9",
        ),
        (
            format!(r#"{{"version":3,"each":{{"increment":"reuse"}},"assets":["{id}"]}}"#),
            "this program reads version 1",
        ),
        (format!(r#"{{"version":1,"each":{{"increment":"reuse"}},"asset":["{id}"]}}"#), "unknown field \"asset\""),
    ] {
        let ended = bench.bulk(&bench.file(&text), &[]);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{ended:?}");
        assert!(
            ended.err.starts_with("lunette: ") && ended.err.contains(" is not a plan: ") && ended.err.contains(message),
            "{ended:?}"
        );
        assert_eq!(ended.err.lines().count(), 1, "{ended:?}");
    }
    assert_eq!(bench.reuses(), [0]);
}

#[test]
fn a_report_never_overwrites_a_file_and_the_run_does_not_start() {
    let bench = Bench::with(1);
    let path = bench.home.path().join("report.md");
    fs::write(&path, "mine").expect("written");
    let ended = bench.bulk(&bench.increments(), &["--report", path.to_str().expect("UTF-8")]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("the file already exists; choose another name"), "{ended:?}");
    assert_eq!((fs::read_to_string(&path).expect("read").as_str(), bench.reuses()), ("mine", vec![0]));
}

#[test]
fn a_missing_plan_or_service_exits_with_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = folder.path().join("plan.json");
    let path = plan.to_str().expect("UTF-8");
    let ended = run(&["bulk", path]);
    assert_eq!((ended.code, ended.err.lines().count()), (Some(2), 1), "{ended:?}");
    assert!(ended.err.contains("cannot read the plan"), "{ended:?}");
    let id = AssetId::random();
    fs::write(&plan, json!({ "version": 1, "each": "delete", "assets": [id] }).to_string()).expect("written");
    let ended = run(&["bulk", path, "--url", "http://127.0.0.1:9"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let ended = run(&["bulk", path, "--in-flight", "9"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
}

#[test]
fn bulk_changes_a_data_folder_without_a_running_service() {
    let bench = Bench::with(1);
    let plan = bench.increments();
    let Bench { service, _data: data, assets, home, .. } = bench;
    drop(service);
    let text = data.path().to_str().expect("UTF-8");
    let ended = run(&["bulk", plan.to_str().expect("UTF-8"), "--data", text]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(data.path().join("journal").is_dir());
    let service = Served::start(data.path(), &[]);
    let asset = service.call(&["assetSnapshot", &format!("asset={}", assets[0])]).json();
    assert_eq!(asset["score"]["reuse"], 1);
    drop(home);
}

#[test]
fn exports_are_written_to_a_folder_or_a_new_archive() {
    let bench = Bench::with(3);
    let export = |to: Value| {
        let each = json!({ "export": { "kind": "MD", "to": to } });
        bench.bulk(&bench.plan(&json!({ "version": 1, "each": each, "assets": bench.assets })), &["--json"])
    };
    let path = |name: &str| bench.home.path().join(name);
    let ended = export(json!({ "folder": path("out") }));
    assert_eq!((ended.code, &ended.json()["counts"]["done"]), (Some(0), &3.into()), "{ended:?}");
    let manifest = fs::read(path("out").join("manifest.json")).expect("the manifest");
    let manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
    assert_eq!(
        (&manifest["counts"]["exported"], &manifest["service"]),
        (&3.into(), &bench.service.url.as_str().into())
    );
    let file = manifest["assets"][0]["file"].as_str().expect("a file");
    assert_eq!((file, &ended.json()["rows"][0]["name"]), ("asset 0.md", &"asset 0".into()), "named as the asset is");
    assert!(fs::read_to_string(path("out").join(file)).expect("the file").contains("text 0"));

    let ended = export(json!({ "zip": path("out.zip") }));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let archive = fs::read(path("out.zip")).expect("the archive");
    assert!(archive.starts_with(b"PK\x03\x04"));
    let ended = export(json!({ "zip": path("out.zip") }));
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("the archive already exists"), "{ended:?}");
    assert!(fs::read(path("out.zip")).expect("the archive") == archive);
}

#[cfg(unix)]
#[test]
fn a_killed_run_started_again_processes_each_row_once() {
    let bench = Bench::with(1_000);
    let plan = bench.increments();
    let mut child = bench.command(&plan, &[]).spawn().expect("the program starts");
    let mut err = BufReader::new(child.stderr.take().expect("a pipe"));
    let location = format!("to {} (named with --url)\n", bench.service.url);
    for message in [location.as_str(), "100 of 1000\n"] {
        let mut line = String::new();
        err.read_line(&mut line).expect("a line");
        assert_eq!(line, message);
    }
    child.kill().expect("killed");
    assert_eq!(child.wait().expect("ended").code(), None);
    let done = bench.reuses().iter().sum::<i64>();
    assert!((100..1_000).contains(&done), "it was killed in the middle: {done}");

    let again = bench.bulk(&plan, &["--json"]);
    assert!(again.err.starts_with(&format!("{location}resuming the interrupted run of this plan: ")), "{}", again.err);
    assert_eq!((again.code, &again.json()["counts"]["done"]), (Some(0), &1_000.into()), "{}", again.err);
    assert!(bench.reuses().iter().all(|reuse| *reuse == 1), "each once");

    // A finished run starts over.
    let small = bench.plan(&json!({ "version": 1, "each": { "increment": "reuse" }, "assets": [bench.assets[0]] }));
    for _ in 0..2 {
        let ended = bench.bulk(&small, &[]);
        assert_eq!((ended.code, ended.err.contains("interrupted")), (Some(0), false), "{ended:?}");
    }
    assert_eq!(bench.asset(0)["score"]["reuse"], 3);
}

#[cfg(unix)]
#[test]
fn a_killed_merge_started_again_links_each_asset_once() {
    let bench = Bench::with(500);
    let [stays, goes] = ["stays", "goes"].map(|text| bench.tag(text));
    bench.link(&goes);
    let item = |id: &str, text: &str| json!({ "kind": "tag", "id": id, "text": text });
    let each = json!({ "relink": { "link": item(&stays, "stays"), "unlink": [item(&goes, "goes")] } });
    let plan = bench.plan(&json!({ "version": 1, "in_flight": 4, "each": each, "assets": bench.assets }));
    let mut child = bench.command(&plan, &[]).spawn().expect("the program starts");
    let mut err = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    while !line.starts_with("100 of 500") {
        line.clear();
        assert_ne!(err.read_line(&mut line).expect("a line"), 0, "it ended before it was killed");
    }
    child.kill().expect("killed");
    assert_eq!(child.wait().expect("ended").code(), None);
    let (all, half) = (bench.tags(), vec![goes.clone()]);
    assert!(all.contains(&half), "it was killed in the middle");
    assert!(all.iter().all(|tags| !tags.is_empty()), "no asset has lost both");

    let again = bench.bulk(&plan, &["--json"]);
    assert_eq!((again.code, &again.json()["counts"]["done"]), (Some(0), &500.into()), "{}", again.err);
    assert!(bench.tags().iter().all(|tags| *tags == [stays.clone()]), "each has the tag that stays, once");
}

#[cfg(unix)]
#[test]
fn a_signal_stops_a_run_and_the_same_plan_resumes_it() {
    let bench = Bench::with(400);
    let plan = bench.increments();
    let mut child = bench.command(&plan, &["--in-flight", "1"]).spawn().expect("the program starts");
    let mut err = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut message = String::new();
    err.read_line(&mut message).expect("where it writes");
    err.read_line(&mut message).expect("progress");
    let sent = std::process::Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
    assert!(sent.expect("kill runs").success());
    std::io::Read::read_to_string(&mut err, &mut message).expect("the rest");
    assert_eq!(child.wait().expect("ended").code(), Some(1), "{message}");
    assert!(message.contains("stopping after the requests in progress"), "{message}");
    assert!(message.ends_with("lunette: stopped; run the plan again to continue\n"), "{message}");

    let again = bench.bulk(&plan, &[]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(bench.reuses().iter().all(|reuse| *reuse == 1), "each once");
}
