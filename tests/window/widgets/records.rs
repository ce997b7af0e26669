//! Records, code, Markdown and pictures: reading, searching and copying.

use super::{copied, window};
use egui::{Key, Modifiers, Ui, accesskit::Role};
use egui_kittest::{
    Harness,
    kittest::{NodeT as _, Queryable as _},
};
use lunette::ui::widgets::code::{CodeState, code};
use lunette::ui::widgets::highlight::{Highlighted, highlight};
use lunette::ui::widgets::json_tree::{JsonSource, JsonTreeState, json_tree};
use lunette::ui::widgets::markdown::{Markdown, MarkdownState, markdown};
use lunette::ui::widgets::picture::{Picture, PictureState, picture};
use lunette::ui::widgets::plot_days::{Day, Unit, plot_days};
use lunette_syntax::Budget;
use serde_json::{Value, json};
use std::sync::Arc;

fn tree(value: Value) -> Harness<'static, JsonTreeState> {
    let source = JsonSource { of: Arc::new(value), tree: |value| value, revision: 1 };
    let draw = move |ui: &mut Ui, state: &mut JsonTreeState| json_tree(ui, "Record", &source, state, 500.0);
    let mut harness = window(draw, JsonTreeState::default());
    harness.run();
    harness
}

#[test]
fn a_tree_expands_by_mouse_and_arrows() {
    let mut harness = tree(json!({"tags": {"first": [1, 2]}, "name": "a\u{202e}b"}));
    harness.get_by_role_and_label(Role::TreeItem, "tags").click();
    harness.run();
    harness.get_by_role_and_label(Role::TreeItem, "first");
    for key in [Key::ArrowRight, Key::ArrowRight, Key::ArrowDown] {
        harness.key_press(key);
        harness.run();
    }
    let one = harness.get_by_role_and_label(Role::TreeItem, "0");
    assert_eq!(one.accesskit_node().is_selected(), Some(true));
    let name = harness.get_by_role_and_label(Role::TreeItem, "name");
    assert_eq!(name.value().as_deref(), Some("\"a<U+202E>b\""));
    for key in [Key::ArrowLeft, Key::ArrowLeft] {
        harness.key_press(key);
        harness.run();
    }
    assert!(harness.query_by_role_and_label(Role::TreeItem, "0").is_none());
}

#[test]
fn a_search_in_a_tree_shows_only_what_it_finds() {
    let mut harness = tree(json!({"tags": [{"text": "http"}], "name": "retry"}));
    harness.get_by_role_and_label(Role::TextInput, "Search Record").focus();
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, "Search Record").type_text("HTTP");
    harness.run();
    harness.get_by_role_and_label(Role::TreeItem, "text");
    assert!(harness.query_by_role_and_label(Role::TreeItem, "name").is_none());
}

#[test]
fn a_long_search_keeps_the_previous_lines_until_it_is_done() {
    let mut items: Vec<Value> = (0..50_000).map(|index| json!({ "text": format!("item {index}") })).collect();
    items.push(json!({ "text": "needle" }));
    let mut harness = tree(json!({ "items": items }));
    harness.get_by_role_and_label(Role::TextInput, "Search Record").focus();
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, "Search Record").type_text("needle");
    let mut frames = 0;
    while harness.query_by_role_and_label(Role::TreeItem, "text").is_none() {
        harness.step();
        frames += 1;
        let kept = harness.query_by_role_and_label(Role::TreeItem, "items").is_some();
        assert!(kept, "what is found is below it, and nothing is blank meanwhile");
        std::thread::yield_now();
    }
    assert!(frames > 1, "it is not searched within a frame");
    harness.step();
    assert!(harness.query_by_label("Searching…").is_none());
    assert_eq!(harness.query_all_by_role(Role::TreeItem).count(), 3);
}

#[test]
fn values_and_paths_are_copied_unchanged() {
    let mut harness = tree(json!({"raw": "x\u{202e}\n".repeat(1_000_000)}));
    harness.get_by_role_and_label(Role::TreeItem, "raw").click();
    harness.run();
    harness.event(egui::Event::Copy);
    assert_eq!(copied(&mut harness).map(|text| text.len()), Some(5_000_000));
    harness.get_by_role_and_label(Role::TreeItem, "raw").click_secondary();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Copy path").click();
    assert_eq!(copied(&mut harness).as_deref(), Some("raw"));
}

#[test]
fn a_record_of_a_million_items_is_drawn() {
    let mut harness = tree(json!({"items": (0..1_000_000).collect::<Vec<_>>()}));
    harness.get_by_role_and_label(Role::TreeItem, "items").click();
    harness.run();
    harness.key_press(Key::End);
    harness.run();
    harness.get_by_role_and_label(Role::TreeItem, "999,000 … 999,999");
    harness.get_by_role_and_label(Role::Button, "Unfold all").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Fold all").click();
    harness.run();
}

#[test]
fn a_record_below_a_key_of_ten_megabytes_can_be_expanded_and_collapsed() {
    let below: serde_json::Map<_, _> = (0..1_000).map(|index| (format!("k{index}"), json!([index]))).collect();
    let mut harness = tree(json!({ "x".repeat(10_000_000): below }));
    harness.get_by_role_and_label(Role::Button, "Unfold all").click();
    harness.run();
    harness.get_by_role_and_label(Role::TreeItem, "k0");
    harness.get_by_role_and_label(Role::Button, "Fold all").click();
    harness.run();
    assert_eq!(harness.query_all_by_role(Role::TreeItem).count(), 1);
}

fn view(lines: Highlighted) -> Harness<'static, CodeState> {
    let draw = move |ui: &mut Ui, state: &mut CodeState| code(ui, "Preview", &lines, state, 400.0);
    let mut harness = window(draw, CodeState::default());
    harness.run();
    harness
}

#[test]
fn code_shows_its_lines_and_copies_the_whole() {
    let source = "fn main() {\n\tprintln!(\"\u{202e}\");\n}\n";
    let mut harness = view(highlight(source, "rs", &mut Budget::default()));
    harness.get_by_role_and_label(Role::Label, "fn main() {");
    harness.get_by_role_and_label(Role::Label, "    println!(\"<U+202E>\");");
    harness.get_by_role_and_label(Role::Button, "Copy Preview").click();
    assert_eq!(copied(&mut harness).as_deref(), Some(source));
}

#[test]
fn lines_of_code_are_selected_by_dragging_and_copied() {
    let mut harness = view(Highlighted::plain("one\ntwo\nthree\nfour"));
    let at = |harness: &Harness<'_, _>, line: &str| harness.get_by_role_and_label(Role::Label, line).rect().center();
    let (from, to) = (at(&harness, "two"), at(&harness, "three"));
    harness.drag_at(from);
    harness.run();
    harness.hover_at(to);
    harness.run();
    harness.drop_at(to);
    harness.run();
    assert_eq!(harness.state().selected_lines(), Some(1..3));
    harness.event(egui::Event::Copy);
    assert_eq!(copied(&mut harness).as_deref(), Some("two\nthree"));
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    harness.run();
    assert_eq!(harness.state().selected_lines(), Some(1..4));
}

#[test]
fn a_million_lines_and_one_of_ten_megabytes_are_drawn() {
    let mut harness = view(Highlighted::plain("x\n".repeat(1_000_000)));
    harness.get_by_role_and_label(Role::Document, "Preview").focus();
    harness.run();
    harness.key_press(Key::End);
    harness.run();
    assert!(harness.query_all_by_role_and_label(Role::Label, "x").count() < 25);
    let harness = view(highlight("y".repeat(10_000_000), "js", &mut Budget::default()));
    let line = harness.get_by_role(Role::Label).value().unwrap_or_default();
    assert!(line.ends_with('…') && line.len() < 3_000, "{}", line.len());
}

#[test]
fn markdown_is_rendered_without_pictures_and_only_with_web_links() {
    let text = Markdown::new(
        "# Notes\n\n![scheme](http://x/p.png) [site](https://e.org/) [bad](file:///x)\n\n```rs\nlet x;\n```\n",
        &mut Budget::default(),
    );
    let draw = move |ui: &mut Ui, state: &mut MarkdownState| markdown(ui, "Notes.md", &text, state, 500.0);
    let mut harness = window(draw, MarkdownState::default());
    harness.run();
    harness.get_by_role_and_label(Role::Document, "Notes.md");
    harness.get_by_role_and_label(Role::Link, "site");
    assert!(harness.query_by_role_and_label(Role::Link, "bad").is_none());
    assert!(harness.query_by_role(Role::Image).is_none());
    harness.get_by_role_and_label(Role::Label, "let x;");
}

fn page(html: &str) -> Harness<'static, MarkdownState> {
    let text = Markdown::of_html(html, &mut Budget::default());
    let draw = move |ui: &mut Ui, state: &mut MarkdownState| markdown(ui, "page.html", &text, state, 500.0);
    window(draw, MarkdownState::default())
}

#[test]
fn a_web_page_is_rendered_and_hovering_a_link_shows_its_address() {
    let mut harness = page(
        "<h1>Title</h1><p>Some <b>text</b>, <a href='https://e.org/a'>site</a> <a href='file:///x'>bad</a> \
         <img src='http://x/p.png' alt='scheme'><table><tr><th>a<th>b<tr><td>c<td>d</table>\
         <blockquote><ul><li>one<li>two</ul></blockquote><ol start=7><li>seventh<pre><code class=language-rs>let x;</code></pre></ol>",
    );
    harness.run();
    harness.get_by_role_and_label(Role::Document, "page.html");
    for label in ["Title", "text", "c", "•\u{a0}one", "•\u{a0}two", "seventh", "let x;"] {
        harness.get_by_role_and_label(Role::Label, label);
    }
    assert!(
        harness.query_by_role_and_label(Role::Link, "bad").is_none() && harness.query_by_role(Role::Image).is_none()
    );
    harness.get_by_role_and_label(Role::Link, "site").hover();
    harness.run_steps(60);
    harness.get_by_label("https://e.org/a");
}

#[test]
fn hostile_pages_are_drawn() {
    for piece in [
        "<ul><li>x",
        "<blockquote>x",
        "<ol start=999999999><li>x",
        "<table><tr><td>x<td>y",
        "<td>",
        "<tr><td>x<td colspan=40>y",
        "<b>",
        "<p>*_`~[",
        "<h1>x",
        "<pre>x",
        "<a href=https://e.org>x<p>",
        "\u{202e}",
        "x<hr>",
        "<dl><dt>x<dd>",
        "<br>x",
        "w",
    ] {
        let mut harness = page(&piece.repeat(100_000));
        harness.run_steps(2);
        harness.get_by_role_and_label(Role::Document, "page.html");
    }
}

#[test]
fn deeply_nested_markdown_is_drawn_as_source() {
    let text = Markdown::new(&("- ".repeat(30_000) + "x"), &mut Budget::default());
    let draw = move |ui: &mut Ui, state: &mut MarkdownState| markdown(ui, "Notes.md", &text, state, 500.0);
    let mut harness = window(draw, MarkdownState::default());
    harness.run_steps(2);
    harness.get_by_role_and_label(Role::Document, "Code block 1");
}

#[test]
fn a_picture_has_a_name_and_zooms() {
    let mut bytes = Vec::new();
    let pixels = image::RgbaImage::from_pixel(300, 200, image::Rgba([9, 9, 9, 255]));
    let to = &mut std::io::Cursor::new(&mut bytes);
    pixels.write_to(to, image::ImageFormat::Png).expect("a picture is written");
    let shown = Picture::decode(&bytes).expect("decoded");
    let draw = move |ui: &mut Ui, state: &mut PictureState| picture(ui, "diagram.png", &shown, state, 400.0);
    let mut harness = window(draw, PictureState::default());
    harness.run();
    harness.get_by_role_and_label(Role::Image, "diagram.png");
    harness.get_by_label("300 × 200 · fitted");
    harness.get_by_role_and_label(Role::Button, "Zoom in").click();
    harness.run();
    harness.get_by_label("300 × 200 · 125%");
    harness.get_by_role_and_label(Role::Button, "Fit").click();
    harness.run();
    harness.get_by_label("300 × 200 · fitted");
}

#[test]
fn a_plot_has_a_text_description() {
    let draw = |ui: &mut Ui, (): &mut ()| {
        plot_days(ui, "Activity", Unit::EVENTS, &[Day { name: "2026-11-20", count: 4 }], 80.0);
    };
    let mut harness = window(draw, ());
    harness.run();
    harness.get_by_role_and_label(Role::GraphicsDocument, "Activity: 4 events in 1 day, most on 2026-11-20 with 4");
}
