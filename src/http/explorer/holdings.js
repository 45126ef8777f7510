// What this server holds, by its coverage: asked once for the whole page. Knows of which states a file is
// loaded, and of which there are only strays of other files.
import { ask } from "./api.js";
import { month, plural } from "./format.js";

/** A state's file has more; fewer are strays, unless no state has as many. */
const FILE_MIN = 1000;
/** The states with the District of Columbia: a server with so many lists has them all. */
const STATES_ALL = 51;

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

/** The date of a list's files, or from the oldest to the newest; that of the download where nothing tells their own. */
export function asOf(files) {
  const dates = files.map(({ date, downloaded }) => date ?? downloaded).filter(Boolean).sort().map(month);
  const [first, last] = [dates[0], dates.at(-1)];
  const unknown = files.every(({ date, dated_by: by }) => !date || by === "download");
  return `${unknown && first ? "downloaded " : ""}${first === last ? first ?? "" : `${first} to ${last}`}`;
}

/** Which share of the organizations each value is known of, by its name. */
export const sharesOf = ({ fields }) => new Map(fields.map(({ field, share }) => [field, share]));

/** The names of the counties of each state, by its code. */
export const countiesByState = ({ states }) => new Map(states.map(({ state, counties }) => [state, counties.map(({ county }) => county)]));

/** Why an EIN may not be here, the likeliest reason first. */
export async function whyAbsent() {
  const known = await holdings().catch(() => null);
  const loaded = known ? statesOf(known).loaded.length : 0;
  const other = "newer than the data, revoked, or never on the IRS's list of exempt organizations: before you give, look the EIN up in the IRS's Tax Exempt Organization Search, apps.irs.gov/app/eos";
  return loaded > 0 && loaded < STATES_ALL
    ? `Only the lists of ${plural(loaded, "state", "states")} are loaded here, so it may be of another. It may also be ${other}.`
    : `It may be ${other}.`;
}
