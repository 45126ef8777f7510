// Of how many nonprofits a figure is known: which orders are worth offering, and what is said where a search sorts or
// narrows by a figure that hardly any of them has.
import { ask } from "./api.js";
import { placeOf } from "./beyond_list.js";
import { FIGURES } from "./declared.js";
import { h, nodes } from "./dom.js";
import { request } from "./filters.js";
import { count, plural } from "./format.js";
import { holdings, sharesOf } from "./holdings.js";
import { each, ways } from "./loosen.js";

const PATH = "/beta/nonprofits/search";
/** A figure that fewer have is of little use to search or to sort by. */
export const SHARE_MIN = 0.01;
/** What coverage calls a figure, where that differs. */
const KNOWN_AS = { ruling_year: "ruling" };
const NOUNS = {
  revenue: "revenue figures", expenses: "expense figures", assets: "asset figures", employees: "employee counts",
  score: "scores", rating: "ratings", ruling_year: "ruling dates",
};
/** The server's clause of those that a filter by a figure leaves out. */
const LEFT_OUT = /([\d,]+) more (?:is|are) left out because a value is not known/;

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** The share of nonprofits of which a figure is known; undefined for what is no figure. */
export const shareOf = (shares, name) => (NOUNS[name] ? shares.get(KNOWN_AS[name] ?? name) : undefined);

/** Takes the orders by figures that nobody has out of a list of choices, and says of which few have one; what is chosen stays. */
export function offerOrders(select, shares) {
  for (const option of [...select.options]) {
    const share = shareOf(shares, option.value.replace("-", ""));
    if (share === 0 && !option.selected) option.remove();
    else if (share < SHARE_MIN) option.textContent = `${option.textContent.replace(/ \(known for .*\)$/, "")} (known for ${share === 0 ? "none" : "few"})`;
  }
}

/** Of how many of the rows the figure is known that they are sorted by, where hardly any nonprofit has it. */
export function orderNote(filters, total, signal) {
  const by = filters.sort?.[0]?.replace("-", "");
  const line = h("p", { class: "small muted order-note", hidden: true });
  if (!NOUNS[by]) return null;
  rarely(by).then(async (isRare) => {
    if (!isRare) return;
    const { matches } = await ask(PATH, { ...request(filters), [`min_${by}`]: filters[`min_${by}`] ?? "0", sort: undefined, page: 1, size: 1 }, { signal });
    const these = total === null ? "these" : `these ${count(total)}`;
    line.textContent = matches ? `${capital(NOUNS[by])} are known for only ${count(matches)} of ${these}; the others come last.`
      : `No ${NOUNS[by]} are known for ${these}, so sorting by them changes nothing.`;
    line.hidden = false;
  }, () => {}).catch(() => {});
  return line;
}

const rarely = async (name) => shareOf(sharesOf(await holdings()), name) < SHARE_MIN;

/** What a search by figures leaves out as they are not known: `{ many, names }`, the figures; null where it leaves nobody out. */
export function leftOut(filters, intent, message) {
  const [, many] = LEFT_OUT.exec(message) ?? [];
  const told = { ...intent.llm_response?.arguments, ...filters };
  const names = FIGURES.map(({ name }) => name).filter((name) => [`min_${name}`, `max_${name}`].some((bound) => (told[bound] ?? null) !== null));
  return many && names.length > 0 ? { many, names } : null;
}

/**
 * That hardly any values are loaded by which a search narrows, with the search without them.
 * @param {{many: string, names: string[]}} gap as `leftOut` gives it
 * @param {Array<{label: string, without: string}>} all filters as chips
 * @param {{isEmpty: boolean, signal: AbortSignal}} options of a list with rows it is said only of a figure that hardly any has
 */
export function gapNote(gap, filters, intent, all, { isEmpty, signal }) {
  const line = h(isEmpty ? "span" : "p", { class: "gap", hidden: !isEmpty }, isEmpty && "No nonprofit meets all of these conditions.");
  const { where, ...place } = placeOf(filters, intent);
  const inPlace = where ? ` ${where}` : "";
  const tell = async (name) => {
    const isRare = await rarely(name);
    if (!isEmpty && !isRare) return null;
    const { matches } = await ask(PATH, { ...place, [`min_${name}`]: "0", size: 1 }, { signal });
    if (matches > 0 && !isRare) return null;
    return matches ? `${capital(NOUNS[name])} are loaded for only ${plural(matches, "nonprofit", "nonprofits")}${inPlace}; ${gap.many} more are left out because theirs are not known.`
      : `No ${NOUNS[name]} are loaded${where ? ` for ${where.slice(3)}` : ""}, so nothing there can be narrowed by them.`;
  };
  Promise.all(gap.names.map(tell)).then((told) => {
    const sentences = told.filter(Boolean);
    if (sentences.length === 0) return;
    const without = isEmpty ? [] : all.filter((one) => isOf(one, gap));
    line.replaceChildren(...nodes([sentences.join(" "), without.length > 0 && [" Search without: ", each(ways(without, ({ label }) => label, signal)), "."]]));
    line.hidden = false;
    // The sentence above says that nothing matches, and has why in a fold.
    if (isEmpty) line.closest(".search-area")?.querySelectorAll(".lead, .counted-how").forEach((one) => one.remove());
  }, () => {});
  return line;
}

/** Chips in the order in which they are offered to be taken away: those of figures that are not known come first. */
export const gapFirst = (all, gap) => (gap ? all.toSorted((one, other) => isOf(other, gap) - isOf(one, gap)) : all);

/** Whether a chip is of one of the figures, as the panel or as the server calls it. */
function isOf({ label }, { names }) {
  const titles = FIGURES.filter(({ name }) => names.includes(name)).flatMap(({ name, title }) => [name.replace("_", " "), title.toLowerCase()]);
  return titles.some((title) => label.toLowerCase().startsWith(title));
}
