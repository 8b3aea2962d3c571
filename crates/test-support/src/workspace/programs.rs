//! A project of programs in TypeScript of any size: services, as teams write them, and a few modules that build graphs of
//! cycgraph. Every import resolves within the project: services import services, and modules with graphs import both.

/// One of this many modules builds a graph.
pub const SHARE_OF_GRAPHS: usize = 20;

/// The path of module `number`, relative to the project.
pub fn path(number: usize) -> String {
    match is_graph(number) {
        true => format!("src/flows/case-{number}.ts"),
        false => format!("src/services/{}/service-{number}.ts", number % 10),
    }
}

/// The text of module `number` of `count`.
pub fn text(number: usize, count: usize) -> String {
    if is_graph(number) { small_graph(number, count) } else { service(number, count) }
}

fn is_graph(number: usize) -> bool {
    number.is_multiple_of(SHARE_OF_GRAPHS)
}

/// The number of a service that module `number` imports.
fn imported(number: usize, step: usize, count: usize) -> usize {
    let other = (number * 7 + step) % count;
    if is_graph(other) { other + 1 } else { other }
}

/// The import of a service. `depth` is the number of folders above the module: two or three.
fn import(number: usize, depth: usize) -> String {
    let up = "../".repeat(depth - 1);
    format!("import {{ Service{number}, LIMIT_{number} }} from '{up}{}';\n", &path(number)["src/".len()..])
        .replace(".ts';", ".js';")
}

/// A program without graphs.
fn service(number: usize, count: usize) -> String {
    let others: Vec<usize> = [3, 5, 11].iter().map(|step| imported(number, *step, count)).collect();
    let imports: String = others.iter().map(|other| import(*other, 3)).collect();
    let methods: String = (0..10)
        .map(|method| {
            format!(
                "
  /** Looks up the orders of step {method}. */
  async step{method}(request: Request{number}, limit = LIMIT_{number}): Promise<Answer{number}> {{
    const found = await this.other.find({{ kind: 'order', page: {method}, limit }});
    const open = found.filter((order) => order.state !== 'closed' && order.total > {method}0);
    if (open.length === 0) {{
      throw new Error(`no order of ${{request.customer}} is open`);
    }}
    return {{ orders: open.map((order) => order.id), total: open.reduce((sum, order) => sum + order.total, 0) }};
  }}
"
            )
        })
        .collect();
    format!(
        "{imports}
export const LIMIT_{number} = {limit};

export interface Request{number} {{
  customer: string;
  since?: Date;
}}

export interface Answer{number} {{
  orders: string[];
  total: number;
}}

export class Service{number} {{
  constructor(private readonly other: Service{other}) {{}}
{methods}}}
",
        limit = number % 90 + 10,
        other = others[0],
    )
}

/// A module with a graph of five nodes. It calls two services.
fn small_graph(number: usize, count: usize) -> String {
    let (one, two) = (imported(number, 3, count), imported(number, 5, count));
    format!(
        "import {{ agent, graph, node, verifier }} from '@cycgraph/orchestrator';
{}{}
const MODEL = 'claude-sonnet-4-5';
const reader = agent({{ id: 'scribe-{number}', model: MODEL, instructions: 'Read the request.', maxSteps: LIMIT_{one} }});
const read = node({{ id: 'read', agent: reader, reads: ['request'], writes: ['topic', 'score'] }});
const look = node({{ id: 'look', agent: reader, reads: ['topic'], writes: 'orders' }});
const sane = verifier.expression(\"memory.orders != ''\", {{ id: 'sane', reads: ['orders'], resultKey: 'is_sane' }});
const write = node({{ id: 'write', agent: reader, reads: ['topic', look.writes], writes: 'answer' }});
const park = node({{ id: 'park', type: 'router' }});

export const case{number} = graph({{
  name: 'case-{number}',
  inputs: {{ request: {{ schema: {{ type: 'object' }} }} }},
  nodes: [read, look, sane, write, park],
  edges: [
    {{ from: read, to: look }},
    {{ from: look, to: sane }},
    {{ from: sane, to: write, when: 'memory.is_sane_passed and number(memory.score) > 0.5' }},
    {{ from: sane, to: park }},
  ],
}});

export const services = [new Service{one}(null!), new Service{two}(null!)].map((service) => service);
",
        import(one, 2),
        import(two, 2),
    )
}

/// The path of the module of [`large_graph`], relative to the project.
pub const LARGE_PATH: &str = "src/flows/large.ts";
/// A line of that module, and the same line with a mistake.
pub const LARGE_LINE: [&str; 2] = ["strictTaint: true", "strictTaint: 1234"];

/// The number of the service that the large module imports.
pub fn imported_by_large(count: usize) -> usize {
    imported(0, 3, count)
}

/// A module with at least `lines` lines. It has a graph of many nodes in a row, and functions that use services as in
/// small modules.
pub fn large_graph(lines: usize, count: usize) -> String {
    const LINES_OF_A_NODE: usize = 12;
    let nodes = lines.div_ceil(LINES_OF_A_NODE);
    let one = imported_by_large(count);
    let declared: String = (0..nodes).map(large_node).collect();
    let names: String = (0..nodes).map(|number| format!("    step{number},\n")).collect();
    let edges: String = (1..nodes)
        .map(|number| {
            format!(
                "    {{ from: step{}, to: step{number}, when: \"memory.note_{} != 'stop'\" }},\n",
                number - 1,
                number - 1
            )
        })
        .collect();
    format!(
        "import {{ agent, graph, node }} from '@cycgraph/orchestrator';
{}
const MODEL = 'claude-sonnet-4-5';
const worker = agent({{ id: 'worker', model: MODEL, instructions: 'Work on it.', maxSteps: LIMIT_{one} }});
{declared}
export const large = graph({{
  name: 'large',
  {},
  inputs: {{ topic: {{ schema: {{ type: 'string' }} }}, request: {{ schema: {{ type: 'object' }} }} }},
  nodes: [
{names}  ],
  edges: [
{edges}  ],
}});

export const service = new Service{one}(null!);
",
        import(one, 2),
        LARGE_LINE[0],
    )
}

/// A node with the code around it, in ten lines. Its name and its edge are two more lines.
fn large_node(number: usize) -> String {
    let read = match number.checked_sub(1) {
        Some(before) => format!("step{before}.writes"),
        None => "'request'".to_owned(),
    };
    format!(
        "
/** Step {number}: takes what the step before it found. */
const step{number} = node({{
  id: 'step_{number}',
  agent: worker,
  reads: ['topic', {read}],
  writes: 'note_{number}',
  budget: {{ maxTokens: 4000 }},
  failurePolicy: {{ maxRetries: 4, backoffStrategy: 'linear', initialBackoffMs: 200 }},
}});
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_resolve_within_the_project() {
        const COUNT: usize = 100;
        let paths: Vec<String> = (0..COUNT).map(path).collect();
        for number in 0..COUNT {
            let text = text(number, COUNT);
            let imported: Vec<&str> = text
                .lines()
                .filter_map(|line| line.split_once("from '../")?.1.strip_suffix(".js';"))
                .collect();
            assert!(imported.len() >= 2, "{text}");
            for import in imported {
                let inside = import.trim_start_matches("../");
                assert!(paths.iter().any(|path| path.ends_with(&format!("{inside}.ts"))), "{import}");
            }
        }
    }

    #[test]
    fn large_modules_are_as_long_as_they_should_be() {
        let lines = large_graph(2_000, 100).lines().count();
        assert!((2_000..2_050).contains(&lines), "{lines}");
    }
}
