// Runs steps, each on a page of its own, and reports them. What they do is theirs (steps/).
import { availableParallelism } from "node:os";
import { is } from "./browser.mjs";

/** While one page waits for the server another one draws. */
const SIDE_BY_SIDE = Math.min(4, Math.max(3, availableParallelism()));

/**
 * Runs one step on a page of its own.
 * @returns {Promise<{name: string, milliseconds: number, note?: string, failure?: string}>}
 */
export async function run(step, browser, found) {
  const started = performance.now();
  const visit = await browser.visit({ allows: step.allows ?? [], ...step.visit });
  const result = { name: step.name };
  try {
    result.note = await step.run(visit, found);
    is("complaints of the browser", visit.complaints(), []);
  } catch (error) {
    result.failure = error.message;
    const complaints = visit.complaints();
    if (complaints.length && !error.message.startsWith("complaints")) result.failure += `\n     besides: ${complaints.join("\n     ")}`;
    if (browser.shots) await visit.shot(`${browser.shots}/failed-${step.name.replace(/\W+/g, "-")}.png`).catch(() => {});
  }
  await visit.close();
  return { ...result, milliseconds: Math.round(performance.now() - started) };
}

export function report({ name, milliseconds, note, failure }) {
  console.log(`${failure ? "FAIL" : "ok  "} ${name} (${(milliseconds / 1000).toFixed(1)} s)${note ? `: ${note}` : ""}`);
  if (failure) console.log(`     ${failure.split("\n").join("\n     ")}`);
}

/** Does the work for each item, in order, some at the same time. */
export async function sideBySide(items, work) {
  const waiting = [...items];
  const worker = async () => {
    while (waiting.length) await work(waiting.shift());
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
}
