//! What the desktop asks of every program's look: light or dark, and little motion.
//!
//! On Linux the toolkit does not know; the settings portal does
//! ([`org.freedesktop.portal.Settings`](https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Settings.html)).
//! It is asked once in the background, and then tells what changes. What must hold: no frame waits for it, and where
//! there is no portal everything is as if the desktop had no wish. Elsewhere the toolkit asks the system itself for the
//! theme.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use egui::{Context, Theme};
use tokio::runtime::Handle;

/// What the desktop asks for, as far as is known now.
#[derive(Debug, Default)]
pub(in crate::ui) struct Wishes {
    /// 1 for dark, 2 for light, as the portal counts; anything else is no wish.
    scheme: AtomicU8,
    still: AtomicBool,
}

impl Wishes {
    /// Those of the desktop this runs on; they come in while the window is open, each with a frame.
    pub fn of_desktop(runtime: &Handle, ctx: &Context) -> Arc<Self> {
        let wishes = Arc::<Self>::default();
        #[cfg(all(unix, not(target_os = "macos")))]
        portal::follow(runtime, ctx, Arc::clone(&wishes));
        #[cfg(not(all(unix, not(target_os = "macos"))))]
        let _ = (runtime, ctx);
        wishes
    }

    /// The theme asked for.
    pub fn theme(&self) -> Option<Theme> {
        match self.scheme.load(Ordering::Relaxed) {
            1 => Some(Theme::Dark),
            2 => Some(Theme::Light),
            _ => None,
        }
    }

    /// Whether little motion is asked for.
    pub fn still(&self) -> bool {
        self.still.load(Ordering::Relaxed)
    }

    /// Takes in one setting of the portal; what is not known, or of another kind than it should be, changes nothing.
    #[cfg(all(unix, not(target_os = "macos")))]
    fn take(&self, namespace: &str, key: &str, number: Option<u32>, on: Option<bool>) {
        match (namespace, key, number, on) {
            (APPEARANCE, "color-scheme", Some(scheme), _) => {
                self.scheme.store(u8::try_from(scheme).unwrap_or_default(), Ordering::Relaxed);
            }
            (APPEARANCE, "reduced-motion", Some(wish), _) => self.still.store(wish == 1, Ordering::Relaxed),
            // The older one, of GNOME alone.
            (INTERFACE, "enable-animations", _, Some(on)) => self.still.store(!on, Ordering::Relaxed),
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

    use super::{APPEARANCE, INTERFACE, Wishes};

    /// The settings that are asked for; of two that say the same the newer one comes last, and counts.
    const ASKED: [(&str, &str); 3] =
        [(INTERFACE, "enable-animations"), (APPEARANCE, "reduced-motion"), (APPEARANCE, "color-scheme")];

    pub(super) fn follow(runtime: &Handle, ctx: &Context, wishes: Arc<Wishes>) {
        let ctx = ctx.clone();
        runtime.spawn(async move {
            if let Err(error) = listen(&ctx, &wishes).await {
                tracing::debug!("the desktop's settings are not known: {error}");
            }
        });
    }

    async fn listen(ctx: &Context, wishes: &Wishes) -> zbus::Result<()> {
        let bus = zbus::Connection::session().await?;
        let settings = Proxy::new(
            &bus,
            "org.freedesktop.portal.Desktop",
            "/org/freedesktop/portal/desktop",
            "org.freedesktop.portal.Settings",
        )
        .await?;
        // Listened to before it is asked, so that no change falls between.
        let mut changes = settings.receive_signal("SettingChanged").await?;
        for (namespace, key) in ASKED {
            // One that this desktop does not have is answered with an error.
            if let Ok(value) = settings.call::<_, _, OwnedValue>("Read", &(namespace, key)).await {
                take(wishes, namespace, key, &value);
            }
        }
        ctx.request_repaint();
        while let Some(change) = changes.next().await {
            let body = change.body();
            if let Ok((namespace, key, value)) = body.deserialize::<(&str, &str, Value<'_>)>() {
                take(wishes, namespace, key, &value);
                ctx.request_repaint();
            }
        }
        Ok(())
    }

    fn take(wishes: &Wishes, namespace: &str, key: &str, value: &Value<'_>) {
        // The older call wraps its value once more.
        match value {
            Value::Value(inner) => take(wishes, namespace, key, inner),
            Value::U32(number) => wishes.take(namespace, key, Some(*number), None),
            Value::Bool(on) => wishes.take(namespace, key, None, Some(*on)),
            _ => {}
        }
    }
}

#[cfg(all(test, unix, not(target_os = "macos")))]
mod tests {
    use super::*;

    #[test]
    fn what_the_desktop_asks_for_is_taken_and_nonsense_is_not() {
        let wishes = Wishes::default();
        assert_eq!((wishes.theme(), wishes.still()), (None, false));
        wishes.take(APPEARANCE, "color-scheme", Some(1), None);
        wishes.take(INTERFACE, "enable-animations", None, Some(false));
        assert_eq!((wishes.theme(), wishes.still()), (Some(Theme::Dark), true));
        wishes.take(APPEARANCE, "color-scheme", None, Some(true));
        wishes.take(APPEARANCE, "accent-color", Some(2), None);
        assert_eq!(wishes.theme(), Some(Theme::Dark));
        wishes.take(APPEARANCE, "color-scheme", Some(2), None);
        wishes.take(APPEARANCE, "reduced-motion", Some(0), None);
        assert_eq!((wishes.theme(), wishes.still()), (Some(Theme::Light), false));
        wishes.take(APPEARANCE, "color-scheme", Some(257), None);
        assert_eq!(wishes.theme(), None);
    }
}
