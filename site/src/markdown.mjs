// A page as HTML.
//
// Input: a page. Output: its HTML, its sections for the search, and the files that it shows. Invariant: anchors are those of GitHub, so
// links work in both places.

import hljs from "highlight.js/lib/core";
import diff from "highlight.js/lib/languages/diff";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import lua from "highlight.js/lib/languages/lua";
import python from "highlight.js/lib/languages/python";
import toml from "highlight.js/lib/languages/ini";
import typescript from "highlight.js/lib/languages/typescript";
import yaml from "highlight.js/lib/languages/yaml";
import MarkdownIt from "markdown-it";
import { Examples, fragmentOf } from "./examples.mjs";
import { between, target } from "./pages.mjs";

const LANGUAGES = { diff, javascript, js: javascript, json, lua, python, toml, ts: typescript, typescript, yaml };
Object.entries(LANGUAGES).forEach(([name, language]) => hljs.registerLanguage(name, language));
const PLAYGROUND = "playground/index.html";

// Pages have anchors written as HTML. They come from the repository, so they are trusted.
const markdown = new MarkdownIt({ html: true });
const escaped = markdown.utils.escapeHtml;

markdown.renderer.rules.fence = (tokens, index) => {
  const { content, info, meta } = tokens[index];
  const [language] = info.split(" ");
  const code = LANGUAGES[language] ? hljs.highlight(content, { language }).value : escaped(content);
  const block = `<pre tabindex="0"><code>${code}</code></pre>\n`;
  const expects = /\bexpect=(\S+)/.exec(info);
  const promise = expects ? ` data-expects="${escaped(expects[1])}"` : "";
  return meta?.link ? `${block}<p class="open"${promise}><a href="${escaped(meta.link)}">Open in the playground</a></p>\n` : block;
};
markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>\n';
markdown.renderer.rules.table_close = () => "</table></div>\n";

/** GitHub's anchor for a heading. */
function slug(heading) {
  const kept = heading.toLowerCase().replace(/[^\p{L}\p{N}\p{M} _-]/gu, "");
  return kept.replaceAll(" ", "-");
}

/** The text of inline tokens. */
function textOf(token) {
  return (token.children ?? []).map((child) => child.content || (child.type === "softbreak" ? " " : "")).join("");
}

/** Renders a page. */
export function rendered(page, places) {
  const tokens = markdown.parse(page.text, {});
  const copied = new Set();
  const addressed = (link) => {
    const { address, copied: file } = target(page, link, places);
    if (file) {
      copied.add(file);
    }
    return address;
  };
  const slugs = new Map();
  const examples = new Examples();
  const sections = [{ anchor: "", title: page.title, text: "" }];
  tokens.forEach((token, index) => {
    if (token.type === "heading_open") {
      const title = textOf(tokens[index + 1]);
      const wanted = slug(title);
      const count = slugs.get(wanted) ?? 0;
      slugs.set(wanted, count + 1);
      const anchor = count === 0 ? wanted : `${wanted}-${count}`;
      token.attrSet("id", anchor);
      if (token.tag !== "h1") {
        sections.push({ anchor, title, text: "" });
      }
    } else if (token.type === "inline") {
      follow(token, addressed);
      if (tokens[index - 1].type !== "heading_open") {
        sections.at(-1).text += `${textOf(token)} `;
      }
    } else if (token.type === "fence") {
      const project = examples.after(token.info.split(" "), token.content);
      if (project) {
        token.meta = { link: between(page.address, PLAYGROUND) + fragmentOf(project) };
      }
    }
  });
  return { html: markdown.renderer.render(tokens, markdown.options, {}), sections, copied };
}

/** Makes the links of a line those of the site. */
function follow(token, addressed) {
  for (const child of token.children) {
    for (const name of ["href", "src"]) {
      const link = child.attrGet(name);
      if (link !== null) {
        child.attrSet(name, addressed(decodeURI(link)));
      }
    }
  }
}
