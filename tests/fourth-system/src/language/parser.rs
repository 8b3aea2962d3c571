//! Texts to tokens, and tokens to a tree: `key is [not] 'text'`, joined by `and`.

use nodewise_expr::ast::{
    Compare, CompareOperator, Expr, ExprKind, Grouping, Logic, LogicLink, LogicOperator, Path, Segment,
    Spelling, Text,
};
use nodewise_expr::problem::{ParseProblem, ParseProblemKind};
use nodewise_expr::token::{Token, TokenClass};
use nodewise_expr::{TextRange, TextSize};
use smol_str::SmolStr;

/// The tokens of a text, in reading order. Every byte that is no blank belongs to one.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|letter: char| !letter.is_whitespace()) {
        rest = &rest[start..];
        let length = match rest.strip_prefix('\'') {
            Some(inner) => inner.find('\'').map_or(rest.len(), |end| end + 2),
            None => rest.find(|letter: char| letter.is_whitespace() || letter == '\'').unwrap_or(rest.len()),
        };
        let (word, behind) = rest.split_at(length);
        let at = TextSize::of(text) - TextSize::of(rest);
        tokens.push(Token { class: class(word), range: TextRange::at(at, TextSize::of(word)) });
        rest = behind;
    }
    tokens
}

fn class(word: &str) -> TokenClass {
    match word {
        "is" | "not" | "and" => TokenClass::Keyword,
        text if text.starts_with('\'') && text.len() > 1 && text.ends_with('\'') => TokenClass::Text,
        text if text.starts_with('\'') => TokenClass::OpenText,
        _ => TokenClass::Name,
    }
}

/// The tree of a text, and the first reason why it is no condition.
#[must_use]
pub fn parse(text: &str) -> (Expr, Vec<ParseProblem>) {
    let tokens = tokens(text);
    let mut reader = Reader { text, tokens: &tokens, next: 0 };
    match reader.conjunction() {
        Ok(expr) => (expr, Vec::new()),
        Err(problem) => {
            let whole = TextRange::up_to(TextSize::of(text));
            let names = tokens.iter().filter(|token| token.class == TokenClass::Name);
            let known = names.map(|token| variable(text, *token)).collect();
            (Expr { kind: ExprKind::Error(known), range: whole }, vec![problem])
        }
    }
}

fn variable(text: &str, token: Token) -> Expr {
    let name = SmolStr::new(text.get(std::ops::Range::<usize>::from(token.range)).unwrap_or_default());
    let segments = vec![Segment { name, range: token.range }];
    Expr { kind: ExprKind::Variable(Path { segments }), range: token.range }
}

struct Reader<'t> {
    text: &'t str,
    tokens: &'t [Token],
    next: usize,
}

impl Reader<'_> {
    fn conjunction(&mut self) -> Result<Expr, ParseProblem> {
        let first = self.comparison()?;
        let mut rest = Vec::new();
        while let Some(and) = self.take_word("and") {
            let operand = self.comparison()?;
            rest.push(LogicLink { spelling: Spelling::Word, operator_range: and.range, operand });
        }
        if self.next < self.tokens.len() {
            return Err(self.expected("`and`"));
        }
        let Some(last) = rest.last() else { return Ok(first) };
        let range = first.range.cover(last.operand.range);
        let logic = Logic { operator: LogicOperator::And, grouping: Grouping::Left, first, rest };
        Ok(Expr { kind: ExprKind::Logic(Box::new(logic)), range })
    }

    fn comparison(&mut self) -> Result<Expr, ParseProblem> {
        let name = self.take(TokenClass::Name, "a key")?;
        let left = variable(self.text, name);
        let is = self.take_word("is").ok_or_else(|| self.expected("`is`"))?;
        let not = self.take_word("not");
        let value = self.take(TokenClass::Text, "a text in quotes")?;
        let shown = self.shown(value);
        let text = Text { value: SmolStr::new(shown.trim_matches('\'')), quote: '\'' };
        let right = Expr { kind: ExprKind::Text(text), range: value.range };
        let operator = if not.is_some() { CompareOperator::NotEqual } else { CompareOperator::Equal };
        let operator_range = not.map_or(is.range, |not| is.range.cover(not.range));
        let range = left.range.cover(right.range);
        let compare = Compare { left, operator, operator_range, right };
        Ok(Expr { kind: ExprKind::Compare(Box::new(compare)), range })
    }

    fn shown(&self, token: Token) -> &str {
        self.text.get(std::ops::Range::<usize>::from(token.range)).unwrap_or_default()
    }

    fn take_word(&mut self, word: &str) -> Option<Token> {
        let token = self.tokens.get(self.next).copied().filter(|token| self.shown(*token) == word)?;
        self.next += 1;
        Some(token)
    }

    fn take(&mut self, class: TokenClass, what: &str) -> Result<Token, ParseProblem> {
        match self.tokens.get(self.next).copied().filter(|token| token.class == class) {
            Some(token) => {
                self.next += 1;
                Ok(token)
            }
            None => Err(self.expected(what)),
        }
    }

    /// The problem that something else should stand here.
    fn expected(&self, what: &str) -> ParseProblem {
        let end = TextRange::empty(TextSize::of(self.text));
        let (range, kind) = match self.tokens.get(self.next) {
            Some(token) => (token.range, ParseProblemKind::UnexpectedToken),
            None => (end, ParseProblemKind::UnexpectedEnd),
        };
        ParseProblem {
            kind,
            range,
            message: format!("{what} must stand here"),
            help: None,
            replacement: None,
        }
    }
}
