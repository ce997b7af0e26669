//! README.md says what the program says.

use std::process::Command;

const BEGIN: &str = "<!-- `lunette operations` prints this -->\n";
const END: &str = "<!-- to here -->";

#[test]
fn the_readmes_table_is_the_one_the_program_prints() {
    let program = Command::new(env!("CARGO_BIN_EXE_lunette")).arg("operations").output().expect("the program runs");
    assert!(program.status.success(), "{program:?}");
    let printed = String::from_utf8(program.stdout).expect("UTF-8");

    let readme = include_str!("../../README.md");
    let from = readme.find(BEGIN).expect("the first marker") + BEGIN.len();
    let to = readme.find(END).expect("the second marker");
    let written = &readme[from..to];
    assert!(
        written.trim() == printed.trim(),
        "README.md is behind: put what `lunette operations` prints between its marks"
    );
}
