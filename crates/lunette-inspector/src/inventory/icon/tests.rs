//! Tests of application icons on every system.

use std::io::Cursor;

use tempfile::TempDir;

use super::*;

fn icon(path: &Path) -> Option<AppIcon> {
    of_path(path, &mut Themes::of(Vec::new(), None))
}

fn png(side: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let pixels = image::RgbaImage::from_pixel(side, side, image::Rgba([200, 100, 50, 255]));
    pixels.write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png).expect("written");
    bytes
}

/// Creates a data folder with a desktop entry that has this icon, and this file.
fn data_folder(icon: &str, file: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let (entry, file) = (folder.path().join("applications/editor.desktop"), folder.path().join(file));
    for path in [&entry, &file] {
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    }
    let text = format!("# an entry\n[Desktop Entry]\nName=Editor\nIcon={icon}\n[Desktop Action new]\nIcon=other\n");
    fs::write(&entry, text).expect("written");
    fs::write(file, bytes).expect("written");
    (folder, entry)
}

#[test]
fn an_icon_of_the_theme_is_found_by_name_and_scaled_down() {
    let (_folder, entry) = data_folder("editor", "icons/hicolor/256x256/apps/editor.png", &png(256));
    assert_eq!(icon(&entry).map(|icon| icon.size), Some([72, 72]));
    let (_folder, entry) = data_folder("editor", "pixmaps/editor.png", &png(32));
    assert_eq!(icon(&entry).map(|icon| (icon.size, icon.rgba[0])), Some(([32, 32], 200)));
}

#[test]
fn an_icon_can_be_named_by_its_path() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("own.png");
    fs::write(&file, png(48)).expect("written");
    let (_data, entry) = data_folder(file.to_str().expect("UTF-8"), "unused", b"");
    assert_eq!(icon(&entry).map(|icon| icon.size), Some([48, 48]));
}

#[test]
fn other_files_and_images_that_are_too_large_have_no_icon() {
    let (folder, entry) = data_folder("../secret", "icons/hicolor/64x64/secret.png", &png(16));
    assert_eq!(icon(&entry), None, "a name leads out of no folder");
    assert_eq!(icon(&folder.path().join("icons/hicolor/64x64/secret.png")), None, "only entries are read");
    assert_eq!(icon(folder.path()), None);
    for (bytes, what) in [(png(1_025), "large"), (b"text".to_vec(), "text"), (png(64)[..40].to_vec(), "cut off")] {
        let (_folder, entry) = data_folder("editor", "pixmaps/editor.png", &bytes);
        assert_eq!(icon(&entry), None, "{what}");
    }
}

#[test]
fn an_svg_icon_is_rendered_as_pixels() {
    let svg =
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 8"><rect width="16" height="8" fill="red"/></svg>"#;
    let (_folder, entry) = data_folder("editor", "icons/hicolor/scalable/apps/editor.svg", svg.as_bytes());
    let drawn = icon(&entry).expect("an icon");
    assert_eq!((drawn.size, &drawn.rgba[..4]), ([72, 36], &[255, 0, 0, 255][..]));
}

#[test]
fn an_svg_file_reads_no_other_file_and_takes_bounded_work() {
    let secret = TempDir::new().expect("a folder");
    let picture = secret.path().join("secret.png");
    fs::write(&picture, png(16)).expect("written");
    let linked = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 8 8"><image width="8" height="8" xlink:href="{}"/></svg>"#,
        picture.display()
    );
    let pixels_of = |text: &str| {
        let (_folder, entry) = data_folder("e", "pixmaps/e.svg", text.as_bytes());
        icon(&entry)
    };
    assert!(pixels_of(&linked).is_none_or(|icon| icon.rgba.iter().all(|dot| *dot == 0)), "the other file is not drawn");
    let nested = format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">{}"#, "<g>".repeat(100_000));
    assert_eq!(pixels_of(&nested), None);
    let entities = r#"<!DOCTYPE s [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><text>&c;</text></svg>"#;
    pixels_of(entities);
}

/// Creates an ICNS file with these entries.
fn icns(entries: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut body = Vec::new();
    for (kind, bytes) in entries {
        body.extend_from_slice(*kind);
        body.extend_from_slice(&(bytes.len() as u32 + 8).to_be_bytes());
        body.extend_from_slice(bytes);
    }
    [&b"icns"[..], &(body.len() as u32 + 8).to_be_bytes(), &body].concat()
}

#[test]
fn a_bundle_shows_the_icon_that_its_property_list_names() {
    let folder = TempDir::new().expect("a folder");
    let bundle = folder.path().join("Editor.app");
    fs::create_dir_all(bundle.join("Contents/Resources")).expect("made");
    let info = |name: &str| {
        format!(
            r#"<?xml version="1.0"?><plist version="1.0"><dict><key>A</key><dict><key>CFBundleIconFile</key><string>no</string></dict><key>CFBundleIconFile</key><string>{name}</string></dict></plist>"#
        )
    };
    fs::write(bundle.join("Contents/Info.plist"), info("editor")).expect("written");
    let old = (b"is32", vec![1, 2, 3]);
    let file = icns(&[old, (b"icp4", png(16)), (b"ic07", png(128)), (b"ic08", png(256))]);
    fs::write(bundle.join("Contents/Resources/editor.icns"), &file).expect("written");
    assert_eq!(icon(&bundle).map(|icon| icon.size), Some([72, 72]));
    fs::write(bundle.join("Contents/Resources/editor.icns"), icns(&[(b"icp4", png(16))])).expect("written");
    assert_eq!(icon(&bundle).map(|icon| icon.size), Some([16, 16]));
    for broken in [&file[..20], b"icns", &icns(&[])[..], b"icns\0\0\0\x10icp4\0\0\0\0"] {
        fs::write(bundle.join("Contents/Resources/editor.icns"), broken).expect("written");
        assert_eq!(icon(&bundle), None, "{broken:?}");
    }
    fs::write(bundle.join("Contents/Info.plist"), info("../../secret")).expect("written");
    assert_eq!(icon(&bundle), None);
}

#[test]
fn a_program_shows_an_icon_file_of_its_folder_preferring_its_own_name() {
    let folder = TempDir::new().expect("a folder");
    let program = folder.path().join("Editor");
    fs::create_dir_all(&program).expect("made");
    let ico = |side: u32| {
        let mut bytes = Cursor::new(Vec::new());
        let pixels = image::RgbaImage::from_pixel(side, side, image::Rgba([1, 2, 3, 255]));
        pixels.write_to(&mut bytes, image::ImageFormat::Ico).expect("written");
        bytes.into_inner()
    };
    assert_eq!(icon(&program), None);
    fs::write(program.join("a.ICO"), ico(16)).expect("written");
    assert_eq!(icon(&program).map(|icon| icon.size), Some([16, 16]));
    fs::write(program.join("Editor.ico"), ico(32)).expect("written");
    assert_eq!(icon(&program).map(|icon| (icon.size, icon.rgba[0])), Some(([32, 32], 1)));
}

#[test]
fn a_program_of_windows_has_the_icon_of_its_executable() {
    let folder = TempDir::new().expect("a folder");
    let program = folder.path().join("Editor");
    fs::create_dir(&program).expect("made");
    let write = |name: &str, bytes: &[u8]| fs::write(program.join(name), bytes).expect("written");
    let executable = |side: u8| executable::tests::executable(&[(side, png(side.into()))], true);
    write("a-helper.exe", &executable(16));
    assert_eq!(icon(&program).map(|icon| icon.size), Some([16, 16]), "better than none");
    write("runtime.exe", &executable(24));
    assert_eq!(icon(&program).map(|icon| icon.size), Some([24, 24]));
    write("editor.EXE", &executable(48));
    assert_eq!(icon(&program).map(|icon| icon.size), Some([48, 48]), "the one with the name of the folder");
    assert_eq!(icon(&program.join("runtime.exe")).map(|icon| icon.size), Some([24, 24]), "a path names its own");
    let target = program.join("runtime.exe");
    let shortcut = shortcut::tests::shortcut(None, target.to_str(), false);
    write("Editor.lnk", &shortcut);
    assert_eq!(icon(&program.join("Editor.lnk")).map(|icon| icon.size), Some([24, 24]));
    write("broken.exe", b"MZ");
    assert_eq!(icon(&program.join("broken.exe")), None);
}

#[test]
fn a_path_to_another_machine_is_not_opened() {
    for path in
        [r"\\server\share\editor.exe", r"\\server\share\Editor", "//server/share/Editor.lnk", r"\\?\UNC\server\x.exe"]
    {
        assert!(!is_of_this_machine(Path::new(path)), "{path}");
        assert_eq!(icon(Path::new(path)), None);
    }
    assert!(is_of_this_machine(Path::new(r"C:\Program Files\Editor\editor.exe")));
    assert!(is_of_this_machine(Path::new("/usr/share/applications/editor.desktop")));
}
