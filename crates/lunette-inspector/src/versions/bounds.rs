//! How many versions the service of this program keeps: told and set.

use super::{Output, SourceError, Versions};
use crate::action::VersionsAction;
use crate::capability::Capability;
use crate::confirm::Confirmation;
use crate::context::Context;
use crate::notifications::Topic;
use crate::request_versions::ResourceKey;
use crate::settings::VersionBounds;
use crate::{WritePolicy, internal_error};
use lunette_client::model::record::{Record as _, View};
use lunette_client::model::version;
use lunette_client::operation::table::{VersionBoundsChange, VersionBoundsSnapshot};
use serde_json::json;

/// What is said before versions are deleted.
const DELETES: &str = "Versions beyond these limits are deleted within ten minutes. This cannot be undone. What assets were at \
                       a checkpoint that somebody made is kept.";

/// What a service says, as far as it is a number that can be set.
fn of_record(told: View<'_, version::VersionBounds>) -> VersionBounds {
    let small = |value: i64| u32::try_from(value).unwrap_or_default();
    VersionBounds {
        days: small(told.days()),
        versions: small(told.versions()),
        bytes: u64::try_from(told.bytes()).unwrap_or_default(),
    }
}

/// Whether some versions that these bounds keep are deleted by the others.
fn deletes(before: VersionBounds, after: VersionBounds) -> bool {
    after.days < before.days || after.versions < before.versions || after.bytes < before.bytes
}

impl Versions {
    pub(super) fn load_bounds(&mut self, cx: &mut Context<'_>) {
        self.bounds.start_loading();
        let client = cx.client();
        let read = async move { Ok(of_record(client?.call(VersionBoundsSnapshot {}).await?.view())) };
        cx.read(ResourceKey::VersionBounds, read, Output::BoundsRead);
    }

    pub(super) fn bounds_read(&mut self, read: Result<VersionBounds, SourceError>) {
        self.bounds.resolve(read);
    }

    /// Sets the bounds; asks first if they delete versions.
    pub(super) fn ask_to_set_bounds(&mut self, bounds: VersionBounds, cx: &mut Context<'_>) {
        if cx.blocks_write(Capability::SetVersionBounds, "Could not set how many versions are kept") {
            return;
        }
        let deletes = self.bounds.value().is_none_or(|before| deletes(*before, bounds));
        let (title, text, button) = match deletes {
            true => ("Keep fewer versions?", DELETES, "Keep fewer"),
            false => ("Set how many versions the service keeps?", "No version is deleted for that.", "Set"),
        };
        let asked = Confirmation::writes(title.to_owned(), text.to_owned(), button, |confirmed| {
            VersionsAction::SetBoundsConfirmed(bounds, confirmed)
        });
        match deletes || cx.connection.write_policy == WritePolicy::Confirm {
            true => cx.ask_first(Confirmation { deletes, ..asked }),
            false => cx.without_asking(asked),
        }
    }

    pub(super) fn set_bounds(&mut self, bounds: VersionBounds, cx: &mut Context<'_>) {
        let client = cx.client();
        let VersionBounds { days, versions, bytes } = bounds;
        let body = version::VersionBounds::from_tree(json!({ "days": days, "versions": versions, "bytes": bytes }));
        let set = async move {
            let body = body.map_err(|error| internal_error(error.to_string()))?;
            Ok(of_record(client?.call(VersionBoundsChange { bounds: Some(body) }).await?.view()))
        };
        cx.run(set, Output::BoundsSet);
    }

    pub(super) fn bounds_set(&mut self, set: Result<VersionBounds, SourceError>, cx: &mut Context<'_>) {
        match set {
            Ok(bounds) => {
                self.bounds.resolve(Ok(bounds));
                cx.show_success("Set how many versions the service keeps".to_owned());
            }
            Err(error) => {
                let message = format!("How many versions are kept was not changed: {error}");
                cx.notify_failed(Topic::Settings, message, Vec::new());
                self.load_bounds(cx);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_that_are_lower_in_anything_delete_versions() {
        let usual = VersionBounds::default();
        assert!(!deletes(usual, usual));
        assert!(!deletes(usual, VersionBounds { days: 91, versions: 201, bytes: usual.bytes + 1 }));
        for lower in [
            VersionBounds { days: 89, versions: 400, ..usual },
            VersionBounds { versions: 199, ..usual },
            VersionBounds { bytes: 1, ..usual },
        ] {
            assert!(deletes(usual, lower), "{lower:?}");
        }
    }
}
