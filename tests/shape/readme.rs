//! README.md says what the program says. `UPDATE_README=1 cargo test --test shape` writes it there.

use std::process::Command;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
const BEGIN: &str = "<!-- `lunette operations` prints this -->\n";
const END: &str = "<!-- to here -->";

#[test]
fn the_readmes_table_is_the_one_the_program_prints() {
    let program = Command::new(env!("CARGO_BIN_EXE_lunette")).arg("operations").output().expect("the program runs");
    assert!(program.status.success(), "{program:?}");
    let printed = String::from_utf8(program.stdout).expect("UTF-8");

    let readme = std::fs::read_to_string(README).expect("README.md");
    let from = readme.find(BEGIN).expect("the first marker") + BEGIN.len();
    let to = readme.find(END).expect("the second marker");
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(README, [&readme[..from], &printed, &readme[to..]].concat()).expect("README.md is written");
        return;
    }
    assert!(readme[from..to] == printed, "README.md is behind: UPDATE_README=1 cargo test --test shape");
}
