// What the tests of pages in a browser share: variables, the flags of Chromium, a server of files, accessibility.
//
// Input: pages of playwright-core, which each test loads itself, because each folder has its own packages. Output: values and failures.
// Invariant: this file needs no packages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";

export const BROWSER_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const TYPES = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** The value of a variable that must be set. */
export function existing(name) {
  const value = process.env[name];
  assert.ok(value, `the variable ${name} is not set`);
  return value;
}

/** Serves the files of a folder, and returns the address and a function that ends the server. */
export async function serve(folder) {
  const server = createServer((request, response) => {
    const asked = decodeURIComponent(new URL(request.url, "http://site").pathname.slice(1));
    const name = asked === "" || asked.endsWith("/") ? `${asked}index.html` : asked;
    try {
      const bytes = readFileSync(path.join(folder, path.posix.normalize(`/${name}`)));
      response.writeHead(200, { "content-type": TYPES[path.extname(name)] ?? "text/plain" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** A page in a fresh profile, and what goes wrong in it: errors, and requests to other addresses. */
export async function freshPage(browser, address, patience, options = {}) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => request.url().startsWith("data:") || request.url().startsWith(address) || faults.push(request.url()));
  return { context, page, faults };
}

/** Asserts that axe-core, which the page has loaded, has nothing to report about the parts. Returns all that it found. */
export async function assertAccessible(page, parts, name) {
  const found = await page.evaluate(([parts, rules]) => axe.run({ include: parts.map((part) => [part]) }, { runOnly: rules }), [parts, RULES]);
  const violations = found.violations.map((one) => `${one.id}: ${one.help} ${one.nodes.map((node) => node.html.slice(0, 200)).join(" ")}`);
  assert.deepEqual(violations, [], `${name} is not accessible`);
  assert.ok(found.passes.length > 10, "axe looked at nothing");
  return found;
}

/** Asserts that a page is not wider than its window. */
export async function assertFits(page, name) {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(overflow <= 0, `${name} is ${overflow} pixels too wide`);
}
