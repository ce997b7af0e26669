//! `lunette tag` and `lunette untag`: links a tag to assets, or removes the link.
//!
//! What must hold: a tag that exists is linked, whatever the case of its letters; only one that does not is created.

use anyhow::anyhow;

use lunette_client::client::CallError;
use lunette_client::model::id::AssetId;
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::AssetSnapshot;
use lunette_inspector::assets::linkable;
use lunette_inspector::change::{Item, LinkKind, linked};
use lunette_inspector::runs::{BulkOperation, RunRecord};

use crate::cli::Failure;
use crate::cli::asset_id::Selection;
use crate::cli::changes;
use crate::cli::changes::IN_FLIGHT;
use crate::cli::connect::{self, Service};
use crate::cli::target::WriteTarget;

/// What `tag` and `untag` take.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Text of the tag.
    #[arg(value_name = "NAME")]
    tag: String,
    #[command(flatten)]
    assets: Selection,
    #[command(flatten)]
    target: WriteTarget,
}

/// Links the tag, and creates it if it does not exist.
pub fn tag(arguments: &Arguments) -> Result<(), Failure> {
    let text = arguments.tag.trim().to_owned();
    if text.is_empty() {
        return Err(Failure::usage(anyhow!("a tag needs a text")));
    }
    run(arguments, |known| match known {
        Some(item) => Ok(BulkOperation::Link(item)),
        None => Ok(BulkOperation::LinkNew { kind: LinkKind::Tag, text, url: None, unlink: Vec::new() }),
    })
}

/// Removes the links of the tag; the tag itself remains.
pub fn untag(arguments: &Arguments) -> Result<(), Failure> {
    let none = || Failure::failed(anyhow!("there is no tag {:?}", arguments.tag));
    run(arguments, |known| known.map(BulkOperation::Unlink).ok_or_else(none))
}

fn run(
    arguments: &Arguments,
    operation: impl FnOnce(Option<Item>) -> Result<BulkOperation, Failure>,
) -> Result<(), Failure> {
    let selected = arguments.assets.read()?;
    changes::run(&arguments.target, async |service: &Service| {
        let assets = selected.find(service).await?;
        if assets.is_empty() {
            return Ok(None);
        }
        let tags = tags(service, &assets).await.map_err(connect::failure)?;
        let operation = operation(named(tags, arguments.tag.trim())?)?;
        let title = operation.title(assets.len());
        Ok(Some(RunRecord::of_operation(title, operation, &assets, IN_FLIGHT).into()))
    })
}

/// Returns the tags of the service; if it does not list them, those of these assets.
async fn tags(service: &Service, assets: &[(AssetId, String)]) -> Result<Vec<Item>, CallError> {
    match linkable::list(&service.client, LinkKind::Tag, service.vendor).await {
        Err(error) if error.missing() => {}
        tags => return tags,
    }
    let mut tags: Vec<Item> = Vec::new();
    for (asset, _) in assets {
        let call = AssetSnapshot { asset: asset.clone(), transferables: Some(false) };
        match service.client.call(call).await {
            Ok(asset) => tags.extend(linked(asset.view(), LinkKind::Tag)),
            // Its change reports what happened to it.
            Err(CallError::Status { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    tags.dedup_by(|one, other| one.id == other.id);
    Ok(tags)
}

/// Returns the tag, or another item, with this text; if there is none, the only one that differs in the case of its letters.
pub(in crate::cli) fn named(tags: Vec<Item>, text: &str) -> Result<Option<Item>, Failure> {
    if let Some(tag) = tags.iter().find(|tag| tag.text == text) {
        return Ok(Some(tag.clone()));
    }
    let wanted = text.to_lowercase();
    let mut alike = tags.into_iter().filter(|tag| tag.text.to_lowercase() == wanted);
    match (alike.next(), alike.next()) {
        (Some(first), Some(second)) => Err(Failure::usage(anyhow!(
            "{text:?} may be the {} {:?} or {:?}; write it as one of them",
            first.kind.one(),
            first.text,
            second.text
        ))),
        (tag, _) => Ok(tag),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_found_in_any_case_unless_two_differ_only_by_case() {
        let tag = |text: &str| Item::new(LinkKind::Tag, text, text, None);
        let tags = || vec![tag("Rust"), tag("todo"), tag("Todo")];
        let found =
            |text: &str| named(tags(), text).map(|tag| tag.map(|tag| tag.text)).map_err(|error| error.to_string());
        assert_eq!(found("rust"), Ok(Some("Rust".to_owned())));
        assert_eq!(found("todo"), Ok(Some("todo".to_owned())));
        assert_eq!(found("none"), Ok(None));
        assert!(found("TODO").is_err_and(|error| error.contains("\"todo\" or \"Todo\"")));
    }
}
