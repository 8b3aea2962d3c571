/**
 * The graph next to its text.
 *
 * Input: graphs and the cursor from the extension. Output: a drawing, and the places that the user chose.
 */

import { changed } from "../shared/changes.ts";
import type { Current, DrawnEdge, DrawnNode, FromGraph, ToGraph } from "../shared/messages.ts";
import { reasonOf } from "../shared/reason.ts";
import { GraphCanvas } from "./canvas.ts";
import { html } from "./elements.ts";
import { connect } from "./host.ts";
import { button } from "./parts.ts";
import { ZOOM_STEP } from "./viewport.ts";

interface GraphData {
  title: string;
  nodes: DrawnNode[];
  edges: DrawnEdge[];
}

const NOTHING: GraphData = { title: "", nodes: [], edges: [] };

/** The graph that was received, and the graph that is drawn. */
let received = NOTHING;
let drawn = NOTHING;
let current: Current = { node: null, edge: null };

const host = connect<ToGraph, FromGraph>((message) => {
  switch (message.type) {
    case "graph":
      current = message.current;
      received = { title: message.title, nodes: changed(received.nodes, message.nodes), edges: changed(received.edges, message.edges) };
      show(received).catch(fail);
      break;
    case "current":
      current = message.current;
      canvas.mark(current);
      break;
    case "nothing":
      say(message.reason);
      break;
  }
});

const title = html("h1");
const place = html("div", { class: "canvas" });
const nothing = html("p", { class: "nothing", hidden: "" });
const chosen = {
  node: (index: number) => host.send({ type: "reveal", node: drawn.nodes[index]?.id ?? "" }),
  edge: (index: number) => host.send({ type: "reveal", edge: index }),
};
const canvas = new GraphCanvas(place, chosen, host.layout);

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
document.body.append(tools, place, nothing);

host.send({ type: "ready" });

async function show(wanted: GraphData): Promise<void> {
  const begun = performance.now();
  nothing.hidden = true;
  place.hidden = false;
  if (await canvas.show(wanted)) {
    const isFirst = drawn === NOTHING;
    drawn = wanted;
    title.textContent = wanted.title;
    toolNodes.hidden = !canvas.tools.exist;
    canvas.mark(current);
    if (isFirst) {
      document.body.dataset["drawnIn"] = String(Math.round(performance.now() - begun));
    }
  }
}

async function switchTools(): Promise<void> {
  await canvas.showTools(canvas.tools.areChips);
  toolNodes.setAttribute("aria-pressed", String(!canvas.tools.areChips));
  canvas.mark(current);
}

function fail(error: unknown): void {
  say(reasonOf(error));
}

/** Shows why there is no graph. */
function say(reason: string): void {
  received = drawn = NOTHING;
  title.textContent = "";
  place.hidden = true;
  nothing.hidden = false;
  nothing.textContent = reason;
}
