//! Made stores, what is written of them, and what is read back.

use std::path::Path;

use jiff::Timestamp;
use lunette_client::client::Client;
use lunette_client::operation::table::AssetsCreateNewAsset;
use lunette_inspector::Vendor;
use lunette_inspector::assets::load::PagedList;
use lunette_inspector::export::library::{ExportError, ExportOptions, ExportReport, Format, export_library};
use lunette_inspector::files::IfExists;
use lunette_inspector::import::engine::{
    ContentKind, ImportReport, NewAsset, NewWebsite, SendMode, TakenIds, import_entries,
};
use lunette_inspector::import::mapping::Mapping;
use lunette_inspector::import::sources::{SourcePlan, open};
use lunette_inspector::listing::Columns as _;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::tasks::CancelFlag;
use lunette_service::{Data, Running, start};
use lunette_sources::{Cancelled, Candidate, Files, Limits, Source};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use tokio::runtime::Runtime;

use crate::support;

/// A service with nothing in it.
pub struct Store {
    pub runtime: Runtime,
    service: Running,
}

impl Store {
    pub fn new() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let service = runtime.block_on(start(support::settings(Data::Memory))).expect("the service starts");
        Self { runtime, service }
    }

    pub fn client(&self) -> Client {
        support::client(&self.service)
    }

    pub fn port(&self) -> u16 {
        self.service.port()
    }

    /// A store of these assets.
    pub fn of(assets: &[NewAsset]) -> Self {
        let store = Self::new();
        for asset in assets {
            let seed = Some(asset.clone().seed(Vendor::Lunette).expect("a seed"));
            let call = AssetsCreateNewAsset { transferables: None, once: None, seed };
            store.runtime.block_on(store.client().call(call)).expect("an asset");
        }
        store
    }

    pub fn export(&self, format: Format, target: &Path) -> Result<ExportReport, ExportError> {
        self.export_until(format, target, CancelFlag::default())
    }

    pub fn export_until(&self, format: Format, target: &Path, cancel: CancelFlag) -> Result<ExportReport, ExportError> {
        self.export_through(self.client(), format, target, cancel)
    }

    /// Exports through another client, such as one of a proxy in front of the service.
    pub fn export_through(
        &self,
        client: Client,
        format: Format,
        target: &Path,
        cancel: CancelFlag,
    ) -> Result<ExportReport, ExportError> {
        let columns = AssetRow::COLUMNS.iter().filter(|column| column.is_shown(None)).collect();
        let options = ExportOptions {
            format,
            target: target.to_owned(),
            if_exists: IfExists::Refuse,
            what: "all".to_owned(),
            columns,
            vendor: Vendor::Lunette,
        };
        self.runtime.block_on(async {
            let mut pages = PagedList::new(self.client()).of_vendor(Vendor::Lunette);
            let mut rows = Vec::new();
            while let Some(page) = pages.next().await {
                rows.extend(page.expect("a page"));
            }
            export_library(client, rows, options, |_| {}, cancel).await
        })
    }

    pub fn import(&self, path: &Path) -> (SourcePlan, ImportReport) {
        self.import_with(path, TakenIds::default())
    }

    /// Imports, and says what becomes of assets whose ids are taken.
    pub fn import_with(&self, path: &Path, taken: TakenIds) -> (SourcePlan, ImportReport) {
        let mut plan = open(path, None, Mapping::default(), &CancelFlag::default())
            .expect("it is read")
            .library()
            .expect("it is recognised");
        plan.set_taken_ids(taken, None);
        let entries = plan.entries();
        let import = import_entries(self.client(), entries, SendMode::Batches, |_| {}, CancelFlag::default());
        let report = self.runtime.block_on(import);
        (plan, report)
    }
}

pub fn candidates(path: &Path) -> (Option<Source>, Vec<Candidate>) {
    let files = Files::open(path, Limits::default(), Cancelled(None)).expect("it is there");
    let source = lunette_sources::recognise(&files);
    let library = lunette_sources::read(&files, source.expect("it is recognised"));
    // The settings of Obsidian are a hidden folder of a vault.
    let warnings = library.warnings.iter().map(ToString::to_string).filter(|warning| !warning.contains("/.obsidian: "));
    assert_eq!(warnings.collect::<Vec<_>>(), [""; 0]);
    (source, library.candidates)
}

/// What an import carries of each asset in an archive: all but its id.
pub fn carried(archive: &Path) -> Vec<String> {
    let carried = |candidate: Candidate| {
        let mut candidate = Candidate { source_id: String::new(), ..candidate };
        candidate.tags.sort();
        if let Some(native) = &mut candidate.native {
            native.websites.sort();
            native.annotations.sort();
            // It has ids and dates; see the tests of `history`.
            native.archived.clear();
        }
        assert!(candidate.warnings.is_empty(), "{candidate:?}");
        format!("{candidate:?}")
    };
    let mut all: Vec<_> = candidates(archive).1.into_iter().map(carried).collect();
    all.sort();
    all
}

/// When an asset was created and changed, if that is said.
pub fn any_dates() -> impl Strategy<Value = (Option<Timestamp>, Option<Timestamp>)> {
    let date = |microseconds: i64| Timestamp::from_microsecond(microseconds).ok();
    let dates = (0..1_700_000_000_000_000_i64, 0..1_000_000_000_000_i64);
    let dates = dates.prop_map(move |(created, later)| (date(created), date(created + later)));
    prop_oneof![2 => dates, 1 => Just((None, None))]
}

/// Assets with any names, contents, tags, websites, annotations and dates.
pub fn any_asset() -> impl Strategy<Value = NewAsset> {
    let name = prop_oneof![
        4 => "[ -~]{1,30}", 2 => "\\PC{1,20}",
        2 => proptest::sample::select(vec!["CON", "a/b", "../x", "A.rs", "a.RS", "a.rs", ".hidden", "x.", "e\u{301}", "é"]).prop_map(str::to_owned),
    ];
    let content = prop_oneof![
        4 => "(?s).{1,200}".prop_map(|text| (text.into_bytes(), ContentKind::Text)),
        1 => "[a-z\r\n\t ]{1,80}".prop_map(|text| (text.into_bytes(), ContentKind::Text)),
        1 => "\u{feff}[a-z]{1,9}".prop_map(|text| (text.into_bytes(), ContentKind::Text)),
        1 => prop::collection::vec(any::<u8>(), 1..80).prop_map(|bytes| (bytes, ContentKind::File)),
        1 => "[a-z]{1,20}".prop_map(|text| (text.into_bytes(), ContentKind::File)),
    ];
    let texts = |pattern| prop::collection::vec(pattern, 0..4);
    let kind = proptest::sample::select(vec!["DESCRIPTION", "COMMENT", "SUMMARY"]);
    let language = proptest::option::of(proptest::sample::select(vec!["rs", "py", "md", "html"]));
    (
        name,
        content,
        texts("\\PC{1,12}"),
        texts("[a-z]{1,9}"),
        prop::collection::vec((kind, "\\PC{1,30}"), 0..3),
        any::<bool>(),
        language,
        any_dates(),
    )
        .prop_map(|(name, (content, kind), tags, sites, annotations, favourite, language, (created, updated))| {
            NewAsset {
                name: Some(name),
                language: language.filter(|_| kind == ContentKind::Text).map(str::to_owned),
                tags: tags.into_iter().filter(|tag| !tag.trim().is_empty()).collect(),
                annotations: annotations.into_iter().map(|(kind, text)| (kind.to_owned(), text)).collect(),
                websites: sites
                    .into_iter()
                    .map(|site| NewWebsite { url: format!("https://{site}.example/"), name: site })
                    .collect(),
                favourite,
                created,
                updated,
                content,
                kind,
                ..NewAsset::default()
            }
        })
}

/// So many stores, of which every second one has an asset twice.
pub fn any_stores(count: usize) -> Vec<Vec<NewAsset>> {
    let mut runner = TestRunner::deterministic();
    let strategy = prop::collection::vec(any_asset(), 0..16);
    let store = |number| {
        let mut assets = strategy.new_tree(&mut runner).expect("a store").current();
        if number % 2 == 0 {
            assets.extend(assets.first().cloned());
        }
        assets
    };
    (0..count).map(store).collect()
}

pub fn some_assets() -> Vec<NewAsset> {
    let text = |name: &str, language: &str, text: &str| NewAsset {
        name: Some(name.to_owned()),
        language: Some(language.to_owned()),
        tags: vec!["data base".to_owned(), "two".to_owned()],
        annotations: vec![NewAsset::description(format!("About {name}"))],
        websites: vec![NewWebsite { url: "https://a.example/".to_owned(), name: "A".to_owned() }],
        content: text.as_bytes().to_vec(),
        kind: ContentKind::Text,
        ..NewAsset::default()
    };
    let fence = "````\n```rust\nlet x = \"$1\";\n```\n````\n\\d ü 😀\n";
    vec![
        NewAsset { favourite: true, ..text("main.rs", "rs", "fn main() {}\n") },
        text("Fences: \"odd\"", "py", fence),
        text("MAIN.rs", "rs", "fn other() {}"),
        text("Notes", "md", "# Notes\n\nText\n"),
    ]
}
