//! A service that refuses every write: what the command line says, and its exit code.

use crate::dying::{Dying, id};
use crate::program::run;

#[test]
fn a_refused_write_names_the_service_as_read_only_with_its_words_and_fails() {
    let old = Dying::start(1);
    for (status, words) in [(403, "this store is closed"), (405, "method not allowed"), (501, "not implemented")] {
        old.refuse_with(status, words);
        let ended = run(&["edit", &id("assets", 1), "--name", "another", "--url", &old.url()]);
        assert_eq!(ended.code, Some(1), "{status}: {ended:?}");
        assert!(ended.err.contains("read-only") || ended.out.contains("read-only"), "{status}: {ended:?}");
        assert!(ended.err.contains(words) || ended.out.contains(words), "{status}: {ended:?}");
    }
    assert_eq!(old.writes(), 3, "nothing is repeated");
}
