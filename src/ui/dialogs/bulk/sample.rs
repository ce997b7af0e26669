//! The first few assets of a run: each changed field before and after, or why nothing is sent.

use std::borrow::Cow;
use std::collections::HashMap;

use egui::{Color32, Rect, Sense, Ui, accesskit::Role, pos2, vec2};

use crate::ui::dialogs::plan::effect;
use crate::ui::theme::{Icon, SPACE_S, UiExt as _, text};
use crate::ui::widgets::{field_diff, grouped, shown_short};
use lunette_client::model::id::AssetId;
use lunette_inspector::assets::Assets;
use lunette_inspector::bulk::NotPlanned;
use lunette_inspector::change::with_name;
use lunette_inspector::write::plan::Plan;

/// Height of a line, in points.
const LINE: f32 = 28.0;
/// Maximum number of fields shown of one asset; the rest is counted.
const FIELDS: usize = 4;
/// Maximum number of assets named if nothing is planned.
const UNPLANNED: usize = 5;
/// Maximum number of characters of a value in its cell.
const CELL: usize = 120;
/// Minimum and maximum share of a line for the name of its asset.
const NAME_SHARE: (f32, f32) = (0.25, 0.6);
/// Maximum share of a line, without the name of its asset, for the name of a field.
const FIELD_SHARE: f32 = 0.45;
/// Width of the symbol before a value, in points.
const SIGN: f32 = 16.0;
/// How many characters are shown that both values of a field have before they differ.
const SAME: usize = 12;

/// One line as it is drawn.
pub struct Row {
    /// The asset, on its first line.
    asset: Option<AssetId>,
    /// The asset's name; empty on lines after its first.
    name: String,
    what: RowContent,
    /// The line as text.
    summary: String,
}

enum RowContent {
    /// A field before and after; `None` if it has no value.
    Field { path: String, before: Option<String>, after: Option<String> },
    /// A sentence instead.
    Words(String),
    /// Why nothing is sent.
    Refused(String),
}

/// Returns the lines of a sample.
pub fn rows(sample: &[(AssetId, Result<Plan, NotPlanned>)], assets: &[(AssetId, String)]) -> Vec<Row> {
    if sample.is_empty() {
        // An export has no plan: the first names are examples of what is saved.
        let row = |(id, name): &(AssetId, String)| Row {
            asset: Some(id.clone()),
            name: shown_short(name, 80).into_owned(),
            what: RowContent::Words("is read and saved".to_owned()),
            summary: format!("{}: is read and saved", shown_short(name, 80)),
        };
        return assets.iter().take(UNPLANNED).map(row).collect();
    }
    let names: HashMap<&AssetId, &str> = assets.iter().map(|(id, name)| (id, name.as_str())).collect();
    let mut rows = Vec::new();
    for (id, plan) in sample {
        let name = shown_short(names.get(id).copied().unwrap_or(id.as_str()), 80).into_owned();
        match plan {
            Ok(plan) => add_fields(plan, (id, &name), &mut rows),
            Err(reason) => {
                let reason = with_name(&reason.to_string(), id, names.get(id).copied().unwrap_or_default());
                let summary = format!("{name}: {reason}");
                let what = RowContent::Refused(shown_short(&reason, 400).into_owned());
                rows.push(Row { asset: Some(id.clone()), name, summary, what });
            }
        }
    }
    rows
}

fn add_fields(plan: &Plan, (id, name): (&AssetId, &str), rows: &mut Vec<Row>) {
    let named = |index: usize| if index == 0 { name.to_owned() } else { String::new() };
    let asset = |index: usize| (index == 0).then(|| id.clone());
    let paths = field_diff::names(plan.fields.iter().take(FIELDS).map(|field| &field.path));
    for (index, (field, path)) in plan.fields.iter().zip(paths).enumerate() {
        let value = |value: &serde_json::Value| {
            let words = field_diff::value_in_words(value).unwrap_or_else(|| value.to_string());
            shown_short(&words, CELL).into_owned()
        };
        let (before, after) = (field.before.as_ref().map(value), field.after.as_ref().map(value));
        let summary = match (&before, &after) {
            (Some(before), Some(after)) => format!("{name}, {path}: {before} becomes {after}"),
            (Some(before), None) => format!("{name}, {path}: {before} is removed"),
            (None, Some(after)) => format!("{name}, {path}: {after} is added"),
            (None, None) => format!("{name}, {path}: nothing"),
        };
        let (before, after) = with_difference_in_sight(before, after);
        let what = RowContent::Field { path, before, after };
        rows.push(Row { asset: asset(index), name: named(index), what, summary });
    }
    let words = match plan.fields.len() {
        0 => effect(&plan.change),
        count if count > FIELDS => format!("and {} more fields", grouped((count - FIELDS) as u64)),
        _ => return,
    };
    rows.push(Row {
        asset: asset(plan.fields.len()),
        name: named(plan.fields.len()),
        summary: format!("{name}: {words}"),
        what: RowContent::Words(words),
    });
}

/// Returns two values without most of what both begin with, so that a cell shows where they differ.
fn with_difference_in_sight(before: Option<String>, after: Option<String>) -> (Option<String>, Option<String>) {
    let same = before.iter().flat_map(|text| text.chars()).zip(after.iter().flat_map(|text| text.chars()));
    let same = same.take_while(|(before, after)| before == after).count();
    let unseen = same.saturating_sub(SAME);
    let shortened = |value: String| {
        if unseen == 0 {
            return value;
        }
        let rest: String = value.chars().skip(unseen).collect();
        // From the beginning of a word, if there is one.
        let word =
            rest.find(' ').filter(|space| *space < SAME).map_or(rest.as_str(), |space| rest[space..].trim_start());
        format!("…{word}")
    };
    (before.map(shortened), after.map(shortened))
}

/// Draws the lines; after the name of an asset, the folder that it was imported from.
pub fn ui(ui: &mut Ui, rows: &[Row], assets: &Assets) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        let widths = Widths::of(ui, rows, assets);
        for row in rows {
            row_ui(ui, row, folder(row, assets), widths);
        }
    });
}

/// The folder of the asset of a line, in its room.
fn folder<'a>(row: &Row, assets: &'a Assets) -> Option<Cow<'a, str>> {
    Some(shown_short(assets.folder_of(row.asset.as_ref()?)?, CELL))
}

/// How wide the columns are, in points.
#[derive(Clone, Copy)]
struct Widths {
    name: f32,
    field: f32,
}

impl Widths {
    /// The names of the assets get the room that fields and values leave.
    fn of(ui: &Ui, rows: &[Row], assets: &Assets) -> Self {
        let line = ui.available_width();
        let (mut name, mut field, mut values) = (0.0_f32, 0.0_f32, 0.0_f32);
        for row in rows {
            let folder = folder(row, assets).map_or(0.0, |folder| SPACE_S + text_width(ui, &folder));
            name = name.max(text_width(ui, &row.name) + folder + 2.0 * SPACE_S);
            match &row.what {
                RowContent::Field { path, before, after } => {
                    field = field.max(text_width(ui, path) + 2.0 * SPACE_S);
                    let value = [before, after].into_iter().flatten().map(|value| text_width(ui, value));
                    values = values.max(2.0 * (value.fold(0.0, f32::max) + SIGN + 3.0 * SPACE_S));
                }
                RowContent::Words(words) | RowContent::Refused(words) => {
                    values = values.max(text_width(ui, words) + SIGN + 2.0 * SPACE_S);
                }
            }
        }
        let (least, most) = (NAME_SHARE.0 * line, NAME_SHARE.1 * line);
        let name = name.min(line - field - values).clamp(least, most);
        Self { name, field: field.min(FIELD_SHARE * (line - name)) }
    }
}

/// Returns the width of one line of code, in points.
fn text_width(ui: &Ui, words: &str) -> f32 {
    let font = text::mono_small().resolve(ui.style());
    ui.fonts_mut(|fonts| fonts.layout_no_wrap(words.to_owned(), font, Color32::PLACEHOLDER)).size().x.ceil()
}

fn row_ui(ui: &mut Ui, row: &Row, folder: Option<Cow<'_, str>>, widths: Widths) {
    let t = ui.tokens();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    let summary = folder.as_ref().map_or(Cow::from(&row.summary), |folder| format!("{folder}/{}", row.summary).into());
    response.widget_info(|| egui::WidgetInfo::labeled(Role::Label, true, &*summary));
    let (name, rest) = rect.split_left_right_at_x(rect.left() + widths.name);
    cut_text(ui, name, &row.name, t.text);
    if let Some(folder) = folder {
        let (_, beside) = name.split_left_right_at_x(name.left() + text_width(ui, &row.name) + SPACE_S);
        if beside.width() > LINE {
            cut_text(ui, beside, &folder, t.muted);
        }
    }
    match &row.what {
        RowContent::Words(words) => cut_text(ui, rest, words, t.muted),
        RowContent::Refused(reason) => {
            let (sign, words) = rest.split_left_right_at_x(rest.left() + 20.0);
            Icon::INFO.paint(ui.painter(), sign.center(), 13.0, t.warning);
            cut_text(ui, words, reason, t.text);
        }
        RowContent::Field { path, before, after } => {
            let (path_rect, values) = rest.split_left_right_at_x(rest.left() + widths.field);
            cut_text(ui, path_rect, path, t.muted);
            let (left, right) = match (before, after) {
                (Some(_), Some(_)) => values.split_left_right_at_fraction(0.5),
                _ => (values, values),
            };
            value_ui(ui, left, "−", before.as_deref(), t.removed_ground);
            value_ui(ui, right, "+", after.as_deref(), t.added_ground);
        }
    }
    response.on_hover_ui(|ui| {
        ui.set_max_width(520.0);
        ui.code_text(&summary);
    });
}

/// Draws a value on its background, with the symbol that says the same as the colour.
fn value_ui(ui: &Ui, rect: Rect, sign: &str, value: Option<&str>, ground: Color32) {
    let t = ui.tokens();
    let Some(value) = value else { return };
    ui.painter().rect_filled(rect, 3.0, ground);
    let inner = rect.shrink2(vec2(SPACE_S, 0.0));
    let (mark, text) = inner.split_left_right_at_x(inner.left() + SIGN);
    cut_text(ui, mark, sign, t.text);
    cut_text(ui, text, value, t.text);
}

/// Draws one line of code, truncated at the end of the space.
fn cut_text(ui: &Ui, rect: Rect, words: &str, color: Color32) {
    let font = text::mono_small().resolve(ui.style());
    let mut job = egui::text::LayoutJob::simple_singleline(words.to_owned(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(rect.width() - SPACE_S);
    let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
    let pos = pos2(rect.left(), rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(pos, galley, color);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts that are drawn whole in a dialog of the usual width.
    fn whole_texts(rows: &[Row]) -> Vec<String> {
        let builder = egui_kittest::Harness::builder().with_size([728.0, 200.0]);
        let mut harness = builder
            .with_context_setup(crate::ui::theme::install)
            .build_ui(|ui| super::ui(ui, rows, &Assets::default()));
        harness.run();
        let shapes = harness.output().shapes.iter();
        let texts = shapes.filter_map(|clipped| match &clipped.shape {
            egui::Shape::Text(text) => Some(&text.galley).filter(|galley| !galley.elided),
            _ => None,
        });
        texts.map(|galley| galley.text().to_owned()).collect()
    }

    fn row(name: &str, path: &str, before: &str, after: Option<&str>) -> Row {
        let (before, after) = (Some(before.to_owned()), after.map(str::to_owned));
        let what = RowContent::Field { path: path.to_owned(), before, after };
        Row { asset: None, name: name.to_owned(), what, summary: path.to_owned() }
    }

    #[test]
    fn the_name_of_a_field_is_not_truncated() {
        let names = ["Entire asset", "Tags"];
        let texts = whole_texts(&names.map(|path| row("a.txt", path, "{…}", None)));
        assert!(names.iter().all(|name| texts.iter().any(|text| text == name)), "{texts:?}");
    }

    #[test]
    fn the_name_of_an_asset_gets_the_room_that_short_values_leave_and_long_values_keep_theirs() {
        let name = "connection pool with retries.rs";
        let texts = whole_texts(&[row(name, "Favourite", "false", Some("true"))]);
        assert!(texts.iter().any(|text| text == name), "{texts:?}");
        let long = "topic 0001, topic 0002";
        let texts = whole_texts(&[row(&name.repeat(2), "Tags", long, Some(long))]);
        assert!(texts.iter().filter(|text| *text == long).count() == 2, "{texts:?}");
    }

    fn shown(before: &str, after: &str) -> (String, String) {
        let (before, after) = with_difference_in_sight(Some(before.to_owned()), Some(after.to_owned()));
        (before.unwrap_or_default(), after.unwrap_or_default())
    }

    #[test]
    fn an_item_added_at_the_end_of_a_long_list_is_visible() {
        let (before, after) = shown("topic 1645, topic 1341", "topic 1645, topic 1341, everything");
        assert_eq!((before.as_str(), after.as_str()), ("…topic 1341", "…topic 1341, everything"));
        assert_eq!(shown(&"é".repeat(50), &"é".repeat(51)).1, format!("…{}", "é".repeat(13)));
    }

    #[test]
    fn values_that_differ_near_the_beginning_are_not_truncated() {
        for (before, after) in [("rs", "py"), ("same start a", "same start b"), ("", "new")] {
            assert_eq!(shown(before, after), (before.to_owned(), after.to_owned()));
        }
    }
}
