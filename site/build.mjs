// Builds the site: node build.mjs FOLDER
//
// Input: the pages of the repository. Output: a folder of static files. Invariant: the text of a page is that in the repository; a link
// to a file that does not exist stops the build.

import MiniSearch from "minisearch";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { navigationOf, wholePage } from "./src/layout.mjs";
import { rendered } from "./src/markdown.mjs";
import { CONTENTS, pagesOf } from "./src/pages.mjs";
import { SEARCHED } from "./src/searched.js";

const out = path.resolve(process.argv[2]);
const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, "..");
/** The search engine, as it is published, with its licence. */
const ENGINE = { "dist/es/index.js": "minisearch.js", "LICENSE.txt": "minisearch.licence.txt" };

const pages = pagesOf(root);
const places = {
  root,
  repository: /^repository = "(.*)"$/m.exec(readFileSync(path.join(root, "Cargo.toml"), "utf8"))[1],
  addresses: new Map(pages.map(({ file, address }) => [file, address])),
  titles: new Map(pages.map(({ file, title }) => [file, title])),
};
const navigation = navigationOf(pages.find(({ file }) => file === CONTENTS), places);

function write(address, text) {
  const file = path.join(out, address);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

rmSync(out, { recursive: true, force: true });
const found = new MiniSearch(SEARCHED);
for (const page of pages) {
  const { html, sections, copied } = rendered(page, places);
  write(page.address, wholePage(page, html, navigation));
  for (const file of copied) {
    mkdirSync(path.dirname(path.join(out, file)), { recursive: true });
    copyFileSync(path.join(root, file), path.join(out, file));
  }
  sections.forEach(({ anchor, title, text }) => {
    const id = anchor === "" ? page.address : `${page.address}#${anchor}`;
    found.add({ id, page: page.title, title, text });
  });
}
write("search.json", JSON.stringify(found));
for (const file of ["style.css", "src/search.js", "src/searched.js"]) {
  copyFileSync(path.join(here, file), path.join(out, path.basename(file)));
}
for (const [file, name] of Object.entries(ENGINE)) {
  copyFileSync(path.join(here, "node_modules/minisearch", file), path.join(out, name));
}
console.log(`${pages.length} pages`);
