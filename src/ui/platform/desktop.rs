//! The preferences of the desktop for every program: light or dark, and reduced motion.
//!
//! On Linux the toolkit does not know them; the settings portal does
//! ([`org.freedesktop.portal.Settings`](https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Settings.html)).
//! It is read once in the background, and then reports changes. What must hold: no frame waits for it, and without a
//! portal there are simply no preferences. On other systems the toolkit asks for the theme itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use egui::{Context, Theme};
use tokio::runtime::Handle;

use lunette_inspector::tasks::StartGate;

/// The preferences of the desktop, as far as known.
#[derive(Debug, Default)]
pub(in crate::ui) struct DesktopPreferences {
    /// 1 for dark and 2 for light, as in the portal; anything else is not a preference.
    color_scheme: AtomicU8,
    reduced_motion: AtomicBool,
}

impl DesktopPreferences {
    /// Reads the preferences of this desktop once the hold is released; they arrive while the window is open, each with
    /// a repaint.
    pub fn watch(runtime: &Handle, ctx: &Context, hold: StartGate) -> Arc<Self> {
        let wishes = Arc::<Self>::default();
        #[cfg(all(unix, not(target_os = "macos")))]
        portal::follow(runtime, ctx, Arc::clone(&wishes), hold);
        #[cfg(not(all(unix, not(target_os = "macos"))))]
        let _ = (runtime, ctx, hold);
        wishes
    }

    /// Returns the preferred theme.
    pub fn theme(&self) -> Option<Theme> {
        match self.color_scheme.load(Ordering::Relaxed) {
            1 => Some(Theme::Dark),
            2 => Some(Theme::Light),
            _ => None,
        }
    }

    /// Returns whether reduced motion is preferred.
    pub fn reduced_motion(&self) -> bool {
        self.reduced_motion.load(Ordering::Relaxed)
    }

    /// Applies one setting of the portal; an unknown one, or one of an unexpected type, is ignored.
    #[cfg(all(unix, not(target_os = "macos")))]
    fn apply(&self, namespace: &str, key: &str, number: Option<u32>, on: Option<bool>) {
        match (namespace, key, number, on) {
            (APPEARANCE, "color-scheme", Some(color_scheme), _) => {
                self.color_scheme.store(u8::try_from(color_scheme).unwrap_or_default(), Ordering::Relaxed);
            }
            (APPEARANCE, "reduced-motion", Some(request), _) => {
                self.reduced_motion.store(request == 1, Ordering::Relaxed)
            }
            // The older setting, of GNOME alone.
            (INTERFACE, "enable-animations", _, Some(on)) => self.reduced_motion.store(!on, Ordering::Relaxed),
            _ => {}
        }
    }
}

#[cfg(all(unix, not(target_os = "macos")))]
const APPEARANCE: &str = "org.freedesktop.appearance";
#[cfg(all(unix, not(target_os = "macos")))]
const INTERFACE: &str = "org.gnome.desktop.interface";

#[cfg(all(unix, not(target_os = "macos")))]
mod portal {
    use std::sync::Arc;

    use egui::Context;
    use futures_util::StreamExt as _;
    use tokio::runtime::Handle;
    use zbus::Proxy;
    use zbus::zvariant::{OwnedValue, Value};

    use lunette_inspector::tasks::{StartGate, log_panic, spawn_supervised};

    use super::{APPEARANCE, DesktopPreferences, INTERFACE};

    /// The settings that are read; of two with the same meaning the newer one comes last and wins.
    const SETTINGS: [(&str, &str); 3] =
        [(INTERFACE, "enable-animations"), (APPEARANCE, "reduced-motion"), (APPEARANCE, "color-scheme")];

    pub(super) fn follow(runtime: &Handle, ctx: &Context, wishes: Arc<DesktopPreferences>, hold: StartGate) {
        let ctx = ctx.clone();
        let follow = async move {
            hold.released().await;
            if let Err(error) = listen(&ctx, &wishes).await {
                tracing::debug!("the desktop's settings are not known: {error}");
            }
        };
        spawn_supervised(runtime, follow, log_panic("following the settings of the desktop"));
    }

    async fn listen(ctx: &Context, wishes: &DesktopPreferences) -> zbus::Result<()> {
        let bus = zbus::Connection::session().await?;
        let settings = Proxy::new(
            &bus,
            "org.freedesktop.portal.Desktop",
            "/org/freedesktop/portal/desktop",
            "org.freedesktop.portal.Settings",
        )
        .await?;
        // Subscribed before reading, so that no change is missed.
        let mut changes = settings.receive_signal("SettingChanged").await?;
        for (namespace, key) in SETTINGS {
            // A setting that this desktop does not have is answered with an error.
            if let Ok(value) = settings.call::<_, _, OwnedValue>("Read", &(namespace, key)).await {
                apply(wishes, namespace, key, &value);
            }
        }
        ctx.request_repaint();
        while let Some(change) = changes.next().await {
            let body = change.body();
            if let Ok((namespace, key, value)) = body.deserialize::<(&str, &str, Value<'_>)>() {
                apply(wishes, namespace, key, &value);
                ctx.request_repaint();
            }
        }
        Ok(())
    }

    fn apply(wishes: &DesktopPreferences, namespace: &str, key: &str, value: &Value<'_>) {
        // The older call wraps its value once more.
        match value {
            Value::Value(inner) => apply(wishes, namespace, key, inner),
            Value::U32(number) => wishes.apply(namespace, key, Some(*number), None),
            Value::Bool(on) => wishes.apply(namespace, key, None, Some(*on)),
            _ => {}
        }
    }
}

#[cfg(all(test, unix, not(target_os = "macos")))]
mod tests {
    use super::*;

    #[test]
    fn preferences_of_the_desktop_are_applied_and_invalid_ones_ignored() {
        let wishes = DesktopPreferences::default();
        assert_eq!((wishes.theme(), wishes.reduced_motion()), (None, false));
        wishes.apply(APPEARANCE, "color-scheme", Some(1), None);
        wishes.apply(INTERFACE, "enable-animations", None, Some(false));
        assert_eq!((wishes.theme(), wishes.reduced_motion()), (Some(Theme::Dark), true));
        wishes.apply(APPEARANCE, "color-scheme", None, Some(true));
        wishes.apply(APPEARANCE, "accent-color", Some(2), None);
        assert_eq!(wishes.theme(), Some(Theme::Dark));
        wishes.apply(APPEARANCE, "color-scheme", Some(2), None);
        wishes.apply(APPEARANCE, "reduced-motion", Some(0), None);
        assert_eq!((wishes.theme(), wishes.reduced_motion()), (Some(Theme::Light), false));
        wishes.apply(APPEARANCE, "color-scheme", Some(257), None);
        assert_eq!(wishes.theme(), None);
    }
}
