//! Contents as what they are: drawings, tables, trees, bytes; each with its text, and hostile ones.

use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use lunette_client::model::id::AssetId;
use lunette_client::operation::table::AssetsCreateNewAsset;
use lunette_inspector::action::AssetsAction;
use lunette_inspector::assets::page::Content;

use crate::panels::asset_page::{looking_at, of_bytes, open};
use crate::stage::Stage;
use crate::support::assets::{record, text_seed};
use lunette_client::model::record::Record as _;

const DRAWING: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><path d="M0 0h24v24z"/></svg>"#;

fn is_chosen(stage: &Stage, view: &str) -> bool {
    stage.find(Role::RadioButton, view).accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
}

/// The names of the drawn rows of a table or the lines of a list, in order.
fn rows(stage: &Stage, of: Role, name: &str, row: Role) -> Vec<String> {
    let table = stage.find(of, name);
    let rows = table.query_all_by_role(row);
    rows.filter_map(|row| row.accesskit_node().label()).collect()
}

fn table_rows(stage: &Stage, name: &str) -> Vec<String> {
    rows(stage, Role::Table, &format!("Content of {name}"), Role::Row)
}

fn hex_lines(stage: &Stage, name: &str) -> Vec<String> {
    rows(stage, Role::List, &format!("Bytes of {name}"), Role::ListItem)
}

/// What the last frame put on the clipboard.
fn copied(stage: &Stage) -> String {
    let commands = &stage.harness.output().platform_output.commands;
    let text = commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    text.expect("something is copied")
}

fn copy(stage: &mut Stage) -> String {
    stage.harness.event(egui::Event::Copy);
    stage.harness.step();
    copied(stage)
}

#[test]
fn an_svg_is_drawn_and_the_choice_of_its_text_is_remembered() {
    let (mut stage, _) = looking_at("icon.svg", DRAWING);
    stage.until_drawn("it is drawn", |harness| {
        harness.query_by_role_and_label(Role::Image, "Picture icon.svg").is_some()
    });
    assert!(is_chosen(&stage, "Drawn") && stage.says("24 × 24"));
    stage.find(Role::RadioButton, "Text").click();
    stage.until_said("<path d=");
    assert!(!stage.draws(Role::Image, "Picture icon.svg"));
    let other = stage.asset("other.svg", &DRAWING.replace("24", "48"));
    open(&mut stage, &other);
    stage.until_drawn("the other is shown", |harness| {
        harness.query_by_role_and_label(Role::Document, "Content of other.svg").is_some()
    });
    assert!(is_chosen(&stage, "Text"));
    stage.find(Role::RadioButton, "Drawn").click();
    stage.until_drawn("it is drawn", |harness| {
        harness.query_by_role_and_label(Role::Image, "Picture other.svg").is_some()
    });
}

#[test]
fn an_svg_that_is_not_drawn_says_why_and_shows_its_text() {
    let bomb = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg"><g id="a0"><rect width="1" height="1"/></g>{}</svg>"#,
        (1..30)
            .map(|level| format!(
                r##"<g id="a{level}">{}</g>"##,
                format!(r##"<use href="#a{}"/>"##, level - 1).repeat(10)
            ))
            .collect::<String>()
    );
    let (mut stage, _) = looking_at("bomb.svg", &bomb);
    stage.until_said("This SVG is not drawn: drawing it would take too long.");
    stage.until_said("<use href=");
    assert!(!stage.draws(Role::RadioButton, "Drawn"));
    let (mut stage, _) = looking_at("damaged.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><g></svg>\n\u{0}");
    stage.until_said("This SVG is not drawn: it is not valid SVG:");
    let (mut stage, _) = looking_at("words.svg", &DRAWING.replace("</svg>", "<text>a</text></svg>"));
    stage.until_said("Words and pictures in it are not drawn.");
}

#[test]
fn csv_is_a_table_that_a_title_sorts() {
    let text = "\u{feff}planet,moons,note\r\nSaturn,146,\"rings, and\r\nmany moons\"\r\nEarth,1,\"the \"\"Moon\"\"\"\r\nMars,2,\r\n";
    let (mut stage, _) = looking_at("planets.csv", text);
    stage.until_label("3 rows × 3 columns");
    assert_eq!(table_rows(&stage, "planets.csv")[1..], ["3: Earth, 1, the \"Moon\"", "4: Mars, 2, "]);
    assert!(table_rows(&stage, "planets.csv")[0].starts_with("2: Saturn, 146, rings, and"));
    let row = stage.find(Role::Row, "3: Earth, 1, the \"Moon\"");
    let cell = row.get_by_role_and_label(Role::Cell, "moons");
    assert!(cell.query_by_label("1").is_some(), "a cell has its column as name and its text within");
    stage.find(Role::ColumnHeader, "moons").click();
    let names = |stage: &Stage| -> Vec<String> {
        table_rows(stage, "planets.csv").iter().map(|row| row[3..8].trim_end_matches([',', ' ']).to_owned()).collect()
    };
    stage.until_drawn("the largest is first", |harness| harness.query_by_label("Saturn").is_some());
    let first = |stage: &mut Stage, wanted: &[&str]| {
        for _ in 0..200 {
            stage.harness.step();
            if names(stage).iter().zip(wanted).all(|(name, wanted)| wanted.starts_with(name.as_str())) {
                return;
            }
            std::thread::yield_now();
        }
        panic!("{:?}", names(stage));
    };
    first(&mut stage, &["Saturn", "Mars", "Earth"]);
    stage.find(Role::ColumnHeader, "moons").click();
    first(&mut stage, &["Earth", "Mars", "Saturn"]);
    stage.find(Role::RadioButton, "Text").click();
    stage.until_said("many moons\"");
    assert!(stage.says("5 lines"));
}

#[test]
fn a_row_is_copied_by_keys_and_a_cell_by_its_menu() {
    let (mut stage, _) = looking_at("a.tsv", "word\tcount\none\t1\n\"two\nlines\"\t2\n");
    stage.until_label("2 rows × 2 columns");
    stage.find(Role::Table, "Content of a.tsv").focus();
    stage.harness.run_steps(2);
    stage.key(Key::End);
    assert_eq!(copy(&mut stage), "\"two\nlines\"\t2");
    stage.key(Key::Home);
    assert_eq!(copy(&mut stage), "one\t1");
    stage.harness.key_press_modifiers(Modifiers::SHIFT, Key::F10);
    stage.until_drawn("its menu is open", |harness| {
        harness.query_by_role_and_label(Role::MenuItem, "Copy row").is_some()
    });
    stage.find(Role::Button, "Copy a cell").click_accesskit();
    stage.until_drawn("the columns are listed", |harness| {
        harness.query_by_role_and_label(Role::MenuItem, "count").is_some()
    });
    stage.find(Role::MenuItem, "count").click_accesskit();
    stage.harness.step();
    assert_eq!(copied(&stage), "1");
}

#[test]
fn whether_the_first_row_is_a_header_can_be_said() {
    let (mut stage, _) = looking_at("a.csv", "1,2\n3,4\n");
    stage.until_label("2 rows × 2 columns");
    assert!(stage.draws(Role::ColumnHeader, "Column 2"));
    stage.press("Preview options");
    stage.find(Role::CheckBox, "The first row is a header").click_accesskit();
    stage.until_label("1 row × 2 columns");
    assert!(stage.draws(Role::ColumnHeader, "2"));
}

/// Creates a large text on the service.
fn large(stage: &Stage, name: &str, text: &str) -> AssetId {
    let seed = Some(record(text_seed(name, text)));
    let made = stage.call(AssetsCreateNewAsset { transferables: Some(false), once: None, seed }).expect("an asset");
    made.view().id().parse().expect("an id")
}

#[test]
fn a_table_of_a_million_rows_is_drawn_scrolled_and_sorted_without_a_stall() {
    let mut text = String::from("number,word\n");
    for row in 0..1_000_000_u32 {
        text.push_str(&format!("{},w{}\n", row.wrapping_mul(2_654_435_761) % 1_000_003, row % 97));
    }
    let mut stage = Stage::embedded();
    stage.harness.set_size(egui::vec2(1280.0, 1400.0));
    let id = large(&stage, "million.csv", &text);
    open(&mut stage, &id);
    stage.until_said("Showing the first 256 KB");
    stage.perform(AssetsAction::LoadContent(id));
    stage.until_label("1,000,000 rows × 2 columns");
    stage.find(Role::Table, "Content of million.csv").focus();
    stage.harness.run_steps(2);
    let mut longest = Duration::ZERO;
    let mut press = |stage: &mut Stage, key: Key| {
        stage.harness.key_press(key);
        let started = Instant::now();
        stage.harness.step();
        longest = longest.max(started.elapsed());
    };
    for key in [Key::End, Key::PageUp, Key::ArrowUp, Key::Home, Key::PageDown, Key::End] {
        press(&mut stage, key);
    }
    stage.until_drawn("the last row is drawn", |harness| {
        harness.query_all_by_label_contains("1,000,001: ").next().is_some()
    });
    stage.find(Role::ColumnHeader, "number").click();
    let started = Instant::now();
    stage.harness.step();
    longest = longest.max(started.elapsed());
    stage.until_drawn("they are sorted", |harness| harness.query_by_label_contains("Sorting…").is_none());
    stage.find(Role::Table, "Content of million.csv").focus();
    stage.harness.run_steps(2);
    stage.key(Key::Home);
    let rows = table_rows(&stage, "million.csv");
    let numbers: Vec<u32> =
        rows.iter().filter_map(|row| row.split(": ").nth(1)?.split(',').next()?.parse().ok()).collect();
    assert!(numbers.len() > 5 && numbers.iter().rev().is_sorted() && numbers[0] > 999_900, "{numbers:?}");
    assert!(longest < Duration::from_millis(250), "no frame waits for a million rows: {longest:?}");
}

#[test]
fn odd_tables_are_drawn() {
    let (mut stage, _) = looking_at("ragged.csv", "a,b\n1\n1,2,3,4\n\0,\"open\n");
    stage.until_label("4 rows × 4 columns");
    let (mut stage, _) = looking_at("one.csv", &format!("a,b\n{},2\n", "x".repeat(1_500_000)));
    stage.until_label("1 row × 2 columns");
    let (mut stage, _) = looking_at("wide.csv", &format!("{}1\n", "1,".repeat(5_000)));
    stage.until_label("1 row × 5,001 columns");
    stage.until_said("Only the first 200 columns are shown.");
    let (mut stage, _) = looking_at("head.csv", "a,b\n");
    stage.until_label("1 row × 2 columns");
    let (mut stage, _) = looking_at("blank.csv", "\n\n");
    stage.until_label("2 lines");
    let id = of_bytes(&stage, "latin.csv", b"name,town\r\nJos\xe9,M\xfcnster\r\n");
    open(&mut stage, &id);
    stage.until_said("Jos");
}

#[test]
fn json_is_a_tree_and_text_and_damaged_json_says_why() {
    let (mut stage, _) = looking_at("data.json", "{\"moon\": {\"phase\": \"full\"}, \"days\": [1, 2]}");
    stage.until_drawn("the tree is drawn", |harness| harness.query_by_role_and_label(Role::TreeItem, "moon").is_some());
    assert!(is_chosen(&stage, "Tree"));
    stage.press("Unfold all");
    stage.until_drawn("it is unfolded", |harness| harness.query_by_role_and_label(Role::TreeItem, "phase").is_some());
    // The text is searched.
    stage.press("Find in the text");
    stage.until_said("{\"moon\": {\"phase\": \"full\"}");
    let (mut stage, _) = looking_at("damaged.json", "{\"moon\": 1,}");
    stage.until_said("This JSON is shown as text: trailing comma at line 1");
    assert!(!stage.draws(Role::RadioButton, "Tree"));
}

#[test]
fn bytes_have_facts_and_lines_to_read_and_copy() {
    let mut stage = Stage::embedded();
    stage.harness.set_size(egui::vec2(1280.0, 1400.0));
    let mut bytes = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
    bytes.extend((0..200_000_u32).map(|at| (at % 251) as u8));
    let id = of_bytes(&stage, "paper.pdf", &bytes);
    open(&mut stage, &id);
    stage.until_label("PDF 1.7");
    assert!(stage.says("application/pdf") && stage.draws(Role::Button, "Save…"));
    assert_eq!(
        hex_lines(&stage, "paper.pdf")[0],
        "00000000 25 50 44 46 2d 31 2e 37  0a 25 e2 e3 cf d3 0a 00 %PDF-1.7.%......"
    );
    stage.find(Role::Button, "Copy the SHA-256").click_accesskit();
    stage.harness.step();
    let hash = copied(&stage);
    assert!(hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");
    stage.find(Role::List, "Bytes of paper.pdf").focus();
    stage.harness.run_steps(2);
    stage.key(Key::End);
    let lines = hex_lines(&stage, "paper.pdf");
    assert!(lines.last().is_some_and(|line| line.starts_with("00030d40 ")), "{:?}", lines.last());
    stage.key(Key::Home);
    stage.harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    stage.harness.step();
    let dump = copy(&mut stage);
    assert!(dump.starts_with("00000000  25 50 44 46") && dump.lines().count() == 2, "{dump}");
}

#[test]
fn of_a_large_file_the_first_bytes_are_shown_before_it_is_loaded() {
    let mut stage = Stage::embedded();
    stage.harness.set_size(egui::vec2(1280.0, 1400.0));
    let bytes: Vec<u8> = (0..20_000_000_u32).map(|at| (at % 253) as u8).collect();
    let seed = serde_json::json!({ "type": "SEEDED_ASSET", "asset": {
        "application": crate::support::assets::application(),
        "format": { "file": { "string": { "base64": STANDARD.encode(&bytes) } } },
        "metadata": { "name": "disk.img" },
    } });
    let call = AssetsCreateNewAsset { transferables: Some(false), once: None, seed: Some(record(seed)) };
    let id: AssetId = stage.call(call).expect("an asset").view().id().parse().expect("an id");
    open(&mut stage, &id);
    stage.until_label("The first 65.5 KB of it:");
    stage.find(Role::List, "First bytes").focus();
    stage.harness.run_steps(2);
    stage.key(Key::End);
    stage.until_said("0000fff0 ");
    let content = |stage: &Stage| stage.state().assets.pages.of.get(&id).and_then(|page| page.content.value().cloned());
    assert_eq!(content(&stage), Some(Content::Large(20_000_000)), "it is not loaded");
}

#[test]
fn markdown_shows_the_pictures_that_are_assets_and_describes_the_others() {
    let mut stage = Stage::embedded();
    stage.harness.set_size(egui::vec2(1280.0, 1400.0));
    let moon = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/samples/moon.png")).expect("a sample");
    of_bytes(&stage, "moon.png", &moon);
    of_bytes(&stage, "damaged.png", &moon[..200]);
    stage.asset("logo.svg", DRAWING);
    let text = "# Night\n\n![the moon](img/moon.png)\n\n![a logo](logo.svg)\n\n![damaged](damaged.png)\n\n\
                ![gone](gone.png)\n\n![outside](http://192.0.2.1/moon.png)\n";
    let id = stage.asset("night.md", text);
    stage.perform(AssetsAction::LoadList);
    stage.until("all are listed", |state| state.assets.list.rows.value().is_some_and(|rows| rows.len() == 4));
    open(&mut stage, &id);
    for picture in ["the moon", "a logo"] {
        stage.until_drawn("the picture is drawn", |harness| {
            harness.query_by_role_and_label(Role::Image, picture).is_some()
        });
    }
    stage.until_said("[picture: damaged] Not shown: it is damaged");
    assert!(stage.says("[picture: gone]") && stage.says("outside"));
}
