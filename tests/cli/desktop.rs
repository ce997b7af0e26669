//! The integration with desktops and shells: the desktop entry, the manual, completions.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::program::run;

fn asset(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{error}: {}", path.display()))
}

#[test]
fn the_desktop_files_name_this_version_and_its_links() {
    let version = env!("CARGO_PKG_VERSION");
    assert!(asset("desktop/lunette.desktop").contains("MimeType=x-scheme-handler/lunette;"));
    assert!(asset("desktop/local.lunette.lunette.metainfo.xml").contains(&format!("<release version=\"{version}\"")));
    let plist = asset("macos/Info.plist");
    assert_eq!(plist.matches(&format!("<string>{version}</string>")).count(), 2);
    assert!(plist.contains("<string>lunette</string>"));
    assert!(asset("windows/lunette.manifest").contains(&format!("name=\"Lunette\" version=\"{version}.0\"")));
}

#[test]
fn the_manual_has_a_page_with_an_example_per_verb() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = run(&["man", "--to", folder.path().to_str().expect("UTF-8")]);
    assert_eq!((written.code, written.err.as_str()), (Some(0), ""));
    let help = run(&["--help"]).out;
    for verb in ["open", "serve", "services", "check", "import", "bulk", "call", "operations", "openapi"] {
        assert!(help.lines().any(|line| line.trim_start().starts_with(verb)), "{verb} is not in:\n{help}");
        let page = fs::read_to_string(folder.path().join(format!("lunette-{verb}.1"))).expect("a page");
        assert!(page.contains(".SH EXAMPLE") && page.contains(&format!("lunette {verb}")), "{page}");
        assert_eq!(run(&["man", verb]).out, page);
    }
    let whole = fs::read_to_string(folder.path().join("lunette.1")).expect("a page");
    assert!(whole.contains(".SH EXAMPLES") && whole.contains("EXIT CODES"), "{whole}");
    assert_eq!(run(&["man", "nothing"]).code, Some(2));
}

#[test]
fn the_completions_load_in_their_shells() {
    let folder = tempfile::tempdir().expect("a folder");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = run(&["completions", shell]);
        assert_eq!((script.code, script.err.as_str()), (Some(0), ""));
        assert!(script.out.contains("lunette") && script.out.contains("new-window"), "{shell}");
        fs::write(folder.path().join(shell), script.out).expect("written");
    }
    let bash = format!("source '{}'; complete -p lunette", folder.path().join("bash").display());
    let loaded = Command::new("bash").args(["-c", &bash]).output().expect("bash is installed (Debian: bash)");
    assert!(loaded.status.success(), "{loaded:?}");
    assert_eq!(run(&["completions", "elvish"]).code, Some(2));
}
