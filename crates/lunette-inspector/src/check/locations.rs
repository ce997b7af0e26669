//! The locations of inputs that the interface document leaves open (interface, 4: "location: not shown").

use lunette_client::model::export::ExportType;
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::{AssetSnapshot, AssetSpecificAssetExport};
use lunette_client::operation::{Call, Operation as _, RequestParts};

use super::Checker;
use super::scratch::{MARK, Scratch};

/// A location to try: its display name, and how the input is sent there.
type Location = (&'static str, fn(&mut RequestParts, &str) -> Option<Header>);
type Header = (&'static str, String);

const EXPORT_TYPE: [Location; 3] = [
    ("query export_type", |parts, text| in_query(parts, "export_type", text)),
    ("query exportType", |parts, text| in_query(parts, "exportType", text)),
    ("header export_type", |_, text| Some(("export_type", text.to_owned()))),
];
const TRANSFERABLES: [Location; 3] = [
    ("query transferables", |parts, text| in_query(parts, "transferables", text)),
    ("query transferable", |parts, text| in_query(parts, "transferable", text)),
    ("header transferables", |_, text| Some(("transferables", text.to_owned()))),
];

fn in_query(parts: &mut RequestParts, name: &str, text: &str) -> Option<Header> {
    parts.query.push((name.to_owned(), text.to_owned()));
    None
}

impl Checker<'_> {
    /// The accepted locations of an export's kind, and of the choice against content; empty if none could be tried.
    pub(super) async fn locations(&mut self, scratch: &Scratch) -> (Vec<&'static str>, Vec<&'static str>) {
        let Some(asset) = &scratch.read else { return Default::default() };
        (self.export_type_locations(asset).await, self.transferables_locations(asset).await)
    }

    async fn export_type_locations(&mut self, asset: &AssetId) -> Vec<&'static str> {
        let call = Call::from(AssetSpecificAssetExport { asset: asset.clone(), export_type: ExportType::Md });
        // For a service that ignores the kind, every location counts as accepted.
        if self.tried(&call, |_, _| None, "").await.is_some_and(|(fine, _)| fine) {
            return vec!["not required"];
        }
        let mut accepted = Vec::new();
        for (name, put) in EXPORT_TYPE {
            let answer = self.tried(&call, put, "MD").await;
            accepted.extend(answer.is_some_and(|(fine, _)| fine).then_some(name));
        }
        accepted
    }

    /// A location is accepted if its response differs from the one without the input.
    async fn transferables_locations(&mut self, asset: &AssetId) -> Vec<&'static str> {
        let call = Call::from(AssetSnapshot { asset: asset.clone(), transferables: None });
        let Some((true, whole)) = self.tried(&call, |_, _| None, "").await else { return Vec::new() };
        let holds = |text: &str| text.contains(MARK) || text.contains("\"raw\"");
        if !holds(&whole) {
            return Vec::new();
        }
        let mut accepted = Vec::new();
        for (name, put) in TRANSFERABLES {
            let answer = self.tried(&call, put, "false").await;
            accepted.extend(answer.is_some_and(|(fine, text)| fine && !holds(&text)).then_some(name));
        }
        accepted
    }

    /// Sends a call with an input at a location; returns whether it succeeded, and the body.
    async fn tried(
        &mut self,
        call: &Call,
        put: fn(&mut RequestParts, &str) -> Option<Header>,
        text: &str,
    ) -> Option<(bool, String)> {
        if self.cancel.cancelled() || self.stopped() {
            return None;
        }
        let mut parts = call.parts();
        parts.query.clear();
        let header = put(&mut parts, text);
        let exchange = self.caller.exchange_as(call, parts, header).await;
        self.count_time_outs(exchange.outcome.as_ref().err());
        let fine = exchange.status == Some(AssetSnapshot::INFO.status);
        Some((fine, String::from_utf8_lossy(&exchange.response_body).into_owned()))
    }
}
