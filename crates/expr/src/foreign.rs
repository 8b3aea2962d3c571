//! Conditions in the notation of other languages, rewritten in the language's own notation: Python's `is not None`,
//! SQL's `<>`, the braces of templates.
//!
//! Input: a text that the language refuses; output: one that it accepts, and what was changed. Invariant: quoted text
//! stays unchanged, and a text that means something else in the language is never proposed.

mod scan;

use nodewise_platform::sorting::Sorting;
use scan::{Kind, Piece, scan};
use text_size::{TextRange, TextSize};

use crate::problem::{ParseProblem, Replacement, quote};

/// How a language writes things that other languages write differently.
#[derive(Debug)]
pub(crate) struct Notation {
    pub(crate) and: &'static str,
    pub(crate) or: &'static str,
    pub(crate) not: &'static str,
    /// Whether it has `&&`, `||` and `!`.
    pub(crate) has_symbols: bool,
    /// The literals for true, false and nothing, if the language has them.
    pub(crate) literals: Option<[&'static str; 3]>,
    /// The functions whose names begin with `$`, without the `$`.
    pub(crate) builtins: &'static [&'static str],
    /// Whether a dotted name by itself is a function to call.
    pub(crate) has_functions: bool,
    /// The operator that matches a regular expression, if there is one.
    pub(crate) pattern: Option<&'static str>,
    /// The root of paths that other systems call `state`.
    pub(crate) root: Option<&'static str>,
    /// What replaces outcomes that conditions of other systems name: always, success, failure.
    pub(crate) outcomes: Option<[&'static str; 3]>,
    pub(crate) accepts: fn(&str) -> bool,
}

/// A text that is translated to the language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Translation {
    pub(crate) text: String,
    /// What to do, as advice: "write `!=`".
    pub(crate) advice: String,
}

/// Longer texts are not repeated in the help.
const LONGEST_HELP: usize = 60;
/// Longer texts are not translated.
const LONGEST: usize = 1000;

/// The text in the language's own notation, if its notation is the only thing wrong with it.
pub(crate) fn translated(text: &str, notation: &Notation) -> Option<Translation> {
    if text.len() > LONGEST {
        return None;
    }
    let mut translator = Translator { notation, advice: None };
    let found = translator.whole(text.trim()).or_else(|| {
        let inner = translator.unwrapped(text.trim());
        let mut pieces = scan(inner);
        translator.rewrite(&mut pieces);
        Some(pieces.concat())
    })?;
    let advice = translator.advice?;
    let is_new = found != text && (notation.accepts)(&found);
    is_new.then_some(Translation { text: found, advice })
}

/// Keeps only replacements after which the text is an expression: the first one, or all together, or else a translation.
pub(crate) fn settle(text: &str, problems: &mut [ParseProblem], notation: &Notation) {
    let whole = TextRange::up_to(TextSize::of(text));
    let own: Vec<Replacement> = problems.iter().filter_map(|problem| problem.replacement.clone()).collect();
    let Some(first) = problems.first_mut() else { return };
    let alone =
        first.replacement.as_ref().and_then(|replacement| replaced(text, std::slice::from_ref(replacement)));
    if alone.is_some_and(|text| (notation.accepts)(&text)) {
        return;
    }
    let together = replaced(text, &own).filter(|found| found != text && (notation.accepts)(found));
    match (together, translated(text, notation)) {
        (Some(found), _) => {
            first.help = match found.chars().count() <= LONGEST_HELP {
                true => Some(format!("write `{found}`")),
                false => first.help.take().or_else(|| Some(format!("write `{}`", quote(&found)))),
            };
            first.replacement = Some(Replacement { range: whole, text: found });
        }
        (None, Some(found)) => {
            first.help = Some(match found.text.chars().count() <= LONGEST_HELP {
                true => format!("{}: `{}`", found.advice, found.text),
                false => found.advice,
            });
            first.replacement = Some(Replacement { range: whole, text: found.text });
        }
        (None, None) => {
            first.replacement = None;
            first.help = foreign(text, notation).or_else(|| first.help.take());
        }
    }
    problems.iter_mut().skip(1).for_each(|problem| problem.replacement = None);
}

/// Advice about something that the language cannot express.
fn foreign(text: &str, notation: &Notation) -> Option<String> {
    // filtrex has patterns, and explains everything else in its own problems.
    if text.len() > LONGEST || notation.pattern.is_some() {
        return None;
    }
    let pieces = scan(text);
    let words = |names: &[&str]| {
        pieces.iter().any(|piece| {
            piece.kind == Kind::Word && names.contains(&piece.text.to_ascii_lowercase().as_str())
        })
    };
    let signs = |names: &[&str]| {
        pieces.iter().any(|piece| piece.kind == Kind::Sign && names.contains(&piece.text.as_str()))
    };
    let is_pattern =
        signs(&["=~", "!~", "~="]) || words(&["matches", "like", "ilike", "regex", "rlike", "test", "match"]);
    if is_pattern {
        return Some("there are no patterns; let a function test the text before".to_owned());
    }
    if words(&["between"]) {
        return Some(format!("write `x >= low {} x <= high`", notation.and));
    }
    if signs(&["??"]) {
        return Some("there is no `??`; test for a missing value in a condition of its own".to_owned());
    }
    if signs(&["//", "/*"]) {
        return Some("remove the comment: a condition has none".to_owned());
    }
    let is_part =
        words(&["contains", "includes", "startswith", "endswith", "starts_with", "ends_with", "indexof"]);
    is_part.then(|| "a condition compares whole values; let a function look into the text before".to_owned())
}

/// The text with all replacements applied, if no two of them touch.
fn replaced(text: &str, replacements: &[Replacement]) -> Option<String> {
    let mut sorted: Vec<&Replacement> = replacements.iter().collect();
    sorted.arrange_by_key(|replacement| replacement.range.start());
    let mut found = String::with_capacity(text.len());
    let mut done = 0;
    for Replacement { range, text: new } in sorted {
        found.push_str(text.get(done..usize::from(range.start()))?);
        found.push_str(new);
        done = usize::from(range.end());
    }
    found.push_str(text.get(done..)?);
    Some(found)
}

struct Translator<'n> {
    notation: &'n Notation,
    /// The explanation of the first change.
    advice: Option<String>,
}

impl Translator<'_> {
    fn advise(&mut self, advice: impl Into<String>) {
        self.advice.get_or_insert_with(|| advice.into());
    }

    /// A text that consists of one call.
    fn whole(&mut self, text: &str) -> Option<String> {
        let name = text.strip_suffix("()")?.trim_end();
        if let Some([always, success, failure]) = self.notation.outcomes {
            let meant = match name {
                "always" => Some(always),
                "success" => Some(success),
                "failure" | "failed" => Some(failure),
                _ => None,
            };
            if let Some(meant) = meant {
                self.advise(format!("write `{meant}`"));
                return Some(meant.to_owned());
            }
        }
        let is_path = name.contains('.') && name.split('.').all(is_name);
        if is_path && self.notation.has_functions {
            self.advise("name the function without parentheses");
            return Some(name.to_owned());
        }
        None
    }

    /// The text inside braces around the whole, or after an `if`.
    fn unwrapped<'t>(&mut self, text: &'t str) -> &'t str {
        for open in ["${{", "{{", "#{", "${"] {
            let close = if open.ends_with("{{") { "}}" } else { "}" };
            let inner = text.strip_prefix(open).and_then(|inner| inner.strip_suffix(close));
            if let Some(inner) = inner.filter(|inner| !inner.contains(['{', '}'])) {
                self.advise(format!("write it without `{open} {close}`"));
                return inner.trim();
            }
        }
        let lower = text.get(..3).map(str::to_ascii_lowercase);
        match text.get(3..).filter(|rest| lower.as_deref() == Some("if ") && !rest.contains(" then ")) {
            Some(rest) => {
                self.advise("remove `if`");
                rest.trim().trim_end_matches(':')
            }
            None => text,
        }
    }

    fn rewrite(&mut self, pieces: &mut Vec<Piece>) {
        self.comments(pieces);
        self.texts(pieces);
        self.braces(pieces);
        self.paths(pieces);
        self.words(pieces);
        self.alternatives(pieces);
        self.signs(pieces);
        self.calls(pieces);
        self.closing(pieces);
    }

    /// Removes a comment after the condition.
    fn comments(&mut self, pieces: &mut Vec<Piece>) {
        let begins = |piece: &Piece| piece.kind == Kind::Sign && matches!(piece.text.as_str(), "//" | "/*");
        if let Some(at) = pieces.iter().position(begins).filter(|at| *at > 0) {
            self.advise("remove the comment: a condition has none");
            pieces.truncate(at);
            scan::tidy_blanks(pieces);
        }
    }

    /// `$is_error(A | B)`: names are separated by commas.
    fn alternatives(&mut self, pieces: &mut [Piece]) {
        let mut is_inside = false;
        let mut position = 0;
        while let Some(piece) = pieces.get(position) {
            let is_builtin =
                piece.text.strip_prefix('$').is_some_and(|name| self.notation.builtins.contains(&name));
            is_inside = match piece.text.as_str() {
                ")" => false,
                _ if is_builtin => pieces.get(position + 1).is_some_and(|next| next.text == "("),
                _ => is_inside,
            };
            let is_or = matches!(piece.text.as_str(), "|" | "||") || piece.text.eq_ignore_ascii_case("or");
            if is_inside && is_or {
                self.advise("part the names with commas");
                pieces[position] = Piece::new(Kind::Sign, ",");
                if position > 0 && pieces[position - 1].kind == Kind::Blank {
                    pieces[position - 1].text.clear();
                }
            }
            position += 1;
        }
    }

    /// Curly quotes, doubled quotes and quotes that are never closed.
    fn texts(&mut self, pieces: &mut Vec<Piece>) {
        let mut position = 0;
        while let Some(piece) = pieces.get(position) {
            match piece.kind {
                Kind::CurlyText => {
                    let inner: String = piece.text.chars().skip(1).collect();
                    let inner = inner.trim_end_matches(['’', '”', '‘', '“']).to_owned();
                    self.advise("write straight quotes");
                    pieces[position] = Piece::new(Kind::Text, format!("'{inner}'"));
                }
                Kind::OpenText => {
                    let mark = if piece.text.starts_with('"') { '"' } else { '\'' };
                    let closed = format!("{}{mark}", piece.text.trim_end());
                    self.advise(format!("close the text with `{mark}`"));
                    pieces[position] = Piece::new(Kind::Text, closed);
                }
                Kind::Text if piece.text.len() == 2 => {
                    let mark = piece.text.clone();
                    let inner = pieces.get(position + 1).filter(|inner| inner.kind == Kind::Word);
                    let closing = pieces.get(position + 2).filter(|closing| closing.text == mark);
                    if let (Some(inner), Some(_)) = (inner, closing) {
                        let text = format!("'{}'", inner.text);
                        self.advise("write one quote on each side");
                        pieces.splice(position..position + 3, [Piece::new(Kind::Text, text)]);
                    }
                }
                _ => {}
            }
            position += 1;
        }
    }

    /// Braces of templates around names.
    fn braces(&mut self, pieces: &mut Vec<Piece>) {
        let is_brace = |piece: &Piece| matches!(piece.text.as_str(), "{" | "}" | "${" | "#{");
        if pieces.iter().any(is_brace) {
            self.advise("write the name without braces");
            pieces.retain(|piece| !is_brace(piece));
            scan::tidy_blanks(pieces);
        }
    }

    /// Names that begin with a dot, `$.` or `@`, and keys in brackets.
    fn paths(&mut self, pieces: &mut Vec<Piece>) {
        let mut position = 0;
        while let Some(piece) = pieces.get(position) {
            let next = pieces.get(position + 1);
            let begins = position.checked_sub(1).and_then(|before| pieces.get(before)).is_none_or(|before| {
                !matches!(before.kind, Kind::Word | Kind::Text) && before.text != ")" && before.text != "]"
            });
            let is_mark = matches!(piece.text.as_str(), "." | "$." | "@") && begins;
            if is_mark && next.is_some_and(|next| next.kind == Kind::Word) {
                let advice = format!("remove `{}` in front of the name", piece.text);
                self.advise(advice);
                pieces.remove(position);
                continue;
            }
            if let Some(name) = piece.text.strip_prefix('$').filter(|name| self.is_plain_name(name, next)) {
                self.advise("remove `$` in front of the name");
                pieces[position] = Piece::new(Kind::Word, name.to_owned());
                continue;
            }
            let root =
                self.notation.root.filter(|_| piece.text == "state" && piece.kind == Kind::Word && begins);
            if let Some(root) = root.filter(|_| next.is_some_and(|next| next.text == "[")) {
                self.advise(format!("write `{root}.` in front of a key"));
                pieces[position].text = root.to_owned();
                position += 1;
                continue;
            }
            if piece.text == "["
                && !begins
                && let Some(key) = next.filter(|next| next.kind == Kind::Text)
                && pieces.get(position + 2).is_some_and(|close| close.text == "]")
            {
                let key = key.text.trim_matches(['\'', '"']).to_owned();
                if is_name(&key) {
                    self.advise(format!("write `.{key}`"));
                    pieces.splice(
                        position..position + 3,
                        [Piece::new(Kind::Sign, "."), Piece::new(Kind::Word, key)],
                    );
                }
            }
            position += 1;
        }
    }

    /// Whether a name behind `$` is none of the builtins, and not called.
    fn is_plain_name(&self, name: &str, next: Option<&Piece>) -> bool {
        is_name(name) && !self.notation.builtins.contains(&name) && next.is_none_or(|next| next.text != "(")
    }

    fn words(&mut self, pieces: &mut Vec<Piece>) {
        let mut position = 0;
        while let Some(piece) = pieces.get(position) {
            let is_member = position
                .checked_sub(1)
                .and_then(|before| pieces.get(before))
                .is_some_and(|before| before.text == ".");
            if piece.kind == Kind::Number {
                self.number(pieces, position);
            } else if piece.kind == Kind::Word && !is_member {
                self.word(pieces, position);
            }
            position += 1;
        }
    }

    /// `1,000` and `1_000` are 1000.
    fn number(&mut self, pieces: &mut Vec<Piece>, position: usize) {
        let is_group = |piece: Option<&Piece>| {
            piece.is_some_and(|piece| piece.kind == Kind::Number && piece.text.len() == 3)
        };
        let mut whole = pieces[position].text.clone();
        while pieces.get(position + 1).is_some_and(|comma| comma.text == ",")
            && is_group(pieces.get(position + 2))
        {
            whole.push_str(&pieces[position + 2].text);
            pieces.drain(position + 1..position + 3);
        }
        let plain = whole.replace('_', "");
        if plain != pieces[position].text {
            self.advise("write the number without separators");
            pieces[position].text = plain;
        }
    }

    fn word(&mut self, pieces: &mut Vec<Piece>, position: usize) {
        let written = pieces[position].text.clone();
        let lower = written.to_ascii_lowercase();
        let Notation { and, or, not, literals, .. } = *self.notation;
        let is_call = pieces.get(position + 1).is_some_and(|next| next.text == "(");
        let sign = match lower.as_str() {
            "eq" | "equals" => Some("=="),
            "ne" | "neq" => Some("!="),
            "gt" => Some(">"),
            "gte" | "ge" => Some(">="),
            "lt" => Some("<"),
            "lte" | "le" => Some("<="),
            _ => None,
        };
        let has_operand_before = scan::word_before(pieces, position).is_some();
        let meant = match lower.as_str() {
            "and" => Some(and),
            "or" => Some(or),
            "not" => Some(not),
            "in" if written != "in" => Some("in"),
            "is" if has_operand_before => return self.is_of(pieces, position),
            "true" => literals.map(|[truth, _, _]| truth),
            "false" => literals.map(|[_, falsehood, _]| falsehood),
            "null" | "none" | "nil" | "undefined" => literals.map(|[_, _, nothing]| nothing),
            _ if sign.is_some() && has_operand_before && !is_call => sign,
            name if is_call && self.notation.builtins.contains(&name) => {
                self.advise(format!("write `${name}`"));
                pieces[position].text = format!("${name}");
                return;
            }
            _ => None,
        };
        if let Some(meant) = meant.filter(|meant| *meant != written) {
            let in_small = if meant.eq_ignore_ascii_case(&written) { " in small letters" } else { "" };
            self.advise(format!("write `{meant}`{in_small}"));
            pieces[position].text = meant.to_owned();
        }
    }

    /// Rewrites `is` and `is not`.
    fn is_of(&mut self, pieces: &mut Vec<Piece>, position: usize) {
        let next = scan::word_after(pieces, position);
        let negation = next.filter(|next| pieces[*next].text.eq_ignore_ascii_case("not"));
        let sign = if negation.is_some() { "!=" } else { "==" };
        if let Some(negation) = negation {
            pieces.drain(position + 1..=negation);
        }
        self.advise(format!("write `{sign}`"));
        pieces[position] = Piece::new(Kind::Sign, sign);
    }

    fn signs(&mut self, pieces: &mut [Piece]) {
        let Notation { and, or, .. } = *self.notation;
        for piece in pieces.iter_mut().filter(|piece| piece.kind == Kind::Sign) {
            let (meant, advice) = match piece.text.as_str() {
                "=" | "===" => ("==", "write `==` to compare".to_owned()),
                "<>" | "!==" => ("!=", "write `!=`".to_owned()),
                "=>" => (">=", "write `>=`".to_owned()),
                "=<" | "≤" | "⩽" => ("<=", "write `<=`".to_owned()),
                "≥" | "⩾" => (">=", "write `>=`".to_owned()),
                "≠" => ("!=", "write `!=`".to_owned()),
                "?." => (".", "write `.`: a path through nothing finds nothing".to_owned()),
                "=~" if self.notation.pattern.is_some() => {
                    let pattern = self.notation.pattern.unwrap_or_default();
                    (pattern, format!("write `{pattern}`"))
                }
                "&" if self.notation.has_symbols => (and, format!("write `{and}`, or `&&`")),
                "|" if self.notation.has_symbols => (or, format!("write `{or}`, or `||`")),
                "&" | "&&" if !self.notation.has_symbols => (and, format!("write `{and}`")),
                "|" | "||" if !self.notation.has_symbols => (or, format!("write `{or}`")),
                _ => continue,
            };
            self.advise(advice);
            piece.text = meant.to_owned();
        }
    }

    /// Builtins without parentheses.
    fn calls(&mut self, pieces: &mut [Piece]) {
        let mut position = 0;
        while let Some(piece) = pieces.get(position) {
            let is_builtin =
                piece.text.strip_prefix('$').is_some_and(|name| self.notation.builtins.contains(&name));
            if is_builtin && pieces.get(position + 1).is_none_or(|next| next.text != "(") {
                let name = piece.text.clone();
                self.advise(format!("write `{name}()`"));
                pieces[position].text = format!("{name}()");
            }
            position += 1;
        }
    }

    /// Parentheses that are never closed.
    fn closing(&mut self, pieces: &mut Vec<Piece>) {
        let count = |sign: &str| pieces.iter().filter(|piece| piece.text == sign).count();
        let missing = count("(").saturating_sub(count(")"));
        if missing > 0 {
            self.advise("close the parenthesis with `)`");
            pieces.push(Piece::new(Kind::Sign, ")".repeat(missing)));
        }
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests;
