// The HTML report: pages made of hostile strings, of many implementations, of
// nothing, and the one that is committed.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { axe, layout, open, picture, reasonToSkip, schemes, start, widths } from "./harness.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const latest = join(root, "reports/latest/index.html");

describe("HTML report", { skip: reasonToSkip() }, () => {
  let browser, folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "touchstone-pages-"));
    execFileSync(process.env.GO ?? "go", ["test", "-count=1", "-run", "^TestPages$", "./reports", "-args", "-pages", folder], { cwd: root });
    browser = await start();
  });
  after(async () => {
    await browser?.close();
    if (folder) rmSync(folder, { recursive: true });
  });
  const url = (name) => pathToFileURL(name === "latest" ? latest : join(folder, `${name}.html`)).href;
  // unfold opens what is folded of the first findings and the last ones; all of
  // it would be hundreds of thousands of cells.
  const ends = 4;
  const unfold = (page) =>
    page.evaluate((ends) => {
      const all = [...document.querySelectorAll("article")];
      for (const article of [...all.slice(0, ends), ...all.slice(-ends)]) article.querySelectorAll("details").forEach((d) => (d.open = true));
    }, ends);
  // thin leaves those findings alone, for axe, which takes minutes for all.
  const thin = (page) => page.evaluate((ends) => [...document.querySelectorAll("article")].slice(ends, -ends).forEach((a) => a.remove()), ends);

  for (const name of ["hostile", "many", "public", "empty", "latest"]) {
    test(`${name}: is read without scripts, and asks nobody`, { skip: name === "latest" && !existsSync(latest) && "reports/latest is not there" }, async (t) => {
      const off = await open(browser, url(name), { javaScript: false });
      const read = await off.page.locator("body").innerText();
      await off.close();
      const on = await open(browser, url(name));
      const took = await on.page.evaluate(() => performance.getEntriesByType("navigation")[0].duration);
      t.diagnostic(`${name} opens in ${Math.round(took)} ms`); // looked at, not judged: another machine takes longer
      assert.equal(await on.page.locator("body").innerText(), read);
      assert.match(read, /^Skip to the findings\s+Touchstone:/);
      const inert = await on.page.evaluate(() => {
        const all = [...document.querySelectorAll("*")];
        return {
          active: all.filter((e) => /^(SCRIPT|IFRAME|OBJECT|EMBED|FORM|INPUT|IMG|LINK|BASE)$/i.test(e.tagName)).map((e) => e.tagName),
          handlers: all.flatMap((e) => [...e.attributes]).filter((a) => /^on/i.test(a.name) || /javascript:/i.test(a.value)).map((a) => a.name),
          links: [...document.querySelectorAll("a")].map((a) => a.getAttribute("href")).filter((h) => !/^(#|https:\/\/)/.test(h)),
          lost: [...document.querySelectorAll('a[href^="#"]')].map((a) => a.getAttribute("href")).filter((h) => !document.getElementById(decodeURIComponent(h.slice(1)))),
          twice: all.map((e) => e.id).filter((id, i, ids) => id && ids.indexOf(id) !== i),
        };
      });
      assert.deepEqual(inert, { active: [], handlers: [], links: [], lost: [], twice: [] });
      for (const opened of [off, on]) assert.deepEqual([opened.foreign, opened.problems], [[], []]);
      await on.close();
    });

    if (name === "public") continue; // what is left of the hostile one
    test(`${name}: is laid out at every width`, { skip: name === "latest" && !existsSync(latest) && "reports/latest is not there" }, async () => {
      let order;
      for (const width of widths) {
        let boxes;
        for (const scheme of schemes) {
          const { page, close } = await open(browser, url(name), { width, scheme, height: 1200 });
          await picture(page, `report-${name}-${width}-${scheme}`);
          await unfold(page);
          const where = `${name} at ${width}, ${scheme}`;
          if (!boxes) {
            const { headings, ...faults } = await layout(page);
            assert.deepEqual(faults, { overflow: 0, outside: [], cut: [], overlaps: [], skipped: [] }, where);
            order ??= headings;
            assert.deepEqual(headings, order, where);
          }
          const now = await page.evaluate(() => [...document.querySelectorAll("h1, h2, h3, h4, table, pre, figure, .scroll")].filter((e) => e.checkVisibility()).map((e) => {
            const { x, y, width, height } = e.getBoundingClientRect();
            return [e.tagName, x, y, width, height].join(" ");
          }));
          boxes ??= now;
          assert.deepEqual(now, boxes, `${where}: the colour scheme moves something`);
          const loose = await page.evaluate(() => [...document.querySelectorAll("table")].filter((t) => !t.closest(".scroll")).length);
          assert.equal(loose, 0, "a table outside of a container that scrolls");
          await close();
        }
      }
      assert.equal(order.filter(([level]) => level === 1).length, 1);
    });

    if (name === "many") continue; // one finding as the other; the committed page has many different ones
    test(`${name}: axe finds nothing`, { skip: name === "latest" && !existsSync(latest) && "reports/latest is not there" }, async () => {
      for (const scheme of schemes) {
        const { page, close } = await open(browser, url(name), { scheme });
        await thin(page);
        await unfold(page);
        assert.deepEqual(await axe(page), [], `${name}, ${scheme}`);
        await close();
      }
    });
  }

  test("the keyboard reaches the findings, the tables and what is folded", async () => {
    const { page, close } = await open(browser, url("many"));
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the findings");
    const box = await page.locator(".skip").boundingBox();
    assert.ok(box.x >= 0, "the link for keyboards is not seen when it has the focus");
    await page.keyboard.press("Enter");
    assert.equal(new URL(page.url()).hash, "#findings");
    const scrolls = await page.evaluate(() => [...document.querySelectorAll(".scroll")].filter((e) => e.tabIndex !== 0 || !e.getAttribute("aria-label")).length);
    assert.equal(scrolls, 0);
    const summary = page.locator("details > summary").first();
    await summary.focus();
    await page.keyboard.press("Enter");
    assert.ok(await summary.evaluate((s) => s.parentElement.open));
    await close();
  });

  test("a row's name stays in sight when a table scrolls", async () => {
    const { page, close } = await open(browser, url("many"), { width: 360 });
    const [left, scrolled] = await page.evaluate(() => {
      const container = document.querySelector("#matrix").closest("section").querySelector(".scroll");
      container.scrollLeft = 200;
      return [container.querySelector("tbody th").getBoundingClientRect().left - container.getBoundingClientRect().left, container.scrollLeft];
    });
    assert.ok(scrolled > 100 && left <= 2, `${scrolled} pixels scrolled, ${left} from the left`);
    await close();
  });
});
