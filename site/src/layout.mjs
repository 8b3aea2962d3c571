// What is around the text of each page.
//
// Input: the contents page, and a page as HTML. Output: whole files. Invariant: pages can be read without scripts, and load nothing from
// elsewhere.

import { between } from "./pages.mjs";

const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** The navigation: for each heading of the contents page, the pages that are listed below it. */
export function navigationOf(contents, { addresses, titles }) {
  const groups = [];
  for (const line of contents.text.split("\n")) {
    const heading = /^## (.*)$/.exec(line);
    if (heading) {
      groups.push({ title: heading[1], entries: [] });
    }
    for (const [, words, link] of line.matchAll(/\[([^\]]+)\]\(([^)#]+)\)/g)) {
      const file = new URL(link, `file:///${contents.file}`).pathname.slice(1);
      if (addresses.has(file)) {
        groups.at(-1)?.entries.push({ address: addresses.get(file), words: words.replace(/\.md$/, ""), title: titles.get(file) });
      }
    }
  }
  const all = groups.flatMap(({ entries }) => entries.map(({ words }) => words));
  const isAlone = (words) => all.indexOf(words) === all.lastIndexOf(words);
  // Several pages are called after a system where they are listed; their titles tell them apart.
  return groups.map(({ title, entries }) => ({
    title,
    entries: entries.map(({ address, words, title }) => ({ address, title: isAlone(words) ? words : title })),
  }));
}

function listOf(page, navigation) {
  const entry = ({ address, title }) => {
    const current = address === page.address ? ' aria-current="page"' : "";
    return `<li><a href="${between(page.address, address)}"${current}>${escaped(title)}</a></li>`;
  };
  return navigation.map(({ title, entries }) => `<h2>${escaped(title)}</h2>\n<ul>${entries.map(entry).join("")}</ul>`).join("\n");
}

/** A whole page. */
export function wholePage(page, html, navigation) {
  const to = (address) => between(page.address, address);
  const title = page.title === "nodewise" ? "nodewise" : `${page.title} · nodewise`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to("style.css")}">
<script type="module" src="${to("search.js")}"></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="home" href="${to("index.html")}">nodewise</a>
<nav aria-label="Site"><a href="${to("docs/index.html")}">Documentation</a> <a href="${to("docs/rules/index.html")}">Rules</a> <a href="${to("playground/index.html")}">Playground</a></nav>
<search>
<label for="words">Search</label>
<input id="words" type="search" autocomplete="off" spellcheck="false">
<ul id="found" aria-label="What is found" hidden></ul>
<p id="count" role="status"></p>
</search>
</header>
<div class="columns">
<details class="contents" open>
<summary>Contents</summary>
<nav aria-label="Contents">
${listOf(page, navigation)}
</nav>
</details>
<main id="text" tabindex="-1">
${html}</main>
</div>
</body>
</html>
`;
}
