// Starts touchstone serve for the tests of its page.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("../bin/touchstone", import.meta.url));

// serve starts the server on a free port; stop ends it and gives its status.
export async function serve(...flags) {
  const child = spawn(command, ["serve", "--listen", "127.0.0.1:0", ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const url = line.match(/http:\S+/)[0];
  const stop = async () => {
    child.kill("SIGTERM");
    return (await exited)[0];
  };
  return { url, stop };
}
