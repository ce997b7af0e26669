//! Bits in as few bytes as their probabilities allow: an arithmetic coder, and what learns the probabilities.
//!
//! What must hold: the reader makes the same numbers of what it has read as the writer did of what it wrote, on every
//! machine. All of it is whole numbers, and the order in which models are told of bits is part of the format.

/// How many bits a probability has.
const PRECISION: u32 = 16;
/// What a model has seen is halved when it is so much, so that it follows what changes.
const MAX_SEEN: u32 = 1 << 12;
/// By one of so many parts of the rest, as a power of two, the probability of a byte moves towards what came.
const RATE: u32 = 7;
/// How many of the bits below the highest one of a number are learned; those below them are as good as random.
const LEARNED: u32 = 5;
/// How many lengths of numbers there are, in bits.
const LENGTHS: usize = 32;

/// How often a bit was set, and how often it was not.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bit {
    clear: u32,
    set: u32,
}

impl Bit {
    /// The probability that it is set, as a part of 2^16; never 0 or all of it.
    fn probability(self) -> u32 {
        let part = ((2 * self.set + 1) << PRECISION) / (2 * (self.set + self.clear) + 2);
        part.clamp(1, (1 << PRECISION) - 1)
    }

    fn learn(&mut self, bit: bool) {
        match bit {
            true => self.set += 1,
            false => self.clear += 1,
        }
        if self.set + self.clear >= MAX_SEEN {
            (self.set, self.clear) = (self.set.div_ceil(2), self.clear.div_ceil(2));
        }
    }
}

/// What passes bits on: the writer encodes those that it is given, the reader gives those that it decodes.
pub(crate) trait Coder {
    /// Passes a bit that is set with this probability on. A reader looks at no `bit`.
    fn pass(&mut self, bit: bool, probability: u32) -> bool;

    /// Passes a bit on that a model knows of.
    fn pass_learned(&mut self, bit: bool, model: &mut Bit) -> bool {
        let bit = self.pass(bit, model.probability());
        model.learn(bit);
        bit
    }
}

/// The numbers between which all that goes on as what was written so far lies.
#[derive(Clone, Copy)]
struct Between {
    low: u32,
    high: u32,
}

impl Between {
    const ALL: Self = Self { low: 0, high: u32::MAX };

    /// Up to this number the next bit is set.
    fn middle(self, probability: u32) -> u32 {
        let part = (u64::from(self.high - self.low) * u64::from(probability)) >> PRECISION;
        self.low + part as u32
    }

    /// Which bit comes is seldom known, so that nothing branches on it.
    fn narrow(&mut self, bit: bool, middle: u32) {
        self.high = if bit { middle } else { self.high };
        self.low = if bit { self.low } else { middle + 1 };
    }

    /// Takes off the first byte, if all numbers between these have it.
    fn take_byte(&mut self) -> Option<u8> {
        if (self.low ^ self.high) >> 24 != 0 {
            return None;
        }
        let byte = (self.high >> 24) as u8;
        (self.low, self.high) = (self.low << 8, self.high << 8 | 0xff);
        Some(byte)
    }
}

/// Encodes bits.
pub(crate) struct Writer {
    between: Between,
    out: Vec<u8>,
}

impl Writer {
    /// One that writes behind these bytes.
    pub(crate) fn new(out: Vec<u8>) -> Self {
        Self { between: Between::ALL, out }
    }

    /// The bytes. Behind them the reader reads zeros, which are left out.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let Between { low, high } = self.between;
        // The number between the two with the fewest bytes.
        let bits =
            [32, 24, 16, 8].into_iter().find(|bits| u64::from(high) >> bits << bits >= u64::from(low)).unwrap_or(0);
        let number = u64::from(high) >> bits << bits;
        self.out.extend((0..4).map(|byte| (number >> (24 - 8 * byte)) as u8).take(4 - bits / 8));
        self.out
    }
}

impl Coder for Writer {
    fn pass(&mut self, bit: bool, probability: u32) -> bool {
        self.between.narrow(bit, self.between.middle(probability));
        while let Some(byte) = self.between.take_byte() {
            self.out.push(byte);
        }
        bit
    }
}

/// Decodes bits. Of bytes that no writer wrote it makes some bits or other, without an end.
pub(crate) struct Reader<'a> {
    between: Between,
    number: u32,
    rest: std::slice::Iter<'a, u8>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut reader = Self { between: Between::ALL, number: 0, rest: bytes.iter() };
        (0..4).for_each(|_| reader.next_byte());
        reader
    }

    fn next_byte(&mut self) {
        self.number = self.number << 8 | u32::from(self.rest.next().copied().unwrap_or_default());
    }
}

impl Coder for Reader<'_> {
    fn pass(&mut self, _: bool, probability: u32) -> bool {
        let middle = self.between.middle(probability);
        let bit = self.number <= middle;
        self.between.narrow(bit, middle);
        while self.between.take_byte().is_some() {
            self.next_byte();
        }
        bit
    }
}

/// Bytes by how often each was seen.
pub(crate) struct Bytes {
    /// For the first bits of a byte behind a 1, the probability that the next is set.
    set: [u32; 256],
}

impl Bytes {
    /// One that expects bytes as they are in a text of less than 16 MiB.
    pub(crate) fn of(text: &[u8]) -> Self {
        let mut counts = [0_u32; 512];
        text.iter().for_each(|byte| counts[256 + usize::from(*byte)] += 1);
        for node in (1..256).rev() {
            counts[node] = counts[2 * node] + counts[2 * node + 1];
        }
        let mut set = [0; 256];
        for (node, set) in set.iter_mut().enumerate().skip(1) {
            let (clear, ones) = (counts[2 * node], counts[2 * node + 1]);
            // Few of many are kept apart from none.
            let scale = counts[node] / MAX_SEEN + 1;
            *set = match (counts[node], scale) {
                (0, _) => 1 << (PRECISION - 1),
                (_, 1) => Bit { clear, set: ones }.probability(),
                _ => Bit { clear: clear.div_ceil(scale), set: ones.div_ceil(scale) }.probability(),
            };
        }
        Self { set }
    }

    pub(crate) fn pass(&mut self, coder: &mut impl Coder, byte: u8) -> u8 {
        let (mut node, mut set) = (1, self.set[1]);
        for shift in (0..8).rev() {
            // Read before it is known which of the two comes.
            let [clear_next, set_next] = [2 * node, 2 * node + 1].map(|next| self.set[next & 0xff]);
            let bit = coder.pass(byte >> shift & 1 == 1, set);
            // It stays between 1 and 2^16 - 1: what is left of it is not divided below 1.
            let (up, down) = (set + (((1 << PRECISION) - set) >> RATE), set - (set >> RATE));
            self.set[node & 0xff] = if bit { up } else { down };
            node = node << 1 | usize::from(bit);
            set = if bit { set_next } else { clear_next };
        }
        node as u8
    }
}

/// Numbers below 2^31, of which those of the same length in bits as the last ones are short.
#[derive(Default)]
pub(crate) struct Numbers {
    lengths: [Bit; LENGTHS],
    /// For each length that came, the bits below the highest one, behind a 1.
    below: [Option<Box<[Bit; 1 << LEARNED]>>; LENGTHS],
}

impl Numbers {
    pub(crate) fn pass(&mut self, coder: &mut impl Coder, number: u32) -> u32 {
        let (above, mut node) = (u64::from(number) + 1, 1);
        for shift in (0..LENGTHS.ilog2()).rev() {
            let bit = coder.pass_learned(above.ilog2() >> shift & 1 == 1, &mut self.lengths[node]);
            node = node << 1 | usize::from(bit);
        }
        let (length, mut read) = (node - LENGTHS, 1_u64);
        let below = self.below[length].get_or_insert_default();
        for shift in (0..length).rev() {
            let bit = above >> shift & 1 == 1;
            let bit = match below.get_mut(read as usize) {
                Some(model) => coder.pass_learned(bit, model),
                None => coder.pass(bit, 1 << (PRECISION - 1)),
            };
            read = read << 1 | u64::from(bit);
        }
        u32::try_from(read - 1).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bytes_of_64_letters_take_six_bits_each_and_equal_numbers_next_to_none() {
        let letters: Vec<u8> = (0..2048_u32).map(|number| b'0' + (number * 37 % 64) as u8).collect();
        let (mut writer, mut bytes) = (Writer::new(Vec::new()), Bytes::of(&letters));
        for byte in &letters[..200] {
            bytes.pass(&mut writer, *byte);
        }
        let letters = writer.finish().len();
        assert!((149..=152).contains(&letters), "{letters} bytes");
        let (mut writer, mut numbers) = (Writer::new(Vec::new()), Numbers::default());
        for _ in 0..200 {
            numbers.pass(&mut writer, 21);
        }
        let numbers = writer.finish().len();
        assert!(numbers < 8, "{numbers} bytes");
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(
            known in proptest::collection::vec(any::<u8>(), 0..9000),
            written in proptest::collection::vec((any::<u8>(), 0..u32::MAX / 2, 0..300_u32), 0..300),
        ) {
            let (mut bytes, mut numbers) = (Bytes::of(&known), Numbers::default());
            let mut writer = Writer::new(Vec::new());
            for (byte, large, small) in &written {
                bytes.pass(&mut writer, *byte);
                numbers.pass(&mut writer, *large);
                numbers.pass(&mut writer, *small);
            }
            let stored = writer.finish();
            let (mut bytes, mut numbers, mut reader) = (Bytes::of(&known), Numbers::default(), Reader::new(&stored));
            for (byte, large, small) in &written {
                prop_assert_eq!(bytes.pass(&mut reader, 0), *byte);
                prop_assert_eq!(numbers.pass(&mut reader, 0), *large);
                prop_assert_eq!(numbers.pass(&mut reader, 0), *small);
            }
        }
    }
}
