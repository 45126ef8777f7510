// Ways out of a search that finds nothing, or nothing that does what its words ask for: the same search without one of
// its filters, each with the number of rows that it would give.
import { ask } from "./api.js";
import { h } from "./dom.js";
import { read, request } from "./filters.js";
import { count } from "./format.js";

const PATH = "/beta/nonprofits/search";
/** Ways that are counted: each is a search. */
const COUNTED_MAX = 8;

/**
 * Links to wider searches, whose numbers come when they are there.
 * @param {Array<{label: string, without: string}>} all filters as chips, each with the address of the search without it
 * @param {(way: {label: string}) => string} say what a link is called
 * @param {AbortSignal} signal
 * @returns {Element[]} one a way, in their order
 */
export function ways(all, say, signal) {
  return all.map((way, at) => {
    const number = h("span", { class: "count" });
    const element = h("span", { class: "way" }, h("a", { href: way.without }, say(way)), number);
    if (at < COUNTED_MAX) {
      rowsOf(way.without, signal).then((rows) => {
        if (rows === 0) withdraw(element);
        else number.textContent = rows === null ? "" : ` (${count(rows)})`;
      }, () => {});
    }
    return element;
  });
}

/** Ways in one line, with commas between them. */
export const each = (all) => h("span", {}, all.map((way, at) => h("span", { class: "one-way" }, at > 0 && ", ", way)));

/** Takes back a way that would find nothing, and what led up to it where it was the only one. */
function withdraw(way) {
  const item = way.closest(".one-way, li");
  if (!item) return void way.closest("p")?.setAttribute("hidden", "");
  const all = item.parentElement;
  item.remove();
  if (!all.childElementCount) all.parentElement.hidden = true;
  const [first] = all.children;
  if (first?.matches(".one-way") && first.childNodes.length > 1) first.firstChild.remove();
}

/** How many rows the search of an address gives; null where that is not known, as of a name, which ranks all there are. */
async function rowsOf(address, signal) {
  const filters = read(new URLSearchParams(address.split("?")[1] ?? ""));
  const { body, matches } = await ask(PATH, { ...request(filters), page: 1, size: 1 }, { signal });
  return body.intentDetails.organization_name ? null : matches;
}
