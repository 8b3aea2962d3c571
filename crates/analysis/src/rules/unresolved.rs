//! What the rules about unresolved names share: finding them, suggesting near names, and the names
//! that the project declares to be there (Liman digest §2.9).

use nodewise_model::Reference;

use crate::diagnostic::{Finding, Severity};
use crate::index::Resolution;
use crate::near::nearest;
use crate::rule::{Context, Report};

/// Reports the references of scope class `class` that resolve to nothing.
pub(super) fn check(context: &Context<'_>, class: &'static str, report: &mut Report) {
    for effective in context.effective() {
        for reference in effective.references.iter().filter(|reference| reference.scope.class == class) {
            if context.index.resolve(reference) != Resolution::Nothing || is_outside(context, reference) {
                continue;
            }
            if context.file.settings.is_generated_tool(&reference.name) {
                report.push_at(Severity::Hint, generated(reference));
            } else {
                report.push(unresolved(context, reference));
            }
        }
    }
}

/// A finding for a name that resolves to nothing.
pub(super) fn unresolved(context: &Context<'_>, reference: &Reference) -> Finding {
    let scope = reference.scope;
    let finding = Finding::new(reference.at, format!("no {} is named `{}`", scope.noun, reference.name))
        .label("nothing in the project declares it");
    match nearest(&reference.name, context.index.names_of(scope.kinds)) {
        Some(near) => {
            let text = match &reference.kind {
                Some(_) => return finding.help(format!("write `{near}`, which is declared")),
                None => near.to_owned(),
            };
            finding.help(format!("write `{near}`, which is declared")).fix(
                format!("Replace it with `{near}`"),
                false,
                reference.at,
                text,
            )
        }
        None => finding.help(format!(
            "declare it as {}, or list it in nodewise.toml if the program registers it",
            nodewise_dialect::bind::kinds_in_words(scope)
        )),
    }
}

fn generated(reference: &Reference) -> Finding {
    Finding::new(
        reference.at,
        format!("`{}` is not declared; it may be generated at run time", reference.name),
    )
    .label("its prefix is one of generated tools")
}

/// Whether the project says that a program registers the name.
fn is_outside(context: &Context<'_>, reference: &Reference) -> bool {
    let outside = &context.file.settings.outside;
    let fits = |kind: &str| reference.accepts(kind);
    let lists = [
        (fits("ToolNode"), &outside.tools),
        (fits("Node") || fits("LLMNode") || fits("FunctionNode"), &outside.nodes),
        (fits("ServiceAccount"), &outside.service_accounts),
        (fits("CredentialsProvider"), &outside.credentials_providers),
    ];
    lists.iter().any(|(fits, names)| *fits && names.iter().any(|name| *name == reference.name))
}
