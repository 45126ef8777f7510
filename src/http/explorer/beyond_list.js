// What stands around a list of results and leads beyond it: all of the cause by its code, those without a code, and all
// that satisfy the filters.
import { ask } from "./api.js";
import { h } from "./dom.js";
import { STATES, address, byName, request } from "./filters.js";
import { MAJORS, count, plural } from "./format.js";
import { ways } from "./loosen.js";

/** A county, or several with commas, as they are called; who typed the kind is not told it twice. */
export const countiesNamed = (list) => (/,|\b(?:county|parish|borough|municipio|census area)\s*$/i.test(list) ? list : `${list} County`);

/** The filters that the words were understood as, as those of the panel; what no filter of the panel says is left out. */
function takenOf(intent) {
  const known = Object.entries(intent.llm_response?.arguments ?? {}).filter(([name, value]) => byName.has(name) && name !== "model" && name !== "ntee_codes" && value !== null);
  return Object.fromEntries(known.map(([name, value]) => [name, Array.isArray(value) ? value : String(value)]));
}

/** Where the words were read as a cause: all that satisfy the filters and have its code, however their names fit the words. */
export function wholeCause(filters, intent, titles, signal) {
  const { arguments: read = {} } = intent.llm_response ?? {};
  const [code] = intent.ntee_codes ?? [];
  if (!filters.q || !read.cause || !code || filters.ntee_codes || read.ntee_codes || read.any_of || read.not_in) return null;
  const title = titles.get(code) ?? MAJORS[code];
  if (!title) return null;
  const way = { without: address({ ...filters, q: undefined }, { ...takenOf(intent), ntee_codes: [code] }) };
  return h("p", { class: "whole-cause small" }, "These are ranked by the words. By NTEE code: ", ways([way], () => `all with ${title} (${code})`, signal), ".");
}

/** How many more satisfy the other filters and have no code on file, so that a filter by codes leaves them out. */
export function uncoded(filters, signal) {
  const line = h("p", { class: "uncoded small muted", hidden: true });
  if (!filters.ntee_codes) return null;
  const others = { ...filters, ntee_codes: undefined, page: undefined };
  ask("/beta/nonprofits/search", { ...request(others), size: 1, facets: "ntee_major" }, { signal }).then(({ body }) => {
    const many = body.facets.ntee_major.find(({ value }) => value === null)?.count ?? 0;
    if (!many) return;
    line.append(`${plural(many, "more has", "more have")} no NTEE code on file, so a list by code leaves them out, whatever their work.`);
    line.hidden = false;
  }, () => {});
  return line;
}

/** The place that a search is in, by the filters or the words: as filters, and `where` in words. */
export function placeOf(filters, intent) {
  const { state, city, county, zip_code } = { ...filters, ...takenOf(intent) };
  const where = [city, county && countiesNamed(county), STATES[state] ?? state].filter(Boolean).join(", ");
  return { state, city, county, zip_code, where: where ? `in ${where}` : "" };
}

/** Where a list ends that has only what fits the words: the way to all that satisfy the filters. */
export function rest(filters, intent, unlisted, listed) {
  if (!unlisted) return null;
  const taken = takenOf(intent);
  const { where } = placeOf(filters, intent);
  return h("p", { class: "rest-of-all" }, "That is all that clearly fits your words by name, code or mission; others may do it without saying so there. ",
    h("a", { href: address({ ...filters, q: undefined }, taken) }, `Show all ${count(listed + unlisted)}${where ? ` ${where}` : ""}`), ", whatever their cause.");
}
