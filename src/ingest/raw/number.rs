//! Decimal numbers as k6 writes them, without going through a full parser.

/// Digits that fit an `f64` exactly.
const EXACT_DIGITS: usize = 15;

const POWERS: [f64; EXACT_DIGITS + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// Reads a number like `0.123456`, `-3.5` or `60000` at the beginning of a text: its value, and what follows it.
///
/// The value is correctly rounded: up to 15 digits and a power of ten up to 10^15 are exact, and so one division rounds once.
/// `None` for any other way of writing a number (`1e5`, `.5`, `5.`, more digits), for which there are full parsers.
#[inline]
pub fn decimal(text: &[u8]) -> Option<(f64, &[u8])> {
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
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
    let value = number as f64 / POWERS.get(decimals)?;
    Some((if negative { -value } else { value }, rest))
}

#[inline]
fn digits_after(whole: u64, text: &[u8]) -> Option<(u64, usize, &[u8])> {
    let (number, decimals, rest) = digits(whole, text);
    (decimals > 0).then_some((number, decimals, rest))
}

/// Appends the digits at the beginning of a text to a number; more than 15 overflow to nonsense, which the caller refuses.
#[inline]
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
    use super::decimal;

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
    fn what_follows_a_number_is_given_back() {
        assert_eq!(decimal(b"12.5,x"), Some((12.5, &b",x"[..])));
        assert_eq!(decimal(b"12e5"), Some((12.0, &b"e5"[..])));
    }

    #[test]
    fn other_ways_of_writing_a_number_are_left_to_a_full_parser() {
        for text in ["", "-", ".5", "5.", "+1", "Inf", "1234567890123456", "0.1234567890123456", "1.2.3x"] {
            let left = decimal(text.as_bytes()).is_none_or(|(_, rest)| !rest.is_empty());
            assert!(left, "{text}");
        }
    }
}
