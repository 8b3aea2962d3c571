// The page for decisions in a real browser.
//
// Input: the variables NODEWISE_SERVER and NODEWISE_CHROMIUM. Output: a line for each test, and the exit code. Invariant: a page is judged as a
// person gets it, with its own policy; only axe-core, which needs scripts, looks at a copy whose policy is lifted.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { chromium } from "playwright-core";
import { assertAccessible, BROWSER_FLAGS, existing } from "./pages.mjs";

const NODEWISE = existing("NODEWISE_SERVER");
const CHROMIUM = existing("NODEWISE_CHROMIUM");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PATIENCE_MS = 60_000;
/** Nodes without models, tools and functions: nothing needs permission. */
const FLOW = `id: letter
name: Letter
description: ''
nodes:
  - {id: send, type: approval, read_keys: ['*'], approval_config: {prompt_message: 'Send <b>this</b> letter & the rest?', review_keys: ['*'], rejection_node_id: no}}
  - {id: archive, type: approval, approval_config: {prompt_message: 'Archive it?', rejection_node_id: no}}
  - {id: yes, type: router}
  - {id: no, type: router}
edges: [{source: send, target: archive}, {source: archive, target: yes}]
start_node: send
end_nodes: [yes, no]
`;
const SCRIPT = `script: What the person has to look at.
memory:
  letter: "Dear all,\\n\\n<script>document.title = 'hacked'</script>"
  receivers: [{name: Ada, address: "ada@example.org"}, {name: Bob}]
  pages: 2
`;

/** A folder with so many runs that wait, the server of the page, and the browser. */
async function opened(runs, options = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "nodewise-browser-"));
  const environment = { ...process.env, XDG_STATE_HOME: path.join(folder, "state") };
  mkdirSync(path.join(folder, "state"));
  writeFileSync(path.join(folder, "letter.yaml"), FLOW);
  writeFileSync(path.join(folder, "letter.script.yaml"), SCRIPT);
  for (let number = 0; number < runs; number += 1) {
    const words = ["run", "letter.yaml", "--script", "letter.script.yaml", "--name", `Letter ${number}`];
    const run = spawnSync(NODEWISE, words, { cwd: folder, env: environment, encoding: "utf8" });
    assert.equal(run.status, 1, `${run.stdout}${run.stderr}`);
  }
  const server = spawn(NODEWISE, ["serve", "--decisions", "--listen", "127.0.0.1:0"], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lines = createInterface({ input: server.stderr })[Symbol.asyncIterator]();
  const line = async (wanted) => {
    for (;;) {
      const { value, done } = await lines.next();
      assert.ok(!done, `the server ended without the line \`${wanted}\``);
      if (value.includes(wanted)) {
        return value;
      }
    }
  };
  const link = (await line("waiting runs: ")).replace("waiting runs: ", "");
  const browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: BROWSER_FLAGS });
  const context = await browser.newContext({ javaScriptEnabled: false, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("requestfailed", (request) => faults.push(`${request.url()} ${request.failure()?.errorText}`));
  const close = async () => {
    await browser.close();
    const ended = new Promise((resolve) => server.on("exit", resolve));
    server.kill("SIGINT");
    assert.equal(await ended, 0, "Ctrl-C ends the server");
    rmSync(folder, { recursive: true, force: true });
  };
  const show = (words) => spawnSync(NODEWISE, words, { cwd: folder, env: environment, encoding: "utf8" }).stdout;
  return { page, browser, link, line, faults, close, show };
}

/** Judges the page that is shown by the rules for accessible pages. */
async function accessible({ browser, page }, options = {}) {
  const context = await browser.newContext({ bypassCSP: true, ...options });
  const copy = await context.newPage();
  await copy.goto(page.url());
  await copy.evaluate(AXE);
  const found = await assertAccessible(copy, ["html"], page.url());
  await context.close();
  const open = found.incomplete.filter((one) => one.id === "color-contrast");
  assert.deepEqual(open.map((one) => one.nodes.map((node) => node.html)), [], "a contrast cannot be measured");
}

/** Presses Tab until an element has the focus. */
async function tabTo(page, locator) {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press("Tab");
    if (await locator.evaluate((element) => element === document.activeElement)) {
      const outline = await locator.evaluate((element) => getComputedStyle(element).outlineStyle);
      assert.notEqual(outline, "none", "the focus is visible");
      return;
    }
  }
  assert.fail("the keyboard does not reach the element");
}

test("a person decides with the keyboard alone, without scripts", async () => {
  const site = await opened(2);
  const { page, faults, line, show } = site;
  await page.goto(site.link);
  assert.equal(await page.locator("h2").count(), 2);
  await page.getByRole("link", { name: "Decide at send" }).first().focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Decision at send" }).waitFor();
  assert.equal(await page.title(), "Decision at send – nodewise", "nothing of the letter ran");
  assert.equal(await page.locator("main b, main script").count(), 0);
  assert.equal(await page.locator(".question").innerText(), "Send <b>this</b> letter & the rest?");
  assert.match(await page.getByRole("region", { name: "receivers" }).innerText(), /"name": "Ada"/);
  const shade = await page.getByRole("button", { name: "Approve" }).evaluate((button) => getComputedStyle(button).backgroundColor);
  assert.equal(shade, "rgb(23, 96, 44)", "the style is allowed by the policy");

  // Return in a field decides nothing.
  const question = page.url();
  await tabTo(page, page.getByLabel("Your name"));
  await page.keyboard.type("Ada <L>");
  await page.keyboard.press("Enter");
  assert.equal(page.url(), question);
  assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "Decision at send");

  await tabTo(page, page.getByLabel("Comment"));
  await page.keyboard.type("by phone");
  await tabTo(page, page.getByRole("button", { name: "Approve" }));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Decided" }).waitFor();
  assert.match(await page.locator(".question").innerText(), /^Ada <L> approved this on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.$/);
  await line("waits for a decision at `archive`");

  // The address is that of the page, so that it can be loaded again; and nobody decides again.
  await page.reload();
  assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "Decided");
  assert.match(show(["runs", "show", "Letter 1"]), /^Ada <L> decided `approved` at `send`, \d{4}/);
  assert.deepEqual(faults, []);
  await site.close();
});

test("two people decide at once: the second one gets a message", async () => {
  const site = await opened(1);
  const { page, line } = site;
  await page.goto(site.link);
  await page.getByRole("link").first().click();
  const second = await page.context().newPage();
  await second.goto(page.url());
  for (const [who, name, button] of [[page, "Ada", "Reject"], [second, "Bob", "Approve"]]) {
    await who.getByLabel("Your name").fill(name);
    await who.getByRole("button", { name: button }).click();
  }
  await page.getByRole("heading", { level: 1, name: "Decided" }).waitFor();
  await second.getByRole("heading", { level: 1, name: "This was decided already" }).waitFor();
  assert.match(await second.getByRole("alert").innerText(), /Your decision was not taken\. Ada rejected this/);
  await line("completed");
  await site.close();
});

test("what is missing is said, and what was written stays", async () => {
  const site = await opened(1);
  const { page } = site;
  await page.goto(site.link);
  await page.getByRole("link").first().click();
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("Comment").fill("not yet </textarea>");
  await page.getByRole("button", { name: "Answer with this word" }).click();
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").innerText(), /Nothing is decided yet\. Write the word/);
  assert.equal(await page.getByLabel("Your name").inputValue(), "Ada");
  assert.equal(await page.getByLabel("Comment").inputValue(), "not yet </textarea>");
  assert.equal(await page.getByLabel("Word").getAttribute("aria-invalid"), "true");
  // The name is required by the browser, too.
  await page.getByLabel("Your name").fill("");
  await page.getByRole("button", { name: "Approve" }).click();
  assert.equal(await page.getByLabel("Your name").evaluate((field) => field.validity.valueMissing), true);
  await site.close();
});

test("every page is accessible, in light and dark, wide and narrow", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const options = { colorScheme, viewport: colorScheme === "light" ? { width: 1280, height: 800 } : { width: 320, height: 640 } };
    const site = await opened(1, options);
    const { page } = site;
    await page.goto(site.link);
    await accessible(site, options);
    await page.getByRole("link").first().click();
    await accessible(site, options);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
    await page.getByLabel("Your name").fill("Ada");
    await page.getByRole("button", { name: "Reject" }).click();
    await page.getByRole("heading", { level: 1, name: "Decided" }).waitFor();
    await accessible(site, options);
    await page.goto(site.link.replace(/signature=../, "signature=zz"));
    await page.getByRole("heading", { level: 1, name: "This link is not valid" }).waitFor();
    await accessible(site, options);
    await site.close();
  }
});
