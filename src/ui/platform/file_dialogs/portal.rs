//! Whether this desktop has dialogs for files: a portal on the session bus, or else zenity.

use std::time::Duration;

use zbus::fdo::DBusProxy;
use zbus::names::BusName;

/// The portal of a desktop.
const PORTAL: &str = "org.freedesktop.portal.Desktop";
/// How long the bus may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// Why there are none, and what to do; None where there are.
pub(super) async fn missing() -> Option<String> {
    if zenity() {
        return None;
    }
    let why = match tokio::time::timeout(PATIENCE, portal()).await {
        Ok(Ok(true)) => return None,
        Ok(Ok(false)) => "no portal is on the session bus".to_owned(),
        Ok(Err(error)) => format!("the session bus could not be asked: {error}"),
        Err(_) => "the session bus does not answer".to_owned(),
    };
    Some(format!(
        "this desktop has no file dialog ({why}): type a path instead, drop files onto the window, or \
         install xdg-desktop-portal or zenity"
    ))
}

/// Whether the portal runs, or the bus would start it.
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
