// The editor, with the answers of nodewise.
//
// Input: the project, and where the page wants to be told of edits. Output: an editor for the open file. Invariant: styles of the editor
// are in its own root, as style sheets that the page's policy allows.

import { autocompletion, completionKeymap, insertCompletionText } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, bracketMatching, foldGutter, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, linter } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { ask } from "./client.js";

const colours = (key, text, comment, number) =>
  HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: key },
    { tag: [tags.string, tags.content], color: text },
    { tag: tags.comment, color: comment },
    { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: number },
  ]);
const LIGHT = colours("#0550ae", "#0a3069", "#59636e", "#953800");
const DARK = colours("#79b8ff", "#a5d6ff", "#9aa4af", "#ffa657");

const theme = (isDark) =>
  EditorView.theme(
    {
      "&": { height: "100%", backgroundColor: isDark ? "#0d1117" : "#ffffff", color: isDark ? "#e6edf3" : "#1f2328" },
      ".cm-scroller": { overflow: "auto", fontFamily: "ui-monospace, monospace", fontSize: "13px" },
      ".cm-gutters": { backgroundColor: isDark ? "#0d1117" : "#ffffff", color: isDark ? "#9aa4af" : "#59636e", border: "0" },
      ".cm-activeLine": { backgroundColor: isDark ? "#161b2280" : "#f6f8fa80" },
      ".cm-tooltip": { maxWidth: "36rem", backgroundColor: isDark ? "#161b22" : "#ffffff", color: isDark ? "#e6edf3" : "#1f2328" },
      ".cm-tooltip .hover": { whiteSpace: "pre-wrap", padding: "6px 8px", fontSize: "13px" },
      ".cm-diagnosticText": { whiteSpace: "pre-wrap" },
      ".cm-diagnosticAction": { backgroundColor: isDark ? "#1f6feb" : "#0550ae", color: "#ffffff" },
      "&.cm-focused": { outline: `2px solid ${isDark ? "#79b8ff" : "#0550ae"}` },
    },
    { dark: isDark },
  );

/** The editor in an element. `project()` gives the project, `edited` is called with a new text, `apply` with edits of files. */
export function editorIn(element, { project, edited, apply }) {
  const root = element.attachShadow({ mode: "open" });
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  let file;

  const question = (words) => ({ want: "editor", files: project().files, question: { file, ...words } });
  const findings = async () => {
    const found = (await ask(question({ ask: "findings" }))) ?? [];
    return found.map(({ from, to, severity, rule, message, label, help, fixes }) => ({
      from,
      to,
      severity,
      source: rule,
      message: [message, label, help && `help: ${help}`].filter(Boolean).join("\n"),
      actions: fixes.map(({ title, edits }) => ({ name: title, apply: () => apply(edits) })),
    }));
  };
  const hover = hoverTooltip(async (view, at) => {
    const found = await ask(question({ ask: "hover", at }));
    if (!found || found.text === "") {
      return null;
    }
    const create = () => {
      const dom = document.createElement("div");
      dom.className = "hover";
      dom.textContent = found.text;
      return { dom };
    };
    return { pos: found.from, end: found.to, create };
  });
  const completions = async ({ pos, explicit, state }) => {
    const typed = state.sliceDoc(pos - 1, pos);
    if (!explicit && !/[\w:.\-[{,"' ]/.test(typed)) {
      return null;
    }
    const found = await ask(question({ ask: "completions", at: pos, typed: explicit || typed === "" ? null : typed }));
    if (!found || found.items.length === 0) {
      return null;
    }
    const from = Math.min(...found.items.map((item) => item.from));
    const options = found.items.map((item, number) => ({
      label: item.filter ?? item.label,
      displayLabel: item.label,
      detail: item.detail ?? undefined,
      type: item.isKey ? "property" : "constant",
      boost: -number / 10,
      apply: (view) => {
        const end = Math.max(item.to, view.state.selection.main.head);
        view.dispatch(insertCompletionText(view.state, item.text, item.from, end));
        const shift = (at) => (at >= end ? at + item.text.length - (end - item.from) : at);
        const changes = item.additional.map((edit) => ({ from: shift(edit.from), to: shift(edit.to), insert: edit.text }));
        view.dispatch({ changes });
      },
    }));
    return { from, options, validFor: found.incomplete ? undefined : /^[\w.\-]*$/ };
  };

  const stateOf = (name, text) =>
    EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        foldGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        EditorView.lineWrapping,
        name.endsWith(".json") ? json() : yaml(),
        syntaxHighlighting(dark.matches ? DARK : LIGHT),
        theme(dark.matches),
        autocompletion({ override: [completions] }),
        linter(findings, { delay: 200 }),
        lintGutter(),
        hover,
        keymap.of([...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of({ "aria-label": `Text of ${name}`, tabindex: "0" }),
        EditorView.updateListener.of((update) => update.docChanged && edited(file, update.state.doc.toString())),
      ],
    });

  let view = new EditorView({ parent: root, root });
  // Each text has a view of its own: one that gets another state still measures the tooltips of the text before.
  const open = (name) => {
    file = name;
    const hadFocus = view.hasFocus;
    view.destroy();
    view = new EditorView({ parent: root, root, state: stateOf(name, project().files[name]) });
    if (hadFocus) {
      view.focus();
    }
  };
  dark.addEventListener("change", () => open(file));
  return {
    open,
    /** Shows a place, counted from 1. */
    show(line, column, { takesFocus = true } = {}) {
      const at = view.state.doc.line(Math.min(line, view.state.doc.lines));
      const anchor = Math.min(at.from + column - 1, at.to);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      if (takesFocus) {
        view.focus();
      }
    },
    /** Replaces the text of the open file, with a step that can be undone. */
    replace(text) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
  };
}
