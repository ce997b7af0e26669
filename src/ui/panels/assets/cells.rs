//! The cells of the list of assets.

use std::borrow::Cow;
use std::ops::Deref;

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Response, RichText, Stroke, TextStyle, Ui};

use crate::ui::drawing::kind_icon;
use crate::ui::format;
use crate::ui::theme::{self, Icon, Tokens, UiExt as _};
use crate::ui::widgets::{chip, chip_width, shown, shown_short};
use lunette_client::model::search_terms::{Range, SearchTerms};
use lunette_inspector::assets::search::Passage;
use lunette_inspector::change::LinkKind;
use lunette_inspector::listing::rows::AssetRow;
use lunette_inspector::listing::{Columns as _, Value};
use lunette_inspector::settings::TagColors;

/// Maximum number of characters laid out in a cell.
const MAX_NAME: usize = 120;
/// Space below a passage, in points.
const PASSAGE_GAP: f32 = 2.0;
/// How many words of a passage are shown before its first match.
const WORDS_BEFORE: usize = 6;
/// Size of the icon of a kind, in points.
const KIND: f32 = 14.0;
/// The most that is between the icon of a kind and the name after it, in points.
const ICON_GAP: f32 = 8.0;
/// Maximum number of characters of a language.
const MAX_LANGUAGE: usize = 60;
/// Maximum number of tags listed on hover.
const MAX_TAGS: usize = 40;

/// Returns the name of a row: that of its asset, or its id if it has none.
pub fn row_name(row: &AssetRow) -> String {
    shown_short(&row.title(), MAX_NAME).into_owned()
}

/// Returns the name of a row among the hits of a search: after it, the folder that its asset was imported from.
pub fn hit_name(row: &AssetRow) -> String {
    match row.folder() {
        Some(folder) => format!("{}, {}", row_name(row), shown_short(folder, MAX_NAME)),
        None => row_name(row),
    }
}

/// What a cell shows besides its row.
#[derive(Clone, Copy)]
pub struct CellContext<'a> {
    /// Whether the asset has an unapplied change.
    pub has_draft: bool,
    /// The colours of tags.
    pub colors: &'a TagColors,
    /// The words of a search, which are highlighted in the name.
    pub searched: Option<&'a SearchTerms>,
    /// Whether a hit has its folder after its name, since no column shows it.
    pub with_folder: bool,
}

/// Draws a cell; returns false if it is to be drawn as its value.
pub fn cell_ui(ui: &mut Ui, row: &AssetRow, key: &str, context: CellContext<'_>) -> bool {
    let colors = context.colors;
    // A row that is only remembered shows nothing that is not known.
    let remembered = row.updated().is_empty();
    let is_told = || AssetRow::column(key).is_some_and(|column| !matches!((column.value)(row), Value::NotTold));
    match key {
        "name" => name_ui(ui, row, context),
        "language" => language_ui(ui, row.specific(), row.language()),
        "tags" if row.reports(LinkKind::Tag) => tags_ui(ui, row.tags(), colors),
        "tags" if !remembered => {
            ui.muted("unknown").on_hover_text("The service does not say which tags this asset has");
        }
        "score" | "size" if !remembered && !is_told() => _ = ui.muted("unknown").on_hover_text(format::NOT_TOLD),
        _ => return false,
    }
    true
}

/// Returns the height of the line of a passage, in points.
pub fn passage_line(ui: &Ui) -> f32 {
    PASSAGE_GAP + ui.text_style_height(&TextStyle::Small)
}

/// Returns the height of a row with a passage below its cells, in points.
pub fn passage_row(ui: &Ui) -> f32 {
    theme::row(ui) + passage_line(ui)
}

fn name_ui(ui: &mut Ui, row: &AssetRow, context: CellContext<'_>) {
    if context.has_draft {
        let color = ui.tokens().accent;
        let sign = ui.label(Icon::EDIT.text().size(12.0).color(color));
        sign.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Unsaved draft"));
        sign.on_hover_text("It has a draft that is not applied");
    }
    if row.favorited {
        ui.favourite_sign(12.0);
    }
    let unnamed = row.name().trim().is_empty();
    let message = row_name(row);
    let ranges = context.searched.map(|words| words.ranges(&message)).unwrap_or_default();
    if unnamed {
        ui.muted(&message);
    } else if ranges.is_empty() {
        ui.label(message);
    } else {
        let font = TextStyle::Body.resolve(ui.style());
        ui.label(marked_text(ui.tokens(), &message, &ranges, &font, ui.visuals().text_color()));
    }
    if let Some(folder) = row.folder().filter(|_| context.searched.is_some() && context.with_folder) {
        let folder = RichText::new(shown_short(folder, MAX_NAME)).text_style(TextStyle::Small);
        ui.label(folder.color(ui.tokens().muted));
    }
}

/// Draws the matching passage after the label of the field it is from, beginning some words before the first match.
pub fn passage_ui(ui: &mut Ui, passage: &Passage) {
    let font = TextStyle::Small.resolve(ui.style());
    let muted = ui.tokens().muted;
    let (text, ranges) = single_spaced(&passage.text, &passage.ranges);
    let (text, ranges) = near_match(&text, &ranges);
    let field = format!("{}: ", shown_short(&passage.field, 20));
    let lead = field.chars().count();
    // Escapes may be longer than what they stand for; then nothing is highlighted.
    let escaped = shown(&text);
    let shift = |(from, to): &Range| (from + lead, to + lead);
    let ranges = if *escaped == *text { ranges.iter().map(shift).collect() } else { Vec::new() };
    ui.label(marked_text(ui.tokens(), &format!("{field}{escaped}"), &ranges, &font, muted));
}

/// Draws the words that an asset does not have, struck through.
pub fn missing_ui(ui: &mut Ui, missing: &[String]) {
    for word in missing {
        let word = shown_short(word, MAX_NAME);
        let text = RichText::new(word.as_ref()).text_style(TextStyle::Small).color(ui.tokens().muted).strikethrough();
        let label = ui.label(text);
        label.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, format!("Without {word}")));
    }
}

/// Returns a text with one space in place of several, as between the columns of a table, and where the matches are in it.
fn single_spaced<'a>(text: &'a str, ranges: &[Range]) -> (Cow<'a, str>, Vec<Range>) {
    let mut kept = String::with_capacity(text.len());
    // How many characters are kept before each.
    let mut before = Vec::with_capacity(text.len() + 1);
    let mut count = 0;
    for c in text.chars() {
        before.push(count);
        if !c.is_whitespace() || !kept.ends_with(' ') {
            kept.push(if c.is_whitespace() { ' ' } else { c });
            count += 1;
        }
    }
    if kept == text {
        return (Cow::Borrowed(text), ranges.to_vec());
    }
    let at = |place: usize| before.get(place).copied().unwrap_or(count);
    (Cow::Owned(kept), ranges.iter().map(|(from, to)| (at(*from), at(*to))).collect())
}

/// Returns a text from at most `WORDS_BEFORE` words before its first match on, and where the matches are in it.
fn near_match<'a>(text: &'a str, ranges: &[Range]) -> (Cow<'a, str>, Vec<Range>) {
    let first = ranges.first().map_or(0, |(from, _)| *from);
    let before: String = text.chars().take(first).collect();
    let mut starts = before.char_indices().rev().filter(|(at, letter)| {
        let is_first = before[..*at].chars().next_back().is_none_or(char::is_whitespace);
        is_first && !letter.is_whitespace()
    });
    let from = starts.nth(WORDS_BEFORE.saturating_sub(1)).map_or(0, |(at, _)| at);
    if from == 0 {
        return (Cow::Borrowed(text), ranges.to_vec());
    }
    // The ellipsis stands for what is left out.
    let left_out = before[..from].chars().count() - 1;
    let ranges = ranges.iter().map(|(from, to)| (from - left_out, to - left_out)).collect();
    (Cow::Owned(format!("…{}", &text[from..])), ranges)
}

/// Returns text with highlighted ranges, by background and underline: colour alone is not enough.
fn marked_text(t: &Tokens, text: &str, ranges: &[Range], font: &FontId, color: Color32) -> LayoutJob {
    let plain = TextFormat { font_id: font.clone(), color, ..TextFormat::default() };
    let mark = TextFormat {
        color: t.text,
        background: t.accent.gamma_multiply(0.25),
        underline: Stroke::new(1.0, t.accent),
        ..plain.clone()
    };
    let mut job = LayoutJob::default();
    let mut letters = text.chars();
    let mut at = 0;
    for (from, to) in ranges {
        job.append(&letters.by_ref().take(from.saturating_sub(at)).collect::<String>(), 0.0, plain.clone());
        job.append(&letters.by_ref().take(to - from).collect::<String>(), 0.0, mark.clone());
        at = *to;
    }
    job.append(letters.as_str(), 0.0, plain);
    job
}

/// Draws as many whole tags as fit, at least the first, which is cut if it must be, then the number of the others; all of
/// them on hover.
fn tags_ui(ui: &mut Ui, tags: &[impl Deref<Target = str>], colors: &TagColors) {
    let room = ui.available_width();
    let gap = ui.spacing().item_spacing.x;
    let widths: Vec<f32> = tags.iter().take(MAX_TAGS).map(|tag| chip_width(ui, tag)).collect();
    let more = |count: usize| format!("+{count}");
    // The width of the count of hidden tags.
    let rest = |shown: usize| match tags.len() - shown {
        0 => 0.0,
        others => (gap + text_width(ui, &more(others))).ceil(),
    };
    let fits = |shown: &usize| {
        let chips: f32 = widths[..*shown].iter().sum::<f32>() + gap * shown.saturating_sub(1) as f32;
        chips + rest(*shown) <= room
    };
    let (whole, beside) = ((1..=widths.len()).rev().find(fits), room - rest(tags.len().min(1)));
    let t = ui.tokens();
    let fill = |tag: &str| colors.of(tag).map(|color| t.tag_fill(color));
    let mut drawn: Vec<Response> = match whole {
        Some(shown) => tags[..shown].iter().map(|tag| chip(ui, tag, fill(tag))).collect(),
        None => tags.iter().take(1).map(|tag| cut_chip(ui, tag, fill(tag), beside)).collect(),
    };
    match tags.len() - drawn.len() {
        0 if drawn.len() < 2 => {}
        0 => return,
        others => drawn.push(ui.muted(&more(others))),
    }
    for response in drawn {
        response.on_hover_ui(|ui| {
            for tag in tags.iter().take(MAX_TAGS) {
                ui.label(shown_short(tag, MAX_NAME));
            }
        });
    }
}

/// Draws a chip no wider than this, in points.
fn cut_chip(ui: &mut Ui, tag: &str, fill: Option<Color32>, width: f32) -> Response {
    ui.scope(|ui| {
        ui.set_max_width(width.max(0.0));
        chip(ui, tag, fill)
    })
    .inner
}

fn text_width(ui: &Ui, text: &str) -> f32 {
    let font = TextStyle::Body.resolve(ui.style());
    ui.painter().layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER).size().x
}

/// Draws a language with the icon of its kind; the label says the same as icon and colour. Where less than half of the
/// label has room, the icon has it as its name and tooltip.
pub fn language_ui(ui: &mut Ui, specific: &str, language: &str) {
    if language.is_empty() {
        return;
    }
    let (icon, name) = (kind(ui, specific), shown_short(language, MAX_LANGUAGE));
    let room = ui.available_width() - KIND - ui.spacing().item_spacing.x;
    if room < text_width(ui, &name) / 2.0 {
        let icon = ui.label(icon);
        icon.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &*name));
        icon.on_hover_text(name);
        return;
    }
    ui.decoration(icon);
    ui.label(RichText::new(name));
}

/// Draws the icon of the kind of a language.
pub fn kind_ui(ui: &mut Ui, specific: &str) {
    ui.decoration(kind(ui, specific));
}

fn kind(ui: &Ui, specific: &str) -> RichText {
    kind_icon::of_language(specific).text().size(KIND).color(kind_icon::color(specific, ui.tokens().dark))
}

/// Returns the width of a language with its icon, in points.
pub fn language_width(ui: &Ui, language: &str) -> f32 {
    KIND + ICON_GAP + text_width(ui, &shown_short(language, MAX_LANGUAGE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_highlighted_by_more_than_colour() {
        let job = marked_text(&Tokens::DARK, "ein Übel hier", &[(4, 8)], &FontId::default(), Color32::WHITE);
        let underlined: Vec<bool> = job.sections.iter().map(|section| section.format.underline.width > 0.0).collect();
        assert_eq!(underlined, [false, true, false]);
        assert_eq!(job.text, "ein Übel hier");
        let nothing = marked_text(&Tokens::DARK, "", &[], &FontId::default(), Color32::WHITE);
        assert_eq!(nothing.text, "");
    }

    #[test]
    fn a_passage_begins_some_words_before_its_first_match() {
        let text = "one two three four five six seven eight needle nine needle";
        let (near, ranges) = near_match(text, &[(40, 46), (52, 58)]);
        assert_eq!(near, "…three four five six seven eight needle nine needle");
        let found: Vec<String> =
            ranges.iter().map(|(from, to)| near.chars().skip(*from).take(to - from).collect()).collect();
        assert_eq!(found, ["needle", "needle"]);
        assert_eq!(near_match("Ünï needle", &[(4, 10)]), (Cow::Borrowed("Ünï needle"), vec![(4, 10)]));
        assert_eq!(near_match("no match", &[]), (Cow::Borrowed("no match"), Vec::new()));
        assert_eq!(near_match("too far", &[(900, 905)]).0, "too far");
    }

    #[test]
    fn wide_gaps_of_a_passage_are_one_space_and_the_matches_stay_on_their_words() {
        let (text, ranges) = single_spaced("serve     runs\t\tthe Ü  needle", &[(0, 5), (10, 14), (23, 29)]);
        assert_eq!(text, "serve runs the Ü needle");
        let letters: Vec<char> = text.chars().collect();
        let words = ranges.iter().map(|(from, to)| letters[*from..*to].iter().collect::<String>());
        assert_eq!(words.collect::<Vec<_>>(), ["serve", "runs", "needle"]);
        assert_eq!(single_spaced("as it is", &[(3, 5)]), (Cow::Borrowed("as it is"), vec![(3, 5)]));
        assert_eq!(single_spaced("a  b", &[(900, 905)]).1, [(3, 3)]);
    }

    /// Returns the labels of the tags that fit into a cell, and where the last one ends.
    fn drawn_tags(tags: &[&str], width: f32) -> (Vec<String>, f32) {
        let tags: Vec<Box<str>> = tags.iter().map(|tag| Box::from(*tag)).collect();
        let mut harness = egui_kittest::Harness::builder().with_context_setup(theme::install).build_ui(|ui| {
            let rect = egui::Rect::from_min_size(ui.max_rect().min, egui::vec2(width, 30.0));
            let layout = egui::Layout::left_to_right(egui::Align::Center);
            tags_ui(
                &mut ui.new_child(egui::UiBuilder::new().max_rect(rect).layout(layout)),
                &tags,
                &TagColors::default(),
            );
        });
        harness.run();
        use egui_kittest::kittest::{NodeT as _, Queryable as _};
        let left =
            harness.query_all_by_role(egui::Role::Label).map(|label| label.rect().left()).fold(f32::MAX, f32::min);
        let labels: Vec<_> = harness.query_all_by_role(egui::Role::Label).collect();
        let end = labels.iter().map(|label| label.rect().right()).fold(0.0, f32::max) - left;
        let text = |label: &egui_kittest::Node<'_>| {
            let node = label.accesskit_node();
            node.label().or(node.value()).unwrap_or_default()
        };
        (labels.iter().map(text).collect(), end)
    }

    #[test]
    fn tags_are_drawn_whole_but_the_first_in_a_narrow_column_and_the_others_are_counted() {
        let tags = ["infrastructure", "http", "tokio", "planning", "perf", "ui", "auth", "cache"];
        let (all, _) = drawn_tags(&tags, 900.0);
        assert_eq!(all, tags);
        for width in [72.0, 112.0, 160.0, 300.0] {
            let (drawn, end) = drawn_tags(&tags, width);
            let (last, named) = drawn.split_last().expect("a count");
            assert_eq!(*last, format!("+{}", tags.len() - named.len()), "at {width}");
            assert!(!named.is_empty(), "a number without a name at {width}");
            assert_eq!(named, &tags[..named.len()], "at {width}");
            assert!(end <= width, "{drawn:?} end at {end} of {width}");
        }
        assert_eq!(drawn_tags(&["a tag that is longer than its column"], 60.0).0.len(), 1);
    }
}
