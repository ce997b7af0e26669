//! THE table: one row an operation. Paths of the interface stand here and nowhere else.
//!
//! The first two groups are interface.md, 4.1 and 4.2, row by row, in the document's order: its name, our type, method
//! and path, inputs, response, Accept, and in brackets its marks. The third group holds the companion operations that a
//! desktop tool needs and services of this family offer (records, section 3).

use crate::model::activity::Activities;
use crate::model::application::{
    Application, Applications, DetectedExternalApplications, SeededTrackedInteractionEvent, SeededTrackedKeyboardEvent,
    Session, TrackedApplicationInstall, TrackedApplicationUpdate, TrackedInteractionEvent, TrackedKeyboardEvent,
};
use crate::model::asset::{
    Asset, AssetReclassification, Assets, ExportedAsset, FlattenedAssets, Formats, SeededAccessor,
};
use crate::model::conversation::Conversations;
use crate::model::export::ExportType;
use crate::model::id::{ApplicationId, AssetId, SessionId, TagId, WebsiteId, WorkstreamSummaryId};
use crate::model::linked::{
    SeededTag, SeededWebsite, SeededWorkstreamSummary, Tag, Tags, Website, Websites, WorkstreamSummaries,
    WorkstreamSummary,
};
use crate::model::seed::{SearchedAssets, Seed};
use crate::model::value::SeededScoreIncrement;

use super::input::{BodyInput, PathInput, QueryInput};
use super::rows::operations;
use super::{
    Accept, Answer, BadAnswer, BadPart, Group, Input, Label, Method, Operation, OperationInfo, Parts, Place,
    success_status,
};

operations! {
    Applications {
        /// Lists the external applications that integrate with the service or could: installed, not installed, anticipated.
        "applicationsExternalRelated" ApplicationsExternalRelated => Get "/applications/external/related"
            {} -> DetectedExternalApplications, JsonOrText [];
        /// Lists all external applications detected on the machine.
        "applicationsExternalSnapshot" ApplicationsExternalSnapshot => Get "/applications/external"
            {} -> DetectedExternalApplications, JsonOrText [];
        /// Lists all tracked applications.
        "applicationsSnapshot" ApplicationsSnapshot => Get "/applications"
            {} -> Applications, Json [];
        /// Reads one tracked application.
        "applicationsSpecificApplicationSnapshot" ApplicationsSpecificApplicationSnapshot => Get "/applications/{application}"
            { path application: ApplicationId } -> Application, Json [];
        /// Registers an application, so that the service tracks it.
        "applicationsRegister" ApplicationsRegister => Post "/applications/register"
            { body application: Option<Application> } -> Application, Json [deprecated];
        /// Opens a session.
        "applicationsSessionOpen" ApplicationsSessionOpen => Post "/applications/session/open"
            {} -> Session, Json [deprecated];
        /// Closes a session.
        "applicationsSessionClose" ApplicationsSessionClose => Post "/applications/session/close"
            { body session: Option<SessionId> } -> Session, Json [deprecated];
        /// Reads one session.
        "applicationsSessionSnapshot" ApplicationsSessionSnapshot => Get "/applications/sessions/{session}"
            { path session: SessionId } -> Session, Json [deprecated];
        /// Records an interaction event: a click or a tap.
        "applicationsUsageEngagementInteraction" ApplicationsUsageEngagementInteraction => Post "/applications/usage/engagement/interaction"
            { body event: Option<SeededTrackedInteractionEvent> } -> TrackedInteractionEvent, Json [deprecated scoped_to_apps];
        /// Records a keyboard event, shortcuts included.
        "applicationsUsageEngagementKeyboard" ApplicationsUsageEngagementKeyboard => Post "/applications/usage/engagement/keyboard"
            { body event: Option<SeededTrackedKeyboardEvent> } -> TrackedKeyboardEvent, Json [deprecated scoped_to_apps];
        /// Records the installation of an application.
        "applicationsUsageInstallation" ApplicationsUsageInstallation => Post "/applications/usage/installation"
            { body install: Option<TrackedApplicationInstall> } -> (), Undefined [deprecated];
        /// Records the update of an application from one version to another.
        "postApplicationsUsageUpdated" PostApplicationsUsageUpdated => Post "/applications/usage/updated"
            { body update: Option<TrackedApplicationUpdate> } -> (), Undefined [deprecated];
    }

    Asset {
        /// Links a tag to an asset.
        "assetAssociateTag" AssetAssociateTag => Post "/asset/{asset}/tags/associate/{tag}"
            { path asset: AssetId, path tag: TagId } -> (), Text [];
        /// Removes the link of a tag to an asset.
        "assetDisassociateTag" AssetDisassociateTag => Post "/asset/{asset}/tags/disassociate/{tag}"
            { path asset: AssetId, path tag: TagId } -> (), Text [];
        /// Links a website to an asset.
        "assetAssociateWebsite" AssetAssociateWebsite => Post "/asset/{asset}/websites/associate/{website}"
            { path asset: AssetId, path website: WebsiteId } -> (), Text [];
        /// Removes the link of a website to an asset.
        "assetDisassociateWebsite" AssetDisassociateWebsite => Post "/asset/{asset}/websites/disassociate/{website}"
            { path asset: AssetId, path website: WebsiteId } -> (), Text [];
        /// Links a workstream summary to an asset.
        "assetAssociateWorkstreamSummary" AssetAssociateWorkstreamSummary => Post "/asset/{asset}/workstream_summaries/associate/{workstream_summary}"
            { path asset: AssetId, path workstream_summary: WorkstreamSummaryId } -> (), Text [];
        /// Removes the link of a workstream summary to an asset.
        "assetDisassociateWorkstreamSummary" AssetDisassociateWorkstreamSummary => Post "/asset/{asset}/workstream_summaries/disassociate/{workstream_summary}"
            { path asset: AssetId, path workstream_summary: WorkstreamSummaryId } -> (), Text [];
        /// Lists the formats of an asset.
        "assetFormats" AssetFormats => Get "/asset/{asset}/formats"
            { path asset: AssetId, query transferables: Option<bool> } -> Formats, Json [scoped_to_asset];
        /// Reclassifies an asset to another language.
        "assetReclassify" AssetReclassify => Post "/asset/reclassify"
            { query transferables: Option<bool>, body reclassification: Option<AssetReclassification> } -> Asset, Json [];
        /// Increments one score of an asset.
        "assetScoresIncrement" AssetScoresIncrement => Post "/asset/{asset}/scores/increment"
            { path asset: AssetId, body increment: Option<SeededScoreIncrement> } -> (), Text [];
        /// Reads one asset.
        "assetSnapshot" AssetSnapshot => Get "/asset/{asset}"
            { path asset: AssetId, query transferables: Option<bool> } -> Asset, JsonOrText [scoped_to_asset];
        /// Reads one asset and says who asks.
        "assetSnapshotPost" AssetSnapshotPost => Post "/asset/{asset}"
            { path asset: AssetId, query transferables: Option<bool>, body accessor: Option<SeededAccessor> } -> Asset, Json [scoped_to_asset];
        /// Lists what happened to an asset.
        "assetSpecificAssetActivities" AssetSpecificAssetActivities => Get "/asset/{asset}/activities"
            { path asset: AssetId, query transferables: Option<bool> } -> Activities, JsonOrText [];
        /// Lists the conversations of an asset.
        "assetSpecificAssetConversations" AssetSpecificAssetConversations => Get "/asset/{asset}/conversations"
            { path asset: AssetId, query transferables: Option<bool> } -> Conversations, JsonOrText [];
        /// Exports an asset as a document.
        "assetSpecificAssetExport" AssetSpecificAssetExport => Get "/asset/{asset}/export"
            { path asset: AssetId, query export_type: ExportType } -> ExportedAsset, JsonOrText [];
        /// Updates an asset and gives back the whole of it.
        "assetUpdate" AssetUpdate => Post "/asset/update"
            { query transferables: Option<bool>, body asset: Option<Asset> } -> Asset, Json [scoped_to_asset];
    }

    Companion {
        /// Says that the service is there.
        "getWellKnownHealth" GetWellKnownHealth => Get "/.well-known/health"
            {} -> String, Text [];
        /// Tells the service's version.
        "getWellKnownVersion" GetWellKnownVersion => Get "/.well-known/version"
            {} -> String, Text [];
        /// Lists assets, newest first; all of them, or a page where the service knows `offset` and `limit`.
        "assetsSnapshot" AssetsSnapshot => Get "/assets"
            { query transferables: Option<bool>, query offset: Option<u64>, query limit: Option<u64> } -> Assets, Json [];
        /// Lists the ids of all assets.
        "assetsIdentifiersSnapshot" AssetsIdentifiersSnapshot => Get "/assets/identifiers"
            {} -> FlattenedAssets, Json [];
        /// Finds assets by name, tag, description and content.
        "searchAssets" SearchAssets => Get "/assets/search"
            { query query: Option<String>, query transferables: Option<bool> } -> SearchedAssets, Json [];
        /// Makes an asset from a seed; with `once`, gives back one of the same name and content instead, if there is one.
        "assetsCreateNewAsset" AssetsCreateNewAsset => Post "/assets/create"
            { query transferables: Option<bool>, query once: Option<bool>, body seed: Option<Seed> } -> Asset, Json [];
        /// Deletes an asset.
        "assetsDeleteAsset" AssetsDeleteAsset => Post "/assets/{asset}/delete"
            { path asset: AssetId } -> String, Text [];
        /// Lists all tags.
        "tagsSnapshot" TagsSnapshot => Get "/tags"
            {} -> Tags, Json [];
        /// Makes a tag.
        "tagsCreateNewTag" TagsCreateNewTag => Post "/tags/create"
            { body tag: Option<SeededTag> } -> Tag, Json [];
        /// Lists all websites.
        "websitesSnapshot" WebsitesSnapshot => Get "/websites"
            {} -> Websites, Json [];
        /// Makes a website.
        "websitesCreateNewWebsite" WebsitesCreateNewWebsite => Post "/websites/create"
            { body website: Option<SeededWebsite> } -> Website, Json [];
        /// Lists all workstream summaries.
        "workstreamSummariesSnapshot" WorkstreamSummariesSnapshot => Get "/workstream_summaries"
            {} -> WorkstreamSummaries, Json [];
        /// Makes a workstream summary.
        "workstreamSummariesCreateNewWorkstreamSummary" WorkstreamSummariesCreateNewWorkstreamSummary => Post "/workstream_summaries/create"
            { body summary: Option<SeededWorkstreamSummary> } -> WorkstreamSummary, Json [];
    }
}
