//! Whose program a service is.

/// Whose program a service is. Lunette's own understands requests and fields that the interface does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Vendor {
    /// Lunette's own service, of any version.
    Lunette,
    /// A service of another program, or of one that is not known.
    #[default]
    Other,
}

impl Vendor {
    /// The vendor that a `Server` header names.
    pub fn of_server(server: Option<&str>) -> Self {
        match server.is_some_and(|server| server.starts_with("lunette/")) {
            true => Self::Lunette,
            false => Self::Other,
        }
    }

    /// Whether it is Lunette's own service.
    pub fn is_lunette(self) -> bool {
        self == Self::Lunette
    }
}
