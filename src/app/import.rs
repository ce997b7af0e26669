//! Import: files, folders, samples and pasted text become assets.

use std::path::PathBuf;

use crate::app::App;
use crate::app::event::What;
use crate::app::state::{Grade, ImportSummary};
use crate::model::id::AssetId;
use crate::model::record::Record;
use crate::model::seed::Seed;
use crate::operation::table::AssetsCreateNewAsset;

impl App {
    pub(super) fn import(&mut self, _paths: Vec<PathBuf>) {}

    pub(super) fn import_samples(&mut self) {}

    pub(super) fn pick_files(&mut self) {
        let picked = self.setup.dialogs.files();
        self.start(async move { What::Picked(picked.await) }, |_| What::Picked(Vec::new()));
    }

    pub(super) fn pick_folder(&mut self) {
        let picked = self.setup.dialogs.folder();
        self.start(async move { What::Picked(picked.await.into_iter().collect()) }, |_| What::Picked(Vec::new()));
    }

    pub(super) fn imported(&mut self, summary: ImportSummary) {
        let (taken, existing, refused) = (summary.taken, summary.existing, summary.refused.len());
        let mut said = format!("Imported {taken} {}", if taken == 1 { "file" } else { "files" });
        if existing > 0 {
            said.push_str(&format!(", {existing} were there already"));
        }
        if refused > 0 {
            said.push_str(&format!(", {refused} could not be taken"));
        }
        if summary.cancelled {
            said.push_str(", then cancelled");
        }
        if refused > 0 || summary.cancelled {
            self.notify(Grade::Failed, said.clone());
        }
        self.state.import = (refused > 0).then(|| std::sync::Arc::new(summary));
        self.say(said);
        self.load_assets();
    }

    /// Makes an asset from text the user typed or pasted.
    pub(super) fn create(&mut self, name: String, text: String) {
        let tree = serde_json::json!({
            "type": "SEEDED_ASSET",
            "asset": {
                "application": application(),
                "format": { "fragment": { "string": { "raw": text } } },
                "metadata": { "name": name, "mechanism": "MANUAL" },
            },
        });
        self.state.making.ask();
        let wire = self.wire();
        let create = async move {
            let created = async {
                let seed = Seed::from_tree(tree).map_err(|wrong| wrong.to_string())?;
                let wire = wire.map_err(|error| error.to_string())?;
                let create = AssetsCreateNewAsset { transferables: Some(false), once: None, seed: Some(seed) };
                let asset = wire.call(create).await.map_err(|error| error.to_string())?;
                asset.view().id().parse::<AssetId>().map_err(|problem| problem.to_string())
            };
            What::Created(created.await)
        };
        self.start(create, |error| What::Created(Err(error.to_string())));
    }

    pub(super) fn created(&mut self, end: Result<AssetId, String>) {
        self.state.making.answer(end.clone());
        match end {
            Ok(id) => {
                self.say("Made an asset".to_owned());
                self.open_asset(id);
            }
            Err(problem) => self.notify(Grade::Failed, format!("the asset was not made: {problem}")),
        }
    }
}

/// What seeds say of the application they come from: this one.
pub(super) fn application() -> serde_json::Value {
    serde_json::json!({
        "id": "6c756e65-7474-4e00-8000-000000000001", "name": "OPEN_SOURCE", "version": env!("CARGO_PKG_VERSION"),
        "platform": "UNKNOWN", "onboarded": true, "privacy": "OPEN",
    })
}
