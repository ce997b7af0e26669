//! Decodes SVG icons, with limits on the work that an untrusted file can cause.
//!
//! What must hold: no other file and no font is read; time and memory are bounded, even if few elements expand to many:
//! nested `use`, masked masks, huge patterns.

use std::collections::HashMap;

use resvg::usvg::roxmltree::{self, Document, Node, NodeId, ParsingOptions};
use resvg::{tiny_skia, usvg};

use super::{AppIcon, SIDE};

/// The maximum number of elements of a file.
const MOST_NODES: u32 = 20_000;
/// The maximum depth of nested elements and references.
const DEEPEST: usize = 64;
/// The maximum drawing work, in elements and 64 bytes of their attributes.
const MOST_DRAWN: u64 = 100_000;
/// Elements whose work does not depend on the size of the icon, so that counting does not bound it.
const REFUSED: [&str; 5] = ["pattern", "feTurbulence", "feMorphology", "feConvolveMatrix", "feImage"];

/// Renders an SVG file; returns `None` if it is not one, or would take too much work.
pub(super) fn decode(bytes: &[u8]) -> Option<AppIcon> {
    // Only text: a compressed file could be a thousand times as large when decompressed.
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.contains('<') && !is_deep(text))?;
    let document = Document::parse_with_options(
        text,
        ParsingOptions { allow_dtd: true, nodes_limit: MOST_NODES, ..ParsingOptions::default() },
    )
    .ok()?;
    if !is_modest(&document) {
        return None;
    }
    let none =
        usvg::ImageHrefResolver { resolve_data: Box::new(|_, _, _| None), resolve_string: Box::new(|_, _| None) };
    let options = usvg::Options { image_href_resolver: none, ..usvg::Options::default() };
    draw(&usvg::Tree::from_xmltree(&document, &options).ok()?)
}

fn draw(tree: &usvg::Tree) -> Option<AppIcon> {
    let size = tree.size();
    let scale = SIDE as f32 / size.width().max(size.height());
    let side = |points: f32| ((points * scale).round() as u32).clamp(1, SIDE);
    let mut pixels = tiny_skia::Pixmap::new(side(size.width()), side(size.height()))?;
    resvg::render(tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    let size = [pixels.width() as usize, pixels.height() as usize];
    let rgba = pixels.pixels().iter().flat_map(|dot| {
        let dot = dot.demultiply();
        [dot.red(), dot.green(), dot.blue(), dot.alpha()]
    });
    Some(AppIcon { size, rgba: rgba.collect() })
}

/// Returns whether elements are nested too deeply to be parsed safely.
fn is_deep(text: &str) -> bool {
    let (mut depth, mut deepest) = (0_usize, 0);
    for pair in text.as_bytes().windows(2) {
        match pair {
            [b'<', b'/'] | [b'/', b'>'] => depth = depth.saturating_sub(1),
            [b'<', b'!' | b'?'] => {}
            [b'<', _] => depth += 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest > DEEPEST
}

/// Returns whether the drawing work, with all references expanded, is within the limits.
fn is_modest(document: &Document<'_>) -> bool {
    let elements = || document.descendants().filter(Node::is_element);
    if elements().any(|element| REFUSED.contains(&element.tag_name().name())) {
        return false;
    }
    let by_id = elements().filter_map(|element| Some((element.attribute("id")?, element))).collect();
    let mut count = Count { by_id, known: HashMap::new() };
    let Some(drawn) = count.of(document.root_element(), DEEPEST * 2) else { return false };
    // A rule of a style sheet may add references to any element, so only colours are allowed.
    let mut styled = 1_u64;
    let sheets = elements().filter(|element| element.tag_name().name() == "style").filter_map(|sheet| sheet.text());
    for target in sheets.flat_map(addresses) {
        let Some(target) = count.by_id.get(target).copied() else { continue };
        if !matches!(target.tag_name().name(), "linearGradient" | "radialGradient") {
            return false;
        }
        styled += count.of(target, DEEPEST).unwrap_or(MOST_DRAWN);
    }
    drawn.saturating_mul(styled) <= MOST_DRAWN
}

/// Counts the work of elements with expanded references.
struct Count<'a, 'input> {
    by_id: HashMap<&'a str, Node<'a, 'input>>,
    known: HashMap<NodeId, u64>,
}

impl<'a, 'input> Count<'a, 'input> {
    /// Returns the work of an element with its children and references; `None` beyond the limits, and for circular
    /// references.
    fn of(&mut self, element: Node<'a, 'input>, deepest: usize) -> Option<u64> {
        if let Some(&known) = self.known.get(&element.id()) {
            return Some(known);
        }
        let deepest = deepest.checked_sub(1)?;
        let bytes: usize = element.attributes().map(|attribute| attribute.value().len()).sum();
        let mut drawn = 1 + bytes as u64 / 64;
        for child in element.children().filter(Node::is_element) {
            drawn += self.of(child, deepest)?;
        }
        let referred = |attribute: roxmltree::Attribute<'a, 'input>| {
            let whole = (attribute.name() == "href").then(|| attribute.value().strip_prefix('#')).flatten();
            whole.into_iter().chain(addresses(attribute.value()))
        };
        for target in element.attributes().flat_map(referred) {
            if let Some(&target) = self.by_id.get(target) {
                drawn += self.of(target, deepest)?;
            }
        }
        (drawn <= MOST_DRAWN).then(|| {
            self.known.insert(element.id(), drawn);
            drawn
        })
    }
}

/// Returns the ids in `url(#id)`.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    text.split("url(").skip(1).filter_map(|rest| {
        let rest = rest.trim_start_matches([' ', '"', '\'']).strip_prefix('#')?;
        rest.split([')', '"', '\'', ' ']).next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str =
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8">"#;

    fn is_drawn(body: &str) -> bool {
        decode(format!("{HEAD}{body}</svg>").as_bytes()).is_some()
    }

    /// Returns groups of which each uses the previous one ten times.
    fn laughs(levels: usize, reference: &str) -> String {
        let mut text = r#"<g id="a0"><rect width="1" height="1"/></g>"#.to_owned();
        for level in 1..=levels {
            let one = reference.replace("ID", &format!("a{}", level - 1));
            text.push_str(&format!(r#"<g id="a{level}">{}</g>"#, one.repeat(10)));
        }
        text
    }

    #[test]
    fn typical_svg_icons_are_rendered() {
        assert!(is_drawn(r#"<rect width="8" height="8" fill="red"/>"#));
        assert!(is_drawn(&laughs(2, r##"<use xlink:href="#ID"/>"##)));
        let gradient = r#"<linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient>"#;
        let styled = "<style>.a{fill:url(#g)}</style>";
        assert!(is_drawn(&format!(r#"{gradient}{styled}<path class="a" d="M0 0h8v8z"/>"#)));
        let blurred = r#"<filter id="f"><feGaussianBlur stdDeviation="1"/></filter><rect filter="url(#f)" width="8" height="8"/>"#;
        assert!(is_drawn(blurred));
    }

    #[test]
    fn few_elements_that_stand_for_millions_are_refused() {
        for reference in [
            r##"<use href="#ID"/>"##,
            r##"<use xlink:href="#ID"/>"##,
            r#"<rect mask="url(#ID)" width="1" height="1"/>"#,
            r#"<rect style="fill:red; clip-path: url( '#ID' )" width="1" height="1"/>"#,
        ] {
            assert!(!is_drawn(&laughs(30, reference)), "{reference}");
        }
        let entities = r#"<!DOCTYPE svg [<!ENTITY a "<g/>"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;">]>"#;
        assert!(decode(format!("{entities}{HEAD}&f;&f;</svg>").as_bytes()).is_none());
    }

    #[test]
    fn references_in_a_circle_and_deep_nests_are_refused() {
        assert!(!is_drawn(r##"<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>"##));
        assert!(!is_drawn(&format!("{}{}", "<g>".repeat(5_000), "</g>".repeat(5_000))));
        assert!(!is_drawn(
            &(0..500).map(|at| format!(r##"<g id="a{}"><use href="#a{at}"/></g>"##, at + 1)).collect::<String>()
        ));
    }

    #[test]
    fn elements_with_unbounded_cost_are_rejected() {
        let pattern = r#"<pattern id="p" width="9e8" height="9e8" patternUnits="userSpaceOnUse"><rect width="1" height="1"/></pattern>"#;
        assert!(!is_drawn(&format!(r#"{pattern}<rect fill="url(#p)" width="8" height="8"/>"#)));
        let noise = r#"<filter id="f"><feTurbulence numOctaves="999999999"/></filter>"#;
        assert!(!is_drawn(&format!(r#"{noise}<rect filter="url(#f)" width="8" height="8"/>"#)));
        let masked = r#"<mask id="m"><rect width="8" height="8"/></mask><style>.a{mask:url(#m)}</style>"#;
        assert!(!is_drawn(&format!(r#"{masked}<rect class="a" width="8" height="8"/>"#)));
    }

    #[test]
    fn a_compressed_file_is_refused() {
        assert!(decode(b"\x1f\x8b<svg/>").is_none());
    }
}
