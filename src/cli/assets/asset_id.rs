//! Which asset an argument means: a UUID, a `lunette://asset/UUID` link, the unique beginning or end of a UUID, or a
//! unique name; and which assets a command is for.
//!
//! What must hold: no verb guesses. If more than one asset matches, nothing is done and all candidates are listed.

use std::io::Read as _;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};

use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSnapshot;
use lunette_inspector::assets::load::PagedList;
use lunette_inspector::filter::Filter;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::navigation::link::{Link, is_meant};

use crate::cli::connect::{self, Service};
use crate::cli::{Failure, list, short_id};

/// The most candidates that are listed.
const MOST_CANDIDATES: usize = 20;

/// The help text of an argument that names an asset.
pub(in crate::cli) const HELP: &str =
    "Asset: its id or at least four characters of its beginning or end, a lunette://asset link, or its name";

/// The help of an argument that names several assets.
pub(in crate::cli) const HELP_MANY: &str = "Assets, each named by its id or at least four characters of its beginning or end, a lunette://asset link, or its \
     name; - reads them from standard input, one a line";

/// The assets that a command is for: named, read from standard input, or those that a filter shows.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Selection {
    #[arg(value_name = "ID", required_unless_present = "filter", help = HELP_MANY)]
    assets: Vec<String>,
    /// All assets that match, such as 'language:rust tag:"to do"'.
    #[arg(long, value_name = "FILTER", conflicts_with = "assets", allow_hyphen_values = true)]
    filter: Option<String>,
}

/// A selection as it was given.
#[derive(Clone, Debug)]
pub(in crate::cli) enum Selected {
    Named(Vec<String>),
    Filtered(Filter),
}

impl Selection {
    /// Reads the filter, or the names, also from standard input.
    pub fn read(&self) -> Result<Selected, Failure> {
        match &self.filter {
            None => with_standard_input(&self.assets).map(Selected::Named),
            Some(text) if text.trim().is_empty() => {
                Err(Failure::usage(anyhow!("the filter is empty, which would mean every asset")))
            }
            Some(text) => list::filter::<AssetRow>(text).map(Selected::Filtered),
        }
    }
}

impl Selected {
    /// Returns the assets with their names, as far as they had to be read. Nothing is an answer to a filter, and to an
    /// empty standard input: it is reported.
    pub async fn find(self, service: &Service) -> Result<Vec<(AssetId, String)>, Failure> {
        let found = match self {
            Self::Named(texts) => find_all(service, &texts).await?,
            Self::Filtered(filter) => {
                let rows = list::assets(service.client.clone(), service.vendor, filter, usize::MAX).await;
                rows.map_err(connect::failure)?.iter().map(|row| (row.id(), row.name().to_owned())).collect()
            }
        };
        if found.is_empty() {
            crate::cli::print_message("there are no such assets, so nothing was done");
        }
        Ok(found)
    }
}

/// Returns these texts, with the lines of standard input in place of `-`.
pub(in crate::cli) fn with_standard_input(texts: &[String]) -> Result<Vec<String>, Failure> {
    let mut all = Vec::new();
    for text in texts {
        if text != "-" {
            all.push(text.clone());
            continue;
        }
        let mut lines = String::new();
        let read = std::io::stdin().read_to_string(&mut lines).context("cannot read the assets from standard input");
        read.map_err(Failure::usage)?;
        all.extend(lines.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned));
    }
    Ok(all)
}

/// Returns the asset that a text means, and its name if it had to be read.
pub(in crate::cli) async fn find(service: &Service, text: &str) -> Result<(AssetId, String), Failure> {
    let mut found = find_all(service, &[text.to_owned()]).await?;
    found.pop().ok_or_else(|| Failure::usage(anyhow!("no asset was given")))
}

/// Returns the assets that these texts mean, each once, in their order. The list of assets is read only if a text is
/// not a complete id.
pub(in crate::cli) async fn find_all(service: &Service, texts: &[String]) -> Result<Vec<(AssetId, String)>, Failure> {
    let known: Vec<Option<AssetId>> = texts.iter().map(|text| complete(text)).collect::<Result<_, _>>()?;
    let rows = if known.iter().all(Option::is_some) { Vec::new() } else { rows(service).await? };
    let mut found: Vec<(AssetId, String)> = Vec::new();
    for (text, known) in texts.iter().zip(known) {
        let asset = match known {
            Some(id) => (id, String::new()),
            None => matching(&rows, text)?,
        };
        if !found.iter().any(|(id, _)| *id == asset.0) {
            found.push(asset);
        }
    }
    Ok(found)
}

/// Returns the name of an asset; `None` if it cannot be read.
pub(in crate::cli) async fn name(service: &Service, asset: &AssetId) -> Option<String> {
    let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
    let asset = service.client.call(call).await.ok()?;
    Some(asset.view().name()?.to_owned())
}

/// Returns the id if the text is a complete one or a link. Fails on a link to anything else.
fn complete(text: &str) -> Result<Option<AssetId>, Failure> {
    if !is_meant(text) {
        return Ok(text.parse().ok());
    }
    match text.parse::<Link>() {
        Ok(Link::Asset(id)) => Ok(Some(id)),
        Ok(_) => Err(Failure::usage(anyhow!("{text:?} is not a link to an asset"))),
        Err(error) => Err(Failure::usage(error.into())),
    }
}

async fn rows(service: &Service) -> Result<Vec<Arc<AssetRow>>, Failure> {
    let mut pages = PagedList::new(service.client.clone()).of_vendor(service.vendor);
    let mut rows = Vec::new();
    while let Some(page) = pages.next().await {
        rows.extend(page.map_err(|error| match error.missing() {
            true => Failure::failed(anyhow!("this service does not list its assets; give the complete id of each")),
            false => connect::failure(error),
        })?);
    }
    Ok(rows)
}

fn matching(rows: &[Arc<AssetRow>], text: &str) -> Result<(AssetId, String), Failure> {
    among(rows.iter().map(Arc::as_ref), text, "`lunette list assets` and `lunette search` show what there is")
}

/// Returns the one of these assets that a text means; `advice` says where they are listed.
pub(in crate::cli) fn among<'a>(
    rows: impl Iterator<Item = &'a AssetRow>,
    text: &str,
    advice: &str,
) -> Result<(AssetId, String), Failure> {
    let found: Vec<_> = rows.filter(|row| row.name() == text || short_id::names(text, row.id().as_str())).collect();
    match found.as_slice() {
        [row] => Ok((row.id(), row.name().to_owned())),
        [] => Err(Failure::failed(anyhow!("no asset has the id or the name {text:?}; {advice}"))),
        several => Err(Failure::usage(anyhow!("{}", ambiguous(text, several)))),
    }
}

fn ambiguous(text: &str, rows: &[&AssetRow]) -> String {
    let mut message = format!("{text:?} matches {} assets; give the id of one of them:", rows.len());
    for row in rows.iter().take(MOST_CANDIDATES) {
        message.push_str(&format!("\n  {}  {}", row.id(), crate::cli::progress::escaped(row.name())));
    }
    if rows.len() > MOST_CANDIDATES {
        message.push_str(&format!("\n  and {} more", rows.len() - MOST_CANDIDATES));
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<Arc<AssetRow>> {
        let row = |number, name: &str| Arc::new(AssetRow::sample(number).renamed(name));
        vec![row(0, "a.rs"), row(1, "same"), row(2, "same"), row(3, "00000000-0000-4000-8000-000000000001")]
    }

    #[test]
    fn a_unique_name_or_beginning_of_an_id_names_an_asset() {
        let rows = sample();
        assert_eq!(matching(&rows, "a.rs").expect("found").0, rows[0].id());
        let short = [rows[0].clone()];
        assert_eq!(matching(&short, "0000").expect("found").0, rows[0].id());
        // All four begin alike.
        assert_eq!(matching(&rows[..2], "0001").expect("found").0, rows[1].id());
        assert!(matching(&short, "000").is_err(), "too short");
    }

    #[test]
    fn an_ambiguous_text_lists_the_candidates() {
        let rows = sample();
        let error = matching(&rows, "same").expect_err("ambiguous").to_string();
        assert!(error.starts_with("\"same\" matches 2 assets; give the id of one of them:\n  0000"), "{error}");
        // A name that looks like the id of another asset is not preferred.
        assert!(matching(&rows, "00000000-0000-4000-8000-000000000001").is_err());
        assert!(matching(&rows, "none").expect_err("none").to_string().contains("no asset has the id or the name"));
    }

    #[test]
    fn a_link_to_something_else_is_rejected() {
        let id = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";
        assert_eq!(complete(&format!("lunette://asset/{id}")).expect("read").map(|id| id.to_string()), Some(id.into()));
        assert_eq!(complete(id).expect("read").map(|id| id.to_string()), Some(id.into()));
        assert!(complete("lunette://search?q=x").is_err());
        assert_eq!(complete("5f0c").expect("read"), None);
    }
}
