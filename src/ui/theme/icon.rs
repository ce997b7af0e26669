//! The icons of the window, each under the name of what it means here.

use super::fonts;
use lucide_icons::Icon as Lucide;

/// One sign of the icon font. Alone it says nothing to a screen reader: whoever shows it gives a name beside it.
#[derive(Clone, Copy, Debug)]
pub struct Icon(Lucide);

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident = $lucide:ident;)*) => {
        impl Icon {
            $($(#[$doc])* pub const $name: Icon = Icon(Lucide::$lucide);)*
        }

        /// Every icon in use, for the test that looks them up in the font.
        #[cfg(test)]
        const ALL: &[Icon] = &[$(Icon::$name),*];
    };
}

icons! {
    /// Tracked applications.
    APPLICATIONS = AppWindow;
    /// Applications found on the machine.
    EXTERNAL = Telescope;
    /// Assets.
    ASSETS = Layers;
    /// The console of operations.
    OPERATIONS = Terminal;
    /// The log of calls.
    LOG = ScrollText;
    /// Add or create.
    ADD = Plus;
    /// Remove, close or clear.
    CLOSE = X;
    /// Done or good.
    CHECK = Check;
    /// Ask again, rescan.
    REFRESH = RefreshCw;
    /// Take back the last change.
    UNDO = Undo2;
    /// Do again what was taken back.
    REDO = Redo2;
    /// Halt.
    PAUSE = Pause;
    /// Start or go on.
    START = Play;
    /// Something to hold and drag.
    GRIP = GripVertical;
    /// Once more.
    RETRY = RotateCcw;
    /// Two versions of one thing.
    CONFLICT = GitMerge;
    /// An archive of many files.
    ARCHIVE = FileArchive;
    /// A report.
    REPORT = FileSpreadsheet;
    /// Under way, waiting.
    PENDING = Clock;
    /// Not known.
    UNKNOWN = CircleQuestionMark;
    /// Copy to the clipboard.
    COPY = Copy;
    /// Search or filter.
    SEARCH = Search;
    /// Bring files in.
    IMPORT = FolderInput;
    /// Write out to a file.
    EXPORT = Download;
    /// Save to a file.
    SAVE = Save;
    /// Change the fields of.
    EDIT = Pencil;
    /// Delete for good.
    DELETE = Trash2;
    /// Choose another language.
    RECLASSIFY = Shapes;
    /// Add to a counter.
    SCORE = TrendingUp;
    /// A favourite.
    STAR = Star;
    /// A tag.
    TAG = Tag;
    /// A website.
    WEBSITE = Globe;
    /// A workstream summary.
    SUMMARY = NotebookText;
    /// A link to elsewhere.
    LINK = Link;
    /// Take a link away.
    UNLINK = Unlink;
    /// Opens outside the window.
    OUTSIDE = ExternalLink;
    /// More actions.
    MORE = Ellipsis;
    /// Which columns a table shows.
    COLUMNS = Columns3;
    /// Search in contents.
    CONTENTS = FileSearch;
    /// A second key to sort by.
    SECOND_KEY = ListOrdered;
    /// Sorted upwards.
    ASCENDING = ArrowUp;
    /// Sorted downwards.
    DESCENDING = ArrowDown;
    /// The one before, upwards.
    PREVIOUS = ChevronUp;
    /// The next one, downwards.
    NEXT = ChevronDown;
    /// Folded.
    FOLDED = ChevronRight;
    /// Unfolded, or a menu below.
    UNFOLDED = ChevronDown;
    /// Unfold everything.
    UNFOLD_ALL = ListChevronsUpDown;
    /// Fold everything.
    FOLD_ALL = ListChevronsDownUp;
    /// Back.
    BACK = ArrowLeft;
    /// Forward, or a change from one to another.
    FORWARD = ArrowRight;
    /// A failure.
    ERROR = CircleAlert;
    /// Something to look at.
    WARNING = TriangleAlert;
    /// Something good to know.
    INFO = Info;
    /// Something done.
    DONE = CircleCheck;
    /// The light theme.
    LIGHT = Sun;
    /// The dark theme.
    DARK = Moon;
    /// The theme of the system.
    SYSTEM = SunMoon;
    /// No write leaves.
    LOCKED = Lock;
    /// Asks before a write leaves.
    GUARDED = ShieldQuestionMark;
    /// A connection.
    CONNECTION = Plug;
    /// No connection.
    UNCONNECTED = Unplug;
    /// Settings.
    SETTINGS = Settings2;
    /// Send a request.
    SEND = Send;
    /// Stop work under way.
    STOP = Square;
    /// A file.
    FILE = File;
    /// A file of code.
    CODE = FileCode;
    /// A picture.
    PICTURE = Image;
    /// A folder.
    FOLDER = Folder;
    /// A record as a tree.
    RECORD = Braces;
    /// A conversation.
    CONVERSATION = MessageSquare;
    /// What happened over time.
    ACTIVITY = Activity;
    /// History of changes.
    HISTORY = History;
    /// A moment.
    CLOCK = Clock;
    /// What was said.
    MESSAGES = Bell;
    /// An empty list.
    EMPTY = Inbox;
    /// Nothing matches.
    NO_MATCH = SearchX;
    /// A key to press next.
    ENTER = CornerDownLeft;
    /// Make bigger.
    ZOOM_IN = ZoomIn;
    /// Make smaller.
    ZOOM_OUT = ZoomOut;
    /// Fit into the space there is.
    FIT = Maximize;
    /// Samples for a first look.
    SAMPLES = Sparkles;
    /// Follow an application.
    TRACK = Radar;
    /// An open eye: what is shown.
    SHOWN = Eye;
    /// Not seen.
    HIDDEN = EyeOff;
    /// Filters.
    FILTER = ListFilter;
    /// Wrap long lines.
    WRAP = WrapText;
}

impl Icon {
    /// The sign as a text of its own, in the font of signs: it cannot stand inside another text.
    pub fn text(self) -> egui::RichText {
        egui::RichText::new(self.glyph()).family(fonts::icons())
    }

    /// Paints the sign around `center`, `size` points high.
    pub fn paint(self, painter: &egui::Painter, center: egui::Pos2, size: f32, color: egui::Color32) {
        let font = egui::FontId::new(size, fonts::icons());
        painter.text(center, egui::Align2::CENTER_CENTER, self.glyph(), font, color);
    }

    /// Whether it is filled when it stands for something that is on.
    pub(super) fn is_star(self) -> bool {
        self.glyph() == Icon::STAR.glyph()
    }

    fn glyph(self) -> char {
        char::from(self.0)
    }
}

impl From<Icon> for egui::WidgetText {
    fn from(icon: Icon) -> Self {
        icon.text().into()
    }
}

/// Fills the outline that [`Icon::STAR`] draws `size` points high.
pub(super) fn paint_star(painter: &egui::Painter, center: egui::Pos2, size: f32, color: egui::Color32) {
    // The corners were measured on an outline of 15 points.
    let scale = size / 15.0;
    let mut mesh = egui::Mesh::default();
    mesh.colored_vertex(center, color);
    for corner in 0..10_u8 {
        let reach = if corner % 2 == 0 { 6.2 } else { 2.9 };
        let angle = std::f32::consts::TAU * (f32::from(corner) / 10.0 - 0.25);
        let corner = egui::vec2(0.0, 0.4) + reach * egui::Vec2::angled(angle);
        mesh.colored_vertex(center + scale * corner, color);
    }
    for corner in 0..10 {
        mesh.add_triangle(0, 1 + corner, 1 + (corner + 1) % 10);
    }
    painter.add(mesh);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme;

    #[test]
    fn every_icon_is_in_the_font() {
        let ctx = egui::Context::default();
        theme::install(&ctx);
        ctx.run_ui(egui::RawInput::default(), |_| {}).textures_delta.clear();
        let signs = egui::FontId::new(13.0, fonts::icons());
        let missing: Vec<_> =
            ALL.iter().filter(|icon| !ctx.fonts_mut(|fonts| fonts.has_glyph(&signs, icon.glyph()))).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
