//! Numbers that look random and are the same on every machine.

/// Where every trial starts from: the day of the sweep the first hand-corrected page is about.
pub const SEED: u64 = 20_260_827;

/// SplitMix64 (Steele, Lea and Flood, 2014).
pub struct Rng(u64);

impl Rng {
    /// A generator that always gives the same numbers for the same place.
    pub fn at(place: u64) -> Self {
        Rng(SEED ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// A number below `limit`, which is not zero.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }
}
