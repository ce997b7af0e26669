//! The gallery of widgets: every section of `examples/gallery`, in both themes.

#[path = "../../../examples/gallery/gallery/mod.rs"]
mod shown;

use egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette::ui::theme;

use shown::{Gallery, Section};

fn window(section: Section, theme: egui::Theme) -> Harness<'static, Gallery> {
    let install = move |context: &egui::Context| {
        theme::install(context);
        theme::set_preference(context, theme.into());
    };
    let builder = Harness::builder().with_size([1280.0, 2400.0]).with_context_setup(install);
    let mut harness = builder.build_ui_state(|ui, gallery: &mut Gallery| gallery.ui(ui), Gallery::new(section));
    // Code and pictures are drawn once they are prepared; a moving bar repaints without end.
    harness.run_steps(8);
    harness
}

#[test]
fn every_control_in_the_gallery_has_a_name() {
    const CONTROLS: [Role; 8] = [
        Role::Button,
        Role::CheckBox,
        Role::Link,
        Role::MenuItem,
        Role::RadioButton,
        Role::Tab,
        Role::TextInput,
        Role::MultilineTextInput,
    ];
    for section in Section::ALL {
        for theme in [egui::Theme::Dark, egui::Theme::Light] {
            let harness = window(section, theme);
            let controls = harness.query_all_by(|node| CONTROLS.contains(&node.role()));
            let named: Vec<bool> = controls
                .map(|control| {
                    let node = control.accesskit_node();
                    node.label().or_else(|| node.value()).is_some_and(|name| !name.trim().is_empty())
                })
                .collect();
            let number = named.iter().filter(|named| !**named).count();
            assert!(!named.is_empty(), "{section:?}: there are controls");
            assert_eq!(number, 0, "{section:?}, {theme:?}: controls without a name");
        }
    }
}

#[test]
fn a_press_in_the_gallery_has_an_effect() {
    let mut harness = window(Section::Text, egui::Theme::Dark);
    harness.query_all_by_label("Primary").next().expect("the enabled button").click();
    harness.run_steps(2);
    assert_eq!(harness.query_all_by_label("Primary was pressed.").count(), 2, "beside both rows of buttons");
}
