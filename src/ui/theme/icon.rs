//! The icons of the window, named after their meaning here, with their names in Lucide.
//!
//! After a change of the table, `assets/fonts/update-icons` makes the font of them again.

use super::fonts;

/// A glyph of the icon font. Screen readers cannot read it: whoever draws it adds a name.
#[derive(Clone, Copy, Debug)]
pub struct Icon(char);

macro_rules! icons {
    ($($(#[$doc:meta])* $name:ident = $lucide:literal $glyph:literal;)*) => {
        impl Icon {
            $($(#[$doc])* pub const $name: Icon = Icon($glyph);)*
        }

        /// Every icon with its name in Lucide, for the test that checks that the font has them.
        #[cfg(test)]
        const ALL: &[(&str, Icon)] = &[$(($lucide, Icon::$name)),*];
    };
}

icons! {
    /// Tracked applications.
    APPLICATIONS = "app-window" '\u{e426}';
    /// The colour of something.
    COLOR = "palette" '\u{e1dd}';
    /// Cards beside and below each other.
    BOARD = "layout-grid" '\u{e0ff}';
    /// Applications found on the machine.
    EXTERNAL = "telescope" '\u{e5c5}';
    /// Assets.
    ASSETS = "layers" '\u{e529}';
    /// The console of operations.
    OPERATIONS = "terminal" '\u{e181}';
    /// The log of calls.
    LOG = "scroll-text" '\u{e45f}';
    /// Add or create.
    ADD = "plus" '\u{e13d}';
    /// Remove, close or clear.
    CLOSE = "x" '\u{e1b2}';
    /// Done or healthy.
    CHECK = "check" '\u{e06c}';
    /// Reload, scan again.
    REFRESH = "refresh-cw" '\u{e145}';
    /// Undo the last change.
    UNDO = "undo-2" '\u{e2a1}';
    /// Redo an undone change.
    REDO = "redo-2" '\u{e2a0}';
    /// Pause.
    PAUSE = "pause" '\u{e12e}';
    /// Start or resume.
    START = "play" '\u{e13c}';
    /// A drag handle.
    GRIP = "grip-vertical" '\u{e0eb}';
    /// Retry.
    RETRY = "rotate-ccw" '\u{e148}';
    /// Exchange two things.
    EXCHANGE = "arrow-left-right" '\u{e24a}';
    /// Two versions of one item.
    CONFLICT = "git-merge" '\u{e0e4}';
    /// An archive of many files.
    ARCHIVE = "file-archive" '\u{e30d}';
    /// A report.
    REPORT = "file-spreadsheet" '\u{e326}';
    /// In progress, waiting.
    PENDING = "clock" '\u{e087}';
    /// Unknown.
    UNKNOWN = "circle-question-mark" '\u{e082}';
    /// Copy to the clipboard.
    COPY = "copy" '\u{e09e}';
    /// Search or filter.
    SEARCH = "search" '\u{e151}';
    /// Bring files in.
    IMPORT = "folder-input" '\u{e334}';
    /// Save as a file.
    EXPORT = "download" '\u{e0b2}';
    /// Save to a file.
    SAVE = "save" '\u{e14d}';
    /// Edit the fields.
    EDIT = "pencil" '\u{e1f9}';
    /// Delete.
    DELETE = "trash-2" '\u{e18e}';
    /// Choose another language.
    RECLASSIFY = "shapes" '\u{e4b3}';
    /// Increment a counter.
    SCORE = "trending-up" '\u{e191}';
    /// A favourite.
    STAR = "star" '\u{e176}';
    /// A tag.
    TAG = "tag" '\u{e17f}';
    /// A website.
    WEBSITE = "globe" '\u{e0e8}';
    /// A workstream summary.
    SUMMARY = "notebook-text" '\u{e598}';
    /// What is linked, as a picture.
    GRAPH = "waypoints" '\u{e542}';
    /// Stays at its place.
    PINNED = "pin" '\u{e259}';
    /// Marks what is drawn around.
    LASSO = "lasso" '\u{e1ce}';
    /// A link to something else.
    LINK = "link" '\u{e102}';
    /// Remove a link.
    UNLINK = "unlink" '\u{e19c}';
    /// Opens outside the window.
    OUTSIDE = "external-link" '\u{e0b9}';
    /// More actions.
    MORE = "ellipsis" '\u{e0b6}';
    /// The columns of a table.
    COLUMNS = "columns-3" '\u{e099}';
    /// Two things side by side.
    COMPARE = "columns-3" '\u{e099}';
    /// Rows in groups.
    GROUPED = "list-chevrons-down-up" '\u{e694}';
    /// Rows in no groups.
    ROWS = "list-ordered" '\u{e1d1}';
    /// Search in contents.
    CONTENTS = "file-search" '\u{e0cb}';
    /// The secondary sort column.
    SECOND_KEY = "list-ordered" '\u{e1d1}';
    /// Sorted ascending.
    ASCENDING = "arrow-up" '\u{e04a}';
    /// Sorted descending.
    DESCENDING = "arrow-down" '\u{e042}';
    /// The previous item, above.
    PREVIOUS = "chevron-up" '\u{e070}';
    /// The next item, below.
    NEXT = "chevron-down" '\u{e06d}';
    /// Collapsed.
    FOLDED = "chevron-right" '\u{e06f}';
    /// Expanded, or opens a menu.
    UNFOLDED = "chevron-down" '\u{e06d}';
    /// Expand everything.
    UNFOLD_ALL = "list-chevrons-up-down" '\u{e696}';
    /// Collapse everything.
    FOLD_ALL = "list-chevrons-down-up" '\u{e694}';
    /// Back.
    BACK = "arrow-left" '\u{e048}';
    /// Forward, or a change from one to another.
    FORWARD = "arrow-right" '\u{e049}';
    /// A failure.
    ERROR = "circle-alert" '\u{e077}';
    /// A warning.
    WARNING = "triangle-alert" '\u{e193}';
    /// Information.
    INFO = "info" '\u{e0f9}';
    /// Something succeeded.
    DONE = "circle-check" '\u{e226}';
    /// The light theme.
    LIGHT = "sun" '\u{e178}';
    /// The dark theme.
    DARK = "moon" '\u{e11e}';
    /// The theme of the system.
    SYSTEM = "sun-moon" '\u{e2b2}';
    /// Writes are blocked.
    LOCKED = "lock" '\u{e10b}';
    /// Writes need confirmation.
    GUARDED = "shield-question-mark" '\u{e40e}';
    /// A connection.
    CONNECTION = "plug" '\u{e37f}';
    /// No connection.
    UNCONNECTED = "unplug" '\u{e45d}';
    /// Settings.
    SETTINGS = "settings-2" '\u{e245}';
    /// Send a request.
    SEND = "send" '\u{e152}';
    /// Stop work under way.
    STOP = "square" '\u{e167}';
    /// A file.
    FILE = "file" '\u{e0c0}';
    /// A file of code.
    CODE = "file-code" '\u{e0c3}';
    /// A text.
    TEXT = "scroll-text" '\u{e45f}';
    /// A document.
    DOCUMENT = "notebook-text" '\u{e598}';
    /// A table of values.
    TABLE = "file-spreadsheet" '\u{e326}';
    /// Commands of a shell.
    SHELL = "terminal" '\u{e181}';
    /// A picture.
    PICTURE = "image" '\u{e0f6}';
    /// A folder.
    FOLDER = "folder" '\u{e0d7}';
    /// A record as a tree.
    RECORD = "braces" '\u{e36a}';
    /// A conversation.
    CONVERSATION = "message-square" '\u{e117}';
    /// Activity over time.
    ACTIVITY = "activity" '\u{e038}';
    /// History of changes.
    HISTORY = "history" '\u{e1f5}';
    /// A time.
    CLOCK = "clock" '\u{e087}';
    /// Notifications.
    MESSAGES = "bell" '\u{e059}';
    /// An empty list.
    EMPTY = "inbox" '\u{e0f7}';
    /// Nothing matches.
    NO_MATCH = "search-x" '\u{e4ad}';
    /// A key to press next.
    ENTER = "corner-down-left" '\u{e0a1}';
    /// Zoom in.
    ZOOM_IN = "zoom-in" '\u{e1b6}';
    /// Zoom out.
    ZOOM_OUT = "zoom-out" '\u{e1b7}';
    /// Fit to the available space.
    FIT = "maximize" '\u{e112}';
    /// Sample assets.
    SAMPLES = "sparkles" '\u{e412}';
    /// Track an application.
    TRACK = "radar" '\u{e497}';
    /// Shown.
    SHOWN = "eye" '\u{e0ba}';
    /// Hidden.
    HIDDEN = "eye-off" '\u{e0bb}';
    /// Filters.
    FILTER = "list-filter" '\u{e460}';
    /// Wrap long lines.
    WRAP = "wrap-text" '\u{e248}';
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
            ALL.iter().filter(|(_, icon)| !ctx.fonts_mut(|fonts| fonts.has_glyph(&signs, icon.glyph()))).collect();
        assert!(missing.is_empty(), "{missing:?}: run assets/fonts/update-icons");
    }
}
