//! `lunette new`: creates an asset from a file or from standard input.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use serde_json::json;

use lunette_client::model::language::language_name;
use lunette_client::model::record::Record as _;
use lunette_client::model::size;
use lunette_inspector::change::Recovery;
use lunette_inspector::import::engine::{MAX_FILE_SIZE, NewAsset};
use lunette_inspector::import::headless::create;
use lunette_inspector::listing::Columns as _;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::write::headless::Written;

use crate::cli::connect::{self, Service};
use crate::cli::progress::escaped;
use crate::cli::target::WriteTarget;
use crate::cli::{Failure, data_dir, signals};

/// What `new` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// File with the content. Default: standard input.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Name of the asset. Default: the name of the file, or a name that the service derives from the content.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Language: its name or extension, such as Rust or rs. Default: as the service detects it.
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
    /// Tag to add; repeatable.
    #[arg(long, value_name = "NAME")]
    tag: Vec<String>,
    #[command(flatten)]
    target: WriteTarget,
}

/// Creates the asset and prints its id and name.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let new = read(arguments)?;
    if arguments.target.dry_run() {
        return preview(&new, arguments.target.json());
    }
    let row = connect::run(arguments.target.wanted().with(async |service: &Service| {
        let folder = data_dir::folder(arguments.target.data())?;
        make(service, &folder, new).await
    }))?;
    match arguments.target.json() {
        true => crate::cli::print_json(&format!("{:#}\n", row.record())),
        false => crate::cli::print(&format!("{}  {}\n", row.id(), escaped(row.name()))),
    }
}

/// Reads the content, and the name if the file has it.
fn read(arguments: &Arguments) -> Result<NewAsset, Failure> {
    let Arguments { file, name, language, tag, .. } = arguments;
    let language = language.as_deref().map(crate::cli::language::named).transpose()?;
    let file = file.as_deref().filter(|file| *file != Path::new("-"));
    let content = match file {
        Some(path) => File::open(path).and_then(all).with_context(|| format!("cannot read {}", path.display())),
        None => from_standard_input().context("cannot read standard input"),
    };
    let file_name = file.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let content = content.map_err(Failure::usage)?;
    if content.is_empty() && file.is_none() {
        return Err(Failure::usage(anyhow!("standard input is empty; give a file or some text")));
    }
    Ok(NewAsset {
        name: name.clone().or(file_name),
        language: language.map(|language| language.specific.to_owned()),
        tags: tag.clone(),
        content,
        ..NewAsset::default()
    })
}

/// Reads standard input; somebody who types it is told how to end it.
fn from_standard_input() -> io::Result<Vec<u8>> {
    let input = io::stdin();
    if input.is_terminal() {
        crate::cli::print_message(&format!("type the content, then press {}", signals::END_OF_INPUT));
    }
    all(input)
}

/// Reads as much as an asset can have, and one byte more.
fn all(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_FILE_SIZE + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Prints what would be created.
pub(in crate::cli) fn preview(new: &NewAsset, as_json: bool) -> Result<(), Failure> {
    let NewAsset { name, language: specific, tags, content, .. } = new;
    let language = specific.as_deref().map(language_name);
    if as_json {
        let tree = json!({ "name": name, "language": language, "tags": tags, "size": content.len() });
        return crate::cli::print_json(&format!("{tree:#}\n"));
    }
    let size = size::size(i64::try_from(content.len()).unwrap_or(i64::MAX));
    let fields = [
        ("name", name.clone().unwrap_or_else(|| "(from the content)".to_owned())),
        ("language", language.unwrap_or("(detected)").to_owned()),
        ("tags", tags.join(", ")),
        ("size", size),
    ];
    let fields = fields.iter().filter(|(_, value)| !value.is_empty());
    let lines: String = fields.map(|(field, value)| format!("    {field}: {}\n", escaped(value))).collect();
    crate::cli::print(&format!("would be created\n{lines}"))
}

/// Creates an asset.
pub(in crate::cli) async fn make(service: &Service, folder: &Path, new: NewAsset) -> Result<AssetRow, Failure> {
    let failed = |why: &str| Failure::failed(anyhow!("the asset was not created: {why}"));
    let size = new.content.len();
    let seed = new.seed(service.vendor).map_err(|error| failed(&error.to_string()))?;
    let writer = service.writer(folder, Recovery::None)?;
    let asset = create(&writer, seed, size).await.map_err(|written| match written {
        Written::Unknown(why) => {
            Failure::failed(anyhow!("it is unknown whether the asset was created; check before trying again: {why}"))
        }
        Written::Failed(why) | Written::Unchanged(why) => failed(&why),
        Written::Done(..) => failed("the service sent no asset"),
    })?;
    AssetRow::of(asset.view()).ok_or_else(|| failed("the service sent no usable asset"))
}
