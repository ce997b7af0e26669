//! `lunette show`: one asset: what the list says of it, its description, and its text; or what is related to it.
//!
//! What must hold: `--content` writes the exact bytes and nothing else, whatever they are.

use std::io::{self, Write as _};

use anyhow::{Error, anyhow};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

use lunette_client::model::asset::Asset;
use lunette_client::model::id::{AssetId, VersionNumber};
use lunette_client::model::record::Record as _;
use lunette_client::model::{size, time};
use lunette_client::operation::table::AssetSnapshot;
use lunette_inspector::assets::content;
use lunette_inspector::assets::page::Content;
use lunette_inspector::change::description;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::listing::{Columns as _, Label};

use crate::cli::asset_id;
use crate::cli::connect::{self, Service};
use crate::cli::progress::whole;
use crate::cli::related;
use crate::cli::target::ReadTarget;
use crate::cli::{Failure, print, print_json, versions};

/// What `show` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[arg(value_name = "ID", help = asset_id::HELP)]
    asset: String,
    /// Show this version of it, as `lunette history ID` lists them; ID@N means the same.
    #[arg(long = "version", value_name = "N", conflicts_with = "related", value_parser = versions::number)]
    number: Option<VersionNumber>,
    #[command(flatten)]
    target: ReadTarget,
    /// Print the asset as a JSON object; with --related, a JSON array with one object per asset.
    #[arg(long)]
    json: bool,
    /// Write the content to standard output, byte for byte, and nothing else.
    #[arg(long, conflicts_with = "json")]
    content: bool,
    /// Print the assets that are related to it, the closest first, and why: rare words, links, folder, conversations,
    /// the shape of the name; near duplicates first.
    #[arg(long, conflicts_with = "content")]
    related: bool,
}

/// Prints the asset.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let named = versions::at_version(&arguments.asset);
    if let Some(version) = arguments.number.as_ref().or(named.as_ref().map(|(_, version)| version)) {
        let asset = named.as_ref().map_or(arguments.asset.as_str(), |(asset, _)| asset);
        return versions::show((asset, version), &arguments.target, (arguments.json, arguments.content));
    }
    if arguments.related {
        return related::run(&arguments.asset, &arguments.target, arguments.json);
    }
    let wanted = arguments.target.wanted();
    let read = async |service: &Service| {
        let (id, _) = asset_id::find(service, &arguments.asset).await?;
        read(service, id, arguments.content).await
    };
    let (asset, content) = connect::run(wanted.with(read))?;
    if arguments.content {
        return write_content(&content);
    }
    let row = AssetRow::of(asset.view()).ok_or_else(|| Failure::failed(anyhow!("the service sent no usable asset")))?;
    let description = description(asset.view());
    match arguments.json {
        true => print_json(&format!("{:#}\n", as_json(&row, description, &content))),
        false => print(&as_text(&row, description, &content)),
    }
}

/// Reads the record and the content; content without text is read only if it was asked for.
async fn read(service: &Service, id: AssetId, content_alone: bool) -> Result<(Asset, Content), Failure> {
    let snapshot = AssetSnapshot { asset: id.clone(), transferables: Some(false) };
    let asset = service.client.call(snapshot).await.map_err(connect::failure)?;
    let content = match content_alone || content::is_text(asset.view()) {
        true => content::whole(&service.client, id, service.vendor).await.map_err(connect::failure)?,
        false => Content::Large(content::size(asset.view())),
    };
    Ok((asset, content))
}

fn write_content(content: &Content) -> Result<(), Failure> {
    let bytes: &[u8] = match content {
        Content::Text(text) => text.as_bytes(),
        Content::Bytes(bytes) => bytes,
        Content::None | Content::Large(_) | Content::Part(..) => {
            return Err(Failure::failed(anyhow!("the service sent no content")));
        }
    };
    write_bytes(bytes)
}

/// Writes bytes to stdout, and nothing else.
pub(in crate::cli) fn write_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::failed(Error::new(error).context("the content could not be written to stdout")))
        }
        _ => Ok(()),
    }
}

fn as_json(row: &AssetRow, description: Option<&str>, content: &Content) -> Value {
    let mut tree = row.record();
    tree["description"] = description.into();
    tree["content"] = match content {
        Content::Text(text) => (&**text).into(),
        Content::Bytes(_) | Content::Large(_) | Content::Part(..) | Content::None => Value::Null,
    };
    tree
}

/// Returns a line per field that the asset has, and its text below.
fn as_text(row: &AssetRow, description: Option<&str>, content: &Content) -> String {
    let now = Timestamp::now();
    let moment = |text: &str| format!("{text} ({})", time::ago(text, now, &TimeZone::system()));
    let joined = |texts: &[Label]| texts.join(", ").replace('\n', " ");
    let fields = [
        ("name", row.name().to_owned()),
        ("id", row.id().to_string()),
        ("language", row.language().to_owned()),
        ("tags", joined(row.tags())),
        ("websites", joined(row.websites())),
        ("summaries", joined(row.summaries())),
        ("description", description.unwrap_or_default().to_owned()),
        ("score", row.score().map(|score| score.to_string()).unwrap_or_default()),
        ("size", row.size().map(size::size).unwrap_or_default()),
        ("created", moment(&row.created())),
        ("updated", moment(&row.updated())),
        ("favourite", if row.favorited { "yes" } else { "no" }.to_owned()),
    ];
    let fields = fields.iter().filter(|(_, value)| !value.is_empty());
    let mut text: String = fields.map(|(name, value)| format!("{name:<12} {}\n", whole(value))).collect();
    match content {
        Content::Text(content) => {
            text.push('\n');
            text.push_str(content);
            if !content.is_empty() && !content.ends_with('\n') {
                text.push('\n');
            }
        }
        _ => text.push_str("content      not text; write it to a file with --content\n"),
    }
    text
}
