//! The drawing work of an SVG document with all references expanded, counted before anything is built.

use std::collections::HashMap;

use resvg::usvg::roxmltree::{self, Document, Node, NodeId};

use super::{MAX_DEPTH, MAX_DRAWN, REFUSED, SvgError};

/// Fails if the drawing work, with all references expanded, is over the limits.
pub(super) fn check(document: &Document<'_>) -> Result<(), SvgError> {
    let elements = || document.descendants().filter(Node::is_element);
    let refused = |element: Node<'_, '_>| REFUSED.into_iter().find(|name| *name == element.tag_name().name());
    if let Some(name) = elements().find_map(refused) {
        return Err(SvgError::Refused(name));
    }
    let by_id = elements().filter_map(|element| Some((element.attribute("id")?, element))).collect();
    let mut count = Count { by_id, known: HashMap::new() };
    let drawn = count.of(document.root_element(), MAX_DEPTH * 2)?;
    // A rule of a style sheet may add references to any element, so only colours are allowed.
    let mut styled = 1_u64;
    let sheets = elements().filter(|element| element.tag_name().name() == "style").filter_map(|sheet| sheet.text());
    for target in sheets.flat_map(addresses) {
        let Some(target) = count.by_id.get(target).copied() else { continue };
        if !matches!(target.tag_name().name(), "linearGradient" | "radialGradient") {
            return Err(SvgError::TooCostly);
        }
        styled += count.of(target, MAX_DEPTH).unwrap_or(MAX_DRAWN);
    }
    if drawn.saturating_mul(styled) > MAX_DRAWN { Err(SvgError::TooCostly) } else { Ok(()) }
}

/// Counts the work of elements with expanded references.
struct Count<'a, 'input> {
    by_id: HashMap<&'a str, Node<'a, 'input>>,
    known: HashMap<NodeId, u64>,
}

impl<'a, 'input> Count<'a, 'input> {
    /// Returns the work of an element with its children and references; fails beyond the limits, and for circular
    /// references.
    fn of(&mut self, element: Node<'a, 'input>, deepest: usize) -> Result<u64, SvgError> {
        if let Some(&known) = self.known.get(&element.id()) {
            return Ok(known);
        }
        let deepest = deepest.checked_sub(1).ok_or(SvgError::TooDeep)?;
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
        if drawn > MAX_DRAWN {
            return Err(SvgError::TooCostly);
        }
        self.known.insert(element.id(), drawn);
        Ok(drawn)
    }
}

/// Returns the ids in `url(#id)`.
fn addresses(text: &str) -> impl Iterator<Item = &str> {
    text.split("url(").skip(1).filter_map(|rest| {
        let rest = rest.trim_start_matches([' ', '"', '\'']).strip_prefix('#')?;
        rest.split([')', '"', '\'', ' ']).next()
    })
}
