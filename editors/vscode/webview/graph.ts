/**
 * The graph next to its text.
 *
 * Input: graphs and the cursor from the extension. Output: a drawing, the places that the user chose, and what the user
 * wants to change.
 */

import type { Current, DrawnGraph, FromGraph, ToGraph } from "../shared/messages.ts";
import { graphInside } from "../shared/nested.ts";
import type { ConditionHelp } from "../shared/protocol.ts";
import { reasonOf } from "../shared/reason.ts";
import { GraphCanvas } from "./canvas.ts";
import { ConditionField } from "./condition.ts";
import { Editing } from "./editing.ts";
import { html } from "./elements.ts";
import { connect } from "./host.ts";
import { MarksBar } from "./marks.ts";
import { button } from "./parts.ts";
import { copyPoints, picture } from "./picture.ts";
import { type GraphData, NOTHING, ReceivedGraph } from "./received.ts";
import { ZOOM_STEP } from "./viewport.ts";

/** The graph that was received, and the graph that is drawn. */
const received = new ReceivedGraph();
let drawn = NOTHING;
let current: Current = { node: null, edge: null };
/** The questions about conditions that have no answer yet. */
const helpless = new Map<number, (help: ConditionHelp | null) => void>();
let helpAsked = 0;

const host = connect<ToGraph, FromGraph>((message) => {
  switch (message.type) {
    case "graph":
      current = message.current;
      draw(message);
      break;
    case "current":
      current = message.current;
      if (received.needsAll()) {
        askForAll();
      } else {
        canvas.mark(current);
      }
      break;
    case "nothing":
      say(message.reason);
      break;
    case "marks":
      marksBar.show(message.marks);
      canvas.dimOthers(message.marks?.dimsOthers === true);
      break;
    case "conditionHelp":
      helpless.get(message.number)?.(message.help);
      helpless.delete(message.number);
      break;
    case "editCondition":
      field.open({ edge: message.edge, condition: message.condition });
      break;
    case "askCondition":
      field.open({ from: message.from, to: message.to });
      break;
    case "connectFrom":
      editing.connectFrom(message.node);
      break;
    case "toggleSubgraph":
      canvas.toggleNode(message.inside, message.node).catch(fail);
      break;
    case "export":
      exportPicture(message).catch((error: unknown) => host.send({ type: "failed", reason: reasonOf(error) }));
      break;
  }
});

const title = html("h1");
const place = html("div", { class: "canvas" });
const nothing = html("p", { class: "nothing", hidden: "" });
const chosen = {
  node: (index: number, goes: boolean, inside: string[]) => host.send({ type: "reveal", node: graphInside<DrawnGraph>(drawn, inside)?.nodes[index]?.id ?? "", inside, goes }),
  edge: (index: number, goes: boolean, inside: string[]) => host.send({ type: "reveal", edge: index, inside, goes }),
  opened: (paths: string[][]) => host.send({ type: "opened", paths }),
};
const canvas = new GraphCanvas(place, chosen, host.layout);
const editing = new Editing(canvas, {
  act: (act, part) => (act === "editCondition" && part.is === "edge" ? field.open({ edge: { index: part.index, from: part.from, to: part.to }, condition: part.condition }) : host.send({ type: "act", act, part })),
  edit: (edit) => host.send({ type: "edit", edit }),
  undo: (isRedo) => host.send({ type: "undo", isRedo }),
});
const field = new ConditionField({
  help: (edit, offset) => {
    helpAsked += 1;
    const number = helpAsked;
    host.send({ type: "conditionHelp", number, edit, offset });
    return new Promise((resolve) => helpless.set(number, resolve));
  },
  done: (edit) => host.send({ type: "edit", edit }),
  closed: () => canvas.surface.focus(),
});
canvas.stage.append(field.element);

const details = button("Details", "Show only names, or also kinds, state keys and tools", () => void canvas.toggleDetail().catch(fail));
const toolNodes = button("Tools as Nodes", "Draw tools as nodes with edges, or inside the nodes that call them", () => void switchTools().catch(fail));

const tools = html(
  "div",
  { class: "tools" },
  title,
  toolNodes,
  details,
  button("−", "Zoom out (-)", () => canvas.zoom(1 / ZOOM_STEP)),
  button("+", "Zoom in (+)", () => canvas.zoom(ZOOM_STEP)),
  button("Fit", "Fit the graph into the view (0)", () => canvas.fit()),
);
const marksBar = new MarksBar(() => host.send({ type: "endMarks" }), (line) => host.send({ type: "revealLine", line }));
document.body.append(tools, marksBar.element, place, nothing);

host.send({ type: "ready" });

async function show(wanted: GraphData): Promise<void> {
  const begun = performance.now();
  nothing.hidden = true;
  place.hidden = false;
  if (await canvas.show(wanted)) {
    const isFirst = drawn === NOTHING;
    drawn = wanted;
    title.textContent = wanted.title;
    // In a narrow column, its end is cut.
    title.title = wanted.title;
    toolNodes.hidden = !canvas.tools.exist;
    canvas.mark(current);
    if (isFirst) {
      document.body.dataset["drawnIn"] = String(Math.round(performance.now() - begun));
    }
  }
}

/** Sends a picture to the extension. The page itself copies points, because an extension can copy only text. */
async function exportPicture({ form, colours, to }: Extract<ToGraph, { type: "export" }>): Promise<void> {
  const data = await picture(canvas.whole(), form, colours);
  const notCopied = to === "clipboard" && form === "png" ? await copyPoints(data) : null;
  host.send({ type: "exported", form, data, notCopied });
}

async function switchTools(): Promise<void> {
  await canvas.showTools(canvas.tools.areChips);
  toolNodes.setAttribute("aria-pressed", String(!canvas.tools.areChips));
  canvas.mark(current);
}

function draw(message: Extract<ToGraph, { type: "graph" }>): void {
  const graph = received.take(message);
  if (graph === undefined) {
    askForAll();
  } else {
    show(graph).catch(fail);
  }
}

/** Asks the extension to send the whole graph. */
function askForAll(): void {
  host.send({ type: "ready" });
}

/** Shows why the graph could not be drawn. The next message requests the whole graph and draws it again. */
function fail(error: unknown): void {
  say(reasonOf(error));
  received.lose();
  canvas.forget();
}

/** Shows why there is no graph. */
function say(reason: string): void {
  received.clear();
  drawn = NOTHING;
  title.textContent = "";
  place.hidden = true;
  nothing.hidden = false;
  nothing.textContent = reason;
}
