// What the lists say of a nonprofit: answers of `/nonprofits/standing`, which tells of one EIN at a time. Each is asked for
// once, a few at a time, again where the server is too busy.
import { ask } from "./api.js";
import { patiently } from "./matching.js";

const IN_FLIGHT_MAX = 4;

const asked = new Map();
const waiting = [];
let inFlight = 0;

function next() {
  if (inFlight >= IN_FLIGHT_MAX || !waiting.length) return;
  inFlight += 1;
  waiting.shift()().finally(() => { inFlight -= 1; next(); });
}

/** Who leaves the page leaves its requests to end: others may wait for the same answer. */
const never = new AbortController().signal;
const request = (ein) => patiently(() => ask(`/nonprofits/standing/${ein}`), never, () => {}).then(({ body }) => body);

/** The answer for an EIN that is in the data. */
export function standingOf(ein) {
  if (!asked.has(ein)) {
    asked.set(ein, new Promise((resolve, reject) => {
      waiting.push(() => request(ein).then(resolve, (error) => {
        asked.delete(ein);
        reject(error);
      }));
      next();
    }));
  }
  return asked.get(ein);
}

/**
 * The answers for many.
 * @returns {Promise<Map<string, object>>} by EIN
 * @throws the first failure, or an AbortError when `signal` says so
 */
export async function standingsOf(eins, signal) {
  const found = new Map();
  // In pieces, so that who leaves does not have all of them asked for.
  for (let at = 0; at < eins.length; at += IN_FLIGHT_MAX) {
    signal?.throwIfAborted();
    const some = eins.slice(at, at + IN_FLIGHT_MAX);
    const bodies = await Promise.all(some.map(standingOf));
    some.forEach((ein, index) => found.set(ein, bodies[index]));
  }
  return found;
}
