//! The archive of Lunette: `content` with a file for each asset, `records` with all its data, checksums of all files
//! for `sha256sum --check`, and a manifest.

use std::io::{self, Write as _};

use lunette_secrets::Finding;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::item::ExportItem;
use super::report::{ExportReport, Suspect};
use super::target::{Spool, Target};
use super::writer::{Added, Ending, LibraryWriter};
use crate::files::file_names::FileNames;
use crate::files::hex;

/// Writes an archive.
pub(super) struct Archive {
    names: FileNames,
    sums: Spool,
}

/// The description in the manifest, for readers of the archive.
const ABOUT: &str = "An archive of assets, written by Lunette. The folder \"content\" has each asset as a file. The \
                     folder \"records\" has, under the same name with .json behind it, everything that the service knew \
                     of the asset; earlier versions of assets are not in it. `sha256sum --check SHA256SUMS` tells whether all files are as they were written. \
                     `lunette import` reads the archive.";

impl Archive {
    pub fn new(target: &Target) -> io::Result<Self> {
        Ok(Self { names: FileNames::default(), sums: target.spool()? })
    }

    fn add_file(&mut self, path: &str, bytes: &[u8], target: &mut Target) -> io::Result<()> {
        target.add(path, &mut &*bytes)?;
        let sum = hex(&Sha256::digest(bytes));
        writeln!(self.sums, "{sum}  {path}")
    }
}

impl LibraryWriter for Archive {
    fn add(&mut self, item: &ExportItem, target: &mut Target) -> io::Result<Added> {
        let name = self.names.free(&item.file_name());
        let content = format!("content/{name}");
        self.add_file(&content, item.bytes(), target)?;
        let record = format!("{:#}\n", item.record(&content));
        self.add_file(&format!("records/{name}.json"), record.as_bytes(), target)?;
        Ok(Added::Written(Some(content)))
    }

    fn end(mut self: Box<Self>, end: &Ending<'_>, target: &mut Target) -> io::Result<()> {
        let ExportReport { exported, bytes, left_out, suspects, .. } = end.report;
        let reasons =
            left_out.assets().iter().map(|one| json!({ "id": one.asset, "name": one.name, "reason": one.reason }));
        let manifest = json!({
            "format": "lunette-archive",
            "version": 1,
            "about": ABOUT,
            "written_by": concat!("Lunette ", env!("CARGO_PKG_VERSION")),
            "written": jiff::Timestamp::now().to_string(),
            "assets": end.options.what,
            "counts": { "exported": exported, "left_out": left_out.assets().len(), "bytes": bytes },
            "left_out": reasons.collect::<Value>(),
            "looks_like_secrets": suspects.iter().map(suspect).collect::<Value>(),
        });
        self.add_file("manifest.json", format!("{manifest:#}\n").as_bytes(), target)?;
        target.add("SHA256SUMS", self.sums.rewound()?)
    }
}

/// Returns where possible secrets are, and by which rule, but never the secret itself.
fn suspect(suspect: &Suspect) -> Value {
    let finding = |finding: &Finding| json!({ "rule": finding.rule, "line": finding.line });
    let findings: Value = suspect.findings.iter().map(finding).collect();
    json!({ "id": suspect.asset, "name": suspect.name, "findings": findings })
}
