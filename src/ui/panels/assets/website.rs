//! The form for a new website: its address and name, validated before they are sent.

use egui::Ui;

use crate::ui::disabled_reason::enabled_unless;
use crate::ui::theme::{SPACE_S, UiExt as _};
use crate::ui::widgets::text_field::TextField;

/// What is typed.
pub struct WebsiteForm {
    url: String,
    name: String,
    tried: bool,
    fresh: bool,
}

impl WebsiteForm {
    /// A form for the text typed into the picker: an address, or a name.
    pub fn new(text: &str) -> Self {
        let is_url = text.contains("://") || text.contains('.') && !text.contains(' ');
        let (url, name) =
            if is_url { (text.to_owned(), suggested_name(text)) } else { (String::new(), text.to_owned()) };
        Self { url, name, tried: is_url && checked_url(text).is_err(), fresh: true }
    }

    /// Draws the form; returns whether it is to be closed, and name and address once they are valid. `refusal` draws
    /// why the last attempt failed.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        disabled_reason: Option<&str>,
        refusal: impl FnOnce(&mut Ui),
    ) -> (bool, Option<(String, String)>) {
        let frame = egui::Frame::new().fill(ui.tokens().raised).corner_radius(6.0).inner_margin(SPACE_S as i8);
        let fresh = self.fresh;
        let drawn = frame.show(ui, |ui| self.fields_ui(ui, disabled_reason, refusal));
        if fresh {
            drawn.response.scroll_to_me(Some(egui::Align::Center));
        }
        drawn.inner
    }

    fn fields_ui(
        &mut self,
        ui: &mut Ui,
        disabled_reason: Option<&str>,
        refusal: impl FnOnce(&mut Ui),
    ) -> (bool, Option<(String, String)>) {
        let url = checked_url(&self.url);
        let no_name = self.name.trim().is_empty().then_some("a name is needed");
        let focus = std::mem::take(&mut self.fresh);
        let fault = url.as_ref().err().filter(|_| self.tried).map(NoWebsite::to_string);
        let address = TextField::new("Address of the website")
            .hint("https://example.org/page")
            .error(fault.as_deref())
            .focus(focus)
            .show(ui, &mut self.url);
        let name = TextField::new("Name of the website").error(no_name.filter(|_| self.tried)).show(ui, &mut self.name);
        refusal(ui);
        ui.horizontal(|ui| {
            let add = enabled_unless(ui, disabled_reason, |ui| ui.primary_button("Add website"));
            let pressed = add.clicked() || address.submitted || name.submitted;
            let cancelled = ui.button("Cancel").clicked();
            self.tried |= pressed;
            let ready = pressed && no_name.is_none() && disabled_reason.is_none();
            (cancelled, url.ok().filter(|_| ready).map(|url| (self.name.trim().to_owned(), url)))
        })
        .inner
    }
}

/// Why a text is not an address of a website.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoWebsite {
    /// There is none.
    #[error("an address is needed, such as https://example.org")]
    Empty,
    /// It cannot be parsed.
    #[error("this is not the address of a website: {0}")]
    Invalid(#[from] url::ParseError),
    /// It has no host.
    #[error("this is not the address of a website: it names no host")]
    NoHost,
    /// It has this scheme.
    #[error("this is not the address of a website: only http and https are opened, not {0}")]
    Scheme(String),
    /// It has a user name or a password.
    #[error("the address contains credentials; copy it to open it")]
    Credentials,
}

/// Returns the address to send: http or https, with a host. An address without a scheme gets https.
pub fn checked_url(text: &str) -> Result<String, NoWebsite> {
    let text = text.trim();
    if text.is_empty() {
        return Err(NoWebsite::Empty);
    }
    let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let url = url::Url::parse(&whole)?;
    match url.scheme() {
        "http" | "https" if url.host_str().is_some_and(|host| !host.is_empty()) => Ok(whole),
        "http" | "https" => Err(NoWebsite::NoHost),
        scheme => Err(NoWebsite::Scheme(scheme.to_owned())),
    }
}

/// Returns the address to open for the text of a website, which any program may have written: http or https with a
/// host, as parsed rather than as written, so that no path and no other scheme reaches the system.
pub fn openable_url(text: &str) -> Result<String, NoWebsite> {
    let whole = checked_url(text)?;
    let url = url::Url::parse(&whole)?;
    let names_more = !url.username().is_empty() || url.password().is_some();
    if names_more {
        return Err(NoWebsite::Credentials);
    }
    Ok(url.into())
}

/// Returns a name for a website: its address without the scheme.
fn suggested_name(url: &str) -> String {
    url.split_once("://").map_or(url, |(_, rest)| rest).trim_end_matches('/').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_are_taken() {
        assert_eq!(checked_url(" docs.rs/tokio "), Ok("https://docs.rs/tokio".to_owned()));
        assert_eq!(checked_url("http://[::1]:80/a b"), Ok("http://[::1]:80/a b".to_owned()));
        for text in
            ["", "  ", "javascript:alert(1)", "file:///etc/passwd", "ftp://a.b", "https://", "a b", "http://a b/"]
        {
            assert!(checked_url(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn only_web_addresses_are_opened() {
        let hostile = [
            "file:/etc/passwd",
            "file:///etc/passwd",
            "file://localhost/etc/passwd",
            "/etc/passwd",
            "~/.ssh/id_rsa",
            "x.desktop",
            "./run.sh",
            "C:\\Windows\\calc.exe",
            "\\\\host\\share",
            "vscode://file/etc/passwd",
            "vscode:/x",
            "javascript:alert(1)",
            "javascript:1@x",
            "javascript://%0aalert(1)",
            "data:text/html,<script>",
            "mailto:a@b",
            "tel:112",
            "ssh://a",
            "smb://a/b",
            "ftp://a.b",
            "ms-settings:",
            "about:blank",
            "view-source:https://a.b",
            "blob:https://a.b/c",
            "intent://a#Intent;end",
            "lunette://asset/x",
            "https:",
            "https://",
            "//a.b",
            "?",
            "#",
            "a b",
            "http://a b/",
            "https://user@evil.example",
            "https://bank.example@evil.example/",
            "-x",
            "--help",
            "$(id)",
            "`id`",
            "| id",
            "http://[::1",
            "https://\u{202e}moc",
            "\0",
            "\n",
            "wss://a.b",
            "chrome://settings",
            "jar:http://a.b!/c",
            "ldap://a.b",
            "magnet:?xt=1",
            "steam://run/1",
            "search-ms:query=a",
        ];
        for text in hostile {
            let Ok(address) = openable_url(text) else { continue };
            let url = url::Url::parse(&address).expect("an address");
            assert!(matches!(url.scheme(), "http" | "https") && url.host_str().is_some(), "{text:?}: {address}");
            assert!(address.starts_with("https://") || address.starts_with("http://"), "{text:?}: {address}");
            assert_eq!(address, url.as_str(), "{text:?}");
        }
        assert_eq!(openable_url("docs.rs/tokio"), Ok("https://docs.rs/tokio".to_owned()));
        assert!(openable_url("https://bank.example@evil.example/").is_err_and(|error| error == NoWebsite::Credentials));
    }

    #[test]
    fn text_from_the_picker_is_an_address_or_a_name() {
        let form = WebsiteForm::new("https://docs.rs/tokio/");
        assert_eq!((form.url.as_str(), form.name.as_str()), ("https://docs.rs/tokio/", "docs.rs/tokio"));
        let form = WebsiteForm::new("Tokio docs");
        assert_eq!((form.url.as_str(), form.name.as_str()), ("", "Tokio docs"));
    }
}
