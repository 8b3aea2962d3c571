/** The graph that the webview has received. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { ChangeTracker } from "../../shared/changes.ts";
import type { DrawnEdge, DrawnNode } from "../../shared/messages.ts";
import { ReceivedGraph } from "../../webview/received.ts";

/** The extension's side: sends what has changed, and all of it when it is asked. */
class Sender {
  private readonly nodes = new ChangeTracker<DrawnNode>();
  private readonly edges = new ChangeTracker<DrawnEdge>();

  graph(...ids: string[]) {
    const nodes = ids.map((id): DrawnNode => ({ id, label: id, kind: "agent", role: "node", reads: [], writes: [], problems: 0 }));
    const edges = ids.slice(1).map((to, index): DrawnEdge => ({ from: ids[index] ?? "", to, condition: null, kind: "always" }));
    return { type: "graph" as const, title: "g", nodes: this.nodes.changes(nodes), edges: this.edges.changes(edges), current: { node: null, edge: null } };
  }

  sendAll(): void {
    this.nodes.reset();
    this.edges.reset();
  }
}

const shown = (received: ReceivedGraph, message: ReturnType<Sender["graph"]>) => received.take(message)?.nodes.map(({ id }) => id);

test("changes are applied to the graph before them", () => {
  const [sender, received] = [new Sender(), new ReceivedGraph()];
  assert.deepEqual(shown(received, sender.graph("a", "b")), ["a", "b"]);
  assert.deepEqual(shown(received, sender.graph("a", "c", "d")), ["a", "c", "d"]);
});

test("after a drawing that failed, the next message asks for all of the graph, and it is drawn", () => {
  const [sender, received] = [new Sender(), new ReceivedGraph()];
  received.take(sender.graph("a", "b"));
  received.lose();
  assert.equal(received.needsAll(), true);
  // Only the second node is sent. Without the first one, it is no graph.
  assert.equal(shown(received, sender.graph("a", "c")), undefined);
  assert.equal(received.needsAll(), true);
  sender.sendAll();
  assert.deepEqual(shown(received, sender.graph("a", "c")), ["a", "c"]);
  assert.equal(received.needsAll(), false);
  assert.deepEqual(shown(received, sender.graph("a", "d")), ["a", "d"]);
});

test("if all of it comes by itself, nothing is asked, and a place without a graph is no failure", () => {
  const [sender, received] = [new Sender(), new ReceivedGraph()];
  received.take(sender.graph("a", "b"));
  received.lose();
  assert.deepEqual(shown(received, sender.graph("x", "y", "z")), ["x", "y", "z"]);
  received.clear();
  assert.equal(received.needsAll(), false);
  sender.sendAll();
  assert.deepEqual(shown(received, sender.graph("x")), ["x"]);
});
