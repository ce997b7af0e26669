//! Small texts as what is different from the next version: bytes of their own between copies of what the next version has,
//! or of what came before in the text itself.
//!
//! A frame of zstd holds a table for its bytes, which for 200 bytes is a seventh of it. Here the next version, which the
//! reader has, says how often which byte is to be expected.

use std::cmp::Reverse;

use crate::coder::{Bit, Bytes, Coder, Numbers, Reader, Writer};
use crate::varint;

/// The largest text that is read back, in bytes.
pub(crate) const MAX_TEXT: usize = 16 << 10;
/// With more bytes of its own, a text is compressed better and faster by zstd.
const MAX_OWN: usize = 1 << 10;

/// The shortest copy from where the text goes on in the next version, and from elsewhere, in bytes.
const SHORTEST: usize = 4;
const SHORTEST_ELSEWHERE: usize = 8;
/// How many places with the same bytes are looked at.
const MAX_PLACES: usize = 16;
/// How many bits the hash of some bytes has.
const HASH_BITS: u32 = 13;

/// Bytes of the text itself and then a copy, which only the last part may be without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    own: usize,
    /// Where the copy begins in the next version with the text behind it, and how many bytes it has.
    from: usize,
    copied: usize,
}

/// What is learned while parts are written or read.
struct Models {
    bytes: Bytes,
    own: Numbers,
    copied: Numbers,
    goes_on: Bit,
    back: Bit,
    distance: Numbers,
}

impl Models {
    fn new(next: &[u8]) -> Self {
        let (goes_on, back) = (Bit::default(), Bit::default());
        let (own, copied, distance) = (Numbers::default(), Numbers::default(), Numbers::default());
        Self { bytes: Bytes::of(next), own, copied, goes_on, back, distance }
    }

    /// Passes on where a copy begins, where it is expected to be at `expected`; None if that is before everything.
    fn pass_place(&mut self, coder: &mut impl Coder, from: usize, expected: usize) -> Option<usize> {
        if coder.pass_learned(from == expected, &mut self.goes_on) {
            return Some(expected);
        }
        let back = coder.pass_learned(from < expected, &mut self.back);
        let distance = self.distance.pass(coder, number(from.abs_diff(expected))) as usize;
        if back { expected.checked_sub(distance) } else { expected.checked_add(distance) }
    }
}

fn number(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX >> 1)
}

/// Encodes the old version; None where zstd does better, or it is too large.
pub(crate) fn encode(old: &[u8], next: &[u8]) -> Option<Vec<u8>> {
    if old.len().max(next.len()) > MAX_TEXT {
        return None;
    }
    let parts = parts(old, next);
    if parts.iter().map(|part| part.own).sum::<usize>() > MAX_OWN {
        return None;
    }
    let mut out = Vec::new();
    varint::push(&mut out, old.len() as u64);
    let (mut writer, mut models) = (Writer::new(out), Models::new(next));
    let (mut at, mut end) = (0, 0);
    for Part { own, from, copied } in parts {
        models.own.pass(&mut writer, number(own));
        for byte in &old[at..at + own] {
            models.bytes.pass(&mut writer, *byte);
        }
        at += own;
        if at < old.len() {
            models.pass_place(&mut writer, from, end + own);
            models.copied.pass(&mut writer, number(copied));
            (at, end) = (at + copied, from + copied);
        }
    }
    Some(writer.finish())
}

/// Reads the old version back; None if the bytes are damaged, are of another text, or stand for more than the limit.
pub(crate) fn decode(mut bytes: &[u8], next: &[u8], limit: usize) -> Option<Vec<u8>> {
    let size = varint::take_size(&mut bytes).filter(|size| *size <= limit.min(MAX_TEXT))?;
    let (mut reader, mut models) = (Reader::new(bytes), Models::new(next));
    let (mut old, mut end) = (Vec::with_capacity(size), 0);
    while old.len() < size {
        let own = models.own.pass(&mut reader, 0) as usize;
        if own > size - old.len() {
            return None;
        }
        old.extend((0..own).map(|_| models.bytes.pass(&mut reader, 0)));
        if old.len() < size {
            let from = models.pass_place(&mut reader, 0, end + own)?;
            let copied = models.copied.pass(&mut reader, 0) as usize;
            if copied == 0 || copied > size - old.len() {
                return None;
            }
            match next.get(from..from + copied) {
                Some(copy) => old.extend_from_slice(copy),
                None => (from..from + copied).try_for_each(|place| {
                    let byte = next.get(place).or_else(|| old.get(place - next.len())).copied()?;
                    old.push(byte);
                    Some(())
                })?,
            }
            end = from + copied;
        }
    }
    Some(old)
}

/// How many bytes from two places on are the same, the second of which is the later.
fn same(text: &[u8], one: usize, other: usize) -> usize {
    let (one, other) = (&text[one..], &text[other..]);
    let (ones, others) = (one.as_chunks::<8>().0, other.as_chunks::<8>().0);
    let whole = ones.iter().zip(others).take_while(|(one, other)| one == other).count() * 8;
    whole + one[whole..].iter().zip(&other[whole..]).take_while(|(one, other)| one == other).count()
}

/// The places of a text by the bytes that begin there.
struct Places {
    /// The last place with a hash, and for each place the one before it with the same; 0 for none, else one more.
    last: Vec<u32>,
    before: Vec<u32>,
}

impl Places {
    fn hash(bytes: &[u8]) -> Option<usize> {
        let first: [u8; SHORTEST_ELSEWHERE] = *bytes.first_chunk()?;
        Some((u64::from_le_bytes(first).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - HASH_BITS)) as usize)
    }

    fn add(&mut self, text: &[u8], place: usize) {
        if let Some(hash) = Self::hash(&text[place..]) {
            self.before[place] = self.last[hash];
            self.last[hash] = number(place + 1);
        }
    }

    /// Places before one that begin with its bytes, the latest first.
    fn of(&self, text: &[u8], place: usize) -> impl Iterator<Item = usize> {
        let first = Self::hash(&text[place..]).map_or(0, |hash| self.last[hash]);
        let mut next = first as usize;
        std::iter::from_fn(move || {
            let found = next.checked_sub(1)?;
            next = self.before[found] as usize;
            Some(found)
        })
    }
}

/// Finds the copies of a text: at each place the longest, and of those the one nearest to where the last one goes on.
fn parts(old: &[u8], next: &[u8]) -> Vec<Part> {
    let text = [next, old].concat();
    let mut places = Places { last: vec![0; 1 << HASH_BITS], before: vec![0; text.len()] };
    (0..next.len()).for_each(|place| places.add(&text, place));
    let (mut parts, mut at, mut own_from, mut end) = (Vec::new(), next.len(), next.len(), 0);
    while at < text.len() {
        // Where the bytes behind the last copy were replaced by as many.
        let expected = end + (at - own_from);
        let goes_on = if expected < next.len() { same(&text, expected, at).min(next.len() - expected) } else { 0 };
        let elsewhere = places.of(&text, at).take(MAX_PLACES).map(|from| (from, same(&text, from, at)));
        let elsewhere = elsewhere
            .filter(|(_, length)| *length >= SHORTEST_ELSEWHERE)
            .max_by_key(|(from, length)| (*length, Reverse(from.abs_diff(expected))));
        let found = match elsewhere {
            Some((from, length)) if length > goes_on + SHORTEST => Some((from, length)),
            _ => (goes_on >= SHORTEST).then_some((expected, goes_on)),
        };
        let Some((from, length)) = found else {
            places.add(&text, at);
            at += 1;
            continue;
        };
        let earlier =
            (0..(at - own_from).min(from)).take_while(|back| text[from - back - 1] == text[at - back - 1]).count();
        parts.push(Part { own: at - earlier - own_from, from: from - earlier, copied: length + earlier });
        (at, end) = (at + length, from + length);
        own_from = at;
    }
    if own_from < text.len() {
        parts.push(Part { own: text.len() - own_from, from: 0, copied: 0 });
    }
    parts
}

#[cfg(test)]
mod tests;
