//! `lunette edit ID` on a terminal: the text of an asset in the editor of the user.
//!
//! What must hold: no service is kept while the editor is open; a text that could not be saved stays in its file, and its
//! path is printed.

use std::env;
use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::process::ExitStatus;

use anyhow::anyhow;

use crate::cli::Failure;
use crate::cli::changes;
use crate::cli::connect::{self, Access, Service, Wanted};
use lunette_client::model::file_name::suggested_name;
use lunette_client::model::id::AssetId;
use lunette_client::model::language::language;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSnapshot;
use lunette_inspector::change::Change;
use lunette_inspector::files::{STANDARD_EDITOR, editor_command, make_folder, reason, write_new};
use lunette_inspector::runs::{RunRecord, Task};

use super::Arguments;
use lunette_inspector::listing::rows::AssetRow;

/// An asset as it was read.
struct Opened {
    asset: AssetId,
    name: String,
    extension: String,
    text: String,
}

/// Opens the text of the asset in the editor, and saves what has become of it.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if !io::stdin().is_terminal() || arguments.target.dry_run() {
        return Err(Failure::usage(anyhow!(
            "there is nothing to change; give --name, --language, --favourite, --description or --content. On a terminal, \
             `lunette edit ID` opens the text in $VISUAL or $EDITOR"
        )));
    }
    let selected = arguments.assets.read()?;
    let wanted = Wanted { access: Access::Read, ..arguments.target.to_change() };
    let opened = connect::run(wanted.with(async |service: &Service| {
        let found = selected.clone().find(service).await?;
        match found.as_slice() {
            [] => Ok(None),
            [(asset, _)] => open(service, asset).await.map(Some),
            several => Err(Failure::usage(anyhow!("the editor takes one asset, but {} were named", several.len()))),
        }
    }))?;
    let Some(Opened { asset, name, extension, text: from }) = opened else { return Ok(()) };
    let folder = env::temp_dir().join(format!("lunette-{}", uuid::Uuid::new_v4().simple()));
    let file = folder.join(suggested_name(&name, "", &extension));
    let to = edited(&folder, &file, &from)?;
    if to == from {
        remove(&folder);
        changes::print_line("the text was not changed");
        return Ok(());
    }
    let saved = changes::run(&arguments.target, async |_: &Service| {
        let change = Change::Text { asset: asset.clone(), from: from.clone(), to };
        let title = format!("Edited “{name}”");
        Ok(Some(RunRecord::of_tasks(title, vec![(Task::Change(change), name.clone())], 1).into()))
    });
    match &saved {
        Ok(()) => remove(&folder),
        Err(_) => changes::print_error(&format!("lunette: your text was not saved; it is in {}", file.display())),
    }
    saved
}

async fn open(service: &Service, asset: &AssetId) -> Result<Opened, Failure> {
    let snapshot = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    let record = service.client.call(snapshot).await.map_err(connect::failure)?;
    let row = AssetRow::of(record.view());
    let specific = row.as_ref().map(|row| row.specific().to_owned()).unwrap_or_default();
    let name = row.map(|row| row.name().to_owned()).filter(|name| !name.is_empty());
    let known = language(&specific).map_or("txt", |known| known.specific);
    let extension = match &name {
        Some(name) if Path::new(name).extension().is_some() => String::new(),
        _ => known.to_owned(),
    };
    let text = super::current_text(service, asset).await?;
    Ok(Opened { asset: asset.clone(), name: name.unwrap_or_else(|| asset.to_string()), extension, text })
}

/// Writes the text to a file that only the user can read, and returns it as the editor leaves it.
fn edited(folder: &Path, file: &Path, text: &str) -> Result<String, Failure> {
    let failed = |error: io::Error| Failure::failed(anyhow!("cannot write {}: {}", file.display(), reason(&error)));
    make_folder(folder).map_err(failed)?;
    write_new(file, text.as_bytes()).map_err(failed)?;
    let (editor, status) = editor(file);
    match status {
        Ok(status) if status.success() => {}
        Ok(_) => {
            remove(folder);
            return Err(Failure::failed(anyhow!("the editor {editor:?} ended with an error; nothing was changed")));
        }
        Err(error) => {
            remove(folder);
            let why = reason(&error);
            return Err(Failure::failed(anyhow!(
                "the editor {editor:?} cannot be started: {why}; set $VISUAL or $EDITOR"
            )));
        }
    }
    let read = fs::read_to_string(file);
    read.map_err(|error| Failure::failed(anyhow!("cannot read {}: {}", file.display(), reason(&error))))
}

/// Runs the editor of the user on a file.
fn editor(file: &Path) -> (String, io::Result<ExitStatus>) {
    let set = |name: &str| env::var(name).ok().filter(|editor| !editor.trim().is_empty());
    let editor = set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| STANDARD_EDITOR.to_owned());
    let status = editor_command(&editor, file).status();
    (editor, status)
}

fn remove(folder: &Path) {
    fs::remove_dir_all(folder).ok(); // The system deletes what is left of it.
}
