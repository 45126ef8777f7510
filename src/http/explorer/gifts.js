// That gifts to a nonprofit are not deductible, said alike in the rows of a search and on cards, which are drawn of what
// does not tell it.
import { detailsOf } from "./batch.js";

/** Members of the details that `nondeductible` reads. */
export const OF_GIFTS = ["exemption", "deductible"];

/** The section and that gifts are not deductible, behind a dot, as a line of facts ends; "" where they are, or nobody knows. */
export const nondeductible = (details) => (details?.deductible === false
  ? ` · ${[details.exemption, "gifts not deductible"].filter(Boolean).join(", ")}` : "");

/** What is known of each by EIN, and who is waiting to be asked for: all that are drawn in one go. */
const known = new Map();
let next = null;

function detailsOnce(ein) {
  if (known.has(ein)) return known.get(ein);
  next ??= { eins: [], all: new Promise((resolve) => { setTimeout(resolve); }).then(() => {
    const { eins } = next;
    next = null;
    return detailsOf(eins, OF_GIFTS).catch((error) => {
      for (const one of eins) known.delete(one);
      throw error;
    });
  }) };
  next.eins.push(ein);
  known.set(ein, next.all.then((details) => details.get(ein)));
  return known.get(ein);
}

/** Ends a line of facts with it, when it is known. */
export function tellGifts(facts, ein) {
  detailsOnce(ein).then((details) => facts.append(nondeductible(details)), () => {});
  return facts;
}
