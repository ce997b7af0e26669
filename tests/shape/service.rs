//! The service's files do not name each other in a circle.

use std::collections::{BTreeMap, BTreeSet};

use crate::features::{Arrows, circle};
use crate::source::{Source, below};

/// The records of the store are one piece: an asset is read with its annotations, and an annotation advances its asset.
const ONE_PIECE: [&str; 1] = ["store/records"];

/// The files of the service by their path below `src` without `.rs`; what is one piece counts as one file.
fn sources() -> Vec<(String, Source)> {
    let name = |path: &str| {
        path.strip_prefix("crates/lunette-service/src/")?.strip_suffix(".rs").map(|path| node(path).to_owned())
    };
    let sources = below("crates/lunette-service/src").into_iter();
    let sources = sources.filter(|source| !source.path.contains("tests"));
    let sources: Vec<_> = sources.filter_map(|source| Some((name(&source.path)?, source))).collect();
    assert!(sources.len() > 100, "the sources of the service are found");
    sources
}

fn node(path: &str) -> &str {
    if ONE_PIECE.iter().any(|piece| path == *piece || path.starts_with(&format!("{piece}/"))) {
        ONE_PIECE[0]
    } else {
        path
    }
}

/// A path to a name that a module exports again counts as a path to where it comes from. A parent and its child may name
/// each other.
#[test]
fn files_of_the_service_have_no_dependency_cycles() {
    let sources = sources();
    let known: BTreeSet<&str> = sources.iter().map(|(path, _)| path.as_str()).collect();
    let exports: BTreeMap<(String, String), String> = sources
        .iter()
        .flat_map(|(path, source)| source.exports().into_iter().map(move |(name, of)| ((path.clone(), name), of)))
        .collect();
    let file = |named: &str| {
        let mut path = named.replace("::", "/");
        let mut followed = BTreeSet::new();
        loop {
            let mut ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
            let end = ends.rfind(|end| known.contains(node(&path[..*end])))?;
            let (file, name) = (node(&path[..end]).to_owned(), path[end..].trim_start_matches('/'));
            let name = name.split('/').next().unwrap_or_default().to_owned();
            match exports.get(&(file.clone(), name)) {
                Some(of) if followed.insert(of) => path = of.replace("::", "/"),
                _ => return Some(file),
            }
        }
    };
    let mut arrows = Arrows::new();
    for (path, source) in sources.iter().filter(|(path, _)| path != "lib") {
        let related = |other: &String| path.starts_with(other.as_str()) || other.starts_with(path.as_str());
        let named = source.paths_in_crate();
        let others = named.iter().filter_map(|named| file(named)).filter(|other| !related(other));
        arrows.entry(path.clone()).or_default().extend(others);
    }
    assert_eq!(circle(&arrows), None);
}
