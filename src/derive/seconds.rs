//! Storage by second: dense around the run, however the rows are ordered.

use std::collections::VecDeque;

/// One `T` for each second from the earliest to the latest seen.
///
/// Memory is one `T` a second of span; callers bound the span.
#[derive(Debug, Clone, Default)]
pub struct Seconds<T> {
    first: i64,
    cells: VecDeque<T>,
}

impl<T: Default> Seconds<T> {
    /// The cell of a second, made when needed.
    #[inline]
    pub fn at(&mut self, second: i64) -> &mut T {
        if second < self.first || second - self.first >= self.cells.len() as i64 {
            self.reach(second);
        }
        &mut self.cells[(second - self.first) as usize]
    }

    #[cold]
    #[inline(never)]
    fn reach(&mut self, second: i64) {
        if self.cells.is_empty() {
            self.first = second;
        }
        while second < self.first {
            self.cells.push_front(T::default());
            self.first -= 1;
        }
        let index = (second - self.first) as usize;
        if index >= self.cells.len() {
            self.cells.resize_with(index + 1, T::default);
        }
    }

    /// The cell of a second, if it was ever made.
    pub fn get(&self, second: i64) -> Option<&T> {
        self.cells.get(usize::try_from(second.checked_sub(self.first)?).ok()?)
    }

    /// Every cell, in order of time.
    pub fn cells_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.cells.iter_mut()
    }

    /// Every second with its cell, in order of time.
    pub fn iter(&self) -> impl Iterator<Item = (i64, &T)> + Clone {
        (self.first..).zip(&self.cells)
    }

    /// Every second with its cell, in order of time, by value.
    pub fn into_iter(self) -> impl Iterator<Item = (i64, T)> {
        (self.first..).zip(self.cells)
    }
}

/// The values of one metric, by second: 8 bytes each.
pub type Values = Seconds<Vec<f64>>;

impl Values {
    /// Adds a value to its second.
    #[inline]
    pub fn push(&mut self, second: i64, value: f64) {
        let values = self.at(second);
        if values.len() == values.capacity() {
            self.make_room(second);
        }
        self.at(second).push(value);
    }

    /// A new second gets the room that the one before needed, and little more whenever that is used up: values are most of the
    /// memory.
    #[inline(never)]
    fn make_room(&mut self, second: i64) {
        let before = second.checked_sub(1).and_then(|before| self.get(before)).map_or(0, Vec::len);
        let values = self.at(second);
        let room = match values.len() {
            0 => before + before / 32,
            held => held / 8,
        };
        values.reserve_exact(room + 4);
    }
}
