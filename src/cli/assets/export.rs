//! `lunette export`: assets as documents, to files or to standard output, or many of them as an archive or in the form of
//! another program.
//!
//! What must hold: no file is overwritten unless `--force` says so; a file is written whole or not at all.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Error, anyhow};
use clap::ValueEnum;
use serde_json::json;

use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;
use lunette_inspector::assets::content;
use lunette_inspector::assets::page::Content;
use lunette_inspector::export::code_picture::{PictureFormat, PictureKind, Shade};
use lunette_inspector::export::library::Format;
use lunette_inspector::export::{Exported, document, picture_of};
use lunette_inspector::files::{reason, write_new, write_whole};
use lunette_inspector::listing::rows::AssetRow;
use lunette_secrets::{Finding, find_in_bytes};

use crate::cli::asset_id::Selected;
use crate::cli::changes::print_error;
use crate::cli::connect::{self, Service};
use crate::cli::progress::escaped;
use crate::cli::target::ReadTarget;
use crate::cli::{Failure, asset_id, list, secrets};

mod library;

/// What `export` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[arg(value_name = "ID", required_unless_present_any = ["to", "filter"], help = asset_id::HELP_MANY)]
    assets: Vec<String>,
    /// Write all assets, or those that are named or match the filter, to this new folder or file.
    #[arg(long, value_name = "DIR|FILE", conflicts_with_all = ["output", "kind"])]
    to: Option<PathBuf>,
    /// Format to write: archive, files, masscode, vscode, snippetslab, gist, obsidian, csv, json or sqlite.
    #[arg(long, value_name = "FORMAT", requires = "to", default_value = "archive")]
    format: Format,
    /// Export only assets that match, such as 'language:rust tag:"to do"'.
    #[arg(long, value_name = "FILTER", conflicts_with = "assets", allow_hyphen_values = true)]
    filter: Option<String>,
    /// Column to sort by; add :desc for descending order.
    #[arg(long, value_name = "COLUMN[:desc]", requires = "to", conflicts_with = "assets")]
    sort: Option<String>,
    /// Kind of document. Default: by the extension of the file, else the original content.
    #[arg(long = "as", value_name = "KIND", value_enum, ignore_case = true)]
    kind: Option<Kind>,
    /// Whether a picture of code is light or dark.
    #[arg(long, value_name = "light|dark", default_value = "light")]
    theme: Shade,
    /// File or existing folder to write to, or - for standard output. Default: -.
    #[arg(short, long, value_name = "FILE|DIR|-")]
    output: Option<PathBuf>,
    /// Overwrite existing files; with --to, replace an existing file.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    target: ReadTarget,
    /// Print the files as JSON.
    #[arg(long)]
    json: bool,
}

/// A kind of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// The original content, byte for byte.
    Raw,
    /// The text alone.
    #[value(alias = "text")]
    Txt,
    /// A Markdown document.
    #[value(alias = "markdown")]
    Md,
    /// A self-contained web page.
    Html,
    /// The whole record.
    Json,
    /// A picture of the code that stays sharp at any size.
    Svg,
    /// A picture of the code.
    Png,
}

impl Kind {
    fn of(path: &Path) -> Option<Self> {
        let extension = path.extension().and_then(OsStr::to_str)?.to_ascii_lowercase();
        match extension.as_str() {
            "txt" => Some(Self::Txt),
            "md" | "markdown" => Some(Self::Md),
            "html" | "htm" => Some(Self::Html),
            "json" => Some(Self::Json),
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            _ => None,
        }
    }

    /// Returns the kind of document that the service exports, or the picture to render.
    fn document_or_picture(self, shade: Shade) -> Result<ExportType, PictureKind> {
        Ok(match self {
            Self::Raw => ExportType::Raw,
            Self::Txt => ExportType::Txt,
            Self::Md => ExportType::Md,
            Self::Html => ExportType::Html,
            Self::Json => ExportType::Json,
            Self::Svg => return Err(PictureKind { format: PictureFormat::Svg, shade }),
            Self::Png => return Err(PictureKind { format: PictureFormat::Png, shade }),
        })
    }
}

/// The target of the documents.
enum Target<'a> {
    Stdout,
    File(&'a Path),
    Folder(&'a Path),
}

/// The results of an export.
#[derive(Default)]
struct Report {
    exported: Vec<(AssetId, PathBuf)>,
    /// Documents with possible secrets, with their file names.
    suspects: Vec<(AssetId, String, Vec<Finding>)>,
    failed: Vec<(AssetId, String)>,
}

/// Exports the assets, and fails if any could not be exported.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let named = asset_id::with_standard_input(&arguments.assets)?;
    if let Some(target) = &arguments.to {
        return library::run(arguments, named, target);
    }
    let target = target(arguments)?;
    let kind = match (arguments.kind, &target) {
        (Some(kind), _) => kind,
        (None, Target::File(path)) => Kind::of(path).unwrap_or(Kind::Raw),
        (None, Target::Stdout | Target::Folder(_)) => Kind::Raw,
    };
    let filter = arguments.filter.as_deref().map(list::filter::<AssetRow>).transpose()?;
    let export = async |service: &Service| {
        let selected = match &filter {
            Some(filter) => Selected::Filtered(filter.clone()),
            None => Selected::Named(named.clone()),
        };
        let assets = selected.find(service).await?;
        if assets.len() > 1 && !matches!(target, Target::Folder(_)) {
            return Err(several());
        }
        export(arguments, service, &target, kind, assets.into_iter().map(|(id, _)| id).collect()).await
    };
    let report = connect::run(arguments.target.wanted().with(export))?;
    print(arguments, &target, &report)?;
    for (id, why) in &report.failed {
        print_error(&format!("lunette: failed: {id}: {}", escaped(why)));
    }
    let suspects = report.suspects.iter().map(|(_, name, findings)| (name.as_str(), findings.as_slice()));
    io::stderr().write_all(secrets::lines(suspects).as_bytes()).ok(); // A closed stderr leaves only the exit code to tell.
    if report.failed.is_empty() { Ok(()) } else { Err(Failure::reported()) }
}

fn several() -> Failure {
    Failure::usage(anyhow!("several assets need a folder to be exported to; name an existing one with -o DIR"))
}

fn target(arguments: &Arguments) -> Result<Target<'_>, Failure> {
    match arguments.output.as_deref() {
        None => Ok(Target::Stdout),
        Some(path) if path == Path::new("-") => Ok(Target::Stdout),
        Some(path) if path.is_dir() => Ok(Target::Folder(path)),
        Some(path) if path.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]) => {
            Err(Failure::usage(anyhow!("the folder {} does not exist; create it first", path.display())))
        }
        // Checked early, before anything is read, and again when the file is written.
        Some(path) if path.exists() && !arguments.force => Err(Failure::usage(existing(path))),
        Some(path) => Ok(Target::File(path)),
    }
}

fn existing(path: &Path) -> Error {
    anyhow!("{} already exists; add --force to overwrite it", path.display())
}

async fn export(
    arguments: &Arguments,
    service: &Service,
    target: &Target<'_>,
    kind: Kind,
    assets: Vec<AssetId>,
) -> Result<Report, Failure> {
    let (mut report, mut used) = (Report::default(), BTreeSet::new());
    let alone = assets.len() == 1;
    for id in assets {
        let exported = match kind.document_or_picture(arguments.theme) {
            Ok(kind) => document(&service.client, &id, &kind, service.vendor).await,
            Err(picture) => picture_of(&service.client, &id, picture, service.vendor).await,
        };
        let exported = match exported {
            Ok(exported) => exported,
            Err(error) if alone => return Err(connect::failure(error)),
            Err(error) => {
                report.failed.push((id, error.to_string()));
                continue;
            }
        };
        let path = match target {
            Target::Stdout => {
                write_to_stdout(&exported)?;
                PathBuf::from("-")
            }
            Target::File(path) => path.to_path_buf(),
            Target::Folder(folder) => folder.join(free_name(&exported.file_name, &mut used)),
        };
        let written = if let Target::Stdout = target { Ok(()) } else { write(&path, &exported, arguments.force) };
        match written {
            Ok(()) => {
                let findings = findings(service, &id, kind, &exported).await;
                if !findings.is_empty() {
                    report.suspects.push((id.clone(), exported.file_name.clone(), findings));
                }
                report.exported.push((id, path));
            }
            Err(error) => report.failed.push((id, format!("{error:#}"))),
        }
    }
    Ok(report)
}

/// Finds possible secrets in the content, since documents may escape some of its characters.
async fn findings(service: &Service, id: &AssetId, kind: Kind, exported: &Exported) -> Vec<Finding> {
    let content = match kind {
        Kind::Raw | Kind::Txt => return find_in_bytes(&exported.bytes),
        Kind::Md | Kind::Html | Kind::Json | Kind::Svg | Kind::Png => {
            content::whole(&service.client, id.clone(), service.vendor).await
        }
    };
    match content {
        Ok(Content::Text(text)) => find_in_bytes(text.as_bytes()),
        Ok(Content::Bytes(bytes)) => find_in_bytes(&bytes),
        Ok(Content::Part(..) | Content::Large(_) | Content::None) | Err(_) => find_in_bytes(&exported.bytes),
    }
}

/// Returns a unique name within this command, ignoring case, since some file systems do.
fn free_name(name: &str, used: &mut BTreeSet<String>) -> String {
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
        _ => (name, String::new()),
    };
    let numbered = (2..).map(|number: u64| format!("{stem} ({number}){extension}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| used.insert(name.to_lowercase())).unwrap_or_else(|| name.to_owned())
}

fn write(path: &Path, exported: &Exported, force: bool) -> anyhow::Result<()> {
    let written = if force { write_whole(path, &exported.bytes) } else { write_new(path, &exported.bytes) };
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => existing(path),
        _ => anyhow!("cannot write {}: {}", path.display(), reason(&error)),
    })
}

fn write_to_stdout(exported: &Exported) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if exported.text.is_none() && out.is_terminal() {
        return Err(Failure::usage(anyhow!("the content is not text; write it to a file with -o FILE")));
    }
    match out.write_all(&exported.bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::failed(Error::new(error).context("the document could not be written to stdout")))
        }
        _ => Ok(()),
    }
}

fn print(arguments: &Arguments, target: &Target<'_>, report: &Report) -> Result<(), Failure> {
    match target {
        Target::Stdout => Ok(()),
        _ if arguments.json => {
            let exported =
                report.exported.iter().map(|(id, path)| json!({ "asset": id, "path": path.to_string_lossy() }));
            let failed = report.failed.iter().map(|(id, why)| json!({ "asset": id, "reason": why }));
            let suspects = report
                .suspects
                .iter()
                .map(|(id, name, findings)| json!({ "asset": id, "name": name, "findings": secrets::json(findings) }));
            let tree = json!({
                "exported": exported.collect::<Vec<_>>(),
                "failed": failed.collect::<Vec<_>>(),
                "looks_like_secrets": suspects.collect::<Vec<_>>(),
            });
            crate::cli::print_json(&format!("{tree:#}\n"))
        }
        _ => {
            let line = |(id, path): &(AssetId, PathBuf)| format!("{id}  {}\n", escaped(&path.to_string_lossy()));
            crate::cli::print(&report.exported.iter().map(line).collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assets_with_the_same_name_get_different_file_names() {
        let mut used = BTreeSet::new();
        let names = ["a.rs", "A.rs", "a.rs", "b", "b", ".env", ".env"].map(|name| free_name(name, &mut used));
        assert_eq!(names, ["a.rs", "A (2).rs", "a (3).rs", "b", "b (2)", ".env", ".env (2)"]);
    }
}
