//! Liman: the nodes of a project make an agent, which takes turns.

use std::sync::Arc;

use nodewise_analysis::facts::Ownership;
use nodewise_analysis::settings::Profile as Configured;
use nodewise_engine::explore::{Guide, Liman};
use nodewise_engine::systems::liman::{Host, Profile, Program, Turn, begin};
use nodewise_expr::value::{Map, Value};
use nodewise_model::{Body, Declaration};

use super::{Prepared, Workshop};
use crate::chart::{Charts, Places, of_agent};
use crate::system::System;
use crate::target::Target;

/// What the user says where nobody says it.
const GREETING: &str = "hello";

pub(super) fn prepare<'w>(work: &Workshop<'w>) -> Option<Prepared<'w>> {
    let Target::Agent { start, .. } = work.target else { return None };
    let mut host = Host::starting_at(start.clone());
    let said = &work.scenario.host;
    host.profile = profile(work)?;
    if let Some(most) = &said.max_iterations {
        host.max_iterations = most.value as u32;
    }
    host.now = said.now.as_ref().map_or(host.now, |now| now.value);
    host.strict = said.strict.unwrap_or(host.strict);
    if let Some(language) = &work.scenario.start.language {
        host.language = language.value.clone();
    }
    if let Some(language) = &work.scenario.start.fallback_language {
        host.fallback = language.value.clone();
    }
    let declarations = declarations(work, host.profile);
    // The releases' loaders skip accounts; a program may register them.
    if said.accounts == Some(true) {
        for declaration in &declarations {
            if let (Body::Account(account), Some(name)) = (&declaration.body, &declaration.name) {
                host.accounts.insert(name.value.clone(), account.as_ref().into());
            }
        }
    }
    let mut places = Places::new(work.snapshot);
    let mut charts = Charts::default();
    charts.add(of_agent(start.clone(), declarations.iter().copied(), work.snapshot, &mut places));
    let clock = host.now;
    let program = Arc::new(Program::new(declarations.iter().copied(), host));
    let turns = turns(work);
    let context = turns.first().map(|turn| turn.context.clone()).unwrap_or_default();
    let run = begin(program.clone(), turns, work.limits(), work.seed());
    let guide = Box::new(move || -> Box<dyn Guide> { Box::new(Liman::new(program, &context)) });
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

/// The version that is followed.
fn profile(work: &Workshop<'_>) -> Option<Profile> {
    let said = work.scenario.host.profile.as_ref().and_then(|word| Profile::named(&word.value));
    let file = work.snapshot.file(work.target.document().source)?;
    Some(said.unwrap_or(match file.settings.profile {
        Configured::Specification => Profile::Spec,
        Configured::Release011 => Profile::Release,
        Configured::Release010 => Profile::Classic,
    }))
}

/// The declarations of the project, as the version that is followed reads them.
pub(super) fn declarations_of<'w>(work: &Workshop<'w>) -> Vec<&'w Declaration> {
    profile(work).map(|profile| declarations(work, profile)).unwrap_or_default()
}

/// The declarations of the project; the releases know no overlays.
fn declarations<'w>(work: &Workshop<'w>, profile: Profile) -> Vec<&'w Declaration> {
    let is_liman = |ownership: Ownership| match ownership {
        Ownership::Ours(dialect) => System::of(dialect) == Some(System::Liman),
        Ownership::Empty | Ownership::NotOurs => false,
    };
    let files = work.snapshot.files().iter().filter(|file| is_liman(file.ownership));
    let documents = files.flat_map(|file| &file.documents);
    let declared = documents.filter_map(|facts| match profile.is_release() {
        true => facts.effective.as_ref().filter(|_| facts.overlay.is_none()),
        false => work.snapshot.index().effective(facts),
    });
    declared.filter_map(|effective| effective.written()).collect()
}

fn turns(work: &Workshop<'_>) -> Vec<Turn> {
    let said = &work.scenario.start;
    let map = |value: &Value| match value {
        Value::Map(map) => map.clone(),
        _ => Arc::default(),
    };
    let shared: Arc<Map> = said.context.as_ref().map(|context| map(&context.value)).unwrap_or_default();
    let turn =
        |input: Value, own: Option<&Value>| Turn { input, context: own.map_or_else(|| shared.clone(), map) };
    if !said.turns.is_empty() {
        return said.turns.iter().map(|one| turn(one.input.clone(), one.context.as_ref())).collect();
    }
    let input = said.input.as_ref().map(|input| input.value.clone());
    vec![turn(input.unwrap_or_else(|| GREETING.into()), None)]
}
