// What a search found: the sentence of what was understood, its filters as chips, the list or the
// map, and the pages. Draws an answer of the beta search; asks only for what comes later, the map and names.
import { everything, reach } from "./answers.js";
import { ask } from "./api.js";
import { detailsOf } from "./batch.js";
import { countiesNamed, rest, uncoded, wholeCause } from "./beyond_list.js";
import { isOfAssets } from "./card.js";
import { h } from "./dom.js";
import { address, chips, request, sizeName } from "./filters.js";
import { MAJORS, count, plural, short } from "./format.js";
import { OF_GIFTS, nondeductible } from "./gifts.js";
import { terms } from "./highlight.js";
import { headline, otherwise, ownWords, person, places, question, suggested } from "./hints.js";
import { gapFirst, gapNote, leftOut, orderNote } from "./known.js";
import { withLinks } from "./links.js";
import { each, ways } from "./loosen.js";
import { printed } from "./printed.js";
import { bears, fits, milesFrom } from "./result.js";
import { rows } from "./result_rows.js";
import { aborted, empty, loading } from "./states.js";
import { SIZE, pages, toolbar } from "./toolbar.js";

/** Nonprofits that a map of very many knows by name. */
const NAMED_ON_MAP = 100;
const BEFORE_A_PLACE = /\b(?:in|near|around|from|at)\s+$/i;
const JOINED_BEFORE = /\b(?:and|or)\s+$/i;
const JOINED_AFTER = /^\s*(?:and|or)\b/i;
const EIN_ALONE = /^\s*(?:ein:?\s*)?\d{2}-?\d{7}\s*$/i;
/** Too few digits for an EIN; five are as a rule a ZIP code. */
const SHORT_NUMBER = /^\s*(?:ein:?\s*)?(?:\d{2}-?\d{3,6}|\d{5,8})\s*$/i;
const NEAR_ME = /\bnear me\b/i;

/** `q` without the parts at these positions (code points), and without what then hangs loose. */
export function cut(q, spans) {
  const letters = [...q];
  for (const { start, end } of spans) {
    const before = letters.slice(0, start).join("");
    const after = JOINED_AFTER.exec(letters.slice(end).join(""));
    const loose = JOINED_BEFORE.exec(before) ?? (after ? null : BEFORE_A_PLACE.exec(before));
    letters.fill(" ", start - [...(loose?.[0] ?? "")].length, end + (loose ? 0 : [...(after?.[0] ?? "")].length));
  }
  return letters.join("").replace(/\s+/g, " ").replace(/\s+([,.;:?!])/g, "$1").replace(/,(?=,)/g, "")
    .replace(/^(?:[\s,.;:]|(?:and|or|but)\b)+/i, "").replace(/(?:[\s,.;:]|\b(?:and|or|with|in|but))+$/i, "").trim();
}

/** What a part of the query was understood as, in words; a class of size that the search leaves out is said to be left out. */
function chipLabel(meaning, { org_size: sizes }, titles) {
  const [, size] = /^size (.+)$/.exec(meaning) ?? [];
  if (size) return `${sizes && !sizes.includes(size) ? "not " : ""}size ${sizeName(size)}`;
  return meaning.replace(/^the nonprofit (.+)$/, "named “$1”").replace(/\bNTEE ([A-Z]\d*)\b/, (whole, code) => (titles.has(code) ? `${titles.get(code)} (${code})` : MAJORS[code] ?? whole));
}

/** The filters taken from `q`, each once however often it is said, with the search without it. */
function understood(filters, intent, titles) {
  const spans = intent.llm_response?.arguments?.spans ?? [];
  const meanings = Map.groupBy(spans, (span) => span.meaning);
  return [...meanings].map(([meaning, its]) => ({
    label: chipLabel(meaning, intent, titles),
    from: its.map((span) => `“${span.text}”`).join(" and "),
    unsure: its.every((span) => span.confidence < 0.5),
    // What the language model takes the whole query for is undone by not asking it.
    without: address(filters, meaning.endsWith(" by similarity") ? { model: undefined } : { q: cut(filters.q ?? "", its) }),
  }));
}

function chipList(label, all) {
  if (!all.length) return null;
  return h("div", { class: "chip-row" }, h("span", { class: "muted small" }, label),
    h("ul", { class: "chips", "aria-label": label }, all.map((one) => h("li", null,
      h("a", { class: "chip", href: one.without, title: one.from ? `From ${one.from}. Remove it.` : "Remove", "aria-label": `Remove: ${one.label}` },
        one.label, one.unsure ? h("span", { class: "muted" }, "?") : null, h("span", { class: "cross", "aria-hidden": "true" }, "×"))))));
}

/** The parts of a query that were read as a name. */
const nameSpans = (intent) => (intent.llm_response?.arguments?.spans ?? []).filter(({ meaning }) => meaning.startsWith("the nonprofit "));

/** The words that a query leaves when what was understood as filters is taken out of it. */
function wordsOf(filters, intent) {
  const { cause, spans = [] } = intent.llm_response?.arguments ?? {};
  const names = nameSpans(intent);
  return terms(names.length ? names.map(({ text }) => text).join(" ") : cause ?? cut(filters.q ?? "", spans));
}

/** Where none of the rows does what the words ask for: says so, and leads to the search without one of the filters. */
function none(nonprofits, fit, asked, wider, signal) {
  const anybody = fit > 0 || nonprofits.some((one) => fits(one, asked));
  if (anybody || !asked.words.length || !wider.length || !nonprofits.length) return null;
  return h("p", { class: "none-here", role: "note" }, "None of these is clearly what you asked for. Widen the search by dropping: ",
    each(ways(wider, ({ label }) => label, signal)), ".");
}

function nothing(filters, chipsOfAll, matches, page, { gap, signal }) {
  if (matches > 0) {
    return empty(`Page ${count(page)} is past the end of the results.`, h("a", { href: address(filters, { page: undefined }) }, "Go to the first page"));
  }
  if (EIN_ALONE.test(filters.q ?? "")) {
    const reason = h("div", { class: "absent-ein" });
    import("./ein.js").then(({ missing }) => missing(filters.q.replace(/\D/g, ""), signal)).then((told) => reason.replaceChildren(...told), () => {});
    return [empty(`No nonprofit here has the EIN ${filters.q.replace(/\D/g, "").replace(/^(..)/, "$1-")}.`), reason];
  }
  return empty(gap ?? "No nonprofit meets all of these conditions.", chipsOfAll.length
    ? ["Search again without one of these:", h("ul", null, ways(chipsOfAll, ({ label }) => `Without: ${label}`, signal).map((way) => h("li", null, way)))]
    : "Try other words, or fewer of them.");
}

/**
 * The map of all that were found, drawn when they have come; the list of this page stands below it either way. Of more than
 * a list holds the server tells how many are at each point, and the first are known by name.
 */
function mapOf(nonprofits, total, filters, context) {
  const holder = h("div", { class: "map-holder" }, loading("Loading the map…", 1));
  const onMap = total > reach(total) ? tallied(filters, context.signal)
    : total > nonprofits.length ? everything(request(filters), total, context.signal).then((found) => ({ found })) : { found: nonprofits };
  const listAround = ({ latitude, longitude, miles }) => address(filters, { latitude, longitude, location_range: String(miles), around: undefined, show: undefined });
  Promise.all([import("./map.js"), onMap]).then(([{ map }, { found, tallies }]) => {
    holder.replaceChildren(map(found, { onPick: (ein) => context.go(`#/nonprofit/${ein}`), total, tallies, listAround }));
  }).catch((error) => {
    if (!aborted(error)) holder.replaceChildren(empty("The map cannot be shown.", "The list below has the nonprofits of this page."));
  });
  return holder;
}

/** How many of all that are found are at each point, and the first of them. */
async function tallied(filters, signal) {
  const { body } = await ask("/beta/nonprofits/search", { ...request(filters), page: 1, size: NAMED_ON_MAP, facets: "point" }, { signal });
  const tallies = body.facets.point.filter(({ value }) => value !== null).map(({ value, count: many }) => {
    const [lat, lng] = value.split(",").map(Number);
    return { lat, lng, count: many };
  });
  return { found: body.nonprofits, tallies };
}

/** Values that a search may be narrowed or sorted by and does not list: filters and orders, the member of the batch, its words. */
const TOLD = [
  [["min_assets", "max_assets", "assets"], "assets", (value) => `${short(value)} assets`],
  [["min_ruling_year", "max_ruling_year", "ruling_year"], "irsRulingDate", (value) => `exempt since ${String(value).slice(0, 4)}`],
  [["county"], "county", (value) => countiesNamed(value)],
];

/**
 * Writes into the rows the values by which the search was narrowed or sorted, the assets of those whose revenue the
 * lists do not tell, and to whom gifts are not deductible; they come when they are there.
 */
function tellAsked(list, filters, nonprofits, signal) {
  const orders = (filters.sort ?? []).map((one) => one.replace("-", ""));
  const told = TOLD.filter(([names]) => names.some((name) => filters[name] !== undefined || orders.includes(name)));
  const silent = new Set(nonprofits.filter(isOfAssets).map(({ ein }) => ein));
  const eins = nonprofits.map(({ ein }) => ein);
  const wanted = [...new Set([...told.map(([, field]) => field), ...(silent.size ? ["assets"] : []), ...OF_GIFTS])];
  detailsOf(eins, wanted, signal).then((details) => {
    for (const row of list.querySelectorAll(".result")) {
      const one = details.get(row.dataset.ein);
      const parts = told.filter(([, field]) => one?.[field] !== null && one?.[field] !== undefined).map(([, field, say]) => say(one[field]));
      row.querySelector(".result-facts").append(nondeductible(one));
      if (parts.length) row.querySelector(".result-figures").prepend(h("span", { class: "revenue" }, parts.join(", ")));
      const isTold = told.some(([, field]) => field === "assets");
      if (silent.has(row.dataset.ein) && one?.assets > 0 && !isTold) {
        row.querySelector(".revenue.muted").replaceWith(h("span", { class: "revenue" }, h("strong", null, short(one.assets)), h("span", { class: "muted" }, " assets")));
      }
    }
  }, () => {});
  return list;
}

/**
 * The answer of the beta search as elements.
 * @param {object} filters as `read` gives them
 * @param {{body: object, fit: number|null, nearby: number, nearbyFit: number, matches: number|null, unlisted: number, byWords: boolean}} answer
 * @param {object} context of the view: `go`; `stay`, which goes where the focus is kept; `locate`, which asks the device
 *   where it is; `titles` of NTEE codes
 */
export function results(filters, { body, fit: fitHere, nearby, nearbyFit, matches, unlisted, byWords }, context) {
  const { nonprofits, intentDetails: intent } = body;
  // Who helps somebody in danger stands above all else; the message begins with it.
  const help = intent.llm_response?.arguments?.help ?? "";
  const message = ownWords((intent.llm_response?.message ?? "").slice(help.length).trim(), filters);
  // Rows that are sorted by a column do not begin with those that fit.
  const fit = intent.llm_response?.arguments?.sorted_by || fitHere === null ? null : fitHere + nearbyFit;
  const size = Number(filters.size ?? SIZE);
  const page = Number(filters.page ?? 1);
  // An order other than by fit lists only those that fit, fewer than match: a page that is not full
  // is then the last.
  const ends = nonprofits.length > 0 && nonprofits.length < size;
  // A name ranks all there are: how many that is says nothing of it.
  const isName = nameSpans(intent).length > 0;
  const known = matches !== null && !isName && !(ends && page * size < matches);
  const last = known ? Math.max(1, Math.ceil(matches / size)) : page + (nonprofits.length === size ? 1 : 0);
  const first = (page - 1) * size + 1;
  const fitting = fit > 0 && fit < matches ? `, ${fit === 1 ? "the first fits" : `the first ${count(fit)} fit`} best` : "";
  const said = nonprofits.length
    ? `${nonprofits.length === 1 ? "" : `${count(first)} to `}${count(first + nonprofits.length - 1)}${known ? ` of ${count(matches)}${fitting}` : isName && nonprofits.length > 1 ? ", closest names first" : ""}` : "";
  const taken = understood(filters, intent, context.titles);
  const explicit = chips(filters);
  const words = wordsOf(filters, intent);
  const asked = { words, titles: context.titles, codes: intent.ntee_codes ?? [], miles: milesFrom(intent.city ?? filters.city, nonprofits) };
  const gap = leftOut(filters, intent, message);
  const unsaid = gap && gapNote(gap, filters, intent, [...taken, ...explicit], { isEmpty: nonprofits.length === 0, signal: context.signal });
  const helpLine = help && h("p", { class: "help-line", role: "note" }, withLinks(help));
  // Without a place, rows that share a word with a cry for help would mock it.
  if (helpLine && fit === 0 && !(intent.city ?? intent.state ?? intent.zip)) return [helpLine];
  return [
    helpLine,
    headline(message, nonprofits.length > 0, matches),
    nonprofits.length > 0 && page === 1 && unsaid,
    otherwise(filters, intent.llm_response?.arguments?.did_you_mean),
    places(filters, intent.llm_response?.arguments?.unknown_places),
    isName && page === 1 && filters.q && !nonprofits.some((one) => bears(one, words)) && suggested(filters.q, nonprofits, context.signal),
    question(intent.llm_response?.arguments?.question, intent, nonprofits, context.signal),
    !help && (isName || taken.length === 0) && explicit.length === 0 && page === 1 && person(filters.q, words, nonprofits),
    SHORT_NUMBER.test(filters.q ?? "") && !intent.zip ? h("p", { class: "did-you-mean short-ein" }, `An EIN has nine digits; this number has ${filters.q.replace(/\D/g, "").length}.`) : null,
    NEAR_ME.test(filters.q ?? "") && !filters.latitude ? h("p", { class: "did-you-mean" },
      h("button", { type: "button", class: "button small", onclick: context.locate }, "Use this device’s location")) : null,
    chipList("Understood", taken),
    chipList("Filters", explicit),
    page === 1 && !isName && byWords && none(nonprofits, fit + nearby, asked, explicit.length ? explicit : taken, context.signal),
    nonprofits.length ? printed(`${said}.`) : null,
    nonprofits.length ? toolbar(filters, context, said, { shown: nonprofits, total: known ? matches : null, hasMore: last > 1, understood: message }) : null,
    nonprofits.length ? orderNote(filters, known ? matches : null, context.signal) : null,
    page === 1 && !isName && nonprofits.length > 0 && wholeCause(filters, intent, context.titles, context.signal),
    page === 1 && uncoded(filters, context.signal),
    filters.show === "map" && nonprofits.length ? mapOf(nonprofits, known ? matches : 0, filters, context) : null,
    nonprofits.length ? tellAsked(h("ol", { class: "results plain", start: first },
      rows(nonprofits, first, { ...asked, fit, fitHere, outside: new Set(intent.llm_response?.arguments?.outside_place), isName, filtered: taken.length + explicit.length > 0 })), filters, nonprofits, context.signal) : nothing(filters, gapFirst([...taken, ...explicit], gap), matches, page, { gap: unsaid, signal: context.signal }),
    pages(page, last, (to) => address(filters, { page: to })),
    nonprofits.length && page >= last ? rest(filters, intent, unlisted, matches - nearby) : null,
  ];
}

/** What the live region says of an answer. */
export function summary({ body, matches }) {
  const shown = plural(body.nonprofits.length, "nonprofit", "nonprofits");
  if (nameSpans(body.intentDetails).length) return `${shown} on this page`;
  return matches === null ? shown : `${plural(matches, "nonprofit", "nonprofits")} found`;
}
