//! Opening an address of the web in the user's browser, at a click.
//!
//! On Linux the desktop's portal is asked
//! ([`org.freedesktop.portal.OpenURI`](https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.OpenURI.html)),
//! so that this program starts none. Without a portal `xdg-open` is started, which most systems have as a shell script;
//! it gets the address as its one argument, and no shell reads a line made of it. Elsewhere the toolkit asks the
//! system. What must hold: only addresses of `http` and `https` are opened, and no frame waits.

use egui::Context;
use tokio::runtime::Handle;

/// Opens what the window asks for, from now on.
pub(in crate::ui) fn serve(ctx: &Context, runtime: &Handle) {
    #[cfg(all(unix, not(target_os = "macos")))]
    linux::serve(ctx, runtime);
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

    /// How long the portal may take to say that it heard.
    const PATIENCE: Duration = Duration::from_secs(5);

    pub(super) fn serve(ctx: &Context, runtime: &Handle) {
        let runtime = runtime.clone();
        ctx.on_end_pass(
            "open links",
            Arc::new(move |ctx| {
                for address in taken(ctx) {
                    runtime.spawn(open(address));
                }
            }),
        );
    }

    /// Takes the addresses out of what the toolkit would open itself.
    fn taken(ctx: &Context) -> Vec<String> {
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
        addresses.retain(|address| is_of_the_web(address));
        addresses
    }

    fn is_of_the_web(address: &str) -> bool {
        url::Url::parse(address).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
    }

    async fn open(address: String) {
        let asked = tokio::time::timeout(PATIENCE, by_portal(&address)).await;
        let problem = match asked {
            Ok(Ok(())) => return,
            Ok(Err(error)) => error.to_string(),
            Err(_) => "the portal does not answer".to_owned(),
        };
        tracing::debug!("the portal did not open a link: {problem}");
        // The program is waited for, so that it does not stay behind as a zombie.
        let opened = tokio::task::spawn_blocking(move || by_program(&address)).await;
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

    fn by_program(address: &str) -> std::io::Result<()> {
        let mut program = std::process::Command::new("xdg-open");
        program.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        program.status().map(drop)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn what_is_to_be_opened_is_taken_from_the_toolkit_if_it_is_of_the_web() {
            let ctx = Context::default();
            for address in ["https://example.test/a b", "file:///etc/passwd", "javascript:alert(1)", "http://x"] {
                ctx.open_url(egui::OpenUrl::new_tab(address));
            }
            ctx.copy_text("kept".to_owned());
            assert_eq!(taken(&ctx), ["https://example.test/a b", "http://x"]);
            assert_eq!(ctx.output(|output| output.commands.len()), 1, "the text is still copied");
        }
    }
}
