//! The table of commands. Palette, menu, shortcuts, tooltips and help sheet are generated from it.
//!
//! What must hold: a name never changes, since shortcuts and recent commands are stored under it.

use egui::Key;

use super::{Group, Keys, Scope};
use crate::ui::platform::DELETE_KEY;
use crate::ui::theme::Icon;

/// The static description of a command.
#[derive(Clone, Copy, Debug)]
pub struct CommandRow {
    /// Its name in the settings.
    pub name: &'static str,
    /// Its group in the menu.
    pub group: Group,
    /// Where it applies.
    pub scope: Scope,
    /// Its icon.
    pub icon: Icon,
    /// Its title.
    pub title: &'static str,
    /// What it does, in one sentence.
    pub tip: &'static str,
    /// Its default keys.
    pub keys: &'static [Keys],
}

macro_rules! commands {
    ($($command:ident = $name:literal, $group:ident, $scope:ident, $icon:ident, $title:literal, $tip:literal, [$($keys:expr),*];)*) => {
        /// Everything that can be started from anywhere in the window.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Command {
            $(#[doc = $tip] $command,)*
        }

        impl Command {
            /// All commands, in the order of the menu.
            pub const ALL: &'static [Self] = &[$(Self::$command),*];

            /// Returns its row.
            pub const fn row(self) -> &'static CommandRow {
                match self {
                    $(Self::$command => {
                        const ROW: CommandRow = CommandRow {
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
        "Shows the tracked applications.", [Keys::ctrl(Key::Num1)];
    GoExternal = "go-external", Go, Always, EXTERNAL, "Go to External",
        "Shows the applications found on this machine.", [Keys::ctrl(Key::Num2)];
    GoAssets = "go-assets", Go, Always, ASSETS, "Go to Assets",
        "Shows the assets.", [Keys::ctrl(Key::Num3)];
    GoLinks = "go-links", Go, Always, LINK, "Go to Links",
        "Shows the tags, websites and workstream summaries.", [Keys::ctrl(Key::Num4)];
    GoOperations = "go-operations", Go, Always, OPERATIONS, "Go to Operations",
        "Shows the console for every operation.", [Keys::ctrl(Key::Num5)];
    GoLog = "go-log", Go, Always, LOG, "Go to Log",
        "Shows the calls that were made.", [Keys::ctrl(Key::Num6)];
    GoHistory = "go-history", Go, Always, HISTORY, "Go to History",
        "Shows the changes that were made.", [Keys::ctrl(Key::Num7)];
    GoGraph = "go-graph", Go, Always, GRAPH, "Go to Graph",
        "Shows what is linked to what, as a picture.", [Keys::ctrl(Key::Num8)];
    GoCompare = "go-compare", Go, Always, COMPARE, "Go to Compare",
        "Shows two things beside each other.", [Keys::ctrl(Key::Num9)];
    GoProposals = "go-proposals", Go, Always, EMPTY, "Go to Proposals",
        "Shows what assistants proposed, to apply or decline it.", [Keys::ctrl(Key::P).shift()];
    GoSides = "go-sides", Go, Always, COMPARE, "Compare two services or sides…",
        "Compares all assets of two sides: services, backups, archives, folders, or this one as it was.", [];
    GoRescue = "go-rescue", Go, Always, ARCHIVE, "Rescue everything from a service…",
        "Reads everything that another service has into the built-in one, with its ids and a receipt.", [];
    TryOnCopy = "try-on-copy", Go, Always, COPY, "Try on a copy…",
        "Copies everything into a service of its own, where whatever you do changes nothing here.", [];
    Trash = "trash", Go, Always, DELETE, "Show Trash",
        "Shows the deleted assets, to restore them or delete them permanently.", [];
    Back = "back", Go, Always, BACK, "Back",
        "Goes back to the previous view.", [Keys::alt(Key::ArrowLeft), Keys::plain(Key::BrowserBack)];
    Forward = "forward", Go, Always, FORWARD, "Forward",
        "Goes forward again after going back.", [Keys::alt(Key::ArrowRight), Keys::plain(Key::BrowserForward)];
    Palette = "palette", Go, Always, SEARCH, "Search or run a command",
        "Finds commands, applications, assets, tags, websites and summaries.", [Keys::ctrl(Key::K), Keys::ctrl(Key::P)];
    GoToId = "go-to-id", Go, Always, LINK, "Go to UUID…",
        "Opens an asset by its UUID.", [Keys::ctrl(Key::L)];
    Find = "find", Go, List, FILTER, "Find in the list",
        "Moves the cursor to the filter of the list.", [Keys::ctrl(Key::F), Keys::plain(Key::Slash)];

    ImportFiles = "import-files", File, Always, IMPORT, "Import files…",
        "Imports the files you choose as assets.", [Keys::ctrl(Key::O)];
    ImportFolder = "import-folder", File, Always, FOLDER, "Import a folder…",
        "Imports everything in the folder you choose.", [Keys::ctrl(Key::O).shift()];
    ImportPreview = "import-preview", File, Always, IMPORT, "Import with a preview…",
        "Lists the libraries of other programs on this machine, and shows each item for review before importing.", [Keys::ctrl(Key::I).shift()];
    ImportSamples = "import-samples", File, Always, SAMPLES, "Import samples",
        "Adds eight small assets for a first look.", [];
    NewText = "new-text", File, Always, ADD, "New asset from text…",
        "Creates an asset from text you type or paste.", [Keys::ctrl(Key::N)];
    NewFromClipboard = "new-from-clipboard", File, Always, COPY, "New asset from the clipboard",
        "Creates an asset from the text or the picture on the clipboard.", [Keys::ctrl(Key::N).shift()];
    ExportMany = "export-many", File, Always, EXPORT, "Export to a folder or file…",
        "Writes all, the shown or the selected assets as an archive or for another program.", [Keys::ctrl(Key::E).shift()];
    CompareFiles = "compare-files", File, Always, COMPARE, "Compare two files…",
        "Shows two files on this machine beside each other.", [];
    Screenshot = "screenshot", File, Always, PICTURE, "Save a screenshot…",
        "Saves a picture of this window as a PNG file.", [Keys::ctrl(Key::F12)];
    Quit = "quit", File, Always, CLOSE, "Quit",
        "Closes the window; unsaved drafts are kept.", [Keys::ctrl(Key::Q)];

    Undo = "undo", Edit, Always, UNDO, "Undo",
        "Undoes the last change; deletions, changes of several assets and changes from an earlier run show their plan first.", [Keys::ctrl(Key::Z)];
    Redo = "redo", Edit, Always, REDO, "Redo",
        "Redoes the change that was undone last.", [Keys::ctrl(Key::Z).shift(), Keys::ctrl(Key::Y)];
    Preferences = "preferences", Edit, Always, SETTINGS, "Preferences",
        "Changes the appearance and the keyboard shortcuts.", [Keys::ctrl(Key::Comma)];

    Refresh = "refresh", View, Always, REFRESH, "Refresh",
        "Reloads the list.", [Keys::ctrl(Key::R), Keys::plain(Key::F5)];
    Gallery = "gallery", View, Always, PICTURE, "Gallery",
        "Shows the assets as tiles with their pictures, or as rows.", [];
    PastOfList = "past-of-list", View, Always, HISTORY, "The list as it was, and checkpoints…",
        "Shows the assets as they were on a day or at a checkpoint, and makes checkpoints.", [];
    NextChange = "next-change", View, Always, NEXT, "Next change",
        "Goes to the next change of the two compared texts.", [Keys::plain(Key::F7)];
    PreviousChange = "previous-change", View, Always, PREVIOUS, "Previous change",
        "Goes to the previous change of the two compared texts.", [Keys::plain(Key::F7).shift()];
    NextArea = "next-area", View, Always, NEXT, "Next area",
        "Moves the keyboard from the sidebar to the list, the page, and the second page.", [Keys::plain(Key::F6)];
    PreviousArea = "previous-area", View, Always, PREVIOUS, "Previous area",
        "Moves the keyboard the other way.", [Keys::plain(Key::F6).shift()];
    ThemeSystem = "theme-system", View, Always, SYSTEM, "Theme: system",
        "Follows the theme of the system.", [];
    ThemeLight = "theme-light", View, Always, LIGHT, "Theme: light",
        "Uses the light theme.", [];
    ThemeDark = "theme-dark", View, Always, DARK, "Theme: dark",
        "Uses the dark theme.", [];
    ZoomIn = "zoom-in", View, Always, ZOOM_IN, "Zoom in",
        "Makes everything larger.", [Keys::ctrl(Key::Plus), Keys::ctrl(Key::Equals)];
    ZoomOut = "zoom-out", View, Always, ZOOM_OUT, "Zoom out",
        "Makes everything smaller.", [Keys::ctrl(Key::Minus)];
    ZoomReset = "zoom-reset", View, Always, FIT, "Zoom to 100%",
        "Shows everything at its normal size.", [Keys::ctrl(Key::Num0)];
    ClearLog = "clear-log", View, Always, DELETE, "Clear the log",
        "Removes all calls from the log.", [];

    Rename = "rename", Asset, Asset, EDIT, "Rename the asset",
        "Changes the name of the asset, or of the tag, website or summary.", [Keys::plain(Key::F2)];
    EditAsset = "edit-asset", Asset, Asset, EDIT, "Edit the asset…",
        "Changes the name and the description of the asset, and whether it is a favourite.", [Keys::plain(Key::F2).shift()];
    EditText = "edit-text", Asset, Asset, EDIT, "Edit the text…",
        "Edits the text of the asset in place of its preview.", [Keys::plain(Key::F4)];
    Reclassify = "reclassify", Asset, Asset, RECLASSIFY, "Reclassify the asset…",
        "Changes the language of the asset or of all selected assets.", [Keys::ctrl(Key::L).shift()];
    Tag = "tag", Asset, Asset, TAG, "Tag the asset…",
        "Adds a tag to the asset or to all selected assets.", [Keys::ctrl(Key::T)];
    Website = "website", Asset, Asset, WEBSITE, "Link a website…",
        "Links a website to the asset or to all selected assets.", [Keys::ctrl(Key::T).shift()];
    Summary = "summary", Asset, Asset, SUMMARY, "Link a workstream summary…",
        "Links a workstream summary to the asset or to all selected assets.", [Keys::ctrl(Key::M)];
    Score = "score", Asset, Asset, SCORE, "Increment a score…",
        "Adds one to a counter of the asset or of all selected assets.", [Keys::ctrl(Key::I)];
    Favourite = "favourite", Asset, Asset, STAR, "Favourite",
        "Adds the asset or all selected assets to the favourites, or removes them.", [Keys::ctrl(Key::D)];
    PinRecent = "pin-recent", Asset, Asset, PINNED, "Pin in Recent",
        "Pins the asset at the top of Recent, or unpins it.", [Keys::ctrl(Key::D).shift()];
    Export = "export", Asset, Asset, EXPORT, "Export the asset…",
        "Exports the asset or each selected asset as a document.", [Keys::ctrl(Key::E)];
    ShowGraph = "show-graph", Asset, Asset, GRAPH, "Show graph",
        "Shows what an asset, a tag, a website, a summary or an application is linked to, as a picture.", [Keys::ctrl(Key::G)];
    Compare = "compare", Asset, Asset, COMPARE, "Compare",
        "Shows two selected assets, tags, websites or summaries beside each other, or one beside what was selected for compare.", [Keys::ctrl(Key::B)];
    SelectForCompare = "select-for-compare", Asset, Asset, COMPARE, "Select for compare",
        "Makes it one side of the next comparison.", [Keys::ctrl(Key::B).shift()];
    CompareWith = "compare-with", Asset, Asset, COMPARE, "Compare with…",
        "Compares it with any asset, a version of it, or a file.", [Keys::alt(Key::B).shift()];
    CompareWithFile = "compare-with-file", Asset, Asset, COMPARE, "Compare with a file…",
        "Compares it with a file on this machine.", [Keys::alt(Key::B)];
    ShowVersions = "show-versions", Asset, Asset, HISTORY, "Show versions",
        "Shows what the asset was before each of its changes, to compare with now and to restore.", [Keys::alt(Key::H)];
    ShowRelated = "show-related", Asset, Asset, LINK, "Show related assets",
        "Shows the assets that share words, links or names with the asset.", [Keys::alt(Key::R)];
    CopyId = "copy-id", Asset, Asset, COPY, "Copy the UUID",
        "Copies the UUID of the asset, or the id of the tag, website, summary or application.", [Keys::ctrl(Key::C).shift()];
    Delete = "delete", Asset, Asset, DELETE, "Delete the asset…",
        "Deletes the asset or all selected assets, or an unused tag, website or summary, after showing the plan.", [Keys::ctrl(DELETE_KEY)];
    NearDuplicates = "near-duplicates", Asset, Always, CONFLICT, "Show near duplicates",
        "Shows the assets that are near duplicates of others, to merge them.", [];
    NextAsset = "next-asset", Asset, Always, DESCENDING, "Next asset",
        "Opens the next asset in the list.", [Keys::alt(Key::ArrowDown)];
    PreviousAsset = "previous-asset", Asset, Always, ASCENDING, "Previous asset",
        "Opens the previous asset in the list.", [Keys::alt(Key::ArrowUp)];
    Peek = "peek", Asset, Always, SHOWN, "Peek at the asset",
        "Shows the content of the asset in the focused row without opening it; the keys of the list move on.", [Keys::plain(Key::F9)];
    OpenBeside = "open-beside", Asset, Asset, COLUMNS, "Open beside",
        "Opens the asset in a second page beside the open one.", [Keys::ctrl(Key::Enter)];
    CloseAsset = "close-asset", Asset, Asset, CLOSE, "Close the page",
        "Closes the open page.", [Keys::ctrl(Key::W)];

    Connection = "connection", Service, Always, CONNECTION, "Connection…",
        "Chooses the service, and which changes are sent to it.", [Keys::ctrl(Key::J)];
    Reconnect = "reconnect", Service, Always, RETRY, "Reconnect",
        "Tries to reach the service again now.", [Keys::ctrl(Key::R).shift()];
    UseEmbedded = "use-embedded", Service, Always, APPLICATIONS, "Use the built-in service",
        "Connects to the built-in service.", [];
    Check = "check", Service, Always, REPORT, "Check this service",
        "Tests every operation of the service against the interface.", [];
    AllowWrites = "rail-free", Service, Always, CONNECTION, "Allow changes",
        "Sends small changes to this service at once.", [];
    ConfirmWrites = "rail-confirm", Service, Always, GUARDED, "Confirm changes",
        "Shows every change before it is sent to this service.", [];
    ReadOnlyWrites = "rail-read-only", Service, Always, LOCKED, "Read-only: nothing is sent",
        "Sends no changes to this service.", [];
    Assistants = "assistants", Service, Always, CONVERSATION, "Assistants…",
        "Shows the assistants, what each one read and may do, and the token that they need.", [];
    BackUp = "back-up", Service, Always, SAVE, "Back up now",
        "Backs up all data of the built-in service.", [];
    Restore = "restore", Service, Always, RETRY, "Restore a backup…",
        "Shows the backups of the built-in service, to restore one.", [];

    Welcome = "welcome", Help, Always, SAMPLES, "Welcome page",
        "Shows the first steps: import, samples, other services.", [];
    Messages = "messages", Help, Always, MESSAGES, "Messages",
        "Shows the messages since the window was opened.", [];
    Help = "help", Help, Always, UNKNOWN, "Keyboard shortcuts",
        "Shows every command with its keys.", [Keys::plain(Key::Questionmark), Keys::plain(Key::F1)];
    About = "about", Help, Always, INFO, "About Lunette",
        "Shows the version and the licences.", [];
}
