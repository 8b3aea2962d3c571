//! Lists without spare room: what is known of thousands of files is held at once.
//!
//! Input: items. Output: a list of one word that has no room for more items.

use thin_vec::ThinVec;

/// The items, in a list without spare room.
pub fn tight<T>(items: impl Iterator<Item = T>) -> ThinVec<T> {
    // Mostly none is left out, so that a long list never moves.
    let mut list = ThinVec::with_capacity(items.size_hint().1.unwrap_or_default());
    list.extend(items);
    list.shrink_to_fit();
    list
}
