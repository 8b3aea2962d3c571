// Renders `media/icon.svg` as the PNG for the marketplace. NODEWISE_CHROMIUM is the path of the browser.

import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { chromium } from "playwright-core";

const SIZE = 256;
const media = path.join(import.meta.dirname, "..", "media");
const browser = await chromium.launch({ executablePath: process.env.NODEWISE_CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
const icon = readFileSync(path.join(media, "icon.svg")).toString("base64");
await page.setContent(`<body style="margin:0"><img width="${SIZE}" height="${SIZE}" src="data:image/svg+xml;base64,${icon}">`);
await page.locator("img").evaluate((image) => image.decode());
writeFileSync(path.join(media, "icon.png"), await page.screenshot({ omitBackground: true }));
await browser.close();
