//! Storage by class of sample: a class is looked up for every row.

use super::phase::Class;

/// One `T` for each class that was seen.
#[derive(Debug, Clone)]
pub struct ByClass<T>([Option<T>; Class::ALL.len()]);

impl<T> Default for ByClass<T> {
    fn default() -> Self {
        ByClass(Class::ALL.map(|_| None))
    }
}

impl<T> ByClass<T> {
    /// What a class has; made by `new` when it has nothing yet.
    #[inline]
    pub fn or_insert_with(&mut self, class: Class, new: impl FnOnce() -> T) -> &mut T {
        self.0[class as usize].get_or_insert_with(new)
    }

    /// Every class with what it has, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Class, &T)> {
        Class::ALL.into_iter().zip(&self.0).filter_map(|(class, value)| Some((class, value.as_ref()?)))
    }

    /// Every class with what it has, in order, by value.
    pub fn into_iter(self) -> impl Iterator<Item = (Class, T)> {
        Class::ALL.into_iter().zip(self.0).filter_map(|(class, value)| Some((class, value?)))
    }

    /// The classes that were seen, in order.
    pub fn classes(&self) -> impl Iterator<Item = Class> {
        self.iter().map(|(class, _)| class)
    }
}

impl<T: Default> ByClass<T> {
    /// What a class has; its default when it has nothing yet.
    #[inline]
    pub fn of(&mut self, class: Class) -> &mut T {
        self.or_insert_with(class, T::default)
    }
}
