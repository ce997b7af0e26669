//! The folders in which programs usually keep their libraries.

/// An operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Linux and other Unix-like systems.
    Linux,
    /// macOS.
    Mac,
    /// Windows.
    Windows,
}

/// The base folder of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The home folder.
    Home,
    /// The folder for settings of programs.
    Config,
}

/// A place where a program keeps a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The program, if the source is shared by several.
    pub program: Option<&'static str>,
    /// The systems that have it; all if empty.
    pub systems: &'static [System],
    /// The folder that the path begins at.
    pub base: Base,
    /// The path below the base; `*` matches any name.
    pub path: &'static str,
    /// One of these names must be in the folder; `*` matches any. If empty, the path itself suffices.
    pub markers: &'static [&'static str],
}

/// Returns a place on all systems.
pub(crate) const fn place(base: Base, path: &'static str, markers: &'static [&'static str]) -> Place {
    Place { program: None, systems: &[], base, path, markers }
}

impl Place {
    /// Limits it to these systems.
    pub(crate) const fn on(self, systems: &'static [System]) -> Self {
        Self { systems, ..self }
    }

    /// Names the program.
    pub(crate) const fn of(self, program: &'static str) -> Self {
        Self { program: Some(program), ..self }
    }
}
