// The site as a folder, and in a real browser.
//
// Input: the variables NODEWISE_PAGES (the folder of the built site) and NODEWISE_CHROMIUM. Output: a line for each test, and the exit
// code. Invariant: pages are judged with their own policy; only axe-core, which needs scripts, looks at pages whose policy is lifted.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import test, { after, before } from "node:test";
import { inflateRawSync } from "node:zlib";
import { chromium } from "playwright-core";
import { assertAccessible, assertFits, BROWSER_FLAGS, existing, freshPage, serve } from "../../tests/browser/pages.mjs";

const FOLDER = existing("NODEWISE_PAGES");
const CHROMIUM = existing("NODEWISE_CHROMIUM");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PLAYGROUND = "playground/";
const MODULE = path.join(FOLDER, PLAYGROUND, "nodewise.wasm");
const WITHOUT = existsSync(MODULE) ? false : "the site is built without the playground";
const PATIENCE_MS = 60_000;

const PAGES = filesBelow("").filter((file) => file.endsWith(".html") && !file.startsWith(PLAYGROUND));
let server;
let browser;

function filesBelow(folder) {
  return readdirSync(path.join(FOLDER, folder)).flatMap((name) => {
    const file = folder + name;
    return statSync(path.join(FOLDER, file)).isDirectory() ? filesBelow(`${file}/`) : [file];
  });
}

const textOf = (file) => readFileSync(path.join(FOLDER, file), "utf8");
const attributes = (html, name) => [...html.matchAll(new RegExp(`<[a-z][^>]* ${name}="([^"]*)"`, "g"))].map(([, value]) => value.replaceAll("&amp;", "&"));

/** The projects that a page opens in the playground, and the rule that each must break. */
function examplesOf(file) {
  const links = textOf(file).matchAll(/<p class="open"(?: data-expects="([^"]*)")?><a href="[^"]*#1\.([^"]*)"/g);
  return [...links].map(([, expects, packed]) => ({ expects, project: JSON.parse(inflateRawSync(Buffer.from(packed, "base64url"))) }));
}

before(async () => {
  server = await serve(FOLDER);
  browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: BROWSER_FLAGS });
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** A page in a fresh profile, and what went wrong in it. */
async function opened(file, options = {}) {
  const { context, page, faults } = await freshPage(browser, server.address, PATIENCE_MS, options);
  await page.goto(server.address + file);
  return { context, page, faults };
}

test("every link leads to a page, a part of it, or a file of the site", () => {
  const anchors = new Map(PAGES.map((file) => [file, new Set(attributes(textOf(file), "id"))]));
  const wrong = [];
  let followed = 0;
  for (const file of PAGES) {
    const html = textOf(file);
    for (const link of [...attributes(html, "href"), ...attributes(html, "src")]) {
      if (/^[a-z]+:/.test(link)) {
        continue;
      }
      const [place, anchor = ""] = link.split("#").map(decodeURIComponent);
      const to = place === "" ? file : path.posix.join(path.posix.dirname(file), place);
      if (to.startsWith(PLAYGROUND) && WITHOUT) {
        continue;
      }
      followed += 1;
      const isThere = existsSync(path.join(FOLDER, to));
      if (!isThere || (anchor !== "" && anchors.has(to) && !anchors.get(to).has(anchor))) {
        wrong.push(`${file}: ${link}`);
      }
    }
  }
  console.log(`    ${followed} links in ${PAGES.length} pages`);
  assert.ok(followed > 10_000);
  assert.deepEqual(wrong, []);
});

test("every rule and tutorial has examples for the playground", () => {
  const without = PAGES.filter((file) => /^docs\/(rules|tutorials)\/(?!index)/.test(file) && examplesOf(file).length === 0);
  assert.deepEqual(without, []);
  const [first, , third] = examplesOf("docs/tutorials/cycgraph.html");
  assert.match(first.project.files["letters.yaml"], /target: sent/);
  // The tutorial corrects its file with the command before it changes it by hand.
  assert.match(third.project.files["letters.yaml"], /target: send/);
  assert.ok(third.project.files["letters.scenario.yaml"]);
});

test("each example is what its page says of it", { skip: WITHOUT }, async () => {
  const { functionsOf } = await import("../../npm/wasm/module.js");
  const nodewise = functionsOf(await WebAssembly.compile(readFileSync(MODULE)));
  const wrong = [];
  let judged = 0;
  for (const file of PAGES.filter((file) => /^docs\/rules\/(?!index)/.test(file))) {
    for (const { expects, project } of examplesOf(file)) {
      const { diagnostics, configuration } = nodewise.check(project.files);
      const isTrue = expects ? diagnostics.some(({ rule }) => rule === expects) : diagnostics.every(({ severity }) => severity === "hint");
      judged += 1;
      if (configuration.length > 0 || !isTrue) {
        wrong.push(`${file}, ${expects}: ${JSON.stringify([...configuration, ...diagnostics.map(({ rule }) => rule)])}`);
      }
    }
  }
  console.log(`    ${judged} examples`);
  assert.ok(judged > 400);
  assert.deepEqual(wrong, []);
});

test("an example of a rule and a run of a guide open in the playground", { skip: WITHOUT }, async () => {
  const { context, page, faults } = await opened("docs/rules/unknown-node.html");
  await page.getByRole("link", { name: "Open in the playground" }).first().click();
  await page.getByRole("button", { name: /main\.yaml:7: .*unknown-node/ }).waitFor();
  await page.getByRole("link", { name: "unknown-node" }).first().click();
  await page.waitForURL(/docs\/rules\/unknown-node\.html$/);
  await page.goto(`${server.address}docs/simulation/cycgraph.html`);
  await page.getByRole("link", { name: "Open in the playground" }).first().click();
  await page.getByText(/0 errors/).waitFor();
  await page.getByRole("button", { name: "Simulate" }).click();
  await page.getByText("Dear Ada.").first().waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test("the search finds rules, parts of pages and misspelt words, with the keyboard alone", async () => {
  const { context, page, faults } = await opened("index.html");
  const list = page.locator("#found");
  const finds = async (words, title) => {
    await page.getByRole("searchbox", { name: "Search" }).fill(words);
    await list.getByRole("link", { name: title }).first().waitFor();
  };
  await finds("baselin", /Baseline/);
  await finds("scenaroi", /scenario/i);
  await page.keyboard.press("Escape");
  assert.ok(await list.isHidden());
  await page.locator("main").click();
  await page.keyboard.press("/");
  await page.keyboard.type("unknown-node");
  await list.getByRole("link", { name: /^unknown-node/ }).first().waitFor();
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "unknown-node");
  await page.keyboard.press("Enter");
  await page.waitForURL(/docs\/rules\/unknown-node\.html$/);
  await page.getByRole("searchbox", { name: "Search" }).fill("xyzzyq");
  await page.locator("#count", { hasText: "Nothing is found." }).waitFor();
  assert.ok(await list.isHidden());
  assert.deepEqual(faults, []);
  await context.close();
});

test("pages are accessible, in light and dark, wide and narrow", async () => {
  for (const file of ["index.html", "docs/index.html", "docs/rules/unknown-node.html", "docs/tutorials/liman.html", "docs/lsp.html"]) {
    for (const colorScheme of ["light", "dark"]) {
      const viewport = colorScheme === "light" ? { width: 1280, height: 900 } : { width: 360, height: 740 };
      const { context, page } = await opened(file, { colorScheme, viewport, bypassCSP: true });
      await page.evaluate(AXE);
      await assertAccessible(page, ["main", "header", ".contents"], `${file} in ${colorScheme}`);
      await page.getByRole("searchbox", { name: "Search" }).fill("node");
      await page.locator("#found li").first().waitFor();
      await assertAccessible(page, ["search"], `the search of ${file} in ${colorScheme}`);
      await assertFits(page, file);
      await context.close();
    }
  }
});
