// The telephone that the latest return of a nonprofit has. Only `/nonprofits/standing` tells it, one EIN at a time, so it is
// asked of those alone of which a return is loaded, and of so many of a list at most.
import { ask } from "./api.js";
import { telephone } from "./format.js";

/** Nonprofits of one list whose telephone is asked for. */
export const PHONES_MAX = 50;
const IN_FLIGHT_MAX = 4;

/** A member of the details that is there only where a return is loaded. */
export const OF_RETURN = "irsFilingUrl";

const asked = new Map();
const waiting = [];
let inFlight = 0;

function next() {
  if (inFlight >= IN_FLIGHT_MAX || !waiting.length) return;
  inFlight += 1;
  waiting.shift()().finally(() => { inFlight -= 1; next(); });
}

/** The telephone as people write it; null where none is known, or it cannot be had. */
export function phoneOf(details) {
  if (!details?.[OF_RETURN]) return Promise.resolve(null);
  const { ein } = details;
  if (!asked.has(ein)) {
    asked.set(ein, new Promise((resolve) => {
      waiting.push(() => ask(`/nonprofits/standing/${ein}`).then(({ body }) => resolve(body.phone && telephone(body.phone)), () => {
        asked.delete(ein);
        resolve(null);
      }));
      next();
    }));
  }
  return asked.get(ein);
}
