//! The window: what it is built from and how it is laid out.
//!
//! Only this part of the crate names egui. Panels draw from `&State`, keep what is being typed, and push the user's
//! wishes as actions, which are performed when the frame is drawn. No call, file or lock while drawing.

use std::path::PathBuf;
use std::sync::Arc;

use egui::Ui;
use tokio::runtime::Handle;

use crate::app::state::{Panel, Target};
use crate::app::{Action, App, Dialogs, Embed, Limits, Setup, State};

mod applications;
mod assets;
mod background;
pub mod dialogs;
mod external;
mod failure;
mod log;
mod moment;
mod operations;
mod run;
pub mod theme;
pub mod widget;

pub use run::{WindowError, run};

use applications::ApplicationsPanel;
use assets::AssetsPanel;
use external::ExternalPanel;
use log::LogPanel;
use operations::OperationsPanel;

/// What a window is made of. The wall between the window and what it is handed stands in the traits of `app`.
pub struct Options {
    /// Runs the background work.
    pub runtime: Handle,
    /// Which service to talk to; None for the last one, or at the first start one that runs, else the embedded one.
    pub target: Option<Target>,
    /// Starts the service inside.
    pub embed: Arc<dyn Embed>,
    /// The system's dialogs.
    pub dialogs: Arc<dyn Dialogs>,
    /// The file the settings are kept in; None keeps none.
    pub settings: Option<PathBuf>,
    /// The client's limits.
    pub limits: Limits,
}

/// The inspector and all that is being typed into it.
pub struct Window {
    app: App,
    panels: Panels,
}

/// One struct a panel, each with the drafts of its fields.
#[derive(Default)]
struct Panels {
    applications: ApplicationsPanel,
    external: ExternalPanel,
    assets: AssetsPanel,
    operations: OperationsPanel,
    log: LogPanel,
}

impl Window {
    /// A window on a context; it starts to connect at once, and repaints whenever background work comes back.
    pub fn new(ctx: &egui::Context, options: Options) -> Self {
        let Options { runtime, target, embed, dialogs, settings, limits } = options;
        theme::install(ctx);
        let ctx = ctx.clone();
        let waker = Arc::new(move || ctx.request_repaint());
        let app = App::new(Setup { runtime, waker, target, embed, dialogs, settings, limits });
        Self { app, panels: Panels::default() }
    }

    /// What is shown.
    pub fn state(&self) -> &State {
        self.app.state()
    }

    /// Carries out a wish, as a panel's would be.
    pub fn perform(&mut self, action: Action) {
        self.app.perform(action);
    }

    fn window_ui(&mut self, ui: &mut Ui) {
        let Self { app, panels } = self;
        let mut actions = Vec::new();
        let state = app.state();
        egui::Panel::left("rail").show(ui, |ui| {
            for panel in Panel::ALL {
                if ui.selectable_label(state.panel == panel, panel.name()).clicked() {
                    actions.push(Action::Show(panel));
                }
            }
        });
        egui::CentralPanel::default().show(ui, |ui| panels.ui(ui, state, &mut actions));
        for action in actions {
            app.perform(action);
        }
    }
}

impl Panels {
    fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
        match state.panel {
            Panel::Applications => self.applications.ui(ui, state, actions),
            Panel::External => self.external.ui(ui, state, actions),
            Panel::Assets => self.assets.ui(ui, state, actions),
            Panel::Operations => self.operations.ui(ui, state, actions),
            Panel::Log => self.log.ui(ui, state, actions),
        }
    }
}

impl eframe::App for Window {
    fn logic(&mut self, _ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.app.step();
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.window_ui(ui);
    }
}
