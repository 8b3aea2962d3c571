//! ## What it does
//!
//! Reports a declaration in a file that its system does not read, for the ending of the file's name.
//!
//! ## Why it matters
//!
//! Liman loads `*.yaml` and `*.yml`, in lower case. What any other file declares is not there when the agent runs.
//!
//! ## Example
//!
//! A file with the name `notify.json`:
//!
//! ```yaml expect=unread-file
//! #- /notify.json
//! {"kind": "Node", "name": "notify", "func": "desk.notify"}
//! ```
//!
//! ## Instead
//!
//! A file with the name `notify.yaml`; YAML holds JSON too:
//!
//! ```yaml ok
//! {"kind": "Node", "name": "notify", "func": "desk.notify"}
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::facts::{DocumentRole, Ownership};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;
use crate::rules::wording::one_of;

pub(crate) static RULE: Rule = Rule {
    id: "unread-file",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, about_form: true, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let Ownership::Ours(dialect) = context.file.ownership else { return };
    let mut unread = context.documents().filter(|document| matches!(document.role, DocumentRole::Unread(_)));
    let Some(first) = unread.next() else { return };
    let endings: Vec<String> = dialect.extensions.iter().map(|extension| format!(".{extension}")).collect();
    let endings = one_of(endings.iter().map(String::as_str));
    let message = format!("{} does not read this file", dialect.title);
    report.push(
        Finding::new(ranges::first_line(context, first.head), message)
            .label("its declarations are not there when the agent runs")
            .help(format!("give the file a name that ends in {endings}")),
    );
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn capitals_and_json() {
        check_rule(
            "unread-file",
            r#"
#- /a.YAML
kind: Node
^^^^ warning[unread-file]: Liman does not read this file
name: a
func: f.a
---
kind: Node
name: b
func: f.b
#- /b.json
{"kind": "Node", "name": "notify", "func": "desk.notify"}
#^^^^^^ warning[unread-file]: Liman does not read this file
#- /kubernetes.json
{"kind": "Node", "metadata": {"name": "notify"}}
#- /c.YAML
kind: Node
metadata: {name: notify}
"#,
        );
    }
}
