// The released AgentOS package as an oracle. Each line asks for one thing:
//   {ask: "expression", expression, state} -> {result, edge} | {crash}
//   {ask: "document", text | value}        -> {kind, errors, warnings, crash, cycles_allowed: {errors, warnings}}
import { answerLines } from '../lines.mjs';
import { answerDocument } from './documents.mjs';
import { answerExpression } from './expressions.mjs';

await answerLines({ expression: answerExpression, document: answerDocument });
