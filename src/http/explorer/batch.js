// Details of many nonprofits by one request, in pieces that the server takes.
import { ask } from "./api.js";

/** EINs of one request. */
export const BATCH = 500;

/**
 * Details of many.
 * @param {string[]} eins
 * @param {string[]} fields of the details
 * @returns {Promise<Map<string, object|null>>} by EIN; null for one that is not in the data
 */
export async function detailsOf(eins, fields, signal) {
  const found = new Map();
  for (let at = 0; at < eins.length; at += BATCH) {
    const some = eins.slice(at, at + BATCH);
    const { body } = await ask("/nonprofits/batch", {}, { signal, body: { eins: some, fields } });
    some.forEach((ein, index) => found.set(ein, body[index]));
  }
  return found;
}

/** The requests of `detailsOf`, as `call` takes them. */
export function requestsOf(eins, fields) {
  const starts = Array.from({ length: Math.ceil(eins.length / BATCH) }, (_, at) => at * BATCH);
  return starts.map((at) => ["/nonprofits/batch", {}, { body: { eins: eins.slice(at, at + BATCH), fields } }]);
}
