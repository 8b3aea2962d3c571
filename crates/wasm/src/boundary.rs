//! The functions that JavaScript calls.
//!
//! Input: the bytes of a request, written to memory of the module. Output: the bytes of the answer, read from there. Invariant:
//! the module imports nothing, so it can neither read nor send anything else.

#![allow(unsafe_code, reason = "exported functions have names that the linker must not change")]

use std::cell::RefCell;

use crate::requests::Responder;

#[derive(Default)]
struct Boundary {
    responder: Responder,
    request: Vec<u8>,
    answer: String,
}

thread_local! {
    static BOUNDARY: RefCell<Boundary> = RefCell::default();
}

/// Reserves memory for a request of `length` bytes. Returns where to write it.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn request(length: usize) -> *mut u8 {
    BOUNDARY.with_borrow_mut(|boundary| {
        boundary.request.clear();
        boundary.request.resize(length, 0);
        boundary.request.as_mut_ptr()
    })
}

/// Answers the request that was written. Returns the number of bytes of the answer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn respond() -> usize {
    BOUNDARY.with_borrow_mut(|boundary| {
        let request = std::mem::take(&mut boundary.request);
        boundary.answer = boundary.responder.respond(&request);
        boundary.answer.len()
    })
}

/// Where the answer begins. It is valid until the next request.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn answer() -> *const u8 {
    BOUNDARY.with_borrow(|boundary| boundary.answer.as_ptr())
}
