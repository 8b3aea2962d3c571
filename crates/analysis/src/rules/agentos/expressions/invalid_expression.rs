//! What `invalid-expression` finds here. Reports what a routing expression of AgentOS says in words that the
//! language does not have: `!`, `and`, `=`, parentheses, brackets, calculations, calls, `??`, templates, a choice
//! within a choice.

use nodewise_expr::agentos::FindingKind;

use crate::diagnostic::Severity;
use crate::rule::{Context, Report, RulePart};
use crate::rules::agentos::routing;

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("agentos:I42"), severity: Severity::Error, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    // Something that is not there is not `false`, so that `x == false` may be less than `!x`.
    routing::report(context, report, label, |kind| kind != FindingKind::Negation);
}

fn label(kind: FindingKind) -> Option<&'static str> {
    Some(match kind {
        FindingKind::Template => "the runtime ignores the expression",
        FindingKind::Negation
        | FindingKind::WordOperator
        | FindingKind::ForeignOperator
        | FindingKind::Parentheses
        | FindingKind::Brackets
        | FindingKind::OptionalChaining
        | FindingKind::Nullish
        | FindingKind::Arithmetic
        | FindingKind::DashedPath
        | FindingKind::Call
        | FindingKind::Trailing
        | FindingKind::Quoting
        | FindingKind::MalformedTernary
        | FindingKind::UnreadReference => "the runtime takes it for a part of a text",
        FindingKind::CutQuote => "the runtime cuts before it looks at quotes",
        FindingKind::ChainedComparison => "one comparison, with text on one side",
        FindingKind::NestedTernary | FindingKind::ArmExpression => "the arm is the result, as it stands",
        FindingKind::EmptyOperand => "the runtime reads an empty text here",
        FindingKind::ForeignLiteral => "a text, which is never equal to the literal",
        FindingKind::LineBreak
        | FindingKind::UnknownRoot
        | FindingKind::ConstantText
        | FindingKind::ConstantComparison
        | FindingKind::NotANumber
        | FindingKind::NeverFollows => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn expressions_of_other_languages_in_routers_and_edges() {
        check_rule(
            "invalid-expression",
            r#"
id: g
name: g
nodes:
  - id: pick
    type: router
    executorConfig:
      type: router
      condition: {type: expression, expr: "(input.n > 3) ? 'a' : scratch.b ?? 'c'"}
#                                          ^^^^^^^^^^^^^ error[invalid-expression]: parentheses group nothing: they are text
#                                                                          ^^ error[invalid-expression]: `??` is read as text
edges:
  - id: e
    source: pick
    target: a
    type: conditional
    condition:
      type: expression
      expr: >-
        !scratch.ready
#       ^^^^^^^^^^^^^^ error[invalid-expression]: `!` is read as text and negates nothing
  - id: f
    source: pick
    target: a
    type: conditional
    condition: {type: expression, expr: "scratch.\x6e = 5"}
#                                                     ^ error[invalid-expression]: `=` is read as text, not compared
  - {id: h, source: pick, target: a, type: conditional, condition: {type: expression, expr: "scratch.n == 5"}}
"#,
        );
    }

    #[test]
    fn expressions_in_json() {
        check_rule(
            "invalid-expression",
            r#"
#- /pick.json
{
  "id": "pick",
  "type": "router",
  "executorConfig": {
    "type": "router",
    "condition": { "type": "expression", "expr": "scratch.t === \"x\" or input.n > 3 ? 'a' : 'b'" }
#                                                                     ^^ error[invalid-expression]: `or` is read as text
  }
}
"#,
        );
        check_fix(
            "invalid-expression",
            r#"
#- /pick.json
{
  "id": "pick",
  "type": "router",
  "executorConfig": { "type": "router", "condition": { "type": "expression", "expr": "`x`" } }
}
"#,
            r#"
#- /pick.json
{
  "id": "pick",
  "type": "router",
  "executorConfig": { "type": "router", "condition": { "type": "expression", "expr": "'x'" } }
}
"#,
        );
    }

    #[test]
    fn a_fix_leaves_a_text_of_yaml() {
        let file = |expression: &str| {
            format!(
                "id: pick\ntype: router\nexecutorConfig:\n  type: router\n  condition:\n    type: expression\n    expr: {expression}\n"
            )
        };
        for (before, after) in [
            ("scratch.route ?? input.route", "\"scratch.route == null ? input.route : scratch.route\""),
            ("'!input.fast'", "'input.fast == false'"),
            ("|-\n      !artifacts.x.approved", "|-\n      artifacts.x.approved == false"),
            ("'scratch.a ?? ''b'''", "'scratch.a == null ? ''b'' : scratch.a'"),
        ] {
            check_fix("invalid-expression", &file(before), &file(after));
        }
    }
}
