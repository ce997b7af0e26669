//! The page size.
//!
//! What must hold: the first page is small, so that it arrives soon; a page that is too large is halved; after it,
//! pages grow only as far as the last one shows that they fit.

/// The size of the first page, which is smaller so that it arrives sooner.
const FIRST: u64 = 200;
/// The maximum size of a page.
const MAX_PAGE_SIZE: u64 = 2_000;
/// The wanted maximum of bytes of a page.
const BYTES: usize = 8 * 1024 * 1024;

/// The size of the next page.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageSize {
    next: u64,
    /// Where the last page that was too large would have ended.
    suspect_end: u64,
    /// How many bytes a page should have.
    bytes: usize,
}

impl Default for PageSize {
    fn default() -> Self {
        Self { next: FIRST, suspect_end: 0, bytes: BYTES }
    }
}

impl PageSize {
    /// How many assets to request.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Whether pages are smaller than usual.
    pub fn is_reduced(&self) -> bool {
        self.next < FIRST
    }

    /// Sets the maximum number of bytes of a response.
    pub fn limit(&mut self, bytes: usize) {
        self.bytes = self.bytes.min(bytes / 2);
    }

    /// Records that this many assets from this offset on were too large.
    pub fn failed(&mut self, offset: u64, asked: u64) {
        self.suspect_end = offset + asked;
        self.next = (asked / 2).max(1);
    }

    /// Records a page that was read, up to this offset. The asset that made a larger page fail is in its other half, so
    /// that is halved too; after it, the size of pages is estimated from the last one, and grows at most tenfold.
    pub fn read(&mut self, offset: u64, count: u64, length: usize) {
        if offset < self.suspect_end {
            self.next = ((self.suspect_end - offset) / 2).max(1);
            return;
        }
        let each = length as u64 / count.max(1);
        let fitting = self.bytes as u64 / each.max(1);
        self.next = fitting.min(self.next.saturating_mul(10)).clamp(1, MAX_PAGE_SIZE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_a_thousand_small_assets_and_fewer_large_ones() {
        let mut size = PageSize::default();
        size.read(200, 200, 200 * 500);
        assert_eq!(size.next(), MAX_PAGE_SIZE);
        size.read(2_200, 2_000, 2_000 * 80_000);
        assert_eq!(size.next(), 104);
        size.read(2_304, 104, 104 * 500);
        assert_eq!(size.next(), 1_040, "they grow back step by step");
    }

    #[test]
    fn one_large_asset_among_small_ones_is_found_by_bisection() {
        let (mut size, mut offset, mut asked) = (PageSize::default(), 0, Vec::new());
        while offset < 200 {
            let count = size.next();
            asked.push(count);
            if (offset..offset + count).contains(&77) && count > 1 {
                size.failed(offset, count);
            } else {
                offset += count;
                size.read(offset, count, 500 * count as usize);
            }
        }
        assert!(asked.len() <= 16 && asked.last() > Some(&100), "{asked:?}");
    }
}
