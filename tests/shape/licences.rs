//! The licences of others that the program shows and the packages bring: `assets/licences/update` makes the file.

use std::collections::BTreeSet;

use crate::lock::Locked;

/// The crates that a manifest of ours names outside of its tests.
fn named_outside_of_tests(manifest: &str) -> BTreeSet<String> {
    let mut section = "";
    let mut names = BTreeSet::new();
    for line in manifest.lines() {
        match line.strip_prefix('[') {
            Some(heading) => section = heading.trim_end_matches(']'),
            // What the workspace lists is used by those that name it.
            None if section.ends_with("dependencies")
                && !["dev-dependencies", "workspace.dependencies"].contains(&section) =>
            {
                let name = line.split(['=', '.', ' ']).next().unwrap_or_default();
                names.extend((!name.is_empty() && !name.starts_with('#')).then(|| name.to_owned()));
            }
            None => {}
        }
    }
    names
}

/// Every crate of others that the program is built from, for any system.
fn in_program() -> BTreeSet<Locked> {
    let manifests = [
        include_str!("../../Cargo.toml"),
        include_str!("../../crates/lunette-client/Cargo.toml"),
        include_str!("../../crates/lunette-inspector/Cargo.toml"),
        include_str!("../../crates/lunette-plist/Cargo.toml"),
        include_str!("../../crates/lunette-secrets/Cargo.toml"),
        include_str!("../../crates/lunette-service/Cargo.toml"),
        include_str!("../../crates/lunette-sources/Cargo.toml"),
        include_str!("../../crates/lunette-storage/Cargo.toml"),
        include_str!("../../crates/lunette-syntax/Cargo.toml"),
        include_str!("../../crates/lunette-versions/Cargo.toml"),
    ];
    let locked = Locked::all();
    let named: BTreeSet<String> = manifests.into_iter().flat_map(named_outside_of_tests).collect();
    let mut waiting: Vec<&Locked> = locked.iter().filter(|one| one.is_ours()).collect();
    let mut seen = BTreeSet::new();
    while let Some(one) = waiting.pop() {
        for dependency in one.dependencies.iter().filter_map(|named| locked.iter().find(|other| other.is_named(named)))
        {
            let wanted = !one.is_ours() || named.contains(&dependency.name);
            if wanted && !dependency.is_ours() && seen.insert(dependency.clone()) {
                waiting.push(dependency);
            }
        }
    }
    seen
}

#[test]
fn every_crate_in_the_program_is_named_with_its_licence() {
    let text = lunette_inspector::licences::of_others();
    let lines: BTreeSet<&str> = text.lines().filter_map(|line| line.split_once(": ")).map(|(name, _)| name).collect();
    let crates = in_program();
    assert!(crates.len() > 300, "the lock is read: {}", crates.len());
    for one in crates {
        let named = format!("{} {}", one.name, one.version);
        assert!(lines.contains(named.as_str()), "{named} has no licence; run assets/licences/update");
    }
}

#[test]
fn every_licence_text_exists() {
    let text = lunette_inspector::licences::of_others();
    for part in ["Permission is hereby granted", "Apache License", "Mozilla Public License", "SIL OPEN FONT LICENSE"] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("NOT FOUND"), "a licence has no text");
}
