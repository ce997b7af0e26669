//! Numbers in as few bytes as they need: seven bits a byte, the lowest first, and a high bit where more follow.

/// Appends a number.
pub(crate) fn push(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push((number as u8 & 0x7f) | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number off the front; None if there is none that fits.
pub(crate) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        let low = u64::from(first & 0x7f);
        if shift == 63 && low > 1 {
            return None;
        }
        number |= low << shift;
        if first & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Takes a number that counts bytes off the front.
pub(crate) fn take_size(bytes: &mut &[u8]) -> Option<usize> {
    take(bytes)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_read_back_and_what_is_cut_off_is_not() {
        for number in [0, 1, 127, 128, 300, 1 << 21, u64::MAX] {
            let mut out = Vec::new();
            push(&mut out, number);
            assert_eq!(take(&mut out.as_slice()), Some(number));
            assert_eq!(take(&mut &out[..out.len() - 1]), None);
        }
        assert_eq!(take(&mut [0xff; 10].as_slice()), None);
    }
}
