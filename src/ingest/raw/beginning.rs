//! Short texts compared in two steps: no loop, no call, no branch for each byte.

/// A text that others are likely to begin with.
#[derive(Debug)]
pub struct Beginning {
    text: Vec<u8>,
    /// Its first and its last bytes, which overlap when it is shorter than both.
    ends: Ends,
}

#[derive(Debug)]
enum Ends {
    /// Of 8 to 16 bytes.
    Word([u8; 8], [u8; 8]),
    /// Of 17 to 32 bytes.
    Pair([u8; 16], [u8; 16]),
    /// Of any other number.
    Other,
}

impl Beginning {
    /// The beginning that is this text.
    pub fn new(text: &[u8]) -> Self {
        let mut new = Beginning { text: Vec::new(), ends: Ends::Other };
        new.replace(text);
        new
    }

    /// Makes it another text, in the same memory.
    pub fn replace(&mut self, text: &[u8]) {
        self.text.clear();
        self.text.extend_from_slice(text);
        let ends = match text.len() {
            8..=16 => text.first_chunk().zip(text.last_chunk()).map(|(first, last)| Ends::Word(*first, *last)),
            17..=32 => text.first_chunk().zip(text.last_chunk()).map(|(first, last)| Ends::Pair(*first, *last)),
            _ => None,
        };
        self.ends = ends.unwrap_or(Ends::Other);
    }

    /// What follows it in a text that begins with it.
    #[inline(always)]
    pub fn strip<'t>(&self, text: &'t [u8]) -> Option<&'t [u8]> {
        let (head, rest) = text.split_at_checked(self.text.len())?;
        let begins = match &self.ends {
            Ends::Word(first, last) => head.first_chunk() == Some(first) && head.last_chunk() == Some(last),
            Ends::Pair(first, last) => head.first_chunk() == Some(first) && head.last_chunk() == Some(last),
            Ends::Other => head == self.text,
        };
        begins.then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"http_req_tls_handshaking,1754310780,10.283424,,,";

    #[test]
    fn every_length_begins_its_own_text_and_no_other() {
        for length in 1..=TEXT.len() {
            let beginning = Beginning::new(&TEXT[..length]);
            assert_eq!(beginning.strip(TEXT), Some(&TEXT[length..]));
            assert_eq!(beginning.strip(&TEXT[..length]), Some(&b""[..]));
            assert_eq!(beginning.strip(&TEXT[..length - 1]), None);
            for changed in 0..TEXT.len() {
                let mut other = TEXT.to_vec();
                other[changed] ^= 1;
                assert_eq!(beginning.strip(&other).is_some(), changed >= length, "{length} {changed}");
            }
        }
    }
}
