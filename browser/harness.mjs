// Opens pages in the system's Chromium and asks three things of them: do they
// keep to themselves, are they laid out within their width, does axe-core find
// anything. Everything a test of a page needs comes from here.

import { accessSync, constants, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";

// The widths and colour schemes in which each page is looked at.
export const widths = [360, 800, 1600];
export const schemes = ["light", "dark"];

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

// chromium is the path of the browser: $CHROMIUM, or the first of the names on
// PATH; undefined if there is none.
export function chromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of names) {
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // not here
      }
    }
  }
  return undefined;
}

const require = createRequire(import.meta.url);

// missing says what is not there to run a browser with; "" if nothing is.
export function missing() {
  try {
    require.resolve("playwright-core");
    require.resolve("axe-core");
  } catch {
    return "the npm packages are not there: run npm ci in browser/";
  }
  return chromium() ? "" : "there is no Chromium: apt-get install chromium";
}

// reasonToSkip is for a test's option "skip": false, or the reason. With
// TOUCHSTONE_CI=1 what is missing is an error.
export function reasonToSkip() {
  const lack = missing();
  if (lack && process.env.TOUCHSTONE_CI === "1") throw new Error(lack);
  return lack || false;
}

// start starts a browser that reaches loopback addresses and nothing else, by
// name or by number. A further name leads to 127.0.0.1 too: unlike loopback
// addresses it is no trustworthy origin, as those of other machines are not. Close
// the browser.
export async function start(name = "localhost") {
  const { chromium: driver } = await import("playwright-core");
  return driver.launch({
    executablePath: chromium(),
    args: [
      `--host-resolver-rules=MAP ${name} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
      "--disable-background-networking",
      "--force-color-profile=srgb",
      "--hide-scrollbars",
    ],
  });
}

// open opens one URL (file: or http:) in a context of its own and gives
//
//   page      playwright's page, loaded
//   response  the answer to the first request; null for a file
//   foreign   what the page asked for beyond its own origin (of a file: beyond
//             that file), as URLs; each was refused
//   problems  what it complained of: uncaught errors, console errors (which
//             violations of its content security policy are)
//   close     ends the context
//
// Scripts of the page run unless javaScript is false. What a test itself
// evaluates then does not run either; layout and axe need them on, which a page
// without scripts of its own does not notice.
export async function open(browser, url, { width = 800, height = 900, scheme = "light", javaScript = true } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    javaScriptEnabled: javaScript,
    reducedMotion: "reduce",
    serviceWorkers: "block",
    locale: "en-GB",
    timezoneId: "UTC",
  });
  const foreign = [];
  const problems = [];
  await context.route("**/*", (route) => {
    const asked = route.request().url();
    if (own(url, asked)) return route.continue();
    foreign.push(asked);
    return route.abort("blockedbyclient");
  });
  await context.routeWebSocket(/.*/, (socket) => {
    if (own(url, socket.url().replace(/^ws/, "http"))) return void socket.connectToServer();
    foreign.push(socket.url());
    socket.close();
  });
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("popup", (popup) => foreign.push(`popup: ${popup.url()}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const response = await page.goto(url, { waitUntil: "load" });
  return { page, response, foreign, problems, close: () => context.close() };
}

// own reports whether a request stays within the page's origin; a file's origin
// is that file alone.
export function own(page, asked) {
  const a = new URL(page);
  const b = new URL(asked);
  if (b.protocol === "data:" || b.protocol === "blob:") return true;
  if (a.protocol === "file:") return b.protocol === "file:" && b.pathname === a.pathname;
  return a.origin === b.origin;
}

const axeSource = () => readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

// axe gives what axe-core finds in the page, all rules but the experimental
// ones, in short lines: rule, what it is about, and the elements. An empty list
// is a pass. What axe cannot decide ("incomplete") is listed if
// undecided is true.
export async function axe(page, { undecided = false } = {}) {
  await page.evaluate(axeSource());
  const { violations, incomplete } = await page.evaluate(() =>
    globalThis.axe.run(document, { resultTypes: ["violations", "incomplete"] }),
  );
  const lines = (list) =>
    list.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.target.join(" ")).join(", ")} (${v.nodes.length} in all)`);
  return undecided ? [...lines(violations), ...lines(incomplete)] : lines(violations);
}

// layout measures the page, so that a test compares boxes and not pixels, which
// differ with the fonts of a machine:
//
//   overflow  by how many pixels the page is wider than its window
//   outside   elements, and texts of elements, that stick out of the window and
//             are not inside a container that scrolls or clips them
//   cut       elements whose own text is cut off (hidden overflow)
//   overlaps  pairs of neighbours, block or cell, that lie on each other
//   headings  the headings in order, as [level, text]
//   skipped   headings more than one level below the one before
export async function layout(page) {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const name = (e) => e.tagName.toLowerCase() + (e.id ? `#${e.id}` : "") + (e.className && typeof e.className === "string" ? `.${e.className.trim().split(/\s+/).join(".")}` : "");
    const seen = (e) => e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false });
    const known = new Map();
    const contained = (e) => {
      if (!e || e === document.body || e === document.documentElement) return false;
      if (!known.has(e)) known.set(e, ["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(e).overflowX) || contained(e.parentElement));
      return known.get(e);
    };
    const all = [...document.body.querySelectorAll("*")].filter(seen);
    const outside = [];
    const cut = [];
    for (const e of all) {
      const box = e.getBoundingClientRect();
      if (box.width === 0 || box.right <= 0) continue; // nothing, or a link for keyboards alone that waits at the left
      if (box.right > width + 1 && !contained(e.parentElement)) outside.push(name(e));
      const style = getComputedStyle(e);
      if (["hidden", "clip"].includes(style.overflowX) && e.scrollWidth > e.clientWidth + 1 && !(e instanceof SVGElement)) cut.push(name(e));
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (!text.data.trim() || contained(text.parentElement) || !seen(text.parentElement)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      if (range.getBoundingClientRect().right > width + 1) outside.push(`text of ${name(text.parentElement)}`);
    }
    const overlaps = [];
    const neighbours = (e) => [...e.children].filter((c) => seen(c) && !["inline", "contents"].includes(getComputedStyle(c).display) && !["absolute", "fixed", "sticky"].includes(getComputedStyle(c).position));
    for (const e of [document.body, ...all]) {
      if (e instanceof SVGElement || e.tagName === "OPTION") continue;
      const children = neighbours(e);
      for (let i = 1; i < children.length; i++) {
        const a = children[i - 1].getBoundingClientRect();
        const b = children[i].getBoundingClientRect();
        const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (x > 1 && y > 1) overlaps.push(`${name(children[i - 1])} and ${name(children[i])}`);
      }
    }
    const headings = all.filter((e) => /^H[1-6]$/.test(e.tagName)).map((e) => [Number(e.tagName[1]), e.textContent.trim().replace(/\s+/g, " ")]);
    const skipped = headings.filter(([level], i) => level > (i === 0 ? 1 : headings[i - 1][0] + 1)).map(([level, text]) => `h${level} ${text}`);
    return { overflow: document.documentElement.scrollWidth - width, outside, cut, overlaps, headings, skipped };
  });
}

// picture writes a screenshot for people to look at, beside others of the same
// name, into reports/out/browser.
export async function picture(page, name, { whole = false } = {}) {
  const path = new URL(`../reports/out/browser/${name}.png`, import.meta.url).pathname;
  await page.screenshot({ path, fullPage: whole });
  return path;
}
