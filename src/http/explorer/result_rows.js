// The rows of a search in groups, each with a heading that is true of all of them: those that fit, those from around the
// place that was asked for, and those that hardly fit.
import { h } from "./dom.js";
import { sameName } from "./format.js";
import { bears, fits, result } from "./result.js";

const AROUND = "earby, or elsewhere in the state";

/**
 * The rows of a page as elements.
 * @param {object[]} nonprofits
 * @param {number} start number of the first row among all
 * @param {{words: string[], fit: number|null, fitHere: number, outside: Set<string>, isName: boolean, filtered: boolean}} asked
 *   `fit`: how many of all rows fit, which come first, and `fitHere` those of them in the place, null where that is not
 *   known; `outside`: EINs of rows of this page that are outside the place; with what `result` takes
 */
export function rows(nonprofits, start, asked) {
  const draw = (one) => result(one, asked, nonprofits.filter((other) => other !== one && sameName(other.name, one.name)).length);
  const heading = (text) => h("li", { class: "rest" }, text);
  const bearing = asked.isName ? nonprofits.findLastIndex((one) => bears(one, asked.words)) + 1 : 0;
  if (bearing) {
    const rest = nonprofits.slice(bearing).map(draw);
    return [...nonprofits.slice(0, bearing).map(draw), ...(rest.length ? [heading("No name below has all of these words."), ...rest] : [])];
  }
  const groups = Map.groupBy(nonprofits, (one) => groupOf(one, start + nonprofits.indexOf(one), asked));
  const texts = headings(asked);
  return Object.keys(texts).filter((name) => groups.has(name)).flatMap((name) => [...(texts[name] ? [heading(texts[name])] : []), ...groups.get(name).map(draw)]);
}

function groupOf(one, number, asked) {
  const isFitting = asked.fit === null || number <= asked.fit;
  if (asked.outside.has(one.ein)) return isFitting ? "around" : "faint";
  if (isFitting) return "fitting";
  return fits(one, asked) ? "alike" : "hardly";
}

/** In the order in which the groups stand. */
function headings({ fit, fitHere, filtered }) {
  const isPlain = fit === null;
  return {
    fitting: null,
    around: isPlain || fitHere ? `N${AROUND}:` : `No good match there. N${AROUND}:`,
    alike: fit ? "Possible matches by name, mission or code:" : "No clear match. Possible matches by name, mission or code:",
    hardly: `${fit ? "" : "Nothing matches well. "}These ${filtered ? "meet the filters but " : ""}barely match your words:`,
    faint: `Possible matches n${AROUND}:`,
  };
}
