// The projects that the blocks of a page make, for the playground.
//
// Input: the blocks of a page in their order, each with the words behind its fence. Output: a project, or nothing, for each block.
// Invariant: the notation is that of the tests that run these blocks, so a project has the files that a test has.

import { deflateRawSync } from "node:zlib";

/** The names of files that a block does not name. */
const RULE_FILE = "main.yaml";
const GRAPH_FILE = "graph.yaml";
const SCRIPT_FILE = "run.script.yaml";
const CONFIG = "nodewise.toml";

/** The fragment that opens a project in the playground (`playground/src/share.js` reads it). */
export function fragmentOf(project) {
  return `#1.${deflateRawSync(JSON.stringify(project), { level: 9 }).toString("base64url")}`;
}

/** Reads one block after another. */
export class Examples {
  #files = {};
  #isShown = false;
  /** The files as the last difference that a command printed would have them. */
  #proposed = {};

  /** The project that a block shows. */
  after([language, ...words], text) {
    if (language === "diff" && words.length > 0) {
      return this.#edit(words[0], text);
    }
    if (language === "console") {
      return this.#run(text);
    }
    const [word, name] = words;
    switch (word) {
      case "file":
        return this.#write(name, text);
      case "files":
        this.#files = filesIn(text);
        return opened(this.#files);
      case "graph":
        return this.#graph(words.find((one) => one.includes(".")) ?? GRAPH_FILE, text);
      case "script":
        this.#files[SCRIPT_FILE] = text;
        return undefined;
      case "trace":
        this.#isShown = true;
        return opened(this.#files, { script: this.#files[SCRIPT_FILE] === undefined ? undefined : SCRIPT_FILE });
      default:
        return words.some((one) => one === "ok" || one.startsWith("expect=")) ? ofRule(words, text) : undefined;
    }
  }

  #write(name, text) {
    if (name.startsWith(".")) {
      return undefined;
    }
    this.#files = { ...this.#files, [name]: text };
    return opened(this.#files, { open: name });
  }

  #graph(name, text) {
    if (this.#isShown) {
      this.#files = {};
      this.#isShown = false;
    }
    this.#files = { ...this.#files, [name]: text };
    return undefined;
  }

  #edit(name, text) {
    return this.#write(name, changed(this.#files[name], text));
  }

  /** Commands of a page print differences, and make them when they are told to fix. */
  #run(text) {
    if (/^\$ nodewise check .*--fix\b/m.test(text)) {
      Object.assign(this.#files, this.#proposed);
    }
    this.#proposed = {};
    for (const [, name, hunks] of text.matchAll(/^\+\+\+ b\/(.*)\n((?:[@ +-].*\n)+)/gm)) {
      const parts = hunks.split(/^@@.*\n/m).filter(Boolean);
      this.#proposed[name] = parts.reduce(changed, this.#files[name]);
    }
    return undefined;
  }
}

/** A text without the lines that a difference takes out, and with those that it brings. */
function changed(text, difference) {
  const lines = difference.trimEnd().split("\n");
  const [before, after] = ["-", "+"].map((mark) =>
    lines.filter((line) => line[0] === mark || line[0] === " ").map((line) => `${line.slice(1)}\n`).join(""),
  );
  if (text?.split(before).length !== 2) {
    throw new Error(`the change does not fit:\n${difference}`);
  }
  return text.replace(before, () => after);
}

/** A project with these files. */
function opened(files, { open = Object.keys(files)[0], script } = {}) {
  return { files: { ...files }, open, subject: /\.(script|scenario)\.|\.toml$/.test(open) ? firstGraph(files) : open, script };
}

function firstGraph(files) {
  return Object.keys(files).find((name) => !/\.(script|scenario)\.|\.toml$/.test(name));
}

/** The project of an example of a rule. */
function ofRule(words, text) {
  const value = (key) => words.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1);
  const files = filesIn(text);
  const [profile, dialect] = [value("profile"), value("dialect")];
  const config = [profile && `[liman]\nprofile = "${profile}"\n`, dialect && `[dialect]\n"**" = "${dialect}"\n`].filter(Boolean);
  return opened(config.length === 0 ? files : { ...files, [CONFIG]: config.join("\n") });
}

/** The files of a block with headers, `#- NAME`. */
function filesIn(text) {
  const files = {};
  let name = RULE_FILE;
  for (const line of text.match(/.*\n/g) ?? []) {
    if (line.startsWith("#- ")) {
      name = line.slice(3).trim().replace(/^\//, "");
      files[name] = "";
    } else {
      files[name] = (files[name] ?? "") + line;
    }
  }
  return files;
}
