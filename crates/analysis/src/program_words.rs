//! The keys of documents in messages about modules, as programs spell them: `writes` for `write_keys`.
//!
//! Input: a finding in a module. Output: the finding in other words. Invariant: only keys of the table change; what the
//! user named stays, even if it is called like a key.

use std::ops::Range;

use nodewise_dialect::table::{BuilderOption, Builders, Dialect, OptionForm};
use nodewise_dialect::tables::has_field;
use nodewise_model::Origin;
use nodewise_syntax::Tree;

use crate::diagnostic::Finding;
use crate::facts::{FileFacts, Ownership};
use crate::program_keys::{PlacedKey, ProgramKeys};

/// Replaces the keys of documents in a finding by the words that the module uses for them.
pub(crate) fn respell(finding: &mut Finding, file: &FileFacts) {
    let Ownership::Ours(dialect) = file.ownership else { return };
    let tree = file.tree();
    let Some((builders, keys)) = dialect.builders.zip(file.parts.keys(tree)) else { return };
    let words = Words { dialect, builders, tree, keys, at: finding.at };
    finding.message = words.respelt(&finding.message);
    for text in [&mut finding.label, &mut finding.help].into_iter().flatten() {
        *text = words.respelt(text);
    }
    for related in finding.related.iter_mut().filter(|related| related.at.source == file.source) {
        related.message = words.respelt(&related.message);
    }
}

/// The data that decides how the program spells the keys in a finding.
struct Words<'f> {
    dialect: &'static Dialect,
    builders: &'static Builders,
    tree: &'f Tree,
    keys: &'f ProgramKeys,
    at: Origin,
}

impl Words<'_> {
    /// Replaces the keys in the inline code of `text`.
    fn respelt(&self, text: &str) -> String {
        let parts = text.split('`').enumerate();
        let spelt = parts.map(|(number, part)| match number % 2 {
            1 => self.spelling(part).unwrap_or_else(|| part.to_owned()),
            _ => part.to_owned(),
        });
        spelt.collect::<Vec<_>>().join("`")
    }

    /// How the program spells a key. `None` if `word` is not a key, or if the program spells it the same way.
    fn spelling(&self, word: &str) -> Option<String> {
        let here = self.text_at(self.at.range.into()).trim_matches(['"', '\'', '`']);
        if here == word {
            return None;
        }
        if let Some(written) = self.written(word, true) {
            return Some(written);
        }
        // A word without an underscore may be a name from the user that only looks like a key.
        if !word.contains('_') || !has_field(self.dialect, word) {
            return None;
        }
        self.written(word, false).or_else(|| self.option(word)).or_else(|| Some(camel(word)))
    }

    /// The spelling in the module of an entry with this key. `is_about_it`: only of the entry that the finding points at.
    fn written(&self, word: &str, is_about_it: bool) -> Option<String> {
        let is_it = |placed: &&PlacedKey| {
            !is_about_it || placed.key == self.at.range || placed.value == Some(self.at.range)
        };
        self.keys.of(word).iter().filter(is_it).find_map(|placed| {
            let written = self.text_at(placed.key.into());
            self.means(written, word).then(|| written.to_owned())
        })
    }

    /// Whether an option of a builder becomes this key of the document.
    fn means(&self, option: &str, key: &str) -> bool {
        camel(key) == option || self.rows().any(|row| row.name == option && is_for(row, key))
    }

    /// The option that becomes this key, of any builder.
    fn option(&self, key: &str) -> Option<String> {
        self.rows().find(|row| is_for(row, key)).map(|row| row.name.to_owned())
    }

    fn rows(&self) -> impl Iterator<Item = &'static BuilderOption> {
        let of_functions = self.builders.functions.iter().flat_map(|function| function.options);
        self.builders.node.iter().chain(self.builders.edge).chain(of_functions)
    }

    fn text_at(&self, range: Range<usize>) -> &str {
        self.tree.text().get(range).unwrap_or_default()
    }
}

/// Whether an option becomes this key, directly or in an inner mapping.
fn is_for(row: &BuilderOption, key: &str) -> bool {
    let other = if let OptionForm::TextOr(other) = row.form { Some(other) } else { None };
    [Some(row.key), other].into_iter().flatten().any(|path| path.rsplit('.').next() == Some(key))
}

/// The key in camel case: `writeKeys` for `write_keys`.
fn camel(key: &str) -> String {
    let mut parts = key.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut text, part| {
        let mut letters = part.chars();
        text.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        text.push_str(letters.as_str());
        text
    })
}
