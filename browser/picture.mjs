// Takes the picture of the published report that the README shows. Skipped by
// name without a browser; with TOUCHSTONE_CI=1 that is an error.

import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { open, reasonToSkip, start } from "./harness.mjs";

const folder = new URL("../reports/latest/", import.meta.url);
const most = 200_000; // bytes of a picture in the repository

const lack = reasonToSkip();
if (lack) {
  console.error(`skipped: the picture of the report: ${lack}`);
  process.exit(0);
}
const browser = await start();
const { page } = await open(browser, new URL("index.html", folder).href, { width: 1180, height: 860 });
const path = fileURLToPath(new URL("page.png", folder));
await page.screenshot({ path });
await browser.close();
const size = statSync(path).size;
if (size > most) throw new Error(`the picture has ${size} bytes, more than ${most}`);
