// Which numbered rule of the static check a message stands for, by the words around its names.
const RULES = [
  ['R1', /^Duplicate node ID/],
  ['R2', /^Node '.*': read_keys includes '\*'/s],
  ['R3', /^Node '.*': write_keys includes '\*'/s],
  ['R4', /^Node '.*': tool nodes write their result/s],
  ['R5', /^Start node '.*' not found/s],
  ['R6', /^Graph has no end nodes/],
  ['R7', /^End node '.*' not found/s],
  ['R8', /^Duplicate edge ID/],
  ['R9', /^Edge '.*': source node '.*' not found/s],
  ['R10', /^Edge '.*': target node '.*' not found/s],
  ['R11', /^Edge '.*': self-referencing/s],
  ['R12', /^Edge '.*': conditional edge is missing/s],
  ['R13', /^Edge '.*': condition expression '.*' has syntax error/s],
  ['R14', /^Edge '.*': condition uses a bare/s],
  ['R15', /^Agent node '.*' is missing agent_id/s],
  ['R16', /^Agent node '.*': annealing initial/s],
  ['R17', /^Swarm node '.*': peer node/s],
  ['R18', /^Swarm node '.*': no return edge/s],
  ['R19', /^Tool node '.*' is missing tool_id/s],
  ['R20', /^A2A node '.*' is missing a2a_config$/s],
  ['R21', /^A2A node '.*' is missing a2a_config\.server_id/s],
  ['R22', /^Subgraph node '.*' is missing subgraph_config$/s],
  ['R23', /^Subgraph node '.*' is missing subgraph_config\.subgraph_id/s],
  ['R24', /^Approval node '.*' is missing approval_config/s],
  ['R25', /^Approval node '.*': rejection_node_id/s],
  ['R26', /^Map node '.*' is missing map_reduce_config/s],
  ['R27', /^Map node '.*': worker node/s],
  ['R28', /^Map node '.*': synthesizer node/s],
  ['R29', /^Voting node '.*' is missing voting_config/s],
  ['R30', /^Voting node '.*': voter_agent_ids/s],
  ['R31', /^Voting node '.*': llm_judge/s],
  ['R32', /^Supervisor node '.*' is missing supervisor_config/s],
  ['R33', /^Supervisor node '.*' is missing agent_id/s],
  ['R34', /^Supervisor '.*': managed node/s],
  ['R35', /^Supervisor '.*' has no edge to/s],
  ['R36', /^Supervisor '.*' manages itself/s],
  ['R37', /^Evolution node '.*' is missing evolution_config/s],
  ['R38', /^Evolution node '.*': elite_count/s],
  ['R39', /^Evolution node '.*': tournament_size/s],
  ['R40', /^Evolution node '.*': temperature increases/s],
  ['R41', /^Verifier node '.*' is missing verifier_config/s],
  ['R42', /^Verifier node '.*': target_key/s],
  ['R43', /^Reflection node '.*' is missing reflection_config/s],
  ['R44', /^Reflection node '.*': source_key/s],
  ['R45', /^Reflection node '.*': entity_key/s],
  ['R46', /^Reflection node '.*': no tags/s],
  ['R47', /^Node '.*': default_write_key/s],
  ['R48', /^Node '.*' is unreachable/s],
  ['R49', /^Node '.*' has no outgoing edges/s],
  ['R50', /^Node '.*': read_keys entry '.*' is redundant/s],
  ['R51', /^Node '.*': read_keys entry '.*' is not produced/s],
  ['R52', /^Node '.*': reflection source_keys entry '.*' is not produced/s],
  ['R53', /^Graph contains cycles/],
];

/** What the schema gives an edge that has no id. */
const MADE_UP = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The rule of a message, and the node or edge that it names first, with the end of the edge that it names next. */
export function findingOf(message) {
  const found = RULES.find(([, pattern]) => pattern.test(message));
  if (!found) throw new Error(`no rule says: ${message}`);
  const names = [...message.matchAll(/'(.*?)'(?=[: ]|$)/gs)].map((name) => name[1]);
  const wanted = ['R9', 'R10'].includes(found[0]) ? names.slice(0, 2) : names.slice(0, 1);
  const isMadeUp = message.startsWith('Edge') && MADE_UP.test(names[0]);
  return [found[0], ...(isMadeUp ? wanted.slice(1) : wanted)].filter((name) => name).join(' ');
}
