//! Memory for the C library that parses modules.
//!
//! Input: sizes. Output: pointers to memory of Rust's allocator. Invariant: the size of each block is stored in front
//! of it, so that the block can be grown and freed as C does it. The library's own allocator for WebAssembly claims
//! memory that belongs to Rust.

#![allow(unsafe_code, reason = "C gives pointers without a size, and takes such")]

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc};
use std::ffi::c_void;
use std::ptr::null_mut;

/// The size of the head in front of a block, in bytes. It equals the strictest alignment that C expects, so the block
/// behind it is aligned too.
const HEAD: usize = 16;

/// Makes the parser use Rust's allocator. The parser must not have allocated anything before.
pub(crate) fn share() {
    // SAFETY: the four functions agree on the form of a block, and nothing was allocated by others.
    unsafe { tree_sitter::set_allocator(Some(malloc), Some(calloc), Some(resize), Some(free)) }
}

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(HEAD)?, HEAD).ok()
}

/// Writes the size of the memory in its head, and returns the block behind the head.
///
/// # Safety
/// `start` is null, or the start of memory with this layout.
unsafe fn block(start: *mut u8, layout: Layout) -> *mut c_void {
    if start.is_null() {
        return null_mut();
    }
    // SAFETY: the memory is at least as large as the head, and aligned for it.
    unsafe {
        start.cast::<usize>().write(layout.size());
        start.add(HEAD).cast()
    }
}

/// The start of the memory of a block, and its layout.
///
/// # Safety
/// The block comes from one of the functions below.
unsafe fn memory(block: *mut c_void) -> (*mut u8, Layout) {
    // SAFETY: the head is in front of the block, with the size of a valid layout.
    unsafe {
        let start = block.cast::<u8>().sub(HEAD);
        (start, Layout::from_size_align_unchecked(start.cast::<usize>().read(), HEAD))
    }
}

unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    let Some(layout) = layout(size) else { return null_mut() };
    // SAFETY: the layout is not empty.
    unsafe { block(alloc(layout), layout) }
}

unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    let Some(layout) = count.checked_mul(size).and_then(layout) else { return null_mut() };
    // SAFETY: the layout is not empty.
    unsafe { block(alloc_zeroed(layout), layout) }
}

unsafe extern "C" fn resize(old: *mut c_void, size: usize) -> *mut c_void {
    if old.is_null() {
        // SAFETY: `malloc` has no conditions.
        return unsafe { malloc(size) };
    }
    let Some(wanted) = layout(size) else { return null_mut() };
    // SAFETY: the caller gives a block of ours, and the new size is that of a valid layout.
    unsafe {
        let (start, layout) = memory(old);
        block(realloc(start, layout, wanted.size()), wanted)
    }
}

unsafe extern "C" fn free(old: *mut c_void) {
    if old.is_null() {
        return;
    }
    // SAFETY: the caller gives a block of ours, once.
    unsafe {
        let (start, layout) = memory(old);
        dealloc(start, layout);
    }
}

#[cfg(test)]
mod tests {
    use super::{calloc, free, malloc, resize};

    #[test]
    fn blocks_grow_and_keep_what_is_in_them() {
        // SAFETY: only blocks of these functions, within their sizes.
        unsafe {
            let small = malloc(3).cast::<u8>();
            small.copy_from(b"abc".as_ptr(), 3);
            let large = resize(small.cast(), 10_000).cast::<u8>();
            assert_eq!(std::slice::from_raw_parts(large, 3), b"abc");
            assert_eq!(large as usize % 16, 0, "C may keep anything in it");
            free(large.cast());
            let zeros = calloc(5, 7).cast::<u8>();
            assert_eq!(std::slice::from_raw_parts(zeros, 35), [0; 35]);
            free(zeros.cast());
            free(std::ptr::null_mut());
            assert!(calloc(usize::MAX, 2).is_null());
            assert!(malloc(usize::MAX).is_null());
        }
    }
}
