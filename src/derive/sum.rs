//! Sums of floating-point values that do not depend on the order of the values.

/// Bits of a value's exponent that one bin covers.
const STEP: u32 = 32;

/// Enough bins for every finite value.
const BINS: usize = 2048 / STEP as usize;

/// Whole numbers below this are exact in an `f64`.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// An exact sum: the same values give the same bits, in whatever order and in however many parts they were added.
///
/// Every value is an integer times a power of two. Whole numbers are summed as they are; the others in bins of 32 exponents
/// each, as in Malcolm's method (Communications of the ACM 14/11, 1971), each bin with room for 2^42 values.
#[derive(Debug, Clone, Default)]
pub struct ExactSum {
    whole: i128,
    bins: Option<Box<[i128; BINS]>>,
}

impl ExactSum {
    /// Adds one value, which must be finite.
    #[inline]
    pub fn add(&mut self, value: f64) {
        let whole = value as i64;
        match value.abs() < WHOLE && value == whole as f64 {
            true => self.whole += i128::from(whole),
            false => self.add_part(value),
        }
    }

    fn add_part(&mut self, value: f64) {
        let bits = value.to_bits();
        let exponent = ((bits >> 52) & 0x7ff) as u32;
        let fraction = (bits & ((1 << 52) - 1)) as i128;
        // subnormal numbers have the exponent of the smallest normal ones, without the implied bit
        let mantissa = if exponent == 0 { fraction } else { fraction | (1 << 52) };
        let exponent = exponent.max(1);
        let signed = if value.is_sign_negative() { -mantissa } else { mantissa };
        let bins = self.bins.get_or_insert_with(|| Box::new([0; BINS]));
        if let Some(bin) = bins.get_mut((exponent / STEP) as usize) {
            *bin += signed << (exponent % STEP);
        }
    }

    /// Adds what another sum holds.
    pub fn merge(&mut self, other: &ExactSum) {
        self.whole += other.whole;
        if let Some(theirs) = &other.bins {
            let mine = self.bins.get_or_insert_with(|| Box::new([0; BINS]));
            mine.iter_mut().zip(theirs.iter()).for_each(|(mine, theirs)| *mine += theirs);
        }
    }

    /// The sum as the nearest `f64`, give or take one unit in the last place.
    pub fn value(&self) -> f64 {
        let bins = self.bins.iter().flat_map(|bins| bins.iter().enumerate().rev()).filter(|(_, bin)| **bin != 0);
        // exponents are biased by 1023, and the mantissa is an integer of 52 bits
        let parts: f64 = bins.map(|(index, bin)| scaled(*bin as f64, index as i32 * STEP as i32 - 1023 - 52)).sum();
        self.whole as f64 + parts
    }
}

/// Times a power of two, in two steps: the smallest powers are no numbers themselves.
fn scaled(value: f64, exponent: i32) -> f64 {
    value * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum_of(values: &[f64]) -> ExactSum {
        let mut sum = ExactSum::default();
        values.iter().for_each(|value| {
            sum.add(*value);
        });
        sum
    }

    #[test]
    fn the_order_of_values_changes_no_bit() {
        let mut values: Vec<f64> = (1..2000).map(|n| 1.0 / f64::from(n) * 1000.0 - 3.0).collect();
        values.extend([1e15, -1e15, 9.5e-5, 0.1, 60_002.882884, 5e-324]);
        let sum = sum_of(&values).value();
        values.reverse();
        assert_eq!(sum_of(&values).value().to_bits(), sum.to_bits());
        let (a, b) = values.split_at(700);
        let mut parts = sum_of(b);
        parts.merge(&sum_of(a));
        assert_eq!(parts.value().to_bits(), sum.to_bits());
    }

    #[test]
    fn nothing_is_lost_between_large_and_small_values() {
        // Python: math.fsum([1e15, 0.1, -1e15, 0.25]) == 0.35
        assert_eq!(sum_of(&[1e15, 0.1, -1e15, 0.25]).value(), 0.35);
        assert_eq!(sum_of(&[0.1; 10]).value(), 1.0);
        assert_eq!(sum_of(&[1.0, 2.0, 3.0]).value(), 6.0);
        assert_eq!(ExactSum::default().value(), 0.0);
        assert_eq!(sum_of(&[-2.5, 0.5]).value(), -2.0);
        assert_eq!(sum_of(&[5e-324, 5e-324]).value(), 1e-323);
        assert_eq!(sum_of(&[1.7e308]).value(), 1.7e308);
    }
}
