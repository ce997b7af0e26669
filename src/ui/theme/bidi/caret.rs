//! Where the caret is in a row with right-to-left text, and where the arrow keys move it to.
//!
//! A boundary between two characters has one place: that where the one before it ends. At the boundary of two directions
//! this is where one that goes on in the same direction is drawn.

use std::ops::Range;

use egui::Galley;

use super::order::{self, Place};

/// The characters of a row, in the order of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct RowOrder {
    places: Vec<Place>,
    /// Whether the row is read from the right.
    rtl: bool,
}

impl RowOrder {
    /// Returns the order of a row; `None` if all of it is read from the left.
    pub fn of(row: &str) -> Option<Self> {
        Some(Self { places: order::places(row)?, rtl: order::is_rtl_paragraph(row) })
    }

    /// Whether going on in the text is going to the left here: at the character after a boundary, or at the end.
    pub fn is_leftward(&self, boundary: usize) -> bool {
        self.places.get(boundary).map_or(self.rtl, |place| place.rtl)
    }

    /// Whether the row is read from the right.
    pub fn is_rtl(&self) -> bool {
        self.rtl
    }

    /// Returns where a boundary is drawn: how many characters are to the left of it. Boundary 0 is before the first
    /// character, 1 is after it.
    fn slot(&self, boundary: usize) -> usize {
        let end = |place: &Place| place.slot + usize::from(!place.rtl);
        let start = |place: &Place| place.slot + usize::from(place.rtl);
        let last = self.places.len();
        match boundary.min(last).checked_sub(1).and_then(|before| self.places.get(before)) {
            Some(before) => end(before),
            None => self.places.first().map_or(0, start),
        }
    }

    /// Returns the boundary beside another one, to the right or to the left of it, of those where the caret can be; `None`
    /// if there is none, at the edge of the row.
    pub fn beside(&self, boundary: usize, right: bool, stops: &[usize]) -> Option<usize> {
        let here = self.slot(boundary);
        let distance = |stop: usize| {
            let slot = self.slot(stop);
            if right { slot.checked_sub(here) } else { here.checked_sub(slot) }
        };
        let beside = stops.iter().filter_map(|stop| Some((distance(*stop).filter(|far| *far > 0)?, *stop)));
        beside.min_by_key(|(far, stop)| (*far, stop.abs_diff(boundary))).map(|(_, stop)| stop)
    }
}

/// Where the characters of a row are drawn, in points from its left edge.
#[derive(Clone, Debug, PartialEq)]
pub struct RowPlaces {
    /// The edges of each character in the order of the text: where it begins, and where it ends.
    edges: Vec<(f32, f32)>,
}

impl RowPlaces {
    /// Returns the places in a galley of one row; `None` if all of it is read from the left.
    pub fn of(galley: &Galley) -> Option<Self> {
        let order = RowOrder::of(galley.text())?;
        let row = galley.rows.first()?;
        let glyphs: Vec<_> = row.glyphs.iter().map(|glyph| (glyph.chr, glyph.advance_width)).collect();
        let mut widths = vec![0.0; order.places.len()];
        for (place, width) in order.places.iter().zip(order::widths(galley.text(), &glyphs)?) {
            widths[place.slot] = width;
        }
        let mut right = row.glyphs.first().map_or(0.0, |glyph| glyph.pos.x);
        let left = |width: &f32| {
            right += width;
            right - width
        };
        let lefts: Vec<f32> = widths.iter().map(left).collect();
        let edges = order.places.iter().map(|place| {
            let (left, right) = (lefts[place.slot], lefts[place.slot] + widths[place.slot]);
            if place.rtl { (right, left) } else { (left, right) }
        });
        Some(Self { edges: edges.collect() })
    }

    /// Returns where the caret is at a boundary.
    pub fn x(&self, boundary: usize) -> f32 {
        match boundary.min(self.edges.len()).checked_sub(1).and_then(|before| self.edges.get(before)) {
            Some((_, end)) => *end,
            None => self.edges.first().map_or(0.0, |(start, _)| *start),
        }
    }

    /// Returns the boundary of the half of a character that is drawn here, or nearest to here.
    pub fn boundary_at(&self, x: f32) -> usize {
        let far = |(start, end): &(f32, f32)| {
            let (left, right) = (start.min(*end), start.max(*end));
            (left - x).max(x - right).max(0.0)
        };
        let near = self.edges.iter().enumerate().min_by(|(_, one), (_, other)| far(one).total_cmp(&far(other)));
        near.map_or(0, |(index, (start, end))| index + usize::from((x - start).abs() > (x - end).abs()))
    }

    /// Returns the parts of the row that these characters are drawn at, from the left; those side by side are one.
    pub fn spans(&self, characters: Range<usize>) -> Vec<Range<f32>> {
        let within = characters.start.min(self.edges.len())..characters.end.min(self.edges.len());
        let mut spans: Vec<Range<f32>> =
            self.edges[within].iter().map(|(start, end)| start.min(*end)..start.max(*end)).collect();
        spans.sort_by(|one, other| one.start.total_cmp(&other.start));
        spans.dedup_by(|next, span| {
            let joins = next.start <= span.end + 0.01;
            if joins {
                span.end = span.end.max(next.end);
            }
            joins
        });
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The boundaries that a key passes from one on, until the edge of the row.
    fn walk(row: &str, from: usize, right: bool) -> Vec<usize> {
        let order = RowOrder::of(row).expect("text from the right");
        let stops: Vec<usize> = (0..=row.chars().count()).collect();
        std::iter::successors(Some(from), |at| order.beside(*at, right, &stops)).collect()
    }

    #[test]
    fn the_right_arrow_goes_right_in_words_of_both_directions() {
        assert!(RowOrder::of("abc").is_none());
        // Drawn as `ab דגבא`: the letters of the second word follow the text from the right.
        assert_eq!(walk("ab אבגד", 0, true), [0, 1, 2, 3, 6, 5, 4]);
        assert_eq!(walk("ab אבגד", 7, false), [7, 2, 1, 0]);
        // Drawn as `דגבא`, in a row that is read from the right.
        assert_eq!(walk("אבגד", 0, false), [0, 1, 2, 3, 4]);
        assert_eq!(walk("אבגד", 4, true), [4, 3, 2, 1, 0]);
    }

    #[test]
    fn a_step_goes_in_the_direction_of_its_key() {
        for row in ["ab אבגד ef", "אב cd 12 גד", "(אב) [cd]", "س٣٤ abc"] {
            let order = RowOrder::of(row).expect("text from the right");
            let count = row.chars().count();
            let stops: Vec<usize> = (0..=count).collect();
            for boundary in &stops {
                for right in [true, false] {
                    let Some(next) = order.beside(*boundary, right, &stops) else { continue };
                    let (here, there) = (order.slot(*boundary), order.slot(next));
                    assert!(if right { there > here } else { there < here }, "{row}: {boundary} to {next}");
                }
            }
        }
    }

    /// Characters one point wide.
    fn places(row: &str) -> RowPlaces {
        let order = RowOrder::of(row).expect("text from the right");
        let edges = order.places.iter().map(|place| {
            let (left, right) = (place.slot as f32, place.slot as f32 + 1.0);
            if place.rtl { (right, left) } else { (left, right) }
        });
        RowPlaces { edges: edges.collect() }
    }

    #[test]
    fn what_is_selected_is_drawn_without_gaps() {
        let places = places("ab אבגד ef");
        assert_eq!(places.spans(0..10), [0.0..10.0]);
        assert_eq!(places.spans(3..7), [3.0..7.0]);
        // Over the end of the first word: `b `, and the first letters of the second word, which are at its right.
        assert_eq!(places.spans(1..5), [1.0..3.0, 5.0..7.0]);
        assert_eq!((places.spans(4..4), places.spans(20..30)), (Vec::new(), Vec::new()));
    }

    #[test]
    fn a_click_on_a_character_is_beside_it() {
        let row = "ab אבגד ef";
        let places = places(row);
        // The first letter of the second word is at its right end; what is before it is at its right.
        assert_eq!((places.boundary_at(6.9), places.boundary_at(6.1), places.boundary_at(3.1)), (3, 4, 7));
        assert_eq!((places.boundary_at(-5.0), places.boundary_at(50.0)), (0, row.chars().count()));
        for boundary in 0..=row.chars().count() {
            assert!((0.0..=10.0).contains(&places.x(boundary)));
        }
    }
}
