//! One version as its difference from the next, or whole.
//!
//! The first byte says how the rest is to be read. What must hold: a difference that is read with another text than the
//! one it was made with is an error, since each ends with a checksum of what it stands for.

use sha2::{Digest as _, Sha256};
use zstd_safe::{CCtx, CParameter, DCtx, DParameter};

use crate::{chunks, edits};

/// The largest text that is compressed with the next as its prefix, in bytes. Beyond it, the compressor does not look far
/// enough back.
pub(crate) const MAX_PREFIX: usize = 1 << 20;
/// The level of compression. Level 1 finds nothing that is more than 64 KiB back.
const LEVEL: i32 = 3;
/// What every frame of zstd begins with, which is not stored.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// How many bytes of a SHA-256 are kept as a checksum, where zstd adds none.
const SUM_BYTES: usize = 4;

const RAW: u8 = 0;
const WHOLE: u8 = 1;
const PREFIXED: u8 = 2;
const CHUNKED: u8 = 3;
const EDITED: u8 = 4;

/// What cannot be read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stored version is damaged, or is not a difference from this text")]
pub struct Damaged;

/// Encodes a version: as its difference from the next, or whole where that is smaller or there is no next.
pub fn encode(old: &[u8], next: Option<&[u8]>) -> Vec<u8> {
    let difference = next.and_then(|next| difference(old, next));
    // A difference that is nearly as large as the text would make it depend on the next for nothing.
    let difference = difference.filter(|(_, bytes)| bytes.len() <= old.len() / 2 + 64);
    let (tag, bytes) = difference
        .or_else(|| compress(old, &[]).filter(|frame| frame.len() < old.len() + SUM_BYTES).map(|frame| (WHOLE, frame)))
        .unwrap_or_else(|| (RAW, with_sum(old.to_vec(), old)));
    let mut out = Vec::with_capacity(bytes.len() + 1);
    out.push(tag);
    out.extend_from_slice(&bytes);
    out
}

/// A version as its difference from the next, and how that is to be read.
fn difference(old: &[u8], next: &[u8]) -> Option<(u8, Vec<u8>)> {
    if let Some(edits) = edits::encode(old, next) {
        return Some((EDITED, with_sum(edits, old)));
    }
    match old.len().max(next.len()) <= MAX_PREFIX {
        true => compress(old, next).map(|frame| (PREFIXED, frame)),
        false => Some((CHUNKED, with_sum(chunks::encode(old, next), old))),
    }
}

/// Encodes a version whole and uncompressed, for where there is no time to compare or compress it.
pub fn encode_uncompressed(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 1 + SUM_BYTES);
    out.push(RAW);
    out.extend_from_slice(text);
    with_sum(out, text)
}

/// Whether a version is stored whole, so that it can be read without the next.
pub fn is_whole(stored: &[u8]) -> bool {
    matches!(stored.first(), Some(&(RAW | WHOLE)))
}

/// Reads a version of at most `limit` bytes back; `next` is the version that follows it, which one that is stored whole
/// does not need.
///
/// # Errors
///
/// Fails if the bytes are damaged, stand for more than the limit, or are a difference from another text.
pub fn decode(stored: &[u8], next: Option<&[u8]>, limit: usize) -> Result<Vec<u8>, Damaged> {
    let (tag, rest) = stored.split_first().ok_or(Damaged)?;
    match (*tag, next) {
        (RAW, _) => checked(rest, |text| Some(text.to_vec()).filter(|text| text.len() <= limit)),
        (WHOLE, _) => decompress(rest, &[], limit),
        (PREFIXED, Some(next)) => decompress(rest, next, limit),
        (EDITED, Some(next)) => checked(rest, |edits| edits::decode(edits, next, limit)),
        (CHUNKED, Some(next)) => checked(rest, |recipe| chunks::decode(recipe, next, limit)),
        _ => Err(Damaged),
    }
}

fn with_sum(mut bytes: Vec<u8>, text: &[u8]) -> Vec<u8> {
    bytes.extend_from_slice(&Sha256::digest(text)[..SUM_BYTES]);
    bytes
}

/// Reads what precedes a checksum, and compares the result with it.
fn checked(bytes: &[u8], read: impl FnOnce(&[u8]) -> Option<Vec<u8>>) -> Result<Vec<u8>, Damaged> {
    let (bytes, sum) = bytes.split_at_checked(bytes.len().wrapping_sub(SUM_BYTES)).ok_or(Damaged)?;
    let text = read(bytes).ok_or(Damaged)?;
    if Sha256::digest(&text)[..SUM_BYTES] != *sum {
        return Err(Damaged);
    }
    Ok(text)
}

/// A frame of zstd without its magic number, with a checksum; None if the compressor cannot be made.
pub(crate) fn compress(text: &[u8], prefix: &[u8]) -> Option<Vec<u8>> {
    let mut context = CCtx::try_create()?;
    context.set_parameter(CParameter::CompressionLevel(LEVEL)).ok()?;
    context.set_parameter(CParameter::ChecksumFlag(true)).ok()?;
    context.set_parameter(CParameter::WindowLog(window_log(text.len() + prefix.len()))).ok()?;
    if !prefix.is_empty() {
        context.ref_prefix(prefix).ok()?;
    }
    let mut frame = Vec::with_capacity(zstd_safe::compress_bound(text.len()));
    context.compress2(&mut frame, text).ok()?;
    frame.get(MAGIC.len()..).map(<[u8]>::to_vec)
}

/// The window that covers so many bytes, as zstd counts it.
fn window_log(bytes: usize) -> u32 {
    bytes.max(1 << 10).next_power_of_two().trailing_zeros().min(27)
}

pub(crate) fn decompress(frame: &[u8], prefix: &[u8], limit: usize) -> Result<Vec<u8>, Damaged> {
    let mut whole = Vec::with_capacity(frame.len() + MAGIC.len());
    whole.extend_from_slice(&MAGIC);
    whole.extend_from_slice(frame);
    let size = zstd_safe::get_frame_content_size(&whole).ok().flatten().ok_or(Damaged)?;
    let size = usize::try_from(size).ok().filter(|size| *size <= limit).ok_or(Damaged)?;
    let mut context = DCtx::try_create().ok_or(Damaged)?;
    context.set_parameter(DParameter::WindowLogMax(27)).map_err(|_| Damaged)?;
    if !prefix.is_empty() {
        context.ref_prefix(prefix).map_err(|_| Damaged)?;
    }
    let mut text = Vec::with_capacity(size);
    context.decompress(&mut text, &whole).map_err(|_| Damaged)?;
    if text.len() == size { Ok(text) } else { Err(Damaged) }
}

#[cfg(test)]
pub(crate) mod tests;
