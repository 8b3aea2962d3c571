//! Where a grammar knowingly differs from the parser and the lexer that judge files, and why.
//!
//! Input is a row that differs; output is whether there is a reason. Invariant: each reason says how many rows it explains, so
//! that a grammar that gets worse, or better, is noticed.

use std::collections::BTreeMap;

use nodewise_expr::ast::{Expr, ExprKind};

/// What is compared.
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
    /// Whether it explains why this text is read otherwise.
    explains: fn(&str, Option<&Expr>) -> bool,
    /// How many rows of the tables it explains.
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

    /// Counts a difference; what has no reason is printed.
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

    /// Whether every difference has its reason, and every reason as many differences as it says; prints the sums.
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

/// Every reason; of several that explain a row the first counts.
const LEDGER: &[Reason] = &[
    Reason {
        grammar: "limance",
        subject: Subject::Highlights,
        why: "the arguments of other builtins than `$is_error`, which are faults, look like its own",
        explains: |text, _| text.starts_with("$now(") || text.starts_with("$unknown("),
        rows: 2,
    },
    Reason {
        grammar: "limance",
        subject: Subject::Highlights,
        why: "the name of a function with `;` behind it is one for the parser, not for the lexer",
        explains: |text, _| text.ends_with(';'),
        rows: 1,
    },
    Reason {
        grammar: "limance",
        subject: Subject::TextMate,
        why: "one line does not tell whether a dotted name is the whole condition, and so a function",
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
        why: "a keyword at the very end of the text is a name for the release, and a keyword here",
        explains: |text, _| KEYWORDS.iter().any(|keyword| text.ends_with(keyword)),
        rows: 12,
    },
    Reason {
        grammar: "filtrex",
        subject: Subject::Trees,
        why: "a keyword with `$` behind it is a keyword for the release, and a name here",
        explains: |text, _| KEYWORDS.iter().any(|keyword| text.contains(&format!("{keyword}$"))),
        rows: 1,
    },
    Reason {
        grammar: "agentos-routing",
        subject: Subject::Trees,
        why: "the first arm of a choice is never empty for the runtime, which takes the next `:`",
        explains: |text, _| text.contains("?:"),
        rows: 1,
    },
    Reason {
        grammar: "agentos-routing",
        subject: Subject::Trees,
        why: "a `?` that no `:` completes stands for itself in the runtime, and is an error here",
        explains: |text, expr| text.contains('?') && !text.contains('\n') && !is_choice(expr),
        rows: 18,
    },
    Reason {
        grammar: "agentos-routing",
        subject: Subject::Trees,
        why: "line breaks keep the runtime from seeing a choice; here they are blanks",
        explains: |text, _| text.contains('?') && text.contains('\n'),
        rows: 215,
    },
    Reason {
        grammar: "agentos-routing",
        subject: Subject::Trees,
        why: "the runtime cuts a part with comparisons of several kinds at the kind that it tries first, not at the first one",
        explains: |_, expr| any(expr, |leaf| COMPARISONS.iter().any(|operator| leaf.contains(operator))),
        rows: 113,
    },
    Reason {
        grammar: "agentos-routing",
        subject: Subject::Trees,
        why: "what begins and ends with the same quote is one text for the runtime, whatever stands between",
        explains: |_, expr| any(expr, |leaf| leaf.contains(['\'', '"'])),
        rows: 35,
    },
    Reason {
        grammar: "agentos-routing",
        subject: Subject::Trees,
        why: "of several `?`, in quotes or not, the runtime takes the first one that something stands before",
        explains: |text, _| text.contains('?'),
        rows: 6,
    },
];

const KEYWORDS: [&str; 9] = ["and", "or", "not", "in", "of", "if", "then", "else", "mod"];
const COMPARISONS: [&str; 4] = ["==", "!=", ">", "<"];

fn is_choice(expr: Option<&Expr>) -> bool {
    expr.is_some_and(|expr| matches!(expr.kind, ExprKind::Conditional(_)))
}

/// Whether the text of a leaf is such, between its quotes where it has some.
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
