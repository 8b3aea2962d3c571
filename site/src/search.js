// The search of a page.
//
// Input: words. Output: links to the sections that contain them. Invariant: the index is loaded when someone searches, and from the site
// itself; nothing else is asked.

import MiniSearch from "./minisearch.js";
import { SEARCHED } from "./searched.js";

const SHOWN = 12;
const words = document.getElementById("words");
const list = document.getElementById("found");
const count = document.getElementById("count");
const site = new URL(".", import.meta.url);
let index;

function load() {
  index ??= fetch(new URL("search.json", site))
    .then((answer) => answer.text())
    .then((text) => MiniSearch.loadJSON(text, SEARCHED));
  return index;
}

async function search() {
  const asked = words.value.trim();
  if (asked === "") {
    show([], "");
    return;
  }
  const found = (await load()).search(asked);
  if (asked === words.value.trim()) {
    show(found.slice(0, SHOWN), found.length === 0 ? "Nothing is found." : `${found.length} found.`);
  }
}

function show(found, told) {
  list.hidden = found.length === 0;
  count.textContent = told;
  list.replaceChildren(
    ...found.map(({ id, title, page }) => {
      const link = document.createElement("a");
      link.href = new URL(id, site).href;
      const name = document.createElement("strong");
      name.textContent = title;
      link.append(name, ...(title === page ? [] : [` ${page}`]));
      const item = document.createElement("li");
      item.append(link);
      return item;
    }),
  );
}

/** Moves the focus from the field through the list, and back. */
function move(event) {
  const stops = [words, ...list.querySelectorAll("a")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") {
    words.value = "";
    show([], "");
    words.focus();
  } else if (event.key === "Enter" && event.target === words) {
    stops[1]?.click();
  } else if (step) {
    event.preventDefault();
    stops[Math.min(Math.max(stops.indexOf(document.activeElement) + step, 0), stops.length - 1)].focus();
  }
}

words.addEventListener("focus", load, { once: true });
words.addEventListener("input", search);
words.closest("search").addEventListener("keydown", move);
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "")) {
    event.preventDefault();
    words.focus();
  }
});
const contents = document.querySelector(".contents");
contents.open = window.matchMedia("(min-width: 60rem)").matches;
