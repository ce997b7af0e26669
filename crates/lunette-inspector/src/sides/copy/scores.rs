//! What copies lose of the scores of their assets: a service makes some of them from its own activities, and one of
//! another program takes no score and no time at all.

use lunette_client::model::View;
use lunette_client::model::asset::Asset;
use lunette_client::model::size::plural;
use serde_json::Value;

/// The scores that are sums of activities, which are not copied.
const SUMS: [&str; 2] = ["manual", "automatic"];

/// What copies do not have of the scores of their assets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostScores {
    /// For a row: how many assets it is about.
    pub short: String,
    /// In a sentence, with the reason.
    pub sentence: String,
}

/// How many of the assets that are created have scores that their copies do not have.
#[derive(Debug, Default)]
pub(super) struct Scored {
    /// A service of ours has their other counters.
    sums: usize,
    /// A service of another program sets all of their scores and times.
    all: usize,
}

impl Scored {
    /// Counts an asset that is created; `keeps` is whether its counters and times are kept.
    pub fn add(&mut self, asset: View<'_, Asset>, keeps: bool) {
        let score = &asset.tree()["score"];
        let is_set = |value: &Value| value.as_i64().is_some_and(|count| count != 0);
        if !keeps {
            let mut all = score.as_object().into_iter().flat_map(|score| score.values());
            self.all += usize::from(all.any(is_set));
        } else if SUMS.iter().any(|name| is_set(&score[*name])) {
            self.sums += 1;
        }
    }

    /// What is lost at this side; `None` if nothing is.
    pub fn lost(&self, target: &str) -> Option<LostScores> {
        let (count, which, why) = match (self.sums, self.all) {
            (0, 0) => return None,
            (sums, 0) => (sums, " “manual” and “automatic”", "makes them from its own activities"),
            (_, all) => (all, "", "sets its own scores and times"),
        };
        let assets = plural(count, "asset");
        Some(LostScores {
            short: format!("scores of {assets} not copied"),
            sentence: format!("The scores{which} of {assets} are not copied: {target} {why}"),
        })
    }
}
