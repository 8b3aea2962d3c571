//! The declarations of runs, read once for all runs that have the same.
//!
//! Input: the files that a run began with. Output: their declarations. Invariant: runs with the same files share what is read of them,
//! so that a worker with a thousand waiting runs of one project holds it once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use nodewise_analysis::workspace::Snapshot;
use nodewise_live::restore::snapshot;
use ring::digest::{Context, SHA256};

/// For how many different sets of files the declarations are kept.
const KEPT: usize = 8;

type Digest = [u8; 32];

/// The declarations that were used last, by the digest of their files. The latest is last.
#[derive(Default)]
pub(super) struct Declarations(Mutex<VecDeque<(Digest, Snapshot)>>);

impl Declarations {
    /// The declarations in these files.
    pub(super) fn of(&self, sources: &[(String, Arc<str>)]) -> Snapshot {
        let digest = digest_of(sources);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The lock is held while they are read, so that many runs that begin at once read them only once.
        let found = match kept.iter().position(|(known, _)| *known == digest) {
            Some(place) => kept.remove(place),
            None => None,
        };
        let found = found.unwrap_or_else(|| (digest, snapshot(sources)));
        let declarations = found.1.clone();
        kept.push_back(found);
        while kept.len() > KEPT {
            kept.pop_front();
        }
        declarations
    }
}

fn digest_of(sources: &[(String, Arc<str>)]) -> Digest {
    let mut digest = Context::new(&SHA256);
    for (path, text) in sources {
        // The lengths separate the parts, so that two different lists never give the same digest.
        for part in [path.as_str(), text] {
            digest.update(&part.len().to_le_bytes());
            digest.update(part.as_bytes());
        }
    }
    let mut bytes = Digest::default();
    bytes.copy_from_slice(digest.finish().as_ref());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRAPH: &str =
        "id: one\nname: One\ndescription: One.\nnodes: []\nedges: []\nstart_node: a\nend_nodes: [a]\n";

    fn source(number: usize) -> [(String, Arc<str>); 1] {
        [(format!("graph-{number}.yaml"), Arc::from(GRAPH))]
    }

    fn text(declarations: &Snapshot) -> *const u8 {
        declarations.files().iter().next().map_or(std::ptr::null(), |file| file.text.as_ptr())
    }

    #[test]
    fn runs_with_the_same_files_share_their_declarations() {
        let known = Declarations::default();
        let first = known.of(&source(0));
        assert_eq!(text(&first), text(&known.of(&[("graph-0.yaml".to_owned(), Arc::from(GRAPH))])));
        assert_ne!(text(&first), text(&known.of(&source(1))));
        assert_ne!(digest_of(&[("ab".to_owned(), "c".into())]), digest_of(&[("a".to_owned(), "bc".into())]));
    }

    #[test]
    fn only_the_latest_are_kept() {
        let known = Declarations::default();
        for number in 0..=KEPT {
            known.of(&source(0));
            known.of(&source(number));
        }
        let kept = known.0.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(kept.len(), KEPT);
        assert!(
            kept.iter().any(|(digest, _)| *digest == digest_of(&source(0))),
            "it was needed a moment ago"
        );
        assert!(kept.iter().all(|(digest, _)| *digest != digest_of(&source(1))), "it was needed longest ago");
    }
}
