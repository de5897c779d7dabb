// The harness must see what it is there to see.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { axe, layout, open, own, reasonToSkip, start } from "./harness.mjs";

const head = '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>t</title></head>';

describe("harness", { skip: reasonToSkip() }, () => {
  let browser, folder;
  before(async () => {
    browser = await start();
    folder = mkdtempSync(join(tmpdir(), "touchstone-browser-"));
  });
  after(async () => {
    await browser?.close();
    if (folder) rmSync(folder, { recursive: true });
  });
  const file = (text) => {
    const path = join(folder, "page.html");
    writeFileSync(path, text);
    return pathToFileURL(path).href;
  };

  test("requests beyond the page are refused and told", async () => {
    const opened = await open(browser, file(`${head}<body><img src="https://example.org/x.png" alt=""><img src="other.png" alt=""><script>fetch("http://192.0.2.1/").catch(() => {}); new WebSocket("ws://example.org/")</script></body></html>`));
    await opened.page.waitForTimeout(200);
    await opened.close();
    assert.deepEqual(opened.foreign.map((u) => new URL(u).host || u.split("/").pop()).sort(), ["192.0.2.1", "example.org", "example.org", "other.png"]);
  });

  test("a page's own server is within its origin, another port is not", async () => {
    const asked = [];
    const server = createServer((request, response) => {
      if (request.url !== "/favicon.ico") asked.push(request.url); // which Chromium asks for when it has the time
      response.setHeader("content-type", "text/html");
      response.end(`${head}<body><main><h1>t</h1><iframe title="f" src="/own"></iframe><img src="http://127.0.0.1:1/x" alt=""></main></body></html>`.replace(request.url === "/own" ? /<iframe.*?iframe>/ : /$^/, ""));
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const opened = await open(browser, `http://127.0.0.1:${server.address().port}/`);
    await opened.close();
    server.close();
    assert.equal(opened.response.status(), 200);
    assert.deepEqual(asked, ["/", "/own"]);
    assert.deepEqual([...new Set(opened.foreign)], ["http://127.0.0.1:1/x"]);
  });

  test("scripts stay off when told so", async () => {
    const url = file(`${head}<body><p>before</p><script>document.title = "ran"</script></body></html>`);
    const off = await open(browser, url, { javaScript: false });
    assert.equal(await off.page.title(), "t");
    await off.close();
    const on = await open(browser, url);
    assert.equal(await on.page.title(), "ran");
    await on.close();
  });

  test("complaints are told", async () => {
    const opened = await open(browser, file(`${head}<body><script>null.x</script></body></html>`));
    await opened.close();
    assert.equal(opened.problems.length, 1);
    assert.match(opened.problems[0], /^uncaught: /);
  });

  test("axe finds faults and passes what has none", async () => {
    const bad = await open(browser, file(`${head}<body><main><h1>t</h1><p style="color:#aaa;background:#fff">pale</p><img src="data:,"></main></body></html>`));
    const found = (await axe(bad.page)).map((line) => line.split(":")[0]);
    await bad.close();
    assert.deepEqual(found.sort(), ["color-contrast", "image-alt"]);
    const good = await open(browser, file(`${head}<body><main><h1>t</h1><p>fine</p></main></body></html>`));
    assert.deepEqual(await axe(good.page), []);
    await good.close();
  });

  test("layout sees overflow, but not inside what scrolls", async () => {
    const wide = '<p class="wide" style="width:900px">x</p>';
    const bad = await open(browser, file(`${head}<body style="margin:0"><h1>t</h1><h3>u</h3>${wide}<div style="margin-top:-20px;height:50px"></div></body></html>`));
    const seen = await layout(bad.page);
    await bad.close();
    assert.equal(seen.overflow, 100);
    assert.deepEqual(seen.outside, ["p.wide"]);
    assert.deepEqual(seen.skipped, ["h3 u"]);
    const long = await open(browser, file(`${head}<body style="margin:0"><h1>t</h1><p>${"x".repeat(500)}</p></body></html>`));
    assert.deepEqual((await layout(long.page)).outside, ["text of p"]);
    await long.close();
    const good = await open(browser, file(`${head}<body style="margin:0"><h1>t</h1><h2>u</h2><div style="overflow-x:auto">${wide}</div></body></html>`));
    const fine = await layout(good.page);
    await good.close();
    assert.deepEqual(fine, { overflow: 0, outside: [], cut: [], overlaps: [], headings: [[1, "t"], [2, "u"]], skipped: [] });
  });

  test("layout sees what lies on each other and what is cut", async () => {
    const opened = await open(browser, file(`${head}<body><h1>t</h1><div class="a" style="height:50px;margin-bottom:-30px"></div><div class="b" style="height:50px"></div><div class="c" style="width:3em;overflow:hidden;white-space:nowrap">much too long</div></body></html>`));
    const seen = await layout(opened.page);
    await opened.close();
    assert.deepEqual(seen.overlaps, ["div.a and div.b"]);
    assert.deepEqual(seen.cut, ["div.c"]);
  });
});

test("own tells origins apart", () => {
  assert.ok(own("file:///a/b.html", "file:///a/b.html#x"));
  assert.ok(!own("file:///a/b.html", "file:///a/c.html"));
  assert.ok(!own("file:///a/b.html", "http://127.0.0.1/"));
  assert.ok(own("http://127.0.0.1:1/", "http://127.0.0.1:1/x"));
  assert.ok(!own("http://127.0.0.1:1/", "http://127.0.0.1:2/x"));
  assert.ok(!own("http://127.0.0.1:1/", "https://127.0.0.1:1/x"));
});
