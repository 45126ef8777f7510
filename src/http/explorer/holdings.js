// What this server holds, by its coverage: asked once for the whole page. Knows of which states a file is
// loaded, and of which there are only strays of other files.
import { ask } from "./api.js";

/** A state's file has more; fewer are strays, unless no state has as many. */
const FILE_MIN = 1000;

let asked = null;

/** The answer of `/coverage`; whoever leaves a view takes it from no other. */
export function holdings() {
  asked ??= ask("/coverage").then(({ body }) => body);
  asked.catch(() => { asked = null; });
  return asked;
}

/** The states of which the file is loaded, and the others, each `{state, organizations}`, the largest first. */
export function statesOf({ states, lists }) {
  const files = lists.flatMap((list) => list.files.map(({ file }) => /^eo_([a-z]{2})\.csv$/.exec(file)?.[1].toUpperCase()));
  const ordered = [...states].sort((one, other) => other.organizations - one.organizations);
  const small = !ordered.some(({ organizations }) => organizations >= FILE_MIN);
  const isLoaded = ({ state, organizations }) => small || organizations >= FILE_MIN || files.includes(state);
  return { loaded: ordered.filter(isLoaded), strays: ordered.filter((one) => !isLoaded(one)) };
}

/** Which share of the organizations each value is known of, by its name. */
export const sharesOf = ({ fields }) => new Map(fields.map(({ field, share }) => [field, share]));
