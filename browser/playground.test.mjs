// The playground: the page with the oracle in it, as WebAssembly.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createReadStream, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { axe, layout, open, picture, reasonToSkip, schemes, start, widths } from "./harness.mjs";
import { serve } from "./server.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "reports/out/playground");
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

// files serves the folder below a path, as any static server does; asked lists
// what was asked for.
async function files() {
  const asked = [];
  const server = createServer((request, response) => {
    const name = request.url.replace(/^\/below\//, "") || "index.html";
    asked.push(name);
    if (!/^[\w.]+$/.test(name)) return response.writeHead(404).end();
    const file = createReadStream(join(folder, name));
    file.on("error", () => response.writeHead(404).end());
    file.once("open", () => response.writeHead(200, { "Content-Type": types[extname(name)] ?? "application/octet-stream" }));
    file.pipe(response);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${server.address().port}/below/`, asked, close: () => server.close() };
}

const summary = (page, text) => page.locator("#status", { hasText: text }).waitFor({ timeout: 120_000 });

describe("playground", { skip: reasonToSkip() }, () => {
  let browser, site;
  before(async () => {
    execFileSync("make", ["playground"], { cwd: root, stdio: "inherit" });
    [browser, site] = await Promise.all([start(), files()]);
  });
  after(async () => {
    await browser?.close();
    site?.close();
  });

  test("explains while one types, and asks for its own files alone", async () => {
    site.asked.length = 0;
    const opened = await open(browser, site.url);
    const { page } = opened;
    await summary(page, "rfc8785 accept"); // of the document that it begins with
    await page.fill("#document", '{"a": 1, "\\u0061": 2}');
    await summary(page, "rfc8785 reject, ijson reject, rfc0016 reject");
    const shown = await page.locator("#results").innerText();
    assert.match(shown, /duplicate_name/);
    assert.match(shown, /gowebpki/);
    await page.getByRole("link", { name: "faulty UTF-8" }).click();
    await page.getByText("invalid_utf8").first().waitFor();
    assert.deepEqual([opened.foreign, opened.problems], [[], []]);
    assert.deepEqual(site.asked.toSorted(), ["backend.js", "icon.svg", "index.html", "page.js", "style.css", "touchstone.wasm", "wasm_exec.js", "worker.js"]);
    await opened.close();
  });

  for (const width of widths) {
    for (const scheme of schemes) {
      test(`is laid out and accessible at ${width} pixels, ${scheme}`, async () => {
        const opened = await open(browser, site.url, { width, height: 1000, scheme });
        await summary(opened.page, "rfc8785 accept");
        const { overflow, outside, overlaps, skipped } = await layout(opened.page);
        assert.deepEqual({ overflow, outside, overlaps, skipped }, { overflow: 0, outside: [], overlaps: [], skipped: [] });
        assert.deepEqual(await axe(opened.page), []);
        await picture(opened.page, `playground-${width}-${scheme}`, { whole: true });
        assert.deepEqual([opened.foreign, opened.problems], [[], []]);
        await opened.close();
      });
    }
  }

  test("says without scripts that it needs them", async () => {
    const opened = await open(browser, site.url, { javaScript: false });
    assert.match(await opened.page.locator("header").innerText(), /needs scripts/);
    await opened.close();
  });

  test("stays alive whatever the document: the verdicts are told alone", async () => {
    const opened = await open(browser, site.url);
    const { page } = opened;
    await summary(page, "rfc8785 accept");
    const verdicts = (text) =>
      page.evaluate(async (text) => {
        const { explain } = await import("./backend.js");
        const told = JSON.parse(await explain(new TextEncoder().encode(text), { format: "json" }));
        return told.verdicts.map((v) => v.verdict).join();
      }, text);
    for (const [depth, want] of [[1000, "accept,accept,accept"], [20_000, "either,either,either"], [50_000, "either,either,either"]]) {
      assert.equal(await verdicts("[".repeat(depth) + "]".repeat(depth)), want, `arrays ${depth} deep`);
      assert.equal(await verdicts('{"a":'.repeat(depth) + "1" + "}".repeat(depth)), want, `objects ${depth} deep`);
      assert.equal(await verdicts("[".repeat(depth)), "reject,reject,reject", `unclosed ${depth} deep`);
    }
    // A worker that is ended from outside is replaced.
    const replaced = await page.evaluate(async () => {
      const { explain } = await import("./backend.js");
      const real = Worker.prototype.postMessage;
      let ended = 0;
      Worker.prototype.postMessage = function (...message) {
        if (ended++ === 0) return this.dispatchEvent(new MessageEvent("message", { data: { ended: "by a test" } }));
        return real.apply(this, message);
      };
      try {
        return await explain(new TextEncoder().encode("[1.0]"), {});
      } finally {
        Worker.prototype.postMessage = real;
      }
    });
    assert.match(replaced, /did not come back in this page/);
    assert.match(replaced, /rfc8785 accept/);
    assert.doesNotMatch(replaced, /gowebpki/);
    await opened.close();
  });

  test("answers every vector as the command does", async (t) => {
    const vectors = readFileSync(join(root, "vectors/vectors.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line)).filter((v) => v.op === "canon");
    assert.ok(vectors.length > 1700);
    const inputs = vectors.map((v) => v.input);
    const opened = await open(browser, site.url);
    await summary(opened.page, "rfc8785 accept");
    const answers = await opened.page.evaluate(async (inputs) => {
      const { explain } = await import("./backend.js");
      const all = [];
      for (const hex of inputs) {
        const bytes = new Uint8Array(hex.length / 2);
        for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16);
        all.push(await explain(bytes, { format: "json" }).catch((problem) => JSON.stringify({ problem: problem.message })));
      }
      return all;
    }, inputs);
    assert.deepEqual([opened.foreign, opened.problems], [[], []]);
    await opened.close();
    const apart = [];
    const server = await serve();
    try {
      for (const [i, { id, input }] of vectors.entries()) {
        const response = await fetch(server.url + "v1/explain", { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: Buffer.from(input, "hex") });
        const want = await response.json();
        const got = JSON.parse(answers[i]);
        // What is built twice may call itself by two versions; and in a page not
        // everyone is asked about a text that is nested very deep.
        for (const [k, peer] of (got.peers ?? []).entries()) {
          delete peer.version;
          delete want.peers[k].version;
          if (peer.message?.startsWith("not asked in a page")) {
            want.peers[k] = peer;
            if (!apart.includes(id)) apart.push(id);
          }
        }
        assert.deepEqual(got, want, id);
      }
    } finally {
      await server.stop();
    }
    assert.deepEqual(apart.toSorted(), ["depth-arrays-10000", "depth-arrays-2000", "depth-objects-5000", "depth-unclosed-arrays-20000", "depth-unclosed-objects-4000"]);
    t.diagnostic(`${vectors.length} vectors, of which ${apart.length} were not asked of everyone`);
  });
});
