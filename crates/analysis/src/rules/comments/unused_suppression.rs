//! ## What it does
//!
//! Reports a `# nodewise: ignore…` comment that silences nothing, or whose word is not known.
//!
//! ## Why it matters
//!
//! A comment that outlives its reason hides the next real finding at its place.
//!
//! ## Example
//!
//! ```yaml expect=unused-suppression
//! kind: Node
//! name: notify
//! func: desk.notify  # nodewise: ignore[invalid-function-path] generated later
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: notify
//! func: desk.notify
//! ```

use nodewise_model::Origin;
use nodewise_syntax::{TextRange, TextSize};

use crate::diagnostic::{Finding, Severity};
use crate::facts::FileFacts;
use crate::rule::{Category, RegisteredPart, Rule, RulePart};
use crate::suppress::{Suppression, SuppressionScope};

pub(crate) static RULE: Rule = Rule {
    id: "unused-suppression",
    former: &[],
    category: Category::Style,
    is_fixable: true,
    since: "0.1.0",
    own: &[&PART],
};

/// This rule has no check: which comments were used is only known after all other rules. See `check::finish`.
static PART: RulePart = RulePart { severity: Severity::Warning, ..RulePart::DEFAULT };

pub(crate) static ENTRY: RegisteredPart = RegisteredPart { rule: &RULE, part: &PART, dialect: None };

/// The finding about a comment that silenced nothing.
pub(crate) fn finding(comment: &Suppression, file: &FileFacts) -> Finding {
    let at = Origin::new(file.source, comment.range);
    if comment.scope == SuppressionScope::Unknown {
        return Finding::new(at, "this comment is not a valid suppression")
            .help("write `ignore[rule]`, `ignore-next[rule]` or `ignore-file[rule]`");
    }
    let what = if comment.rules.is_empty() {
        "nothing".to_owned()
    } else {
        format!("no `{}`", comment.rules.join("`, `"))
    };
    let whole = Origin::new(file.source, with_its_space(&file.text, comment.range));
    Finding::new(at, format!("this comment silences {what}")).help("remove the comment").fix(
        "Remove the comment",
        true,
        whole,
        "",
    )
}

/// The range of a comment with the spaces before it. If it is alone on its line, the line break is included.
fn with_its_space(text: &str, comment: TextRange) -> TextRange {
    let before = text.get(..usize::from(comment.start())).unwrap_or_default();
    let behind = text.get(usize::from(comment.end())..).unwrap_or_default();
    let kept = before.trim_end_matches([' ', '\t']);
    let is_alone = kept.is_empty() || kept.ends_with(['\n', '\u{feff}']);
    let ending = match (is_alone, behind.as_bytes()) {
        (true, [b'\r', b'\n', ..]) => 2,
        (true, [b'\n', ..]) => 1,
        _ => 0,
    };
    TextRange::new(TextSize::of(kept), comment.end() + TextSize::new(ending))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn used_and_unused_comments() {
        check_rule(
            "unused-suppression",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: Hi}}
# nodewise: ignore-next[unknown-tool] registered in code
tools: [a]
nodes: []  # nodewise: ignore[unknown-tool] nothing here
#          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[unused-suppression]
",
        );
    }

    #[test]
    fn the_comment_goes_with_its_line_or_its_blanks() {
        for (before, after) in [
            ("func: a.b  # nodewise: ignore[invalid-function-path] later\n", "func: a.b\n"),
            ("  # nodewise: ignore-next\nfunc: a.b\n", "func: a.b\n"),
            ("func: a.b # nodewise: ignore\r\n", "func: a.b\r\n"),
        ] {
            let declaration = |rest: &str| format!("kind: Node\nname: a\n{rest}");
            check_fix("unused-suppression", &declaration(before), &declaration(after));
        }
    }
}
