//! What `undeclared-port` finds in AgentOS: keys that are mapped to an input that the graph does not declare.

use nodewise_dialect::tables::agentos::{INPUT, PARTITIONS};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::state::subgraph_calls;
use crate::rules::wording::{listed, short};
use crate::schema::{self, SchemaMember};
use crate::suggest::nearest;

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for call in subgraph_calls::calls(context) {
        let parts = call.child.state.iter().flat_map(|state| &state.value);
        let Some(input) = parts.filter(|part| part.name.value == INPUT).find_map(|part| part.schema.as_ref())
        else {
            continue;
        };
        for path in call.work.inputs.iter().filter_map(|mapping| mapping.to.as_ref()) {
            // A part of the state in front of a path is a mistake of its own.
            if PARTITIONS.contains(&path.value.split('.').next().unwrap_or_default()) {
                continue;
            }
            let SchemaMember::Undeclared(position, known) = schema::member(input, path.value.split('.'))
            else {
                continue;
            };
            let name = path.value.split('.').nth(position).unwrap_or_default();
            let message =
                format!("`{}` declares no input `{}`", short(&call.reference.name), short(&path.value));
            let finding = Finding::new(path.at, message).label("the graph does not expect it");
            let names: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
            report.push(match nearest(name, names.iter().copied()) {
                Some(near) => finding.help(format!("write `{}`", short(near))),
                None => finding.help(format!("it declares {}", listed(names))),
            });
        }
    }
}
