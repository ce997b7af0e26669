//! The icons of the window, named after their meaning here.
//!
//! The program carries only these icons of Lucide, 30 kB instead of 1 MB: after a change of the list,
//! `assets/fonts/lucide-subset` makes the font again. The tests hold list and font against the whole font, which the
//! program does not have.

use super::fonts;

/// A glyph of the icon font. Screen readers cannot read it: whoever draws it adds a name.
#[derive(Clone, Copy, Debug)]
pub struct Icon(char);

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident = $lucide:ident $glyph:literal;)*) => {
        impl Icon {
            $($(#[$doc])* pub const $name: Icon = Icon($glyph);)*
        }

        /// Every icon with that of the whole font, for the tests.
        #[cfg(test)]
        const ALL: &[(Icon, lucide_icons::Icon)] = &[$((Icon::$name, lucide_icons::Icon::$lucide)),*];
    };
}

icons! {
    /// Tracked applications.
    APPLICATIONS = AppWindow '\u{e426}';
    /// Applications found on the machine.
    EXTERNAL = Telescope '\u{e5c5}';
    /// Assets.
    ASSETS = Layers '\u{e529}';
    /// The console of operations.
    OPERATIONS = Terminal '\u{e181}';
    /// The log of calls.
    LOG = ScrollText '\u{e45f}';
    /// Add or create.
    ADD = Plus '\u{e13d}';
    /// Remove, close or clear.
    CLOSE = X '\u{e1b2}';
    /// Done or healthy.
    CHECK = Check '\u{e06c}';
    /// Reload, scan again.
    REFRESH = RefreshCw '\u{e145}';
    /// Undo the last change.
    UNDO = Undo2 '\u{e2a1}';
    /// Redo an undone change.
    REDO = Redo2 '\u{e2a0}';
    /// Pause.
    PAUSE = Pause '\u{e12e}';
    /// Start or resume.
    START = Play '\u{e13c}';
    /// A drag handle.
    GRIP = GripVertical '\u{e0eb}';
    /// Retry.
    RETRY = RotateCcw '\u{e148}';
    /// Two versions of one item.
    CONFLICT = GitMerge '\u{e0e4}';
    /// An archive of many files.
    ARCHIVE = FileArchive '\u{e30d}';
    /// A report.
    REPORT = FileSpreadsheet '\u{e326}';
    /// In progress, waiting.
    PENDING = Clock '\u{e087}';
    /// Unknown.
    UNKNOWN = CircleQuestionMark '\u{e082}';
    /// Copy to the clipboard.
    COPY = Copy '\u{e09e}';
    /// Search or filter.
    SEARCH = Search '\u{e151}';
    /// Bring files in.
    IMPORT = FolderInput '\u{e334}';
    /// Save as a file.
    EXPORT = Download '\u{e0b2}';
    /// Save to a file.
    SAVE = Save '\u{e14d}';
    /// Edit the fields.
    EDIT = Pencil '\u{e1f9}';
    /// Delete.
    DELETE = Trash2 '\u{e18e}';
    /// Choose another language.
    RECLASSIFY = Shapes '\u{e4b3}';
    /// Increment a counter.
    SCORE = TrendingUp '\u{e191}';
    /// A favourite.
    STAR = Star '\u{e176}';
    /// A tag.
    TAG = Tag '\u{e17f}';
    /// A website.
    WEBSITE = Globe '\u{e0e8}';
    /// A workstream summary.
    SUMMARY = NotebookText '\u{e598}';
    /// A link to something else.
    LINK = Link '\u{e102}';
    /// Remove a link.
    UNLINK = Unlink '\u{e19c}';
    /// Opens outside the window.
    OUTSIDE = ExternalLink '\u{e0b9}';
    /// More actions.
    MORE = Ellipsis '\u{e0b6}';
    /// The columns of a table.
    COLUMNS = Columns3 '\u{e099}';
    /// Search in contents.
    CONTENTS = FileSearch '\u{e0cb}';
    /// The secondary sort column.
    SECOND_KEY = ListOrdered '\u{e1d1}';
    /// Sorted ascending.
    ASCENDING = ArrowUp '\u{e04a}';
    /// Sorted descending.
    DESCENDING = ArrowDown '\u{e042}';
    /// The previous item, above.
    PREVIOUS = ChevronUp '\u{e070}';
    /// The next item, below.
    NEXT = ChevronDown '\u{e06d}';
    /// Collapsed.
    FOLDED = ChevronRight '\u{e06f}';
    /// Expanded, or opens a menu.
    UNFOLDED = ChevronDown '\u{e06d}';
    /// Expand everything.
    UNFOLD_ALL = ListChevronsUpDown '\u{e696}';
    /// Collapse everything.
    FOLD_ALL = ListChevronsDownUp '\u{e694}';
    /// Back.
    BACK = ArrowLeft '\u{e048}';
    /// Forward, or a change from one to another.
    FORWARD = ArrowRight '\u{e049}';
    /// A failure.
    ERROR = CircleAlert '\u{e077}';
    /// A warning.
    WARNING = TriangleAlert '\u{e193}';
    /// Information.
    INFO = Info '\u{e0f9}';
    /// Something succeeded.
    DONE = CircleCheck '\u{e226}';
    /// The light theme.
    LIGHT = Sun '\u{e178}';
    /// The dark theme.
    DARK = Moon '\u{e11e}';
    /// The theme of the system.
    SYSTEM = SunMoon '\u{e2b2}';
    /// Writes are blocked.
    LOCKED = Lock '\u{e10b}';
    /// Writes need confirmation.
    GUARDED = ShieldQuestionMark '\u{e40e}';
    /// A connection.
    CONNECTION = Plug '\u{e37f}';
    /// No connection.
    UNCONNECTED = Unplug '\u{e45d}';
    /// Settings.
    SETTINGS = Settings2 '\u{e245}';
    /// Send a request.
    SEND = Send '\u{e152}';
    /// Stop work under way.
    STOP = Square '\u{e167}';
    /// A file.
    FILE = File '\u{e0c0}';
    /// A file of code.
    CODE = FileCode '\u{e0c3}';
    /// A picture.
    PICTURE = Image '\u{e0f6}';
    /// A folder.
    FOLDER = Folder '\u{e0d7}';
    /// A record as a tree.
    RECORD = Braces '\u{e36a}';
    /// A conversation.
    CONVERSATION = MessageSquare '\u{e117}';
    /// Activity over time.
    ACTIVITY = Activity '\u{e038}';
    /// History of changes.
    HISTORY = History '\u{e1f5}';
    /// A time.
    CLOCK = Clock '\u{e087}';
    /// Notifications.
    MESSAGES = Bell '\u{e059}';
    /// An empty list.
    EMPTY = Inbox '\u{e0f7}';
    /// Nothing matches.
    NO_MATCH = SearchX '\u{e4ad}';
    /// A key to press next.
    ENTER = CornerDownLeft '\u{e0a1}';
    /// Zoom in.
    ZOOM_IN = ZoomIn '\u{e1b6}';
    /// Zoom out.
    ZOOM_OUT = ZoomOut '\u{e1b7}';
    /// Fit to the available space.
    FIT = Maximize '\u{e112}';
    /// Sample assets.
    SAMPLES = Sparkles '\u{e412}';
    /// Track an application.
    TRACK = Radar '\u{e497}';
    /// Shown.
    SHOWN = Eye '\u{e0ba}';
    /// Hidden.
    HIDDEN = EyeOff '\u{e0bb}';
    /// Filters.
    FILTER = ListFilter '\u{e460}';
    /// Wrap long lines.
    WRAP = WrapText '\u{e248}';
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
        self.0
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
            ALL.iter().filter(|(icon, _)| !ctx.fonts_mut(|fonts| fonts.has_glyph(&signs, icon.glyph()))).collect();
        assert!(missing.is_empty(), "{missing:?}: run assets/fonts/lucide-subset");
    }

    #[test]
    fn every_icon_has_the_glyph_of_its_name_in_the_whole_font() {
        for (icon, lucide) in ALL {
            assert_eq!(icon.glyph(), char::from(*lucide), "{lucide:?}");
        }
    }
}
