//! `lunette export --to`: many assets as an archive, or in the form of another program.

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;
use serde_json::{Value, json};

use super::Arguments;
use crate::cli::connect::{self, Service};
use crate::cli::progress::{ProgressLine, escaped};
use crate::cli::signals::Signals;
use crate::cli::{Failure, asset_id, list, secrets};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSnapshot;
use lunette_inspector::export::library::{
    ExportError, ExportOptions, ExportReport, LeftOutAsset, Progress, Suspect, export_library,
};
use lunette_inspector::files::IfExists;
use lunette_inspector::filter::Filter;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::listing::{Columns as _, Query, RowList, apply_query};
use lunette_inspector::tasks::CancelFlag;

/// Writes the assets, and fails if any could not be read.
pub(super) fn run(arguments: &Arguments, named: Vec<String>, target: &Path) -> Result<(), Failure> {
    let query = Query {
        filter: list::filter::<AssetRow>(arguments.filter.as_deref().unwrap_or_default())?,
        sort: list::sort::<AssetRow>(arguments.sort.as_deref())?,
        ..Query::default()
    };
    let export = async |service: &Service| {
        let rows = rows(&named, service, &query).await?;
        export(arguments, (service, target), named.len(), rows).await
    };
    let report = connect::run(arguments.target.wanted().with(export))?;
    print(arguments, &report)?;
    let failed = report.left_out.assets().iter().any(|left_out| left_out.failed);
    if failed { Err(Failure::reported()) } else { Ok(()) }
}

/// Returns the requested assets, in order.
async fn rows(named: &[String], service: &Service, query: &Query) -> Result<Vec<Arc<AssetRow>>, Failure> {
    if named.is_empty() {
        let all = list::assets(service.client.clone(), service.vendor, Filter::default(), usize::MAX).await;
        let all = RowList::from(all.map_err(connect::failure)?);
        let indices = apply_query(&all, query);
        return Ok(indices.iter().filter_map(|index| all.get(*index as usize)).cloned().collect());
    }
    let mut rows = Vec::new();
    for (asset, _) in asset_id::find_all(service, named).await? {
        let asset = service.client.call(AssetSnapshot { asset, transferables: Some(false) }).await;
        rows.extend(AssetRow::of(asset.map_err(connect::failure)?.view()).map(Arc::new));
    }
    Ok(rows)
}

/// Returns a description of the assets, for the manifest.
fn what(arguments: &Arguments, named: usize) -> String {
    match (&arguments.filter, named) {
        (Some(filter), _) => format!("those that match the filter {filter:?}"),
        (None, 0) => "all".to_owned(),
        (None, 1) => "one that was chosen".to_owned(),
        (None, count) => format!("{count} that were chosen"),
    }
}

/// Exports until everything is done or a signal cancels it.
async fn export(
    arguments: &Arguments,
    (service, target): (&Service, &Path),
    named: usize,
    rows: Vec<Arc<AssetRow>>,
) -> Result<ExportReport, Failure> {
    let options = ExportOptions {
        format: arguments.format,
        target: target.to_owned(),
        if_exists: if arguments.force { IfExists::Replace } else { IfExists::Refuse },
        what: what(arguments, named),
        columns: AssetRow::COLUMNS.iter().filter(|column| column.is_shown(None)).collect(),
        vendor: service.vendor,
    };
    let mut signals = Signals::listen()?;
    let (cancel, mut line) = (CancelFlag::default(), ProgressLine::of(&service.client));
    let progress = |Progress { done, total, last }: Progress| line.show(done, total, Some(&last));
    let export = export_library(service.client.clone(), rows, options, progress, cancel.clone());
    let mut export = std::pin::pin!(export);
    loop {
        tokio::select! {
            report = &mut export => return report.map_err(|error| failure(error, arguments)),
            () = signals.next() => cancel.cancel(),
        }
    }
}

fn failure(error: ExportError, arguments: &Arguments) -> Failure {
    match error {
        ExportError::Exists(path) if arguments.force => Failure::usage(anyhow!(
            "--force replaces files only, and {} is not a file; choose another name",
            path.display()
        )),
        ExportError::Exists(_) => Failure::usage(anyhow!(error)),
        ExportError::Call(error) => connect::failure(error),
        ExportError::Io(..) | ExportError::Cancelled | ExportError::Declined | ExportError::Ended(_) => {
            Failure::failed(anyhow!(error))
        }
    }
}

fn print(arguments: &Arguments, report: &ExportReport) -> Result<(), Failure> {
    let ExportReport { path, exported, bytes, left_out, suspects } = report;
    let mut message = String::new();
    for LeftOutAsset { asset, name, reason, failed } in left_out.assets() {
        let word = if *failed { "lunette: failed" } else { "left out" };
        message.push_str(&format!("{word}: {asset} {}: {}\n", escaped(name), escaped(reason)));
    }
    message
        .push_str(&secrets::lines(suspects.iter().map(|suspect| (suspect.name.as_str(), suspect.findings.as_slice()))));
    left_out.sentence().iter().for_each(|sentence| message.push_str(&format!("{sentence}\n")));
    message.push_str(&format!("{exported} exported, {} left out\n", left_out.assets().len()));
    io::stderr().write_all(message.as_bytes()).ok(); // A closed stderr leaves only the exit code to tell.
    if !arguments.json {
        return crate::cli::print(&format!("{}\n", escaped(&path.to_string_lossy())));
    }
    let assets = left_out.assets().iter().map(|LeftOutAsset { asset, name, reason, failed }| {
        json!({ "asset": asset, "name": name, "reason": reason, "failed": failed })
    });
    let suspects = suspects.iter().map(|Suspect { asset, name, findings }| {
        json!({ "asset": asset, "name": name, "findings": secrets::json(findings) })
    });
    let tree = json!({
        "path": path.to_string_lossy(),
        "format": arguments.format.name(),
        "exported": exported,
        "bytes": bytes,
        "left_out": assets.collect::<Value>(),
        "lost": left_out.parts().map(|(part, count)| json!({ "part": part.name(), "assets": count })).collect::<Value>(),
        "looks_like_secrets": suspects.collect::<Value>(),
    });
    crate::cli::print_json(&format!("{tree:#}\n"))
}
