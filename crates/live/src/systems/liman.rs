//! Live runs of Liman: functions of the program, and tools with declared arguments.

mod comments;
mod schemas;

use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::systems::liman::{Host, description};
use nodewise_expr::ast::Path;
use nodewise_expr::limance::{self, LimanceProfile};
use nodewise_model::scenario::Scenario;
use nodewise_model::{Body, Declaration, Located, NodeKind, Origin};
use nodewise_simulation::RunInputs;
use nodewise_simulation::systems::liman::schemas::of_arguments;
use nodewise_simulation::systems::liman::{agent_declarations, agent_host};
use serde_json::Value as Json;
use smol_str::SmolStr;

use super::{LiveSystem, ServerTools};
use crate::session::now_s;
use crate::wiring::{Agent, Tool, Wiring};

/// The key of a node's prompt that its author wrote.
const SYSTEM: &str = "system";
/// The language of descriptions if the run sets none.
const LANGUAGE: &str = "en";

pub(super) const LIVE: &dyn LiveSystem = &LiveLiman;

struct LiveLiman;

impl LiveSystem for LiveLiman {
    fn add_needs(&self, inputs: &RunInputs<'_>, wiring: &mut Wiring) {
        let Some(host) = agent_host(inputs) else { return };
        for declaration in agent_declarations(inputs) {
            add_declaration(wiring, declaration, &host, inputs.snapshot);
        }
    }

    fn prompt_of<'w>(&self, inputs: &RunInputs<'w>, name: &str) -> Vec<(&'w str, Origin)> {
        let start = &inputs.scenario.start;
        let named =
            |declaration: &&&'w Declaration| declaration.name.as_ref().is_some_and(|own| own.value == name);
        let declared = agent_declarations(inputs);
        let Some(Body::Node(node)) = declared.iter().find(named).map(|declaration| &declaration.body) else {
            return Vec::new();
        };
        let of = |wanted: &Option<Located<SmolStr>>| -> Vec<(&'w str, Origin)> {
            let language = wanted.as_ref().map_or(LANGUAGE, |word| word.value.as_str());
            let texts = node.prompts.texts.iter();
            let own = texts.filter(|text| text.language == language && text.path == [SYSTEM]);
            own.map(|text| (&*text.text, text.at)).collect()
        };
        let own = of(&start.language);
        if own.is_empty() { of(&start.fallback_language) } else { own }
    }

    fn answer_in_prompt(&self, schema: &Json) -> Option<String> {
        Some(schemas::in_prompt(schema))
    }

    fn complete(&self, scenario: &mut Scenario, _: ServerTools) {
        let at = scenario.head;
        scenario.host.now.get_or_insert_with(|| Located::new(now_s(), at));
    }
}

/// Adds what a declared node needs.
fn add_declaration(wiring: &mut Wiring, declaration: &Declaration, host: &Host, snapshot: &Snapshot) {
    let (Body::Node(node), Some(name)) = (&declaration.body, &declaration.name) else { return };
    let function = node.function.as_ref().map(|function| function.value.clone());
    match node.kind {
        NodeKind::Model => {
            let fields = match host.profile.is_release() {
                true => comments::described(&node.details.output, snapshot),
                false => node.details.output.clone(),
            };
            let output = (!fields.is_empty()).then(|| schemas::of_answer(&name.value, &fields, host));
            wiring.agents.insert(name.value.clone(), Agent { output, ..Agent::default() });
        }
        NodeKind::Tool => {
            let tool = Tool {
                description: description(&node.details.description, host),
                parameters: Some(of_arguments(&node.arguments, host)),
                function,
                server: None,
            };
            wiring.tools.insert(name.value.clone(), tool);
        }
        NodeKind::Function => wiring.functions.extend(function),
    }
    let conditions = node.edges.iter().filter_map(|edge| edge.condition.as_ref());
    for condition in conditions {
        let parsed = limance::parse(&condition.text, LimanceProfile::Spec);
        wiring.functions.extend(parsed.function_ref().map(dotted));
    }
}

/// A path with dots between its names.
fn dotted(path: &Path) -> SmolStr {
    let names: Vec<&str> = path.segments.iter().map(|segment| segment.name.as_str()).collect();
    names.join(".").into()
}
