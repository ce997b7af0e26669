//! `lunette diff`: how two assets or files differ.
//!
//! What must hold: the exit code 1 means that they differ, and only with `--exit-code`; every failure has the code 2,
//! so that scripts can tell them apart. A text that may be an asset and a file is neither until it is written
//! unambiguously.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use serde_json::{Value, json};

use lunette_client::model::diff::FieldChange;
use lunette_inspector::compare::{
    ByteDiff, Comparison, ContentDiff, FileError, Hunk, Position, Side, TextDiff, Whitespace, asset_side, file_side,
    unified,
};

use crate::cli::connect::{self, Service};
use crate::cli::progress::escaped;
use crate::cli::target::ReadTarget;
use crate::cli::{Failure, asset_id, print, print_json, print_message, versions};

/// What `diff` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Asset, by its id, a part of it, or its name; a version of one, as in ID@3; or a file. A path with a slash is
    /// always a file.
    #[arg(value_name = "A")]
    left: String,
    /// What it is compared with.
    #[arg(value_name = "B")]
    right: String,
    /// Ignore whitespace.
    #[arg(long, short = 'w')]
    ignore_whitespace: bool,
    /// Exit with 1 if they differ.
    #[arg(long)]
    exit_code: bool,
    /// Print the differences as a JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    target: ReadTarget,
}

/// Prints how the two differ.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let comparison = compare(arguments).map_err(Failure::into_usage)?;
    match arguments.json {
        true => print_json(&format!("{:#}\n", as_json(&comparison)))?,
        false => {
            comparison.left_out().iter().for_each(|left_out| print_message(left_out));
            print(&as_text(&comparison))?;
        }
    }
    match arguments.exit_code && !comparison.is_equal() {
        true => Err(Failure::reported()),
        false => Ok(()),
    }
}

fn compare(arguments: &Arguments) -> Result<Comparison, Failure> {
    let named = [&arguments.left, &arguments.right].map(|text| Named::of(text));
    let whitespace = if arguments.ignore_whitespace { Whitespace::Ignored } else { Whitespace::Exact };
    let [left, right] = match &named {
        // No service is needed, and none is started.
        [Named::File(left), Named::File(right)] => [file(left)?, file(right)?],
        _ => connect::run(arguments.target.wanted().with(async |service: &Service| {
            let left = named[0].read(service).await?;
            Ok([left, named[1].read(service).await?])
        }))?,
    };
    Ok(Comparison::of(Arc::new(left), Arc::new(right), whitespace))
}

/// What an argument names.
enum Named<'a> {
    /// A file, because of its slash.
    File(PathBuf),
    /// An asset, or a file in the current folder.
    Either(&'a str),
}

impl<'a> Named<'a> {
    fn of(text: &'a str) -> Self {
        let is_path = text.contains(std::path::is_separator) && !lunette_inspector::navigation::link::is_meant(text);
        if is_path { Self::File(text.into()) } else { Self::Either(text) }
    }

    async fn read(&self, service: &Service) -> Result<Side, Failure> {
        match self {
            Self::File(path) => file(path),
            Self::Either(text) => {
                let is_file = Path::new(text).is_file();
                if let Some((asset, version)) = versions::at_version(text).filter(|_| !is_file) {
                    return versions::side(service, asset, &version).await;
                }
                match asset_id::find(service, text).await {
                    Ok(_) if is_file => Err(Failure::usage(anyhow!(
                        "{text:?} is an asset and a file; write ./{text} for the file, or the id of the asset"
                    ))),
                    Ok((id, _)) => asset_side(&service.client, id, service.vendor).await.map_err(connect::failure),
                    Err(failure) if is_file && !failure.is_usage() => file(Path::new(text)),
                    Err(failure) => Err(failure),
                }
            }
        }
    }
}

fn file(path: &Path) -> Result<Side, Failure> {
    file_side(path).map_err(|error: FileError| Failure::usage(error.into()))
}

/// Returns the differences in the unified format; fields and links are named before it, where `patch` ignores them.
fn as_text(comparison: &Comparison) -> String {
    let [left, right] = &comparison.sides;
    let mut text = String::new();
    // Writing to a string does not fail.
    for field in &comparison.fields {
        writeln!(text, "field {}", field_text(field)).ok();
    }
    for link in &comparison.links {
        let (kind, name) = (link.item.kind.one(), escaped(link.item.name()));
        writeln!(text, "{kind} {name:?} only on the {}", link.on.as_str()).ok();
    }
    let names = [left, right].map(|side| escaped(&side.title));
    match &comparison.content {
        ContentDiff::Text(diff) if !diff.hunks.is_empty() => {
            let kinds = [left, right].map(|side| escaped(&side.kind));
            writeln!(text, "--- {}\t{}\n+++ {}\t{}", names[0], kinds[0], names[1], kinds[1]).ok();
            text.push_str(&unified(diff));
        }
        ContentDiff::Pictures(ByteDiff { first: Some(_), .. })
        | ContentDiff::Bytes(ByteDiff { first: Some(_), .. }) => {
            writeln!(text, "Binary files {} and {} differ", names[0], names[1]).ok();
        }
        ContentDiff::None
        | ContentDiff::Text(_)
        | ContentDiff::Pictures(_)
        | ContentDiff::Bytes(_)
        | ContentDiff::TooLarge(_) => {}
    }
    text
}

fn field_text(field: &FieldChange) -> String {
    let name = field.path.to_string();
    let value =
        |value: &Option<Value>| value.as_ref().map_or("nothing".to_owned(), |value| escaped(&value.to_string()));
    format!("{}: {} becomes {}", name.trim_start_matches("$."), value(&field.before), value(&field.after))
}

fn as_json(comparison: &Comparison) -> Value {
    let fields: Vec<Value> = comparison
        .fields
        .iter()
        .map(|field| json!({ "path": field.path.to_string(), "left": field.before, "right": field.after }))
        .collect();
    let links: Vec<Value> = comparison
        .links
        .iter()
        .map(|link| json!({ "kind": link.item.kind, "id": &*link.item.id, "text": link.item.name(), "on": link.on.as_str() }))
        .collect();
    json!({
        "equal": comparison.is_equal(),
        "left": side_json(comparison.side(Position::Left)),
        "right": side_json(comparison.side(Position::Right)),
        "content": content_json(&comparison.content),
        "fields": fields,
        "links": links,
        "left_out": comparison.left_out(),
    })
}

fn side_json(side: &Side) -> Value {
    json!({ "name": side.title, "what": side.kind, "size": side.body.size() })
}

fn content_json(content: &ContentDiff) -> Value {
    match content {
        ContentDiff::None => Value::Null,
        ContentDiff::Text(diff) => {
            let (added, removed) = diff.added_and_removed();
            let hunks: Vec<Value> = diff.hunks.iter().map(|hunk| hunk_json(diff, hunk)).collect();
            json!({ "kind": "text", "added": added, "removed": removed, "hunks": hunks })
        }
        ContentDiff::Pictures(bytes) => bytes_json("picture", bytes),
        ContentDiff::Bytes(bytes) => bytes_json("binary", bytes),
        ContentDiff::TooLarge(sizes) => json!({ "kind": "too large", "sizes": sizes }),
    }
}

fn bytes_json(kind: &str, bytes: &ByteDiff) -> Value {
    json!({ "kind": kind, "sizes": bytes.sizes, "sha256": bytes.sha256, "first_difference": bytes.first })
}

/// Returns a changed part; lines are counted from 1, and have their ends.
fn hunk_json(diff: &TextDiff, hunk: &Hunk) -> Value {
    let side = |at: Position| {
        let lines = &hunk.lines[at.index()];
        let texts: Vec<&str> = lines.clone().map(|line| diff.side(at).line(line)).collect();
        json!({ "line": lines.start + 1, "lines": texts })
    };
    json!({ "left": side(Position::Left), "right": side(Position::Right) })
}
