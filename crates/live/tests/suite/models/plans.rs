//! Which model answers whom. Invariant: what is missing is reported with what to write.

use std::sync::Arc;

use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Workspace};
use nodewise_live::models::{Models, plan};
use nodewise_live::needed_keys::needed_keys;
use nodewise_live::secrets::Secrets;
use nodewise_live::wiring::{Agent, Wiring};
use nodewise_project::config::live::Live;
use nodewise_simulation::RunInputs;
use nodewise_simulation::scenario::empty;
use nodewise_simulation::systems;
use nodewise_simulation::target::SimulationTarget;

/// Each agent as `name: model @ provider address price`, or the error. The configuration is TOML, agents are `name model provider`.
fn check_plan(configuration: &str, agents: &[&str], expected: &str) {
    let live: Live = toml::from_str(configuration).unwrap();
    let wiring = wiring(agents);
    let shown = match plan(&live, &wiring) {
        Ok(plan) => {
            let lines = plan.iter().map(|(agent, planned)| {
                let price =
                    planned.price.map_or("?".to_owned(), |price| format!("{}/{}", price.input, price.output));
                let most = planned.max_tokens.map(|most| format!(" <= {most}")).unwrap_or_default();
                format!("{agent}: {} @ {} {} {price}{most}", planned.model, planned.provider, planned.address)
            });
            lines.collect::<Vec<_>>().join("\n")
        }
        Err(problem) => problem.to_string(),
    };
    assert_eq!(shown, expected, "{configuration}");
}

fn wiring(agents: &[&str]) -> Wiring {
    let agents = agents.iter().map(|agent| {
        let mut words = agent.split(' ');
        let name = words.next().unwrap_or_default().into();
        let word = |word: Option<&str>| word.filter(|word| *word != "-").map(Into::into);
        (name, Agent { model: word(words.next()), provider: word(words.next()), output: None })
    });
    Wiring {
        system: systems::cycgraph::SYSTEM,
        agents: agents.collect(),
        tools: Default::default(),
        servers: Default::default(),
        functions: Default::default(),
    }
}

const NEAR: &str = "[providers.near]\nkind = \"openai\"\nbase_url = \"http://localhost:8000/v1\"\n";

#[test]
fn declarations_come_first() {
    check_plan("", &["a gpt-4o openai"], "a: gpt-4o @ openai https://api.openai.com/v1 2.5/10");
    check_plan(
        "",
        &["a claude-sonnet-4-5 anthropic"],
        "a: claude-sonnet-4-5 @ anthropic https://api.anthropic.com/v1 3/15 <= 8192",
    );
    check_plan(
        "model = \"m\"\nprovider = \"openai\"\n[agents]\nb = \"n\"\n",
        &["a", "b", "c gpt-4o anthropic"],
        "a: m @ openai https://api.openai.com/v1 ?\n\
         b: n @ openai https://api.openai.com/v1 ?\n\
         c: gpt-4o @ anthropic https://api.anthropic.com/v1 2.5/10 <= 8192",
    );
}

#[test]
fn models_can_be_put_elsewhere() {
    let configuration = format!(
        "{NEAR}[models.gpt-4o]\nid = \"llama3\"\nprovider = \"near\"\ninput_usd = 0.1\nmax_tokens = 50\n"
    );
    check_plan(&configuration, &["a gpt-4o openai"], "a: llama3 @ near http://localhost:8000/v1 0.1/0 <= 50");
    check_plan(NEAR, &["a m"], "a: m @ near http://localhost:8000/v1 ?");
}

#[test]
fn what_is_missing_is_reported() {
    check_plan(
        "",
        &["a", "b", "c m openai"],
        "no model is set for `a`, `b`\n  help: write `model = \"…\"` and `provider = \"openai\"` under [live] of nodewise.toml, or `a = \"…\"` under [live.agents]",
    );
    check_plan(
        "",
        &["a m.1"],
        "no provider is set for the model `m.1` of `a`\n  help: write `provider = \"openai\"` under [live] of nodewise.toml, or under [live.models.\"m.1\"]",
    );
    check_plan(
        "",
        &["a m elsewhere"],
        "the provider `elsewhere` of the model `m` of `a` is not configured\n  help: write in nodewise.toml:\n  [live.providers.elsewhere]\n  kind = \"openai\"  # the protocol: openai or anthropic\n  base_url = \"http://localhost:8000/v1\"",
    );
}

fn check_start(configuration: &str, expected: &str) {
    let live: Live = toml::from_str(configuration).unwrap();
    let wiring = wiring(&["a m near"]);
    let secrets = Secrets::resolve(&needed_keys(&live, &wiring)).into();
    let shown = match Models::new(&live, &wiring, Vec::new(), secrets) {
        Ok(models) => models.notes().join("\n"),
        Err(problem) => problem.to_string(),
    };
    assert_eq!(shown, expected, "{configuration}");
}

#[test]
fn addresses_and_times_are_looked_at() {
    let near = |url: &str| format!("[providers.near]\nkind = \"openai\"\nbase_url = \"{url}\"\n");
    let help = "\n  help: write the base address of the API, for example `http://localhost:8000/v1`";
    check_start(&near("localhost"), &format!("`base_url` of the provider `near` is not a URL{help}"));
    check_start(
        &near("ftp://x/"),
        &format!("`base_url` of the provider `near` is not an `http` or `https` URL{help}"),
    );
    check_start(
        &near("http://me:secret@x/"),
        "`base_url` of the provider `near` contains a user name or a password\n  help: write `key = { env = \"…\" }` instead, so that no file contains the secret",
    );
    check_start(
        &format!("timeout_s = -1\n{NEAR}"),
        "`timeout_s` of [live] is not a valid time limit\n  help: write seconds, for example `120`",
    );
    check_start(NEAR, "");
    let far = near("http://models.example/v1");
    let unknown = "the price of the model `m` of `near` is unknown and counts as 0; set `input_usd` and `output_usd` under [live.models]";
    check_start(&far, unknown);
    check_start(&format!("{far}[models.m]\noutput_usd = 0\n"), "");
    check_start(
        &format!("{far}key = {{ command = [\"echo\", \"sk-1234\"] }}\n"),
        &format!(
            "the key of the provider `near` is sent unencrypted: its `base_url` is not `https`\n{unknown}"
        ),
    );
}

const AGENTOS: &str = "\
id: refund
name: refund
nodes:
  - id: write
    type: gmi
    executorConfig: {type: gmi, instructions: Write.}
    llm: {providerId: openai, model: gpt-4o}
    executionMode: single_turn
    effectClass: read
    checkpoint: none
  - id: decide
    type: human
    executorConfig: {type: human, prompt: Pay?, judge: {provider: anthropic, model: claude-opus-4-5}}
    executionMode: single_turn
    effectClass: human
    checkpoint: none
  - id: ask
    type: human
    executorConfig: {type: human, prompt: Pay?}
    executionMode: single_turn
    effectClass: human
    checkpoint: none
edges:
  - {id: begin, source: __START__, target: write, type: static}
  - {id: written, source: write, target: decide, type: static}
  - {id: decided, source: decide, target: ask, type: static}
  - {id: asked, source: ask, target: __END__, type: static}
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
";

/// In AgentOS a node may name its model itself, and a judge decides in a person's place.
#[test]
fn nodes_name_their_models() {
    let mut workspace = Workspace::new();
    let settings = Arc::new(Settings::default());
    workspace.apply(vec![Change::Write { path: "refund.yaml".into(), text: AGENTOS.into(), settings }]);
    let snapshot = workspace.snapshot();
    let target = SimulationTarget::named(&snapshot, None, None, None).unwrap();
    let inputs = RunInputs { snapshot: &snapshot, target: &target, scenario: &empty() };
    let wiring = nodewise_live::systems::wiring(&inputs, systems::agentos::SYSTEM);
    let agents = wiring.agents.iter().map(|(name, agent)| {
        let word = |word: &Option<_>| word.clone().unwrap_or_else(|| "-".into());
        format!("{name} {} {}", word(&agent.model), word(&agent.provider))
    });
    assert_eq!(agents.collect::<Vec<_>>(), ["decide claude-opus-4-5 anthropic", "write gpt-4o openai"]);
}
