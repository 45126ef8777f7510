// The telephone that the latest return of a nonprofit has. Only `/nonprofits/standing` tells it, one EIN at a time, so it is
// asked of those alone of which a return is loaded, and of so many of a list at most.
import { standingOf } from "./checked.js";
import { telephone } from "./format.js";

/** Nonprofits of one list whose telephone is asked for. */
export const PHONES_MAX = 50;

/** A member of the details that is there only where a return is loaded. */
export const OF_RETURN = "irsFilingUrl";

/** The telephone as people write it; null where none is known, or it cannot be had. */
export async function phoneOf(details) {
  if (!details?.[OF_RETURN]) return null;
  const body = await standingOf(details.ein).catch(() => null);
  return body?.phone ? telephone(body.phone) : null;
}
