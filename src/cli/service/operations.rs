//! `lunette operations`: the table of operations, as Markdown for people and as JSON for programs. docs/operations.md
//! contains the same text.

use std::fmt::Write as _;

use serde_json::{Value, json};

use lunette_client::operation::unsupported::{UNSUPPORTED, Unsupported};
use lunette_client::operation::{
    Group, OPERATIONS, OperationInfo, STATUS_STREAMS, STREAMS, StatusStreamInfo, StreamInfo,
};

use crate::cli::Failure;

/// What `operations` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print JSON with one object per operation.
    #[arg(long)]
    json: bool,
}

/// Prints the table.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.json { crate::cli::print(&format!("{:#}\n", as_json())) } else { crate::cli::print(&markdown()) }
}

/// Returns the operations of the interface in the order of its document, then tables of the extensions, of the streams,
/// and of what is not supported.
pub fn markdown() -> String {
    let (extensions, interface): (Vec<&OperationInfo>, Vec<&OperationInfo>) =
        OPERATIONS.iter().copied().partition(|info| info.group == Group::Extension);
    let head = |title| [title, "Method and path", "Inputs", "Response", "What it does"];
    let mut text = String::new();
    write_table(&mut text, head("Operation of the interface"), interface.into_iter().map(cells));
    // Collapsed where Markdown is rendered: there are many.
    write!(
        text,
        "
<details>
<summary>{} extension operations</summary>

",
        extensions.len()
    )
    .ok();
    write_table(&mut text, head("Extension operation"), extensions.into_iter().map(cells));
    text.push_str(
        "
</details>

",
    );
    write_table(&mut text, ["Stream", "WebSocket", "A change in it"], STREAMS.iter().map(stream_cells));
    text.push('\n');
    write_table(
        &mut text,
        ["Stream about the service", "WebSocket", "What it sends"],
        STATUS_STREAMS.iter().map(status_cells),
    );
    text.push('\n');
    write_table(&mut text, ["Not supported: 501", "Why"], UNSUPPORTED.iter().map(unsupported_cells));
    text
}

fn write_table<const N: usize>(text: &mut String, head: [&str; N], rows: impl Iterator<Item = [String; N]>) {
    let cells: Vec<[String; N]> = std::iter::once(head.map(str::to_owned)).chain(rows).collect();
    let mut widths = [3; N];
    for row in &cells {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    for (index, row) in cells.iter().enumerate() {
        write_row(text, row, widths);
        if index == 0 {
            write_row(text, &widths.map(|width| "-".repeat(width)), widths);
        }
    }
}

fn write_row<const N: usize>(text: &mut String, row: &[String; N], widths: [usize; N]) {
    for (cell, width) in row.iter().zip(widths) {
        write!(text, "| {cell:width$} ").ok(); // Writing to a String cannot fail.
    }
    text.push_str("|\n");
}

fn cells(info: &OperationInfo) -> [String; 5] {
    let marks: Vec<&str> =
        info.deprecated.then_some("deprecated").into_iter().chain(info.label.map(|label| label.as_str())).collect();
    let marks = if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) };
    let inputs = info.inputs.iter().map(|input| {
        let optional = if input.required { "" } else { "?" };
        format!("{} `{}{optional}`: {}", input.location, input.name, input.kind)
    });
    [
        format!("`{}`{marks}", info.name),
        format!("`{} {}`", info.method, info.path),
        inputs.collect::<Vec<_>>().join(", "),
        format!("{} {}", info.status, info.answer),
        info.summary.to_owned(),
    ]
}

fn stream_cells(info: &StreamInfo) -> [String; 3] {
    [
        format!("`{}`", info.name),
        format!("`GET {}`", info.path),
        format!("`{{\"{}\": {{\"id\": …}}, \"deleted\": true}}`", info.kind.field()),
    ]
}

fn status_cells(info: &StatusStreamInfo) -> [String; 3] {
    [format!("`{}`", info.name), format!("`GET {}`", info.path), info.summary.to_owned()]
}

fn unsupported_cells(part: &Unsupported) -> [String; 2] {
    [format!("`{}…`", part.prefix), part.reason.to_owned()]
}

/// Returns the whole table, one object per operation.
pub fn as_json() -> Value {
    OPERATIONS.iter().map(|info| operation_json(info)).collect()
}

fn operation_json(info: &OperationInfo) -> Value {
    let inputs = info.inputs.iter().map(|input| {
        json!({ "name": input.name, "in": input.location.to_string(), "required": input.required, "type": input.kind })
    });
    json!({
        "name": info.name,
        "method": info.method.as_str(),
        "path": info.path,
        "inputs": inputs.collect::<Vec<_>>(),
        "accept": info.accept.header(),
        "status": info.status,
        "answer": info.answer,
        "group": info.group.as_str(),
        "deprecated": info.deprecated,
        "label": info.label.map(|label| label.as_str()),
        "summary": info.summary,
    })
}
