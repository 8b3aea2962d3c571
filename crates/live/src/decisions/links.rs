//! Links to pages: signed, and valid until a moment.
//!
//! Input: a path, a moment; output: a link, and whether a link that someone used is one of ours. Invariant: a link that was changed
//! anywhere is refused, and the key never leaves the folder of the runs.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use nodewise_project::config::live::{DecisionsConfig, LINK_HOURS};
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};

use crate::store::{FOLDER, Moment};

/// Creates and checks signed links to the pages.
#[derive(Clone)]
pub struct Links {
    key: hmac::Key,
    /// The beginning of all links, without a slash at its end.
    base: String,
    /// How long a new link is valid, in seconds.
    valid_s: u64,
}

/// The signed part of an address: until when the link is valid, and the signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ticket {
    /// When the link expires, in seconds since 1970.
    pub(super) expires: u64,
    pub(super) signature: String,
}

/// Why a link is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkFault {
    /// There is no valid signature of this project.
    NotSigned,
    /// The link was valid until this moment.
    Expired(Moment),
}

/// The file with the key, in the folder of the runs.
const KEY_FILE: &str = "decisions.key";
/// The length of the key, in bytes.
const KEY_LENGTH: usize = 32;
/// How often the key file is read while another process writes it, and the wait between.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(10);
const S_PER_HOUR: u64 = 3600;
const MS_PER_S: i64 = 1000;

impl Links {
    /// The links of a project that begin with `base`. If the project has no key yet, one is created.
    ///
    /// # Errors
    /// Where the key cannot be read or written.
    pub fn of_folder(folder: &Path, config: &DecisionsConfig, base: &str) -> Result<Links> {
        let key = key_of(&key_file(folder))?;
        Ok(Links::new(&key, config, base))
    }

    pub(super) fn new(key: &[u8], config: &DecisionsConfig, base: &str) -> Links {
        let hours = u64::from(config.link_hours.unwrap_or(LINK_HOURS));
        Links {
            key: hmac::Key::new(hmac::HMAC_SHA256, key),
            base: base.trim_end_matches('/').to_owned(),
            valid_s: hours * S_PER_HOUR,
        }
    }

    /// Creates a link to the list of waiting runs. Also returns until when it is valid.
    #[must_use]
    pub fn to_list(&self) -> (String, Moment) {
        let expires = now_s() + self.valid_s;
        (self.link(LIST, expires), moment(expires))
    }

    /// Creates a link to a question of a run.
    #[must_use]
    pub fn to_question(&self, run: &str, key: &str) -> String {
        self.link(&question_path(run, key), now_s() + self.valid_s)
    }

    /// Creates a relative link to a page. `expires` is usually that of the link that the user followed.
    pub(super) fn local(&self, path: &str, expires: u64) -> String {
        format!("{path}?{}", self.sign(path, expires).query())
    }

    fn link(&self, path: &str, expires: u64) -> String {
        format!("{}{}", self.base, self.local(path, expires))
    }

    fn sign(&self, path: &str, expires: u64) -> Ticket {
        let tag = hmac::sign(&self.key, signed(path, expires).as_bytes());
        Ticket { expires, signature: hex(tag.as_ref()) }
    }

    /// Checks the signature of a link to a path, and that it has not expired.
    pub(super) fn check(&self, path: &str, ticket: Option<&Ticket>) -> Result<(), LinkFault> {
        let ticket = ticket.ok_or(LinkFault::NotSigned)?;
        let signature = bytes(&ticket.signature).ok_or(LinkFault::NotSigned)?;
        hmac::verify(&self.key, signed(path, ticket.expires).as_bytes(), &signature)
            .map_err(|_| LinkFault::NotSigned)?;
        match ticket.expires > now_s() {
            true => Ok(()),
            false => Err(LinkFault::Expired(moment(ticket.expires))),
        }
    }
}

impl Ticket {
    /// Reads the signed part from the parameters of an address or a form.
    pub(super) fn of(pairs: &[(String, String)]) -> Option<Ticket> {
        let value = |wanted: &str| pairs.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
        Some(Ticket { expires: value("expires")?.parse().ok()?, signature: value("signature")?.clone() })
    }

    pub(super) fn query(&self) -> String {
        format!("expires={}&signature={}", self.expires, self.signature)
    }
}

/// The path of the list.
pub(super) const LIST: &str = "/";

pub(super) fn question_path(run: &str, key: &str) -> String {
    format!("/runs/{run}/{key}")
}

fn signed(path: &str, expires: u64) -> String {
    format!("{path}\n{expires}")
}

fn now_s() -> u64 {
    u64::try_from(Moment::now().0 / MS_PER_S).unwrap_or_default()
}

fn moment(second: u64) -> Moment {
    Moment(i64::try_from(second).unwrap_or(i64::MAX).saturating_mul(MS_PER_S))
}

/// Reads the key of a project, and creates it if there is none.
fn key_of(path: &Path) -> Result<Vec<u8>> {
    let unusable = || format!("the key of links in `{}` cannot be used", path.display());
    for _ in 0..TRIES {
        match std::fs::read_to_string(path) {
            Ok(text) => match bytes(text.trim()).filter(|key| key.len() == KEY_LENGTH) {
                Some(key) => return Ok(key),
                // Another process may be writing the file now.
                None => thread::sleep(PAUSE),
            },
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if let Some(key) = made_key(path).with_context(unusable)? {
                    return Ok(key);
                }
            }
            Err(error) => return Err(error).with_context(unusable),
        }
    }
    bail!(
        "{}: it is damaged\n  help: delete the file; links that were sent are not valid any more then",
        unusable()
    )
}

/// Creates the key of a project; `None` if another process created one meanwhile.
fn made_key(path: &Path) -> Result<Option<Vec<u8>>> {
    let mut key = [0; KEY_LENGTH];
    SystemRandom::new().fill(&mut key).map_err(|_| anyhow!("the system has no random numbers"))?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(mut file) => {
            file.write_all(hex(&key).as_bytes())?;
            file.sync_all()?;
            Ok(Some(key.to_vec()))
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The path of the project's key file.
pub(super) fn key_file(folder: &Path) -> PathBuf {
    folder.join(FOLDER).join(KEY_FILE)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    if !hex.is_ascii() || !hex.len().is_multiple_of(2) {
        return None;
    }
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links() -> Links {
        Links::new(&[7; KEY_LENGTH], &DecisionsConfig::default(), "https://decide.example/")
    }

    /// The path and the ticket of a link.
    fn parts(link: &str) -> (String, Ticket) {
        let url = reqwest::Url::parse(link).unwrap();
        let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        (url.path().to_owned(), Ticket::of(&pairs).unwrap())
    }

    #[test]
    fn a_link_is_for_its_page_until_its_end() {
        let links = links();
        let (path, ticket) = parts(&links.to_question("20261122-1304-k7f2", "00ff"));
        assert_eq!(path, "/runs/20261122-1304-k7f2/00ff");
        assert_eq!(links.check(&path, Some(&ticket)), Ok(()));
        let (list, valid) = links.to_list();
        assert!(list.starts_with("https://decide.example/?expires="), "{list}");
        assert!(valid > Moment::now());
        let refused = |path: &str, ticket: &Ticket| {
            assert_eq!(links.check(path, Some(ticket)), Err(LinkFault::NotSigned))
        };
        refused("/", &ticket);
        refused("/runs/20261122-1304-k7f2/00fe", &ticket);
        refused(&path, &Ticket { expires: ticket.expires + 1, ..ticket.clone() });
        for signature in ["", "0", "zz", "é0", &ticket.signature[2..]] {
            refused(&path, &Ticket { signature: signature.to_owned(), ..ticket.clone() });
        }
        assert_eq!(links.check(&path, None), Err(LinkFault::NotSigned));
        let other = Links::new(&[8; KEY_LENGTH], &DecisionsConfig::default(), "");
        assert_eq!(other.check(&path, Some(&ticket)), Err(LinkFault::NotSigned));
    }

    #[test]
    fn a_link_ends() {
        let links = links();
        for second in [0, 1_795_352_640, now_s()] {
            let ticket = links.sign("/", second);
            assert_eq!(links.check("/", Some(&ticket)), Err(LinkFault::Expired(moment(second))));
        }
        assert_eq!(links.check("/", Some(&links.sign("/", now_s() + 3600))), Ok(()));
        // A moment of any size is one.
        assert_eq!(links.check("/", Some(&links.sign("/", u64::MAX))), Ok(()));
    }

    #[test]
    fn a_key_is_made_once() {
        let folder = std::env::temp_dir().join(format!("nodewise-links-{}", std::process::id()));
        std::fs::create_dir_all(folder.join(FOLDER)).unwrap();
        let file = key_file(&folder);
        let keys: Vec<Vec<u8>> = thread::scope(|scope| {
            let started: Vec<_> = (0..8).map(|_| scope.spawn(|| key_of(&file).unwrap())).collect();
            started.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(keys.iter().all(|key| *key == keys[0] && key.len() == KEY_LENGTH));
        std::fs::write(&file, "not a key").unwrap();
        let error = format!("{:#}", key_of(&file).unwrap_err());
        assert!(error.contains("decisions.key` cannot be used: it is damaged"), "{error}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
