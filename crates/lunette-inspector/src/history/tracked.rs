//! The applications that steps registered.

use crate::journal::{Entry, EntryKind};
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::ApplicationsRegister;

/// The longest body that is parsed for the name of its application.
const LONGEST_BODY: usize = 16 * 1024;

/// An application in a call that registers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// Its id; empty if the call has none.
    pub id: String,
    /// Its display name.
    pub name: String,
}

impl Entry {
    /// The application that a step registered, if it did.
    pub fn registered(&self) -> Option<Registered> {
        let text = |tree: &serde_json::Value, field: &str| {
            tree.get(field)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
        };
        match &self.kind {
            EntryKind::Call { operation } if operation == ApplicationsRegister::INFO.name => {}
            EntryKind::Call { .. } | EntryKind::Change(_) | EntryKind::Batch { .. } => return None,
        }
        let body = self.requests.first()?.body.as_deref().filter(|body| body.len() <= LONGEST_BODY)?;
        let tree = serde_json::from_str(body).ok()?;
        let name = text(&tree, "descriptor").or_else(|| text(&tree, "name"))?;
        Some(Registered { id: text(&tree, "id").unwrap_or_default(), name })
    }

    /// The application that a step tracked, so that undoing the step untracks it. A call of the console does not count:
    /// it may have changed an existing application.
    pub fn tracked(&self) -> Option<Registered> {
        self.registered().filter(|application| self.title == tracking_title(&application.name))
    }
}

/// The title of a step that tracks an application.
pub(crate) fn tracking_title(name: &str) -> String {
    format!("Tracked {name}")
}
