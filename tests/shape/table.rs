//! The table of operations, laid beside the interface document.

use std::collections::HashSet;

use lunette_client::operation::{BodyKind, Group, Input, InputLocation, Method, OPERATIONS, OperationInfo};

/// Interface document, 4.1 and 4.2, row by row in its order: operation (`*` where section 9 lists it as deprecated),
/// method, path, inputs (`?` where optional), response, Accept, label; and the success status of records, section 1.
const INTERFACE: &str = "
applicationsExternalRelated | GET /applications/external/related | | DetectedExternalApplications | application/json, text/plain | | 200
applicationsExternalSnapshot | GET /applications/external | | DetectedExternalApplications | application/json, text/plain | | 200
applicationsSnapshot | GET /applications | | Applications | application/json | | 200
applicationsSpecificApplicationSnapshot | GET /applications/{application} | path application: String | Application | application/json | | 200
applicationsRegister* | POST /applications/register | body Application? | Application | application/json | | 200
applicationsSessionOpen* | POST /applications/session/open | | Session | application/json | | 200
applicationsSessionClose* | POST /applications/session/close | body String? | Session | application/json | | 200
applicationsSessionSnapshot* | GET /applications/sessions/{session} | path session: String | Session | application/json | | 200
applicationsUsageEngagementInteraction* | POST /applications/usage/engagement/interaction | body SeededTrackedInteractionEvent? | TrackedInteractionEvent | application/json | Scoped to Apps | 200
applicationsUsageEngagementKeyboard* | POST /applications/usage/engagement/keyboard | body SeededTrackedKeyboardEvent? | TrackedKeyboardEvent | application/json | Scoped to Apps | 200
applicationsUsageInstallation* | POST /applications/usage/installation | body TrackedApplicationInstall? | void | not defined | | 200
postApplicationsUsageUpdated* | POST /applications/usage/updated | body TrackedApplicationUpdate? | void | not defined | | 200
assetAssociateTag | POST /asset/{asset}/tags/associate/{tag} | path asset: String, path tag: String | void | text/plain | | 204
assetDisassociateTag | POST /asset/{asset}/tags/disassociate/{tag} | path asset: String, path tag: String | void | text/plain | | 204
assetAssociateWebsite | POST /asset/{asset}/websites/associate/{website} | path asset: String, path website: String | void | text/plain | | 204
assetDisassociateWebsite | POST /asset/{asset}/websites/disassociate/{website} | path asset: String, path website: String | void | text/plain | | 204
assetAssociateWorkstreamSummary | POST /asset/{asset}/workstream_summaries/associate/{workstream_summary} | path asset: String, path workstream_summary: String | void | text/plain | | 204
assetDisassociateWorkstreamSummary | POST /asset/{asset}/workstream_summaries/disassociate/{workstream_summary} | path asset: String, path workstream_summary: String | void | text/plain | | 204
assetFormats | GET /asset/{asset}/formats | path asset: String, query transferables: bool? | Formats | application/json | Scoped to Asset | 200
assetReclassify | POST /asset/reclassify | query transferables: bool?, body AssetReclassification? | Asset | application/json | | 200
assetScoresIncrement | POST /asset/{asset}/scores/increment | path asset: String, body SeededScoreIncrement? | void | text/plain | | 204
assetSnapshot | GET /asset/{asset} | path asset: String, query transferables: bool? | Asset | application/json, text/plain | Scoped to Asset | 200
assetSnapshotPost | POST /asset/{asset} | path asset: String, query transferables: bool?, body SeededAccessor? | Asset | application/json | Scoped to Asset | 200
assetSpecificAssetActivities | GET /asset/{asset}/activities | path asset: String, query transferables: bool? | Activities | application/json, text/plain | | 200
assetSpecificAssetConversations | GET /asset/{asset}/conversations | path asset: String, query transferables: bool? | Conversations | application/json, text/plain | | 200
assetSpecificAssetExport | GET /asset/{asset}/export | path asset: String, query export_type: String | ExportedAsset | application/json, text/plain | | 200
assetUpdate | POST /asset/update | query transferables: bool?, body Asset? | Asset | application/json | Scoped to Asset | 200
";

fn interface() -> Vec<&'static OperationInfo> {
    OPERATIONS.iter().copied().filter(|info| info.group != Group::Extension).collect()
}

fn row(info: &OperationInfo) -> String {
    let input = |input: &Input| {
        let optional = if input.required { "" } else { "?" };
        match input.location {
            InputLocation::Body => format!("body {}{optional}", input.kind),
            location => format!("{location} {}: {}{optional}", input.name, input.kind),
        }
    };
    let inputs: Vec<String> = info.inputs.iter().map(input).collect();
    let deprecated = if info.deprecated { "*" } else { "" };
    let cells = [
        format!("{}{deprecated}", info.name),
        format!("{} {}", info.method, info.path),
        inputs.join(", "),
        info.answer.to_owned(),
        info.accept.header().unwrap_or("not defined").to_owned(),
        info.label.map(|label| label.as_str()).unwrap_or_default().to_owned(),
        info.status.to_string(),
    ];
    cells.join(" | ").replace("|  |", "| |")
}

#[test]
fn the_27_rows_of_the_interface_match_the_document_in_order() {
    let document: Vec<&str> = INTERFACE.trim().lines().collect();
    let table: Vec<String> = interface().into_iter().map(row).collect();
    for (ours, documents) in table.iter().zip(&document) {
        assert_eq!(ours, documents);
    }
    assert_eq!((table.len(), document.len()), (27, 27));
}

#[test]
fn groups_have_the_documented_order_and_extensions_come_last() {
    let groups: Vec<Group> = OPERATIONS.iter().map(|info| info.group).collect();
    assert!(groups[..12].iter().all(|group| *group == Group::Applications));
    assert!(groups[12..27].iter().all(|group| *group == Group::Asset));
    assert!(groups[27..].iter().all(|group| *group == Group::Extension));
}

#[test]
fn eight_operations_are_deprecated() {
    assert_eq!(OPERATIONS.iter().filter(|info| info.deprecated).count(), 8);
}

#[test]
fn operation_names_and_routes_are_unique() {
    let names: HashSet<&str> = OPERATIONS.iter().map(|info| info.name).collect();
    let routes: HashSet<(&str, &str)> = OPERATIONS.iter().map(|info| (info.method.as_str(), info.path)).collect();
    assert_eq!((names.len(), routes.len()), (OPERATIONS.len(), OPERATIONS.len()));
}

#[test]
fn path_parameters_match_the_path_inputs_in_order() {
    for info in OPERATIONS {
        let names: Vec<&str> =
            info.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
        let inputs: Vec<&str> =
            info.inputs.iter().filter(|input| input.location == InputLocation::Path).map(|input| input.name).collect();
        assert_eq!(names, inputs, "{}", info.name);
    }
}

#[test]
fn an_operation_has_at_most_one_body_and_a_description() {
    for info in OPERATIONS {
        assert!(info.inputs.iter().filter(|input| input.location == InputLocation::Body).count() <= 1, "{}", info.name);
        assert!(info.summary.ends_with('.') && info.summary.len() > 10, "{}: {:?}", info.name, info.summary);
    }
}

#[test]
fn only_records_that_are_read_are_streamed() {
    for info in OPERATIONS.iter().filter(|info| info.streamed) {
        assert!(info.reads && info.body_kind == BodyKind::Record, "{}", info.name);
    }
}

#[test]
fn every_list_with_its_own_operation_is_streamed() {
    // Applications, models, users, versions and detected programs are few; of others there are none.
    let few = [
        "/applications",
        "/applications/external",
        "/applications/external/related",
        "/checkpoints",
        "/connectors",
        "/model_context_protocol/schema_versions",
        "/models",
        "/openapi.json",
        "/user",
        "/users",
        "/versions/bounds",
        "/workstream_pattern_engine_observers",
        "/workstream_summaries/child/identifiers",
        "/workstream_summaries/parent/identifiers",
    ];
    for info in OPERATIONS.iter().filter(|info| info.method == Method::Get && !info.path.contains('{')) {
        let few = few.contains(&info.path) || info.body_kind != BodyKind::Record;
        // Hits of a search without their records are at most 500.
        let bounded = ["fullTextSearch", "neuralCodeSearch"].contains(&info.name);
        assert_eq!(info.streamed, !few && !bounded, "{}", info.name);
    }
}

#[test]
fn a_post_that_reads_says_so_in_its_row() {
    let posts = OPERATIONS.iter().filter(|info| info.method == Method::Post);
    for info in posts {
        let asks = ["search", "exists", "draft", "Snapshot", "materials"]
            .iter()
            .any(|word| info.name.to_lowercase().contains(&word.to_lowercase()));
        assert_eq!(info.reads, asks, "{}", info.name);
    }
}
