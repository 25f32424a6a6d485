//! How wide a text may get, so that labels can be placed where no other is.
//!
//! A picture does not know the font it will be shown in. The advance widths here are those of DejaVu Sans, which runs wider
//! than the usual interface fonts (Segoe UI, San Francisco, Roboto, Helvetica): what fits by these fits in those.

/// Part of the font size above the baseline and below it that a line of text takes.
pub(super) const ASCENT: f64 = 0.93;
/// As [`ASCENT`], below the baseline.
pub(super) const DESCENT: f64 = 0.24;

/// Advance widths of the printable ASCII characters, in thousandths of the font size.
const REGULAR: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
    748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
    615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
    337, 636, 838,
];
/// A bold character is at most this much wider.
const BOLD: f64 = 1.24;
/// Letters of other alphabets, and signs such as `µ` and `×`.
const OTHER: f64 = 1.0;
/// Ideographs, emoji and whatever else no width is known of.
const WIDE: f64 = 1.6;
const ELLIPSIS: char = '…';

/// Width of a text in the unit of `size`.
pub(super) fn width(text: &str, size: f64, bold: bool) -> f64 {
    let em: f64 = text.chars().map(advance).sum();
    em * size * if bold { BOLD } else { 1.0 }
}

/// The text cut to a width, with an ellipsis where something is missing.
pub(super) fn fitted(text: &str, size: f64, bold: bool, room: f64) -> String {
    if width(text, size, bold) <= room {
        return text.to_owned();
    }
    let room = room - width("…", size, bold);
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if width(&kept, size, bold) > room {
            kept.pop();
            break;
        }
    }
    kept.truncate(kept.trim_end().len());
    kept.push(ELLIPSIS);
    kept
}

/// The text in lines of a width, broken at spaces; what does not fit into `most` lines is cut off with an ellipsis, as is a word
/// that is wider than a line.
pub(super) fn wrapped(text: &str, size: f64, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let is_last = lines.len() >= most.max(1);
        match lines.last_mut() {
            Some(line) if is_last || width(&format!("{line} {word}"), size, false) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| fitted(line, size, false, room)).collect()
}

/// Width of a character as a fraction of the font size.
fn advance(c: char) -> f64 {
    let ascii = (c as usize).checked_sub(' ' as usize).and_then(|at| REGULAR.get(at));
    match ascii {
        Some(thousandths) => f64::from(*thousandths) / 1000.0,
        None if c == '\u{b5}' => 0.636,
        None if (c as u32) < 0x500 || ('\u{2000}'..'\u{2070}').contains(&c) => OTHER,
        None => WIDE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_table() {
        // D 770, e 615, j 278, a 613 thousandths
        assert!((width("Deja", 10.0, false) - 22.76).abs() < 1e-9);
        assert_eq!(width("", 10.0, true), 0.0);
    }

    #[test]
    fn what_is_too_long_is_cut_and_says_so() {
        assert_eq!(fitted("short", 12.0, false, 100.0), "short");
        let cut = fitted("login_ui_enter_password_duration", 12.0, false, 100.0);
        assert!(cut.starts_with("login_ui") && cut.ends_with('…'), "{cut}");
        assert!(width(&cut, 12.0, false) <= 100.0);
        assert_eq!(fitted("x", 12.0, false, 0.0), "…");
    }

    #[test]
    fn a_long_text_is_broken_at_spaces_and_nothing_of_it_is_lost() {
        let text = "(1) 150 HTTP 503, burst 13:43:19 to 13:44:13, platform error (load balancer)";
        let lines = wrapped(text, 22.0, 400.0, 6);
        assert!(lines.len() >= 2 && lines.iter().all(|line| width(line, 22.0, false) <= 400.0), "{lines:?}");
        assert_eq!(lines.join(" "), text);
        assert_eq!(wrapped("short", 22.0, 400.0, 6), ["short"]);
    }

    #[test]
    fn what_has_no_room_in_the_last_line_or_in_any_is_cut() {
        assert_eq!(
            wrapped("aaaa bbbb cccc", 10.0, 30.0, 2),
            ["aaaa", "bbbb…"].map(|line| fitted(line, 10.0, false, 30.0))
        );
        let word = wrapped(&"w".repeat(40), 10.0, 100.0, 3);
        assert!(word.len() == 1 && word[0].ends_with('…'), "{word:?}");
        assert_eq!(wrapped("a b", 10.0, 1000.0, 0), ["a b"]);
    }
}
