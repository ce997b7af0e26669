//! Wrong usage: messages and exit codes.

use std::io::Read as _;
use std::process::Stdio;

use crate::program::{command, run, run_with_input};

#[test]
fn help_and_version_exit_with_0() {
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["serve", "--help"],
        &["call", "--help"],
        &["import", "--help"],
        &["bulk", "--help"],
        &["services", "--help"],
        &["check", "--help"],
        &["open", "--help"],
        &["help", "man"],
    ] {
        let ended = run(arguments);
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(ended.out.contains("lunette"), "{ended:?}");
    }
}

#[test]
fn wrong_usage_exits_with_2_and_one_message() {
    for (arguments, message) in [
        (&["serv"][..], "serve"),
        (&["serve", "--port", "70000"], "70000"),
        (&["import"], "PATH"),
        (&["--url", "http://x:1", "--embedded"], "--embedded"),
        (&["--url", "nonsense"], "\"nonsense\" is not a service address"),
        (&["import", "a", "--url", "http://x:1", "--data", "b"], "--data"),
        (&["call", "assetSnapshat"], "did you mean `assetSnapshot`"),
        (&["call", "assetSnapshot"], "`assetSnapshot` needs asset=…"),
        (&["call", "assetSnapshot", "asset=1"], "not a UUID"),
        (&["call", "applicationsSnapshot", "--body", "-"], "takes no body"),
        (&["call", "applicationsRegister", "--body", "/nonexistent/body"], "/nonexistent/body"),
        (&["call", "applicationsRegister", "application={}"], "the body is not a valid Application"),
        (&["call", "applicationsSnapshot", "--url", "https://x"], "the scheme “https” is not supported"),
    ] {
        let ended = run(arguments);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{arguments:?} {ended:?}");
        assert!(ended.err.contains(message), "{arguments:?} {ended:?}");
        assert!(!ended.err.contains("panicked"), "{ended:?}");
    }
}

#[test]
fn an_unreachable_service_exits_with_2_and_advice() {
    for arguments in [&["call", "applicationsSnapshot"][..], &["import", "/"]] {
        let ended = run(&[arguments, &["--url", "http://127.0.0.1:9"]].concat());
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{ended:?}");
        assert!(ended.err.starts_with("lunette: GET http://127.0.0.1:9/"), "{ended:?}");
        assert!(ended.err.contains("no connection") && ended.err.contains("`lunette serve`"), "{ended:?}");
        assert_eq!(ended.err.lines().count(), 1, "{ended:?}");
    }
}

#[test]
fn a_request_body_is_read_from_standard_input() {
    let ended = run_with_input(&["call", "applicationsRegister", "--body", "-"], "{\"name\": 1}");
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("the body is not a valid Application"), "{ended:?}");
}

#[test]
fn a_dry_run_of_a_call_prints_the_request_and_sends_nothing() {
    let id = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";
    let increment = "increment={\"asset\":{\"reuse\":true}}";
    let arguments = ["call", "assetScoresIncrement", &format!("asset={id}"), increment, "--dry-run"];
    let ended = run(&[&arguments[..], &["--url", "http://127.0.0.1:9"]].concat());
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{ended:?}");
    let request = ended.json();
    let target = format!("/asset/{id}/scores/increment");
    assert_eq!((&request["method"], &request["target"]), (&"POST".into(), &target.into()), "{request}");
    assert_eq!(request["body"], serde_json::json!({ "asset": { "reuse": true } }));
}

#[test]
fn a_closed_output_pipe_is_not_an_error() {
    let mut child = command(&["operations", "--json"]).stdout(Stdio::piped()).spawn().expect("the program starts");
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut err).expect("UTF-8");
    assert_eq!((child.wait().expect("it ends").code(), err.as_str()), (Some(0), ""));
}

#[test]
fn the_operation_table_as_json_is_complete() {
    let operations = run(&["operations", "--json"]).json();
    let export = operations.as_array().expect("a list").iter().find(|row| row["name"] == "assetSpecificAssetExport");
    let export = export.expect("the row");
    assert_eq!((&export["method"], &export["status"]), (&"GET".into(), &200.into()));
    assert_eq!(export["inputs"][1]["name"], "export_type");
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_display_the_window_exits_with_3_and_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let ended = run(&["--data", folder.path().to_str().expect("UTF-8")]);
    assert_eq!((ended.code, ended.out.as_str()), (Some(3), ""), "{ended:?}");
    let why = if cfg!(feature = "window") { "no display was found" } else { "this build of lunette has no window" };
    assert!(ended.err.contains(why), "{ended:?}");
    assert_eq!(ended.err.lines().count(), 1, "{ended:?}");
}

#[test]
fn every_error_begins_with_the_name_of_the_program() {
    for arguments in [
        &["frobnicate"][..],
        &["--frobnicate"],
        &["show"],
        &["export", "--format", "pdf"],
        &["links", "tags"],
        &["man", "nosuch"],
        &["call", "nosuch"],
        &["list", "assets", "--sort", "nosuch"],
    ] {
        let ended = run(arguments);
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{ended:?}");
        assert!(ended.err.starts_with("lunette: ") && !ended.err.contains("error:"), "{arguments:?} {ended:?}");
    }
}

#[test]
fn a_value_that_is_not_supported_is_named_once_with_those_that_are() {
    for (arguments, value) in [
        (&["export", "--format", "pdf"][..], "pdf"),
        (&["import", "a", "--as", "nosuch"], "nosuch"),
        (&["import", "a", "--map", "nosuch=x"], "nosuch=x"),
        (&["export", "a", "--as", "pdf"], "pdf"),
    ] {
        let ended = run(arguments);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert_eq!(ended.err.matches(value).count(), 1, "{ended:?}");
    }
}

#[test]
fn a_number_that_is_refused_says_what_it_must_be() {
    for (arguments, problem) in [
        (&["list", "assets", "--limit", "many"][..], "'many' for '--limit <N>': it must be a whole number, such as 20"),
        (&["history", "--limit", ""], "it must be a whole number, such as 20"),
        (&["search", "a", "--limit", "99999999999999999999"], "the number is too large"),
        (&["serve", "--port", "70000"], "it must be a whole number from 0 to 65535"),
        (&["check", "--samples", "0"], "it must be a whole number from 1 to 1000"),
        (&["export", "a", "--in-flight", "x"], "it must be a whole number from 1 to 8"),
    ] {
        let ended = run(arguments);
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains(problem), "{ended:?}");
    }
}

#[test]
fn an_option_before_the_command_says_where_it_goes() {
    let ended = run(&["--data", "x", "import", "a"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.err.contains("come after it, as in `lunette import --data <DIR>`"), "{ended:?}");
    assert_eq!(ended.err.lines().count(), 1, "{ended:?}");
}

#[test]
fn the_help_of_links_names_what_it_acts_on() {
    let help = run(&["links", "--help"]).out;
    for words in ["Merge several into one", "Delete those that no asset is linked to", "tags, websites, summaries"] {
        assert!(help.contains(words), "{words:?} in {help}");
    }
    assert!(run(&["man", "--help"]).out.contains("[COMMAND]"));
}
