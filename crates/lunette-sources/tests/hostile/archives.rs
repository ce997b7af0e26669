//! Archives that grow, repeat and lie about their sizes.

use std::io::{Cursor, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use lunette_sources::Source;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::{Entries, Hostile};

/// The hostile archives, for the source that any archive is of.
pub fn of(source: Source) -> Vec<Hostile> {
    if source != Source::ARCHIVE {
        return Vec::new();
    }
    let many = |count: usize, size: usize| {
        move || zipped((0..count).map(move |number| (format!("{number}.txt"), vec![b'x'; size])))
    };
    let tar = |count: usize, size: usize| {
        move || gzipped(&tarred((0..count).map(move |number| (format!("{number}.txt"), vec![b'x'; size]))))
    };
    let nested = || {
        let mut bytes = zipped([("a.txt".to_owned(), vec![0; 8 << 20])].into_iter());
        for _ in 0..20 {
            bytes = zipped([("a.zip".to_owned(), bytes)].into_iter());
        }
        bytes
    };
    let lying = |change: fn(&mut [u8])| {
        move || {
            let mut bytes = zipped([("a.txt".to_owned(), vec![b'x'; 1 << 20])].into_iter());
            change(&mut bytes);
            bytes
        }
    };
    vec![
        Hostile::file("a.zip", "a bomb", many(1, 60 << 20)),
        Hostile::file("b.zip", "many bombs", many(40, 5 << 20)),
        Hostile::file("c.zip", "many files", many(60_000, 1)),
        Hostile::file("d.zip", "nested", nested),
        Hostile::file("e.zip", "sizes of the directory", lying(|bytes| fill_after(bytes, b"PK\x01\x02", 24, 0xff))),
        Hostile::file("f.zip", "sizes of the file", lying(|bytes| fill_after(bytes, b"PK\x03\x04", 22, 0xff))),
        Hostile::file("g.zip", "entries", lying(|bytes| fill_after(bytes, b"PK\x05\x06", 8, 0xfe))),
        Hostile::file("a.tgz", "a bomb", tar(1, 60 << 20)),
        Hostile::file("b.tgz", "many bombs", tar(8, 5 << 20)),
        Hostile::file("c.tgz", "many files", tar(60_000, 1)),
        Hostile::file("e.tar", "as much as the limit", || {
            tarred((0..8).map(|number| (format!("{number}.bin"), vec![number; 20 << 20])))
        }),
        Hostile::file("d.tgz", "packed zeros", || gzipped(&vec![0; 100 << 20])),
    ]
}

/// Archives that are changed.
pub fn samples() -> Vec<Entries> {
    let files = || (0..5).map(|number| (format!("a/{number}.txt"), vec![b'a' + number; 600]));
    [("x.zip", zipped(files())), ("x.tar", tarred(files())), ("x.tgz", gzipped(&tarred(files())))]
        .map(|(name, bytes)| vec![(name.to_owned(), bytes)])
        .into()
}

/// Sets four bytes after a signature.
fn fill_after(bytes: &mut [u8], mark: &[u8], offset: usize, value: u8) {
    let found = bytes.windows(mark.len()).position(|window| window == mark).expect("the signature");
    bytes[found + offset..found + offset + 4].fill(value);
}

fn zipped(entries: impl Iterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, content) in entries {
        archive.start_file(name, options).and_then(|()| Ok(archive.write_all(&content)?)).expect("an entry");
    }
    archive.finish().expect("an archive").into_inner()
}

fn tarred(entries: impl Iterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in entries {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, content.as_slice()).expect("an entry");
    }
    archive.into_inner().expect("an archive")
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("packed");
    encoder.finish().expect("packed")
}
