//! Lists that mostly have one item, which stands in place then: what is known of thousands of files is held at once.

use std::ops::Deref;

use thin_vec::{ThinVec, thin_vec};

/// A list that usually has one item, which then needs no allocation.
#[derive(Debug, Clone)]
pub enum Few<T> {
    /// One item.
    One(T),
    /// None, or more than one.
    Many(ThinVec<T>),
}

impl<T> Few<T> {
    /// Puts an item at a position, which is at most the number of items.
    pub fn insert(&mut self, position: usize, item: T) {
        *self = match std::mem::take(self) {
            Few::Many(items) if items.is_empty() => Few::One(item),
            Few::Many(mut items) => {
                items.insert(position, item);
                Few::Many(items)
            }
            Few::One(known) => {
                Few::Many(if position == 0 { thin_vec![item, known] } else { thin_vec![known, item] })
            }
        };
    }

    /// Keeps the items for which `keeps` is true.
    pub fn retain(&mut self, mut keeps: impl FnMut(&T) -> bool) {
        *self = match std::mem::take(self) {
            Few::One(item) if !keeps(&item) => Few::default(),
            Few::Many(items) => items.into_iter().filter(keeps).collect(),
            one => one,
        };
    }
}

impl<T> Default for Few<T> {
    fn default() -> Few<T> {
        Few::Many(ThinVec::new())
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Few::One(item) => std::slice::from_ref(item),
            Few::Many(items) => items,
        }
    }
}

impl<T> FromIterator<T> for Few<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Few<T> {
        let mut items = items.into_iter();
        let Some(first) = items.next() else { return Few::default() };
        let Some(second) = items.next() else { return Few::One(first) };
        let mut many: ThinVec<T> = [first, second].into_iter().chain(items).collect();
        many.shrink_to_fit();
        Few::Many(many)
    }
}

impl<'f, T> IntoIterator for &'f Few<T> {
    type Item = &'f T;
    type IntoIter = std::slice::Iter<'f, T>;

    fn into_iter(self) -> std::slice::Iter<'f, T> {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Few;

    #[test]
    fn a_list_has_the_items_that_it_is_made_of() {
        for count in 0..4 {
            let list: Few<usize> = (0..count).collect();
            assert_eq!(list.to_vec(), (0..count).collect::<Vec<_>>());
            assert_eq!(matches!(list, Few::One(_)), count == 1);
        }
    }

    #[test]
    fn items_come_and_go() {
        let mut list = Few::default();
        let mut plain = Vec::new();
        for (position, item) in [(0, 'c'), (0, 'a'), (1, 'b'), (3, 'd')] {
            list.insert(position, item);
            plain.insert(position, item);
            assert_eq!(*list, *plain);
        }
        for gone in ['b', 'd', 'x', 'a', 'c', 'c'] {
            list.retain(|item| *item != gone);
            plain.retain(|item| *item != gone);
            assert_eq!((&*list, matches!(list, Few::One(_))), (&*plain, plain.len() == 1));
        }
    }
}
