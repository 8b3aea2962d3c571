//! The text of a file. A check of a whole project needs few texts once the facts of the files are known, so most are dropped
//! and read again where a reader asks.
//!
//! Input: a text, and where to read it again. Output: the text. Invariant: what is read is the text that the facts are made
//! of, or blank with the same length: then the source knows that the file has another text now.

use std::fmt;
use std::hash::Hasher;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use nodewise_model::SourceId;
use rustc_hash::FxHasher;

/// Where dropped texts are read from again.
pub trait TextSource: fmt::Debug + Send + Sync {
    /// The text of a file. `None` if it no longer has this mark; then findings of the check must not be shown, because
    /// their places may be wrong.
    fn text(&self, file: SourceId, mark: TextMark) -> Option<Arc<str>>;
}

/// The length and hash of a text, to detect that it changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextMark {
    hash: u64,
    length: usize,
}

#[derive(Debug)]
pub struct FileText {
    text: OnceLock<Arc<str>>,
    dropped: Option<Box<DroppedText>>,
}

/// A text that is not kept in memory and is read again when needed.
#[derive(Debug)]
struct DroppedText {
    file: SourceId,
    /// The length in bytes. There is one such value for each file, so it is small: no text is longer than 4 GB.
    length: u32,
    hash: u64,
    source: Arc<dyn TextSource>,
}

impl TextMark {
    /// The mark with these numbers.
    #[must_use]
    pub fn new(hash: u64, length: usize) -> TextMark {
        TextMark { hash, length }
    }

    /// The hash of the text.
    #[must_use]
    pub fn hash(self) -> u64 {
        self.hash
    }

    /// The length of the text in bytes.
    #[must_use]
    pub fn length(self) -> usize {
        self.length
    }

    /// The mark of a text.
    #[must_use]
    pub fn of(text: &str) -> TextMark {
        let mut hasher = FxHasher::default();
        hasher.write(text.as_bytes());
        TextMark { hash: hasher.finish(), length: text.len() }
    }
}

impl FileText {
    /// A text that is read from `source` when it is first needed.
    pub(crate) fn unread(file: SourceId, mark: TextMark, source: &Arc<dyn TextSource>) -> FileText {
        let source = Arc::clone(source);
        FileText { text: OnceLock::new(), dropped: Some(Box::new(DroppedText::new(file, mark, source))) }
    }

    /// The text as a shared string that callers can keep.
    #[must_use]
    pub fn shared(&self) -> &Arc<str> {
        self.text.get_or_init(|| self.dropped.as_ref().map_or_else(|| "".into(), |dropped| dropped.read()))
    }

    /// The length in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.dropped.as_ref().map_or_else(|| self.shared().len(), |dropped| dropped.mark().length)
    }

    /// The mark of the text. Does not read a dropped text.
    #[must_use]
    pub fn mark(&self) -> TextMark {
        self.dropped.as_ref().map_or_else(|| TextMark::of(self.shared()), |dropped| dropped.mark())
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes the text from memory. It can be read again from `source`.
    pub(crate) fn drop_text(&mut self, file: SourceId, source: &Arc<dyn TextSource>) {
        if let Some(text) = self.text.take() {
            let (mark, source) = (TextMark::of(&text), Arc::clone(source));
            self.dropped = Some(Box::new(DroppedText::new(file, mark, source)));
        }
    }
}

impl DroppedText {
    fn new(file: SourceId, mark: TextMark, source: Arc<dyn TextSource>) -> DroppedText {
        let length = u32::try_from(mark.length).unwrap_or(u32::MAX);
        DroppedText { file, length, hash: mark.hash, source }
    }

    fn mark(&self) -> TextMark {
        TextMark { hash: self.hash, length: self.length as usize }
    }

    fn read(&self) -> Arc<str> {
        let text = self.source.text(self.file, self.mark());
        // The text is gone or changed. Spaces of the same length keep all positions valid.
        text.unwrap_or_else(|| " ".repeat(self.length as usize).into())
    }
}

impl From<Arc<str>> for FileText {
    fn from(text: Arc<str>) -> FileText {
        FileText { text: OnceLock::from(text), dropped: None }
    }
}

impl PartialEq for FileText {
    fn eq(&self, other: &FileText) -> bool {
        **self == **other
    }
}

impl Deref for FileText {
    type Target = str;

    fn deref(&self) -> &str {
        self.shared()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use nodewise_model::SourceId;

    use super::{FileText, TextMark, TextSource};

    /// Always has this text.
    #[derive(Debug)]
    struct OneText(&'static str, AtomicUsize);

    impl TextSource for OneText {
        fn text(&self, _: SourceId, mark: TextMark) -> Option<Arc<str>> {
            self.1.fetch_add(1, Ordering::Relaxed);
            (mark == TextMark::of(self.0)).then(|| self.0.into())
        }
    }

    /// What is read of a text that was dropped, while the source has `now`; once, however often it is asked for.
    #[track_caller]
    fn check_dropped(before: &str, now: &'static str, read: &str) {
        let one = Arc::new(OneText(now, AtomicUsize::new(0)));
        let source: Arc<dyn TextSource> = Arc::clone(&one) as Arc<dyn TextSource>;
        let mut text = FileText::from(Arc::from(before));
        text.drop_text(SourceId(0), &source);
        assert_eq!((text.len(), one.1.load(Ordering::Relaxed)), (before.len(), 0));
        assert_eq!((&*text, text.shared().len()), (read, before.len()));
        assert_eq!(one.1.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn a_text_is_read_again_or_blank() {
        check_dropped("kind: Nöde\n", "kind: Nöde\n", "kind: Nöde\n");
        check_dropped("kind: Nöde\n", "kind: Nodes\n", "            ");
        check_dropped("", "", "");
    }
}
