//! What is drawn, and what is refused.

use std::time::{Duration, Instant};

use super::*;

const HEAD: &str =
    r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8">"#;

fn is_drawn(body: &str) -> bool {
    draw(&format!("{HEAD}{body}</svg>"), 72).is_ok()
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
    let blurred =
        r#"<filter id="f"><feGaussianBlur stdDeviation="1"/></filter><rect filter="url(#f)" width="8" height="8"/>"#;
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
    assert!(draw(&format!("{entities}{HEAD}&f;&f;</svg>"), 72).is_err());
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
fn a_drawing_has_the_asked_number_of_pixels_and_its_own_size() {
    let drawing = draw(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="10" height="10" fill="blue"/></svg>"#,
        400,
    );
    let Drawing { pixels: Scaled { original, size, rgba }, is_partial } = drawing.expect("a drawing");
    assert_eq!((original, size, is_partial), ([20, 10], [400, 200], false));
    let dot = |x: usize, y: usize| &rgba[(y * 400 + x) * 4..][..4];
    assert_eq!((dot(100, 100), dot(300, 100)), (&[0, 0, 255, 255][..], &[0; 4][..]));
}

#[test]
fn text_and_pictures_are_left_out_and_reported() {
    for left_out in [
        "<text>words</text>",
        r#"<image href="file:///etc/passwd" width="8" height="8"/>"#,
        r#"<image href="http://192.0.2.1/a.png" width="8" height="8"/>"#,
    ] {
        let drawing = draw(&format!(r#"{HEAD}<rect width="8" height="8"/>{left_out}</svg>"#), 72).expect("a drawing");
        assert!(drawing.is_partial, "{left_out}");
    }
}

#[test]
fn what_is_not_drawn_has_a_reason() {
    let reason = |text: &str| draw(text, 72).expect_err("refused");
    assert!(matches!(reason("<svg"), SvgError::Invalid(_)));
    assert!(matches!(reason("<html/>"), SvgError::Invalid(_)));
    assert!(matches!(reason("\0"), SvgError::Invalid(_)));
    assert!(matches!(reason(""), SvgError::Invalid(_)));
    assert_eq!(reason(&" ".repeat(MAX_BYTES + 1)), SvgError::TooLarge);
    assert_eq!(reason(&format!(r#"{HEAD}<pattern/></svg>"#)), SvgError::Refused("pattern"));
    let external = r#"<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>"#;
    assert!(matches!(reason(&format!("{external}{HEAD}<g>&x;</g></svg>")), SvgError::Invalid(_)));
}

#[test]
fn a_path_of_a_million_dashes_is_refused() {
    let dashed =
        |period: &str| is_drawn(&format!(r#"<path d="M0 0H8V8H0z" stroke="red" stroke-dasharray="{period}"/>"#));
    assert!(dashed("1") && !dashed("0.000001"));
}

#[test]
fn large_overlapping_layers_get_fewer_pixels() {
    let layers = format!(r#"{}<rect width="8" height="8"/>{}"#, r#"<g opacity=".9">"#.repeat(60), "</g>".repeat(60));
    let started = Instant::now();
    let drawing = draw(&format!("{HEAD}{layers}</svg>"), 2_048).expect("a drawing");
    let [width, _] = drawing.pixels.size;
    assert!((16..1_024).contains(&width), "{width}");
    let large = r#"<rect x="-9" y="-9" width="99" height="99" fill="red" opacity=".5"/>"#.repeat(5_000);
    let drawing = draw(&format!("{HEAD}{large}</svg>"), 2_048).expect("a drawing");
    assert!(drawing.pixels.size[0] < 256, "{:?}", drawing.pixels.size);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}
