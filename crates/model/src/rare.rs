//! What most things do not have. It takes one word then: what is known of thousands of files is held at once.

use std::ops::Deref;

/// A value that is usually empty. An empty value takes one word and no allocation.
#[derive(Debug, Clone)]
pub struct Rare<T>(Option<Box<T>>);

/// A type that has an empty value.
pub trait MostlyEmpty: 'static {
    /// The empty value.
    fn empty() -> &'static Self;
    /// Whether the value is empty.
    fn is_empty(&self) -> bool;
}

impl<T: MostlyEmpty> From<T> for Rare<T> {
    fn from(value: T) -> Rare<T> {
        Rare((!value.is_empty()).then(|| Box::new(value)))
    }
}

impl<T: MostlyEmpty + Default> Rare<T> {
    /// Changes the value. An empty value is allocated first.
    pub fn change(&mut self, change: impl FnOnce(&mut T)) {
        change(self.0.get_or_insert_default());
    }

    /// Removes something from the value. Does nothing if the value is empty; frees it if it becomes empty.
    pub fn reduce(&mut self, reduce: impl FnOnce(&mut T)) {
        self.0.as_deref_mut().map(reduce);
        self.0.take_if(|value| value.is_empty());
    }

    /// The value, if it is not empty.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }
}

impl<T> Default for Rare<T> {
    fn default() -> Rare<T> {
        Rare(None)
    }
}

impl<T: MostlyEmpty> Deref for Rare<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or_else(|| T::empty())
    }
}

#[cfg(test)]
mod tests {
    use crate::{ArgumentDetails, Localized, Origin, Rare, SourceId};

    #[test]
    fn what_is_empty_takes_one_word() {
        let mut details: Rare<ArgumentDetails> = ArgumentDetails::default().into();
        assert!(details.get_mut().is_none() && size_of_val(&details) == size_of::<usize>());
        details.reduce(|_| panic!("there is nothing to take out"));
        let at = Origin::new(SourceId(0), text_size::TextRange::default());
        details.change(|details| details.properties_at = Some(at));
        details.reduce(|details| details.description = Localized::default());
        assert_eq!(details.properties_at, Some(at));
        details.reduce(|details| details.properties_at = None);
        assert!(details.get_mut().is_none());
    }
}
