/**
 * Edits of the graph that the user makes on the board.
 *
 * Input: what the user does with a part, and names and choices. Output: edits of the files, each one step to undo.
 * Invariant: the server computes every edit from the text as it is now, or says why not.
 */

import * as vscode from "vscode";

import type { BoardAct, BoardPart } from "../shared/messages.ts";
import type { ConditionHelp, Graph, GraphEdit, GraphEdited, NodeKinds } from "../shared/protocol.ts";
import { reasonOf } from "../shared/reason.ts";
import { withoutLinks } from "../shared/text.ts";
import type { Server } from "./server.ts";

/** A place in the graph, to find it again. */
export interface GraphPlace {
  uri: vscode.Uri;
  position: vscode.Position;
}

export interface Board {
  place(): GraphPlace | undefined;
  graph(): Graph | undefined;
  /** Lets the webview ask for the condition of a new edge. */
  askCondition(from: string, to: string): void;
  editCondition(edge: Extract<BoardPart, { is: "edge" }>): void;
  connectFrom(node: string): void;
  toggleSubgraph(node: string, inside: string[]): void;
}

type Edge = Extract<BoardPart, { is: "edge" }>;

export class BoardEdits {
  private readonly server: Server;
  private readonly board: Board;

  constructor(server: Server, board: Board) {
    this.server = server;
    this.board = board;
  }

  async act(act: BoardAct, part: BoardPart): Promise<void> {
    switch (act) {
      case "addNode":
      case "insertNode":
        await this.addNode(part);
        break;
      case "connect":
        if (part.is === "node") {
          this.board.connectFrom(part.node);
        }
        break;
      case "rename":
        if (part.is === "node") {
          await this.rename(part.node, part.label);
        }
        break;
      case "delete":
        await this.apply(part.is === "node" ? { action: "deleteNode", node: part.node } : { action: "deleteEdge", edge: ref(part) });
        break;
      case "editCondition":
        if (part.is === "edge") {
          this.board.editCondition(part);
        }
        break;
      case "moveStart":
      case "moveEnd":
        if (part.is === "edge") {
          await this.move(part, act === "moveStart" ? "from" : "to");
        }
        break;
      case "toggleSubgraph":
        if (part.is === "node") {
          this.board.toggleSubgraph(part.node, part.inside);
        }
        break;
      case "showSource":
        break;
    }
  }

  /** Makes an edit, or shows why it is not made. */
  async apply(edit: GraphEdit): Promise<void> {
    const answer = await this.ask(edit);
    if (answer === null) {
      return;
    }
    if ("refused" in answer) {
      if (answer.needsCondition && edit.action === "connect") {
        this.board.askCondition(edit.from, edit.to);
      } else {
        void vscode.window.showWarningMessage(withoutLinks(answer.refused));
      }
      return;
    }
    const changes = await this.server.workspaceEdit(answer.edit);
    if (changes === undefined || !(await vscode.workspace.applyEdit(changes))) {
      void vscode.window.showWarningMessage("The files changed while the edit was made. Try again.");
    }
  }

  /** Completions for a condition, and its problems. `offset` is the cursor in the condition. Null without an answer. */
  async help(edit: GraphEdit, offset: number): Promise<ConditionHelp | null> {
    const argument = this.argument({ edit, offset });
    return argument === undefined ? null : this.server.command<ConditionHelp | null>("nodewise.editCondition", argument).catch(() => null);
  }

  /** Undoes or redoes the last change of the file with the graph. */
  async undo(isRedo: boolean): Promise<void> {
    const place = this.board.place();
    if (place !== undefined) {
      const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === place.uri.toString());
      await vscode.window.showTextDocument(place.uri, { viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One });
      await vscode.commands.executeCommand(isRedo ? "redo" : "undo");
    }
  }

  private argument<T extends object>(more: T) {
    const place = this.board.place();
    if (place === undefined) {
      return undefined;
    }
    const { line, character } = place.position;
    return { textDocument: { uri: place.uri.toString() }, position: { line, character }, ...more };
  }

  private async ask(edit: GraphEdit): Promise<GraphEdited | null> {
    const argument = this.argument({ edit });
    if (argument === undefined) {
      return null;
    }
    try {
      return await this.server.command<GraphEdited | null>("nodewise.editGraph", argument);
    } catch (error) {
      return { refused: reasonOf(error), needsCondition: false };
    }
  }

  private async addNode(part: BoardPart): Promise<void> {
    const argument = this.argument({});
    const choices = argument === undefined ? null : await this.server.command<NodeKinds | null>("nodewise.nodeKinds", argument);
    if (choices === null) {
      return;
    }
    const where = part.is === "node" ? `after ${part.label}` : `between ${part.from.trim()} and ${part.to.trim()}`;
    const items = choices.kinds.map(({ word, doc }) => ({ label: word, description: doc }));
    const kind = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { title: `New node ${where}`, placeHolder: "What the node does" });
    if (kind === undefined) {
      return;
    }
    const edit = (name: string): GraphEdit => (part.is === "node" ? { action: "addNode", after: part.node, kind: kind.label, name } : { action: "insertNode", edge: ref(part), kind: kind.label, name });
    const name = await this.askName(`New ${kind.label} ${where}`, choices.name, edit);
    if (name !== undefined) {
      await this.apply(edit(name));
    }
  }

  private async rename(node: string, label: string): Promise<void> {
    const edit = (name: string): GraphEdit => ({ action: "renameNode", node, name });
    const name = await this.askName(`Rename ${label}`, label, edit);
    if (name !== undefined && name !== label) {
      await this.apply(edit(name));
    }
  }

  /** Asks for a name that the server accepts. */
  private askName(title: string, value: string, edit: (name: string) => GraphEdit): Thenable<string | undefined> {
    const validateInput = async (name: string) => {
      const answer = await this.ask(edit(name));
      return answer !== null && "refused" in answer ? withoutLinks(answer.refused) : undefined;
    };
    return vscode.window.showInputBox({ title, value, prompt: "The name of the node", validateInput });
  }

  private async move(edge: Edge, end: "from" | "to"): Promise<void> {
    const nodes = this.board.graph()?.nodes.filter((node) => node.role !== "unknown" && node.role !== (end === "to" ? "start" : "end")) ?? [];
    const items = nodes.filter((node) => node.id !== edge[end]).map((node) => ({ label: node.label, description: node.kind, id: node.id }));
    const title = end === "to" ? `Where the edge from ${edge.from.trim()} leads` : `Where the edge to ${edge.to.trim()} begins`;
    const chosen = await vscode.window.showQuickPick(items, { title, placeHolder: "A node" });
    if (chosen !== undefined) {
      await this.apply({ action: "reconnect", edge: ref(edge), end, node: chosen.id });
    }
  }
}

function ref({ index, from, to }: Edge) {
  return { index, from, to };
}
