//! Lines and columns of a page: both counted from 1, columns in characters.

/// Where the lines of a page begin, for looking up many places.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    page: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Finds the lines of a page. A byte order mark takes no column.
    pub fn of(page: &'a str) -> Self {
        let first = page.len() - page.trim_start_matches('\u{feff}').len();
        let further = page.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Lines { page, starts: std::iter::once(first).chain(further).collect() }
    }

    /// Line and column of a byte; the page's end for a byte beyond it.
    pub fn position(&self, at: usize) -> (u64, u64) {
        let at = at.min(self.page.len());
        let line = self.starts.partition_point(|start| *start <= at).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or_default();
        let before = self.page.get(start..at).unwrap_or_default();
        (line as u64, before.chars().count() as u64 + 1)
    }
}

/// Line and column of a single byte.
pub fn position(page: &str, at: usize) -> (u64, u64) {
    Lines::of(page).position(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        for (page, at, place) in [
            ("äb\ncd", 0, (1, 1)),
            ("äb\ncd", 2, (1, 2)),
            ("äb\ncd", 5, (2, 2)),
            ("ab\r\ncd", 4, (2, 1)),
            ("\u{feff}ab", 4, (1, 2)),
            ("\u{feff}ab", 0, (1, 1)),
            ("a\n", 2, (2, 1)),
            ("", 7, (1, 1)),
        ] {
            assert_eq!(position(page, at), place, "{page:?} {at}");
        }
    }
}
