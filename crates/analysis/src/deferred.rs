//! Files whose texts are read when somebody asks for what they say. What they have to do with other files is known before.
//!
//! Input: the links of a file, and where its text is read. Output: the facts of the file. Invariant: a deferred file is
//! never large and no module, so to read it needs one thread and no other file. A text that is no longer the one that the links are of says nothing, until
//! the project is told what the file has now.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use nodewise_model::SourceId;
use nodewise_modules::NoOthers;
use thin_vec::ThinVec;

use crate::built_parts::BuiltParts;
use crate::facts::{FileFacts, Ownership, TextFacts};
use crate::file_text::{FileText, TextMark, TextSource};
use crate::links::FileLinks;
use crate::settings::Settings;

/// A file that was read before, and has the same text.
#[derive(Debug, Clone)]
pub struct DeferredFile {
    /// The path relative to the project, with `/` between its parts.
    pub path: String,
    /// What its text is told by.
    pub mark: TextMark,
    /// The number of the file for the source of its text.
    pub number: SourceId,
    /// Whose file it is.
    pub ownership: Ownership,
    /// What it has to do with other files.
    pub links: FileLinks,
    /// What is configured for it.
    pub settings: Arc<Settings>,
}

impl FileFacts {
    /// The facts of a file whose text is read from `texts` when it is asked for.
    pub(crate) fn deferred(source: SourceId, file: DeferredFile, texts: &Arc<dyn TextSource>) -> FileFacts {
        FileFacts {
            source,
            path: file.path,
            text: FileText::unread(file.number, file.mark, texts),
            settings: file.settings,
            ownership: file.ownership,
            imports: ThinVec::new(),
            parts: BuiltParts::default(),
            content: OnceLock::new(),
            links: Some(Box::new(file.links.numbered(source))),
            tree: OnceLock::new(),
            lines: OnceLock::new(),
        }
    }

    /// What the file has to do with other files, if that is known without its text.
    pub(crate) fn links(&self) -> Option<&FileLinks> {
        self.links.as_deref()
    }

    /// Whether its text was read.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.content.get().is_some()
    }

    /// Reads the text, unless it was read.
    pub(crate) fn read_now(&self) {
        self.content.get_or_init(|| self.read_content());
    }

    /// Whether its text is read when it is asked for.
    #[must_use]
    pub fn is_deferred(&self) -> bool {
        self.links.is_some()
    }

    fn read_content(&self) -> TextFacts {
        let (path, text) = (self.path.clone(), Arc::clone(self.text.shared()));
        let read = FileFacts::read(self.source, path, text, Arc::clone(&self.settings), false, &NoOthers);
        read.content.into_inner().unwrap_or_default()
    }
}

impl Deref for FileFacts {
    type Target = TextFacts;

    fn deref(&self) -> &TextFacts {
        self.content.get_or_init(|| self.read_content())
    }
}
