//! Words and symbols of other languages.
//!
//! Input: the words of each leaf; output: findings about words that mean nothing here. Invariant: quoted text is
//! never examined, and a word or dash without a value next to it belongs to a name.

use text_size::{TextRange, TextSize};

use super::layout::{Layout, Leaf, Role, is_reference, is_value};
use super::{FindingKind, RoutingFinding, groups, paths};
use crate::agentos::authored::{Word, WordKind};
use crate::agentos::{range, slice};
use crate::ast::ExprKind;
use crate::problem::quote;

/// A word among those of its leaf.
struct Place<'p, 'e> {
    layout: &'p Layout<'e>,
    leaf: &'p Leaf<'e>,
    words: &'p [Word<'e>],
    index: usize,
    word: Word<'e>,
    /// Whether the leaf holds a reference or a quoted text.
    holds_value: bool,
    /// The position of the other parenthesis among all words.
    partner: Option<usize>,
}

/// Longer replacements are not repeated in the help.
const LONGEST_ADVICE: usize = 60;

/// What is reported about a symbol: kind, range, message, help, replacement.
type SymbolReport = (FindingKind, TextRange, String, String, Option<String>);

/// The finding about a template brace, because of which the runtime refuses the whole expression.
pub(super) fn template(text: &str) -> Option<RoutingFinding> {
    let start = text.find("{{").or_else(|| text.find("}}"))?;
    let end = text.get(start..)?.find("}}").map_or(start + 2, |at| start + at + 2);
    let inner = text.get(start + 2..end.saturating_sub(2)).map(str::trim);
    let lone = text.matches("{{").count() == 1 && text.matches("}}").count() == 1;
    let replacement = inner.filter(|inner| lone && !inner.is_empty()).map(str::to_owned);
    Some(RoutingFinding {
        kind: FindingKind::Template,
        range: range(start, end),
        message: "braces make the whole expression `false`".to_owned(),
        help: Some("write the path without braces".to_owned()),
        replacement,
    })
}

/// The findings about all leaves. A leaf with a finding counts as explained.
pub(super) fn findings(layout: &mut Layout<'_>) -> Vec<RoutingFinding> {
    let mut findings = foreign_comparisons(layout);
    let partners = groups::partners(layout.words);
    // The end of the outermost group that has been reported.
    let mut reported_until = 0;
    // Where the last replacement ends; faults before this offset are fixed by it.
    let mut fixed_until = TextSize::default();
    let mut has_nested_choice = false;
    for leaf_index in 0..layout.leaves.len() {
        let Some(leaf) = layout.leaves.get(leaf_index) else { break };
        if leaf.is_explained || !leaf.is_suspect() {
            continue;
        }
        let words = layout.words_of(leaf);
        let holds_value = words.iter().any(is_value);
        let mut reported_here: Vec<FindingKind> = Vec::new();
        let mut is_in_group = false;
        for (index, word) in words.iter().enumerate() {
            let position = leaf.words.start + index;
            let partner = partners.get(position).copied().flatten();
            if partner.is_some() && position <= reported_until && reported_until > 0 {
                is_in_group = true;
                continue;
            }
            let place = Place { layout, words, index, word: *word, leaf, holds_value, partner };
            let Some((kind, range, message, help, replacement)) = place.report() else { continue };
            if range.start() < fixed_until {
                continue;
            }
            if kind == FindingKind::MalformedTernary && has_nested_choice {
                continue;
            }
            has_nested_choice |= kind == FindingKind::NestedTernary;
            if !reported_here.contains(&kind) {
                reported_here.push(kind);
            } else if replacement.is_none() {
                continue;
            }
            if replacement.is_some() && kind != FindingKind::Parentheses {
                fixed_until = range.end();
            }
            if kind == FindingKind::Parentheses {
                reported_until = partner.unwrap_or(reported_until);
            }
            findings.push(RoutingFinding { kind, range, message, help: Some(help), replacement });
        }
        let is_explained = is_in_group || !reported_here.is_empty();
        if let Some(leaf) = layout.leaves.get_mut(leaf_index) {
            leaf.is_explained = is_explained;
        }
    }
    findings
}

/// Findings about `=>`, `<>` and `=<`, of which the runtime only sees one half.
fn foreign_comparisons(layout: &mut Layout<'_>) -> Vec<RoutingFinding> {
    let mut findings = Vec::new();
    let mut marks = layout.marks.iter().peekable();
    for word in layout.words.iter().filter(|word| word.kind == WordKind::Symbol) {
        let Some(meant) = meant_comparison(word.text) else { continue };
        while marks.next_if(|mark| mark.end() <= word.range().start()).is_some() {}
        let Some(mark) = marks.peek().filter(|mark| mark.start() < word.range().end()) else { continue };
        findings.push(RoutingFinding {
            kind: FindingKind::ForeignOperator,
            range: word.range(),
            message: format!("`{}` is read as `{}` and text", word.text, slice(layout.text, **mark)),
            help: Some(format!("write `{meant}`")),
            replacement: Some(meant.to_owned()),
        });
    }
    let mut next = findings.iter().peekable();
    let touches = |leaf: &Leaf<'_>| {
        while next.next_if(|finding| finding.range.end() < leaf.expr.range.start()).is_some() {}
        next.peek().is_some_and(|finding| finding.range.start() <= leaf.expr.range.end())
    };
    let mut is_torn: Vec<bool> = layout.leaves.iter().map(touches).collect();
    // The half that the runtime saw makes a comparison, and its two sides are next to each other among the leaves.
    for (index, pair) in layout.leaves.windows(2).enumerate() {
        if let [Leaf { role: Role::Side(one), .. }, Leaf { role: Role::Side(other), .. }] = pair
            && std::ptr::eq(*one, *other)
            && (is_torn[index] || is_torn[index + 1])
        {
            (is_torn[index], is_torn[index + 1]) = (true, true);
        }
    }
    for (leaf, is_torn) in layout.leaves.iter_mut().zip(is_torn) {
        leaf.is_explained |= is_torn;
    }
    findings
}

fn meant_comparison(symbol: &str) -> Option<&'static str> {
    match symbol {
        "=>" => Some(">="),
        "=<" => Some("<="),
        "<>" => Some("!="),
        _ => None,
    }
}

impl<'e> Place<'_, 'e> {
    fn report(&self) -> Option<SymbolReport> {
        match self.word.kind {
            WordKind::Number => None,
            WordKind::Name => self.word_operator().or_else(|| self.unknown_root()),
            WordKind::Quoted => self.back_quoted(),
            WordKind::OpenQuote => {
                let mark = self.word.text.chars().next().unwrap_or('\'');
                let closed = format!("{}{mark}", self.word.text.trim_end());
                let help = format!("close it with `{mark}`");
                let closed = Some(closed).filter(|closed| closed.len() > 2);
                self.note(FindingKind::Quoting, "the quote is not closed", &help, closed)
            }
            WordKind::Symbol => match self.word.text {
                "!" => self.negation(),
                "(" => self.group(),
                ")" if self.partner.is_none() && self.holds_value => {
                    self.note(FindingKind::Parentheses, "`)` is read as text", "leave it out", None)
                }
                "[" => self.brackets(),
                "+" | "-" | "*" | "/" | "%" | "^" => self.arithmetic(),
                "?" | ":" => self.mark(),
                _ => self.symbol(),
            },
        }
    }

    fn note(
        &self,
        kind: FindingKind,
        message: &str,
        help: &str,
        replacement: Option<String>,
    ) -> Option<SymbolReport> {
        Some((kind, self.word.range(), message.to_owned(), help.to_owned(), replacement))
    }

    fn previous(&self) -> Option<&Word<'e>> {
        self.words.get(self.index.checked_sub(1)?)
    }

    fn next(&self) -> Option<&Word<'e>> {
        self.words.get(self.index + 1)
    }

    /// Where the word stands among all words.
    fn position(&self) -> usize {
        self.leaf.words.start + self.index
    }

    fn in_arm(&self) -> bool {
        self.leaf.role == Role::Arm
    }

    /// Whether words of the leaf show that it is meant as an expression.
    fn is_expression(&self) -> bool {
        matches!(self.leaf.role, Role::Side(_)) || self.holds_value
    }

    /// Symbols that show what is wrong without their neighbours.
    fn symbol(&self) -> Option<SymbolReport> {
        let arm_help = "an arm is a route or a path; decide in a router of its own";
        match self.word.text {
            "=~" | "!~" | "~=" => self.pattern(),
            "=" if self.next().is_some_and(|next| next.is_symbol("~") && !next.is_spaced) => self.pattern(),
            "=" => {
                let replacement = (!self.in_arm()).then(|| "==".to_owned());
                self.note(
                    FindingKind::ForeignOperator,
                    "`=` is read as text, not compared",
                    "write `==`",
                    replacement,
                )
            }
            "&" | "|" => {
                let doubled = self.word.text.repeat(2);
                let message = format!("`{}` is read as text", self.word.text);
                let replacement = (!self.in_arm()).then(|| doubled.clone());
                self.note(FindingKind::ForeignOperator, &message, &format!("write `{doubled}`"), replacement)
            }
            "?." => {
                let help = "write `.`: a path through nothing is undefined anyway";
                self.note(
                    FindingKind::OptionalChaining,
                    "`?.` makes the path plain text",
                    help,
                    Some(".".to_owned()),
                )
            }
            "??" => self.nullish(),
            "${" => self.placeholder(),
            "//" | "/*" | "#" if self.word.is_spaced => self.note(
                FindingKind::Trailing,
                "a comment is read as part of the text",
                "leave it out",
                None,
            ),
            ";" if self.position() + 1 == self.layout.words.len() => {
                self.note(FindingKind::Trailing, "`;` is read as text", "leave it out", Some(String::new()))
            }
            "&&" | "||" | "===" | "!==" | "==" | "!=" | ">=" | "<=" | ">" | "<" if self.in_arm() => {
                self.note(FindingKind::ArmExpression, "an arm is not evaluated: it is text", arm_help, None)
            }
            _ => None,
        }
    }

    fn nullish(&self) -> Option<SymbolReport> {
        let message = "`??` is read as text".to_owned();
        let choice = match self.words {
            [path, _, default] if self.leaf.role == Role::Whole && default.ends_operand() => {
                paths::meant(path).map(|path| format!("{path} == null ? {} : {path}", default.text))
            }
            _ => None,
        };
        let place = if choice.is_some() { self.leaf.expr.range } else { self.word.range() };
        let help = "write `path == null ? default : path`".to_owned();
        Some((FindingKind::Nullish, place, message, help, choice))
    }

    /// `${path}`
    fn placeholder(&self) -> Option<SymbolReport> {
        let (path, close) = (self.next(), self.words.get(self.index + 2));
        let path = path.filter(|_| close.is_some_and(|close| close.is_symbol("}"))).and_then(paths::meant);
        let end = close.filter(|_| path.is_some()).map_or(self.word.end(), Word::end);
        let message = "`${` is read as text".to_owned();
        let help = "write the path without braces".to_owned();
        Some((FindingKind::Template, range(self.word.start, end), message, help, path))
    }

    fn negation(&self) -> Option<SymbolReport> {
        let rest = self.words.get(self.index + 1..)?;
        if rest.is_empty() {
            return None;
        }
        let lone = match rest {
            [path] if self.index == 0 => paths::meant(path),
            _ => None,
        };
        let replaced = lone.filter(|_| matches!(self.leaf.role, Role::Whole | Role::Truth));
        let last = rest.last().filter(|_| replaced.is_some());
        let end = last.map_or(self.word.end(), Word::end);
        let help = match &replaced {
            Some(path) => format!("write `{} == false`, or swap the arms of a choice", quote(path)),
            None => "compare with `== false`, or swap the arms of a choice".to_owned(),
        };
        let message = format!("`{}` is read as text and negates nothing", self.word.text);
        let replacement = replaced.map(|path| format!("{path} == false"));
        Some((FindingKind::Negation, range(self.word.start, end), message, help, replacement))
    }

    /// A match of a regular expression.
    fn pattern(&self) -> Option<SymbolReport> {
        let help = "there are no patterns; compare with `==`, or let a node before test the text";
        let message = format!("`{}` is read as text", quote(slice(self.layout.text, self.word.range())));
        self.note(FindingKind::ForeignOperator, &message, help, None)
    }

    /// `a if c else b`, and `if c then a else b`.
    fn choice(&self) -> Option<SymbolReport> {
        let words = self.words;
        let find =
            |name: &str| words.iter().position(|word| word.kind == WordKind::Name && word.text == name);
        let otherwise = find("else").filter(|at| *at > self.index + 1 && *at + 1 < words.len())?;
        let text = |from: usize, to: usize| {
            let (first, last) = (words.get(from)?, words.get(to.checked_sub(1)?)?);
            (from < to).then(|| slice(self.layout.text, range(first.start, last.end())))
        };
        let (condition, one) =
            match find("then").filter(|at| self.index == 0 && *at > 1 && *at + 1 < otherwise) {
                Some(then) => (text(1, then)?, text(then + 1, otherwise)?),
                None => (text(self.index + 1, otherwise)?, text(0, self.index)?),
            };
        let choice = format!("{condition} ? {one} : {}", text(otherwise + 1, words.len())?);
        let place = range(words.first()?.start, words.last()?.end());
        let help = format!("write `{}`", quote(&choice));
        let replacement = (self.leaf.role == Role::Whole).then_some(choice);
        Some((
            FindingKind::MalformedTernary,
            place,
            "`if` and `else` are read as text".to_owned(),
            help,
            replacement,
        ))
    }

    /// `and`, `or`, `not` with values next to them.
    fn word_operator(&self) -> Option<SymbolReport> {
        let word = self.word.text.to_ascii_lowercase();
        if word == "if" {
            return self.choice();
        }
        if word == "not" && self.index == 0 {
            return self.next().filter(|_| self.holds_value).and_then(|_| self.negation());
        }
        let symbol = match word.as_str() {
            "and" => "&&",
            "or" => "||",
            _ => return None,
        };
        let is_between = self.previous().is_some_and(Word::ends_operand) && self.next().is_some();
        if !is_between || !self.is_expression() {
            return None;
        }
        let replacement = (!self.in_arm()).then(|| symbol.to_owned());
        let message = format!("`{}` is read as text", self.word.text);
        self.note(FindingKind::WordOperator, &message, &format!("write `{symbol}`"), replacement)
    }

    /// A path among other words that does not begin at a partition, but contains one.
    fn unknown_root(&self) -> Option<SymbolReport> {
        let path = paths::meant(&self.word).filter(|path| *path != self.word.text && self.words.len() > 1)?;
        let RoutingFinding { kind, range, message, help, replacement } =
            paths::unknown_root(&self.word, Some(path));
        Some((kind, range, message, help?, replacement))
    }

    fn back_quoted(&self) -> Option<SymbolReport> {
        let inner = self.word.text.strip_prefix('`')?.strip_suffix('`')?;
        let is_plain = !inner.contains(['\'', '"', '$', '\\']);
        let replacement = is_plain.then(|| format!("'{inner}'"));
        self.note(FindingKind::Quoting, "back quotes are part of the text", "write `'` or `\"`", replacement)
    }

    fn group(&self) -> Option<SymbolReport> {
        let callee = self.previous().filter(|_| !self.word.is_spaced);
        if let Some(callee) = callee.filter(|word| word.kind == WordKind::Name) {
            let message = format!("`{}` is read as text and calls nothing", quote(callee.text));
            let help = "compute the value in a node before, and compare its path".to_owned();
            let place = callee.range().cover(self.word.range());
            return Some((FindingKind::Call, place, message, help, None));
        }
        if !self.is_expression() && matches!(self.leaf.role, Role::Whole | Role::Arm) {
            return None;
        }
        let (all, text) = (self.layout.words, self.layout.text);
        let close = self.partner.and_then(|partner| all.get(partner));
        let replacement =
            self.partner.and_then(|partner| groups::without(text, all, self.position(), partner));
        let help = match &replacement {
            Some(inner) if inner.chars().count() <= LONGEST_ADVICE => format!("write `{inner}`"),
            Some(_) => "leave the parentheses out".to_owned(),
            None => "`&&` binds before `||`: write `a && c || b && c` for `(a || b) && c`".to_owned(),
        };
        let place = range(self.word.start, close.map_or(self.word.end(), Word::end));
        let message = "parentheses group nothing: they are text".to_owned();
        Some((FindingKind::Parentheses, place, message, help, replacement))
    }

    fn brackets(&self) -> Option<SymbolReport> {
        let owner = self.previous().filter(|word| !self.word.is_spaced && word.ends_operand());
        if owner.is_none() {
            let help = "compare with each value, joined by `||`";
            return self.note(FindingKind::Brackets, "there are no lists: this is text", help, None);
        }
        let (index, close) = (self.next(), self.words.get(self.index + 2));
        let end = close.filter(|close| close.is_symbol("]")).map_or(self.word.end(), Word::end);
        let name = index.map(|index| match index.kind {
            WordKind::Quoted => index.text.trim_matches(['\'', '"']),
            _ => index.text,
        });
        let is_name = |name: &&str| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        let replacement =
            name.filter(is_name).filter(|_| end > self.word.end()).map(|name| format!(".{name}"));
        let help = match &replacement {
            Some(replacement) => format!("write `{}`", quote(replacement)),
            None => "reach with dots: `scratch.items.0`".to_owned(),
        };
        let message = "brackets make the path plain text".to_owned();
        Some((FindingKind::Brackets, range(self.word.start, end), message, help, replacement))
    }

    fn arithmetic(&self) -> Option<SymbolReport> {
        let (previous, next) = (self.previous(), self.next());
        let (Some(previous), Some(next)) = (previous, next) else {
            let operand = previous.or(next).filter(|operand| is_value(operand))?;
            let message = format!("`{}` calculates nothing: it is text", self.word.text);
            let place = self.word.range().cover(operand.range());
            return Some((FindingKind::Arithmetic, place, message, calculation_help(), None));
        };
        let is_tight = !self.word.is_spaced && !next.is_spaced;
        if self.word.text == "-" && is_tight && is_reference(previous) {
            let place = previous.range().cover(next.range());
            let message = format!("`{}` is text: paths have no `-`", quote(slice(self.layout.text, place)));
            let help = "let a node write the value under a name of letters, digits and `_`".to_owned();
            return Some((FindingKind::DashedPath, place, message, help, None));
        }
        let are_numbers =
            self.word.is_spaced && previous.kind == WordKind::Number && next.kind == WordKind::Number;
        let follows_group = previous.is_symbol(")") || next.is_symbol("(");
        if !(is_value(previous) || is_value(next) || are_numbers || follows_group) {
            return None;
        }
        let message = format!("`{}` calculates nothing: it is text", self.word.text);
        Some((FindingKind::Arithmetic, self.word.range(), message, calculation_help(), None))
    }

    /// A `?` or `:` where the runtime did not cut.
    fn mark(&self) -> Option<SymbolReport> {
        let is_loose = self.word.is_spaced || self.next().is_none_or(|next| next.is_spaced);
        match self.leaf.role {
            Role::Arm if self.word.text == "?" && (is_loose || self.holds_value) => {
                let help = "lead this arm to a second router, which decides further";
                self.note(FindingKind::NestedTernary, "a choice in an arm is text", help, None)
            }
            Role::Arm if self.word.text == ":" && is_loose => {
                let help = "write one `:`; a second choice needs a second router";
                self.note(FindingKind::MalformedTernary, "this `:` is part of the text", help, None)
            }
            Role::Arm => None,
            _ if self.word.text == "?" && self.next().is_some() && self.is_expression() => {
                let help = "write `condition ? one : other`";
                self.note(FindingKind::MalformedTernary, "`?` lacks its parts: it is text", help, None)
            }
            _ => None,
        }
    }
}

fn calculation_help() -> String {
    "compute the value in a node before, and compare its path".to_owned()
}

/// Whether the leaf's text is a quoted text with an escape.
pub(super) fn escape(leaf: &Leaf<'_>) -> Option<RoutingFinding> {
    let ExprKind::Text(text) = &leaf.expr.kind else { return None };
    let escaped = format!("\\{}", text.quote);
    let other = if text.quote == '"' { '\'' } else { '"' };
    let meant =
        text.value.contains(&escaped).then(|| text.value.replace(&escaped, &text.quote.to_string()))?;
    let is_possible = !meant.contains(['\\', other]);
    Some(RoutingFinding {
        kind: FindingKind::Quoting,
        range: leaf.expr.range,
        message: "there are no escapes: the `\\` is part of the text".to_owned(),
        help: Some("put the text in the other quotes".to_owned()),
        replacement: is_possible.then(|| format!("{other}{meant}{other}")),
    })
}
