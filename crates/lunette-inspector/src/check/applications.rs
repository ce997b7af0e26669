//! The Applications group (interface, 4.1).

use serde_json::{Value, json};

use crate::listing::rows::CHECK;
use lunette_client::model::application::{
    Application, SeededTrackedInteractionEvent, SeededTrackedKeyboardEvent, TrackedApplicationInstall,
    TrackedApplicationUpdate,
};
use lunette_client::model::id::ApplicationId;
use lunette_client::model::record::Record;
use lunette_client::operation::Operation as _;
use lunette_client::operation::table::{
    ApplicationsExternalRelated, ApplicationsExternalSnapshot, ApplicationsRegister, ApplicationsSessionClose,
    ApplicationsSessionOpen, ApplicationsSessionSnapshot, ApplicationsSnapshot,
    ApplicationsSpecificApplicationSnapshot, ApplicationsUsageEngagementInteraction,
    ApplicationsUsageEngagementKeyboard, ApplicationsUsageInstallation, PostApplicationsUsageUpdated,
};

use super::scratch::{SCRATCH, Scratch};
use super::{Checker, shape};

/// How often a write is sent to measure its time.
pub(super) const WRITES: usize = 3;

impl Checker<'_> {
    pub(super) async fn applications(&mut self, scratch: &mut Scratch) {
        let samples = self.options.samples;
        self.ask(ApplicationsExternalRelated {}, samples).await;
        self.ask(ApplicationsExternalSnapshot {}, samples).await;
        let list = self.ask(ApplicationsSnapshot {}, samples).await.unwrap_or_default();
        self.specific(&list).await;
        let own = own(&list);
        scratch.application = self.register(&own).await;
        self.sessions().await;
        self.usage(&own).await;
    }

    async fn specific(&mut self, list: &Value) {
        let info = ApplicationsSpecificApplicationSnapshot::INFO;
        let first = list.pointer("/iterable/0/id").and_then(Value::as_str);
        match first.map(str::parse) {
            None => self.not_asked(info, "the service tracks no applications"),
            Some(Err(bad)) => {
                let problem = format!("not a usable id: {bad}");
                self.expect(ApplicationsSnapshot::INFO, "$.iterable[0].id", Some(problem));
                self.not_asked(info, "no application has a usable id");
            }
            Some(Ok(application)) => {
                let call = ApplicationsSpecificApplicationSnapshot { application };
                let record = self.ask(call, self.options.samples).await;
                self.expect(info, "$.id", shape::other(record.as_ref(), "/id", first));
            }
        }
    }

    /// Registers the scratch application; returns its id if the service has it now.
    async fn register(&mut self, own: &Value) -> Option<ApplicationId> {
        let application = Application::from_tree(own.clone()).ok()?;
        let call = ApplicationsRegister { application: Some(application) };
        let record = self.ask(call, WRITES).await;
        for field in ["id", "name", "version"] {
            let (path, pointer) = (format!("$.{field}"), format!("/{field}"));
            self.expect(
                ApplicationsRegister::INFO,
                &path,
                shape::other(record.as_ref(), &pointer, own[field].as_str()),
            );
        }
        record.is_some().then(|| SCRATCH.parse().ok())?
    }

    /// Opens a session, reads it and closes it.
    async fn sessions(&mut self) {
        let opened = self.ask(ApplicationsSessionOpen {}, 1).await;
        let id = opened.as_ref().and_then(|session| session["id"].as_str());
        if opened.as_ref().is_some_and(|session| !session["closed"].is_null()) {
            let problem = "expected an open session, got a closed one".to_owned();
            self.expect(ApplicationsSessionOpen::INFO, "$.closed", Some(problem));
        }
        let Some(session) = id.and_then(|id| id.parse().ok()) else {
            if opened.is_some() {
                // Clients do not send any other (records, section 0, surprise 6).
                let problem = "expected a UUID of 36 characters".to_owned();
                self.expect(ApplicationsSessionOpen::INFO, "$.id", Some(problem));
            }
            for info in [ApplicationsSessionSnapshot::INFO, ApplicationsSessionClose::INFO] {
                self.not_asked(info, "no session could be opened");
            }
            return;
        };
        let call = ApplicationsSessionSnapshot { session };
        let record = self.ask(call.clone(), self.options.samples).await;
        self.expect(ApplicationsSessionSnapshot::INFO, "$.id", shape::other(record.as_ref(), "/id", id));
        let closed = self.ask(ApplicationsSessionClose { session: Some(call.session) }, 1).await;
        self.expect(ApplicationsSessionClose::INFO, "$.id", shape::other(closed.as_ref(), "/id", id));
        if closed.is_some_and(|session| session["closed"].is_null()) {
            let problem = "expected the time it was closed, got nothing".to_owned();
            self.expect(ApplicationsSessionClose::INFO, "$.closed", Some(problem));
        }
    }

    /// Sends one event of each kind for the scratch application.
    async fn usage(&mut self, own: &Value) {
        let text = "Checked the service";
        let event = read::<SeededTrackedInteractionEvent>(json!({ "description": text }));
        let echo = self.ask(ApplicationsUsageEngagementInteraction { event }, 1).await;
        let info = ApplicationsUsageEngagementInteraction::INFO;
        self.expect(info, "$.description", shape::other(echo.as_ref(), "/description", Some(text)));
        let event = read::<SeededTrackedKeyboardEvent>(json!({ "description": text, "shortcut": [17, 75] }));
        let echo = self.ask(ApplicationsUsageEngagementKeyboard { event }, 1).await;
        let info = ApplicationsUsageEngagementKeyboard::INFO;
        self.expect(info, "$.description", shape::other(echo.as_ref(), "/description", Some(text)));
        let keys = echo.filter(|echo| echo["shortcut"] != json!([17, 75]));
        let problem = keys.map(|echo| format!("expected [17,75] as sent, got {}", shape::short(&echo["shortcut"])));
        self.expect(info, "$.shortcut", problem);
        let install = read::<TrackedApplicationInstall>(json!({ "application": own }));
        self.ask(ApplicationsUsageInstallation { install }, 1).await;
        let update = read::<TrackedApplicationUpdate>(json!({ "current": own, "previous": own }));
        self.ask(PostApplicationsUsageUpdated { update }, 1).await;
    }
}

fn read<R: Record>(tree: Value) -> Option<R> {
    R::from_tree(tree).ok()
}

/// The record of the scratch application: the one of an earlier check at a service that cannot delete it, or a new one.
fn own(list: &Value) -> Value {
    let tracked = list["iterable"].as_array().into_iter().flatten();
    let ours = |record: &&Value| record["id"] == SCRATCH;
    let known = tracked.into_iter().find(ours).filter(|record| Application::from_tree((*record).clone()).is_ok());
    known.cloned().unwrap_or_else(|| {
        json!({
            "id": SCRATCH, "name": "OPEN_SOURCE", "version": env!("CARGO_PKG_VERSION"), "platform": "UNKNOWN",
            "onboarded": true, "privacy": "CLOSED", "capabilities": "LOCAL", "descriptor": CHECK.1,
        })
    })
}
