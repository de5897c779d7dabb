// The worker: it runs the oracle and answers one question at a time. Messages to
// it are {bytes, options}; messages from it {ready}, {text}, {problem} and
// {ended}, after which it is of no more use.
importScripts("wasm_exec.js");

async function load(imports) {
  const answer = await fetch("touchstone.wasm");
  if (!answer.ok) throw new Error(`touchstone.wasm: status ${answer.status}`);
  const compiles = (answer.headers.get("Content-Type") ?? "").startsWith("application/wasm");
  return compiles ? WebAssembly.instantiateStreaming(answer, imports) : WebAssembly.instantiate(await answer.arrayBuffer(), imports);
}

const ended = (why) => postMessage({ ended: String(why?.message ?? why) });
self.addEventListener("unhandledrejection", (event) => ended(event.reason));
self.addEventListener("error", (event) => ended(event.message));

async function run() {
  const go = new Go();
  const { instance } = await load(go.importObject);
  go.run(instance).then(() => ended("the oracle has ended"), ended);
  self.onmessage = async ({ data: { bytes, options } }) => {
    try {
      postMessage({ text: await touchstone.explain(bytes, options) });
    } catch (problem) {
      postMessage({ problem: problem.message });
    }
  };
  postMessage({ ready: true });
}
run().catch(ended);
