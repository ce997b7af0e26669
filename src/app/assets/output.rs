//! What background work about assets returns, and what it changes.

use crate::app::CallError;
use crate::app::assets::load::LeftOut;
use crate::app::assets::page::Content;
use crate::app::assets::search::Hits;
use crate::app::change::Item;
use crate::app::change::LinkKind;
use crate::app::listing::Query;
use crate::app::listing::rows::AssetColumn;
use crate::app::listing::rows::AssetRow;
use crate::app::settings::Recent;
use crate::app::{App, Remote};
use lunette_client::model::activity::Activities;
use lunette_client::model::asset::Asset;
use lunette_client::model::asset::Formats;
use lunette_client::model::conversation::Conversations;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use std::sync::Arc;

/// What a task about assets ended with.
pub(in crate::app) enum Output {
    /// The whole list of assets was read; which of them are too large to be listed.
    Listed(Result<Vec<LeftOut>, CallError>),
    /// The order for a query, what the service found and these rows.
    Arranged {
        query: Query<AssetColumn>,
        hits: Option<Arc<Hits>>,
        rows: Arc<Vec<Arc<AssetRow>>>,
        order: Arc<Vec<u32>>,
    },
    /// What the search of this number found.
    Found(u64, Result<Hits, CallError>),
    Read(AssetId, Result<Arc<Asset>, CallError>),
    Content(AssetId, Result<Content, CallError>),
    Formats(AssetId, Result<Arc<Formats>, CallError>),
    Activities(AssetId, Result<Arc<Activities>, CallError>),
    Conversations(AssetId, Result<Arc<Conversations>, CallError>),
    Linkable(LinkKind, Result<Vec<Item>, CallError>),
}

impl App {
    /// Takes in what a task ended with.
    pub(in crate::app) fn handle_assets(&mut self, output: Output) {
        match output {
            Output::Listed(end) => self.assets_listed(end),
            Output::Arranged { query, hits, rows, order } => self.assets_arranged(&query, hits.as_ref(), &rows, order),
            Output::Found(number, found) => self.found(number, found),
            Output::Read(id, record) => self.asset_read(id, record),
            Output::Content(id, content) => {
                self.page(id).content.answer(content);
                self.drop_old_pages();
            }
            Output::Formats(id, formats) => self.page(id).formats.answer(formats),
            Output::Activities(id, activities) => self.page(id).activities.answer(activities),
            Output::Conversations(id, conversations) => self.page(id).conversations.answer(conversations),
            Output::Linkable(kind, items) => {
                self.state.assets.linkable.entry(kind).or_default().answer(items.map(Arc::new));
                self.state.assets.linkable_revision += 1;
            }
        }
    }

    fn page(&mut self, id: AssetId) -> &mut crate::app::assets::page::AssetPage {
        self.state.pages.of.entry(id).or_default()
    }

    fn asset_read(&mut self, id: AssetId, record: Result<Arc<Asset>, CallError>) {
        let gone = matches!(&record, Err(CallError::Status { status: 404 | 410, .. }));
        let asset = record.as_ref().ok().cloned();
        self.page(id.clone()).record.answer(record);
        if gone {
            self.forget_asset(&id);
        }
        let Some(asset) = asset else { return };
        self.find_visits(&id);
        self.show_record(&asset);
        if self.state.pages.of.get(&id).is_some_and(|page| page.content == Remote::Unasked) {
            self.load_small_content(&id);
        }
        if self.state.pages.open.as_ref() == Some(&id) {
            let key = self.state.connection.key();
            let name = asset.view().name().unwrap_or_default().to_owned();
            self.set(|settings| settings.remember(&key, Recent { id: id.to_string(), name }));
        }
        self.drop_old_pages();
    }
}
