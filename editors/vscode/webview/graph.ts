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
      show(received).catch((error: unknown) => say(reasonOf(error)));
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

const tools = html(
  "div",
  { class: "tools" },
  title,
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
    canvas.mark(current);
    if (isFirst) {
      document.body.dataset["drawnIn"] = String(Math.round(performance.now() - begun));
    }
  }
}

/** Shows why there is no graph. */
function say(reason: string): void {
  received = drawn = NOTHING;
  title.textContent = "";
  place.hidden = true;
  nothing.hidden = false;
  nothing.textContent = reason;
}
