//! Liman: the nodes of a project make an agent, which takes turns.

pub mod schemas;

use std::sync::Arc;

use nodewise_analysis::facts::Ownership;
use nodewise_analysis::settings::Profile;
use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::liman::LIMAN;
use nodewise_engine::explore::Guide;
use nodewise_engine::systems::liman::LimanGuide;
use nodewise_engine::systems::liman::{Host, LimanProfile, Program, UserTurn, begin};
use nodewise_expr::value::{Map, Value};
use nodewise_model::{Body, Declaration, NodeKind};
use serde_json::Value as Json;

use crate::chart::{Charts, Places, of_agent};
use crate::inputs::RunInputs;
use crate::runtime::{Prepared, Runtime};
use crate::system::{ConditionContext, RunSemantics, RunnableSystem};
use crate::target::{SimulationTarget, declaration_of};

/// The input of the user if the scenario has none.
const GREETING: &str = "hello";

/// Liman: a document declares a node.
pub const SYSTEM: RunnableSystem = RunnableSystem::new(RUNTIME);

/// How its graphs run.
pub(crate) const RUNTIME: &dyn Runtime = &LimanRuns;

struct LimanRuns;

impl RunSemantics for LimanRuns {
    fn dialect(&self) -> &'static Dialect {
        &LIMAN
    }

    fn visible_state(&self, moment: &ConditionContext<'_>) -> Value {
        moment.native.cloned().unwrap_or_else(|| moment.state.clone().into())
    }

    fn nodes_are_one_graph(&self) -> bool {
        true
    }
}

impl Runtime for LimanRuns {
    fn prepare<'w>(&self, inputs: &RunInputs<'w>) -> Option<Prepared<'w>> {
        prepare(inputs)
    }

    fn input_schema(&self, inputs: &RunInputs<'_>) -> Option<Json> {
        let host = agent_host(inputs)?;
        // A model takes a text. The releases take no arguments for a tool outside of a call.
        match &declaration_of(inputs.snapshot, inputs.target.document())?.body {
            Body::Node(node) if node.kind == NodeKind::Tool && !host.profile.is_release() => {
                Some(schemas::of_arguments(&node.arguments, &host)).filter(|_| !node.arguments.is_empty())
            }
            _ => None,
        }
    }
}

fn prepare<'w>(inputs: &RunInputs<'w>) -> Option<Prepared<'w>> {
    let SimulationTarget::Agent { start, .. } = inputs.target else { return None };
    let mut host = agent_host(inputs)?;
    let said = &inputs.scenario.host;
    let declarations = declarations(inputs, host.profile);
    // The releases' loaders skip accounts; a program may register them.
    if said.accounts == Some(true) {
        for declaration in &declarations {
            if let (Body::Account(account), Some(name)) = (&declaration.body, &declaration.name) {
                host.accounts.insert(name.value.clone(), account.as_ref().into());
            }
        }
    }
    let mut places = Places::new(inputs.snapshot);
    let mut charts = Charts::default();
    charts.add(of_agent(SYSTEM, start.clone(), declarations.iter().copied(), inputs.snapshot, &mut places));
    let clock = host.now;
    let program = Arc::new(Program::new(declarations.iter().copied(), host));
    let turns = turns(inputs);
    let context = turns.first().map(|turn| turn.context.clone()).unwrap_or_default();
    let run = begin(program.clone(), turns, inputs.limits(), inputs.seed());
    let guide = Box::new(move || -> Box<dyn Guide> { Box::new(LimanGuide::new(program, &context)) });
    let title = format!("agent of `{start}`");
    Some(Prepared {
        running: Box::new(run),
        guide,
        title,
        charts,
        beside: Map::new(),
        clock,
        notes: Vec::new(),
    })
}

/// The program around an agent, without the accounts that it registers.
#[must_use]
pub fn agent_host(inputs: &RunInputs<'_>) -> Option<Host> {
    let SimulationTarget::Agent { start, .. } = inputs.target else { return None };
    let mut host = Host::starting_at(start.clone());
    let said = &inputs.scenario.host;
    host.profile = profile(inputs)?;
    if let Some(most) = &said.max_iterations {
        host.max_iterations = most.value as u32;
    }
    host.now = said.now.as_ref().map_or(host.now, |now| now.value);
    host.strict = said.strict.unwrap_or(host.strict);
    if let Some(language) = &inputs.scenario.start.language {
        host.language = language.value.clone();
    }
    if let Some(language) = &inputs.scenario.start.fallback_language {
        host.fallback = language.value.clone();
    }
    Some(host)
}

/// The version that is followed.
fn profile(inputs: &RunInputs<'_>) -> Option<LimanProfile> {
    let said = inputs.scenario.host.profile.as_ref().and_then(|word| LimanProfile::named(&word.value));
    let file = inputs.snapshot.file(inputs.target.document().source)?;
    let configured = match file.settings.profile(&LIMAN) {
        Profile::Specification => None,
        Profile::Release(version) => LimanProfile::named(version),
    };
    Some(said.or(configured).unwrap_or(LimanProfile::Spec))
}

/// The declarations of the project that an agent is made of, as the version that is followed reads them.
#[must_use]
pub fn agent_declarations<'w>(inputs: &RunInputs<'w>) -> Vec<&'w Declaration> {
    profile(inputs).map(|profile| declarations(inputs, profile)).unwrap_or_default()
}

/// The declarations of the project; the releases know no overlays.
fn declarations<'w>(inputs: &RunInputs<'w>, profile: LimanProfile) -> Vec<&'w Declaration> {
    let is_liman = |ownership: Ownership| match ownership {
        Ownership::Ours(dialect) => dialect.id == LIMAN.id,
        Ownership::Empty | Ownership::NotOurs => false,
    };
    let files = inputs.snapshot.files().iter().filter(|file| is_liman(file.ownership));
    let documents = files.flat_map(|file| &file.documents);
    let declared = documents.filter_map(|facts| match profile.is_release() {
        true => facts.effective.as_ref().filter(|_| facts.overlay.is_none()),
        false => inputs.snapshot.index().effective(facts),
    });
    declared.filter_map(|effective| effective.written()).collect()
}

fn turns(inputs: &RunInputs<'_>) -> Vec<UserTurn> {
    let said = &inputs.scenario.start;
    let map = |value: &Value| match value {
        Value::Map(map) => map.clone(),
        _ => Arc::default(),
    };
    let shared: Arc<Map> = said.context.as_ref().map(|context| map(&context.value)).unwrap_or_default();
    let turn = |input: Value, own: Option<&Value>| UserTurn {
        input,
        context: own.map_or_else(|| shared.clone(), map),
    };
    if !said.turns.is_empty() {
        return said.turns.iter().map(|one| turn(one.input.clone(), one.context.as_ref())).collect();
    }
    let input = said.input.as_ref().map(|input| input.value.clone());
    vec![turn(input.unwrap_or_else(|| GREETING.into()), None)]
}
