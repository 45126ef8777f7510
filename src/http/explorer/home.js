// What the search view shows before anything is asked: what this server holds and from when, three
// ways in, causes and places with their counts.
import { ask } from "./api.js";
import { h } from "./dom.js";
import { STATES, address } from "./filters.js";
import { MAJORS, count, day, month, plural } from "./format.js";
import { aborted, empty, loading, problem } from "./states.js";

const EXAMPLES = [
  "food banks with revenue over $1 million",
  "animal shelters in Maine",
  "hospice care within 25 miles of Louisville",
  "foundations that fund scholarships",
];

const WAYS = [
  { title: "Look one up", href: "#/search", go: "Browse all, by filters",
    text: "Standing with the list and the date that say so, money over the years, programs, people, and where each figure is from." },
  { title: "Follow the money", href: "#/funders", go: "Who funds whom",
    text: "Grants that returns list, by purpose, place and amount: who made them, who received them, and who takes applications." },
  { title: "Match a list", href: "#/match", go: "Paste a spreadsheet",
    text: "Names and addresses of grantees, vendors or employers become EINs, with the evidence side by side. Nothing leaves this server." },
  { title: "Keep and compare", href: "#/lists", go: "Your lists",
    text: "Save organizations with notes, lay up to five side by side, export them, or share them by a link. Kept in this browser only." },
];

/** The greeting as elements; what the server holds is filled in when it is known. */
export function home(signal) {
  const standfirst = h("p", { class: "standfirst" }, "By name or EIN, or in plain words: a cause, a place, an amount.");
  const browse = h("div", { class: "browse" });
  const holds = h("div", null, loading("Asking what this server holds…", 2));
  const elements = [
    standfirst,
    h("ul", { class: "chips examples", "aria-label": "Examples" }, EXAMPLES.map((q) => h("li", null, h("a", { class: "chip", href: address({ q }) }, q)))),
    h("ul", { class: "ways plain" }, WAYS.map(({ title, text, href, go }) => h("li", null,
      h("h2", null, title), h("p", null, text), h("p", null, h("a", { href }, go))))),
    browse,
    h("section", { class: "holdings", "aria-labelledby": "holdings-title" }, h("h2", { id: "holdings-title" }, "What is in here, and from when"), holds),
  ];
  const fill = async () => {
    try {
      const { body } = await ask("/coverage", null, { signal });
      holds.replaceChildren(...coverage(body));
    } catch (error) {
      if (aborted(error) || signal.aborted) return;
      holds.replaceChildren(error.status === 503 ? empty("No snapshot is open yet.", ["Make one with ", h("code", null, "almoner build"), "."]) : problem(error, fill));
    }
  };
  fill();
  facets(browse, signal);
  return elements;
}

/** Causes and states with how many organizations each has; without counts where they cannot be had. */
async function facets(browse, signal) {
  let counts = {};
  try {
    ({ body: { facets: counts } } = await ask("/nonprofits/search", { size: 1, facets: "ntee_major,state" }, { signal }));
  } catch (error) {
    if (aborted(error) || signal.aborted) return;
  }
  const of = (facet) => new Map((counts[facet] ?? []).map(({ value, count: many }) => [value, many]));
  const states = [...of("state")].filter(([value]) => STATES[value]).sort((a, b) => STATES[a[0]].localeCompare(STATES[b[0]]));
  browse.replaceChildren(
    listOf("By cause", Object.entries(MAJORS).map(([letter, name]) => [{ ntee_codes: [letter] }, name, of("ntee_major").get(letter)])),
    ...(states.length ? [listOf("By place", states.map(([state, many]) => [{ state }, STATES[state], many]))] : []));
}

const listOf = (title, entries) => h("section", { "aria-label": title },
  h("h2", null, title),
  h("ul", { class: "plain counted" }, entries.map(([filters, name, many]) => h("li", null,
    h("a", { href: address(filters) }, name), many === undefined ? null : h("span", { class: "count" }, count(many))))));

/** The lists that are loaded with their dates, and what the absence of the others means. */
function coverage(body) {
  const missing = body.lists.filter(({ loaded }) => !loaded);
  return [
    h("p", {}, `${plural(body.organizations, "organization", "organizations")}, built ${day(body.built_at)}.`),
    h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "Lists that are loaded" }, h("table", { class: "data" },
      h("thead", null, h("tr", null, ["List", "Rows", "As of"].map((text, at) => h("th", { scope: "col", class: at ? "num" : null }, text)))),
      h("tbody", null, body.lists.filter(({ loaded }) => loaded).map((list) => h("tr", null,
        h("th", { scope: "row" }, list.title), h("td", { class: "num" }, count(list.rows)), h("td", { class: "num" }, asOf(list.files))))))),
    missing.length ? h("p", { class: "muted small" }, "Not loaded, so nothing is said from: ", missing.map(({ title }) => title).join("; "), ".") : null,
  ].filter(Boolean);
}

/** The date of a list's files, or from the oldest to the newest. */
function asOf(files) {
  const dates = files.map(({ date, downloaded }) => date ?? downloaded).filter(Boolean).map(month);
  const [first, last] = [dates[0], dates.at(-1)];
  return new Set(dates).size > 1 ? `${first} to ${last}` : first ?? "";
}
