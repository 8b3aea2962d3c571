// The pages: which files they come from, and where they go.
//
// Input: the checkout. Output: pages with their text and their address in the site. Invariant: a page keeps its place, so links between
// pages and to pictures are what they are in the repository; README.md becomes the index of its folder.

import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

const FOLDER = "docs";
/** Pages outside of the folder. The first one is the first page of the site. */
const MORE = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "GLOSSARY.md"];
/** The page whose lists are the navigation. */
export const CONTENTS = `${FOLDER}/README.md`;

/** All pages, sorted by path. */
export function pagesOf(root) {
  const below = (folder) =>
    readdirSync(path.join(root, folder))
      .sort()
      .flatMap((name) => {
        const file = `${folder}/${name}`;
        return statSync(path.join(root, file)).isDirectory() ? below(file) : file.endsWith(".md") ? [file] : [];
      });
  return [...MORE, ...below(FOLDER)].map((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    return { file, address: addressOf(file), text, title: titleOf(text) };
  });
}

/** The address of a page in the site. */
export function addressOf(file) {
  return file.replace(/(^|\/)README\.md$/, "$1index.html").replace(/\.md$/, ".html");
}

function titleOf(text) {
  return /^# (.*)$/m.exec(text)[1].replaceAll("`", "");
}

/** The path from a page to another file of the site. */
export function between(from, to) {
  return path.posix.relative(path.posix.dirname(from), to) || path.posix.basename(to);
}

/** What a link of a page leads to: an address, and a file that must be copied for it. */
export function target(page, link, { root, repository, addresses }) {
  if (/^[a-z]+:/.test(link) || link.startsWith("#")) {
    return { address: link };
  }
  const [place, anchor] = link.split("#");
  const file = path.posix.join(path.posix.dirname(page.file), place).replace(/\/$/, "");
  const behind = anchor === undefined ? "" : `#${anchor}`;
  const own = addresses.get(file) ?? addresses.get(`${file}/README.md`);
  if (own) {
    return { address: between(page.address, own) + behind };
  }
  if (!existsSync(path.join(root, file))) {
    throw new Error(`${page.file}: \`${link}\` leads to ${file}, which is not there`);
  }
  if (/\.(svg|png)$/.test(file)) {
    return { address: between(page.address, file), copied: file };
  }
  const kind = statSync(path.join(root, file)).isDirectory() ? "tree" : "blob";
  return { address: `${repository}/${kind}/main/${file}${behind}` };
}
