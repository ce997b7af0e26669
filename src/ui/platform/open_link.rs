//! Opens a web address in the user's browser.
//!
//! On Linux the desktop portal is used
//! ([`org.freedesktop.portal.OpenURI`](https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.OpenURI.html)),
//! so that this program starts no process. Without a portal `xdg-open` is started, often a shell script; it gets the
//! address as its only argument, and no shell command is built from it. On other systems the toolkit opens it. What
//! must hold: only `http` and `https` addresses are opened, and no frame waits.

use egui::Context;
use tokio::runtime::Handle;

/// Opens the links that the window requests from now on.
pub(in crate::ui) fn handle_links(ctx: &Context, runtime: &Handle) {
    #[cfg(all(unix, not(target_os = "macos")))]
    linux::handle_links(ctx, runtime);
    #[cfg(not(all(unix, not(target_os = "macos"))))]
    let _ = (ctx, runtime);
}

#[cfg(all(unix, not(target_os = "macos")))]
mod linux {
    use std::collections::HashMap;
    use std::process::Stdio;
    use std::sync::Arc;
    use std::time::Duration;

    use egui::{Context, OutputCommand};
    use tokio::runtime::Handle;
    use zbus::zvariant::{OwnedObjectPath, Value};

    use lunette_inspector::tasks::{log_panic, spawn_supervised};

    /// How long the portal may take to answer.
    const TIMEOUT: Duration = Duration::from_secs(5);

    pub(super) fn handle_links(ctx: &Context, runtime: &Handle) {
        let runtime = runtime.clone();
        ctx.on_end_pass(
            "open links",
            Arc::new(move |ctx| {
                for address in take_links(ctx) {
                    spawn_supervised(&runtime, open(address), log_panic("opening a link"));
                }
            }),
        );
    }

    /// Takes the addresses that the toolkit would open itself.
    fn take_links(ctx: &Context) -> Vec<String> {
        let mut addresses = Vec::new();
        ctx.output_mut(|output| {
            output.commands.retain(|command| match command {
                OutputCommand::OpenUrl(link) => {
                    addresses.push(link.url.clone());
                    false
                }
                _ => true,
            });
        });
        addresses.retain(|address| is_web_address(address));
        addresses
    }

    fn is_web_address(address: &str) -> bool {
        url::Url::parse(address).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
    }

    async fn open(address: String) {
        let asked = tokio::time::timeout(TIMEOUT, by_portal(&address)).await;
        let problem = match asked {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the portal does not respond".to_owned(),
        };
        tracing::debug!("the portal did not open a link: {problem}");
        // The program is waited for, so that it does not remain as a zombie.
        let opened = lunette_inspector::tasks::blocking(move || open_with_program(&address)).await;
        if let Err(error) = opened.unwrap_or_else(|panic| Err(std::io::Error::other(panic))) {
            tracing::warn!("a link could not be opened: no portal, and xdg-open: {error}");
        }
    }

    async fn by_portal(address: &str) -> zbus::Result<()> {
        let bus = zbus::Connection::session().await?;
        let portal = zbus::Proxy::new(
            &bus,
            "org.freedesktop.portal.Desktop",
            "/org/freedesktop/portal/desktop",
            "org.freedesktop.portal.OpenURI",
        )
        .await?;
        let options: HashMap<&str, Value<'_>> = HashMap::new();
        let _request: OwnedObjectPath = portal.call("OpenURI", &("", address, options)).await?;
        Ok(())
    }

    fn open_with_program(address: &str) -> std::io::Result<()> {
        let mut program = std::process::Command::new("xdg-open");
        program.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        program.status().map(drop)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn only_web_addresses_are_taken_from_the_toolkit() {
            let ctx = Context::default();
            for address in ["https://example.test/a b", "file:///etc/passwd", "javascript:alert(1)", "http://x"] {
                ctx.open_url(egui::OpenUrl::new_tab(address));
            }
            ctx.copy_text("kept".to_owned());
            assert_eq!(take_links(&ctx), ["https://example.test/a b", "http://x"]);
            assert_eq!(ctx.output(|output| output.commands.len()), 1, "the text is still copied");
        }
    }
}
