// How the page reaches the oracle: in a worker of its own, which is replaced if
// a document keeps it too long or ends it.

const patience = 10_000; // milliseconds for one document

// A Worker with its questions as promises.
class Oracle {
  constructor() {
    this.worker = new Worker("worker.js");
    this.ready = this.next("ready");
    this.ready.catch(() => {}); // told to who asks
  }

  // next waits for a message of a kind; any other that ends the wait is an error.
  next(kind, limit) {
    return new Promise((resolve, reject) => {
      const stop = new AbortController();
      const settle = (settled, value) => {
        stop.abort();
        clearTimeout(timer);
        settled(value);
      };
      const timer = limit && setTimeout(() => settle(reject, new Ended(`no answer within ${limit / 1000} seconds`)), limit);
      this.worker.addEventListener("message", ({ data }) => {
        if (kind in data) settle(resolve, data[kind]);
        else if ("ended" in data) settle(reject, new Ended(data.ended));
        else if ("problem" in data) settle(reject, new Error(data.problem));
      }, { signal: stop.signal });
      this.worker.addEventListener("error", (event) => settle(reject, new Ended(event.message ?? "the worker does not load")), { signal: stop.signal });
    });
  }

  async ask(bytes, options) {
    await this.ready;
    const answer = this.next("text", patience);
    this.worker.postMessage({ bytes, options });
    return answer;
  }
}

// Ended says that the worker is of no more use.
class Ended extends Error {}

let oracle = new Oracle();

function replace() {
  oracle.worker.terminate();
  oracle = new Oracle();
}

const alone = `<p class="problem warn">Implementations were asked, and one of them did not come back in this page. Here are the verdicts alone; the command asks each in a process of its own.</p>`;

// explain gives the results for a document: as HTML, or as JSON if the options
// say so. A problem is thrown, in words for people.
export async function explain(bytes, options) {
  for (const [peers, note] of [[true, ""], [false, options.format === "json" ? "" : alone]]) {
    try {
      return note + (await oracle.ask(bytes, { ...options, peers }));
    } catch (problem) {
      if (!(problem instanceof Ended)) throw problem;
      const started = await oracle.ready.then(() => true, () => false);
      replace();
      if (!started) throw new Error(`The oracle does not start: ${problem.message}. Are all files of the playground there, served over HTTP?`);
    }
  }
  throw new Error("The oracle gives no answer to this document in a page: use the command.");
}
