//! What the rules about agents and graphs of other files share. A program may register either in code, so that a name
//! is reported only where the documents show that such things are kept in documents.

use std::cell::LazyCell;

use nodewise_dialect::table::Role;
use nodewise_model::{Body, Declaration, Located, Reference, Scope};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::step;
use super::wording::short;
use crate::diagnostic::Finding;
use crate::facts::Ownership;
use crate::index::Resolution;
use crate::near::Names;
use crate::rule::{Context, Report};

/// Reports the names of a scope that nothing declares.
pub(super) fn check(context: &Context<'_>, scope: &'static Scope, role: Role, report: &mut Report) {
    let Ownership::Ours(dialect) = context.file.ownership else { return };
    for effective in context.effective() {
        let names = effective.references.iter().filter(|reference| std::ptr::eq(reference.scope, scope));
        let names =
            names.filter(|name| !name.name.is_empty() && !context.file.settings.is_outside(dialect, name));
        match effective.declaration.as_ref() {
            Some(declaration) if matches!(declaration.body, Body::Bundle(_)) => {
                let packed = packed(declaration, scope);
                // A bundle without agents of its own leaves them all to the host.
                if role == Role::Agent && packed.is_empty() {
                    continue;
                }
                let known: FxHashSet<&str> = packed.iter().copied().collect();
                let ordered = LazyCell::new(|| Names::new(packed.iter().map(SmolStr::new)));
                for name in names.filter(|name| !known.contains(name.name.as_str())) {
                    let near = ordered.nearest(&name.name, |_| true);
                    report.push(finding(context, name, near).label("nothing in the bundle declares it"));
                }
            }
            _ => {
                let uses = context.index.uses();
                let is_known_to_be_kept = if role == Role::Agent { uses.agents } else { uses.subgraphs };
                for name in names.filter(|name| !matches!(context.index.resolve(name), Resolution::To(_))) {
                    let near = context.index.nearest(&name.name, scope.kinds);
                    if is_known_to_be_kept || near.is_some() {
                        report.push(finding(context, name, near).label("nothing in the project declares it"));
                    }
                }
            }
        }
    }
}

/// The ids that a bundle declares for a scope, in order.
fn packed<'a>(declaration: &'a Declaration, scope: &Scope) -> Vec<&'a str> {
    let fitting = declaration.packed().filter(|(kind, _)| scope.kinds.contains(kind));
    fitting.filter_map(|(_, name)| Some(name?.value.as_str())).collect()
}

fn finding(context: &Context<'_>, name: &Reference, near: Option<&str>) -> Finding {
    let noun = name.scope.noun;
    let finding = Finding::new(name.at, format!("no {noun} has the id `{}`", short(&name.name)));
    match near {
        Some(near) => {
            let written = Located::new(name.name.clone(), name.at);
            step::replace(context, finding.help(format!("write `{}`", short(near))), &written, near)
        }
        None => finding.help("declare it, or list it in nodewise.toml if the program provides it"),
    }
}
