// The released AgentOS package as an oracle. Each line asks for one thing:
//   {ask: "expression", expression, state} -> {result, edge} | {crash}
//   {ask: "document", text | value}        -> {kind, errors, warnings, crash, cycles_allowed: {errors, warnings}}
//   {ask: "run", job}                      -> the recording of a run: status, events, state, checkpoints
//   {ask: "prompts", job}                  -> {status, requests}
import { answerLines } from '../lines.mjs';
import { answerDocument } from './documents.mjs';
import { answerExpression } from './expressions.mjs';
import { answerPrompts } from './prompts.mjs';
import { answerRun } from './runs.mjs';

await answerLines({ expression: answerExpression, document: answerDocument, run: answerRun, prompts: answerPrompts });
