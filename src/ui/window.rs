//! The window itself: it owns the inspector, draws every part once a frame, and performs the actions that were pushed.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Frame, Ui, UiBuilder};
use tokio::runtime::Handle;

use lunette_inspector::action::SettingsAction;
use lunette_inspector::settings::{Loaded, Target, Theme};
use lunette_inspector::shell::open_requests::OpenRequestReceiver;
use lunette_inspector::sync::SyncIntervals;
use lunette_inspector::tasks::{GateGuard, StartGate};
use lunette_inspector::{Action, App, Dialogs, EmbeddedService, Limits, Remote, Setup, State};

mod capture;
mod dialogs;
mod file_drop;
mod raise;
mod requests;
mod run;
mod screenshot;
mod size;

pub use run::{WindowError, run};

use super::app_icon;
use super::banners::{origin, reconnect, scratch, storage, write_policy};
use super::bars::sidebar::Sidebar;
use super::bars::{status, top};
use super::command;
use super::covered_tooltips;
use super::dragging;
use super::event_order;
use super::focus::{KeyboardFocus, Region, region};
use super::notifications::Notifications;
use super::palette::{Chosen, Palette};
use super::panels::Panels;
use super::platform::desktop;
use super::theme::{self, Appearance};
use capture::Capture;
use dialogs::WindowDialogs;
use screenshot::Screenshots;
use size::WindowFrame;

/// The opacity of data once the service it was read from no longer answers.
const STALE: f32 = 0.6;

/// The largest side of a texture. The toolkit makes that of glyphs as wide as the graphics card allows, often 16,384 pixels:
/// 4 MB where a screen of text needs one, which are filled, copied and sent before the first frame.
const MAX_TEXTURE_SIDE: usize = 4_096;

/// What a window is created from. What it needs from outside is passed as traits of the inspector.
pub struct Options {
    /// Runs the background work.
    pub runtime: Handle,
    /// The service to use; `None` for the last one, or at the first start a running one, otherwise the embedded one.
    pub target: Option<Target>,
    /// Starts the built-in service.
    pub embed: Arc<dyn EmbeddedService>,
    /// The file dialogs of the desktop.
    pub dialogs: Arc<dyn Dialogs>,
    /// The data folder, whose database keeps settings, drafts and history; None keeps them in memory.
    pub data: Option<PathBuf>,
    /// The client's limits.
    pub limits: Limits,
    /// Receives the requests of later starts of this program; `None` if they cannot be received.
    pub open_requests: Option<OpenRequestReceiver>,
    /// Resets the layout of the window before anything is drawn.
    pub reset_layout: bool,
    /// The settings, if they were read already.
    pub loaded: Option<Loaded>,
}

/// The inspector, and everything being typed into it.
pub struct Window {
    app: App,
    sidebar: Sidebar,
    panels: Panels,
    palette: Palette,
    dialogs: WindowDialogs,
    notifications: Notifications,
    screenshots: Screenshots,
    capture: Capture,
    keyboard: KeyboardFocus,
    /// What was chosen in the previous frame, and is run in the next one.
    chosen: Vec<Chosen>,
    /// The field that takes the focus as soon as it is drawn.
    focus: Option<egui::Id>,
    /// The zoom last set in the toolkit, for detecting changes by the toolkit.
    zoom: Option<f32>,
    /// The theme last set in the toolkit.
    theme: Option<Theme>,
    /// The preferences of the desktop.
    desktop: Arc<desktop::DesktopPreferences>,
    /// How many requests to raise the window were handled.
    raised: u64,
    /// The size of the window on the desktop.
    frame: WindowFrame,
    /// How long the last frame took until it was ready to be painted.
    last_frame: Duration,
    /// When the frame that is drawn began.
    frame_began: Instant,
    /// Holds back what can wait until the first frame is on screen, which is then there sooner.
    hold: Option<GateGuard>,
}

impl Window {
    /// Creates a window on a context; it starts to connect when its first frame is drawn, and repaints whenever
    /// background work returns.
    pub fn new(ctx: &egui::Context, options: Options) -> Self {
        let Options { runtime, target, embed, dialogs, data, limits, open_requests, reset_layout, loaded } = options;
        theme::install(ctx);
        event_order::install(ctx);
        covered_tooltips::install(ctx);
        let (hold, guard) = StartGate::new();
        let desktop = desktop::DesktopPreferences::watch(&runtime, ctx, hold.clone());
        let ctx = ctx.clone();
        let repaint = Arc::new(move || ctx.request_repaint());
        let setup = Setup {
            runtime,
            repaint,
            target,
            embed,
            dialogs,
            data,
            limits,
            pace: SyncIntervals::default(),
            open_requests,
        };
        let loaded = loaded.unwrap_or_else(|| setup.load_settings());
        let mut app = App::with_settings(setup, loaded, Some(hold));
        if reset_layout {
            app.perform(SettingsAction::ResetLayout);
        }
        Self::of(app, desktop, guard)
    }

    /// A window of this app, in which nothing is typed yet.
    fn of(app: App, desktop: Arc<desktop::DesktopPreferences>, hold: GateGuard) -> Self {
        Self {
            app,
            sidebar: Sidebar::default(),
            panels: Panels::default(),
            palette: Palette::default(),
            dialogs: WindowDialogs::default(),
            notifications: Notifications::default(),
            screenshots: Screenshots::default(),
            capture: Capture::default(),
            keyboard: KeyboardFocus::default(),
            chosen: Vec::new(),
            focus: None,
            zoom: None,
            theme: None,
            desktop,
            raised: 0,
            frame: WindowFrame::default(),
            last_frame: Duration::ZERO,
            frame_began: Instant::now(),
            hold: Some(hold),
        }
    }

    /// Returns the state that is shown.
    pub fn state(&self) -> &State {
        self.app.state()
    }

    /// Returns whether background work is running.
    pub fn is_busy(&self) -> bool {
        self.app.busy()
    }

    /// Performs an action, as if a panel had pushed it.
    pub fn perform(&mut self, action: impl Into<Action>) {
        self.app.perform(action);
    }

    fn window_ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.keyboard.begin(&ctx);
        let mut actions = Vec::new();
        self.run_pending_commands(ui, &mut actions);
        let Self { app, sidebar, panels, palette, dialogs, notifications, .. } = self;
        let state = app.state();
        apply_theme(&ctx, &mut self.theme, state.preferences.settings.theme);
        command::sync_zoom(&ctx, &mut self.zoom, state, &mut actions);
        self.frame.sync(&ctx, state, &mut actions);
        let requested = regions_ui(ui, sidebar, panels, notifications, state, &mut actions);
        actions.extend(panels.seen(&ctx, state));
        panels.assets.id_form_ui(&ctx, &mut actions);
        panels.assets.peek_ui(&ctx, state, &mut actions);
        if let Some(assistant) = dialogs.ui(&ctx, state, &mut actions) {
            panels.proposals.show_of(&assistant, &mut actions);
        }
        let chosen_in_palette = palette.ui(&ctx, state, &mut actions);
        notifications.ui(&ctx, state, &mut actions);
        dragging::pointer_label(&ctx);
        file_drop::ui(&ctx, state, &mut actions);
        self.keyboard.end(&ctx);
        self.chosen.extend(requested.into_iter().chain(chosen_in_palette));
        if !self.chosen.is_empty() {
            ctx.request_repaint();
        }
        app_icon::request(&ctx, &mut actions);
        if !self.chosen.is_empty() || self.focus.is_some() || !actions.is_empty() {
            event_order::wait_for_next_pass(&ctx);
        }
        for action in actions {
            app.perform(action);
            // The change must be drawn, even if nothing else requests a frame.
            ctx.request_repaint();
        }
    }
}

/// Draws the bars, the sidebar and the current panel; returns what was chosen.
fn regions_ui(
    ui: &mut Ui,
    sidebar: &mut Sidebar,
    panels: &mut Panels,
    notifications: &mut Notifications,
    state: &State,
    actions: &mut Vec<Action>,
) -> Vec<Chosen> {
    let bar = region(ui, Region::Top, |ui| {
        let bar = top::ui(ui, state, actions);
        let policy = write_policy::ui(ui, state, actions);
        scratch::ui(ui, state, actions);
        storage::ui(ui, state);
        let lost = reconnect::ui(ui, state, actions);
        bar.or(policy).or(lost).or(origin::ui(ui, state, actions))
    });
    let below = region(ui, Region::Bottom, |ui| {
        let below = status::ui(ui, state, &|text| notifications.says(text), actions);
        notifications.toasts_ui(ui, actions);
        below
    });
    let sidebar = region(ui, Region::Sidebar, |ui| sidebar.ui(ui, state, actions));
    // The window is cleared to the background of lists: where pixels are filled by the processor, this costs much less.
    let panel = egui::CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
        if state.connection.is_stale() {
            ui.multiply_opacity(STALE);
        }
        let panel =
            UiBuilder::new().accessibility_role(Role::TabPanel).accessibility_label(state.navigation.panel.name());
        ui.scope_builder(panel, |ui| panels.ui(ui, state, actions)).inner
    });
    bar.or(below).map(Chosen::Command).or(panel.inner).into_iter().chain(sidebar).collect()
}

/// Applies a change of the theme setting to the toolkit.
fn apply_theme(ctx: &egui::Context, applied: &mut Option<Theme>, wanted: Theme) {
    if *applied == Some(wanted) {
        return;
    }
    *applied = Some(wanted);
    theme::set_preference(
        ctx,
        match wanted {
            Theme::System => egui::ThemePreference::System,
            Theme::Light => egui::ThemePreference::Light,
            Theme::Dark => egui::ThemePreference::Dark,
        },
    );
}

impl eframe::App for Window {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.frame_began = Instant::now();
        if ctx.cumulative_frame_nr() > 0 {
            self.hold = None;
        }
        self.app.attend(ctx.input(|input| input.focused));
        self.app.step();
        raise::raise_window(ctx, &mut self.raised, self.app.called());
        if self.app.is_ending() {
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
        theme::set_system_theme(ctx, self.desktop.theme());
        theme::apply_appearance(
            ctx,
            Appearance::from_look(&self.app.state().preferences.settings.look, self.desktop.reduced_motion()),
        );
    }

    fn raw_input_hook(&mut self, _ctx: &egui::Context, input: &mut egui::RawInput) {
        input.max_texture_side = input.max_texture_side.map(|side| side.min(MAX_TEXTURE_SIDE));
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        // `LUNETTE_LOG=lunette::frame=trace` logs each frame, for counting those of an idle window and measuring the
        // others: what is drawn when the next one begins is on screen.
        let list = &self.app.state().assets.list;
        let (rows, shown, complete) = (list.count(), list.order.len(), matches!(list.rows, Remote::Known(_)));
        let (up, last_us) = (self.app.up(), self.last_frame.as_micros());
        tracing::trace!(target: "lunette::frame", up, rows, shown, complete, last_us, "a frame is drawn");
        self.window_ui(ui);
        self.last_frame = self.frame_began.elapsed();
    }
}
