//! What a service lacks: found out operation by operation, and only the part that needs it taken away.

use std::time::Duration;

use lunette_client::model::id::AssetId;
use lunette_client::operation::table::{ApplicationsSessionSnapshot, AssetAssociateTag, AssetFormats};
use lunette_client::operation::{Call, Group, InputLocation, OPERATIONS, Operation as _, OperationInfo, RequestParts};
use lunette_inspector::action::{AssetsAction, SessionAction, WriteAction};
use lunette_inspector::capability::Capability;
use lunette_inspector::session::Status;
use lunette_inspector::session::support::Support;

use crate::stage::Stage;
use crate::support::assets;
use crate::support::unsupported_proxy::UnsupportedProxy;

/// What is at the service: one of each thing that a path names.
struct Things {
    asset: AssetId,
    application: String,
    tag: String,
    website: String,
    summary: String,
}

impl Things {
    fn make(stage: &Stage) -> Self {
        let (asset, client) = (stage.asset("a.txt", "text"), stage.client());
        let (tag, website, summary) = stage.wait_for(async {
            let website = assets::website(&client, "https://example.org").await;
            (assets::tag(&client, "a tag").await, website, assets::summary(&client, "a summary").await)
        });
        let application = stage.state().applications.list.rows.value().expect("applications")[0].id.clone();
        let (tag, website, summary) = (tag.to_string(), website.to_string(), summary.to_string());
        Self { asset, application, tag, website, summary }
    }

    /// A call of this row that names what is there, as far as there is such a thing.
    fn call(&self, info: &OperationInfo) -> Call {
        let mut parts = RequestParts::default();
        for input in info.inputs {
            let text = match (input.location, input.name) {
                (InputLocation::Path, "asset") => self.asset.to_string(),
                (InputLocation::Path, "application") => self.application.clone(),
                (InputLocation::Path, "tag") => self.tag.clone(),
                (InputLocation::Path, "website") => self.website.clone(),
                (InputLocation::Path, "workstream_summary") => self.summary.clone(),
                (InputLocation::Path, _) => AssetId::random().to_string(),
                (InputLocation::Query, "query") => "text".to_owned(),
                (InputLocation::Query, _) if input.required => "HTML".to_owned(),
                (InputLocation::Query | InputLocation::Body, _) => continue,
            };
            match input.location {
                InputLocation::Path => parts.path.push((input.name.to_owned(), text)),
                InputLocation::Query | InputLocation::Body => parts.query.push((input.name.to_owned(), text)),
            }
        }
        Call::read(info, &parts).expect("the inputs suffice")
    }
}

/// The 27 operations, and the extensions that the window uses.
fn rows() -> Vec<&'static OperationInfo> {
    let mut rows: Vec<_> = OPERATIONS.iter().copied().filter(|info| info.group != Group::Extension).collect();
    assert_eq!(rows.len(), 27);
    for operation in Capability::all().into_iter().flat_map(Capability::operations) {
        if !rows.contains(&operation) {
            rows.push(operation);
        }
    }
    rows
}

fn behind() -> (Stage, UnsupportedProxy) {
    let mut proxy = None;
    let stage = Stage::behind(Duration::from_secs(30), |port| {
        let wire = UnsupportedProxy::start(port);
        let url = wire.url();
        proxy = Some(wire);
        url
    });
    (stage, proxy.expect("it was started"))
}

#[test]
fn a_missing_operation_disables_only_the_features_that_need_it() {
    let (mut stage, proxy) = behind();
    let things = Things::make(&stage);
    for (index, info) in rows().into_iter().enumerate() {
        // 405 and 501 are always clear; 404 is where everything that is named is known to be there.
        let status = if info.name == ApplicationsSessionSnapshot::INFO.name { 405 } else { [404, 405, 501][index % 3] };
        stage.perform(SessionAction::Reconnect);
        stage.until("it is connected", |state| state.connection.status == Status::Up);
        stage.idle();
        stage.perform(AssetsAction::Open(things.asset.clone()));
        assert_eq!(stage.state().connection.capabilities.unsupported().count(), 0, "{}: it begins anew", info.name);
        proxy.reject(info, status);
        // A read that was answered before is not taken for lacking by a 404, so that it is asked anew.
        stage.perform(SessionAction::ForgetUnsupported(info.name));
        stage.perform(WriteAction::Send(Box::new(things.call(info))));
        let known: Vec<_> = stage.state().connection.capabilities.unsupported().collect();
        let found = known.iter().map(|(name, reject)| (*name, reject.status)).collect::<Vec<_>>();
        assert_eq!(found, [(info.name, status)], "{} answered {status}", info.name);
        for feature in Capability::all() {
            let needs = feature.operations().contains(&info);
            assert_eq!(stage.state().connection.can_do(feature).is_err(), needs, "{feature:?} without {}", info.name);
        }
        proxy.accept_all();
    }
}

#[test]
fn a_successful_response_clears_the_unsupported_mark() {
    let (mut stage, proxy) = behind();
    let things = Things::make(&stage);
    stage.perform(AssetsAction::Open(things.asset.clone()));
    proxy.reject(AssetFormats::INFO, 501);
    stage.perform(AssetsAction::LoadFormats(things.asset.clone()));
    assert!(!stage.state().connection.offers(AssetFormats::INFO));
    proxy.accept_all();
    stage.perform(AssetsAction::LoadFormats(things.asset.clone()));
    assert_eq!(stage.state().connection.capabilities.of(AssetFormats::INFO.name), Support::Offered);
}

#[test]
fn a_missing_item_does_not_mark_its_operation_as_unsupported() {
    let mut stage = Stage::new();
    let things = Things::make(&stage);
    stage.perform(AssetsAction::Open(things.asset.clone()));
    let (nobody, nothing) = (AssetId::random(), "nothing".parse().expect("an id"));
    for call in [
        Call::from(AssetFormats { asset: nobody.clone(), transferables: None }),
        AssetAssociateTag { asset: things.asset.clone(), tag: nothing }.into(),
        ApplicationsSessionSnapshot { session: nobody.to_string().parse().expect("an id") }.into(),
    ] {
        stage.perform(WriteAction::Send(Box::new(call.clone())));
        let status = stage.state().write.console.answer.as_ref().and_then(|answer| answer.line.status);
        assert!(matches!(status, Some(404 | 410)), "{call:?}: {status:?}");
        assert!(stage.state().connection.offers(call.info()), "{call:?}");
    }
}

#[test]
fn ambiguous_responses_disable_no_feature() {
    let (mut stage, proxy) = behind();
    let call: Call =
        ApplicationsSessionSnapshot { session: AssetId::random().to_string().parse().expect("an id") }.into();
    proxy.reject(call.info(), 404);
    stage.perform(WriteAction::Send(Box::new(call.clone())));
    let known = stage.state().connection.capabilities.of(call.info().name);
    assert_eq!(known, Support::Unknown, "nobody knows whether there is such a session");
}
