// The released cycgraph package as an oracle. Each line asks for one thing:
//   {ask: "expression", expression, memory?, goal?, tainted?, strict_taint?} -> {compiles, edge, verifier, value | error}
//   {ask: "path", path, json}                                              -> {value} | {error}
//   {ask: "document", text | value}                                        -> {kind, stage, schema, errors, warnings}
//   {ask: "run", scenario}                                                 -> {status, visited, memory, …, events, stream}
//   {ask: "prompts", scenario}                                             -> {status, requests}
process.env.LOG_LEVEL = 'silent';
const { answerLines } = await import('../lines.mjs');
const { answerExpression } = await import('./expressions.mjs');
const { answerPath } = await import('./paths.mjs');
const { answerDocument } = await import('./documents.mjs');
const { answerPrompts } = await import('./prompts.mjs');
const { answerRun } = await import('./runs.mjs');

await answerLines({
  expression: answerExpression, path: answerPath, document: answerDocument, run: answerRun, prompts: answerPrompts,
});
