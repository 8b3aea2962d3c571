// Runs a composite action as GitHub's runner does, reads a workflow as GitHub does, or runs the jobs of a GitLab pipeline.
//
// Input: `action FILE RUNNER` or `gitlab FILE RUNNER`, where RUNNER is a JSON file with the inputs of the user, the runner's
// folders and its environment; or `workflow FILE`. Output: what the steps print, `uses: …` for steps that call other actions, outputs,
// artifacts that are not there, `exit N`. GitHub's own packages parse its files and evaluate their expressions.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { register } from "node:module";
import { join } from "node:path";
import { Evaluator, Lexer, Parser, data } from "@actions/expressions";
import { parse } from "yaml";

register("./json.mjs", import.meta.url);
const { NoOperationTraceWriter, parseWorkflow } = await import("@actions/workflow-parser");
const { parseAction } = await import("@actions/workflow-parser/actions/action-parser");

// As the runner starts `shell: bash`.
const SHELL = ["bash", ["--noprofile", "--norc", "-eo", "pipefail"]];
const STATUS_FUNCTIONS = ["always", "cancelled", "failure", "success"];

const [, , kind, file, runnerFile] = process.argv;
const content = readFileSync(file, "utf8");
if (kind === "gitlab") {
  runJobs(parse(content), JSON.parse(readFileSync(runnerFile, "utf8")));
} else {
  refuseErrors(kind === "workflow" ? parseWorkflow : parseAction);
  if (kind === "action") {
    runAction(parse(content), JSON.parse(readFileSync(runnerFile, "utf8")));
  }
}

function refuseErrors(read) {
  const errors = read({ name: file, content }, new NoOperationTraceWriter()).context.errors.getErrors();
  errors.forEach((error) => console.log(`error: ${error.message}`));
  if (errors.length > 0) {
    process.exit(1);
  }
}

function runJobs(pipeline, runner) {
  for (const [name, job] of Object.entries(pipeline)) {
    console.log(`job: ${name}`);
    // As the runner does: one shell, which ends with the first command that fails.
    const result = spawnSync("bash", ["-eo", "pipefail", "-c", job.script.join("\n")], {
      cwd: runner.workspace,
      encoding: "utf8",
      // With a socket, bash takes itself for a remote shell and reads its user's settings.
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...runner.environment },
    });
    process.stdout.write(result.stdout + result.stderr);
    for (const artifact of Object.values(job.artifacts?.reports ?? {})) {
      if (!existsSync(join(runner.workspace, artifact))) {
        console.log(`missing: ${artifact}`);
      }
    }
    console.log(`exit ${result.status}`);
  }
}

function runAction(action, runner) {
  const known = Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? ""]));
  for (const name of Object.keys(runner.inputs)) {
    if (!(name in known)) {
      throw new Error(`the action has no input ${name}`);
    }
  }
  const contexts = { inputs: { ...known, ...runner.inputs }, steps: {}, runner: { temp: runner.temp } };
  const environment = { ...process.env, ...runner.environment };
  let code = 0;
  for (const step of action.runs.steps) {
    if (!isWanted(step.if, contexts, code !== 0)) {
      continue;
    }
    if (step.uses !== undefined) {
      const inputs = Object.entries(step.with).map(([name, value]) => ` ${name}=${filled(value, contexts)}`);
      console.log(`uses: ${step.uses}${inputs.join("")}`);
      continue;
    }
    code = runStep(step, contexts, runner, environment) || code;
  }
  for (const [name, output] of Object.entries(action.outputs)) {
    console.log(`output: ${name}=${filled(output.value, contexts)}`);
  }
  console.log(`exit ${code}`);
}

function runStep(step, contexts, runner, environment) {
  const files = Object.fromEntries(
    ["GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH"].map((name) => [name, join(runner.temp, name.toLowerCase())]),
  );
  Object.values(files).forEach((path) => writeFileSync(path, ""));
  const script = join(runner.temp, "step.sh");
  writeFileSync(script, filled(step.run, contexts));
  const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value, contexts)]);
  const [shell, options] = SHELL;
  const result = spawnSync(shell, [...options, script], {
    cwd: runner.workspace,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...environment,
      ...files,
      GITHUB_ACTION_PATH: runner.action,
      GITHUB_WORKSPACE: runner.workspace,
      RUNNER_TEMP: runner.temp,
      ...Object.fromEntries(own),
    },
  });
  process.stdout.write(result.stdout + result.stderr);
  const outputs = lines(files.GITHUB_OUTPUT).map((line) => line.split(/=(.*)/s).slice(0, 2));
  if (step.id !== undefined) {
    contexts.steps[step.id] = { outputs: Object.fromEntries(outputs) };
  }
  environment.PATH = [...lines(files.GITHUB_PATH).reverse(), environment.PATH].join(":");
  return result.status ?? 1;
}

function lines(path) {
  return readFileSync(path, "utf8").split("\n").filter((line) => line !== "");
}

// A condition that asks nothing about the steps before holds only after success.
function isWanted(condition, contexts, hasFailed) {
  const expression = String(condition ?? "success()").replace(/^\s*\$\{\{(.*)\}\}\s*$/s, "$1");
  const asksForStatus = STATUS_FUNCTIONS.some((name) => expression.includes(`${name}(`));
  const whole = asksForStatus ? expression : `success() && (${expression})`;
  return truth(evaluate(whole, contexts, hasFailed));
}

function truth(value) {
  const falsy = [data.Kind.Null, data.Kind.Boolean, data.Kind.Number, data.Kind.String].includes(value.kind);
  return !falsy || !["", "0", "false"].includes(value.coerceString());
}

function filled(value, contexts) {
  return String(value).replace(/\$\{\{(.*?)\}\}/gs, (_, expression) => evaluate(expression, contexts, false).coerceString());
}

function evaluate(expression, contexts, hasFailed) {
  const status = { always: true, cancelled: false, failure: hasFailed, success: !hasFailed };
  const functions = STATUS_FUNCTIONS.map((name) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(status[name]),
  }));
  const parser = new Parser(new Lexer(expression).lex().tokens, Object.keys(contexts), functions);
  const byName = new Map(functions.map((definition) => [definition.name, definition]));
  return new Evaluator(parser.parse(), dictionary(contexts), byName).evaluate();
}

function dictionary(value) {
  if (typeof value !== "object") {
    return new data.StringData(String(value));
  }
  return new data.Dictionary(...Object.entries(value).map(([key, item]) => ({ key, value: dictionary(item) })));
}
