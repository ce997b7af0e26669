//! The window: what it is built from and how it is laid out.
//!
//! Only this part of the crate names egui. Panels draw from `&State`, keep what is being typed, and push the user's
//! wishes as actions, which are performed when the frame is drawn. No call, file or lock while drawing.

use std::path::PathBuf;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Frame, Ui, UiBuilder};
use tokio::runtime::Handle;

use crate::app::front::OpenRequestReceiver;
use crate::app::live::SyncIntervals;
use crate::app::settings::Theme;
use crate::app::state::{Panel, Target};
use crate::app::{Action, App, Dialogs, EmbeddedService, Limits, Setup, State};

mod applications;
mod assets;
mod background;
mod backups;
mod bulk;
pub mod command;
mod confirm_dialog;
mod conflict;
mod connection_dialog;
mod connection_state;
mod copies;
mod desktop;
pub mod dialogs;
pub mod drag;
mod drop;
mod external;
mod failure;
mod filter_field;
mod focus;
mod forward;
mod guard_bar;
mod help;
mod history;
mod html;
mod lacking;
mod layout;
mod list_states;
mod log;
mod lost_bar;
mod marks;
mod moment;
mod notices;
mod obstacle;
mod open_link;
mod operations;
pub mod palette;
mod past_messages;
mod plan;
mod preferences;
mod revision;
mod run;
mod screenshot;
mod sidebar;
mod split;
mod status_bar;
mod store_bar;
pub mod theme;
mod top_bar;
mod trash;
mod welcome;
pub mod widget;
mod window_frame;
mod wishes;
mod write_policy_banner;
mod write_policy_choice;

pub use run::{WindowError, run};

use applications::ApplicationsPanel;
use assets::AssetsPanel;
use backups::Backups;
use bulk::BulkDialog;
use command::Command;
use confirm_dialog::ConfirmDialog;
use conflict::ConflictDialog;
use connection_dialog::ConnectionDialog;
use external::ExternalPanel;
use focus::{FocusKeeper, Region, region};
use help::HelpSheet;
use history::HistoryPanel;
use log::LogPanel;
use notices::Notices;
use operations::OperationsPanel;
use palette::{Chosen, Palette};
use plan::PlanDialog;
use preferences::Preferences;
use screenshot::Screenshots;
use theme::{Appearance, Tokens};
use trash::TrashDialog;
use window_frame::WindowFrame;

/// How strongly what is shown is drawn once the service it was read from no longer answers.
const STALE: f32 = 0.6;

/// What a window is made of. The wall between the window and what it is handed stands in the traits of `app`.
pub struct Options {
    /// Runs the background work.
    pub runtime: Handle,
    /// Which service to talk to; None for the last one, or at the first start one that runs, else the embedded one.
    pub target: Option<Target>,
    /// Starts the service inside.
    pub embed: Arc<dyn EmbeddedService>,
    /// The system's dialogs.
    pub dialogs: Arc<dyn Dialogs>,
    /// The data folder, whose database keeps settings, drafts and history; None keeps them in memory.
    pub data: Option<PathBuf>,
    /// The settings file of earlier versions, which is read in once; None keeps no settings.
    pub settings: Option<PathBuf>,
    /// The client's limits.
    pub limits: Limits,
    /// Where other starts of this program ring; None where nobody can.
    pub door: Option<OpenRequestReceiver>,
    /// Forget how the window was laid out, before anything is drawn.
    pub reset_layout: bool,
}

/// The inspector and all that is being typed into it.
pub struct Window {
    app: App,
    panels: Panels,
    palette: Palette,
    connection: ConnectionDialog,
    backups: Backups,
    trash: TrashDialog,
    notices: Notices,
    plan: PlanDialog,
    bulk: BulkDialog,
    conflict: ConflictDialog,
    asked: ConfirmDialog,
    preferences: Preferences,
    help: HelpSheet,
    screenshots: Screenshots,
    keyboard: FocusKeeper,
    /// What was chosen in the frame before, and is done in the next.
    chosen: Vec<Chosen>,
    /// The field that takes the keyboard as soon as it is drawn.
    focus: Option<egui::Id>,
    /// The zoom last asked of the toolkit, to know its own changes by.
    zoom: Option<f32>,
    /// The theme last asked of the toolkit.
    theme: Option<Theme>,
    /// What the desktop asks of the look.
    desktop: Arc<desktop::Wishes>,
    /// How often it was called to the front, and came.
    called: u64,
    /// The size of the window on the desktop.
    frame: WindowFrame,
}

/// One struct a panel, each with the drafts of its fields.
#[derive(Default)]
struct Panels {
    applications: ApplicationsPanel,
    external: ExternalPanel,
    assets: AssetsPanel,
    operations: OperationsPanel,
    log: LogPanel,
    history: HistoryPanel,
}

impl Window {
    /// A window on a context; it starts to connect at once, and repaints whenever background work comes back.
    pub fn new(ctx: &egui::Context, options: Options) -> Self {
        let Options { runtime, target, embed, dialogs, data, settings, limits, door, reset_layout } = options;
        theme::install(ctx);
        let desktop = desktop::Wishes::of_desktop(&runtime, ctx);
        let ctx = ctx.clone();
        let waker = Arc::new(move || ctx.request_repaint());
        let mut app = App::new(Setup {
            runtime,
            waker,
            target,
            embed,
            dialogs,
            settings,
            data,
            limits,
            pace: SyncIntervals::default(),
            door,
        });
        if reset_layout {
            app.perform(Action::ResetLayout);
        }
        Self {
            app,
            panels: Panels::default(),
            palette: Palette::default(),
            connection: ConnectionDialog::default(),
            backups: Backups::default(),
            trash: TrashDialog::default(),
            notices: Notices::default(),
            plan: PlanDialog::default(),
            bulk: BulkDialog::default(),
            conflict: ConflictDialog::default(),
            asked: ConfirmDialog::default(),
            preferences: Preferences::default(),
            help: HelpSheet::default(),
            screenshots: Screenshots::default(),
            keyboard: FocusKeeper::default(),
            chosen: Vec::new(),
            focus: None,
            zoom: None,
            theme: None,
            desktop,
            called: 0,
            frame: WindowFrame::default(),
        }
    }

    /// What is shown.
    pub fn state(&self) -> &State {
        self.app.state()
    }

    /// Whether background work is under way.
    pub fn is_busy(&self) -> bool {
        self.app.busy()
    }

    /// Carries out a wish, as a panel's would be.
    pub fn perform(&mut self, action: Action) {
        self.app.perform(action);
    }

    fn window_ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.keyboard.begin(&ctx);
        let mut actions = Vec::new();
        self.commands(ui, &mut actions);
        let Self {
            app, panels, palette, connection, backups, notices, plan, bulk, conflict, asked, preferences, ..
        } = self;
        let (help, trash) = (&mut self.help, &mut self.trash);
        let state = app.state();
        follow_theme(&ctx, &mut self.theme, state.settings.theme);
        command::follow_zoom(&ctx, &mut self.zoom, state, &mut actions);
        self.frame.follow(&ctx, state, &mut actions);
        let wished = regions_ui(ui, panels, state, &mut actions);
        panels.assets.go_to_ui(&ctx, &mut actions);
        // Below the dialogs that are opened from it.
        trash.ui(&ctx, state, &mut actions);
        plan.ui(&ctx, state, &mut actions);
        bulk.ui(&ctx, state, &mut actions);
        conflict.ui(&ctx, state, &mut actions);
        connection.ui(&ctx, state, &mut actions);
        backups.ui(&ctx, state, &mut actions);
        preferences.ui(&ctx, state, &mut actions);
        help.ui(&ctx, state);
        // Over the dialogs it may be asked from.
        asked.ui(&ctx, state, &mut actions);
        let found = palette.ui(&ctx, state, &mut actions);
        notices.ui(&ctx, state, &mut actions);
        drop::ui(&ctx, state, &mut actions);
        self.keyboard.end(&ctx);
        self.chosen.extend(wished.into_iter().chain(found));
        if !self.chosen.is_empty() {
            ctx.request_repaint();
        }
        for action in actions {
            app.perform(action);
            // What it changed is to be seen, even where nothing else asks for a frame.
            ctx.request_repaint();
        }
    }
}

/// Draws the bars, the sidebar and the panel in front; gives what was chosen.
fn regions_ui(ui: &mut Ui, panels: &mut Panels, state: &State, actions: &mut Vec<Action>) -> Vec<Chosen> {
    let bar = region(ui, Region::Top, |ui| {
        let bar = top_bar::ui(ui, state, actions);
        let policy = write_policy_banner::ui(ui, state);
        store_bar::ui(ui, state);
        let lost = lost_bar::ui(ui, state, actions);
        bar.or(policy).or(lost).or(guard_bar::ui(ui, state, actions))
    });
    let below = region(ui, Region::Bottom, |ui| status_bar::ui(ui, state, actions));
    let sidebar = region(ui, Region::Sidebar, |ui| sidebar::ui(ui, state, actions));
    let frame = Frame::new().fill(Tokens::of(ui).background);
    let panel = egui::CentralPanel::default().frame(frame).show(ui, |ui| {
        if state.connection.is_stale() {
            ui.multiply_opacity(STALE);
        }
        let panel = UiBuilder::new().accessibility_role(Role::TabPanel).accessibility_label(state.panel.name());
        ui.scope_builder(panel, |ui| panels.ui(ui, state, actions)).inner
    });
    bar.or(below).or(panel.inner).map(Chosen::Command).into_iter().chain(sidebar).collect()
}

/// Hands a change of the chosen theme to the toolkit.
fn follow_theme(ctx: &egui::Context, applied: &mut Option<Theme>, wanted: Theme) {
    if *applied == Some(wanted) {
        return;
    }
    *applied = Some(wanted);
    theme::prefer(
        ctx,
        match wanted {
            Theme::System => egui::ThemePreference::System,
            Theme::Light => egui::ThemePreference::Light,
            Theme::Dark => egui::ThemePreference::Dark,
        },
    );
}

impl Panels {
    fn ui(&mut self, ui: &mut Ui, state: &State, actions: &mut Vec<Action>) -> Option<Command> {
        match state.panel {
            Panel::Applications => self.applications.ui(ui, state, actions),
            Panel::External => self.external.ui(ui, state, actions),
            Panel::Assets => return self.assets.ui(ui, state, actions),
            Panel::Operations => self.operations.ui(ui, state, actions),
            Panel::Log => self.log.ui(ui, state, actions),
            Panel::History => self.history.ui(ui, state, actions),
        }
        None
    }
}

impl eframe::App for Window {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.app.attend(ctx.input(|input| input.focused));
        self.app.step();
        forward::come(ctx, &mut self.called, self.app.called());
        if self.app.is_ending() {
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
        theme::follow(ctx, self.desktop.theme());
        theme::wear(ctx, Appearance::from_look(&self.app.state().settings.look, self.desktop.still()));
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        // `LUNETTE_LOG=lunette::frame=trace` tells each frame, to count those of an idle window.
        tracing::trace!(target: "lunette::frame", "a frame is drawn");
        self.window_ui(ui);
    }
}
