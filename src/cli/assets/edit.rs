//! `lunette edit`: changes the name, the language, the text and other fields of assets.
//!
//! What must hold: all that one command changes is one step of the history; nothing that was not named is changed.

use std::fs;
use std::io::{self, Read as _};

use anyhow::{Context as _, anyhow};
use clap::ValueEnum;

use lunette_client::model::id::AssetId;
use lunette_inspector::assets::content;
use lunette_inspector::assets::page::Content;
use lunette_inspector::change::{Change, Edit, Field};
use lunette_inspector::runs::{RunRecord, Task};

use crate::cli::asset_id::Selection;
use crate::cli::changes::{self, IN_FLIGHT, Planned};
use crate::cli::connect::{self, Service};
use crate::cli::target::WriteTarget;
use crate::cli::{Failure, asset_id, language};

mod editor;

/// What `edit` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    assets: Selection,
    /// New name.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// New language: its name or extension, such as Rust or rs.
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
    /// Whether it is a favourite.
    #[arg(long, value_name = "yes|no", hide_possible_values = true)]
    favourite: Option<YesNo>,
    /// New description.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// File with the new text, or - for standard input. Without any change, the text is opened in $VISUAL or $EDITOR.
    #[arg(long, value_name = "FILE")]
    content: Option<String>,
    #[command(flatten)]
    target: WriteTarget,
}

impl Arguments {
    fn changes_nothing(&self) -> bool {
        let texts = [&self.name, &self.language, &self.description, &self.content];
        texts.iter().all(|text| text.is_none()) && self.favourite.is_none()
    }
}

/// A boolean as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum YesNo {
    Yes,
    No,
}

/// Changes the assets.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.changes_nothing() {
        return editor::run(arguments);
    }
    let language = arguments.language.as_deref().map(language::named).transpose()?;
    let selected = arguments.assets.read()?;
    let text = arguments.content.as_deref().map(read_text).transpose()?;
    changes::run(&arguments.target, async |service: &Service| {
        let assets = selected.find(service).await?;
        if assets.len() > 1 && text.is_some() {
            return Err(Failure::usage(anyhow!("`--content` is for one asset, but {} were named", assets.len())));
        }
        let mut tasks = Vec::new();
        for (asset, name) in &assets {
            let mut changes = Vec::new();
            if let Some(to) = &text {
                let from = current_text(service, asset).await?;
                changes.push(Change::Text { asset: asset.clone(), from, to: to.clone() });
            }
            if let Some(language) = language {
                let to = language.specific.to_owned();
                changes.push(Change::Reclassify { asset: asset.clone(), from: None, to });
            }
            let edits = edits(arguments);
            if !edits.is_empty() {
                changes.push(Change::Edit { asset: asset.clone(), edits });
            }
            tasks.extend(changes.into_iter().map(|change| (Task::Change(change), name.clone())));
        }
        match assets.as_slice() {
            [] => Ok(None),
            [(asset, name)] => Ok(Some(planned(service, asset, name, tasks).await)),
            several => {
                let title = format!("Edited {} assets", several.len());
                Ok(Some(RunRecord::of_tasks(title, tasks, IN_FLIGHT).into()))
            }
        }
    })
}

/// Returns one run of the changes of an asset, which are made one after the other.
async fn planned(service: &Service, asset: &AssetId, name: &str, mut tasks: Vec<(Task, String)>) -> Planned {
    let name = match name.is_empty() && tasks.len() > 1 {
        true => asset_id::name(service, asset).await.unwrap_or_default(),
        false => name.to_owned(),
    };
    let shown = if name.is_empty() { asset.as_str() } else { &name };
    let title = format!("Edited “{shown}”");
    tasks.iter_mut().for_each(|(_, known)| known.clone_from(&name));
    RunRecord::of_tasks(title, tasks, 1).into()
}

fn edits(arguments: &Arguments) -> Vec<Edit> {
    let Arguments { name, description, favourite, .. } = arguments;
    let name = name.as_ref().map(|name| (Field::Name, name.as_str().into()));
    let description = description.as_ref().map(|text| (Field::Description, text.as_str().into()));
    let favourite = favourite.map(|favourite| (Field::Favorited, (favourite == YesNo::Yes).into()));
    let all = [name, description, favourite].into_iter().flatten();
    all.map(|(field, to)| Edit { field, from: None, to }).collect()
}

/// Returns the text of the asset, which a new one replaces.
async fn current_text(service: &Service, asset: &AssetId) -> Result<String, Failure> {
    match content::whole(&service.client, asset.clone(), service.vendor).await.map_err(connect::failure)? {
        Content::Text(text) => Ok(text.to_string()),
        Content::Bytes(_) | Content::Large(_) | Content::Part(..) | Content::None => {
            Err(Failure::failed(anyhow!("the asset {asset} has no text that could be replaced")))
        }
    }
}

/// Reads the new text. Fails if it is not UTF-8.
fn read_text(source: &str) -> Result<String, Failure> {
    let bytes = match source {
        "-" => {
            let mut bytes = Vec::new();
            let read = io::stdin().read_to_end(&mut bytes).context("cannot read the text from standard input");
            read.map(|_| bytes)
        }
        path => fs::read(path).with_context(|| format!("cannot read the text from {path:?}")),
    };
    let text = String::from_utf8(bytes.map_err(Failure::usage)?);
    text.map_err(|_| Failure::usage(anyhow!("the content must be text in UTF-8; import other files as new assets")))
}
