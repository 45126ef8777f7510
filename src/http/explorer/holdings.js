// What this server holds, by its coverage: asked once for the whole page. Knows of which states a file is
// loaded, and of which there are only strays of other files.
import { ask } from "./api.js";
import { STATES } from "./filters.js";
import { month, plural } from "./format.js";

/** The fifty and the District of Columbia: a server with so many lists has them all. */
const STATES_ALL = 51;
/** Fewest organizations of a place that counts as one with a list of its own, as where the server tells their number. */
const PLACE_MIN = 1000;

let asked = null;

/** The answer of `/coverage`; whoever leaves a view takes it from no other. */
export function holdings() {
  asked ??= ask("/coverage").then(({ body }) => body);
  asked.catch(() => { asked = null; });
  return asked;
}

/**
 * The states and territories that the loaded master file covers, and those of which only other lists or returns name some,
 * each `{state, organizations}`, the largest first. A snapshot without a master file covers what it has.
 */
export function statesOf({ states }) {
  const ordered = [...states].sort((one, other) => other.organizations - one.organizations);
  const isWithout = ordered.every(({ in_master_file: listed }) => !listed);
  const isLoaded = ({ in_master_file: listed }) => isWithout || listed > 0;
  return { loaded: ordered.filter(isLoaded), strays: ordered.filter((one) => !isLoaded(one)) };
}

/**
 * How many states and territories have a loaded list of their own: the number that the server tells too. Small islands and
 * military addresses are in one file with those abroad and do not count. A snapshot of little counts what it has.
 */
export function placesLoaded({ states }) {
  const listed = states.filter(({ in_master_file: many }) => many > 0);
  const large = listed.filter(({ in_master_file: many }) => many >= PLACE_MIN);
  return (large.length > 0 ? large : listed).length;
}

/** Codes of the states and territories whose own list is loaded; null where no master file is, which covers what it has. */
export function listedStates({ states }) {
  const listed = states.filter(({ in_master_file: many }) => many > 0).map(({ state }) => state);
  return listed.length > 0 && listed.length < STATES_ALL ? new Set(listed) : null;
}

const byStateName = new Map(Object.entries(STATES).map(([code, name]) => [name.toLowerCase(), code]));

/** The code of a state or territory, written as its code or its name; undefined for anything else. */
export function stateCode(text = "") {
  const plain = text.trim().replace(/\s+/g, " ");
  const code = plain.replaceAll(".", "").toUpperCase();
  return STATES[code] ? code : byStateName.get(plain.toLowerCase());
}

/** The name of a state that is not among those listed, of which nothing may be known; null for any other. */
export function unlistedState(text, listed) {
  const code = stateCode(text);
  return listed && code && !listed.has(code) ? STATES[code] : null;
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

/** Why an EIN may not be here; none of the reasons is likelier than that nobody has it. */
export async function whyAbsent() {
  const known = await holdings().catch(() => null);
  const loaded = known ? placesLoaded(known) : 0;
  const other = "newer than this data, may have lost its exemption, or may not exist";
  return loaded > 0 && loaded < STATES_ALL
    ? `It cannot be confirmed here. Only the lists of ${plural(loaded, "state or territory", "states and territories")} are loaded, so it may be registered elsewhere; it may also be ${other}.`
    : `It cannot be confirmed here: it may be ${other}.`;
}

/** Where to look up an EIN that is not here. */
export const IRS_SEARCH = "https://apps.irs.gov/app/eos/";
