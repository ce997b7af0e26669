//! `lunette list`: applications, external applications or assets that match a filter, in one order.
//!
//! The filter is the same as in the window. What must hold: on a terminal each row is a line that fits its width;
//! otherwise every field is complete, separated by tabs and without a header, so that other programs can parse it.

use std::collections::HashSet;
use std::io::{self, IsTerminal as _};
use std::sync::Arc;

use anyhow::anyhow;
use clap::ValueEnum;
use jiff::ZonedDateTime;
use serde_json::Value;

use lunette_client::client::{CallError, Client};
use lunette_client::model::id::CompactId;
use lunette_client::operation::table::AssetsNearDuplicatesSnapshot;
use lunette_inspector::Vendor;
use lunette_inspector::applications::read::{External, ExternalAnswers, applications, external};
use lunette_inspector::assets::load::{PagedList, describe};
use lunette_inspector::assets::near_duplicates::NearDuplicates;
use lunette_inspector::filter::{CompiledFilter, Filter, Flag, parse};
use lunette_inspector::listing::rows::{AssetRow, ExternalRow};
use lunette_inspector::listing::{Columns, Query, Row, RowList, Sort, apply_query};

use crate::cli::connect::{self, Access, Service, Wanted};
use crate::cli::number::number;
use crate::cli::target::ServiceTarget;
use crate::cli::{Failure, versions};

mod changes;
pub(in crate::cli) mod table;

/// What `list` takes.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The list to print. Default: assets.
    #[arg(value_enum, value_name = "LIST", default_value = "assets", hide_default_value = true)]
    what: What,
    /// Show only rows that match, such as 'language:rust tag:"to do" score:>3 updated:<7d text'.
    #[arg(long, value_name = "FILTER", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    filter: String,
    /// Column to sort by; add :desc for descending order.
    #[arg(long, value_name = "COLUMN[:desc]")]
    sort: Option<String>,
    /// Print at most N rows.
    #[arg(short = 'n', long, value_name = "N", value_parser = number::<usize>)]
    limit: Option<usize>,
    /// Print how the lists of applications changed since a day: yesterday, 7d, 2w, all or 2026-01-31.
    #[arg(long, value_name = "DAY", conflicts_with_all = ["filter", "sort"])]
    since: Option<String>,
    /// List the assets as they were at the end of a day, such as yesterday or 2026-01-31, or at a time such as
    /// 2026-01-31T18:00:00Z.
    #[arg(long, value_name = "DAY", conflicts_with_all = ["filter", "sort", "since"])]
    at: Option<String>,
    #[command(flatten)]
    service: ServiceTarget,
    /// Print a JSON array with one object per row.
    #[arg(long)]
    json: bool,
}

/// Which rows of a list are printed, and in which order.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ListOptions {
    /// Show only rows that match, such as 'is:unused assets:<3 text'.
    #[arg(long, value_name = "FILTER", default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    filter: String,
    /// Column to sort by; add :desc for descending order.
    #[arg(long, value_name = "COLUMN[:desc]")]
    sort: Option<String>,
    /// Print at most N rows.
    #[arg(short = 'n', long, value_name = "N", value_parser = number::<usize>)]
    limit: Option<usize>,
}

impl ListOptions {
    /// Returns the query for rows of this kind. Fails on an invalid filter or column.
    pub(in crate::cli) fn query<R: Row>(&self) -> Result<Query, Failure> {
        Ok(Query { filter: filter::<R>(&self.filter)?, sort: sort::<R>(self.sort.as_deref())?, ..Query::default() })
    }

    /// Returns how much of the list is printed.
    pub(in crate::cli) fn extent(&self) -> Extent {
        Extent::of(self.filter.is_empty() && self.limit.is_none())
    }

    /// Returns how many rows are printed at most.
    pub(in crate::cli) fn limit(&self) -> usize {
        self.limit.unwrap_or(usize::MAX)
    }
}

/// How much of a list is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Extent {
    All,
    /// There may be more, with ids that are alike.
    Part,
}

impl Extent {
    pub fn of(all: bool) -> Self {
        if all { Self::All } else { Self::Part }
    }
}

/// A list of the window.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// Applications that the service tracks.
    Applications,
    /// Applications detected on this machine or known to integrate with the service.
    External,
    /// Assets.
    Assets,
}

/// Prints the list. An invalid filter or column is wrong usage, reported before the service is called.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(at) = &arguments.at {
        return match arguments.what {
            What::Assets => versions::list_at(at, identified(arguments), arguments.limit, arguments.json),
            What::Applications | What::External => {
                Err(Failure::usage(anyhow!("`--at` is for assets; `--since` tells how applications changed")))
            }
        };
    }
    if let Some(since) = &arguments.since {
        let since = changes::since(since)?;
        return match arguments.what {
            What::Applications | What::External => changes::run(arguments, since),
            What::Assets => {
                Err(Failure::usage(anyhow!("`--since` is for applications; `--filter 'updated:<7d'` is for assets")))
            }
        };
    }
    match arguments.what {
        What::Applications => list(arguments, |client, _, _| async move { applications(&client).await }),
        What::External => {
            list(arguments, |client, _, _| async move { whole(external(&client, ExternalAnswers::default()).await) })
        }
        What::Assets => {
            // Without a sort column, rows are printed in the order in which they are read.
            let most = arguments.limit.filter(|_| arguments.sort.is_none()).unwrap_or(usize::MAX);
            list(arguments, move |client, vendor, filter| assets(client, vendor, filter, most))
        }
    }
}

/// The external applications. A service that has only one of the two lists still has some.
fn whole(answer: External) -> Result<Vec<Arc<ExternalRow>>, CallError> {
    let External { rows, mut failed, .. } = answer;
    if failed.len() == 2 { Err(failed.swap_remove(0).1) } else { Ok(rows) }
}

fn list<R: Row, F: Future<Output = Result<Vec<Arc<R>>, CallError>>>(
    arguments: &Arguments,
    read: impl FnOnce(Client, Vendor, Filter) -> F,
) -> Result<(), Failure> {
    let (filter, sort) = (filter::<R>(&arguments.filter)?, sort::<R>(arguments.sort.as_deref())?);
    let query = Query { filter: filter.clone(), sort, ..Query::default() };
    let listed =
        async |service: &Service| read(service.client.clone(), service.vendor, filter).await.map_err(connect::failure);
    let rows = RowList::from(connect::run(wanted(arguments).with(listed))?);
    let indices = apply_query(&rows, &query);
    let shown =
        indices.iter().take(arguments.limit.unwrap_or(usize::MAX)).filter_map(|index| rows.get(*index as usize));
    let extent = Extent::of(arguments.filter.is_empty() && arguments.limit.is_none());
    print(&shown.map(Arc::as_ref).collect::<Vec<&R>>(), arguments.json, extent)
}

fn wanted(arguments: &Arguments) -> Wanted<'_> {
    arguments.service.wanted(Access::Read)
}

/// The service, of which it has to be known whether it is one of ours.
fn identified(arguments: &Arguments) -> Wanted<'_> {
    Wanted { identify: true, ..wanted(arguments) }
}

/// Prints rows as a JSON array, as a table that fits the terminal, or as complete lines for other programs.
pub(in crate::cli) fn print<R: Columns>(rows: &[&R], as_json: bool, extent: Extent) -> Result<(), Failure> {
    match (as_json, io::stdout().is_terminal()) {
        (true, _) => crate::cli::print_json(&format!("{:#}\n", rows.iter().map(|row| row.record()).collect::<Value>())),
        (false, true) => crate::cli::print(&table::fitted(rows, width(), extent)),
        (false, false) => crate::cli::print(&table::whole(rows)),
    }
}

/// The assets that are near duplicates, if the filter asks for them; none where the service does not say it.
async fn near_duplicates(client: &Client, filter: &Filter) -> Result<HashSet<CompactId>, CallError> {
    if !filter.asks(Flag::NearDuplicate) {
        return Ok(HashSet::new());
    }
    match client.call(AssetsNearDuplicatesSnapshot {}).await {
        Ok(answer) => Ok(NearDuplicates::of(&answer).ids()),
        Err(error) if error.missing() => {
            crate::cli::print_message("this service does not say which assets are near duplicates");
            Ok(HashSet::new())
        }
        Err(error) => Err(error),
    }
}

/// The assets that a filter takes: as many as `most`, after which no more are read.
pub(in crate::cli) async fn assets(
    client: Client,
    vendor: Vendor,
    filter: Filter,
    most: usize,
) -> Result<Vec<Arc<AssetRow>>, CallError> {
    let wanted = if filter.is_empty() { most } else { usize::MAX };
    let near_client = client.clone();
    let mut pages = PagedList::up_to(client, wanted as u64).of_vendor(vendor);
    let near = near_duplicates(&near_client, &filter).await?;
    let filter = CompiledFilter::new(&filter, &ZonedDateTime::now());
    let mut rows = Vec::new();
    while rows.len() < most
        && let Some(page) = pages.next().await
    {
        let mut page = page?;
        for row in page.iter_mut().filter(|row| near.contains(&row.compact_id())) {
            *row = Arc::new(row.as_near_duplicate(true));
        }
        rows.extend(page.into_iter().filter(|row| filter.takes(row.as_ref())));
    }
    if let Some(message) = describe(pages.left_out()) {
        crate::cli::print_message(&message);
    }
    Ok(rows)
}

pub(in crate::cli) fn filter<R: Row>(text: &str) -> Result<Filter, Failure> {
    parse(text, R::LIST).map_err(|fault| {
        let pointed = fault.pointed(text).replace('\n', "\n  ");
        Failure::usage(anyhow!("invalid filter: {fault}\n  {pointed}"))
    })
}

pub(in crate::cli) fn sort<R: Row>(text: Option<&str>) -> Result<Option<Sort>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let (name, descending) = match text.split_once(':') {
        None => (text, false),
        Some((name, "asc")) => (name, false),
        Some((name, "desc")) => (name, true),
        Some((_, other)) => {
            return Err(Failure::usage(anyhow!("{other:?} is not a direction; add `:asc` or `:desc` to the column")));
        }
    };
    let Some(column) = keys::<R>().find(|key| *key == name.to_lowercase()) else {
        let all: Vec<&str> = keys::<R>().collect();
        return Err(Failure::usage(anyhow!("cannot sort by {name:?}; the columns are {}", all.join(", "))));
    };
    Ok(Some(Sort { column: column.to_owned(), descending }))
}

/// Returns the names of the columns that rows can be sorted by.
pub(in crate::cli) fn keys<R: Columns>() -> impl Iterator<Item = &'static str> {
    R::COLUMNS.iter().filter(|column| column.is_sortable()).map(|column| column.key)
}

/// Returns the width of the terminal, in characters.
fn width() -> usize {
    let from_environment = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    from_environment.or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))).unwrap_or(100)
}
