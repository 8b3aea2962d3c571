//! ## What it does
//!
//! Reports a function path that cannot be imported: no module, an empty part, a relative path, a colon,
//! parentheses, or a part that is not an identifier.
//!
//! ## Why it matters
//!
//! A path is `module.path.function`. Without a module, or with anything else, the import fails when the
//! node is compiled. A tool then becomes a function that does nothing. No release imports the `func` of a `Node` or a
//! `FunctionNode`, so that a name by itself is a hint there.
//!
//! ## Example
//!
//! ```yaml expect=invalid-function-path
//! kind: Node
//! name: notify
//! func: desk.notify:run
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: notify
//! func: desk.notify.run
//! ```

use nodewise_dialect::bind::{Issue, IssueKind, NO_MODULE, function_path_fault};
use nodewise_dialect::table::{Import, Type};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "invalid-function-path",
    former: &["func-path"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:func-path"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.documents().flat_map(|document| &document.faults.issues) {
        let IssueKind::FunctionPath(fault) = &issue.kind else { continue };
        let source = ranges::source(context, issue.at);
        let path = source.trim_matches(['"', '\'']);
        let finding =
            Finding::new(issue.at, format!("`{}` is not a function path", short(path))).label(*fault);
        if path.ends_with(".py") {
            let module = path.trim_end_matches(".py");
            let help = format!("write the function's name in place of `py`: `{module}.<function>`");
            report.push(finding.help(help));
            continue;
        }
        let meant = path
            .replace([':', '/', '\\'], ".")
            .replace('-', "_")
            .replace(".py.", ".")
            .trim_end_matches("()")
            .trim_start_matches('.')
            .to_owned();
        let place = ranges::part(context, issue.at, path).filter(|_| function_path_fault(&meant).is_none());
        let finding = match place {
            Some(place) => finding.help(format!("write `{meant}`")).fix(
                format!("Write `{}`", short(&meant)),
                !path.starts_with('.'),
                place,
                meant,
            ),
            None => finding.help("write `module.path.function`"),
        };
        match is_never_imported(issue) {
            // A program may look up the function by its name.
            true => report.push_at(Severity::Hint, finding),
            false => report.push(finding),
        }
    }
}

/// Whether the path is a single name and no release imports it.
fn is_never_imported(issue: &Issue) -> bool {
    let is_name = matches!(issue.kind, IssueKind::FunctionPath(NO_MODULE));
    is_name && issue.field.is_some_and(|field| matches!(field.ty, Type::FunctionPath(Import::Never)))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn each_fault() {
        check_rule(
            "invalid-function-path",
            r#"
kind: Node
name: a
func: run
#     ^^^ hint[invalid-function-path]: `run` is not a function path
---
kind: ToolNode
name: t
description: Runs.
func: run
#     ^^^ error[invalid-function-path]: `run` is not a function path
---
kind: Node
name: b
func: pkg..run
#     ^^^^^^^^ error[invalid-function-path]: `pkg..run` is not a function path
---
kind: Node
name: d
func: tools.weather.py
#     ^^^^^^^^^^^^^^^^ error[invalid-function-path]: `tools.weather.py` is not a function path
---
kind: CredentialsProvider
name: c
type: basic
func: "pkg.run()"
#     ^^^^^^^^^^^ error[invalid-function-path]: `pkg.run()` is not a function path
"#,
        );
    }

    #[test]
    fn a_colon_becomes_a_dot() {
        check_fix(
            "invalid-function-path",
            r#"
kind: Node
name: a
func: "pkg:run"
"#,
            r#"
kind: Node
name: a
func: "pkg.run"
"#,
        );
    }
}
