//! Reads messages from a stream of bytes.
//!
//! Input: bytes. Output: the body of each message. Invariant: anything that is not a message is skipped up to the next
//! header.

use std::io::{BufRead, Read};

const LENGTH: &str = "content-length";

/// What [`read_frame`] found next in a stream.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    /// The body of a message.
    Body(Vec<u8>),
    /// Bytes that are not a message. They were skipped.
    Broken,
    /// The end of the stream.
    End,
}

/// Reads the next message, and blocks until it is complete.
pub fn read_frame(input: &mut impl BufRead) -> Frame {
    let (mut length, mut is_broken) = (None, false);
    loop {
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return Frame::End,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        match line.split_once(':') {
            _ if line.is_empty() => match length {
                Some(length) => return body(input, length),
                None if is_broken => return Frame::Broken,
                None => {}
            },
            Some((name, value)) if name.trim().eq_ignore_ascii_case(LENGTH) => match value.trim().parse() {
                Ok(found) => length = Some(found),
                Err(_) => is_broken = true,
            },
            Some(_) => {}
            None => is_broken = true,
        }
    }
}

fn body(input: &mut impl BufRead, length: u64) -> Frame {
    let mut body = Vec::new();
    match input.take(length).read_to_end(&mut body) {
        Ok(read) if read as u64 == length => Frame::Body(body),
        _ => Frame::End,
    }
}

#[cfg(test)]
mod tests {
    use super::{Frame, read_frame};

    fn check_frames(mut input: &[u8], expected: &[Frame]) {
        for frame in expected {
            assert_eq!(read_frame(&mut input), *frame);
        }
        assert_eq!(read_frame(&mut input), Frame::End);
    }

    fn body(text: &str) -> Frame {
        Frame::Body(text.as_bytes().to_vec())
    }

    #[test]
    fn bodies_follow_their_headers() {
        check_frames(
            b"Content-Length: 2\r\n\r\n{}content-length:1\r\nContent-Type: x; charset=utf-8\r\n\r\n1",
            &[body("{}"), body("1")],
        );
        check_frames(b"Content-Length: 2\n\n{}\r\n\r\nContent-Length: 0\r\n\r\n", &[body("{}"), body("")]);
    }

    #[test]
    fn what_is_no_message_is_skipped() {
        check_frames(b"Content-Length: x\r\n\r\nContent-Length: 1\r\n\r\n1", &[Frame::Broken, body("1")]);
        check_frames(b"nonsense\r\n\r\nContent-Length: 1\r\n\r\n1", &[Frame::Broken, body("1")]);
        check_frames(b"Content-Length: 9\r\n\r\n{}", &[]);
        check_frames(b"", &[]);
    }
}
