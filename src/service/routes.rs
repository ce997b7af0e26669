//! The routes: every operation of the table, and the handler that does it. Nothing else stands here.

use crate::operation::table::*;

use super::http::Routes;
use super::{applications, assets, companions, links, sessions, usage, well_known};

/// Mounts every operation.
pub(super) fn all(routes: Routes) -> Routes {
    companion(asset(application(routes)))
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
        .on::<AssetAssociateTag>(links::associate_tag)
        .on::<AssetDisassociateTag>(links::disassociate_tag)
        .on::<AssetAssociateWebsite>(links::associate_website)
        .on::<AssetDisassociateWebsite>(links::disassociate_website)
        .on::<AssetAssociateWorkstreamSummary>(links::associate_workstream_summary)
        .on::<AssetDisassociateWorkstreamSummary>(links::disassociate_workstream_summary)
        .on::<AssetFormats>(assets::formats)
        .on::<AssetReclassify>(assets::reclassify)
        .on::<AssetScoresIncrement>(assets::increment)
        .on_written::<AssetSnapshot>(assets::snapshot)
        .on::<AssetSnapshotPost>(assets::snapshot_post)
        .on::<AssetSpecificAssetActivities>(assets::activities)
        .on::<AssetSpecificAssetConversations>(assets::conversations)
        .on::<AssetSpecificAssetExport>(assets::export)
        .on::<AssetUpdate>(assets::update)
}

fn companion(routes: Routes) -> Routes {
    routes
        .on::<GetWellKnownHealth>(well_known::health)
        .on::<GetWellKnownVersion>(well_known::version)
        .on_written::<AssetsSnapshot>(companions::assets)
        .on::<AssetsIdentifiersSnapshot>(companions::identifiers)
        .on::<SearchAssets>(companions::search)
        .on::<AssetsCreateNewAsset>(companions::create)
        .on::<AssetsDeleteAsset>(companions::delete)
        .on::<TagsSnapshot>(companions::tags)
        .on::<TagsCreateNewTag>(companions::create_tag)
        .on::<WebsitesSnapshot>(companions::websites)
        .on::<WebsitesCreateNewWebsite>(companions::create_website)
        .on::<WorkstreamSummariesSnapshot>(companions::workstream_summaries)
        .on::<WorkstreamSummariesCreateNewWorkstreamSummary>(companions::create_workstream_summary)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::mpsc;

    use super::*;
    use crate::operation::{Group, OPERATIONS};
    use crate::service::detect::Nothing;
    use crate::service::http::Offer;
    use crate::service::{HttpLimits, Service};
    use crate::store::Store;

    fn mounted(offer: Offer) -> Vec<&'static str> {
        let store = Store::in_memory().expect("a store");
        let service = Service::new(store, Arc::new(Nothing)).expect("a service");
        let routes = Routes::new(Arc::new(service), offer, HttpLimits::default(), mpsc::channel(1).0);
        all(routes).mounted().iter().map(|info| info.name).collect()
    }

    #[test]
    fn every_row_of_the_table_is_mounted_in_its_order() {
        let rows: Vec<_> = OPERATIONS.iter().map(|info| info.name).collect();
        assert_eq!(mounted(Offer::Everything), rows);
    }

    #[test]
    fn the_interface_alone_is_the_rows_of_its_two_groups() {
        let rows = OPERATIONS.iter().filter(|info| info.group != Group::Companion);
        let rows: Vec<_> = rows.map(|info| info.name).collect();
        assert_eq!(rows.len(), 27);
        assert_eq!(mounted(Offer::Interface), rows);
    }
}
