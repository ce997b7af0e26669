//! The lists and their fields: names, kinds, and what each is, in a few words.

/// A list that can be filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each is the list of its name")]
pub enum List {
    Applications,
    Inventory,
    External,
    Assets,
    Links,
    /// The assets of the open tag, website or workstream summary.
    Linked,
    Log,
    History,
    Trash,
    Import,
    /// What a rescue received.
    Rescue,
    /// The assets of two sides that are compared.
    Sides,
    /// What assistants proposed.
    Proposals,
    /// The changes of the open proposal.
    ProposedChanges,
    /// The assistants.
    Assistants,
}

/// A field of a list. Two lists may have a field of one name and two kinds; they are two fields then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the field of its name")]
pub enum Field {
    Name,
    Id,
    Language,
    Tag,
    Website,
    Summary,
    Application,
    Folder,
    Score,
    Size,
    Created,
    Updated,
    Version,
    Platform,
    Status,
    Privacy,
    Capabilities,
    Sessions,
    Events,
    Active,
    Changed,
    State,
    Operation,
    Method,
    Address,
    Code,
    Took,
    At,
    Title,
    Asset,
    Assets,
    Outcome,
    Differs,
    Client,
    Is,
}

/// What the values of a field are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Any text: a value is found anywhere in it.
    Text,
    /// A word of a few: a value is all of it, but for the case. Our choice: `language:c` is not CSS, `tag:http` not
    /// http2.
    Word,
    /// A folder: a value is it or one that it is in, but for the case; `=` takes the folder alone.
    Folder,
    /// A count.
    Number,
    /// A size in bytes.
    Bytes,
    /// A length of time.
    Millis,
    /// A version.
    Version,
    /// A moment.
    When,
    /// What a row is or is not.
    Flag,
}

/// What `is:` knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is what its name says")]
pub enum Flag {
    Favourite,
    Tagged,
    Linked,
    NearDuplicate,
    Onboarded,
    Changed,
    Tracked,
    Installed,
    Missing,
    Anticipated,
    Integration,
    Unused,
    Once,
    Similar,
    Failed,
    Background,
    Done,
    Undone,
    Unknown,
    Secret,
    Warned,
}

impl List {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Applications,
        Self::Inventory,
        Self::External,
        Self::Assets,
        Self::Links,
        Self::Linked,
        Self::Log,
        Self::History,
        Self::Trash,
        Self::Import,
        Self::Rescue,
        Self::Sides,
        Self::Proposals,
        Self::ProposedChanges,
        Self::Assistants,
    ];

    /// The name under which things of the list are kept.
    pub fn key(self) -> &'static str {
        match self {
            Self::Applications => "applications",
            Self::Inventory => "inventory",
            Self::External => "external",
            Self::Assets => "assets",
            Self::Links => "links",
            Self::Linked => "linked",
            Self::Log => "log",
            Self::History => "history",
            Self::Trash => "trash",
            Self::Import => "import",
            Self::Rescue => "rescue",
            Self::Sides => "sides",
            Self::Proposals => "proposals",
            Self::ProposedChanges => "proposed-changes",
            Self::Assistants => "assistants",
        }
    }

    /// Its fields, the most used first.
    pub fn fields(self) -> &'static [Field] {
        use Field::{
            Active, Address, Application, Asset, Assets, At, Capabilities, Changed, Client, Code, Created, Differs,
            Events, Folder, Id, Is, Language, Method, Name, Operation, Outcome, Platform, Privacy, Score, Sessions,
            Size, State, Status, Summary, Tag, Title, Took, Updated, Version, Website,
        };
        match self {
            Self::Applications => {
                &[Name, Version, Platform, Status, Privacy, Capabilities, Sessions, Events, Active, Is, Id]
            }
            Self::Inventory => &[Name, Version, Platform, State, Changed, Sessions, Events, Is],
            Self::External => &[Name, Version, State, Is],
            Self::Assets | Self::Linked => {
                &[Name, Folder, Language, Tag, Website, Summary, Application, Score, Size, Updated, Created, Is, Id]
            }
            Self::Links => &[Name, Address, Assets, Updated, Created, Is, Id],
            Self::Log => &[Operation, Method, Code, Address, Took, Size, At, Is],
            Self::History => &[Title, Asset, Outcome, At, Is],
            Self::Trash => &[Name, Language, Size, Id],
            Self::Import => &[Name, Language, Size, Address, Outcome, Is],
            Self::Rescue => &[Name, State, Outcome, Is, Id],
            Self::Sides => &[Name, State, Differs, Language, Tag, Size, Updated, Id],
            Self::Proposals => &[Title, Client, State, At, Is],
            Self::ProposedChanges => &[Title, Asset],
            Self::Assistants => &[Name, State, Size, Active],
        }
    }

    /// What `is:` knows in it.
    pub fn flags(self) -> &'static [Flag] {
        match self {
            Self::Applications => &[Flag::Onboarded],
            Self::Inventory => {
                &[Flag::Changed, Flag::Tracked, Flag::Installed, Flag::Missing, Flag::Anticipated, Flag::Integration]
            }
            Self::External => &[Flag::Installed, Flag::Missing, Flag::Anticipated, Flag::Integration],
            Self::Assets => &[Flag::Favourite, Flag::Tagged, Flag::Linked, Flag::NearDuplicate],
            Self::Linked => &[Flag::Favourite, Flag::Tagged, Flag::Linked],
            Self::Links => &[Flag::Unused, Flag::Once, Flag::Similar],
            Self::Log => &[Flag::Failed, Flag::Background],
            Self::History => &[Flag::Done, Flag::Undone, Flag::Failed, Flag::Unknown],
            Self::Proposals => &[Flag::Done, Flag::Undone, Flag::Failed, Flag::Unknown],
            Self::Trash | Self::Sides | Self::ProposedChanges | Self::Assistants => &[],
            Self::Import => &[Flag::Secret, Flag::Warned],
            Self::Rescue => &[Flag::Missing],
        }
    }

    /// The field of a name; None where the list has none of it.
    pub fn field(self, name: &str) -> Option<Field> {
        let name = name.to_ascii_lowercase();
        self.fields().iter().copied().find(|field| field.name() == name || field.also().contains(&name.as_str()))
    }

    /// A filter that shows what can be typed.
    pub fn example(self) -> &'static str {
        match self {
            Self::Applications => "sessions:>0 active:<7d",
            Self::Inventory => "is:changed state:installed",
            Self::External => "is:installed version:>=2",
            Self::Assets | Self::Linked => "language:rust score:>3 updated:<7d",
            Self::Links => "is:unused assets:<3",
            Self::Log => "status:>=400 method:post",
            Self::History => "is:undone at:<1d",
            Self::Trash => "language:rust size:>10kb",
            Self::Import => "outcome:new size:<1mb",
            Self::Rescue => "is:missing state:equal",
            Self::Sides => "state:different differs:content",
            Self::Proposals => "state:waiting at:<1d",
            Self::ProposedChanges => "asset:notes",
            Self::Assistants => "state:on size:>1mb",
        }
    }
}

impl Field {
    /// Its name in a filter.
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Id => "id",
            Self::Language => "language",
            Self::Tag => "tag",
            Self::Website => "website",
            Self::Summary => "summary",
            Self::Application => "application",
            Self::Folder => "folder",
            Self::Score => "score",
            Self::Size => "size",
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Version => "version",
            Self::Platform => "platform",
            Self::Status | Self::Code => "status",
            Self::Privacy => "privacy",
            Self::Capabilities => "capabilities",
            Self::Sessions => "sessions",
            Self::Events => "events",
            Self::Active => "active",
            Self::Changed => "changed",
            Self::State => "state",
            Self::Operation => "operation",
            Self::Method => "method",
            Self::Address => "address",
            Self::Took => "took",
            Self::At => "at",
            Self::Title => "title",
            Self::Asset => "asset",
            Self::Assets => "assets",
            Self::Outcome => "outcome",
            Self::Differs => "differs",
            Self::Client => "client",
            Self::Is => "is",
        }
    }

    /// Other names it goes by.
    fn also(self) -> &'static [&'static str] {
        match self {
            Self::Language => &["lang"],
            Self::Tag => &["tags"],
            Self::Website => &["site", "websites"],
            Self::Summary => &["summaries"],
            Self::Application => &["app"],
            Self::Address => &["path", "url"],
            Self::Title => &["what"],
            Self::At => &["when"],
            _ => &[],
        }
    }

    /// What its values are.
    pub fn kind(self) -> FieldKind {
        match self {
            Self::Language
            | Self::Tag
            | Self::Application
            | Self::Platform
            | Self::Privacy
            | Self::Status
            | Self::State
            | Self::Method => FieldKind::Word,
            Self::Name
            | Self::Id
            | Self::Website
            | Self::Summary
            | Self::Capabilities
            | Self::Operation
            | Self::Address
            | Self::Title
            | Self::Asset
            | Self::Outcome
            | Self::Differs
            | Self::Client => FieldKind::Text,
            Self::Folder => FieldKind::Folder,
            Self::Score | Self::Sessions | Self::Events | Self::Code | Self::Assets => FieldKind::Number,
            Self::Size => FieldKind::Bytes,
            Self::Took => FieldKind::Millis,
            Self::Version => FieldKind::Version,
            Self::Created | Self::Updated | Self::Active | Self::Changed | Self::At => FieldKind::When,
            Self::Is => FieldKind::Flag,
        }
    }

    /// What a value looks like, for who types the name.
    pub fn example(self) -> &'static str {
        match self.kind() {
            FieldKind::Text => "any part of it, or =all of it",
            FieldKind::Word => "all of it, such as \"two words\"",
            FieldKind::Folder => "it and what is below it, or =it alone",
            FieldKind::Number => ">3, <=10, 7",
            FieldKind::Bytes => ">=10kb, <1mb",
            FieldKind::Millis => ">100ms, <2s",
            FieldKind::Version => ">=1.2, 1.2",
            FieldKind::When => "<7d, >2026-01-31, today",
            FieldKind::Flag => "what it is",
        }
    }
}

impl Flag {
    /// All of them.
    pub const ALL: [Self; 21] = [
        Self::Favourite,
        Self::Tagged,
        Self::Linked,
        Self::NearDuplicate,
        Self::Onboarded,
        Self::Changed,
        Self::Tracked,
        Self::Installed,
        Self::Missing,
        Self::Anticipated,
        Self::Integration,
        Self::Unused,
        Self::Once,
        Self::Similar,
        Self::Failed,
        Self::Background,
        Self::Done,
        Self::Undone,
        Self::Unknown,
        Self::Secret,
        Self::Warned,
    ];

    /// Its word in a filter.
    pub fn word(self) -> &'static str {
        match self {
            Self::Favourite => "favourite",
            Self::Tagged => "tagged",
            Self::Linked => "linked",
            Self::NearDuplicate => "near-duplicate",
            Self::Onboarded => "onboarded",
            Self::Changed => "changed",
            Self::Tracked => "tracked",
            Self::Installed => "installed",
            Self::Missing => "missing",
            Self::Anticipated => "anticipated",
            Self::Integration => "integration",
            Self::Unused => "unused",
            Self::Once => "once",
            Self::Similar => "similar",
            Self::Failed => "failed",
            Self::Background => "background",
            Self::Done => "done",
            Self::Undone => "undone",
            Self::Unknown => "unknown",
            Self::Secret => "secret",
            Self::Warned => "warned",
        }
    }

    /// The flag of a word.
    pub(super) fn of(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "favorite" | "favorited" | "starred" => Some(Self::Favourite),
            "related" => Some(Self::Integration),
            word => Self::ALL.into_iter().find(|flag| flag.word() == word),
        }
    }
}
