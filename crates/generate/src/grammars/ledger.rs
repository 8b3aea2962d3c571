//! The accepted differences of a grammar from the parser and the lexer of nodewise, with their reasons.
//!
//! Input is a row that differs. Output is whether there is a reason. Invariant: each reason has the number of rows that
//! it explains, so a change of a grammar is noticed.

use std::collections::BTreeMap;

use nodewise_expr::ast::{Expr, ExprKind};

/// The subject of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// tree-sitter's trees.
    Trees,
    /// The captures of tree-sitter's highlights.
    Highlights,
    /// The scopes of a TextMate grammar.
    TextMate,
}

/// A reason for differences.
struct Reason {
    grammar: &'static str,
    subject: Subject,
    why: &'static str,
    /// Whether it explains the difference for this text.
    explains: fn(&str, Option<&Expr>) -> bool,
    /// The number of rows that it explains.
    rows: usize,
}

/// The differences of one comparison, by their reasons.
pub(crate) struct Tally {
    grammar: &'static str,
    subject: Subject,
    explained: BTreeMap<usize, usize>,
    unexplained: usize,
}

impl Tally {
    pub(crate) fn new(grammar: &'static str, subject: Subject) -> Tally {
        Tally { grammar, subject, explained: BTreeMap::new(), unexplained: 0 }
    }

    /// Counts a difference. Prints it if it has no reason.
    pub(crate) fn differs(&mut self, text: &str, expr: Option<&Expr>, ours: &str, theirs: &str) {
        let applies = |(_, reason): &(usize, &Reason)| self.concerns(reason) && (reason.explains)(text, expr);
        if let Some((number, _)) = LEDGER.iter().enumerate().find(applies) {
            *self.explained.entry(number).or_default() += 1;
            return;
        }
        self.unexplained += 1;
        println!(
            "{} {:?}: {text:?}\n  text    {text}\n  ours    {ours}\n  grammar {theirs}",
            self.grammar, self.subject
        );
    }

    /// Whether every difference has a reason, and every reason explains the stated number. Prints the sums.
    pub(crate) fn is_fine(&self, rows: usize) -> bool {
        let mut is_fine = self.unexplained == 0;
        for (number, reason) in LEDGER.iter().enumerate().filter(|(_, reason)| self.concerns(reason)) {
            let found = self.explained.get(&number).copied().unwrap_or_default();
            if found != reason.rows {
                is_fine = false;
                println!(
                    "{} {:?}: {found} rows, not {}: {}",
                    self.grammar, self.subject, reason.rows, reason.why
                );
            }
        }
        let known: usize = self.explained.values().sum();
        println!(
            "    {} {:?}: {rows} rows, {known} differ with a reason, {} without",
            self.grammar, self.subject, self.unexplained
        );
        is_fine
    }

    fn concerns(&self, reason: &Reason) -> bool {
        reason.grammar == self.grammar && reason.subject == self.subject
    }
}

/// Every reason. If several reasons explain a row, the first one is used.
const LEDGER: &[Reason] = &[
    Reason {
        grammar: "limance",
        subject: Subject::Highlights,
        why: "arguments of other builtins than `$is_error` are errors, but look like arguments of `$is_error`",
        explains: |text, _| text.starts_with("$now(") || text.starts_with("$unknown("),
        rows: 2,
    },
    Reason {
        grammar: "limance",
        subject: Subject::Highlights,
        why: "a name of a function before `;` is a function for the parser, but not for the lexer",
        explains: |text, _| text.ends_with(';'),
        rows: 1,
    },
    Reason {
        grammar: "limance",
        subject: Subject::TextMate,
        why: "one line does not show whether a dotted name is the whole condition, which makes it a function",
        explains: |_, expr| expr.is_some_and(|expr| matches!(expr.kind, ExprKind::Function(_))),
        rows: 33,
    },
    Reason {
        grammar: "limance",
        subject: Subject::Trees,
        why: "tree-sitter skips a byte order mark",
        explains: |text, _| text.starts_with('\u{feff}'),
        rows: 1,
    },
    Reason {
        grammar: "filtrex",
        subject: Subject::Trees,
        why: "a keyword at the end of the text is a name in the release, and a keyword here",
        explains: |text, _| KEYWORDS.iter().any(|keyword| text.ends_with(keyword)),
        rows: 12,
    },
    Reason {
        grammar: "filtrex",
        subject: Subject::Trees,
        why: "a keyword before `$` is a keyword in the release, and a name here",
        explains: |text, _| KEYWORDS.iter().any(|keyword| text.contains(&format!("{keyword}$"))),
        rows: 1,
    },
    Reason {
        grammar: "agentos-routing",
        subject: Subject::Trees,
        why: "in the runtime, the first arm of a choice is never empty, because it uses the next `:`",
        explains: |text, _| text.contains("?:"),
        rows: 1,
    },
    Reason {
        grammar: "agentos-routing",
        subject: Subject::Trees,
        why: "a `?` without `:` is a plain character in the runtime, and an error here",
        explains: |text, expr| text.contains('?') && !text.contains('\n') && !is_choice(expr),
        rows: 18,
    },
    Reason {
        grammar: "agentos-routing",
        subject: Subject::Trees,
        why: "in the runtime, a choice cannot contain line breaks; here they are white space",
        explains: |text, _| text.contains('?') && text.contains('\n'),
        rows: 215,
    },
    Reason {
        grammar: "agentos-routing",
        subject: Subject::Trees,
        why: "the runtime splits at the kind of comparison that it tries first, not at the first one in the text",
        explains: |_, expr| any(expr, |leaf| COMPARISONS.iter().any(|operator| leaf.contains(operator))),
        rows: 113,
    },
    Reason {
        grammar: "agentos-routing",
        subject: Subject::Trees,
        why: "in the runtime, a part that begins and ends with the same quote is one text",
        explains: |_, expr| any(expr, |leaf| leaf.contains(['\'', '"'])),
        rows: 35,
    },
    Reason {
        grammar: "agentos-routing",
        subject: Subject::Trees,
        why: "the runtime uses the first `?` that is not at the start, even inside quotes",
        explains: |text, _| text.contains('?'),
        rows: 6,
    },
];

const KEYWORDS: [&str; 9] = ["and", "or", "not", "in", "of", "if", "then", "else", "mod"];
const COMPARISONS: [&str; 4] = ["==", "!=", ">", "<"];

fn is_choice(expr: Option<&Expr>) -> bool {
    expr.is_some_and(|expr| matches!(expr.kind, ExprKind::Conditional(_)))
}

/// Whether some leaf satisfies a condition. If it has quotes, the text between them is used.
fn any(expr: Option<&Expr>, is_such: impl Fn(&str) -> bool) -> bool {
    let mut found = false;
    if let Some(expr) = expr {
        expr.walk(&mut |part| match &part.kind {
            ExprKind::Bare(text) => found |= is_such(text),
            ExprKind::Text(text) => found |= is_such(&text.value),
            _ => {}
        });
    }
    found
}
