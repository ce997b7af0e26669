//! The language models that clients look for when they start.
//!
//! Our choice: there are none here. Some clients refuse to start without a model of a certain name, so that those are
//! listed as placeholders, each of which says in its description that it cannot be used.

use lunette_client::model::local::{Models, SchemaVersions};
use lunette_client::model::record::Record as _;
use lunette_client::operation::table::{ModelContextProtocolSchemaVersions, ModelsSnapshot};
use serde_json::{Value, json};

use crate::{RequestContext, Service, ServiceError, record};

/// A model that a client looks for.
struct Placeholder {
    id: &'static str,
    /// What the editors' plugins look for.
    name: &'static str,
    /// What the public command line and the wrapper of the Python SDK look for.
    unique: &'static str,
}

const PLACEHOLDERS: [Placeholder; 3] = [
    Placeholder {
        id: "00000010-0000-4000-8000-000000000001",
        name: "Gemini 2.0 Flash Lite Chat Model",
        unique: "gemini-2.0-flash-lite-001",
    },
    Placeholder { id: "00000010-0000-4000-8000-000000000002", name: "GPT-4o Chat Model", unique: "gpt-4o" },
    Placeholder {
        id: "00000010-0000-4000-8000-000000000003",
        name: "GPT-3.5-turbo Chat Model",
        unique: "gpt-3.5-turbo",
    },
];

/// Lists the placeholders.
pub(crate) fn snapshot(_: &Service, _: &RequestContext, _: ModelsSnapshot) -> Result<Models, ServiceError> {
    let models: Value = PLACEHOLDERS.iter().map(model).collect();
    Ok(Models::from_tree(json!({ "iterable": models }))?)
}

/// Lists the versions of the Model Context Protocol: none, since nothing here speaks it.
pub(crate) fn protocol_versions(
    _: &Service,
    _: &RequestContext,
    _: ModelContextProtocolSchemaVersions,
) -> Result<SchemaVersions, ServiceError> {
    Ok(SchemaVersions::from_tree(json!({ "iterable": [] }))?)
}

fn model(placeholder: &Placeholder) -> Value {
    let Placeholder { id, name, unique } = placeholder;
    json!({
        "id": id,
        "version": "0",
        "created": record::stamp(0),
        "name": name,
        "description": "A placeholder: this service has no language models.",
        // The wrapper of the Python SDK takes a model that is neither in the cloud nor downloaded for none.
        "cloud": true,
        "type": "BALANCED",
        "usage": "CODE_CONVERSATION",
        "unique": unique,
        "downloaded": false,
        "loaded": false,
    })
}
