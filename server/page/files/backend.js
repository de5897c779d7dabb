// How the page reaches the oracle: by the server that sent it.

// explain gives the results for a document, as HTML. Options are profile, agent
// and tool. A problem is thrown, in words for people.
export async function explain(bytes, options) {
  let answer;
  try {
    answer = await fetch("results?" + new URLSearchParams(options), {
      method: "POST",
      headers: { "Content-Type": "application/octet-stream" },
      body: bytes,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
    });
  } catch {
    throw new Error("The server does not answer. Is touchstone serve still running?");
  }
  if (answer.ok) return answer.text();
  const problem = await answer.json().catch(() => ({}));
  throw new Error(problem.detail ?? `The server answers with status ${answer.status}.`);
}
