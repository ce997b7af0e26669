//! The bytes that are kept for each fuzz target of `fuzz`, each through the claims of its target.

use std::path::Path;

#[path = "../../fuzz/src/lib.rs"]
mod fuzz;

/// A target: its folder below `fuzz/seeds`, and its claims.
type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 8] = [
    ("request", fuzz::request::holds),
    ("guard", fuzz::guard::holds),
    ("entries", fuzz::entries::holds),
    ("files", fuzz::files::holds),
    ("sources", fuzz::sources::holds),
    ("opener", fuzz::opener::holds),
    ("texts", fuzz::texts::holds),
    ("export", fuzz::export::holds),
];

#[test]
fn every_saved_seed_passes() {
    for (target, holds) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
        let seeds: Vec<_> = std::fs::read_dir(&folder).expect("a folder of seeds").collect();
        assert!(seeds.len() >= 5, "{target} has {} seeds", seeds.len());
        for seed in seeds {
            let path = seed.expect("an entry").path();
            let bytes = std::fs::read(&path).expect("a seed");
            println!("{}", path.display()); // What a test prints is shown where it fails.
            holds(&bytes);
        }
    }
}
