//! The fields of one CSV row as Go's `encoding/csv` writes it.

use std::ops::Range;

/// One field: where it stands in the text, without its quotes.
///
/// 32 bits do for rows of up to 4 MiB, and rows that are split are what takes most of the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    start: u32,
    end: u32,
}

impl Field {
    #[inline]
    fn new(start: usize, end: usize) -> Self {
        Field { start: start as u32, end: end as u32 }
    }

    /// Its bytes in the text that was split, or in the one without doubled quotes.
    #[inline]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What a text begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// A whole row of so many bytes, its line break included.
    Row {
        /// Bytes of the row.
        length: usize,
        /// Line breaks in it: one, and those inside of quotes.
        lines: u64,
        /// True when some field has doubled quotes.
        has_doubled_quotes: bool,
    },
    /// Part of a row.
    Incomplete,
    /// Something that Go does not write: a quote inside a field, a carriage return.
    Odd,
}

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const HIGH: u64 = ONES << 7;

/// A bit (the highest of its byte) for each of eight bytes that is not above `,`: the four special ones are among them.
#[inline]
fn low_bytes(word: u64) -> u64 {
    let above = (word | HIGH) - ONES * (b',' as u64 + 1);
    !above & !word & HIGH
}

/// A bit (the highest of its byte) for each of eight bytes that is `,`.
#[inline]
fn commas(word: u64) -> u64 {
    let others = word ^ (ONES * b',' as u64);
    !(((others & !HIGH) + !HIGH) | others) & HIGH
}

/// The fields of a row without the doubling of quotes, one behind the other; the fields then tell where they stand there.
pub fn unquoted(row: &str, fields: &mut [Field]) -> Option<String> {
    let mut all = String::with_capacity(row.len());
    for field in fields {
        let (text, start) = (row.get(field.range())?, all.len());
        // a field without quotes around it has none inside either
        match text.contains('"') {
            true => all.push_str(&text.replace("\"\"", "\"")),
            false => all.push_str(text),
        }
        *field = Field::new(start, all.len());
    }
    Some(all)
}

/// Splits the row a text begins with into its fields.
pub fn split(text: &[u8], fields: &mut Vec<Field>) -> Split {
    fields.clear();
    let (mut start, mut lines, mut doubled) = (0, 1, false);
    loop {
        // at the first byte of a field
        if text.get(start) == Some(&b'"') {
            let Some(quoted) = quoted(text, start + 1) else { return Split::Incomplete };
            lines += quoted.lines;
            doubled |= quoted.has_doubled_quotes;
            fields.push(Field::new(start + 1, quoted.end));
            match text.get(quoted.end + 1) {
                Some(b',') => start = quoted.end + 2,
                Some(b'\n') => {
                    return Split::Row { length: quoted.end + 2, lines, has_doubled_quotes: doubled };
                }
                Some(_) => return Split::Odd,
                None => return Split::Incomplete,
            }
            continue;
        }
        match plain(text, start, fields) {
            Plain::Quote(at) => start = at,
            Plain::End(length) => return Split::Row { length, lines, has_doubled_quotes: doubled },
            Plain::Incomplete => return Split::Incomplete,
            Plain::Odd => return Split::Odd,
        }
    }
}

enum Plain {
    /// A quoted field begins here.
    Quote(usize),
    /// The row ends before this byte.
    End(usize),
    Incomplete,
    Odd,
}

/// Fields without quotes, from the first byte of one on.
fn plain(text: &[u8], mut start: usize, fields: &mut Vec<Field>) -> Plain {
    let mut base = start;
    let Some(rest) = text.get(start..) else { return Plain::Incomplete };
    let (words, tail) = rest.as_chunks::<8>();
    let last = last_word(tail);
    for word in words.iter().chain([&last]) {
        let bytes = u64::from_le_bytes(*word);
        let low = low_bytes(bytes);
        if low == 0 {
            base += 8;
            continue;
        }
        let mut separators = commas(bytes);
        let mut others = low ^ separators;
        let mut end = None;
        while others != 0 && end.is_none() {
            let bit = others.trailing_zeros();
            others &= others - 1;
            let at = base + (bit / 8) as usize;
            match word.get((bit / 8) as usize) {
                Some(b'\n') => {
                    separators &= (1 << bit) - 1;
                    end = Some(at);
                }
                Some(b'"' | b'\r') => {
                    let before = push_fields(separators & ((1 << bit) - 1), base, start, fields);
                    let opens_a_field = at == before && word.get((bit / 8) as usize) == Some(&b'"');
                    return if opens_a_field { Plain::Quote(at) } else { Plain::Odd };
                }
                _ => {}
            }
        }
        start = push_fields(separators, base, start, fields);
        if let Some(end) = end {
            fields.push(Field::new(start, end));
            return Plain::End(end + 1);
        }
        base += 8;
    }
    Plain::Incomplete
}

/// Pushes the fields that end in a word, given the bits of its commas; returns where the next one starts.
#[inline]
fn push_fields(mut commas: u64, base: usize, mut start: usize, fields: &mut Vec<Field>) -> usize {
    while commas != 0 {
        let end = base + (commas.trailing_zeros() / 8) as usize;
        commas &= commas - 1;
        fields.push(Field::new(start, end));
        start = end + 1;
    }
    start
}

/// Where a field without quotes ends that begins a text; `None` when it does not, or holds what no such field has. A byte that
/// is neither `,` nor a line break says that the field has quotes.
#[inline]
pub fn end_of_plain(text: &[u8]) -> Option<usize> {
    let end = memchr::memchr3(b',', b'\n', b'"', text)?;
    let odd = text.get(..end)?.iter().fold(false, |found, byte| found | (*byte == b'\r'));
    (!odd).then_some(end)
}

/// The last bytes of a text, filled up with bytes that are not special.
fn last_word(tail: &[u8]) -> [u8; 8] {
    let mut word = [b'x'; 8];
    word.iter_mut().zip(tail).for_each(|(to, from)| *to = *from);
    word
}

struct Quoted {
    /// Where its closing quote stands.
    end: usize,
    lines: u64,
    has_doubled_quotes: bool,
}

/// A field whose opening quote stands before `start`; `None` when it does not end in this text.
fn quoted(text: &[u8], start: usize) -> Option<Quoted> {
    let (mut at, mut has_doubled_quotes) = (start, false);
    let end = loop {
        let quote = at + memchr::memchr(b'"', text.get(at..)?)?;
        if text.get(quote + 1) != Some(&b'"') {
            break quote;
        }
        has_doubled_quotes = true;
        at = quote + 2;
    };
    let lines = memchr::memchr_iter(b'\n', text.get(start..end)?).count() as u64;
    Some(Quoted { end, lines, has_doubled_quotes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Option<Vec<&str>> {
        let mut fields = Vec::new();
        match split(text.as_bytes(), &mut fields) {
            Split::Row { .. } => Some(fields.iter().map(|f| &text[f.range()]).collect()),
            _ => None,
        }
    }

    #[test]
    fn fields_are_what_a_csv_parser_makes_of_them() {
        for row in [
            "\n",
            ",\n",
            "a\n",
            "a,b\n",
            ",,,,,,,,,,,,,\n",
            "a,\"b,c\",d\n",
            "\"\",\"\"\n",
            "\"a\nb\",c\n",
            "longer than eight bytes,and another one,!#%&'()*+ low ones\n",
            "\"q\"\n",
            "a,\"x\ny\n\"\n",
            "ä,ö,\u{1f600}\n",
        ] {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(row.as_bytes());
            let record =
                reader.records().next().map_or(vec![String::new()], |r| r.unwrap().iter().map(str::to_owned).collect());
            assert_eq!(fields(row).unwrap(), record, "{row:?}");
        }
    }

    #[test]
    fn a_row_ends_where_its_line_break_is_not_quoted() {
        let mut fields = Vec::new();
        let split = |text: &str, fields: &mut Vec<Field>| super::split(text.as_bytes(), fields);
        assert_eq!(
            split("a,\"b\nc\"\nd\n", &mut fields),
            Split::Row { length: 8, lines: 2, has_doubled_quotes: false }
        );
        assert_eq!(
            split("\"a \"\"b\"\"\"\nx", &mut fields),
            Split::Row { length: 10, lines: 1, has_doubled_quotes: true }
        );
        for text in ["", "a", "a,b", "\"a", "\"a\"", "\"a\n", "12345678", "\"a\"\""] {
            assert_eq!(split(text, &mut fields), Split::Incomplete, "{text:?}");
        }
    }

    #[test]
    fn what_go_does_not_write_is_odd() {
        for text in ["a\"b\n", "\"a\"b\n", "a\r\n", "a,b\"\n"] {
            assert_eq!(split(text.as_bytes(), &mut Vec::new()), Split::Odd, "{text:?}");
        }
    }
}
