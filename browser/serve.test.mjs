// The page of touchstone serve: a form without scripts, live with them.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { axe, layout, open, picture, reasonToSkip, schemes, start, widths } from "./harness.mjs";
import { serve } from "./server.mjs";

// clean holds that a page asked nobody else and complained of nothing.
const clean = (opened) => assert.deepEqual([opened.foreign, opened.problems], [[], []]);

const summary = (page, text) => page.locator("#status", { hasText: text }).waitFor({ timeout: 20_000 });

describe("page of the server", { skip: reasonToSkip() }, () => {
  let browser, server;
  before(async () => {
    [browser, server] = await Promise.all([start(), serve()]);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });
  const at = (path) => server.url + path;

  for (const width of widths) {
    for (const scheme of schemes) {
      test(`is laid out and accessible at ${width} pixels, ${scheme}`, async () => {
        for (const example of ["duplicate", "numbers", ""]) {
          const opened = await open(browser, at(example && `?example=${example}`), { width, height: 1000, scheme });
          const { page } = opened;
          await page.locator("summary").first().click();
          const { overflow, outside, overlaps, skipped, headings } = await layout(page);
          assert.deepEqual({ overflow, outside, overlaps, skipped }, { overflow: 0, outside: [], overlaps: [], skipped: [] }, `${example} at ${width}`);
          assert.equal(headings.filter(([level]) => level === 1).length, 1);
          assert.deepEqual(await axe(page), [], `${example} at ${width}, ${scheme}`);
          await picture(page, `serve-${example || "empty"}-${width}-${scheme}`, { whole: true });
          clean(opened);
          await opened.close();
        }
      });
    }
  }

  test("explains while one types, the same as the form without scripts", async () => {
    const live = await open(browser, at(""));
    await live.page.fill("#document", '{"a": 1, "\\u0061": 2}');
    await summary(live.page, "rfc8785 reject, ijson reject, rfc0016 reject");
    const shown = await live.page.locator("#results").innerText();
    assert.match(shown, /duplicate_name/);
    assert.match(shown, /offset 9, line 1, column 10, in \/a/);
    assert.match(shown, /gowebpki/);
    clean(live);
    await live.close();

    const plain = await open(browser, at(""), { javaScript: false });
    await plain.page.fill("#document", '{"a": 1, "\\u0061": 2}');
    await plain.page.click("button");
    await plain.page.waitForLoadState();
    assert.equal(await plain.page.locator("#results").innerText(), shown);
    assert.equal(await plain.page.inputValue("#document"), '{"a": 1, "\\u0061": 2}');
    clean(plain);
    await plain.close();
  });

  test("takes hexadecimal digits, files, examples and the names of a call", async () => {
    const opened = await open(browser, at(""));
    const { page } = opened;
    await page.getByLabel("hexadecimal digits").check();
    await page.fill("#document", "5b22 ff 225d");
    await summary(page, "rfc8785 reject");
    assert.match(await page.locator("#results").innerText(), /invalid_utf8/);
    await page.fill("#document", "5");
    await summary(page, "not pairs of hexadecimal digits");
    await page.setInputFiles("#file", { name: "a.json", mimeType: "application/json", buffer: Buffer.from("[1e2,-0]") });
    await summary(page, "rfc8785 either, ijson either, rfc0016 reject");
    assert.equal(await page.inputValue("#document"), "[1e2,-0]");
    await page.setInputFiles("#file", { name: "b.json", mimeType: "application/json", buffer: Buffer.from([0x22, 0xff, 0x22]) });
    await summary(page, "rfc8785 reject");
    assert.equal(await page.inputValue("#document"), "22ff22");
    await page.getByRole("link", { name: "a tool call" }).click();
    await summary(page, "rfc8785 accept, ijson accept, rfc0016 accept");
    assert.ok(await page.getByLabel("text", { exact: true }).isChecked());
    await page.locator("summary").click();
    await page.fill("#document", "{}");
    await page.fill("#agent", "Support Agent");
    await page.fill("#tool", "search_docs");
    await page.getByText("539d41aaf70845fa1c78b75080b676afc88cf0f9e1eaf1834b85da38016ef502").waitFor();
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Save the canonical form" }).click()]);
    assert.equal(saved.suggestedFilename(), "canonical.json");
    clean(opened);
    await opened.close();
  });

  test("shows hostile text, and does not run it", async () => {
    const opened = await open(browser, at(""));
    const { page } = opened;
    await page.fill("#document", '["</pre><img src=x onerror=alert(1)><script>alert(1)</script>\u202e", "{{.}}"]');
    await summary(page, "rfc8785 accept");
    assert.match(await page.locator("#results pre").innerText(), /<script>alert\(1\)<\/script>‹U\+202E›/);
    assert.equal(await page.locator("#results img, #results script").count(), 0);
    clean(opened);
    await opened.close();
  });

  test("shows characters in the order of the bytes, whatever their script", async () => {
    const opened = await open(browser, at(""));
    const { page } = opened;
    await page.fill("#document", '["\u05d0\u05d1\u05d2","\u05d3",1]');
    await summary(page, "rfc8785 accept");
    const places = await page.locator("#results pre").evaluate((pre) => {
      const text = pre.firstChild;
      return [...text.data].map((_, i) => {
        const range = document.createRange();
        range.setStart(text, i);
        range.setEnd(text, i + 1);
        return range.getBoundingClientRect().left;
      });
    });
    assert.deepEqual(places, places.toSorted((a, b) => a - b));
    clean(opened);
    await opened.close();
  });

  test("is used by keyboard alone", async () => {
    const opened = await open(browser, at(""));
    const { page } = opened;
    const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim());
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "Skip to the verdicts");
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "document");
    await page.keyboard.type("[1.0]");
    await summary(page, "rfc8785 accept");
    assert.match(await page.locator("#results pre").innerText(), /^\[1\]$/);
    clean(opened);
    await opened.close();
  });

  // Browsers tell a server that is not on loopback less of where a request comes from
  // (no Sec-Fetch-Site field over plain HTTP, and an Origin only by the page's policy for referrers).
  test("works over plain HTTP under a name, with scripts and without", async () => {
    const clean = ({ foreign, problems }) => {
      assert.deepEqual(foreign, []);
      assert.deepEqual(problems.filter((text) => !text.startsWith("The Cross-Origin-Opener-Policy header has been ignored")), []);
    };
    const remote = await start("oracle.test");
    const named = await serve("--no-peers", "--host", "oracle.test");
    try {
      const url = named.url.replace("127.0.0.1", "oracle.test");
      const plain = await open(remote, url, { javaScript: false });
      for (const document of ["[1.0]", "[2.0]"]) {
        await plain.page.fill("#document", document);
        await plain.page.click("button");
        await plain.page.locator("#results pre", { hasText: document.replace(".0", "") }).waitFor({ timeout: 10_000 });
      }
      clean(plain);
      await plain.close();
      const live = await open(remote, url);
      await live.page.fill("#document", "[1.0]");
      await summary(live.page, "rfc8785 accept");
      clean(live);
      await live.close();
    } finally {
      await remote.close();
      await named.stop();
    }
  });

  test("says when the server has gone, which ends with status 0", async () => {
    const other = await serve("--no-peers");
    const opened = await open(browser, other.url);
    await opened.page.fill("#document", "[1]");
    await summary(opened.page, "rfc8785 accept");
    assert.equal(await opened.page.getByText("Implementations", { exact: true }).count(), 0);
    assert.equal(await other.stop(), 0);
    await opened.page.fill("#document", "[2]");
    await summary(opened.page, "The server does not answer");
    await opened.close();
  });
});
