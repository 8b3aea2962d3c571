// The playground in a real browser.
//
// Input: the variables NODEWISE_PAGES (the folder of the built page) and NODEWISE_CHROMIUM. Output: a line for each test, and the
// exit code. Invariant: the page is judged with its own policy; only axe-core, which needs scripts, looks at a page whose policy is lifted.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test, { after, before } from "node:test";
import { strFromU8, unzipSync } from "fflate";
import { chromium } from "playwright-core";
import { assertAccessible, assertFits, BROWSER_FLAGS, existing, freshPage, serve } from "../../tests/browser/pages.mjs";

const FOLDER = existing("NODEWISE_PAGES");
const CHROMIUM = existing("NODEWISE_CHROMIUM");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PATIENCE_MS = 90_000;
const FLOW = `id: letter
name: Letter
description: ''
nodes:
  - {id: write, type: router}
  - {id: send, type: router}
edges: [{source: write, target: sned}]
start_node: write
end_nodes: [send]
`;

let server;
let browser;

before(async () => {
  server = await serve(FOLDER);
  browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: BROWSER_FLAGS });
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** The page in a fresh profile, what went wrong in it, and the hosts that it asked. */
async function opened(options = {}, fragment = "") {
  const { context, page, faults } = await freshPage(browser, server.address, PATIENCE_MS, options);
  await page.goto(server.address + fragment);
  await page.getByText(/ in \d+ files?\.$/).waitFor();
  return { context, page, faults };
}

const text = (page) => page.locator("#editor .cm-content");
const summary = (page, words) => page.locator("#summary", { hasText: words }).waitFor();

/** Writes a new file with the keyboard, as the only one. */
async function write(page, content) {
  await page.getByLabel("Example").selectOption({ label: "An empty file" });
  await text(page).focus();
  await page.keyboard.insertText(content);
}

test("write a graph, fix a mistake, simulate, step back, share: the link shows the same", async () => {
  const { context, page, faults } = await opened();
  await write(page, FLOW);
  await summary(page, "error");
  await page.getByRole("button", { name: /flow\.yaml:7: .*`sned`/ }).first().click();
  assert.match(await text(page).evaluate((content) => content.getRootNode().activeElement.className), /cm-content/);
  await page.locator("#editor .cm-lintRange").first().waitFor();
  await page.getByRole("button", { name: /^Fix: .*send/ }).click();
  await summary(page, "0 errors, 0 warnings");
  await page.locator("#board img").waitFor();

  await page.getByRole("button", { name: "Simulate" }).click();
  await page.locator("#outcome", { hasText: "The run completed." }).waitFor();
  const timeline = page.locator("#timeline");
  await page.waitForFunction(() => document.querySelector("#timeline").textContent.includes("send"));
  const whole = await timeline.textContent();
  const [, end] = (await page.locator("#position").textContent()).match(/^\d+ of (\d+)$/);
  await page.getByRole("button", { name: "First" }).click();
  await page.waitForFunction(() => !document.querySelector("#timeline").textContent.includes("send"));
  await page.getByRole("button", { name: "Next" }).click();
  await page.locator("#position", { hasText: `1 of ${end}` }).waitFor();
  await page.getByRole("button", { name: "Last" }).click();
  await page.waitForFunction((whole) => document.querySelector("#timeline").textContent === whole, whole);

  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByLabel("Link").waitFor();
  const link = await page.getByLabel("Link").inputValue();
  const written = await text(page).innerText();
  const other = await opened({}, link.slice(server.address.length));
  assert.equal(await text(other.page).innerText(), written);
  assert.equal(await other.page.locator("#summary").textContent(), await page.locator("#summary").textContent());
  await other.page.getByRole("button", { name: "Simulate" }).click();
  await other.page.waitForFunction((whole) => document.querySelector("#timeline").textContent === whole, whole);
  assert.deepEqual([...faults, ...other.faults], [], "the page broke its policy, or asked someone else");
  await context.close();
  await other.context.close();
});

test("every example is checked and drawn; scripts answer", async () => {
  const { context, page, faults } = await opened();
  const labels = await page.locator("#example option").allTextContents();
  assert.equal(labels.length, 7);
  for (const label of labels.slice(1)) {
    await page.getByLabel("Example").selectOption({ label });
    const isBroken = label.includes("mistakes");
    await page.waitForFunction(
      (isBroken) => /^(\d+) error/.exec(document.querySelector("#summary").textContent)?.[1] !== "0" === isBroken,
      isBroken,
    );
    await page.waitForFunction(() => document.querySelector("#board img")?.naturalWidth > 100);
    if (!isBroken) {
      await page.getByRole("button", { name: "Simulate" }).click();
      await page.locator("#timeline:not([hidden])", { hasText: /\w/ }).waitFor();
    }
  }
  assert.deepEqual(faults, []);
  await context.close();
});

test("the tour shows each mistake and why it matters, until none is left that has a fix", async () => {
  const { context, page, faults } = await opened();
  await page.getByLabel("Example").selectOption({ label: "cycgraph: the same with mistakes" });
  const tour = page.getByRole("region", { name: "Tour of the mistakes" });
  const position = async () => /^Mistake (\d+) of (\d+)(?:; (\d+) corrected)?\.$/.exec(await page.locator("#tour-position").textContent());
  await tour.getByText(/^Mistake 1 of \d+\.$/).waitFor();
  const [, , all] = (await position()).map(Number);
  const [errors, warnings] = (await page.locator("#summary").textContent()).match(/\d+/g).map(Number);
  assert.equal(all, errors + warnings);
  await tour.getByText(/^Why it matters: \w/).waitFor();
  const told = new Set();
  for (let number = 1; number < all; number += 1) {
    told.add(await tour.locator("#tour-text").textContent());
    await tour.getByRole("button", { name: "Next mistake" }).click();
    await tour.getByText(`Mistake ${number + 1} of ${all}.`).waitFor();
  }
  assert.ok(told.size > all / 2, "the texts differ");
  assert.ok(await tour.getByRole("button", { name: "Next mistake" }).isDisabled());
  assert.equal(await page.evaluate(() => document.activeElement?.id), "tour-text", "the editor does not take the focus");

  // From the end to the beginning: what has a fix is corrected.
  let left = all;
  for (let number = all; number >= 1; number -= 1) {
    const button = tour.getByRole("button", { name: "Fix it" });
    if (await button.isEnabled()) {
      await button.click();
      await page.waitForFunction((left) => !document.querySelector("#tour-position").textContent.includes(` of ${left}`), left);
      left = Number((await position())?.[2] ?? 0);
    }
    const back = tour.getByRole("button", { name: "Previous mistake" });
    if (await back.isEnabled()) {
      await back.click();
    }
  }
  assert.ok(left < all, "some mistakes have fixes");
  await tour.getByRole("button", { name: "Open the example without mistakes" }).click();
  await summary(page, "0 errors");
  assert.ok(await tour.isHidden());
  assert.equal(await page.getByLabel("Example").locator("option:checked").textContent(), "cycgraph: insurance claims");
  assert.deepEqual(faults, []);
  await context.close();
});

test("an archive has the files, and a run is drawn under the graph's name", async () => {
  const { context, page, faults } = await opened();
  await page.getByLabel("New file").fill("notes/ü.yaml");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "notes/ü.yaml", exact: true }).waitFor();
  await text(page).focus();
  await page.keyboard.insertText("id: ä");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as zip" }).click();
  const archive = unzipSync(new Uint8Array(readFileSync(await (await saved).path())));
  assert.equal((await saved).suggestedFilename(), "nodewise-project.zip");
  assert.equal(strFromU8(archive["notes/ü.yaml"]), "id: ä");
  const claims = strFromU8(archive["claims.yaml"]);
  const [, id] = /^id: (.*)$/m.exec(claims);
  await page.getByRole("button", { name: "Simulate" }).click();
  await page.locator("#board img[alt^='The path of the run']").waitFor();
  const picture = decodeURIComponent(await page.locator("#board img").getAttribute("src"));
  assert.ok(picture.includes('<text class="title" x="24" y="38">graph “claims”</text>'), picture.slice(0, 500));
  assert.ok(!picture.includes(id), "the picture has the id in place of the name");
  assert.deepEqual(faults, []);
  await context.close();
});

test("the editor explains and completes, and the keyboard is enough", async () => {
  const { context, page, faults } = await opened();
  await write(page, "id: a\nnodes:\n  - id: b\n    ty");
  await page.keyboard.press("Control+Space");
  await page.locator("#editor .cm-tooltip-autocomplete", { hasText: "type" }).waitFor();
  await page.waitForTimeout(100);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#editor").shadowRoot.textContent.includes("type:"));
  await page.locator("#editor .cm-line", { hasText: "type" }).getByText("type").hover();
  await page.locator("#editor .cm-tooltip .hover").waitFor();
  // Tab leaves the editor.
  await page.keyboard.press("Escape");
  await text(page).focus();
  await page.keyboard.press("Tab");
  assert.notEqual(await page.evaluate(() => document.activeElement?.id), "editor");

  await page.getByLabel("New file").focus();
  await page.keyboard.type("../up.yaml");
  await page.keyboard.press("Enter");
  await page.getByText("Write the name of the file").waitFor();
  await page.getByLabel("New file").fill("tools/b.yaml");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "tools/b.yaml" }).waitFor();
  await page.getByRole("button", { name: "Delete the open file" }).click();
  await page.getByText("tools/b.yaml is deleted.").waitFor();
  assert.equal(await page.locator("#files button").count(), 1);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a link that is no project is refused in words", async () => {
  for (const fragment of ["#1.AAAA", "#1.%", "#2.x", `#1.${"A".repeat(5000)}`]) {
    const { context, page } = await opened({}, fragment);
    await page.getByText("The link contains no project.").waitFor();
    await context.close();
  }
});

test("the page is accessible, in light and dark, wide and narrow", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const viewport = colorScheme === "light" ? { width: 1280, height: 900 } : { width: 360, height: 740 };
    const { context, page } = await opened({ colorScheme, viewport, bypassCSP: true });
    await page.getByRole("button", { name: "Simulate" }).click();
    await page.locator("#timeline:not([hidden])", { hasText: /\w/ }).waitFor();
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.evaluate(AXE);
    await assertAccessible(page, ["html"], `the page in ${colorScheme}`);
    await assertFits(page, "the page");
    await context.close();
  }
});
