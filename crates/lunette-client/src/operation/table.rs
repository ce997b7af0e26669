//! The table of operations: one row per operation. Paths of the interface are written here only, except those of streams.
//!
//! The first two groups are interface.md, 4.1 and 4.2, row by row, in the document's order: its name, our type, method
//! and path, inputs, response, Accept, and in brackets its marks (`reads`: a POST that changes nothing; `updates`: of
//! the record in its body only the id is required; `content`: its body may hold the content of an asset;
//! `optional_body`: it does something without its body; `cached`: its answer depends on the store alone and is asked for
//! often, so that a service may keep it; `streamed`: its answer has no limit, so that a service sends it while it is
//! still being written, and keeps at most a short one; `conflicts`: it may conflict with stored data). The third group
//! holds the extension operations that services of this family offer beside it, by the names of their public clients
//! (records, section 3). Streams, which are not requests, have a table of their own in `stream.rs`.

use crate::model::activity::*;
use crate::model::application::*;
use crate::model::asset::*;
use crate::model::conversation::*;
use crate::model::event::EventKind;
use crate::model::export::ExportType;
use crate::model::fingerprint::*;
use crate::model::id::*;
use crate::model::linked::*;
use crate::model::local::*;
use crate::model::material::*;
use crate::model::related::*;
use crate::model::search_result::*;
use crate::model::seed::*;
use crate::model::value::SeededScoreIncrement;
use crate::model::version::*;

use super::input::{BodyInput, PathInput, QueryInput};
use super::rows::operations;
use super::{
    Accept, DecodeError, Group, Input, InputLocation, InvalidInput, Label, Method, Operation, OperationInfo,
    RequestParts, ResponseBody, success_status,
};

operations! {
    Applications {
        /// Lists the external applications that the service supports or plans to support, installed or not.
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
        /// Registers an application for tracking.
        "applicationsRegister" ApplicationsRegister => Post "/applications/register"
            { body application: Option<Application> } -> Application, Json [deprecated];
        /// Opens a session.
        "applicationsSessionOpen" ApplicationsSessionOpen => Post "/applications/session/open"
            {} -> Session, Json [deprecated];
        /// Closes a session.
        "applicationsSessionClose" ApplicationsSessionClose => Post "/applications/session/close"
            { body session: Option<SessionId> } -> Session, Json [deprecated optional_body];
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
            { path asset: AssetId, query transferables: Option<bool> } -> Formats, Json [scoped_to_asset cached];
        /// Reclassifies an asset to another language.
        "assetReclassify" AssetReclassify => Post "/asset/reclassify"
            { query transferables: Option<bool>, body reclassification: Option<AssetReclassification> } -> Asset, Json [];
        /// Increments one score of an asset.
        "assetScoresIncrement" AssetScoresIncrement => Post "/asset/{asset}/scores/increment"
            { path asset: AssetId, body increment: Option<SeededScoreIncrement> } -> (), Text [optional_body];
        /// Reads one asset.
        "assetSnapshot" AssetSnapshot => Get "/asset/{asset}"
            { path asset: AssetId, query transferables: Option<bool> } -> Asset, JsonOrText [scoped_to_asset cached];
        /// Reads one asset on behalf of a user.
        "assetSnapshotPost" AssetSnapshotPost => Post "/asset/{asset}"
            { path asset: AssetId, query transferables: Option<bool>, body accessor: Option<SeededAccessor> } -> Asset, Json [scoped_to_asset reads optional_body];
        /// Lists the activity of an asset.
        "assetSpecificAssetActivities" AssetSpecificAssetActivities => Get "/asset/{asset}/activities"
            { path asset: AssetId, query transferables: Option<bool> } -> Activities, JsonOrText [streamed];
        /// Lists the conversations of an asset.
        "assetSpecificAssetConversations" AssetSpecificAssetConversations => Get "/asset/{asset}/conversations"
            { path asset: AssetId, query transferables: Option<bool> } -> Conversations, JsonOrText [streamed];
        /// Exports an asset as a document.
        "assetSpecificAssetExport" AssetSpecificAssetExport => Get "/asset/{asset}/export"
            { path asset: AssetId, query export_type: ExportType } -> ExportedAsset, JsonOrText [];
        /// Updates an asset and returns it.
        "assetUpdate" AssetUpdate => Post "/asset/update"
            { query transferables: Option<bool>, body asset: Option<Asset> } -> Asset, Json [scoped_to_asset content updates];
    }

    Extension {
        /// Returns the health of the service.
        "getWellKnownHealth" GetWellKnownHealth => Get "/.well-known/health" {} -> String, Text [];
        /// Returns the version of the service.
        "getWellKnownVersion" GetWellKnownVersion => Get "/.well-known/version" {} -> String, Text [];
        /// Returns the OpenAPI 3.1 document of all operations.
        "openapi" Openapi => Get "/openapi.json" {} -> OpenApi, Json [];
        /// Lists assets, newest first; one page if the service supports `offset` and `limit`.
        "assetsSnapshot" AssetsSnapshot => Get "/assets"
            { query transferables: Option<bool>, query suggested: Option<bool>, query pseudo: Option<bool>, query offset: Option<u64>, query limit: Option<u64> } -> Assets, Json [streamed];
        /// Lists the ids of all assets.
        "assetsIdentifiersSnapshot" AssetsIdentifiersSnapshot => Get "/assets/identifiers"
            { query pseudo: Option<bool> } -> FlattenedAssets, JsonOrText [streamed];
        /// Lists what a list shows of assets, most recently updated first; `after` is the `next` of the page before.
        "assetsRowsSnapshot" AssetsRowsSnapshot => Get "/assets/rows"
            { query after: Option<String>, query limit: Option<u64> } -> AssetRows, Json [streamed];
        /// Lists what tells assets apart, in the order of their creation; `position` is the `next` of the page before.
        "assetsFingerprintsSnapshot" AssetsFingerprintsSnapshot => Get "/assets/fingerprints"
            { query position: Option<u64>, query limit: Option<u64> } -> AssetFingerprints, Json [streamed];
        /// Lists the ids of assets that were not saved deliberately.
        "assetsPseudoSnapshot" AssetsPseudoSnapshot => Get "/assets/pseudo" {} -> PseudoAssets, JsonOrText [streamed];
        /// Finds assets by name, tag, description and content, or by tags alone; with `exact`, only those that have every word as typed.
        "searchAssets" SearchAssets => Get "/assets/search"
            { query query: Option<String>, query transferables: Option<bool>, query searchable_tags: Option<String>, query pseudo: Option<bool>, query exact: Option<bool> } -> SearchedAssets, JsonOrText [streamed];
        /// Finds assets by words, with filters.
        "assetsSearchWithFilters" AssetsSearchWithFilters => Post "/assets/search"
            { query transferables: Option<bool>, query pseudo: Option<bool>, query exact: Option<bool>, body search: Option<AssetsSearchWithFiltersInput> } -> AssetsSearchWithFiltersOutput, JsonOrText [reads streamed];
        /// Creates an asset from a seed; with `once`, returns an existing asset of the same name and content instead.
        "assetsCreateNewAsset" AssetsCreateNewAsset => Post "/assets/create"
            { query transferables: Option<bool>, query once: Option<bool>, body seed: Option<Seed> } -> Asset, Json [content];
        /// Creates assets from up to 256 seeds in one transaction; a rejected seed does not affect the others.
        "assetsCreateBatch" AssetsCreateBatch => Post "/assets/create/batch"
            { query once: Option<bool>, query records: Option<bool>, body seeds: Option<Seeds> } -> CreatedAssets, Json [];
        /// Previews the asset of a seed without creating it.
        "assetsDraft" AssetsDraft => Post "/assets/draft" { query transferables: Option<bool>, body seed: Option<Seed> } -> Seed, JsonOrText [reads content];
        /// Reads one asset.
        "assetsSpecificAssetSnapshot" AssetsSpecificAssetSnapshot => Get "/assets/{asset}"
            { path asset: AssetId, query transferables: Option<bool> } -> Asset, JsonOrText [cached];
        /// Lists the formats of an asset.
        "assetsSpecificAssetFormatsSnapshot" AssetsSpecificAssetFormatsSnapshot => Get "/assets/{asset}/formats"
            { path asset: AssetId, query transferables: Option<bool> } -> Formats, Json [cached];
        /// Lists the assets that are related to one, the closest first, and what they have in common: 20, or up to 100 with `limit`.
        "assetsSpecificAssetRelatedSnapshot" AssetsSpecificAssetRelatedSnapshot => Get "/assets/{asset}/related"
            { path asset: AssetId, query limit: Option<u64> } -> RelatedAssets, Json [];
        /// Lists the groups of assets that are near duplicates of one another; all texts are read, which takes seconds.
        "assetsNearDuplicatesSnapshot" AssetsNearDuplicatesSnapshot => Get "/assets/near_duplicates"
            {} -> NearDuplicates, Json [streamed];
        /// Deletes an asset; moves it to the Trash if the service has one.
        "assetsDeleteAsset" AssetsDeleteAsset => Post "/assets/{asset}/delete" { path asset: AssetId } -> String, Text [];
        /// Lists the assets in the Trash, last deleted first, without content, links and annotations.
        "assetsTrashSnapshot" AssetsTrashSnapshot => Get "/assets/trash"
            { query offset: Option<u64>, query limit: Option<u64> } -> Assets, JsonOrText [streamed];
        /// Restores an asset from the Trash.
        "assetsTrashRestore" AssetsTrashRestore => Post "/assets/trash/{asset}/restore"
            { path asset: AssetId, query transferables: Option<bool> } -> Asset, JsonOrText [];
        /// Deletes an asset in the Trash permanently.
        "assetsTrashDelete" AssetsTrashDelete => Post "/assets/trash/{asset}/delete" { path asset: AssetId } -> (), Text [conflicts];
        /// Deletes everything in the Trash permanently, but only if it holds `count` assets.
        "assetsTrashEmpty" AssetsTrashEmpty => Post "/assets/trash/empty" { query count: Option<u64> } -> (), Text [conflicts];
        /// Finds assets by the words in their content.
        "fullTextSearch" FullTextSearch => Get "/search/full_text"
            { query query: String, query pseudo: Option<bool>, query exact: Option<bool> } -> SearchedAssets, JsonOrText [];
        /// Finds assets as the full-text search does; the service has no embeddings to search by meaning.
        "neuralCodeSearch" NeuralCodeSearch => Get "/search/neural_code"
            { query query: String, query pseudo: Option<bool>, query exact: Option<bool> } -> SearchedAssets, JsonOrText [];
        /// Finds assets by their tags.
        "tagBasedSearch" TagBasedSearch => Post "/search/tag_based"
            { query pseudo: Option<bool>, body tags: Option<SeededAssetTags> } -> SearchedAssets, JsonOrText [reads];
        /// Links a conversation to an asset.
        "assetAssociateConversation" AssetAssociateConversation => Post "/asset/{asset}/conversations/associate/{conversation}"
            { path asset: AssetId, path conversation: ConversationId } -> (), Text [];
        /// Removes the link of a conversation to an asset.
        "assetDisassociateConversation" AssetDisassociateConversation => Post "/asset/{asset}/conversations/disassociate/{conversation}"
            { path asset: AssetId, path conversation: ConversationId } -> (), Text [];
        /// Links a person to an asset.
        "assetAssociatePerson" AssetAssociatePerson => Post "/asset/{asset}/persons/associate/{person}"
            { path asset: AssetId, path person: PersonId } -> (), Text [];
        /// Removes the link of a person to an asset.
        "assetDisassociatePerson" AssetDisassociatePerson => Post "/asset/{asset}/persons/disassociate/{person}"
            { path asset: AssetId, path person: PersonId } -> (), Text [];
        /// Links an anchor to an asset.
        "assetAssociateAnchor" AssetAssociateAnchor => Post "/asset/{asset}/anchors/associate/{anchor}"
            { path asset: AssetId, path anchor: AnchorId } -> (), Text [];
        /// Removes the link of an anchor to an asset.
        "assetDisassociateAnchor" AssetDisassociateAnchor => Post "/asset/{asset}/anchors/disassociate/{anchor}"
            { path asset: AssetId, path anchor: AnchorId } -> (), Text [];
        /// Links a hint to an asset.
        "assetAssociateHint" AssetAssociateHint => Post "/asset/{asset}/hints/associate/{hint}"
            { path asset: AssetId, path hint: HintId } -> (), Text [];
        /// Removes the link of a hint to an asset.
        "assetDisassociateHint" AssetDisassociateHint => Post "/asset/{asset}/hints/disassociate/{hint}"
            { path asset: AssetId, path hint: HintId } -> (), Text [];
        /// Lists the formats of all assets.
        "formatsSnapshot" FormatsSnapshot => Get "/formats" { query transferables: Option<bool> } -> Formats, Json [streamed];
        /// Reads one format.
        "formatsSpecificFormatSnapshot" FormatsSpecificFormatSnapshot => Get "/formats/{format}"
            { path format: FormatId, query transferable: Option<bool> } -> Format, Json [cached];
        /// Reads one format.
        "formatSnapshot" FormatSnapshot => Get "/format/{format}" { path format: FormatId, query transferable: Option<bool> } -> Format, Json [cached];
        /// Replaces the content of a format.
        "formatUpdateValue" FormatUpdateValue => Post "/format/update/value"
            { query transferable: Option<bool>, body format: Option<Format> } -> Format, JsonOrText [content updates];
        /// Reclassifies a format to another language.
        "formatReclassify" FormatReclassify => Post "/format/reclassify"
            { query transferable: Option<bool>, body reclassification: Option<FormatReclassification> } -> Format, Json [];
        /// Lists all tags.
        "tagsSnapshot" TagsSnapshot => Get "/tags"
            { query transferables: Option<bool>, query assets: Option<bool>, query counts: Option<bool> } -> Tags, JsonOrText [streamed];
        /// Creates a tag.
        "tagsCreateNewTag" TagsCreateNewTag => Post "/tags/create"
            { query transferables: Option<bool>, body tag: Option<SeededTag> } -> Tag, JsonOrText [];
        /// Checks whether a tag with this text exists.
        "tagsExists" TagsExists => Post "/tags/exists" { body existent: Option<ExistentMetadata> } -> ExistingMetadata, JsonOrText [reads];
        /// Finds tags by words.
        "searchTags" SearchTags => Post "/tags/search"
            { query transferables: Option<bool>, body search: Option<SearchInput> } -> SearchedTags, JsonOrText [reads streamed];
        /// Deletes a tag, and its links.
        "tagsDeleteSpecificTag" TagsDeleteSpecificTag => Post "/tags/{tag}/delete" { path tag: TagId } -> (), Text [];
        /// Reads one tag.
        "tagsSpecificTagSnapshot" TagsSpecificTagSnapshot => Get "/tag/{tag}"
            { path tag: TagId, query transferables: Option<bool>, query assets: Option<bool> } -> Tag, JsonOrText [cached streamed];
        /// Updates a tag and returns it.
        "tagUpdate" TagUpdate => Post "/tag/update" { query transferables: Option<bool>, body tag: Option<Tag> } -> Tag, JsonOrText [updates conflicts];
        /// Links a tag to an asset, by the tag.
        "tagAssociateAsset" TagAssociateAsset => Post "/tag/{tag}/assets/associate/{asset}" { path tag: TagId, path asset: AssetId } -> (), Text [];
        /// Removes the link of a tag to an asset, by the tag.
        "tagDisassociateAsset" TagDisassociateAsset => Post "/tag/{tag}/assets/disassociate/{asset}"
            { path tag: TagId, path asset: AssetId } -> (), Text [];
        /// Increments one score of a tag.
        "tagScoresIncrement" TagScoresIncrement => Post "/tag/{tag}/scores/increment"
            { path tag: TagId, body increment: Option<SeededScoreIncrement> } -> (), Text [optional_body];
        /// Lists all websites.
        "websitesSnapshot" WebsitesSnapshot => Get "/websites" { query transferables: Option<bool>, query assets: Option<bool>, query counts: Option<bool> } -> Websites, JsonOrText [streamed];
        /// Creates a website.
        "websitesCreateNewWebsite" WebsitesCreateNewWebsite => Post "/websites/create"
            { query transferables: Option<bool>, body website: Option<SeededWebsite> } -> Website, JsonOrText [];
        /// Checks whether a website with this address exists.
        "websitesExists" WebsitesExists => Post "/websites/exists" { body existent: Option<ExistentMetadata> } -> ExistingMetadata, JsonOrText [reads];
        /// Finds websites by words.
        "searchWebsites" SearchWebsites => Post "/websites/search"
            { query transferables: Option<bool>, body search: Option<SearchInput> } -> SearchedWebsites, JsonOrText [reads streamed];
        /// Deletes a website, and its links.
        "websitesDeleteSpecificWebsite" WebsitesDeleteSpecificWebsite => Post "/websites/{website}/delete" { path website: WebsiteId } -> (), Text [];
        /// Reads one website.
        "websitesSpecificWebsiteSnapshot" WebsitesSpecificWebsiteSnapshot => Get "/website/{website}"
            { path website: WebsiteId, query transferables: Option<bool>, query assets: Option<bool> } -> Website, JsonOrText [cached streamed];
        /// Updates a website and returns it.
        "websiteUpdate" WebsiteUpdate => Post "/website/update"
            { query transferables: Option<bool>, body website: Option<Website> } -> Website, JsonOrText [updates conflicts];
        /// Links a website to an asset, by the website.
        "websiteAssociateAsset" WebsiteAssociateAsset => Post "/website/{website}/assets/associate/{asset}"
            { path website: WebsiteId, path asset: AssetId } -> (), Text [];
        /// Removes the link of a website to an asset, by the website.
        "websiteDisassociateAsset" WebsiteDisassociateAsset => Post "/website/{website}/assets/disassociate/{asset}"
            { path website: WebsiteId, path asset: AssetId } -> (), Text [];
        /// Increments one score of a website.
        "websiteScoresIncrement" WebsiteScoresIncrement => Post "/website/{website}/scores/increment"
            { path website: WebsiteId, body increment: Option<SeededScoreIncrement> } -> (), Text [optional_body];
        /// Lists all workstream summaries.
        "workstreamSummariesSnapshot" WorkstreamSummariesSnapshot => Get "/workstream_summaries"
            { query transferables: Option<bool>, query assets: Option<bool>, query counts: Option<bool> } -> WorkstreamSummaries, JsonOrText [streamed];
        /// Creates a workstream summary.
        "workstreamSummariesCreateNewWorkstreamSummary" WorkstreamSummariesCreateNewWorkstreamSummary => Post "/workstream_summaries/create"
            { query transferables: Option<bool>, body summary: Option<SeededWorkstreamSummary> } -> WorkstreamSummary, JsonOrText [];
        /// Finds workstream summaries by words.
        "searchWorkstreamSummaries" SearchWorkstreamSummaries => Post "/workstream_summaries/search"
            { query transferables: Option<bool>, body search: Option<SearchInput> } -> SearchedWorkstreamSummaries, JsonOrText [reads streamed];
        /// Deletes a workstream summary, and its links.
        "workstreamSummariesDeleteSpecificWorkstreamSummary" WorkstreamSummariesDeleteSpecificWorkstreamSummary => Post "/workstream_summaries/{workstream_summary}/delete"
            { path workstream_summary: WorkstreamSummaryId } -> (), Text [];
        /// Reads one workstream summary.
        "workstreamSummariesSpecificWorkstreamSummarySnapshot" WorkstreamSummariesSpecificWorkstreamSummarySnapshot => Get "/workstream_summary/{workstream_summary}"
            { path workstream_summary: WorkstreamSummaryId, query transferables: Option<bool>, query assets: Option<bool> } -> WorkstreamSummary, JsonOrText [cached streamed];
        /// Updates a workstream summary and returns it.
        "workstreamSummaryUpdate" WorkstreamSummaryUpdate => Post "/workstream_summary/update"
            { query transferables: Option<bool>, body summary: Option<WorkstreamSummary> } -> WorkstreamSummary, JsonOrText [updates];
        /// Links a workstream summary to an asset, by the workstream summary.
        "workstreamSummaryAssociateAsset" WorkstreamSummaryAssociateAsset => Post "/workstream_summary/{workstream_summary}/assets/associate/{asset}"
            { path workstream_summary: WorkstreamSummaryId, path asset: AssetId } -> (), Text [];
        /// Removes the link of a workstream summary to an asset, by the workstream summary.
        "workstreamSummaryDisassociateAsset" WorkstreamSummaryDisassociateAsset => Post "/workstream_summary/{workstream_summary}/assets/disassociate/{asset}"
            { path workstream_summary: WorkstreamSummaryId, path asset: AssetId } -> (), Text [];
        /// Increments one score of a workstream summary.
        "workstreamSummaryScoresIncrement" WorkstreamSummaryScoresIncrement => Post "/workstream_summary/{workstream_summary}/scores/increment"
            { path workstream_summary: WorkstreamSummaryId, body increment: Option<SeededScoreIncrement> } -> (), Text [optional_body];
        /// Lists all conversations.
        "conversationsSnapshot" ConversationsSnapshot => Get "/conversations" { query transferables: Option<bool> } -> Conversations, JsonOrText [streamed];
        /// Lists the ids of all conversations.
        "conversationsIdentifiersSnapshot" ConversationsIdentifiersSnapshot => Get "/conversations/identifiers"
            {} -> FlattenedConversations, JsonOrText [streamed];
        /// Creates a conversation.
        "conversationsCreateSpecificConversation" ConversationsCreateSpecificConversation => Post "/conversations/create"
            { query transferables: Option<bool>, body conversation: Option<SeededConversation> } -> Conversation, JsonOrText [];
        /// Finds conversations by words.
        "searchConversations" SearchConversations => Post "/conversations/search"
            { query transferables: Option<bool>, body search: Option<SearchInput> } -> SearchedConversations, JsonOrText [reads streamed];
        /// Deletes a conversation with its messages.
        "conversationsDeleteSpecificConversation" ConversationsDeleteSpecificConversation => Post "/conversations/{conversation}/delete"
            { path conversation: ConversationId } -> (), Text [];
        /// Reads one conversation.
        "conversationGetSpecificConversation" ConversationGetSpecificConversation => Get "/conversation/{conversation}"
            { path conversation: ConversationId, query transferables: Option<bool> } -> Conversation, JsonOrText [];
        /// Lists the messages of a conversation.
        "conversationSpecificConversationMessages" ConversationSpecificConversationMessages => Get "/conversation/{conversation}/messages"
            { path conversation: ConversationId, query transferables: Option<bool> } -> ConversationMessages, JsonOrText [];
        /// Names a conversation after its first message and returns it.
        "conversationSpecificConversationRename" ConversationSpecificConversationRename => Post "/conversation/{conversation}/rename"
            { path conversation: ConversationId, query transferables: Option<bool> } -> Conversation, JsonOrText [];
        /// Updates a conversation and returns it.
        "conversationUpdate" ConversationUpdate => Post "/conversation/update"
            { query transferables: Option<bool>, body conversation: Option<Conversation> } -> Conversation, JsonOrText [updates];
        /// Links a conversation to an asset, by the conversation.
        "conversationAssociateAsset" ConversationAssociateAsset => Post "/conversation/{conversation}/assets/associate/{asset}"
            { path conversation: ConversationId, path asset: AssetId } -> (), Text [];
        /// Removes the link of a conversation to an asset, by the conversation.
        "conversationDisassociateAsset" ConversationDisassociateAsset => Post "/conversation/{conversation}/assets/disassociate/{asset}"
            { path conversation: ConversationId, path asset: AssetId } -> (), Text [];
        /// Increments one score of a conversation.
        "conversationScoresIncrement" ConversationScoresIncrement => Post "/conversation/{conversation}/scores/increment"
            { path conversation: ConversationId, body increment: Option<SeededScoreIncrement> } -> (), Text [optional_body];
        /// Lists the messages of all conversations.
        "messagesSnapshot" MessagesSnapshot => Get "/messages" { query transferables: Option<bool> } -> ConversationMessages, JsonOrText [streamed];
        /// Adds a message to a conversation.
        "messagesCreateSpecificMessage" MessagesCreateSpecificMessage => Post "/messages/create"
            { query transferables: Option<bool>, body message: Option<SeededConversationMessage> } -> ConversationMessage, JsonOrText [];
        /// Deletes a message.
        "messagesDeleteSpecificMessage" MessagesDeleteSpecificMessage => Post "/messages/{message}/delete" { path message: MessageId } -> (), Text [];
        /// Reads one message.
        "messageSpecificMessageSnapshot" MessageSpecificMessageSnapshot => Get "/message/{message}"
            { path message: MessageId, query transferables: Option<bool> } -> ConversationMessage, JsonOrText [];
        /// Updates a message and returns it.
        "messageSpecificMessageUpdate" MessageSpecificMessageUpdate => Post "/message/update"
            { query transferables: Option<bool>, body message: Option<ConversationMessage> } -> ConversationMessage, JsonOrText [updates];
        /// Replaces the text of a message and returns the message.
        "messageUpdateValue" MessageUpdateValue => Post "/message/update/value"
            { query transferables: Option<bool>, body message: Option<ConversationMessage> } -> ConversationMessage, JsonOrText [updates];
        /// Lists annotations, all or those of one type.
        "annotationsSnapshot" AnnotationsSnapshot => Get "/annotations"
            { query annotation_type_filter: Option<String> } -> Annotations, JsonOrText [streamed];
        /// Creates an annotation.
        "annotationsCreateNewAnnotation" AnnotationsCreateNewAnnotation => Post "/annotations/create"
            { body annotation: Option<SeededAnnotation> } -> Annotation, JsonOrText [];
        /// Finds annotations by words.
        "searchAnnotations" SearchAnnotations => Post "/annotations/search"
            { query transferables: Option<bool>, body search: Option<SearchInput> } -> SearchedAnnotations, JsonOrText [reads streamed];
        /// Deletes an annotation.
        "annotationsDeleteSpecificAnnotation" AnnotationsDeleteSpecificAnnotation => Post "/annotations/{annotation}/delete"
            { path annotation: AnnotationId } -> (), Text [];
        /// Reads one annotation.
        "annotationSpecificAnnotationSnapshot" AnnotationSpecificAnnotationSnapshot => Get "/annotation/{annotation}"
            { path annotation: AnnotationId } -> Annotation, JsonOrText [];
        /// Updates an annotation and returns it.
        "annotationUpdate" AnnotationUpdate => Post "/annotation/update" { body annotation: Option<Annotation> } -> Annotation, JsonOrText [updates];
        /// Lists activities, oldest first.
        "activitiesSnapshot" ActivitiesSnapshot => Get "/activities"
            { query transferables: Option<bool>, query pseudo: Option<bool> } -> Activities, JsonOrText [streamed];
        /// Records an activity.
        "activitiesCreateNewActivity" ActivitiesCreateNewActivity => Post "/activities/create"
            { query transferables: Option<bool>, body activity: Option<SeededActivity> } -> Activity, JsonOrText [];
        /// Deletes an activity.
        "activitiesDeleteSpecificActivity" ActivitiesDeleteSpecificActivity => Post "/activities/{activity}/delete"
            { path activity: ActivityId } -> (), Text [];
        /// Lists the ids of activities, newest first.
        "activityIdentifiersSnapshot" ActivityIdentifiersSnapshot => Get "/activity/identifiers"
            { query pseudo: Option<bool>, query activity_filter_enum: Option<EventKind> } -> FlattenedActivities, JsonOrText [streamed];
        /// Reads one activity.
        "activitiesSpecificActivitySnapshot" ActivitiesSpecificActivitySnapshot => Get "/activity/{activity}"
            { path activity: ActivityId, query transferables: Option<bool> } -> Activity, JsonOrText [];
        /// Updates an activity and returns it.
        "activityUpdate" ActivityUpdate => Post "/activity/update"
            { query transferables: Option<bool>, body activity: Option<Activity> } -> Activity, JsonOrText [updates];
        /// Lists all persons.
        "personsSnapshot" PersonsSnapshot => Get "/persons" { query transferables: Option<bool> } -> Persons, JsonOrText [streamed];
        /// Creates a person.
        "personsCreateNewPerson" PersonsCreateNewPerson => Post "/persons/create"
            { query transferables: Option<bool>, body person: Option<SeededPerson> } -> Person, JsonOrText [];
        /// Deletes a person, and its links.
        "personsDeletePerson" PersonsDeletePerson => Post "/persons/{person}/delete" { path person: PersonId } -> (), Text [];
        /// Reads one person.
        "personSnapshot" PersonSnapshot => Get "/person/{person}"
            { path person: PersonId, query transferables: Option<bool> } -> Person, JsonOrText [];
        /// Lists all anchors.
        "anchorsSnapshot" AnchorsSnapshot => Get "/anchors" { query transferables: Option<bool> } -> Anchors, JsonOrText [streamed];
        /// Creates an anchor.
        "anchorsCreateNewAnchor" AnchorsCreateNewAnchor => Post "/anchors/create"
            { query transferables: Option<bool>, body anchor: Option<SeededAnchor> } -> Anchor, JsonOrText [];
        /// Deletes an anchor, and its links.
        "anchorsDeleteSpecificAnchor" AnchorsDeleteSpecificAnchor => Post "/anchors/{anchor}/delete" { path anchor: AnchorId } -> (), Text [];
        /// Reads one anchor.
        "anchorSpecificAnchorSnapshot" AnchorSpecificAnchorSnapshot => Get "/anchor/{anchor}"
            { path anchor: AnchorId, query transferables: Option<bool> } -> Anchor, JsonOrText [];
        /// Lists all hints.
        "hintsSnapshot" HintsSnapshot => Get "/hints" {} -> Hints, JsonOrText [streamed];
        /// Creates a hint.
        "hintsCreateNewHint" HintsCreateNewHint => Post "/hints/create" { body hint: Option<SeededHint> } -> Hint, JsonOrText [];
        /// Deletes a hint, and its links.
        "hintsDeleteSpecificHint" HintsDeleteSpecificHint => Post "/hints/{hint}/delete" { path hint: HintId } -> (), Text [];
        /// Reads one hint.
        "hintSpecificHintSnapshot" HintSpecificHintSnapshot => Get "/hint/{hint}" { path hint: HintId } -> Hint, JsonOrText [];
        /// Updates an application and returns it.
        "applicationUpdate" ApplicationUpdate => Post "/application/update" { body application: Option<Application> } -> Application, Json [updates];
        /// Stops tracking an application; with `usage=true`, deletes its sessions and what was counted of its use as well.
        "applicationsDeleteSpecificApplication" ApplicationsDeleteSpecificApplication => Post "/applications/{application}/delete"
            { path application: ApplicationId, query usage: Option<bool> } -> (), Text [conflicts];
        /// Identifies the calling application; returns the details of the service.
        "connect" Connect => Post "/connect" { body connection: Option<SeededConnectorConnection> } -> Context, JsonOrText [];
        /// Lists the language models that clients look for, as placeholders: none can be used.
        "modelsSnapshot" ModelsSnapshot => Get "/models" {} -> Models, Json [];
        /// Lists the versions of the Model Context Protocol that the service speaks: none.
        "modelContextProtocolSchemaVersions" ModelContextProtocolSchemaVersions => Get "/model_context_protocol/schema_versions"
            {} -> SchemaVersions, Json [];
        /// Returns the user of the service: a local user without an account.
        "userSnapshot" UserSnapshot => Get "/user" {} -> ReturnedUserProfile, Json [];
        /// Lists the users; there is one local user.
        "usersSnapshot" UsersSnapshot => Get "/users" {} -> Users, Json [];
        /// Counts the records of a kind.
        "materialsMetrics" MaterialsMetricsOfKind => Post "/materials/metrics"
            { body input: Option<MaterialsMetricsInput> } -> MaterialsMetrics, Json [reads];
        /// Lists the ids of the records of a kind, newest first.
        "materialsIdentifiers" MaterialsIdentifiersOfKind => Post "/materials/identifiers"
            { body input: Option<MaterialsIdentifiersInput> } -> MaterialsIdentifiers, Json [reads];
        /// Reads up to 1,000 records of a kind by their ids.
        "materialsBatchFetch" MaterialsBatchFetch => Post "/{collection}/batch/fetch"
            { path collection: CollectionName, query transferables: Option<bool>, body batch: Option<MaterialsBatchFetchInput> } -> MaterialsBatchFetchOutput, Json [reads streamed];
        /// Reads up to 1,000 workstream summaries by their ids.
        "workstreamSummariesBatchSnapshot" WorkstreamSummariesBatchSnapshot => Post "/workstream_summaries/batch"
            { query transferables: Option<bool>, body batch: Option<WorkstreamSummariesBatchInput> } -> WorkstreamSummariesBatchOutput, Json [reads streamed];
        /// Lists the workstream summaries that are parts of others: none.
        "workstreamSummariesChildIdentifiers" WorkstreamSummariesChildIdentifiers => Get "/workstream_summaries/child/identifiers"
            {} -> FlattenedMaterials, Json [];
        /// Lists the workstream summaries that have others as their parts: none.
        "workstreamSummariesParentIdentifiers" WorkstreamSummariesParentIdentifiers => Get "/workstream_summaries/parent/identifiers"
            {} -> FlattenedMaterials, Json [];
        /// Lists the connectors to other programs: none.
        "connectorsSnapshot" ConnectorsSnapshot => Get "/connectors" {} -> FlattenedMaterials, Json [];
        /// Lists what observes the machine: nothing.
        "workstreamPatternEngineObserversSnapshot" WorkstreamPatternEngineObserversSnapshot => Get "/workstream_pattern_engine_observers"
            {} -> FlattenedMaterials, Json [];
        /// Lists the versions of an asset, deleted or not, the newest first.
        "assetVersions" AssetVersionsSnapshot => Get "/asset/{asset}/versions" { path asset: AssetId } -> AssetVersions, Json [];
        /// Reads a version of an asset, without its content.
        "assetVersion" AssetVersionSnapshot => Get "/asset/{asset}/versions/{version}"
            { path asset: AssetId, path version: VersionNumber } -> PastAsset, Json [];
        /// Reads the content of a version of an asset, or a part of it.
        "assetVersionContent" AssetVersionContent => Get "/asset/{asset}/versions/{version}/content"
            { path asset: AssetId, path version: VersionNumber, query offset: Option<u64>, query limit: Option<u64> } -> PastContent, Json [];
        /// Deletes all versions of an asset but for what it is now, so that their bytes are gone from the database.
        "assetVersionsForget" AssetVersionsForget => Post "/asset/{asset}/versions/forget" { path asset: AssetId } -> (), Text [];
        /// Deletes one version of an asset but what it is now, so that its bytes are gone from the database.
        "assetVersionForget" AssetVersionForget => Post "/asset/{asset}/versions/{version}/forget"
            { path asset: AssetId, path version: VersionNumber } -> (), Text [conflicts];
        /// Lists the assets that there were at a time, such as 2026-11-20T18:00:00Z.
        "assetsThen" AssetsThen => Get "/assets/then" { query at: String } -> PastAssets, Json [streamed];
        /// Says how many versions of assets are kept, and for how long.
        "versionBounds" VersionBoundsSnapshot => Get "/versions/bounds" {} -> VersionBounds, Json [];
        /// Sets how many versions of assets are kept, and for how long. What is beyond that is deleted.
        "versionBoundsChange" VersionBoundsChange => Post "/versions/bounds" { body bounds: Option<VersionBounds> } -> VersionBounds, Json [];
        /// Lists the checkpoints, newest first.
        "checkpointsSnapshot" CheckpointsSnapshot => Get "/checkpoints" {} -> Checkpoints, Json [];
        /// Makes a checkpoint: gives this moment a name.
        "checkpointsCreate" CheckpointsCreate => Post "/checkpoints/create" { body checkpoint: Option<SeededCheckpoint> } -> Checkpoint, Json [];
        /// Deletes a checkpoint; versions stay as long as any do.
        "checkpointsDelete" CheckpointsDelete => Post "/checkpoints/{checkpoint}/delete" { path checkpoint: CheckpointId } -> (), Text [];
    }
}
