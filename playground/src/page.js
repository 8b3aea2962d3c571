// The page: files, problems, the graph, and runs.
//
// Input: an example, or the project in the address. Output: what nodewise says about it, after each edit. Invariant: what is shown
// belongs to the current files; an answer about older ones is dropped.

import EXAMPLES from "examples";
import { strToU8, zipSync } from "fflate";
import { ask } from "./client.js";
import { editorIn } from "./editor.js";
import { packed, unpacked } from "./share.js";
import { beginTour, continueTour } from "./tour.js";

const $ = (id) => document.getElementById(id);
const CONFIG = "nodewise.toml";
const PAUSE_MS = 150;
const SAVED = "nodewise-project.zip";
/** What links into the documentation begin with; the build sets it if the page is a part of the documentation. */
const DOCS = DOCUMENTATION;

let project = { files: {}, open: "" };
/** Counts the changes of the files. */
let edition = 0;
let run;

const editor = editorIn($("editor"), {
  project: () => project,
  edited(file, text) {
    project.files[file] = text;
    changed();
  },
  apply,
});

/** Makes edits of files, positions in the texts before. */
function apply(edits) {
  for (const file of new Set(edits.map((edit) => edit.file))) {
    let text = project.files[file];
    const own = edits.filter((edit) => edit.file === file).sort((one, other) => other.from - one.from);
    for (const { from, to, text: insert } of own) {
      text = text.slice(0, from) + insert + text.slice(to);
    }
    setText(file, text);
  }
}

function setText(file, text) {
  if (file === project.open) {
    editor.replace(text);
  } else {
    project.files[file] = text;
    changed();
  }
}

let timer;
function changed() {
  edition += 1;
  clearTimeout(timer);
  timer = setTimeout(refresh, PAUSE_MS);
  if (run) {
    run = undefined;
    showRun();
    $("outcome").textContent = "The files changed since the run.";
  }
}

/** Asks about the current files. Nothing is returned if they are others by then. */
async function current(request) {
  const asked = edition;
  try {
    const answer = await ask({ files: project.files, ...request });
    return asked === edition ? { answer } : undefined;
  } catch (error) {
    return asked === edition ? { error } : undefined;
  }
}

async function refresh() {
  const checked = await current({ want: "check" });
  if (checked?.answer) {
    showProblems(checked.answer);
  }
  if (!run) {
    await showGraph();
  }
}

const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function showProblems({ diagnostics, configuration, summary }) {
  const problems = [
    ...configuration.map((problem) => ({ ...problem, severity: "error", rule: "configuration" })),
    ...diagnostics.map(({ range, ...rest }) => ({ ...rest, line: range.start.line, column: range.start.column })),
  ];
  const errors = summary.errors + configuration.length;
  const counts = [counted(errors, "error"), counted(summary.warnings, "warning"), counted(summary.infos, "hint")];
  $("summary").textContent = `${counts.join(", ")} in ${counted(summary.files, "file")}.`;
  continueTour(problems);
  $("problems").replaceChildren(
    ...problems.map(({ file, line, column, severity, rule, message, fixes = [] }) => {
      const button = document.createElement("button");
      button.type = "button";
      const word = document.createElement("strong");
      word.className = severity;
      word.textContent = severity;
      button.append(word, ` ${file}:${line}: ${message} (${rule})`);
      button.onclick = () => {
        open(file);
        editor.show(line, column);
      };
      const item = document.createElement("li");
      item.append(button, ...pageOf(rule), ...fixes.map(fixButton));
      return item;
    }),
  );
}

/** A link to the page of a rule. */
function pageOf(rule) {
  if (DOCS === null || rule === "configuration") {
    return [];
  }
  const link = document.createElement("a");
  link.href = `${DOCS}docs/rules/${rule}.html`;
  link.textContent = rule;
  return [link];
}

/** A button that applies a fix. */
function fixButton(fix) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "fix";
  button.textContent = `Fix: ${fix.title}`;
  button.onclick = () => make(fix);
  return button;
}

function make({ title, edits }) {
  // The report counts bytes.
  const at = (file, offset) => new TextDecoder().decode(new TextEncoder().encode(project.files[file]).subarray(0, offset)).length;
  apply(edits.map(({ file, range, text }) => ({ file, from: at(file, range.start.offset), to: at(file, range.end.offset), text })));
  say(`Done: ${title}.`);
}

function showPicture(svg, alt) {
  const image = document.createElement("img");
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  image.alt = alt;
  $("board").replaceChildren(image);
}

async function showGraph() {
  const drawn = await current({ want: "graph", options: { format: "svg", nested: true } });
  if (!drawn) {
    return;
  }
  if (drawn.error) {
    $("board").textContent = `${drawn.error.message}.`;
    $("graph-text").textContent = "";
    return;
  }
  const text = await current({ want: "graph", options: { format: "text" } });
  showPicture(drawn.answer, "The graphs of the files. The graph as text follows.");
  $("graph-text").textContent = text?.answer ?? "";
}

async function simulate() {
  const options = { file: $("subject").value, script: $("script").value || undefined };
  const traced = await current({ want: "simulate", options });
  if (!traced) {
    return;
  }
  if (traced.error) {
    run = undefined;
    showRun();
    $("outcome").textContent = [traced.error.message, traced.error.help && `Help: ${traced.error.help}`].filter(Boolean).join(". ");
    return;
  }
  const { outcome, events } = traced.answer;
  run = { options, events: events.length, step: events.length };
  $("outcome").textContent = `The run ${outcome.status === "completed" ? "completed" : `ended: ${outcome.status}`}. ${counted(events.length, "event")}.`;
  await showRun();
}

async function showRun() {
  $("steps").hidden = !run;
  $("timeline").hidden = !run;
  if (!run) {
    return;
  }
  const { options, events, step } = run;
  $("step").max = events;
  $("step").value = step;
  $("position").textContent = `${step} of ${events}`;
  $("first").disabled = $("back").disabled = step === 0;
  $("next").disabled = $("last").disabled = step === events;
  const [text, picture] = await Promise.all(
    ["text", "svg"].map((format) => current({ want: "simulate", options: { ...options, events: step, format } })),
  );
  if (run?.step !== step || !text?.answer || !picture?.answer) {
    return;
  }
  $("timeline").textContent = text.answer;
  $("timeline").scrollTop = $("timeline").scrollHeight;
  showPicture(picture.answer, `The path of the run up to event ${step}. The timeline describes it.`);
}

function goTo(step) {
  if (run) {
    run.step = Math.min(Math.max(step, 0), run.events);
    showRun();
  }
}

function open(file) {
  project.open = file;
  editor.open(file);
  for (const button of $("files").children) {
    button.setAttribute("aria-current", String(button.textContent === file));
  }
}

function showFiles() {
  const names = Object.keys(project.files).sort();
  $("files").replaceChildren(
    ...names.map((name) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.onclick = () => open(name);
      return button;
    }),
  );
  const choices = (wanted, first) => {
    const options = names.filter(wanted).map((name) => new Option(name, name));
    return first === undefined ? options : [new Option(first, ""), ...options];
  };
  const isScript = (name) => name.includes(".script.");
  $("subject").replaceChildren(...choices((name) => name !== CONFIG && !isScript(name)));
  $("script").replaceChildren(...choices(isScript, "none"));
  $("remove").disabled = names.length < 2;
}

/** Shows an example, with a tour if it has mistakes. */
function startExample(number) {
  $("example").value = String(number);
  start(EXAMPLES[number]);
}

/** Shows a project. */
function start(next) {
  project = { files: { ...next.files }, open: next.open, twin: next.twin };
  if (project.files[project.open] === undefined) {
    project.open = Object.keys(project.files)[0];
  }
  run = undefined;
  showRun();
  $("outcome").textContent = "";
  showFiles();
  const choose = (id, value) => ($(id).value = project.files[value] === undefined ? $(id).options[0]?.value : value);
  choose("subject", next.subject ?? project.open);
  choose("script", next.script);
  open(project.open);
  beginTour(next.twin, {
    show({ file, line, column }) {
      open(file);
      editor.show(line, column, { takesFocus: false });
    },
    fix: ({ fixes }) => make(fixes[0]),
    open: startExample,
  });
  edition += 1;
  refresh();
}

function say(text) {
  $("said").textContent = text;
}

async function share() {
  const shared = { files: project.files, open: project.open, subject: $("subject").value, script: $("script").value };
  history.replaceState(null, "", await packed(shared));
  $("link").value = location.href;
  $("link-row").hidden = false;
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied. It contains the files.");
  } catch {
    $("link").select();
    say("Copy the link below. It contains the files.");
  }
}

/** Saves the files in an archive. */
function save() {
  const files = Object.entries(project.files).map(([name, text]) => [name, strToU8(text)]);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([zipSync(Object.fromEntries(files))], { type: "application/zip" }));
  link.download = SAVED;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  say(`${counted(files.length, "file")} saved as ${SAVED}.`);
}

async function format() {
  const formatted = await current({ want: "format" });
  if (!formatted?.answer) {
    return;
  }
  const { changed, refused } = formatted.answer;
  Object.entries(changed).forEach(([file, text]) => setText(file, text));
  const told = refused.map(({ file, line, message }) => `${file}:${line}: ${message}`);
  say([`${counted(Object.keys(changed).length, "file")} formatted.`, ...told].join(" "));
}

function add(event) {
  event.preventDefault();
  const name = $("name").value.trim();
  const isPath = /^[^/\\]+(\/[^/\\]+)*$/.test(name) && !name.split("/").includes("..");
  if (!isPath || project.files[name] !== undefined) {
    say(isPath ? `${name} exists already.` : "Write the name of the file, for example flow.yaml.");
    return;
  }
  project.files[name] = "";
  $("name").value = "";
  const [subject, script] = [$("subject").value, $("script").value];
  start({ ...project, open: name, subject, script, twin: project.twin });
  say(`${name} is added.`);
}

function remove() {
  const { [project.open]: _, ...files } = project.files;
  say(`${project.open} is deleted.`);
  start({ files, open: undefined, subject: $("subject").value, script: $("script").value, twin: project.twin });
}

$("example").replaceChildren(new Option("An empty file", ""), ...EXAMPLES.map(({ title }, number) => new Option(title, number)));
$("example").onchange = ({ target }) => {
  history.replaceState(null, "", location.pathname + location.search);
  $("link-row").hidden = true;
  if (target.value === "") {
    start({ files: { "flow.yaml": "" }, open: "flow.yaml" });
  } else {
    startExample(Number(target.value));
  }
};
$("format").onclick = format;
$("share").onclick = share;
$("save").onclick = save;
$("documentation").href = `${DOCS}docs/index.html`;
$("documentation").hidden = DOCS === null;
$("add").onsubmit = add;
$("remove").onclick = remove;
$("simulate").onclick = simulate;
$("first").onclick = () => goTo(0);
$("back").onclick = () => goTo(run.step - 1);
$("next").onclick = () => goTo(run.step + 1);
$("last").onclick = () => goTo(run.events);
$("step").oninput = ({ target }) => goTo(Number(target.value));

async function begin() {
  const shared = await unpacked(location.hash);
  if (!shared) {
    if (location.hash.length > 1) {
      say("The link contains no project. This is an example.");
    }
    $("example").value = "0";
  }
  start(shared ? { ...shared, twin: undefined } : EXAMPLES[0]);
}
window.addEventListener("hashchange", begin);
begin();
