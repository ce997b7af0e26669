//! Writes to another machine: blocked by every verb until they are allowed explicitly.

use serde_json::json;

use crate::program::run;

/// An address of an unused network (RFC 5737).
const ELSEWHERE: &str = "http://192.0.2.1:39300";
const ASSET: &str = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";

#[test]
fn every_verb_refuses_writes_to_another_machine_by_default() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, plan) = (folder.path().join("a.txt"), folder.path().join("plan.json"));
    std::fs::write(&file, "text").expect("a file");
    let change = json!({ "version": 1, "each": { "favourite": true }, "assets": [ASSET] });
    std::fs::write(&plan, change.to_string()).expect("a plan");
    let (file, plan) = (file.to_str().expect("UTF-8"), plan.to_str().expect("UTF-8"));
    let asset = format!("asset={ASSET}");
    for arguments in [
        &["call", "assetsDeleteAsset", &asset][..],
        &["import", file],
        &["bulk", plan],
        &["new", file],
        &["edit", ASSET, "--name", "x"],
        &["tag", "x", ASSET],
        &["untag", "x", ASSET],
        &["delete", ASSET],
        &["undelete", ASSET],
        &["undo"],
    ] {
        let ended = run(&[arguments, &["--url", ELSEWHERE]].concat());
        assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""), "{arguments:?}: {ended:?}");
        assert!(ended.err.starts_with("lunette: ") && ended.err.contains(ELSEWHERE), "{ended:?}");
        assert!(ended.err.contains("another machine") && ended.err.contains("--allow-writes"), "{ended:?}");
        assert_eq!(ended.err.lines().count(), 1, "{ended:?}");
    }
}
