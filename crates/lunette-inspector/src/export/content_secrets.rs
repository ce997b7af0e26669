//! Shows possible secrets in the content of an asset before it is saved.

use std::sync::Arc;

use lunette_client::model::id::AssetId;
use lunette_secrets::{Finding, find, find_in_bytes};

use super::{Action, Exports, Output};
use crate::assets::page::{Content, OpenAssets};
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::tasks::blocking;

impl Exports {
    /// Searches the content of an asset before it is saved.
    pub(super) fn search_content(&mut self, id: AssetId, pages: &OpenAssets, cx: &mut Context<'_>) {
        let content = pages.of.get(&id).and_then(|page| page.content.value());
        let search: Box<dyn FnOnce() -> Vec<Finding> + Send> = match content {
            Some(Content::Text(text)) => {
                let text = Arc::clone(text);
                Box::new(move || find(&text))
            }
            Some(Content::Bytes(bytes)) => {
                let bytes = Arc::clone(bytes);
                Box::new(move || find_in_bytes(&bytes))
            }
            Some(Content::Part(..) | Content::Large(_) | Content::None) | None => return,
        };
        cx.run(blocking(search), move |found| Output::Searched(id, found.unwrap_or_default()));
    }

    /// Saves the content if nothing was found; otherwise asks first.
    pub(super) fn searched(&mut self, id: AssetId, found: &[Finding], pages: &OpenAssets, cx: &mut Context<'_>) {
        if found.is_empty() {
            return self.save_content(&id, pages, cx);
        }
        let text = format!("{}\nNothing has been written yet. Nothing will be left out.", locations(found));
        let title = "Save content that may contain a secret?".to_owned();
        cx.ask_first(Confirmation::here(title, text, "Save", |confirmed| Action::SaveContentConfirmed(id, confirmed)));
    }
}

/// The maximum number of findings listed.
const MAX_LISTED: usize = 10;

/// Returns where something was found, and by which rule.
pub fn locations(found: &[Finding]) -> String {
    let mut locations: Vec<String> =
        found.iter().take(MAX_LISTED).map(|finding| format!("line {} ({})", finding.line, finding.rule)).collect();
    if found.len() > MAX_LISTED {
        locations.push(format!("and {} more", found.len() - MAX_LISTED));
    }
    locations.join(", ")
}
