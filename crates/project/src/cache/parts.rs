//! A file of several parts, so that several threads can read and write it.
//!
//! Input: a basis, and parts as bytes. Output: the bytes of the file, or the parts in it. Invariant: a part that is damaged, or
//! that is of another program or configuration, is never given.
//!
//! The parts are followed by the head in JSON, which has the basis, and the lengths and the hashes of the parts. Behind it are the
//! hash and the length of the head, so that nobody has to hold all parts to write them.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::hash_of;

/// The size of the end of the file in bytes: the hash and the length of the head.
const END: usize = 2 * NUMBER;
/// How many parts are made in parallel before they are written.
pub(super) const TOGETHER: usize = 8;
const NUMBER: usize = size_of::<u64>();

#[derive(Serialize, Deserialize)]
struct Head {
    /// The program and the configuration.
    basis: u64,
    /// For each part its length and its hash.
    parts: Vec<(usize, u64)>,
}

/// A part whose bytes have not been checked yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'p> {
    bytes: &'p [u8],
    hash: u64,
}

impl<'p> Part<'p> {
    /// The bytes. `None` if they are damaged.
    pub(super) fn bytes(self) -> Option<&'p [u8]> {
        (hash_of(&self.bytes) == self.hash).then_some(self.bytes)
    }
}

/// A file that is being written.
pub(super) struct PartsWriter<W> {
    to: W,
    head: Head,
}

impl<W: Write> PartsWriter<W> {
    pub(super) fn new(to: W, basis: u64) -> PartsWriter<W> {
        PartsWriter { to, head: Head { basis, parts: Vec::new() } }
    }

    /// Adds a part.
    pub(super) fn add(&mut self, part: &WrittenPart) -> io::Result<()> {
        self.head.parts.push((part.bytes.len(), part.hash));
        self.to.write_all(&part.bytes)
    }

    /// Adds the head, after the last part.
    pub(super) fn end(mut self) -> io::Result<()> {
        let head = serde_json::to_vec(&self.head)?;
        self.to.write_all(&head)?;
        self.to.write_all(&hash_of(&head.as_slice()).to_le_bytes())?;
        self.to.write_all(&(head.len() as u64).to_le_bytes())
    }
}

/// A part to write.
pub(super) struct WrittenPart {
    bytes: Vec<u8>,
    hash: u64,
}

impl From<Vec<u8>> for WrittenPart {
    fn from(bytes: Vec<u8>) -> WrittenPart {
        WrittenPart { hash: hash_of(&bytes.as_slice()), bytes }
    }
}

/// The parts of a file. `None` if it is damaged or has another basis.
pub(super) fn read(bytes: &[u8], basis: u64) -> Option<Vec<Part<'_>>> {
    let (rest, end) = bytes.split_at_checked(bytes.len().checked_sub(END)?)?;
    let (hash, length) = end.split_at_checked(NUMBER)?;
    let [hash, length] = [hash, length].map(|number| number.try_into().ok().map(u64::from_le_bytes));
    let length = usize::try_from(length?).ok()?;
    let (mut body, head) = rest.split_at_checked(rest.len().checked_sub(length)?)?;
    let head: Head = if hash? == hash_of(&head) { serde_json::from_slice(head).ok()? } else { return None };
    let part = |(length, hash): &(usize, u64)| {
        let (bytes, rest) = body.split_at_checked(*length)?;
        body = rest;
        Some(Part { bytes, hash: *hash })
    };
    if head.basis == basis { head.parts.iter().map(part).collect() } else { None }
}
