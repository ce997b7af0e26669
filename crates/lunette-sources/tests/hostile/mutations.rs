//! Samples with changes: bytes, ranges and tokens that mean something in some format.

use std::path::{Path, PathBuf};

use lunette_sources::{Cancelled, Files, Limits, Source};

use crate::{Entries, Hostile, archives, databases};

/// What is inserted, once or many times.
const TOKENS: [&str; 24] = [
    "[",
    "{",
    "\"",
    "'",
    "<a>",
    "\0",
    "\u{202e}",
    "- ",
    "&a [*a, *a]",
    "1e999999999",
    "-",
    "9",
    "\\u0000",
    "```\n",
    "---\n",
    "#",
    ": ",
    ",",
    "'''\n",
    "<!--",
    "]]>",
    "\n",
    "\t",
    "|\n",
];

/// Numbers that look random and are the same each time.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}

/// The samples of a source.
fn samples(source: Source) -> Vec<Entries> {
    let folders: &[&str] = match source.name() {
        "lunette" => &["lunette"],
        "pieces" => &["pieces", "pieces-4"],
        "masscode" => &["masscode-v1", "masscode-v3", "masscode-v5"],
        "vscode" => &["vscode"],
        "snippetslab" => &["snippetslab", "snippetslab-1", "snippetslab-library"],
        "gist" => &["gist"],
        "jetbrains" => &["jetbrains"],
        "raycast" => &["raycast"],
        "obsidian" | "obsidian-code" => &["obsidian"],
        "espanso" => &["espanso"],
        "alfred" => &["alfred"],
        "bytestash" => &["bytestash", "bytestash-server"],
        "pet" => &["pet"],
        "boostnote" => &["boostnote", "boostnote-storage"],
        "dash" | "pieces-cache" => return databases::samples(source),
        "archive" => return archives::samples(),
        other => panic!("{other} has no samples"),
    };
    folders.iter().map(|folder| sample(folder)).collect()
}

fn sample(folder: &str) -> Entries {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples").join(folder).join("library");
    let files = Files::open(&root, Limits::default(), Cancelled(None)).expect("a sample");
    let paths: Vec<String> = files.paths().map(str::to_owned).collect();
    paths.into_iter().map(|path| (path.clone(), files.bytes(&path).expect("bytes"))).collect()
}

/// So many changed samples.
pub fn of(source: Source, count: usize) -> impl Iterator<Item = Hostile> {
    (0..count).map(move |number| {
        Hostile::new(format!("mutation {number}"), move || {
            let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15 ^ (number as u64 + 1));
            let samples = samples(source);
            let mut entries = samples[number % samples.len()].clone();
            for _ in 0..=numbers.below(6) {
                let file = numbers.below(entries.len());
                change(&mut entries[file].1, &mut numbers);
            }
            entries
        })
    })
}

/// Makes one change.
fn change(bytes: &mut Vec<u8>, numbers: &mut Numbers) {
    let at = numbers.below(bytes.len() + 1);
    let end = at + numbers.below(bytes.len() - at + 1);
    match numbers.below(7) {
        0 => bytes.truncate(at),
        1 if at < bytes.len() => bytes[at] = numbers.below(256) as u8,
        2 => drop(bytes.drain(at..end)),
        3 => {
            let copies = bytes[at..end].repeat(numbers.below(200_000 / (end - at + 1)).min(2_000));
            drop(bytes.splice(at..at, copies));
        }
        4 if at + 4 <= bytes.len() => bytes[at..at + 4].fill([0, 0x7f, 0xff][numbers.below(3)]),
        _ => {
            let token = TOKENS[numbers.below(TOKENS.len())].as_bytes();
            let count = [1, 2, 100, 20_000][numbers.below(4)];
            drop(bytes.splice(at..at, token.repeat(count)));
        }
    }
}
