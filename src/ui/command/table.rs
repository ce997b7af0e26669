//! Every command: one row each, from which come the palette, the menu, the shortcuts, the tooltips and the help sheet.
//!
//! What must hold: a name never changes, since shortcuts and recent commands are kept by it.

use egui::Key;

use super::{Group, Keys, Scope};
use crate::ui::theme::Icon;

/// What is known of a command whatever the window shows.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Names it in the settings.
    pub name: &'static str,
    /// The part of the menu it stands in.
    pub group: Group,
    /// Where it applies.
    pub scope: Scope,
    /// Its sign.
    pub icon: Icon,
    /// What it is called.
    pub title: &'static str,
    /// What it does, in one sentence.
    pub tip: &'static str,
    /// Its keys, unless others were chosen.
    pub keys: &'static [Keys],
}

macro_rules! commands {
    ($($command:ident = $name:literal, $group:ident, $scope:ident, $icon:ident, $title:literal, $tip:literal, [$($keys:expr),*];)*) => {
        /// Everything that can be asked of the window from anywhere.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Command {
            $(#[doc = $tip] $command,)*
        }

        impl Command {
            /// All of them, in the order of the menu.
            pub const ALL: &'static [Self] = &[$(Self::$command),*];

            /// Its row.
            pub const fn row(self) -> &'static Row {
                match self {
                    $(Self::$command => {
                        const ROW: Row = Row {
                            name: $name,
                            group: Group::$group,
                            scope: Scope::$scope,
                            icon: Icon::$icon,
                            title: $title,
                            tip: $tip,
                            keys: &[$($keys),*],
                        };
                        &ROW
                    })*
                }
            }
        }
    };
}

commands! {
    GoApplications = "go-applications", Go, Always, APPLICATIONS, "Go to Applications",
        "Brings the tracked applications to the front.", [Keys::ctrl(Key::Num1)];
    GoExternal = "go-external", Go, Always, EXTERNAL, "Go to External",
        "Brings the applications found on this machine to the front.", [Keys::ctrl(Key::Num2)];
    GoAssets = "go-assets", Go, Always, ASSETS, "Go to Assets",
        "Brings the assets to the front.", [Keys::ctrl(Key::Num3)];
    GoOperations = "go-operations", Go, Always, OPERATIONS, "Go to Operations",
        "Brings the console for every operation to the front.", [Keys::ctrl(Key::Num4)];
    GoLog = "go-log", Go, Always, LOG, "Go to Log",
        "Brings the calls that were made to the front.", [Keys::ctrl(Key::Num5)];
    GoHistory = "go-history", Go, Always, HISTORY, "Go to History",
        "Brings the changes that were made to the front.", [Keys::ctrl(Key::Num6)];
    Trash = "trash", Go, Always, DELETE, "Show Trash",
        "Lists the deleted assets, to restore them or to delete them permanently.", [];
    Back = "back", Go, Always, BACK, "Back",
        "Goes back to what was looked at before.", [Keys::alt(Key::ArrowLeft), Keys::plain(Key::BrowserBack)];
    Forward = "forward", Go, Always, FORWARD, "Forward",
        "Goes forward again, after going back.", [Keys::alt(Key::ArrowRight), Keys::plain(Key::BrowserForward)];
    Palette = "palette", Go, Always, SEARCH, "Search or run a command",
        "Finds commands, applications, assets and what they are linked to.", [Keys::ctrl(Key::K), Keys::ctrl(Key::P)];
    GoToId = "go-to-id", Go, Always, LINK, "Go to UUID…",
        "Opens an asset by its id, typed or pasted.", [Keys::ctrl(Key::L)];
    Find = "find", Go, List, FILTER, "Find in the list",
        "Puts the cursor into the filter of the list in front.", [Keys::ctrl(Key::F), Keys::plain(Key::Slash)];

    ImportFiles = "import-files", File, Always, IMPORT, "Import files…",
        "Makes assets of files you choose.", [Keys::ctrl(Key::O)];
    ImportFolder = "import-folder", File, Always, FOLDER, "Import a folder…",
        "Makes assets of everything in a folder you choose.", [Keys::ctrl(Key::O).shift()];
    ImportSamples = "import-samples", File, Always, SAMPLES, "Import the samples",
        "Makes a few assets for a first look.", [];
    NewText = "new-text", File, Always, ADD, "New asset from text…",
        "Makes an asset of text you type or paste.", [Keys::ctrl(Key::N)];
    Screenshot = "screenshot", File, Always, PICTURE, "Save a screenshot of the window…",
        "Saves what the window shows as a PNG picture.", [Keys::ctrl(Key::F12)];
    Quit = "quit", File, Always, CLOSE, "Quit",
        "Closes the window; what was begun and not applied is kept.", [Keys::ctrl(Key::Q)];

    Undo = "undo", Edit, Always, UNDO, "Undo",
        "Undoes the last change; what deletes, touches more than one asset or is from before shows its plan first.", [Keys::ctrl(Key::Z)];
    Redo = "redo", Edit, Always, REDO, "Redo",
        "Redoes the change that was undone last.", [Keys::ctrl(Key::Z).shift(), Keys::ctrl(Key::Y)];
    Preferences = "preferences", Edit, Always, SETTINGS, "Preferences",
        "Chooses how the window looks, and which keys do what.", [Keys::ctrl(Key::Comma)];

    Refresh = "refresh", View, Always, REFRESH, "Refresh",
        "Reads the list in front anew.", [Keys::ctrl(Key::R), Keys::plain(Key::F5)];
    ThemeSystem = "theme-system", View, Always, SYSTEM, "Theme: as the system",
        "Draws light or dark as the system does.", [];
    ThemeLight = "theme-light", View, Always, LIGHT, "Theme: light",
        "Draws dark on light.", [];
    ThemeDark = "theme-dark", View, Always, DARK, "Theme: dark",
        "Draws light on dark.", [];
    ZoomIn = "zoom-in", View, Always, ZOOM_IN, "Zoom in",
        "Draws everything larger.", [Keys::ctrl(Key::Plus), Keys::ctrl(Key::Equals)];
    ZoomOut = "zoom-out", View, Always, ZOOM_OUT, "Zoom out",
        "Draws everything smaller.", [Keys::ctrl(Key::Minus)];
    ZoomReset = "zoom-reset", View, Always, FIT, "Zoom to 100%",
        "Draws everything in its usual size.", [Keys::ctrl(Key::Num0)];
    ClearLog = "clear-log", View, Always, DELETE, "Clear the log",
        "Forgets every call that the log shows.", [];

    Rename = "rename", Asset, Asset, EDIT, "Rename the asset",
        "Types over the name of the open asset.", [Keys::plain(Key::F2)];
    EditAsset = "edit-asset", Asset, Asset, EDIT, "Edit the asset…",
        "Changes name, description and favourite of the open asset.", [Keys::plain(Key::F2).shift()];
    Reclassify = "reclassify", Asset, Asset, RECLASSIFY, "Reclassify the asset…",
        "Gives the open asset or all selected ones another language.", [Keys::ctrl(Key::L).shift()];
    Tag = "tag", Asset, Asset, TAG, "Tag the asset…",
        "Links a tag to the open asset or to all selected ones.", [Keys::ctrl(Key::T)];
    Website = "website", Asset, Asset, WEBSITE, "Link a website…",
        "Links a website to the open asset or to all selected ones.", [Keys::ctrl(Key::T).shift()];
    Summary = "summary", Asset, Asset, SUMMARY, "Link a workstream summary…",
        "Links a workstream summary to the open asset or to all selected ones.", [Keys::ctrl(Key::M)];
    Score = "score", Asset, Asset, SCORE, "Increment a score…",
        "Adds one to a counter of the open asset or of all selected ones.", [Keys::ctrl(Key::I)];
    Favourite = "favourite", Asset, Asset, STAR, "Favourite",
        "Makes the open asset or all selected ones favourites, or no longer.", [Keys::ctrl(Key::D)];
    Export = "export", Asset, Asset, EXPORT, "Export the asset…",
        "Makes a document of the open asset or of each selected one.", [Keys::ctrl(Key::E)];
    CopyId = "copy-id", Asset, Asset, COPY, "Copy the asset’s id",
        "Copies the id of the open asset.", [Keys::ctrl(Key::C).shift()];
    Delete = "delete", Asset, Asset, DELETE, "Delete the asset…",
        "Deletes the open asset or all selected ones, after showing what that does.", [Keys::ctrl(Key::Delete)];
    NextAsset = "next-asset", Asset, Always, DESCENDING, "Next asset",
        "Opens the asset below the open one in the list.", [Keys::alt(Key::ArrowDown)];
    PreviousAsset = "previous-asset", Asset, Always, ASCENDING, "Previous asset",
        "Opens the asset above the open one in the list.", [Keys::alt(Key::ArrowUp)];
    CloseAsset = "close-asset", Asset, Asset, CLOSE, "Close the asset",
        "Goes back from the asset to the list alone.", [Keys::ctrl(Key::W)];

    Connection = "connection", Service, Always, CONNECTION, "Choose another service…",
        "Shows the services there are, and which writes leave for the one in use.", [Keys::ctrl(Key::J)];
    Reconnect = "reconnect", Service, Always, RETRY, "Reconnect",
        "Tries the same service again, at once.", [Keys::ctrl(Key::R).shift()];
    UseEmbedded = "use-embedded", Service, Always, APPLICATIONS, "Use the service inside Lunette",
        "Talks to the service inside this program from now on.", [];
    Check = "check", Service, Always, REPORT, "Check this service",
        "Asks the service all operations of the interface, and compares.", [];
    RailFree = "rail-free", Service, Always, CONNECTION, "Writes: let them leave freely",
        "Small changes leave for this service without being asked about.", [];
    RailConfirm = "rail-confirm", Service, Always, GUARDED, "Writes: ask before every one",
        "Shows every change before it leaves for this service.", [];
    RailReadOnly = "rail-read-only", Service, Always, LOCKED, "Writes: none, read-only",
        "Lets no change leave for this service.", [];
    BackUp = "back-up", Service, Always, SAVE, "Back up now",
        "Copies everything the service inside keeps.", [];
    Restore = "restore", Service, Always, RETRY, "Restore a backup…",
        "Lists the backups of the service inside, to bring one back.", [];

    Welcome = "welcome", Help, Always, SAMPLES, "Show the first page",
        "Shows the ways to begin: import, samples, a service to connect to.", [];
    Messages = "messages", Help, Always, MESSAGES, "Messages",
        "Lists what was said since the window opened.", [];
    Help = "help", Help, Always, UNKNOWN, "Keys and commands",
        "Shows every command with its keys.", [Keys::plain(Key::Questionmark), Keys::plain(Key::F1)];
}
