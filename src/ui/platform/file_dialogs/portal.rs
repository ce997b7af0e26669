//! Determines whether this desktop has file dialogs: a portal on the session bus, or zenity.

use std::time::Duration;

use zbus::fdo::DBusProxy;
use zbus::names::BusName;

use crate::ui::platform::drag::Support;

/// The name of the desktop portal.
const PORTAL: &str = "org.freedesktop.portal.Desktop";
/// How long the bus may take to answer.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Returns why there are no dialogs, and what to do; `None` if there are.
pub(super) async fn missing() -> Option<String> {
    if zenity() {
        return None;
    }
    let why = match tokio::time::timeout(TIMEOUT, portal()).await {
        Ok(Ok(true)) => return None,
        Ok(Ok(false)) => "no portal is on the session bus".to_owned(),
        Ok(Err(error)) => format!("the session bus could not be asked: {error}"),
        Err(_) => "the session bus does not respond".to_owned(),
    };
    Some(message(&why, Support::detect().drops))
}

/// Returns the error that there are no dialogs, with the other ways that this display has.
fn message(why: &str, drops: bool) -> String {
    let ways = if drops { "type a path instead, drop files onto the window," } else { "type a path instead" };
    format!("this desktop has no file dialog ({why}): {ways} or install xdg-desktop-portal or zenity")
}

/// Returns whether the portal is running, or the bus would start it.
async fn portal() -> zbus::Result<bool> {
    let bus = zbus::Connection::session().await?;
    let names = DBusProxy::new(&bus).await?;
    if names.name_has_owner(BusName::try_from(PORTAL)?).await? {
        return Ok(true);
    }
    Ok(names.list_activatable_names().await?.iter().any(|name| name.as_str() == PORTAL))
}

fn zenity() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join("zenity").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_input_methods_of_the_display_are_mentioned() {
        let [with, without] = [true, false].map(|drops| message("no bus", drops));
        assert!(with.contains("type a path instead, drop files onto the window, or install"), "{with}");
        assert!(without.contains("type a path instead or install"), "{without}");
    }
}
