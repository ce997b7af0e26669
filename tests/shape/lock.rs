//! Which crates the program is built of, as `Cargo.lock` fixes them.

use std::collections::BTreeMap;

/// Crates by name: their versions, and where each comes from.
fn locked() -> BTreeMap<String, Vec<(String, Option<String>)>> {
    let text = include_str!("../../Cargo.lock");
    let mut crates: BTreeMap<String, Vec<(String, Option<String>)>> = BTreeMap::new();
    for package in text.split("[[package]]").skip(1) {
        let field = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(&format!("{name} = ")))?;
            Some(line.trim_matches('"').to_owned())
        };
        let name = field("name").expect("a name");
        crates.entry(name).or_default().push((field("version").expect("a version"), field("source")));
    }
    assert!(crates.len() > 300, "the lock is read");
    crates
}

#[test]
fn every_crate_comes_from_the_registry() {
    let registry = "registry+https://github.com/rust-lang/crates.io-index";
    for (name, versions) in locked() {
        for (version, source) in versions {
            let own = (name == "lunette" || name.starts_with("lunette-")) && source.is_none();
            assert!(own || source.as_deref() == Some(registry), "{name} {version} comes from {source:?}");
        }
    }
}

#[test]
fn there_is_no_tls_stack() {
    let locked = locked();
    for name in
        ["rustls", "openssl", "openssl-sys", "native-tls", "schannel", "security-framework", "ring", "aws-lc-rs"]
    {
        assert!(!locked.contains_key(name), "{name}: the service is reached by plain HTTP");
    }
}

/// Crates that nobody maintains any more, by the advisory that says so.
const UNMAINTAINED: &[(&str, &str)] = &[("bincode", "RUSTSEC-2025-0141"), ("yaml-rust", "RUSTSEC-2024-0320")];

#[test]
fn no_dependency_is_unmaintained() {
    let locked = locked();
    for (name, advisory) in UNMAINTAINED {
        assert!(!locked.contains_key(*name), "{name}: {advisory}");
    }
}

#[test]
fn core_dependencies_have_a_single_version() {
    let locked = locked();
    let only = ["hyper", "tokio", "rusqlite", "libsqlite3-sys", "serde", "serde_json", "axum", "reqwest", "egui"];
    for name in only {
        let versions = locked.get(name).unwrap_or_else(|| panic!("{name} is locked"));
        assert_eq!(versions.len(), 1, "{name}: {versions:?}");
    }
}
