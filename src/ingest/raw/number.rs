//! Decimal numbers as k6 writes them, without going through a full parser.

/// Digits that fit an `f64` exactly.
const EXACT_DIGITS: usize = 15;

const POWERS: [f64; EXACT_DIGITS + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

const WHOLE_POWERS: [u64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// Reads a number like `0.123456`, `-3.5` or `60000` at the beginning of a text: its value, and what follows it.
///
/// The value is correctly rounded: up to 15 digits and a power of ten up to 10^15 are exact, and so one division rounds once.
/// `None` for any other way of writing a number (`1e5`, `.5`, `5.`, more digits), for which there are full parsers.
#[inline(always)]
pub fn decimal(text: &[u8]) -> Option<(f64, &[u8])> {
    match zero_or_one(text) {
        Some(read) => Some(read),
        None => match short(text) {
            Some(read) => Some(read),
            None => any(text),
        },
    }
}

/// What follows the number at the beginning of a text, for whoever does not need its value; `None` where [`decimal`] has none.
#[inline(always)]
pub fn after_decimal(text: &[u8]) -> Option<&[u8]> {
    match after_small(text).or_else(|| after_short(text)) {
        Some(rest) => Some(rest),
        None => any(text).map(|(_, rest)| rest),
    }
}

/// The number that a text of digits is; `None` when something else is among them. More than 19 of them may overflow.
#[inline]
pub fn whole(text: &[u8]) -> Option<u64> {
    let (words, rest) = text.as_chunks::<8>();
    let mut number = 0u64;
    for word in words {
        let values = u64::from_le_bytes(*word) ^ ZEROS;
        if (values | values.wrapping_add(SIXES)) & HIGH_HALVES != 0 {
            return None;
        }
        number = number.wrapping_mul(100_000_000).wrapping_add(number_of(values));
    }
    for byte in rest {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit <= 9)?;
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
    }
    Some(number)
}

/// A number of any length, with or without a sign.
#[cold]
#[inline(never)]
fn any(text: &[u8]) -> Option<(f64, &[u8])> {
    match text {
        [b'-', rest @ ..] => any_length(rest).map(|(value, rest)| (-value, rest)),
        _ => any_length(text),
    }
}

/// Half of all numbers in CSV output: counters, rates and connections that were open already.
#[inline(always)]
fn zero_or_one(text: &[u8]) -> Option<(f64, &[u8])> {
    let (number, rest) = text.split_first_chunk::<8>()?;
    let is = |one: &[u8; 8]| u64::from_ne_bytes(*number) == u64::from_ne_bytes(*one);
    let value = if is(b"1.000000") {
        1.0
    } else if is(b"0.000000") {
        0.0
    } else {
        return None;
    };
    (!rest.first()?.is_ascii_digit()).then_some((value, rest))
}

/// What follows a number of one digit and six decimals, like most times of k6 but those of a whole request.
#[inline(always)]
fn after_small(text: &[u8]) -> Option<&[u8]> {
    let (number, rest) = text.split_first_chunk::<8>()?;
    let values = u64::from_ne_bytes(*number) ^ u64::from_ne_bytes(*b"0.000000");
    // as in `word_of_digits`; the point has to be one
    let others = (values | values.wrapping_add(u64::from_ne_bytes([6, 15, 6, 6, 6, 6, 6, 6]))) & HIGH_HALVES;
    (others == 0 && !rest.first()?.is_ascii_digit()).then_some(rest)
}

#[inline(always)]
fn after_short(text: &[u8]) -> Option<&[u8]> {
    let (_, rest) = word_of_digits(text)?;
    let [b'.', rest @ ..] = rest else { return Some(rest) };
    word_of_digits(rest).map(|(_, after)| after)
}

/// At most seven digits before and after the point, which is nearly every number: each part is read as one word. Fourteen
/// digits fit an `i64`, which processors turn into an `f64` in one instruction.
#[inline(always)]
fn short(text: &[u8]) -> Option<(f64, &[u8])> {
    let (whole, rest) = word_of_digits(text)?;
    let [b'.', rest @ ..] = rest else { return Some((whole as i64 as f64, rest)) };
    let (fraction, after) = word_of_digits(rest)?;
    let (scale, divisor) = (WHOLE_POWERS.get(rest.len() - after.len())?, POWERS.get(rest.len() - after.len())?);
    Some(((whole * scale + fraction) as i64 as f64 / divisor, after))
}

/// The one to seven digits at the beginning of a text; `None` when there are none or more, or hardly anything follows.
#[inline(always)]
fn word_of_digits(text: &[u8]) -> Option<(u64, &[u8])> {
    let word = u64::from_le_bytes(*text.first_chunk::<8>()?);
    let values = word ^ ZEROS;
    // the high half of a byte is not zero, or becomes so when 6 is added to more than 9
    let others = (values | values.wrapping_add(SIXES)) & HIGH_HALVES;
    let digits = (others.trailing_zeros() / 8) as usize;
    if digits == 0 || digits == 8 {
        return None;
    }
    Some((number_of(values << (8 * (8 - digits))), text.get(digits..)?))
}

const ZEROS: u64 = u64::from_ne_bytes([b'0'; 8]);
const SIXES: u64 = u64::from_ne_bytes([6; 8]);
const HIGH_HALVES: u64 = u64::from_ne_bytes([0xf0; 8]);

/// The number that eight bytes from 0 to 9 are the digits of, the first one in the lowest byte: neighbours are put together
/// to pairs, pairs to fours, fours to eight.
#[inline(always)]
fn number_of(digits: u64) -> u64 {
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff
}

/// Digits one after the other.
fn any_length(text: &[u8]) -> Option<(f64, &[u8])> {
    let (whole, digits, rest) = digits(0, text);
    if digits == 0 {
        return None;
    }
    let (number, decimals, rest) = match rest {
        [b'.', rest @ ..] => digits_after(whole, rest)?,
        _ => (whole, 0, rest),
    };
    if digits + decimals > EXACT_DIGITS {
        return None;
    }
    Some((number as f64 / POWERS.get(decimals)?, rest))
}

fn digits_after(whole: u64, text: &[u8]) -> Option<(u64, usize, &[u8])> {
    let (number, decimals, rest) = digits(whole, text);
    (decimals > 0).then_some((number, decimals, rest))
}

/// Appends the digits at the beginning of a text to a number; more than 15 overflow to nonsense, which the caller refuses.
fn digits(mut number: u64, text: &[u8]) -> (u64, usize, &[u8]) {
    let mut n = 0;
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
        n += 1;
        rest = after;
    }
    (number, n, rest)
}

#[cfg(test)]
mod tests {
    use super::{EXACT_DIGITS, after_decimal, decimal, whole};

    #[test]
    fn numbers_of_k6_are_read_to_the_last_bit() {
        for text in [
            "0.000000",
            "1.000000",
            "2001.125841",
            "60002.882884",
            "-3.500000",
            "0.000095",
            "77.214697",
            "1",
            "0",
            "-0.000000",
            "1000000.5",
            "123456789012345",
            "0.30000000000001",
            "99999999.999999",
        ] {
            let (value, rest) = decimal(text.as_bytes()).unwrap();
            assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
            assert!(rest.is_empty());
        }
    }

    #[test]
    fn whole_numbers_of_any_length_are_read_and_nothing_else_is() {
        for length in 0..=19 {
            let text: String = "9876543210123456789".chars().take(length).collect();
            assert_eq!(whole(text.as_bytes()), text.parse().ok().or(Some(0)), "{text}");
            for (at, other) in (0..length).flat_map(|at| ['/', ':', '.', ' ', 'é'].map(|other| (at, other))) {
                let mut text = text.clone();
                text.replace_range(at..=at, &other.to_string());
                assert_eq!(whole(text.as_bytes()), None, "{text}");
            }
        }
    }

    #[test]
    fn what_follows_a_number_is_given_back() {
        assert_eq!(decimal(b"12.5,x"), Some((12.5, &b",x"[..])));
        assert_eq!(decimal(b"12e5"), Some((12.0, &b"e5"[..])));
    }

    #[test]
    fn every_length_of_both_parts_is_read_to_the_last_bit() {
        for whole in 1..=9 {
            for decimals in 0..=9 {
                for (digit, end) in ["1", "9", "0"]
                    .into_iter()
                    .flat_map(|digit| [(digit, ","), (digit, "/"), (digit, ":"), (digit, "}")])
                {
                    let number = format!("{}{}", digit.repeat(whole), if decimals > 0 { "." } else { "" });
                    let number = format!("{number}{}", digit.repeat(decimals));
                    for after in ["", ",true,,::group"] {
                        let text = format!("{number}{end}{after}");
                        let read = decimal(text.as_bytes()).map(|(value, rest)| (value.to_bits(), rest.to_vec()));
                        let parsed = number.parse::<f64>().unwrap().to_bits();
                        let expected =
                            (whole + decimals <= EXACT_DIGITS).then(|| (parsed, [end, after].concat().into_bytes()));
                        assert_eq!(read, expected, "{text}");
                        let after = after_decimal(text.as_bytes()).map(<[u8]>::to_vec);
                        assert_eq!(after, expected.map(|(_, after)| after), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn other_ways_of_writing_a_number_are_left_to_a_full_parser() {
        for text in ["", "-", ".5", "5.", "+1", "Inf", "1234567890123456", "0.1234567890123456", "1.2.3x"] {
            let left = decimal(text.as_bytes()).is_none_or(|(_, rest)| !rest.is_empty());
            assert!(left, "{text}");
        }
    }
}
