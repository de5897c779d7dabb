// Explains the document while it is typed. The page works without this script as
// a form, where there is a server.
import { explain } from "./backend.js";

const byId = (id) => document.getElementById(id);
const form = byId("ask");
const box = byId("document");
const results = byId("results");
const status = byId("status");

const maxBytes = 1 << 20;

// encode writes a text as UTF-8. A lone surrogate, which UTF-8 cannot hold, is
// written as three bytes that are faulty, and not replaced: the oracle shall see it.
function encode(text) {
  if (text.isWellFormed?.() ?? true) return new TextEncoder().encode(text);
  const parts = [];
  for (const character of text) {
    const unit = character.charCodeAt(0);
    if (character.length === 1 && unit >= 0xd800 && unit <= 0xdfff) {
      parts.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f));
    } else {
      parts.push(...new TextEncoder().encode(character));
    }
  }
  return new Uint8Array(parts);
}

function fromHex(text) {
  const digits = text.replace(/\s+/g, "");
  if (!/^([0-9a-fA-F]{2})*$/.test(digits)) throw new Error("These are not pairs of hexadecimal digits.");
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

const toHex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");

function read() {
  const bytes = form.elements.encoding.value === "hex" ? fromHex(box.value) : encode(box.value);
  if (bytes.length > maxBytes) throw new Error(`The document is larger than ${maxBytes} bytes: use the command.`);
  return bytes;
}

// fill puts bytes into the box, as text if it holds them unchanged.
function fill(bytes) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // faulty UTF-8
  }
  const holds = text !== undefined && !/[\x00-\x08\x0b-\x1f\x7f\ufeff]/.test(text);
  form.elements.encoding.value = holds ? "text" : "hex";
  box.value = holds ? text : toHex(bytes);
}

function say(text, bad = false) {
  const span = document.createElement("span");
  if (bad) span.className = "problem bad";
  span.textContent = text;
  status.replaceChildren(span);
}

// showMarks scrolls each byte view to what is marked in it.
function showMarks() {
  for (const view of results.querySelectorAll(".scroll")) {
    const mark = view.querySelector(".m");
    if (mark) view.scrollLeft = mark.offsetLeft - view.clientWidth / 2;
  }
}

// ask explains what the box holds now. One question is asked at a time; what has
// changed meanwhile is asked next.
let asking = false;
let changed = false;
async function ask() {
  changed = true;
  if (asking) return;
  asking = true;
  results.setAttribute("aria-busy", "true");
  while (changed) {
    changed = false;
    try {
      const { profile, agent, tool } = form.elements;
      const named = agent.value !== "" && tool.value !== "";
      const html = await explain(read(), {
        profile: profile.value,
        ...(named ? { agent: agent.value, tool: tool.value } : {}),
      });
      if (changed) continue;
      const parsed = new DOMParser().parseFromString(html, "text/html");
      results.replaceChildren(...parsed.body.childNodes);
      showMarks();
      say(results.querySelector("[data-summary]")?.dataset.summary ?? "");
    } catch (problem) {
      say(problem.message, true);
    }
  }
  results.removeAttribute("aria-busy");
  asking = false;
}

let timer;
function soon() {
  clearTimeout(timer);
  timer = setTimeout(ask, 150);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(timer);
  ask();
});
form.addEventListener("input", (event) => {
  if (event.target.type !== "file" && event.target.name !== "encoding") soon();
});
byId("file").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  if (!file) return;
  event.target.value = "";
  if (file.size > maxBytes) return say(`The file is larger than ${maxBytes} bytes: use the command.`, true);
  fill(new Uint8Array(await file.arrayBuffer()));
  ask();
});
// Changing how the box is read keeps the document where it can.
form.addEventListener("change", (event) => {
  if (event.target.name !== "encoding") return;
  try {
    if (event.target.value === "hex") {
      box.value = toHex(encode(box.value));
    } else {
      const bytes = fromHex(box.value);
      fill(bytes);
      if (form.elements.encoding.value === "hex") say("A text box does not hold these bytes.", true);
      else say("");
    }
  } catch (problem) {
    say(problem.message, true);
  }
});
for (const example of document.querySelectorAll("a[data-document]")) {
  example.addEventListener("click", (event) => {
    event.preventDefault();
    fill(fromHex(example.dataset.document));
    ask();
  });
}
document.documentElement.dataset.live = "";
showMarks();
if (box.value !== "" && !results.querySelector("[data-summary]")) ask();
