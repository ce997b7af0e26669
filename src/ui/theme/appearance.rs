//! The user's choices for the look: accent, density and motion, as the context uses them now.
//!
//! They are applied before a frame is drawn ([`super::apply_appearance`]), so that a frame never mixes two of them.

use egui::{Context, Id};

use lunette_inspector::settings::{Accent, Density, Look, Motion};

/// The choices that a context draws with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Appearance {
    /// The colour of selected, primary and running items.
    pub accent: Accent,
    /// The size of rows and controls.
    pub density: Density,
    /// Whether animations are off: no fading, no moving bar, no blinking caret.
    pub still: bool,
}

impl Appearance {
    /// Returns the appearance for a look; `system_still` says whether the system asks for reduced motion.
    pub fn from_look(look: &Look, system_still: bool) -> Self {
        let still = match look.motion {
            Motion::System => system_still,
            Motion::Full => false,
            Motion::Reduced => true,
        };
        Self { accent: look.accent, density: look.density, still }
    }

    /// Returns what the context draws with now.
    pub fn of(ctx: &Context) -> Self {
        ctx.data(|data| data.get_temp(key())).unwrap_or_default()
    }

    pub(super) fn keep(self, ctx: &Context) {
        ctx.data_mut(|data| data.insert_temp(key(), self));
    }

    /// Returns the sizes of the density.
    pub fn sizes(self) -> &'static Sizes {
        match self.density {
            Density::Comfortable => &Sizes::COMFORTABLE,
            Density::Compact => &Sizes::COMPACT,
        }
    }
}

fn key() -> Id {
    Id::unique("dress")
}

/// Sizes that depend on the density, in points. Nothing that can be clicked is less than 24 points high
/// ([WCAG 2.2, 2.5.8](https://www.w3.org/TR/WCAG22/#target-size-minimum)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Height of a row of a list.
    pub row: f32,
    /// Height of buttons and fields.
    pub control: f32,
    /// Between lines of controls.
    pub gap: f32,
    /// Inside a button, at its left and right, above and below.
    pub button: (f32, f32),
    /// Inside a dialog.
    pub dialog: i8,
    /// Height of the top bar.
    pub top_bar: f32,
    /// Height of the status bar.
    pub status_bar: f32,
}

impl Sizes {
    const COMFORTABLE: Sizes =
        Sizes { row: 30.0, control: 28.0, gap: 8.0, button: (10.0, 5.0), dialog: 16, top_bar: 44.0, status_bar: 28.0 };

    const COMPACT: Sizes =
        Sizes { row: 24.0, control: 24.0, gap: 5.0, button: (8.0, 3.0), dialog: 12, top_bar: 36.0, status_bar: 24.0 };

    /// Returns the sizes that the context draws with now.
    pub fn of(ctx: &Context) -> &'static Self {
        Appearance::of(ctx).sizes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_pressed_is_under_24_points_high() {
        for sizes in [Sizes::COMFORTABLE, Sizes::COMPACT] {
            assert!(sizes.row >= 24.0 && sizes.control >= 24.0, "{sizes:?}");
        }
    }

    #[test]
    fn the_system_decides_on_motion_only_where_it_is_asked_to() {
        let still = |motion, system| Appearance::from_look(&Look { motion, ..Look::default() }, system).still;
        assert!(still(Motion::System, true) && !still(Motion::System, false));
        assert!(still(Motion::Reduced, false) && !still(Motion::Full, true));
    }
}
