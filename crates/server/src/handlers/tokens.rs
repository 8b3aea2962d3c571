//! Semantic tokens: of the whole file, of a part of it, and changes since the last answer.
//!
//! Input: a file, and the tokens that the client has. Output: tokens, each relative to the one before. Invariant: a
//! result id identifies its tokens, so a delta needs only the previous answer.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use nodewise_ide::tokens::{self, Modifiers, SemanticToken, TokenKind};
use tower_lsp_server::ls_types::{self as lsp, Uri};

use crate::request::{Asked, File};

/// How many answers are kept for deltas, one for each file that is being edited.
const KEPT: usize = 16;

/// The last answers, from which deltas are computed.
#[derive(Debug, Default)]
pub(crate) struct Answers(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    last_id: u64,
    answers: VecDeque<(String, Arc<[lsp::SemanticToken]>)>,
}

/// The names of token types and modifiers, in the order of their numbers.
pub(crate) fn legend() -> lsp::SemanticTokensLegend {
    lsp::SemanticTokensLegend {
        token_types: TokenKind::ALL.into_iter().map(token_type).collect(),
        token_modifiers: Modifiers::ALL.into_iter().map(modifier).collect(),
    }
}

/// `textDocument/semanticTokens/full`
pub(crate) fn full(asked: &Asked<'_>, uri: &Uri, answers: &Answers) -> Option<lsp::SemanticTokensResult> {
    let file = asked.document(uri)?;
    let data = encode(&file, &tokens::tokens(file.snapshot(), file.source()));
    let result_id = Some(answers.keep(&data));
    Some(lsp::SemanticTokens { result_id, data }.into())
}

/// `textDocument/semanticTokens/range`
pub(crate) fn range(
    asked: &Asked<'_>,
    uri: &Uri,
    range: lsp::Range,
) -> Option<lsp::SemanticTokensRangeResult> {
    let file = asked.document(uri)?;
    let found = tokens::tokens_within(file.snapshot(), file.source(), file.text_range(range));
    Some(lsp::SemanticTokens { result_id: None, data: encode(&file, &found) }.into())
}

/// `textDocument/semanticTokens/full/delta`
pub(crate) fn delta(
    asked: &Asked<'_>,
    uri: &Uri,
    previous: &str,
    answers: &Answers,
) -> Option<lsp::SemanticTokensFullDeltaResult> {
    let file = asked.document(uri)?;
    let data = encode(&file, &tokens::tokens(file.snapshot(), file.source()));
    let before = answers.of(previous);
    let result_id = Some(answers.keep(&data));
    Some(match before {
        Some(before) => {
            let edits = edit(&before, &data).into_iter().collect();
            lsp::SemanticTokensDelta { result_id, edits }.into()
        }
        None => lsp::SemanticTokens { result_id, data }.into(),
    })
}

impl Answers {
    /// Stores an answer and returns its id.
    fn keep(&self, data: &[lsp::SemanticToken]) -> String {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.last_id += 1;
        let id = kept.last_id.to_string();
        if kept.answers.len() == KEPT {
            kept.answers.pop_front();
        }
        kept.answers.push_back((id.clone(), data.into()));
        id
    }

    fn of(&self, id: &str) -> Option<Arc<[lsp::SemanticToken]>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.answers.iter().find(|(known, _)| known == id).map(|(_, data)| Arc::clone(data))
    }
}

/// The edit between two answers: the part between their common beginning and their common end.
fn edit(before: &[lsp::SemanticToken], after: &[lsp::SemanticToken]) -> Option<lsp::SemanticTokensEdit> {
    let same = |(one, other): &(&lsp::SemanticToken, &lsp::SemanticToken)| one == other;
    let start = before.iter().zip(after).take_while(same).count();
    let (before, after) = (&before[start..], &after[start..]);
    let end = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
    let (gone, new) = (&before[..before.len() - end], &after[..after.len() - end]);
    // A token is five numbers on the wire, and edits count numbers.
    let numbers = |tokens: usize| u32::try_from(tokens * 5).unwrap_or(u32::MAX);
    (!gone.is_empty() || !new.is_empty()).then(|| lsp::SemanticTokensEdit {
        start: numbers(start),
        delete_count: numbers(gone.len()),
        data: Some(new.to_vec()),
    })
}

fn encode(file: &File<'_>, tokens: &[SemanticToken]) -> Vec<lsp::SemanticToken> {
    let mut data = Vec::with_capacity(tokens.len());
    let mut before = lsp::Position::default();
    for token in tokens {
        let range = file.range(token.range);
        let is_on_line = range.start.line == before.line;
        data.push(lsp::SemanticToken {
            delta_line: range.start.line - before.line,
            delta_start: range.start.character - if is_on_line { before.character } else { 0 },
            length: range.end.character.saturating_sub(range.start.character),
            token_type: number(token.kind),
            token_modifiers_bitset: token.modifiers.bits(),
        });
        before = range.start;
    }
    data
}

fn number(kind: TokenKind) -> u32 {
    TokenKind::ALL.iter().zip(0..).find(|(one, _)| **one == kind).map_or(0, |(_, number)| number)
}

/// The protocol's name for a token type, which themes know.
fn token_type(kind: TokenKind) -> lsp::SemanticTokenType {
    match kind {
        TokenKind::Key => lsp::SemanticTokenType::PROPERTY,
        TokenKind::Word => lsp::SemanticTokenType::ENUM_MEMBER,
        TokenKind::Kind => lsp::SemanticTokenType::TYPE,
        TokenKind::Node => lsp::SemanticTokenType::CLASS,
        TokenKind::Tool => lsp::SemanticTokenType::METHOD,
        TokenKind::Agent => lsp::SemanticTokenType::INTERFACE,
        TokenKind::Graph => lsp::SemanticTokenType::NAMESPACE,
        TokenKind::Edge => lsp::SemanticTokenType::EVENT,
        TokenKind::State => lsp::SemanticTokenType::VARIABLE,
        TokenKind::Variable => lsp::SemanticTokenType::PARAMETER,
        TokenKind::Provided => lsp::SemanticTokenType::STRUCT,
        TokenKind::Function => lsp::SemanticTokenType::FUNCTION,
        TokenKind::Number => lsp::SemanticTokenType::NUMBER,
        TokenKind::Constant => lsp::SemanticTokenType::new("boolean"),
        TokenKind::Text => lsp::SemanticTokenType::STRING,
        TokenKind::Pattern => lsp::SemanticTokenType::REGEXP,
        TokenKind::Keyword => lsp::SemanticTokenType::KEYWORD,
        TokenKind::Operator => lsp::SemanticTokenType::OPERATOR,
        TokenKind::Builtin => lsp::SemanticTokenType::MACRO,
        TokenKind::Comment => lsp::SemanticTokenType::COMMENT,
    }
}

fn modifier(modifier: Modifiers) -> lsp::SemanticTokenModifier {
    match modifier {
        Modifiers::DECLARATION => lsp::SemanticTokenModifier::DECLARATION,
        Modifiers::DEPRECATED => lsp::SemanticTokenModifier::DEPRECATED,
        Modifiers::WRITE => lsp::SemanticTokenModifier::MODIFICATION,
        _ => lsp::SemanticTokenModifier::READONLY,
    }
}

#[cfg(test)]
mod tests {
    use super::{edit, lsp};

    fn check_edit(before: &str, after: &str, expected: &str) {
        let tokens = |letters: &str| -> Vec<lsp::SemanticToken> {
            let token = |letter: char| lsp::SemanticToken {
                delta_line: 0,
                delta_start: u32::from(letter),
                length: 1,
                token_type: 0,
                token_modifiers_bitset: 0,
            };
            letters.chars().map(token).collect()
        };
        let shown = edit(&tokens(before), &tokens(after)).map_or_else(String::new, |edit| {
            let new = edit.data.unwrap_or_default();
            let letters: String = new.iter().filter_map(|token| char::from_u32(token.delta_start)).collect();
            format!("{}-{}+{letters}", edit.start, edit.delete_count)
        });
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_changed_between_two_answers() {
        check_edit("abc", "abc", "");
        check_edit("abc", "abxc", "10-0+x");
        check_edit("abc", "ac", "5-5+");
        check_edit("aaa", "aa", "10-5+");
        check_edit("", "ab", "0-0+ab");
    }
}
