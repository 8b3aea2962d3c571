//! What the rules about agents and graphs of other files share. A program may register either in code, so that a name
//! is a warning only where it is surely wrong: one letter off, or where nodewise.toml lists what programs register.

use std::cell::LazyCell;

use nodewise_dialect::table::KindRole;
use nodewise_model::{Body, Declaration, Located, NameScope, Reference};
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::facts::Ownership;
use crate::rule::{Context, Report};
use crate::rules::graph_findings;
use crate::rules::names::misnamed_declaration;
use crate::rules::wording::short;
use crate::suggest::{Names, differ_in_a_number};

/// Reports names of a scope that nothing declares.
pub(in crate::rules) fn check(
    context: &Context<'_>,
    scope: &'static NameScope,
    role: KindRole,
    report: &mut Report,
) {
    let Ownership::Ours(dialect) = context.file.ownership else { return };
    let settings = &context.file.settings;
    let are_listed = settings.lists_outside(dialect, scope);
    let are_kept_in_files = || match role {
        KindRole::Agent => context.index.keeps_agents(),
        _ => context.index.crosses(scope),
    };
    misnamed_declaration::check(context, |used| std::ptr::eq(used, scope), report);
    for document in context.documents() {
        let Some(effective) = context.index.effective(document) else { continue };
        let declaration = effective.declaration.as_ref();
        let is_bundle = declaration.is_some_and(|declaration| matches!(declaration.body, Body::Bundle(_)));
        let packed: Vec<&SmolStr> = declaration.into_iter().flat_map(|one| packed(one, scope)).collect();
        // A bundle without agents of its own gets all agents from the host.
        let is_complete = is_bundle && !(role == KindRole::Agent && packed.is_empty());
        let own = LazyCell::new(|| Names::new(packed.iter().map(|name| (*name).clone())));
        let names = effective.references().filter(|reference| std::ptr::eq(reference.scope, scope));
        for name in names.filter(|name| !name.name.is_empty() && !settings.is_outside(dialect, name)) {
            if context.index.meant(document.id, name).is_some()
                || misnamed_declaration::is_reported_instead(context, name)
            {
                continue;
            }
            let near = own.nearest(&name.name, |_| true);
            let near = near.or_else(|| context.index.nearest(&name.name, scope.kinds));
            // A graph that runs itself is another mistake, so it is not suggested as a similar name.
            let is_own = |near: &str| {
                declaration.and_then(|one| one.name.as_ref()).is_some_and(|own| own.value == near)
            };
            let near = near.filter(|near| !differ_in_a_number(&name.name, near) && !is_own(near));
            if near.is_some() || are_listed {
                let label = if are_listed {
                    "neither a document nor nodewise.toml has it"
                } else {
                    "nothing in the project declares it"
                };
                report.push(finding(context, name, near).label(label));
            } else if is_complete || are_kept_in_files() {
                let label = match is_bundle {
                    true => "it is not in the bundle; the host may bring it",
                    false => "no document declares it; the program may bring it",
                };
                report.push_at(Severity::Hint, finding(context, name, None).label(label));
            }
        }
    }
}

/// The ids in a scope that a document declares, in order.
fn packed<'a>(declaration: &'a Declaration, scope: &NameScope) -> impl Iterator<Item = &'a SmolStr> {
    let fitting = declaration.packed().filter(|(kind, _)| scope.kinds.contains(kind));
    fitting.filter_map(|(_, name)| Some(&name?.value))
}

fn finding(context: &Context<'_>, name: &Reference, near: Option<&str>) -> Finding {
    let noun = name.scope.noun;
    let finding = Finding::new(name.at, format!("no {noun} has the id `{}`", short(&name.name)));
    match near {
        Some(near) => {
            let written = Located::new(name.name.clone(), name.at);
            graph_findings::replace(context, finding.help(format!("write `{}`", short(near))), &written, near)
        }
        None => finding.help("declare it, or list it in nodewise.toml if the program provides it"),
    }
}
