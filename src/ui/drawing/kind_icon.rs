//! The icon of what an asset is, by its language: code, text, a picture, a document, a link and so on.

use egui::Color32;

use crate::ui::theme::Icon;
use lunette_client::model::language::language;

/// Returns the icon of a language, by the interface's word.
pub fn of_language(specific: &str) -> Icon {
    match specific {
        "svg" => Icon::PICTURE,
        "md" | "mdown" | "mdwn" | "markdown" | "markdn" | "hljs-markdown" | "pdf" | "rtf" | "rtx" | "doc" | "docx"
        | "docm" | "ppt" | "pptx" | "pptm" => Icon::DOCUMENT,
        "csv" | "tsv" | "xla" | "xlam" | "xlc" | "xlm" | "xls" | "xlsb" | "xlsm" | "xlsx" | "xlt" | "xltm" | "xltx" => {
            Icon::TABLE
        }
        "json" | "yaml" | "yml" | "toml" => Icon::RECORD,
        "sh" | "bash" | "bat" | "ps1" => Icon::SHELL,
        "zip" | "gz" | "jar" | "rpm" | "dmg" | "mpkg" => Icon::ARCHIVE,
        _ => match language(specific).map_or("", |known| known.generic) {
            "CODE" => Icon::CODE,
            "TEXT" => Icon::TEXT,
            "IMAGE" => Icon::PICTURE,
            "EXTERNAL_RESOURCE_REFERENCE" => Icon::LINK,
            _ => Icon::FILE,
        },
    }
}

/// Returns a colour for a language: stable across runs, and seen on every background of its theme.
pub fn color(specific: &str, dark: bool) -> Color32 {
    let hue = match specific {
        "rs" => 0.05,
        "py" => 0.58,
        "ts" | "tsx" => 0.60,
        "js" | "jsx" => 0.14,
        "md" => 0.61,
        "go" => 0.52,
        "json" => 0.12,
        "css" => 0.74,
        "html" => 0.03,
        "yaml" | "yml" => 0.99,
        "sql" => 0.09,
        "sh" => 0.30,
        "c" | "cpp" => 0.64,
        "java" => 0.07,
        "rb" => 0.97,
        "png" | "jpeg" | "jpg" | "gif" | "webp" | "svg" => 0.78,
        "txt" | "text" | "" => return if dark { Color32::from_gray(165) } else { Color32::from_gray(95) },
        other => (hash(other) % 360) as f32 / 360.0,
    };
    of_hue(hue, dark)
}

/// Returns a number that is the same for a text in every run.
pub fn hash(text: &str) -> u32 {
    text.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)))
}

fn of_hue(h: f32, dark: bool) -> Color32 {
    let (s, v) = if dark { (0.45, 0.92) } else { (0.75, 0.52) };
    egui::ecolor::HsvaGamma { h, s, v, a: 1.0 }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::theme::Tokens;
    use crate::ui::theme::contrast;
    use lunette_client::model::language::LANGUAGES;

    #[test]
    fn each_kind_has_its_icon() {
        let of = |specific: &str| format!("{:?}", of_language(specific));
        for (specific, icon) in [
            ("rs", Icon::CODE),
            ("txt", Icon::TEXT),
            ("png", Icon::PICTURE),
            ("svg", Icon::PICTURE),
            ("md", Icon::DOCUMENT),
            ("pdf", Icon::DOCUMENT),
            ("csv", Icon::TABLE),
            ("json", Icon::RECORD),
            ("sh", Icon::SHELL),
            ("zip", Icon::ARCHIVE),
            ("uri", Icon::LINK),
            ("mp3", Icon::FILE),
            ("", Icon::FILE),
            ("no such language", Icon::FILE),
        ] {
            assert_eq!(of(specific), format!("{icon:?}"), "{specific}");
        }
        let known = |specific: &&str| language(specific).is_some();
        let special = ["svg", "md", "pdf", "docx", "csv", "xlsx", "json", "yaml", "toml", "sh", "bat", "zip", "gz"];
        assert_eq!(special.iter().filter(|specific| !known(specific)).collect::<Vec<_>>(), Vec::<&&str>::new());
    }

    #[test]
    fn the_icon_of_every_language_is_seen_on_every_background() {
        for t in [Tokens::DARK, Tokens::LIGHT] {
            let colors = (0..360).map(|hue| of_hue(hue as f32 / 360.0, t.dark));
            let colors = colors.chain(LANGUAGES.iter().map(|language| color(language.specific, t.dark)));
            for color in colors {
                for ground in [t.background, t.panel, t.raised, t.hovered, t.selected_row, t.hovered_row] {
                    let ratio = contrast(color, ground);
                    assert!(ratio >= 3.0, "{color:?} on {ground:?}, dark {}: {ratio:.2}", t.dark);
                }
            }
        }
    }
}
