//! A picture as an SVG file.
//!
//! What must hold: the file has neither scripts nor references; whatever a name contains, it is plain text; the same
//! picture gives the same file.

use std::fmt::Write as _;

use super::drawing::{Drawing, Mark};
use lunette_client::model::escape::xml;

/// Returns the picture as an SVG document.
pub fn svg(drawing: &Drawing) -> String {
    let (width, height) = (drawing.width.ceil(), drawing.height.ceil());
    let mut file = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} \
         {height}\" font-family=\"Inter, sans-serif\" text-anchor=\"middle\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for mark in &drawing.marks {
        write_mark(mark, &mut file);
    }
    file.push_str("</svg>\n");
    file
}

// Writing to a string never fails.
fn write_mark(mark: &Mark, file: &mut String) {
    let dash = |dashed: bool| if dashed { " stroke-dasharray=\"4 3\"" } else { "" };
    match mark {
        Mark::Line { from: [x, y], to: [to_x, to_y], dashed } => {
            let dash = dash(*dashed);
            writeln!(
                file,
                "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{to_x:.1}\" y2=\"{to_y:.1}\" stroke=\"#8a909a\"{dash}/>"
            )
            .ok();
        }
        Mark::Shape { corners, fill: [red, green, blue], dashed } => {
            let corners: Vec<_> = corners.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
            let (corners, dash) = (corners.join(" "), dash(*dashed));
            writeln!(
                file,
                "<polygon points=\"{corners}\" fill=\"#{red:02x}{green:02x}{blue:02x}\" stroke=\"#3a404a\"{dash}/>"
            )
            .ok();
        }
        Mark::Text { at: [x, y], text, size } => {
            let text = xml(text);
            writeln!(file, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"#1d1f23\">{text}</text>").ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_svg_file_has_no_references_and_no_scripts() {
        let corners = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]];
        let marks = vec![
            Mark::Line { from: [0.0, 0.0], to: [5.0, 5.0], dashed: true },
            Mark::Shape { corners, fill: [255, 0, 16], dashed: false },
            Mark::Text { at: [1.0, 2.0], text: "<script>x</script>".to_owned(), size: 11.0 },
        ];
        let file = svg(&Drawing { width: 10.0, height: 20.0, marks });
        assert!(file.starts_with("<svg xmlns=") && file.ends_with("</svg>\n"));
        assert!(file.contains("points=\"0.0,0.0 1.0,0.0 1.0,1.0\" fill=\"#ff0010\""), "{file}");
        assert!(!file.contains("<script") && !file.contains("href"), "{file}");
    }
}
