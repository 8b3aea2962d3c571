//! As much of HTTP/1.1 as a server for tests needs. In: a connection; out: one request, and a response in pieces. Invariant: a
//! response that is cut lacks its last piece, so that a caller can tell.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value as Json;

use super::Request;

/// How often a waiting task checks whether the server stops.
pub(super) const LOOK: Duration = Duration::from_millis(20);
const LARGEST: usize = 64 * 1024 * 1024;

/// Reads a request; `None` if the connection ends before it is complete.
pub(super) fn read(stream: &mut TcpStream, is_over: &dyn Fn() -> bool) -> io::Result<Option<Request>> {
    stream.set_read_timeout(Some(LOOK))?;
    stream.set_nodelay(true)?;
    let mut bytes = Vec::new();
    let mut head = None;
    loop {
        if head.is_none() {
            head =
                bytes.windows(4).position(|window| window == b"\r\n\r\n").map(|end| read_head(&bytes, end));
        }
        if let Some((path, headers, begin)) = &head {
            let length = headers.iter().find(|(name, _)| name == "content-length");
            let length: usize = length.and_then(|(_, length)| length.parse().ok()).unwrap_or(0);
            if let Some(body) = bytes.get(*begin..begin + length) {
                let body = serde_json::from_slice(body).unwrap_or(Json::Null);
                return Ok(Some(Request { path: path.clone(), headers: headers.clone(), body }));
            }
        }
        if !read_more(stream, &mut bytes, is_over)? || bytes.len() > LARGEST {
            return Ok(None);
        }
    }
}

/// Waits until the caller closes the connection.
pub(super) fn wait_for_end(stream: &mut TcpStream, is_over: &dyn Fn() -> bool) -> io::Result<()> {
    let mut bytes = Vec::new();
    while read_more(stream, &mut bytes, is_over)? {}
    Err(io::ErrorKind::ConnectionAborted.into())
}

/// Begins a response with chunked transfer encoding.
pub(super) fn begin(
    stream: &mut TcpStream,
    status: u16,
    headers: &[(String, String)],
    content: &str,
) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {status} \r\ncontent-type: {content}\r\nconnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("transfer-encoding: chunked\r\n\r\n");
    stream.write_all(head.as_bytes())
}

/// Writes a chunk. With a pause, it writes one byte at a time.
pub(super) fn piece(stream: &mut TcpStream, bytes: &[u8], pause: Option<Duration>) -> io::Result<()> {
    let size = if pause.is_some() { 1 } else { bytes.len().max(1) };
    for part in bytes.chunks(size) {
        let mut chunk = format!("{:x}\r\n", part.len()).into_bytes();
        chunk.extend_from_slice(part);
        chunk.extend_from_slice(b"\r\n");
        stream.write_all(&chunk)?;
        if let Some(pause) = pause {
            std::thread::sleep(pause);
        }
    }
    Ok(())
}

/// Ends a response.
pub(super) fn end(stream: &mut TcpStream) -> io::Result<()> {
    stream.write_all(b"0\r\n\r\n")?;
    stream.flush()
}

/// Reads what is available. Returns `false` at the end of the connection.
fn read_more(stream: &mut TcpStream, bytes: &mut Vec<u8>, is_over: &dyn Fn() -> bool) -> io::Result<bool> {
    let mut buffer = [0; 16 * 1024];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(false),
            Ok(length) => {
                bytes.extend_from_slice(buffer.get(..length).unwrap_or_default());
                return Ok(true);
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                if is_over() {
                    return Ok(false);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The path, the headers, and the offset of the body.
fn read_head(bytes: &[u8], end: usize) -> (String, Vec<(String, String)>, usize) {
    let head = String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned();
    let mut lines = head.split("\r\n");
    let path = lines.next().and_then(|line| line.split(' ').nth(1)).unwrap_or_default().to_owned();
    let headers = lines.filter_map(|line| line.split_once(':'));
    let headers = headers.map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()));
    (path, headers.collect(), end + 4)
}
