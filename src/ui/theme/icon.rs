//! The icons of the window, named after their meaning here.

use super::fonts;
use lucide_icons::Icon as Lucide;

/// A glyph of the icon font. Screen readers cannot read it: whoever draws it adds a name.
#[derive(Clone, Copy, Debug)]
pub struct Icon(Lucide);

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident = $lucide:ident;)*) => {
        impl Icon {
            $($(#[$doc])* pub const $name: Icon = Icon(Lucide::$lucide);)*
        }

        /// Every icon, for the test that checks that the font has them.
        #[cfg(test)]
        const ALL: &[Icon] = &[$(Icon::$name),*];
    };
}

icons! {
    /// Tracked applications.
    APPLICATIONS = AppWindow;
    /// The colour of something.
    COLOR = Palette;
    /// Cards beside and below each other.
    BOARD = LayoutGrid;
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
    /// Done or healthy.
    CHECK = Check;
    /// Reload, scan again.
    REFRESH = RefreshCw;
    /// Undo the last change.
    UNDO = Undo2;
    /// Redo an undone change.
    REDO = Redo2;
    /// Pause.
    PAUSE = Pause;
    /// Start or resume.
    START = Play;
    /// A drag handle.
    GRIP = GripVertical;
    /// Retry.
    RETRY = RotateCcw;
    /// Two versions of one item.
    CONFLICT = GitMerge;
    /// An archive of many files.
    ARCHIVE = FileArchive;
    /// A report.
    REPORT = FileSpreadsheet;
    /// In progress, waiting.
    PENDING = Clock;
    /// Unknown.
    UNKNOWN = CircleQuestionMark;
    /// Copy to the clipboard.
    COPY = Copy;
    /// Search or filter.
    SEARCH = Search;
    /// Bring files in.
    IMPORT = FolderInput;
    /// Save as a file.
    EXPORT = Download;
    /// Save to a file.
    SAVE = Save;
    /// Edit the fields.
    EDIT = Pencil;
    /// Delete.
    DELETE = Trash2;
    /// Choose another language.
    RECLASSIFY = Shapes;
    /// Increment a counter.
    SCORE = TrendingUp;
    /// A favourite.
    STAR = Star;
    /// A tag.
    TAG = Tag;
    /// A website.
    WEBSITE = Globe;
    /// A workstream summary.
    SUMMARY = NotebookText;
    /// What is linked, as a picture.
    GRAPH = Waypoints;
    /// Stays at its place.
    PINNED = Pin;
    /// Marks what is drawn around.
    LASSO = Lasso;
    /// A link to something else.
    LINK = Link;
    /// Remove a link.
    UNLINK = Unlink;
    /// Opens outside the window.
    OUTSIDE = ExternalLink;
    /// More actions.
    MORE = Ellipsis;
    /// The columns of a table.
    COLUMNS = Columns3;
    /// Search in contents.
    CONTENTS = FileSearch;
    /// The secondary sort column.
    SECOND_KEY = ListOrdered;
    /// Sorted ascending.
    ASCENDING = ArrowUp;
    /// Sorted descending.
    DESCENDING = ArrowDown;
    /// The previous item, above.
    PREVIOUS = ChevronUp;
    /// The next item, below.
    NEXT = ChevronDown;
    /// Collapsed.
    FOLDED = ChevronRight;
    /// Expanded, or opens a menu.
    UNFOLDED = ChevronDown;
    /// Expand everything.
    UNFOLD_ALL = ListChevronsUpDown;
    /// Collapse everything.
    FOLD_ALL = ListChevronsDownUp;
    /// Back.
    BACK = ArrowLeft;
    /// Forward, or a change from one to another.
    FORWARD = ArrowRight;
    /// A failure.
    ERROR = CircleAlert;
    /// A warning.
    WARNING = TriangleAlert;
    /// Information.
    INFO = Info;
    /// Something succeeded.
    DONE = CircleCheck;
    /// The light theme.
    LIGHT = Sun;
    /// The dark theme.
    DARK = Moon;
    /// The theme of the system.
    SYSTEM = SunMoon;
    /// Writes are blocked.
    LOCKED = Lock;
    /// Writes need confirmation.
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
    /// Activity over time.
    ACTIVITY = Activity;
    /// History of changes.
    HISTORY = History;
    /// A time.
    CLOCK = Clock;
    /// Notifications.
    MESSAGES = Bell;
    /// An empty list.
    EMPTY = Inbox;
    /// Nothing matches.
    NO_MATCH = SearchX;
    /// A key to press next.
    ENTER = CornerDownLeft;
    /// Zoom in.
    ZOOM_IN = ZoomIn;
    /// Zoom out.
    ZOOM_OUT = ZoomOut;
    /// Fit to the available space.
    FIT = Maximize;
    /// Sample assets.
    SAMPLES = Sparkles;
    /// Track an application.
    TRACK = Radar;
    /// Shown.
    SHOWN = Eye;
    /// Hidden.
    HIDDEN = EyeOff;
    /// Filters.
    FILTER = ListFilter;
    /// Wrap long lines.
    WRAP = WrapText;
}

impl Icon {
    /// Returns the icon as text in the icon font; it cannot be part of other text.
    pub fn text(self) -> egui::RichText {
        egui::RichText::new(self.glyph()).family(fonts::icons())
    }

    /// Paints the icon around `center`, `size` points high.
    pub fn paint(self, painter: &egui::Painter, center: egui::Pos2, size: f32, color: egui::Color32) {
        let font = egui::FontId::new(size, fonts::icons());
        painter.text(center, egui::Align2::CENTER_CENTER, self.glyph(), font, color);
    }

    /// Returns whether it is filled while it is on.
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

/// Fills the outline of [`Icon::STAR`], `size` points high.
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
