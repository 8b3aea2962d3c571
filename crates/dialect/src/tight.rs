//! Lists without spare room: what is known of thousands of files is held at once.
//!
//! Input: items. Output: a list of one word that has no room for more items.

use thin_vec::ThinVec;

/// Collects the items in a list without unused capacity.
pub fn tight<T>(items: impl Iterator<Item = T>) -> ThinVec<T> {
    // Usually no item is filtered out, so reserving the upper bound avoids moving the list.
    let mut list = ThinVec::with_capacity(items.size_hint().1.unwrap_or_default());
    list.extend(items);
    list.shrink_to_fit();
    list
}
