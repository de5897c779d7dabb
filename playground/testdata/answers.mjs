// Asks the oracle under node: node answers.mjs WASM_EXEC.JS TOUCHSTONE.WASM
// reads documents from standard input, a line of hexadecimal digits each, and
// writes a line of JSON for each.
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

const [script, program] = process.argv.slice(2);
runInThisContext(readFileSync(script, "utf8"), script);
const go = new globalThis.Go();
const { instance } = await WebAssembly.instantiate(readFileSync(program), go.importObject);
go.run(instance).then(() => process.exit(3));

for await (const line of createInterface({ input: process.stdin })) {
  const bytes = new Uint8Array(Buffer.from(line, "hex"));
  const text = await globalThis.touchstone.explain(bytes, { peers: true, format: "json" });
  await new Promise((written) => process.stdout.write(text, written));
}
process.exit(0);
