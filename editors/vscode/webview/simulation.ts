/**
 * A run: its input, its path through the graph, and its steps with the state after each.
 *
 * Input: traces and states from the extension. Output: what to run, and the current step. Invariant: everything from a
 * file or a run is shown as text.
 */

import type { Declared, FromSimulation, LayoutAnswer, Subject, ToSimulation } from "../shared/messages.ts";
import type { Simulated, Standing, TraceGraph } from "../shared/protocol.ts";
import { graphInside } from "../shared/nested.ts";
import { reasonOf } from "../shared/reason.ts";
import { GraphCanvas } from "./canvas.ts";
import { otherAnswer, stateParts, whatHappened, whyJudged } from "./details.ts";
import { html } from "./elements.ts";
import { Form } from "./form.ts";
import { connect } from "./host.ts";
import { LiveRun } from "./liverun.ts";
import { button, iconButton } from "./parts.ts";
import type { PlacedGraph } from "./runboard.ts";
import { type Step, Story, time, wordOf } from "./steps.ts";
import type { Trail } from "./trail.ts";

/** The maximum number of listed steps, around the current one. */
const LISTED_MAX = 400;
/** Subgraphs are indented up to this depth. */
const DEPTH_MAX = 4;

let simulated: Simulated | null = null;
let story: Story | null = null;
/** The listed steps, and the index of the current one. */
let steps: Step[] = [];
let step = -1;
/** The live run that is shown. Null after it has ended. */
let live: LiveRun | null = null;
let graph: TraceGraph | undefined;
let trail: Trail | null = null;

const host = connect<ToSimulation, FromSimulation>(hear);
const title = html("h1");
const summary = html("p", { class: "summary", role: "status" });
const form = new Form();
const run = button("Run Dry", "Run from the beginning with scripted answers", () => start("run"), "primary");
const runLive = button("Run Live", "Run from the beginning with real models, tools and functions", () => start("runLive"));
const mode = html("span", { class: "mode", hidden: "" });
const stop = button("Stop", "Stop the run", () => host.send({ type: "stop" }));
const save = button("Save as Scenario", "Save the answers and the outcome of this run as a scenario file", () => host.send({ type: "save" }));

const failed = button("Show Failed Step", "Go to the first step that failed", () => lookAt(story?.failedEvent()));
failed.hidden = true;

const place = html("div", { class: "canvas" });
const chosen = {
  node: (index: number, _: boolean, inside: string[]) => revealPart("nodes", index, inside),
  edge: (index: number, _: boolean, inside: string[]) => revealPart("edges", index, inside),
};
const canvas = new GraphCanvas(place, chosen, host.layout);

const first = iconButton("M3.5 3v10M12.5 3 6 8l6.5 5", "First step (Home)", () => look(0));
const back = iconButton("M10.5 3 5 8l5.5 5", "Step back (←)", () => move(-1));
const forward = iconButton("M5.5 3 11 8l-5.5 5", "Step forward (→)", () => move(1));
const last = iconButton("M12.5 3v10M3.5 3 10 8l-6.5 5", "Last step (End)", () => look(lastStep()));
const slider = html("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step" });
const position = html("span", { class: "position" });
const list = html("ol", { class: "steps", tabindex: 0, "aria-label": "Steps" });
const all = html("input", { type: "checkbox", id: "all-events" });
const saying = html("section", { class: "saying" });
const happened = html("section", { class: "happened" });
const why = html("section", { class: "why" });
const fork = html("section", { class: "fork" });
const again = html("section", { class: "again" });
const state = html("section", { class: "state" });
const folding = html("label", { class: "folding", title: "Also list checkpoints, ends of visits, and what the system notes about the run" }, all, "All events");
const stepping = html("div", { class: "stepping" }, first, back, forward, last, slider, position, folding);

document.body.append(
  html("header", { class: "tools" }, title, mode, run, runLive, stop, save, failed),
  summary,
  form.element,
  html("main", {}, place, html("aside", {}, stepping, list, saying, happened, why, again, fork, state)),
);
slider.addEventListener("input", () => look(Number(slider.value)));
all.addEventListener("change", refold);
list.addEventListener("keydown", (event) => {
  const moves: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  const by = moves[event.key];
  if (by !== undefined) {
    event.preventDefault();
    move(by);
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
    case "progress":
      progress(message);
      break;
    case "simulated":
      busy(false);
      show(message.simulated, message.declared);
      break;
    case "refused":
      busy(false);
      end();
      refuse(message.reason);
      break;
    case "standing":
      stand(message.standing);
      break;
    case "saved":
      summary.textContent = `Saved as ${message.file}`;
      summary.className = "summary";
      break;
  }
}

/** Starts a run with what is in the form, unless the form has problems. */
function start(type: "run" | "runLive"): void {
  const filled = form.read(type === "runLive");
  if (filled === undefined) {
    refuse("The run was not started: a field of the input has a problem.");
    return;
  }
  host.send({ type: "remember", key: filled.key, input: filled.written });
  host.send({ type, given: filled.given });
}

function offer(subject: Subject): void {
  title.textContent = subject.title;
  form.offer(subject);
  runLive.hidden = subject.isScenario;
}

function busy(isBusy: boolean): void {
  run.disabled = runLive.disabled = isBusy;
  stop.disabled = !isBusy;
  save.disabled = isBusy || simulated?.id == null;
  if (isBusy) {
    failed.hidden = true;
    summary.textContent = "Running…";
    summary.className = "summary";
  }
}

/** Shows what happened in a live run since the last time. The last step stays the current one, unless the user chose another. */
function progress({ progress, declared }: Extract<ToSimulation, { type: "progress" }>): void {
  if (progress.beginning !== undefined) {
    live = new LiveRun(progress.beginning, declared);
    [simulated, story, graph, steps, step] = [null, live.story, undefined, [], -1];
    [happened, why, fork, again, state].forEach((section) => section.replaceChildren());
    setMode(true);
    form.close();
  }
  if (live === null) {
    return;
  }
  const isLast = step === lastStep();
  live.take(progress);
  summary.textContent = live.summary();
  saying.replaceChildren(...live.saying());
  saying.querySelectorAll("pre").forEach((said) => said.scrollTo({ top: said.scrollHeight }));
  steps = stepsOf(live.story);
  slider.max = String(Math.max(lastStep(), 0));
  if (steps.length > 0 && progress.events.length > 0) {
    look(isLast ? lastStep() : step, false);
  } else if (steps.length === 0) {
    list.replaceChildren();
    paint(live.story, 0);
  }
}

/** Ends the display of a live run: what models are saying is no longer shown. */
function end(): void {
  live = null;
  saying.replaceChildren();
  document.body.classList.remove("going-on");
}

function setMode(isLive: boolean): void {
  mode.hidden = false;
  mode.textContent = isLive ? "Live run" : "Dry run";
  mode.classList.toggle("live", isLive);
  document.body.classList.toggle("going-on", live !== null);
}

function refuse(reason: string): void {
  summary.textContent = reason;
  summary.className = "summary bad";
}

function show(answer: Simulated, declared: Declared[]): void {
  end();
  simulated = answer;
  story = new Story(answer.trace, declared);
  graph = undefined;
  setMode(answer.run !== undefined);
  const { outcome, spent } = answer.trace;
  const tokens = (spent.input_tokens ?? 0) + (spent.output_tokens ?? 0);
  summary.textContent = [ending(answer), ...(tokens === 0 ? [] : [`${tokens} tokens`])].join(" · ");
  const isGood = answer.scenario === null ? outcome.status === "completed" : answer.scenario.passed;
  summary.className = `summary ${!isGood ? "bad" : isDoubtful(answer) ? "doubtful" : "good"}`;
  for (const mismatch of answer.scenario?.mismatches ?? []) {
    summary.append(html("span", { class: "mismatch" }, mismatch.message));
  }
  form.close();
  failed.hidden = story.failedEvent() === undefined;
  steps = stepsOf(story);
  slider.max = String(Math.max(lastStep(), 0));
  save.disabled = answer.id === null;
  look(lastStep(), false);
}

/** The listed steps. */
function stepsOf(of: Story): Step[] {
  return of.steps.filter((one) => all.checked || !one.isBookkeeping);
}

/** Shows or hides bookkeeping steps. The current step stays, or the listed one before it is chosen. */
function refold(): void {
  if (story !== null) {
    const event = steps[step]?.event ?? 0;
    steps = stepsOf(story);
    slider.max = String(Math.max(lastStep(), 0));
    look(indexOf(event));
  }
}

/** The listed step of an event, or the one before it. */
function indexOf(event: number): number {
  return steps.findLastIndex((one) => one.event <= event);
}

/** Shows the step of an event, and gives the focus to the list. */
function lookAt(event: number | undefined): void {
  if (event !== undefined) {
    look(indexOf(event));
    list.focus();
  }
}

function move(by: number): void {
  look(step + by);
}

/** Whether a completed run may not be a success, because answers were made up or a step failed. */
function isDoubtful({ madeUp, scenario, summary }: Simulated): boolean {
  return scenario === null && (madeUp === true || / steps? failed,/.test(summary));
}

/** How the run ended. The title above already says what ran. */
function ending({ summary, trace }: Simulated): string {
  const start = `${trace.title}: `;
  return summary.startsWith(start) ? summary.slice(start.length) : summary;
}

function lastStep(): number {
  return steps.length - 1;
}

/**
 * Shows a step: the path up to it, its place in the list, and the state after it. The source follows unless the run has
 * just ended: the editor then stays where the user works.
 */
function look(wanted: number, follows = true): void {
  step = Math.min(Math.max(wanted, 0), lastStep());
  const found = steps[step];
  if (story === null || found === undefined) {
    return;
  }
  slider.value = String(step);
  first.disabled = back.disabled = step === 0;
  last.disabled = forward.disabled = step === lastStep();
  position.textContent = `${step + 1} of ${steps.length} · ${time(found.at)}`;
  paint(story, found.event);
  listSteps();
  if (follows) {
    const place = story.locationOf(found.event);
    host.send({ type: "follow", location: (place === undefined ? undefined : story.trace.locations[place]) ?? null });
  }
  const event = story.trace.events[found.event];
  const trace = simulated?.id ?? null;
  if (event !== undefined) {
    happened.replaceChildren(...whatHappened(event));
    why.replaceChildren(...whyJudged(event));
    fork.replaceChildren(...(trace === null ? [] : otherAnswer(event, (answer) => host.send({ type: "fork", event: found.event, answer }))));
  }
  again.replaceChildren(...(simulated?.run === undefined ? [] : [runFrom(found.event)]));
  if (trace !== null || live !== null) {
    host.send({ type: "stateAt", event: found.event });
  }
}

/** Starts a live run again from the step of an event. */
function runFrom(event: number): HTMLElement {
  return button("Run Again from Here", "Start a new live run that keeps everything before this step", () => host.send({ type: "again", event }));
}

/** Shows the graph of an event, and the path up to it. A graph stays if the event is in one of its subgraphs that is open. */
function paint(shown: Story, event: number): void {
  const path = graph === undefined ? undefined : shown.pathIn(graph, event);
  const wanted = path !== undefined && path.length > 0 && canvas.isOpen(path) ? graph : shown.graphAt(event);
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
    .show(shown.board(wanted))
    .then(() => canvas.paint(trail))
    .catch((error: unknown) => refuse(reasonOf(error)));
}

function listSteps(): void {
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
  made.addEventListener("dblclick", () => reveal(story?.locationOf(one.event)));
  return made;
}

function stand(found: Standing): void {
  if (steps[step]?.event === found.event) {
    state.dataset["event"] = String(found.event);
    state.replaceChildren(...stateParts(found));
  }
}

/** Shows the source of a node or edge that is drawn. */
function revealPart(of: "nodes" | "edges", index: number, inside: string[]): void {
  const board: PlacedGraph | undefined = graph === undefined ? undefined : story?.board(graph);
  const part = board === undefined ? undefined : graphInside<PlacedGraph>(board, inside)?.[of][index];
  if (part?.location != null) {
    typeof part.location === "number" ? reveal(part.location) : host.send({ type: "reveal", location: part.location });
  }
}

/** Shows the source of a place in the trace. */
function reveal(number: number | undefined): void {
  const location = number === undefined ? undefined : story?.trace.locations[number];
  if (location !== undefined) {
    host.send({ type: "reveal", location });
  }
}
