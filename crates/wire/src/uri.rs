//! Conversions between file paths and URIs.
//!
//! Input: a URI or an absolute path. Output: the other one. Invariant: a path stays the same after a conversion to a
//! URI and back, with any characters. A URI that does not name a local file has no path. In WebAssembly there are no local files, and
//! every URI with a host, or an empty one, names a file of the client.

use std::path::{Path, PathBuf};

const SCHEME: &str = "file://";

/// The path of the file that a URI names; `None` if it does not name a local file.
pub fn to_path(uri: &str) -> Option<PathBuf> {
    if cfg!(target_family = "wasm") { client::to_path(uri) } else { local_path(uri) }
}

/// The URI of an absolute path.
pub fn from_path(path: &Path) -> String {
    if cfg!(target_family = "wasm") { client::from_path(path) } else { local_uri(path) }
}

/// The file system is the client's: the first part of a path is the scheme and the host of the URI.
mod client {
    use std::path::{Path, PathBuf};

    pub(super) fn to_path(uri: &str) -> Option<PathBuf> {
        let (scheme, rest) = uri.split_once("://")?;
        let (host, path) = rest.split_at(rest.find('/')?);
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let path = String::from_utf8(super::decode(path)).ok()?;
        Some(Path::new(&format!("/{}:{host}{path}", scheme.to_ascii_lowercase())).components().collect())
    }

    pub(super) fn from_path(path: &Path) -> String {
        let text = path.to_string_lossy();
        let text = text.trim_start_matches('/');
        let (place, path) = text.split_at(text.find('/').unwrap_or(text.len()));
        let (scheme, host) = place.split_once(':').unwrap_or(("file", ""));
        format!("{scheme}://{host}{}", super::encoded(path))
    }
}

fn local_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.get(..SCHEME.len()).filter(|scheme| scheme.eq_ignore_ascii_case(SCHEME));
    let rest = rest.and_then(|_| uri.get(SCHEME.len()..))?;
    let start = rest.find('/')?;
    let (host, path) = rest.split_at(start);
    if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
        return None;
    }
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = String::from_utf8(decode(path)).ok()?;
    // `/c:/folder` is a Windows path.
    let drive = path.strip_prefix('/').filter(|path| path.as_bytes().get(1) == Some(&b':'));
    let path = Path::new(drive.unwrap_or(&path));
    path.is_absolute().then(|| path.components().collect())
}

fn local_uri(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    let mut uri = SCHEME.to_owned();
    if !text.starts_with('/') {
        uri.push('/');
    }
    uri.push_str(&encoded(&text));
    uri
}

fn encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// A part of a URI with its percent escapes decoded.
pub fn decoded(part: &str) -> String {
    String::from_utf8_lossy(&decode(part)).into_owned()
}

/// The last part of a URI, as the name of a document that has no file.
pub fn name(uri: &str) -> String {
    let path = uri.split(['?', '#']).next().unwrap_or_default();
    let last = path.rsplit(['/', ':']).next().unwrap_or_default();
    decoded(last)
}

fn decode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let digits =
            behind.get(..2).filter(|_| byte == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(byte);
                rest = behind;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{client, from_path, name, to_path};
    use std::path::Path;

    fn check_path(path: &str, uri: &str) {
        assert_eq!(from_path(Path::new(path)), uri);
        assert_eq!(to_path(uri).as_deref(), Some(Path::new(path)));
    }

    #[cfg(unix)]
    #[test]
    fn paths_survive_the_way_to_a_uri_and_back() {
        check_path("/a/b.yaml", "file:///a/b.yaml");
        check_path("/a b/ü%20#?.yaml", "file:///a%20b/%C3%BC%2520%23%3F.yaml");
        check_path("/日本/c:d", "file:///%E6%97%A5%E6%9C%AC/c%3Ad");
    }

    #[cfg(unix)]
    #[test]
    fn uris_are_read_as_clients_write_them() {
        assert_eq!(to_path("file://localhost/a/./b").as_deref(), Some(Path::new("/a/b")));
        assert_eq!(to_path("FILE:///a%2Fb%zz").as_deref(), Some(Path::new("/a/b%zz")));
        assert_eq!(to_path("untitled:Untitled-1"), None);
        assert_eq!(to_path("file://server/share/a"), None);
        assert_eq!(to_path("file:///%ff"), None);
        assert_eq!(to_path("fil\u{e9}://"), None);
    }

    #[test]
    fn files_of_a_client_keep_their_scheme_and_host() {
        for uri in [
            "vscode-vfs://github%2B7b2276/owner/repo/a%20b.yaml",
            "vscode-remote://host:80/project/%C3%BC.yaml",
            "file:///project/a.yaml",
            "memfs:///a",
        ] {
            let path = client::to_path(uri).unwrap_or_default();
            assert_eq!(client::from_path(&path), uri);
        }
        assert_eq!(
            client::to_path("vscode-vfs://github/o/r/").as_deref(),
            Some(Path::new("/vscode-vfs:github/o/r"))
        );
        assert_eq!(client::to_path("untitled:Untitled-1"), None);
    }

    #[test]
    fn documents_without_a_file_have_a_name() {
        assert_eq!(name("untitled:Untitled-1"), "Untitled-1");
        assert_eq!(name("vscode-vfs://github/a/b%20c.yaml?x"), "b c.yaml");
    }
}
