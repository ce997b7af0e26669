//! Links to what the window shows: `lunette://asset/UUID`, `lunette://application/UUID`, `lunette://search?q=TEXT`.
//!
//! Links come from untrusted sources, and a browser passes them on at one click. What must hold: a link names an item
//! to show and nothing else. It names no service, no file and no operation, so that following one can only read, and
//! only from the connected service. A text that is not exactly one of the three forms is rejected.

use std::fmt;
use std::str::FromStr;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::action::ApplicationsAction;
use crate::action::AssetsAction;
use crate::context::Context;
use crate::navigation::Navigation;
use crate::panel::Panel;
use lunette_client::model::id::{ApplicationId, AssetId};

/// The scheme of links; the desktop passes all URLs with this scheme to this program.
pub const SCHEME: &str = "lunette:";
/// The maximum length of a link in bytes.
pub const LONGEST: usize = 2_048;
/// The maximum length of a search text in characters.
const LONGEST_SEARCH: usize = 200;

/// The target of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// An asset.
    Asset(AssetId),
    /// A tracked application.
    Application(ApplicationId),
    /// A search of the service for a text.
    Search(String),
}

/// Why a text is not a link.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLink {
    /// It is too long.
    #[error("the link has {0} bytes; the limit is {LONGEST}")]
    TooLong(usize),
    /// It has none of the forms.
    #[error(
        "{0:?} is not a Lunette link: use lunette://asset/UUID, lunette://application/UUID or lunette://search?q=TEXT"
    )]
    Unknown(String),
}

impl FromStr for Link {
    type Err = BadLink;

    fn from_str(text: &str) -> Result<Self, BadLink> {
        if text.len() > LONGEST {
            return Err(BadLink::TooLong(text.len()));
        }
        read(text).ok_or_else(|| BadLink::Unknown(shortened(text)))
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asset(id) => write!(f, "{SCHEME}//asset/{id}"),
            Self::Application(id) => write!(f, "{SCHEME}//application/{id}"),
            Self::Search(text) => write!(f, "{SCHEME}//search?q={}", utf8_percent_encode(text, NON_ALPHANUMERIC)),
        }
    }
}

/// Whether a text is meant as a link, possibly an invalid one.
pub fn is_meant(text: &str) -> bool {
    text.get(..SCHEME.len()).is_some_and(|start| start.eq_ignore_ascii_case(SCHEME))
}

fn read(text: &str) -> Option<Link> {
    if !is_meant(text) {
        return None;
    }
    // Scheme and host are case-insensitive (RFC 3986, 6.2.2.1); programs that pass a link on may lower them.
    let rest = text[SCHEME.len()..].strip_prefix("//")?;
    let (kind, rest) = rest.split_at(rest.find(['/', '?'])?);
    match kind.to_ascii_lowercase().as_str() {
        "asset" => Some(Link::Asset(rest.strip_prefix('/')?.parse().ok()?)),
        "application" => Some(Link::Application(rest.strip_prefix('/')?.parse().ok()?)),
        "search" => searched(rest.strip_prefix("?q=")?).map(Link::Search),
        _ => None,
    }
}

/// The search text: visible characters only, with nothing after it.
fn searched(text: &str) -> Option<String> {
    let plain = |letter: char| letter.is_ascii_graphic() && !['&', '#', '+'].contains(&letter);
    if !text.chars().all(plain) {
        return None;
    }
    let text = percent_decode_str(text).decode_utf8().ok()?;
    let fits = !text.trim().is_empty() && text.chars().count() <= LONGEST_SEARCH && !text.chars().any(char::is_control);
    fits.then(|| text.into_owned())
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 80 { text.to_owned() } else { text.chars().take(80).chain(['…']).collect() }
}

impl Navigation {
    /// Shows the target of the link that waited for a service.
    pub(crate) fn resume(&mut self, cx: &mut Context<'_>) {
        if let Some(link) = self.waiting.take() {
            self.open_link(link, cx);
        }
    }

    /// Shows the target of a link. Without a connection the link waits for one.
    pub(crate) fn open_link(&mut self, link: Link, cx: &mut Context<'_>) {
        if cx.client().is_err() {
            self.waiting = Some(link); // One at a time.
            return cx.show_success("The link opens when the service responds".to_owned());
        }
        match link {
            Link::Asset(id) => cx.request(AssetsAction::Open(id)),
            Link::Application(id) => {
                self.show(Panel::Applications, cx);
                cx.request(ApplicationsAction::Open(id.to_string()));
            }
            Link::Search(text) => {
                self.show(Panel::Assets, cx);
                cx.request(AssetsAction::Close);
                cx.request(AssetsAction::Search(text));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ID: &str = "5f0c1a34-0b7e-4c5d-9a51-2f6f3d1ae159";

    fn link(text: &str) -> Option<Link> {
        text.parse().ok()
    }

    #[test]
    fn the_three_forms_are_read() {
        let asset = Link::Asset(ID.parse().expect("an id"));
        assert_eq!(link(&format!("lunette://asset/{ID}")), Some(asset.clone()));
        assert_eq!(link(&format!("LUNETTE://Asset/{ID}")), Some(asset));
        let application = Link::Application(ID.parse().expect("an id"));
        assert_eq!(link(&format!("lunette://application/{ID}")), Some(application));
        assert_eq!(link("lunette://search?q=to%20do%26%2b"), Some(Link::Search("to do&+".to_owned())));
    }

    #[test]
    fn links_with_any_other_content_are_refused() {
        let asset = format!("lunette://asset/{ID}");
        let beyond = ["/", "?", "#", "/..", "?url=http://x", "#x", " ", "\n", "%20", "/edit"];
        for text in beyond.iter().map(|more| format!("{asset}{more}")).chain([
            format!("lunette:asset/{ID}"),
            format!("lunette:/asset/{ID}"),
            format!("lunette:///asset/{ID}"),
            format!("lunette://me@asset/{ID}"),
            format!("lunette://asset:80/{ID}"),
            format!("lunette://delete/{ID}"),
            format!(" {asset}"),
            format!("http://asset/{ID}"),
        ]) {
            assert_eq!(link(&text), None, "{text}");
        }
        for text in [
            "",
            "lunette:",
            "lunette://",
            "lunette://asset",
            "lunette://asset/",
            "lunette://asset/../asset",
            "lunette://asset/not-a-uuid",
            "lunette://connect?url=http://198.51.100.1",
            "lunette://import?path=/etc/passwd",
            "lunette://search",
            "lunette://search?",
            "lunette://search?q=",
            "lunette://search?q=%20",
            "lunette://search?q=%ff",
            "lunette://search?q=%0a",
            "lunette://search?q=a&q=b",
            "lunette://search?q=a#b",
            "lunette://search?url=x",
            "lunette://search/?q=a",
        ] {
            assert_eq!(link(text), None, "{text}");
        }
        let long = format!("lunette://search?q={}", "a".repeat(LONGEST));
        assert!(matches!(long.parse::<Link>(), Err(BadLink::TooLong(_))));
        assert_eq!(link(&format!("lunette://search?q={}", "a".repeat(LONGEST_SEARCH + 1))), None);
    }

    proptest! {
        #[test]
        fn a_search_text_round_trips(text in "[^\\p{Cc}]{0,20}[a-zäあ😀&#+%/?]") {
            let written = Link::Search(text.clone()).to_string();
            prop_assert_eq!(link(&written), Some(Link::Search(text)));
        }

        #[test]
        fn an_id_round_trips(bytes in any::<[u8; 16]>()) {
            let id = uuid::Uuid::from_bytes(bytes).to_string();
            let asset = Link::Asset(id.parse().expect("an id"));
            prop_assert_eq!(link(&asset.to_string()), Some(asset));
        }

        #[test]
        fn any_text_is_parsed_without_a_panic_and_accepted_text_is_written_alike(text in "(lunette://)?(asset|search|\\PC{0,8})[/?]?(q=)?\\PC{0,60}") {
            if let Some(read) = link(&text) {
                prop_assert_eq!(link(&read.to_string()), Some(read));
            }
        }
    }
}
