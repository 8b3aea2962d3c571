//! What the rules about unresolved names share: finding them, suggesting near names, and the names
//! that the project declares to be there (liman:2.9).

use std::cell::LazyCell;
use std::collections::BTreeSet;

use nodewise_dialect::tables::liman::TOOL;
use nodewise_model::{Body, Reference};

use crate::diagnostic::{Finding, Severity};
use crate::facts::{DocumentRole, Ownership};
use crate::index::Outcome;
use crate::rule::{Context, Report};
use crate::rules::graph_findings;
use crate::rules::names::misnamed_declaration;
use crate::rules::ranges;
use crate::rules::wording::short;

/// Reports references in scopes of the class `class` that resolve to nothing.
pub(in crate::rules) fn check(context: &Context<'_>, class: &'static str, report: &mut Report) {
    let unread = LazyCell::new(|| names_in_broken_text(context));
    for reference in context.references_with(Outcome::Nothing, |reference| reference.scope.class == class) {
        if is_outside(context, reference) || unread.contains(reference.name.as_str()) {
            continue;
        }
        if misnamed_declaration::is_reported_instead(context, reference) {
            continue;
        }
        if is_generated(context, reference) {
            report.push_at(Severity::Hint, generated(reference));
        } else {
            report.push(unresolved(context, reference));
        }
    }
    misnamed_declaration::check(context, |scope| scope.class == class, report);
}

/// The names that a file seems to declare if it has syntax errors or documents without a kind. Missing declarations with these
/// names are not reported, because the error is.
fn names_in_broken_text<'a>(context: &Context<'a>) -> BTreeSet<&'a str> {
    let has_kinds = context.documents().all(|document| !matches!(document.role, DocumentRole::MissingKind));
    if context.file.problems.is_empty() && (has_kinds || context.file.settings.is_literal) {
        return BTreeSet::new();
    }
    let names = context.file.text.lines().filter_map(|line| line.trim().strip_prefix("name:"));
    names.map(|name| name.trim().trim_matches(['\'', '"'])).collect()
}

/// The finding about a name that resolves to nothing.
pub(in crate::rules) fn unresolved(context: &Context<'_>, reference: &Reference) -> Finding {
    let scope = reference.scope;
    let name = short(&reference.name);
    let finding = Finding::new(reference.at, format!("no {} is named `{name}`", scope.noun))
        .label("nothing in the project declares it");
    let kinds: Vec<&str> = scope.kinds.iter().copied().filter(|kind| reference.accepts(kind)).collect();
    let called = || called_by(context, reference);
    match context.index.nearest(&reference.name, &kinds).or_else(called) {
        Some(near) => {
            let finding = finding.help(format!("write `{near}`, which is declared"));
            match ranges::part(context, reference.at, &reference.name).filter(|_| ranges::is_word(near)) {
                Some(name_at) => finding.fix(format!("Replace it with `{near}`"), false, name_at, near),
                None => finding,
            }
        }
        None if graph_findings::terminal(&reference.name).is_some() => {
            finding.help("remove the edge: a run ends by itself where no edge is followed")
        }
        None => {
            // If the reference states the kind, no other kind fits.
            let of_scope = || nodewise_dialect::bind::kinds_in_words(scope);
            let kind = reference.kind().filter(|_| kinds.len() == 1);
            let kind = kind.map_or_else(of_scope, ToString::to_string);
            finding.help(format!(
                "declare it as {kind}, or list it in nodewise.toml if the program registers it"
            ))
        }
    }
}

/// The declaration in the file that runs a function, if the reference names the function instead.
fn called_by<'a>(context: &Context<'a>, reference: &Reference) -> Option<&'a str> {
    if !reference.name.contains('.') {
        return None;
    }
    context.declarations().find_map(|declaration| match &declaration.body {
        Body::Node(node) if reference.accepts(declaration.kind) => {
            let function = node.function.as_ref()?;
            (function.value == reference.name).then_some(declaration.name.as_ref()?.value.as_str())
        }
        _ => None,
    })
}

/// Whether the name may be that of a tool that is generated at run time.
pub(in crate::rules) fn is_generated(context: &Context<'_>, reference: &Reference) -> bool {
    let takes_tools = TOOL.kinds.iter().any(|kind| reference.accepts(kind));
    takes_tools && context.file.settings.is_generated_tool(&reference.name)
}

/// The finding about a name that may be generated at run time.
pub(in crate::rules) fn generated(reference: &Reference) -> Finding {
    Finding::new(
        reference.at,
        format!("`{}` is not declared here; it may be generated", short(&reference.name)),
    )
    .label("tools with this prefix are generated at run time")
}

/// Whether a program provides the thing with this name: according to the configuration or to the program itself.
pub(in crate::rules) fn is_outside(context: &Context<'_>, reference: &Reference) -> bool {
    match context.file.ownership {
        Ownership::Ours(dialect) => {
            context.file.settings.is_outside(dialect, reference) || context.index.is_registered(reference)
        }
        Ownership::Empty | Ownership::NotOurs => false,
    }
}
