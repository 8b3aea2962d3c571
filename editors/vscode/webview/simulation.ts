/**
 * A run: its input, its path through the graph, and its steps with the state after each.
 *
 * Input: traces and states from the extension. Output: what to run, and the current step. Invariant: everything from a
 * file or a run is shown as text.
 */

import type { FromSimulation, LayoutAnswer, Subject, ToSimulation } from "../shared/messages.ts";
import type { Simulated, Standing, TraceGraph } from "../shared/protocol.ts";
import { reasonOf } from "../shared/reason.ts";
import { GraphCanvas, type Trail } from "./canvas.ts";
import { otherAnswer, stateParts, whyJudged } from "./details.ts";
import { html } from "./elements.ts";
import { Form } from "./form.ts";
import { connect } from "./host.ts";
import { button } from "./parts.ts";
import { drawn, type Step, Story, time, wordOf } from "./steps.ts";

/** The maximum number of listed steps, around the current one. */
const LISTED_MAX = 400;
/** Subgraphs are indented up to this depth. */
const DEPTH_MAX = 4;

let simulated: Simulated | null = null;
let story: Story | null = null;
/** The index of the current step. */
let step = -1;
let graph: TraceGraph | undefined;
let trail: Trail | null = null;

const host = connect<ToSimulation, FromSimulation>(hear);
const title = html("h1");
const summary = html("p", { class: "summary", role: "status" });
const form = new Form();
const run = button("Run", "Start the run from the beginning", () => host.send({ type: "run", given: form.read() }), "primary");
const stop = button("Stop", "Stop the run", () => host.send({ type: "stop" }));
const save = button("Save as Scenario", "Save the answers and the outcome of this run as a scenario file", () => host.send({ type: "save" }));

const place = html("div", { class: "canvas" });
const chosen = { node: (index: number) => reveal(graph?.nodes[index]?.location), edge: (index: number) => reveal(graph?.edges[index]?.location) };
const canvas = new GraphCanvas(place, chosen, host.layout);

const first = button("|◀", "First step (Home)", () => look(0));
const back = button("◀", "Step back (←)", () => look(step - 1));
const forward = button("▶", "Step forward (→)", () => look(step + 1));
const last = button("▶|", "Last step (End)", () => look(lastStep()));
const slider = html("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step" });
const position = html("span", { class: "position" });
const list = html("ol", { class: "steps", tabindex: 0, "aria-label": "Steps" });
const why = html("section", { class: "why" });
const fork = html("section", { class: "fork" });
const again = html("section", { class: "again" });
const state = html("section", { class: "state" });
const stepping = html("div", { class: "stepping" }, first, back, forward, last, slider, position);

document.body.append(
  html("header", { class: "tools" }, title, run, stop, save),
  summary,
  form.element,
  html("main", {}, place, html("aside", {}, stepping, list, why, again, fork, state)),
);
slider.addEventListener("input", () => look(Number(slider.value)));
list.addEventListener("keydown", (event) => {
  const steps: Record<string, number> = { ArrowUp: step - 1, ArrowDown: step + 1, ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: lastStep() };
  const to = steps[event.key];
  if (to !== undefined) {
    event.preventDefault();
    look(to);
  }
});
busy(false);
host.send({ type: "ready" });

function hear(message: Exclude<ToSimulation, LayoutAnswer>): void {
  switch (message.type) {
    case "subject":
      offer(message.subject);
      break;
    case "running":
      busy(true);
      break;
    case "simulated":
      busy(false);
      show(message.simulated);
      break;
    case "refused":
      busy(false);
      refuse(message.reason);
      break;
    case "standing":
      stand(message.standing);
      break;
    case "saved":
      summary.textContent = `Saved as ${message.file}`;
      break;
  }
}

function offer(subject: Subject): void {
  title.textContent = subject.title;
  form.offer(subject);
}

function busy(isBusy: boolean): void {
  run.disabled = isBusy;
  stop.disabled = !isBusy;
  save.disabled = isBusy || simulated?.id == null;
  if (isBusy) {
    summary.textContent = "Running…";
    summary.className = "summary";
  }
}

function refuse(reason: string): void {
  summary.textContent = reason;
  summary.className = "summary bad";
}

function show(answer: Simulated): void {
  simulated = answer;
  story = new Story(answer.trace);
  graph = undefined;
  const { outcome, spent } = answer.trace;
  const tokens = (spent.input_tokens ?? 0) + (spent.output_tokens ?? 0);
  summary.textContent = [ending(answer), ...(tokens === 0 ? [] : [`${tokens} tokens`])].join(" · ");
  const isGood = answer.scenario === null ? outcome.status === "completed" : answer.scenario.passed;
  summary.className = `summary ${!isGood ? "bad" : isDoubtful(answer) ? "doubtful" : "good"}`;
  for (const mismatch of answer.scenario?.mismatches ?? []) {
    summary.append(html("span", { class: "mismatch" }, mismatch.message));
  }
  form.close();
  slider.max = String(Math.max(lastStep(), 0));
  save.disabled = answer.id === null;
  look(lastStep());
}

/** Whether a completed run is no success: nobody answered, or a step failed. */
function isDoubtful({ madeUp, scenario, summary }: Simulated): boolean {
  return scenario === null && (madeUp === true || / steps? failed,/.test(summary));
}

/** How the run ended. The title above already says what ran. */
function ending({ summary, trace }: Simulated): string {
  const start = `${trace.title}: `;
  return summary.startsWith(start) ? summary.slice(start.length) : summary;
}

function lastStep(): number {
  return (story?.steps.length ?? 0) - 1;
}

/** Shows a step: the path up to it, its place in the list, and the state after it. */
function look(wanted: number): void {
  step = Math.min(Math.max(wanted, 0), lastStep());
  const found = story?.steps[step];
  if (story === null || found === undefined) {
    return;
  }
  slider.value = String(step);
  first.disabled = back.disabled = step === 0;
  last.disabled = forward.disabled = step === lastStep();
  position.textContent = `${step + 1} of ${story.steps.length} · ${time(found.at)}`;
  paint(story, found.event);
  listSteps(story.steps);
  const event = story.trace.events[found.event];
  const trace = simulated?.id ?? null;
  if (event !== undefined) {
    why.replaceChildren(...whyJudged(event));
    fork.replaceChildren(...(trace === null ? [] : otherAnswer(event, (answer) => host.send({ type: "fork", event: found.event, answer }))));
  }
  again.replaceChildren(...(simulated?.run === undefined ? [] : [runFrom(found.event)]));
  if (trace !== null) {
    host.send({ type: "stateAt", event: found.event });
  }
}

/** Starts a live run again from the step of an event. */
function runFrom(event: number): HTMLElement {
  return button("Run Again from Here", "Start a new live run that keeps everything before this step", () => host.send({ type: "again", event }));
}

/** Shows the graph of an event, and the path up to it. */
function paint(shown: Story, event: number): void {
  const wanted = shown.graphAt(event);
  if (wanted === undefined) {
    return;
  }
  trail = shown.trail(wanted, event);
  if (graph === wanted) {
    canvas.paint(trail);
    return;
  }
  graph = wanted;
  canvas
    .show(drawn(wanted))
    .then(() => canvas.paint(trail))
    .catch((error: unknown) => refuse(reasonOf(error)));
}

function listSteps(steps: Step[]): void {
  const from = Math.max(0, Math.min(step - LISTED_MAX / 2, steps.length - LISTED_MAX));
  list.start = from + 1;
  list.replaceChildren(...steps.slice(from, from + LISTED_MAX).map((one, index) => row(one, from + index)));
  list.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
}

function row(one: Step, number: number): HTMLElement {
  const parts = [html("span", { class: "at" }, time(one.at)), html("span", { class: "word" }, wordOf(one.word)), html("span", { class: "text" }, one.text)];
  const made = html("li", { class: one.word }, ...parts);
  made.classList.toggle("chosen", number === step);
  made.dataset["depth"] = String(Math.min(one.depth, DEPTH_MAX));
  made.addEventListener("click", () => look(number));
  made.addEventListener("dblclick", () => reveal(story?.trace.events[one.event]?.location));
  return made;
}

function stand(found: Standing): void {
  if (story?.steps[step]?.event === found.event) {
    state.dataset["event"] = String(found.event);
    state.replaceChildren(...stateParts(found));
  }
}

/** Shows the source of a place in the trace. */
function reveal(number: number | undefined): void {
  const location = number === undefined ? undefined : story?.trace.locations[number];
  if (location !== undefined) {
    host.send({ type: "reveal", location });
  }
}
