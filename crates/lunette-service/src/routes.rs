//! The routes: every operation of the table and its handler, and nothing else.

use lunette_client::operation::table::*;

use super::http::Routes;
use crate::resources::{
    activities, annotations, applications, assets, conversations, extensions, formats, items, links, local, materials,
    messages, models, related, search, sessions, trash, usage, versions, well_known,
};

/// Mounts every operation, and the streams.
pub(super) fn all(routes: Routes) -> Routes {
    extension(asset(application(routes))).with_streams()
}

fn application(routes: Routes) -> Routes {
    routes
        .on::<ApplicationsExternalRelated>(applications::related)
        .on::<ApplicationsExternalSnapshot>(applications::detected)
        .on::<ApplicationsSnapshot>(applications::snapshot)
        .on::<ApplicationsSpecificApplicationSnapshot>(applications::specific)
        .on::<ApplicationsRegister>(applications::register)
        .on::<ApplicationsSessionOpen>(sessions::open)
        .on::<ApplicationsSessionClose>(sessions::close)
        .on::<ApplicationsSessionSnapshot>(sessions::snapshot)
        .on::<ApplicationsUsageEngagementInteraction>(usage::interaction)
        .on::<ApplicationsUsageEngagementKeyboard>(usage::keyboard)
        .on::<ApplicationsUsageInstallation>(usage::installation)
        .on::<PostApplicationsUsageUpdated>(usage::updated)
}

fn asset(routes: Routes) -> Routes {
    routes
        .on_queued::<AssetAssociateTag>(links::associate_tag)
        .on_queued::<AssetDisassociateTag>(links::disassociate_tag)
        .on_queued::<AssetAssociateWebsite>(links::associate_website)
        .on_queued::<AssetDisassociateWebsite>(links::disassociate_website)
        .on_queued::<AssetAssociateWorkstreamSummary>(links::associate_workstream_summary)
        .on_queued::<AssetDisassociateWorkstreamSummary>(links::disassociate_workstream_summary)
        .on::<AssetFormats>(assets::formats)
        .on_written::<AssetReclassify>(assets::reclassify)
        .on_queued::<AssetScoresIncrement>(assets::increment)
        .on_written::<AssetSnapshot>(assets::snapshot)
        .on_written::<AssetSnapshotPost>(assets::snapshot_post)
        .on_written::<AssetSpecificAssetActivities>(assets::activities)
        .on_written::<AssetSpecificAssetConversations>(assets::conversations)
        .on::<AssetSpecificAssetExport>(assets::export)
        .on_written::<AssetUpdate>(assets::update)
}

fn extension(routes: Routes) -> Routes {
    let groups = [
        about,
        extension_assets,
        asset_links,
        extension_formats,
        tags,
        websites,
        workstream_summaries,
        extension_conversations,
        extension_messages,
        extension_annotations,
        extension_activities,
        extension_related,
        extension_local,
        extension_materials,
        extension_versions,
    ];
    groups.into_iter().fold(routes, |routes, mount: fn(Routes) -> Routes| mount(routes))
}

fn about(routes: Routes) -> Routes {
    routes
        .on::<GetWellKnownHealth>(well_known::health)
        .on::<GetWellKnownVersion>(well_known::version)
        .on::<Openapi>(well_known::openapi)
}

fn extension_assets(routes: Routes) -> Routes {
    routes
        .on_written::<AssetsSnapshot>(extensions::assets)
        .on_written::<AssetsIdentifiersSnapshot>(extensions::identifiers)
        .on_written::<AssetsRowsSnapshot>(extensions::rows)
        .on_written::<AssetsFingerprintsSnapshot>(extensions::fingerprints)
        .on_written::<AssetsPseudoSnapshot>(extensions::pseudo)
        .on_written::<SearchAssets>(search::assets)
        .on_written::<AssetsSearchWithFilters>(search::with_filters)
        .on_written::<AssetsCreateNewAsset>(extensions::create)
        .on_written::<AssetsCreateBatch>(extensions::create_batch)
        .on::<AssetsDraft>(extensions::draft)
        .on_written::<AssetsSpecificAssetSnapshot>(assets::snapshot_of_all)
        .on::<AssetsSpecificAssetFormatsSnapshot>(assets::formats_of_all)
        .on::<AssetsSpecificAssetRelatedSnapshot>(search::related)
        .on_written::<AssetsNearDuplicatesSnapshot>(search::near_duplicates)
        .on::<AssetsDeleteAsset>(extensions::delete)
        .on_written::<AssetsTrashSnapshot>(trash::snapshot)
        .on_written::<AssetsTrashRestore>(trash::restore)
        .on::<AssetsTrashDelete>(trash::delete)
        .on::<AssetsTrashEmpty>(trash::empty)
        .on_written::<FullTextSearch>(search::full_text)
        .on_written::<NeuralCodeSearch>(search::neural_code)
        .on::<TagBasedSearch>(search::by_tags)
}

fn asset_links(routes: Routes) -> Routes {
    routes
        .on::<AssetAssociateConversation>(conversations::associate_of_asset)
        .on::<AssetDisassociateConversation>(conversations::disassociate_of_asset)
        .on::<AssetAssociatePerson>(links::associate_person)
        .on::<AssetDisassociatePerson>(links::disassociate_person)
        .on::<AssetAssociateAnchor>(links::associate_anchor)
        .on::<AssetDisassociateAnchor>(links::disassociate_anchor)
        .on::<AssetAssociateHint>(links::associate_hint)
        .on::<AssetDisassociateHint>(links::disassociate_hint)
}

fn extension_formats(routes: Routes) -> Routes {
    routes
        .on_written::<FormatsSnapshot>(formats::all)
        .on_written::<FormatsSpecificFormatSnapshot>(formats::one_of_all)
        .on_written::<FormatSnapshot>(formats::one)
        .on_written::<FormatUpdateValue>(formats::update_value)
        .on_written::<FormatReclassify>(formats::reclassify)
}

fn tags(routes: Routes) -> Routes {
    routes
        .on_written::<TagsSnapshot>(extensions::tags)
        .on_written::<TagsCreateNewTag>(extensions::create_tag)
        .on::<TagsExists>(items::tags_exist)
        .on_written::<SearchTags>(search::tags)
        .on::<TagsDeleteSpecificTag>(items::delete_tag)
        .on_written::<TagsSpecificTagSnapshot>(items::tag)
        .on_written::<TagUpdate>(items::update_tag)
        .on_queued::<TagAssociateAsset>(links::tag_associate_asset)
        .on_queued::<TagDisassociateAsset>(links::tag_disassociate_asset)
        .on_queued::<TagScoresIncrement>(items::increment_tag)
}

fn websites(routes: Routes) -> Routes {
    routes
        .on_written::<WebsitesSnapshot>(extensions::websites)
        .on_written::<WebsitesCreateNewWebsite>(extensions::create_website)
        .on::<WebsitesExists>(items::websites_exist)
        .on_written::<SearchWebsites>(search::websites)
        .on::<WebsitesDeleteSpecificWebsite>(items::delete_website)
        .on_written::<WebsitesSpecificWebsiteSnapshot>(items::website)
        .on_written::<WebsiteUpdate>(items::update_website)
        .on_queued::<WebsiteAssociateAsset>(links::website_associate_asset)
        .on_queued::<WebsiteDisassociateAsset>(links::website_disassociate_asset)
        .on_queued::<WebsiteScoresIncrement>(items::increment_website)
}

fn workstream_summaries(routes: Routes) -> Routes {
    routes
        .on_written::<WorkstreamSummariesSnapshot>(extensions::workstream_summaries)
        .on_written::<WorkstreamSummariesCreateNewWorkstreamSummary>(extensions::create_workstream_summary)
        .on_written::<SearchWorkstreamSummaries>(search::workstream_summaries)
        .on::<WorkstreamSummariesDeleteSpecificWorkstreamSummary>(items::delete_workstream_summary)
        .on_written::<WorkstreamSummariesSpecificWorkstreamSummarySnapshot>(items::workstream_summary)
        .on_written::<WorkstreamSummaryUpdate>(items::update_workstream_summary)
        .on_queued::<WorkstreamSummaryAssociateAsset>(links::workstream_summary_associate_asset)
        .on_queued::<WorkstreamSummaryDisassociateAsset>(links::workstream_summary_disassociate_asset)
        .on_queued::<WorkstreamSummaryScoresIncrement>(items::increment_workstream_summary)
}

fn extension_conversations(routes: Routes) -> Routes {
    routes
        .on_written::<ConversationsSnapshot>(conversations::all)
        .on_written::<ConversationsIdentifiersSnapshot>(conversations::identifiers)
        .on::<ConversationsCreateSpecificConversation>(conversations::create)
        .on_written::<SearchConversations>(search::conversations)
        .on::<ConversationsDeleteSpecificConversation>(conversations::delete)
        .on::<ConversationGetSpecificConversation>(conversations::one)
        .on::<ConversationSpecificConversationMessages>(messages::of_conversation)
        .on::<ConversationSpecificConversationRename>(conversations::rename)
        .on::<ConversationUpdate>(conversations::update)
        .on::<ConversationAssociateAsset>(conversations::associate)
        .on::<ConversationDisassociateAsset>(conversations::disassociate)
        .on_queued::<ConversationScoresIncrement>(conversations::increment)
}

fn extension_messages(routes: Routes) -> Routes {
    routes
        .on_written::<MessagesSnapshot>(messages::all)
        .on::<MessagesCreateSpecificMessage>(messages::create)
        .on::<MessagesDeleteSpecificMessage>(messages::delete)
        .on::<MessageSpecificMessageSnapshot>(messages::one)
        .on::<MessageSpecificMessageUpdate>(messages::update)
        .on::<MessageUpdateValue>(messages::update_value)
}

fn extension_annotations(routes: Routes) -> Routes {
    routes
        .on_written::<AnnotationsSnapshot>(annotations::all)
        .on::<AnnotationsCreateNewAnnotation>(annotations::create)
        .on_written::<SearchAnnotations>(search::annotations)
        .on::<AnnotationsDeleteSpecificAnnotation>(annotations::delete)
        .on::<AnnotationSpecificAnnotationSnapshot>(annotations::one)
        .on::<AnnotationUpdate>(annotations::update)
}

fn extension_activities(routes: Routes) -> Routes {
    routes
        .on_written::<ActivitiesSnapshot>(activities::all)
        .on_written::<ActivitiesCreateNewActivity>(activities::create)
        .on::<ActivitiesDeleteSpecificActivity>(activities::delete)
        .on_written::<ActivityIdentifiersSnapshot>(activities::identifiers)
        .on_written::<ActivitiesSpecificActivitySnapshot>(activities::one)
        .on_written::<ActivityUpdate>(activities::update)
}

fn extension_related(routes: Routes) -> Routes {
    routes
        .on_written::<PersonsSnapshot>(related::persons)
        .on::<PersonsCreateNewPerson>(related::create_person)
        .on::<PersonsDeletePerson>(related::delete_person)
        .on::<PersonSnapshot>(related::person)
        .on_written::<AnchorsSnapshot>(related::anchors)
        .on::<AnchorsCreateNewAnchor>(related::create_anchor)
        .on::<AnchorsDeleteSpecificAnchor>(related::delete_anchor)
        .on::<AnchorSpecificAnchorSnapshot>(related::anchor)
        .on_written::<HintsSnapshot>(related::hints)
        .on::<HintsCreateNewHint>(related::create_hint)
        .on::<HintsDeleteSpecificHint>(related::delete_hint)
        .on::<HintSpecificHintSnapshot>(related::hint)
}

fn extension_local(routes: Routes) -> Routes {
    routes
        .on::<ApplicationUpdate>(applications::update)
        .on::<ApplicationsDeleteSpecificApplication>(applications::delete)
        .on::<Connect>(local::connect)
        .on::<ModelsSnapshot>(models::snapshot)
        .on::<ModelContextProtocolSchemaVersions>(models::protocol_versions)
        .on::<UserSnapshot>(local::snapshot)
        .on::<UsersSnapshot>(local::users)
}

fn extension_materials(routes: Routes) -> Routes {
    routes
        .on::<MaterialsMetricsOfKind>(materials::metrics)
        .on::<MaterialsIdentifiersOfKind>(materials::identifiers)
        .on_written::<MaterialsBatchFetch>(materials::batch)
        .on_written::<WorkstreamSummariesBatchSnapshot>(materials::summaries)
        .on::<WorkstreamSummariesChildIdentifiers>(materials::no_children)
        .on::<WorkstreamSummariesParentIdentifiers>(materials::no_parents)
        .on::<ConnectorsSnapshot>(materials::no_connectors)
        .on::<WorkstreamPatternEngineObserversSnapshot>(materials::no_observers)
}

fn extension_versions(routes: Routes) -> Routes {
    routes
        .on::<AssetVersionsSnapshot>(versions::of_asset)
        .on::<AssetVersionSnapshot>(versions::one)
        .on::<AssetVersionContent>(versions::content)
        .on::<AssetVersionsForget>(versions::forget)
        .on::<AssetVersionForget>(versions::forget_one)
        .on_written::<AssetsThen>(versions::assets_then)
        .on::<VersionBoundsSnapshot>(versions::bounds)
        .on::<VersionBoundsChange>(versions::set_bounds)
        .on::<CheckpointsSnapshot>(versions::checkpoints)
        .on::<CheckpointsCreate>(versions::make_checkpoint)
        .on::<CheckpointsDelete>(versions::delete_checkpoint)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::mpsc;

    use super::*;
    use crate::detect::NoDetector;
    use crate::http::ApiSurface;
    use crate::store::Store;
    use crate::{HttpLimits, Service};
    use lunette_client::operation::{Group, OPERATIONS};

    fn mounted(offer: ApiSurface) -> Vec<&'static str> {
        let store = Store::in_memory().expect("a store");
        let service = Service::new(store, Arc::new(NoDetector)).expect("a service");
        let routes = Routes::new(Arc::new(service), offer, HttpLimits::default(), mpsc::channel(1).0);
        all(routes).mounted().iter().map(|info| info.name).collect()
    }

    #[test]
    fn every_row_of_the_table_is_mounted_in_its_order() {
        let rows: Vec<_> = OPERATIONS.iter().map(|info| info.name).collect();
        assert_eq!(mounted(ApiSurface::Everything), rows);
    }

    #[test]
    fn the_interface_consists_of_the_rows_of_its_two_groups() {
        let rows = OPERATIONS.iter().filter(|info| info.group != Group::Extension);
        let rows: Vec<_> = rows.map(|info| info.name).collect();
        assert_eq!(rows.len(), 27);
        assert_eq!(mounted(ApiSurface::Interface), rows);
    }
}
