//! What the window can do at a service, and the operations that each capability needs.
//!
//! What must hold: a control that calls the service checks its capability with
//! [`crate::session::Connection::can_do`]; so an unsupported operation disables exactly the parts that need it.

use crate::item::LinkKind;
use lunette_client::operation::table::{
    ApplicationsDeleteSpecificApplication, ApplicationsExternalRelated, ApplicationsExternalSnapshot,
    ApplicationsRegister, ApplicationsSnapshot, ApplicationsSpecificApplicationSnapshot, AssetFormats, AssetReclassify,
    AssetScoresIncrement, AssetSnapshot, AssetSpecificAssetActivities, AssetSpecificAssetConversations,
    AssetSpecificAssetExport, AssetUpdate, AssetVersionsForget, AssetVersionsSnapshot, AssetsCreateNewAsset,
    AssetsDeleteAsset, AssetsSnapshot, AssetsTrashDelete, AssetsTrashEmpty, AssetsTrashRestore, AssetsTrashSnapshot,
    SearchAssets, VersionBoundsChange, VersionBoundsSnapshot,
};
use lunette_client::operation::{Operation as _, OperationInfo};

/// Something that the window can do at a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// Lists the tracked applications.
    Applications,
    /// Reads one of them.
    Application,
    /// Lists the applications found on the machine.
    Detected,
    /// Lists known integrations.
    Related,
    /// Registers one.
    Track,
    /// Deletes one that was registered.
    Untrack,
    /// Lists assets.
    Assets,
    /// Reads an asset.
    Asset,
    /// Reads contents.
    Search,
    /// Creates assets: imports, samples, text.
    CreateAsset,
    /// Edits the asset: its text, name, description, favourite, and the raw record.
    Edit,
    /// Changes the language.
    Reclassify,
    /// Increments a counter.
    Score,
    /// Deletes.
    Delete,
    /// Lists the deleted assets that can be restored.
    Trash,
    /// Restores one of them.
    Restore,
    /// Deletes one of them permanently.
    Purge,
    /// Deletes all of them permanently.
    EmptyTrash,
    /// Exports a document.
    Export,
    /// Reads the formats.
    Formats,
    /// Reads activities.
    Activities,
    /// Reads conversations.
    Conversations,
    /// Lists earlier versions of an asset.
    Versions,
    /// Deletes them.
    ForgetVersions,
    /// Says how many of them are kept.
    VersionBounds,
    /// Sets how many of them are kept.
    SetVersionBounds,
    /// Lists items that can be linked.
    Items(LinkKind),
    /// Creates an item and links it.
    LinkNew(LinkKind),
    /// Links an existing item.
    Link(LinkKind),
    /// Removes a link.
    Unlink(LinkKind),
    /// Replaces links of some items by a link of another.
    Relink(LinkKind),
    /// Creates an item, and replaces links of some items by a link of it.
    RelinkNew(LinkKind),
    /// Changes the name or the address of an item.
    EditItem(LinkKind),
    /// Deletes an item.
    DeleteItem(LinkKind),
}

impl Capability {
    /// All of them, in the order of the window.
    pub fn all() -> Vec<Self> {
        let mut all = vec![
            Self::Applications,
            Self::Application,
            Self::Detected,
            Self::Related,
            Self::Track,
            Self::Untrack,
            Self::Assets,
            Self::Asset,
            Self::Search,
            Self::CreateAsset,
            Self::Edit,
            Self::Reclassify,
            Self::Score,
            Self::Delete,
            Self::Trash,
            Self::Restore,
            Self::Purge,
            Self::EmptyTrash,
            Self::Export,
            Self::Formats,
            Self::Activities,
            Self::Conversations,
        ];
        all.extend([Self::Versions, Self::ForgetVersions, Self::VersionBounds, Self::SetVersionBounds]);
        for kind in LinkKind::ALL {
            all.extend([
                Self::Items(kind),
                Self::LinkNew(kind),
                Self::Link(kind),
                Self::Unlink(kind),
                Self::Relink(kind),
                Self::RelinkNew(kind),
                Self::EditItem(kind),
                Self::DeleteItem(kind),
            ]);
        }
        all
    }

    /// All operations that it needs. A change of an asset reads it first.
    pub fn operations(self) -> Vec<&'static OperationInfo> {
        let of = |info: &'static OperationInfo| vec![info];
        let change = |info: &'static OperationInfo| vec![AssetSnapshot::INFO, info];
        match self {
            Self::Applications => of(ApplicationsSnapshot::INFO),
            Self::Application => of(ApplicationsSpecificApplicationSnapshot::INFO),
            Self::Detected => of(ApplicationsExternalSnapshot::INFO),
            Self::Related => of(ApplicationsExternalRelated::INFO),
            Self::Track => of(ApplicationsRegister::INFO),
            Self::Untrack => of(ApplicationsDeleteSpecificApplication::INFO),
            Self::Assets => of(AssetsSnapshot::INFO),
            Self::Asset => of(AssetSnapshot::INFO),
            Self::Search => of(SearchAssets::INFO),
            Self::CreateAsset => of(AssetsCreateNewAsset::INFO),
            Self::Edit => change(AssetUpdate::INFO),
            Self::Reclassify => change(AssetReclassify::INFO),
            Self::Score => change(AssetScoresIncrement::INFO),
            Self::Delete => change(AssetsDeleteAsset::INFO),
            Self::Trash => of(AssetsTrashSnapshot::INFO),
            Self::Restore => change(AssetsTrashRestore::INFO),
            Self::Purge => change(AssetsTrashDelete::INFO),
            Self::EmptyTrash => of(AssetsTrashEmpty::INFO),
            Self::Export => of(AssetSpecificAssetExport::INFO),
            Self::Formats => of(AssetFormats::INFO),
            Self::Activities => of(AssetSpecificAssetActivities::INFO),
            Self::Conversations => of(AssetSpecificAssetConversations::INFO),
            Self::Versions => of(AssetVersionsSnapshot::INFO),
            Self::ForgetVersions => of(AssetVersionsForget::INFO),
            Self::VersionBounds => of(VersionBoundsSnapshot::INFO),
            Self::SetVersionBounds => of(VersionBoundsChange::INFO),
            Self::Items(kind) => of(kind.list()),
            Self::LinkNew(kind) => vec![AssetSnapshot::INFO, kind.create(), kind.link()],
            Self::Link(kind) => change(kind.link()),
            Self::Unlink(kind) => change(kind.unlink()),
            Self::Relink(kind) => vec![AssetSnapshot::INFO, kind.link(), kind.unlink()],
            Self::RelinkNew(kind) => vec![AssetSnapshot::INFO, kind.create(), kind.link(), kind.unlink()],
            Self::EditItem(kind) => of(kind.update()),
            Self::DeleteItem(kind) => of(kind.delete()),
        }
    }

    /// Its name, for use within a sentence.
    pub fn name(self) -> String {
        match self {
            Self::Applications => "the list of applications".to_owned(),
            Self::Application => "the details of an application".to_owned(),
            Self::Detected => "the applications found on the machine".to_owned(),
            Self::Related => "the supported applications".to_owned(),
            Self::Track => "tracking an application".to_owned(),
            Self::Untrack => "untracking applications".to_owned(),
            Self::Assets => "the list of assets".to_owned(),
            Self::Asset => "opening and changing assets".to_owned(),
            Self::Search => "content search".to_owned(),
            Self::CreateAsset => "importing and creating assets".to_owned(),
            Self::Edit => "editing texts, names, descriptions, favourites and records".to_owned(),
            Self::Reclassify => "reclassifying assets".to_owned(),
            Self::Score => "incrementing scores".to_owned(),
            Self::Delete => "deleting assets, and undoing their creation".to_owned(),
            Self::Trash => "the Trash".to_owned(),
            Self::Restore => "restoring deleted assets".to_owned(),
            Self::Purge => "deleting assets permanently".to_owned(),
            Self::EmptyTrash => "emptying the Trash".to_owned(),
            Self::Export => "exporting".to_owned(),
            Self::Formats => "the formats of an asset".to_owned(),
            Self::Activities => "the activity of an asset".to_owned(),
            Self::Conversations => "the conversations of an asset".to_owned(),
            Self::Versions => "earlier versions of an asset".to_owned(),
            Self::ForgetVersions => "forgetting earlier versions".to_owned(),
            Self::VersionBounds => "how many earlier versions are kept".to_owned(),
            Self::SetVersionBounds => "setting how many earlier versions are kept".to_owned(),
            Self::Items(kind) => format!("the list of {} (link by id instead)", many(kind)),
            Self::LinkNew(kind) => format!("creating a new {}", kind.one()),
            Self::Link(kind) => format!("linking a {}", kind.one()),
            Self::Unlink(kind) => format!("removing a {}", kind.one()),
            Self::Relink(kind) => format!("replacing a {} by another", kind.one()),
            Self::RelinkNew(kind) => format!("replacing a {} by a new one", kind.one()),
            Self::EditItem(kind) => format!("renaming a {}", kind.one()),
            Self::DeleteItem(kind) => format!("deleting a {}", kind.one()),
        }
    }

    /// The capabilities that need this operation.
    pub fn of(operation: &OperationInfo) -> Vec<Self> {
        // A change that reads first is covered by the capability that reads.
        let own = |capability: &Self| capability.operations().last() == Some(&operation);
        let also = |capability: &Self| capability.operations().contains(&operation) && operation != AssetSnapshot::INFO;
        Self::all().into_iter().filter(|capability| own(capability) || also(capability)).collect()
    }
}

fn many(kind: LinkKind) -> String {
    kind.many().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lunette_client::operation::OPERATIONS;

    #[test]
    fn every_feature_is_named_by_the_last_operation_it_needs() {
        for capability in Capability::all() {
            let operations = capability.operations();
            let last = operations.last().expect("it needs one");
            assert!(Capability::of(last).contains(&capability), "{capability:?}");
            assert!(!capability.name().is_empty() && OPERATIONS.contains(last));
        }
    }
}
