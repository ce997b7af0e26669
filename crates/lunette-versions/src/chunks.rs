//! Versions that are larger than a prefix may be: cut into chunks by their content, so that what is the same in the next
//! version is found wherever it has moved to, and kept as a reference to it.
//!
//! A recipe is a list of parts: a copy of bytes of the next version, or an edit, which is a text of its own with the
//! bytes of the next version between the copies around it as its prefix.

use std::collections::HashMap;

use fastcdc::v2020::FastCDC;
use sha2::{Digest as _, Sha256};

use crate::delta::{MAX_PREFIX, compress, decompress};
use crate::varint;

/// The sizes of chunks, in bytes: at least, on average, at most.
const SIZES: (usize, usize, usize) = (16 << 10, 64 << 10, 256 << 10);
/// How many bytes one edit holds.
const MAX_EDIT: usize = MAX_PREFIX;

const COPY: u64 = 0;
const EDIT: u64 = 1;

/// A part of the old version.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    /// Bytes of the next version: where they begin there, and how many they are.
    Copy { offset: usize, length: usize },
    /// Bytes of the old version that are nowhere in the next.
    Edit { offset: usize, length: usize },
}

/// Encodes the old version as parts of the next and texts of its own.
pub(crate) fn encode(old: &[u8], next: &[u8]) -> Vec<u8> {
    let parts = parts(old, next);
    let mut out = Vec::new();
    varint::push(&mut out, old.len() as u64);
    let mut end_of_copy = 0;
    for (index, part) in parts.iter().enumerate() {
        match *part {
            Part::Copy { offset, length } => {
                varint::push(&mut out, (length as u64) << 1 | COPY);
                varint::push(&mut out, offset as u64);
                end_of_copy = offset + length;
            }
            Part::Edit { offset, length } => {
                let until = parts[index + 1..].iter().find_map(|part| match part {
                    Part::Copy { offset, .. } => Some(*offset),
                    Part::Edit { .. } => None,
                });
                let until = until.unwrap_or(next.len()).min(end_of_copy + MAX_PREFIX);
                let base = end_of_copy..until.max(end_of_copy);
                let frame = compress(&old[offset..offset + length], &next[base.clone()]).unwrap_or_default();
                varint::push(&mut out, (frame.len() as u64) << 1 | EDIT);
                varint::push(&mut out, base.start as u64);
                varint::push(&mut out, base.len() as u64);
                out.extend_from_slice(&frame);
                end_of_copy = base.end;
            }
        }
    }
    out
}

/// Reads the old version back; None if the recipe is damaged, is of another text, or stands for more than the limit.
pub(crate) fn decode(mut recipe: &[u8], next: &[u8], limit: usize) -> Option<Vec<u8>> {
    let size = varint::take_size(&mut recipe).filter(|size| *size <= limit)?;
    let mut old = Vec::with_capacity(size);
    while !recipe.is_empty() {
        let head = varint::take(&mut recipe)?;
        let length = usize::try_from(head >> 1).ok()?;
        let offset = varint::take_size(&mut recipe)?;
        match head & 1 {
            COPY => old.extend_from_slice(next.get(offset..offset.checked_add(length)?)?),
            _ => {
                let base = varint::take_size(&mut recipe)?;
                let prefix = next.get(offset..offset.checked_add(base)?)?;
                let (frame, rest) = recipe.split_at_checked(length)?;
                recipe = rest;
                old.extend(decompress(frame, prefix, MAX_EDIT).ok()?);
            }
        }
        if old.len() > size {
            return None;
        }
    }
    (old.len() == size).then_some(old)
}

/// The parts of the old version, in order: neighbouring copies are one, and so are neighbouring edits as far as they fit.
fn parts(old: &[u8], next: &[u8]) -> Vec<Part> {
    let mut places: HashMap<[u8; 32], Vec<usize>> = HashMap::new();
    for (offset, length) in cut(next) {
        places.entry(Sha256::digest(&next[offset..offset + length]).into()).or_default().push(offset);
    }
    let mut parts: Vec<Part> = Vec::new();
    for (offset, length) in cut(old) {
        let places = places.get::<[u8; 32]>(&Sha256::digest(&old[offset..offset + length]).into());
        // Of several places the one that goes on where the last copy ended.
        let end = parts.last().and_then(|part| match part {
            Part::Copy { offset, length } => Some(offset + length),
            Part::Edit { .. } => None,
        });
        let place = places.and_then(|places| places.iter().find(|place| Some(**place) == end).or(places.first()));
        match (parts.last_mut(), place) {
            (Some(Part::Copy { length: copied, .. }), Some(place)) if Some(*place) == end => *copied += length,
            (Some(Part::Edit { length: edited, .. }), None) if *edited + length <= MAX_EDIT => *edited += length,
            (_, Some(place)) => parts.push(Part::Copy { offset: *place, length }),
            (_, None) => parts.push(Part::Edit { offset, length }),
        }
    }
    parts
}

/// Where chunks begin, and how long they are.
fn cut(text: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    FastCDC::new(text, SIZES.0, SIZES.1, SIZES.2).map(|chunk| (chunk.offset, chunk.length))
}
