// What the tests ask each tool. Input: none. Output: calls by the names of their tools. Invariant: no tool is left out.

/** A call of each tool, and what its answer contains. */
export const CALLS = {
  check: [{ paths: ["cycgraph-broken"] }, "error unknown-node: no node has the id `covred`"],
  explain: [{ rule: "unknown-tool" }, "What it does"],
  fix: [{ paths: ["cycgraph-broken"], unsafe: true }, "-  - {id: intake, type: agent, agent_id: clerc"],
  format: [{ text: "kind:   LLMNode\nname: desk\n" }, "kind: LLMNode\n"],
  graph: [{ paths: ["cycgraph/claims.yaml"], format: "mermaid" }, "flowchart"],
  simulate: [{ target: "cycgraph/claims.yaml", script: "cycgraph/claims.script.yaml", budget: 8000 }, "completed after"],
  explore: [{ target: "cycgraph/claims.yaml" }, "all possible runs"],
  test: [{ paths: ["cycgraph"] }, "5 scenarios: 5 passed"],
  evaluate: [{ language: "filtrex", expression: "memory.a > 1", values: { memory: { a: 2 } } }, "value: true"],
  schema: [{ name: "cycgraph", definition: "GraphNode" }, "properties:"],
  runs: [{}, "no runs found here"],
};
