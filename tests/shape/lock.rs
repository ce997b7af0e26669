//! Which crates the program is built of, as `Cargo.lock` fixes them.

use std::collections::{BTreeMap, BTreeSet};

/// A crate of `Cargo.lock`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Locked {
    pub name: String,
    pub version: String,
    pub source: Option<String>,
    /// What it depends on: a name, with the version where there are several.
    pub dependencies: Vec<String>,
}

impl Locked {
    /// Every crate.
    pub fn all() -> Vec<Self> {
        let text = include_str!("../../Cargo.lock");
        let crates: Vec<Self> = text.split("[[package]]").skip(1).map(Self::parse).collect();
        assert!(crates.len() > 300, "the lock is read");
        crates
    }

    fn parse(package: &str) -> Self {
        let field = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(&format!("{name} = ")))?;
            Some(line.trim_matches('"').to_owned())
        };
        let dependencies = package.lines().filter_map(|line| line.strip_prefix(" \"")?.strip_suffix("\","));
        Self {
            name: field("name").expect("a name"),
            version: field("version").expect("a version"),
            source: field("source"),
            dependencies: dependencies.map(str::to_owned).collect(),
        }
    }

    /// Whether it is a crate of this repository.
    pub fn is_ours(&self) -> bool {
        (self.name == "lunette" || self.name.starts_with("lunette-")) && self.source.is_none()
    }

    /// Whether it is the one that a crate names in its dependencies.
    pub fn is_named(&self, dependency: &str) -> bool {
        match dependency.split_once(' ') {
            Some((name, version)) => self.name == name && self.version == version,
            None => self.name == dependency,
        }
    }
}

/// The versions of each crate.
fn versions() -> BTreeMap<String, Vec<String>> {
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for one in Locked::all() {
        versions.entry(one.name).or_default().push(one.version);
    }
    versions
}

#[test]
fn every_crate_comes_from_the_registry() {
    let registry = "registry+https://github.com/rust-lang/crates.io-index";
    for one in Locked::all() {
        let Locked { name, version, source, .. } = &one;
        assert!(one.is_ours() || source.as_deref() == Some(registry), "{name} {version} comes from {source:?}");
    }
}

#[test]
fn there_is_no_tls_stack() {
    let locked = versions();
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
    let locked = versions();
    for (name, advisory) in UNMAINTAINED {
        assert!(!locked.contains_key(*name), "{name}: {advisory}");
    }
}

#[test]
fn core_dependencies_have_a_single_version() {
    let locked = versions();
    let only = ["hyper", "tokio", "rusqlite", "libsqlite3-sys", "serde", "serde_json", "axum", "reqwest", "egui"];
    for name in only {
        let versions = locked.get(name).unwrap_or_else(|| panic!("{name} is locked"));
        assert_eq!(versions.len(), 1, "{name}: {versions:?}");
    }
}

/// The numbers of a version, by which versions are ordered.
fn numbers(version: &str) -> Vec<u64> {
    let release = version.split(['+', '-']).next().unwrap_or_default();
    release.split('.').map(|number| number.parse().expect("a number")).collect()
}

#[test]
fn each_older_version_of_a_crate_has_a_written_reason() {
    let written: BTreeSet<String> = include_str!("../../deny.toml")
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("{ crate = \"")?.split_once("\", reason = \""))
        .filter(|(named, reason)| named.contains('@') && reason.len() > "\" },".len())
        .map(|(named, _)| named.to_owned())
        .collect();
    let mut older = BTreeSet::new();
    for (name, mut versions) in versions() {
        versions.sort_by_key(|version| numbers(version));
        versions.pop();
        // The number of a foreign library after `+` is not part of the name in deny.toml.
        older
            .extend(versions.iter().map(|version| format!("{name}@{}", version.split('+').next().unwrap_or_default())));
    }
    let missing: Vec<_> = older.difference(&written).collect();
    assert!(missing.is_empty(), "deny.toml: why are these there twice? {missing:?}");
    let stale: Vec<_> = written.difference(&older).collect();
    assert!(stale.is_empty(), "deny.toml: these are there once: {stale:?}");
}
