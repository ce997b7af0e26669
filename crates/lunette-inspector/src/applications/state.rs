//! The state of applications.

use std::sync::Arc;

use crate::Remote;
use crate::applications::read::ExternalAnswers;
use crate::listing::Listing;
use crate::listing::rows::{ApplicationRow, ExternalKey, ExternalRow};
use lunette_client::model::application::Application;

/// Tracked and external applications.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Applications {
    /// The tracked applications.
    pub list: Listing<ApplicationRow>,
    /// Detected and related external applications as one list.
    pub external: Listing<ExternalRow>,
    /// The last answers of which the external applications are made.
    pub(super) external_answers: ExternalAnswers,
    /// The external application that is open.
    pub external_open: Option<ExternalKey>,
    /// The tracked application that is open, by the id of its row.
    pub open: Option<ApplicationPage>,
}

/// An opened application.
#[derive(Clone, Debug, PartialEq)]
pub struct ApplicationPage {
    /// Its id as in the list.
    pub id: String,
    /// The record, fresh from the service.
    pub record: Remote<Arc<Application>>,
}
