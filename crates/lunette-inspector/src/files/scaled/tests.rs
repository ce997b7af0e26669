//! Pictures of each format, of each kind of pixels, and hostile ones. The memory of hostile ones is that of another process,
//! which is this test again.

use std::io::Write as _;
use std::process::Command;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::{Rgba, RgbaImage};

use super::*;

/// The most memory of a process that decodes a picture, in KiB. The tests of the library take 40 MiB before.
const MOST: u64 = 200 << 10;
/// The variable that names the hostile picture that this process decodes.
const VARIABLE: &str = "LUNETTE_TEST_PICTURE";
/// Hostile pictures.
const HOSTILE: [&str; 8] = ["large png", "interlaced png", "wide png", "texts", "profile", "large gif", "webp", "jpeg"];

fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    let pixels = DynamicImage::from(RgbaImage::from_pixel(width, height, Rgba([200, 100, 50, 255])));
    let pixels = if format == ImageFormat::Jpeg { DynamicImage::from(pixels.to_rgb8()) } else { pixels };
    pixels.write_to(&mut Cursor::new(&mut bytes), format).expect("a picture is written");
    bytes
}

fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let body = [kind.as_slice(), data].concat();
    let divided = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    let crc = !body.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), divided));
    [&(data.len() as u32).to_be_bytes()[..], &body, &crc.to_be_bytes()].concat()
}

fn packed(size: usize) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    let zeros = vec![0; 1 << 20];
    (0..size >> 20).for_each(|_| encoder.write_all(&zeros).expect("packed"));
    encoder.write_all(&zeros[..size & ((1 << 20) - 1)]).expect("packed");
    encoder.finish().expect("packed")
}

/// A PNG file of black pixels: colour type and bits of a pixel, the way of interlacing, and chunks before the pixels.
fn png_file([width, height]: [u32; 2], (bits, color): (u8, u8), interlace: u8, more: &[Vec<u8>]) -> Vec<u8> {
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[bits, color, 0, 0, interlace]].concat();
    let channels = [1, 0, 3, 1, 2, 0, 4][usize::from(color)];
    let row = 1 + (width as usize * usize::from(bits) * channels).div_ceil(8);
    // Interlaced pixels take a few more bytes, and the decoder takes fewer as damage: so there are too many.
    let rows = if interlace == 1 { 2 * height as usize + 16 } else { height as usize };
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    file.extend(chunk(b"IHDR", &header));
    more.iter().for_each(|more| file.extend(more));
    file.extend(chunk(b"IDAT", &packed(row * rows)));
    file.extend(chunk(b"IEND", b""));
    file
}

fn hostile(name: &str) -> Vec<u8> {
    let text = |kind: &[u8; 4], head: &[u8]| chunk(kind, &[head, &packed((2 << 20) - 100)].concat());
    match name {
        "large png" => png_file([8_000, 8_000], (8, 6), 0, &[]),
        "interlaced png" => png_file([1_500, 1_500], (8, 6), 1, &[]),
        "wide png" => png_file([1 << 20, 6], (16, 6), 0, &[]),
        "texts" => {
            let (zipped, international) = (text(b"zTXt", b"a\0\0"), text(b"iTXt", b"a\0\x01\0\0\0"));
            let texts: Vec<_> = (0..200).flat_map(|_| [zipped.clone(), international.clone()]).collect();
            png_file([8, 8], (8, 6), 0, &texts)
        }
        "profile" => png_file([8, 8], (8, 6), 0, &[chunk(b"iCCP", &[&b"a\0\0"[..], &packed(100 << 20)].concat())]),
        "large gif" => {
            let mut file = encoded(4, 4, ImageFormat::Gif);
            file[6..10].copy_from_slice(&[0x40, 0x1f, 0x40, 0x1f]);
            file
        }
        "webp" => encoded(1_000, 1_000, ImageFormat::WebP),
        _ => encoded(1_000, 1_000, ImageFormat::Jpeg),
    }
}

#[test]
#[ignore = "run by the test of its name below, in a process of its own"]
fn child() {
    let Ok(name) = std::env::var(VARIABLE) else { return };
    let bytes = hostile(&name);
    // What was needed to make it does not count, where the system can tell.
    std::fs::write("/proc/self/clear_refs", "5").ok();
    let decoded = decode(&bytes, 2_048);
    let kept = decoded.as_ref().map_or(0, |scaled| scaled.rgba.len());
    assert!(kept <= 2_048 * 2_048 * 4);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    println!("\npeak: {} {:?}", peak.trim(), decoded.map(|scaled| scaled.size));
}

#[test]
fn hostile_pictures_take_little_memory() {
    if !cfg!(target_os = "linux") {
        println!("skipped: only Linux tells how much memory a process had");
        return;
    }
    let test = concat!(module_path!(), "::child").split_once("::").expect("a path").1;
    for name in HOSTILE {
        let mut child = Command::new(std::env::current_exe().expect("this test"));
        child.args([test, "--exact", "--ignored", "--nocapture"]).env(VARIABLE, name);
        let output = child.output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let peak = text.lines().find_map(|line| line.strip_prefix("peak: ")?.split(' ').next()?.parse::<u64>().ok());
        println!("{name}: {:?} KiB", peak);
        assert!(peak.is_some_and(|peak| peak < MOST), "{name}: {text}");
    }
}

#[test]
fn each_format_keeps_its_colour() {
    for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP] {
        let scaled = decode(&encoded(64, 32, format), 16).expect("decoded");
        assert_eq!((scaled.original, scaled.size), ([64, 32], [16, 8]), "{format:?}");
        assert_eq!(scaled.rgba.len(), 16 * 8 * 4);
        let near = |one: u8, other: u8| one.abs_diff(other) <= 8;
        assert!(
            scaled.rgba.chunks(4).all(|dot| near(dot[0], 200) && near(dot[1], 100) && near(dot[2], 50)),
            "{format:?}"
        );
    }
}

#[test]
fn each_kind_of_pixels_of_png_is_read() {
    let palette = chunk(b"PLTE", &[9, 8, 7, 0, 0, 0]);
    for (bits, color, expected) in [(1, 0, 0), (16, 0, 0), (8, 2, 0), (4, 3, 9), (8, 4, 0), (16, 6, 0)] {
        for interlace in [0, 1] {
            let more = if color == 3 { vec![palette.clone()] } else { Vec::new() };
            let scaled = decode(&png_file([30, 20], (bits, color), interlace, &more), 10).expect("decoded");
            assert_eq!((scaled.size, scaled.rgba[0]), ([10, 7], expected), "{bits} {color} {interlace}");
        }
    }
}

#[test]
fn pixels_that_become_one_are_averaged() {
    let mut shrinker = Shrinker::new([4, 2], 2);
    shrinker.add(&[0, 10, 20, 30], 1);
    shrinker.add(&[2, 12, 22, 33], 1);
    assert_eq!(shrinker.finish().rgba, [6, 6, 6, 255, 26, 26, 26, 255]);
    let mut same = Shrinker::new([2, 1], 2);
    same.add(&[1, 2, 3, 4, 5, 6, 7, 8], 4);
    assert_eq!(same.finish().rgba, [1, 2, 3, 4, 5, 6, 7, 8]);
}

#[test]
fn only_a_header_of_one_pass_is_no_progressive_jpeg() {
    assert!(!is_progressive(&encoded(8, 8, ImageFormat::Jpeg)));
    assert!(is_progressive(b"\xff\xd8\xff\xe0\0\x02\xff\xc2\0\x02"));
    assert!(is_progressive(b"\xff\xd8\xff\xe0\xff\xff") && is_progressive(b""));
}
