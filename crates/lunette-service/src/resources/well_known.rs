//! That the service is there, which one it is, and what it does.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::{Map, Value};

use crate::store::records::material::{Material, Selection};
use crate::{RequestContext, Service, ServiceError};
use lunette_client::model::local::OpenApi;
use lunette_client::model::record::Record as _;
use lunette_client::operation::openapi::{ApiSurface, Publication, document};
use lunette_client::operation::table::{GetWellKnownHealth, GetWellKnownVersion, Openapi};

/// The health of the service.
pub(crate) fn health(service: &Service, _: &RequestContext, _: GetWellKnownHealth) -> Result<String, ServiceError> {
    Ok(health_text(service))
}

/// `ok:` and the id of the data folder; clients look for a text that begins with `ok` (records, section 3).
pub(crate) fn health_text(service: &Service) -> String {
    format!("ok:{}", service.store.identity().folder)
}

/// Three numbers with dots, which clients compare, and what follows a hyphen.
///
/// Our choice: a version of the family, with our own behind it. The header `Server` says which program this is.
pub(crate) fn version(service: &Service, _: &RequestContext, _: GetWellKnownVersion) -> Result<String, ServiceError> {
    Ok(service.version.clone())
}

/// The description of everything: where it is offered, all of the table is. An id in an example is that of a record that is
/// there, if there is one, so that a collection of requests made of the document can be sent as it is.
pub(crate) fn openapi(service: &Service, _: &RequestContext, _: Openapi) -> Result<OpenApi, ServiceError> {
    let mut document = document(ApiSurface::Everything, Publication::Served);
    let mut ids = HashMap::new();
    for operation in document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut).flat_map(operations) {
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
        for parameter in parameters.into_iter().flatten().filter(|parameter| parameter["in"] == "path") {
            let name = parameter["name"].as_str().unwrap_or_default().to_owned();
            let id = match ids.entry(name) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let id = an_id(service, new.key())?;
                    new.insert(id)
                }
            };
            if let Some(id) = id {
                parameter["example"] = id.as_str().into();
            }
        }
    }
    Ok(OpenApi::from_tree(document)?)
}

fn operations(path: &mut Value) -> impl Iterator<Item = &mut Value> {
    path.as_object_mut().into_iter().flat_map(Map::values_mut)
}

/// The id of a record that a parameter of this name may name: of the newest one.
fn an_id(service: &Service, parameter: &str) -> Result<Option<String>, ServiceError> {
    let material = match parameter {
        "asset" => Material::Assets,
        "format" => Material::Formats,
        "tag" => Material::Tags,
        "website" => Material::Websites,
        "workstream_summary" => Material::Summaries,
        "conversation" => Material::Conversations,
        "message" => Material::Messages,
        "annotation" => Material::Annotations,
        "activity" => Material::Activities,
        "person" => Material::Persons,
        "anchor" => Material::Anchors,
        "hint" => Material::Hints,
        "application" => Material::Applications,
        "session" => return Ok(service.store.latest_session()?),
        _ => return Ok(None),
    };
    Ok(service.store.material_ids(material, Selection::default(), Some(1))?.pop())
}
