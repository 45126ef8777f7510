// What the search view shows before anything is asked: examples, what this server holds and from when, four
// ways in, causes and places with their counts.
import { ask } from "./api.js";
import { h, nodes } from "./dom.js";
import { STATES, address } from "./filters.js";
import { MAJORS, count, day, plural } from "./format.js";
import { asOf, holdings, placesLoaded, statesOf } from "./holdings.js";
import { aborted, empty, loading, problem } from "./states.js";

/** Searches to begin with, in a state of which there is a file. */
const EXAMPLES = [
  (state) => `food banks in ${state}`,
  (state) => `animal shelters in ${state}`,
  (state) => `small historical societies in ${state}`,
];
const ANYWHERE = ["food banks with revenue over $1 million", "foundations with assets over $10 million"];

const WAYS = [
  { title: "Check one", links: [["#/search", "Browse them all"]],
    text: "Is it exempt, and are gifts deductible? Revenue, assets and pay, year by year, with the source and date of every figure." },
  { title: "Follow the money", links: [["#/funders", "Who funds whom"], ["#/people", "Find a person"]],
    text: "Who gave what to whom and for what purpose, and which foundations take applications. Who sits on a board, and what they are paid." },
  { title: "Match a list", links: [["#/match", "Paste a spreadsheet"]],
    text: "Turn names and addresses of grantees, vendors or employers into EINs, with the evidence side by side. Your list goes to this server only." },
  { title: "Keep and compare", links: [["#/lists", "Your lists"]],
    text: "Save organizations with notes, put up to five side by side, export them or share them by link. They stay in this browser." },
];

/** The greeting as elements; what the server holds is filled in when it is known. */
export function home(signal) {
  const held = h("p", { class: "standfirst held" });
  const examples = h("ul", { class: "chips examples", "aria-label": "Examples" });
  const browse = h("div", { class: "browse" });
  const holds = h("div", null, loading("Loading what this server holds…", 2));
  const example = (q) => h("li", null, h("a", { class: "chip", href: address({ q }) }, q));
  const fill = async () => {
    try {
      const all = await holdings();
      signal.throwIfAborted();
      const { loaded } = statesOf(all);
      const named = loaded.filter(({ state }) => STATES[state]).slice(0, EXAMPLES.length);
      examples.replaceChildren(...[...named.map(({ state }, at) => EXAMPLES[at](STATES[state])), ...ANYWHERE].map(example));
      held.replaceChildren(...nodes(inShort(all)));
      holds.replaceChildren(...coverage(all));
      facets(browse, all, signal);
    } catch (error) {
      if (aborted(error) || signal.aborted) return;
      holds.replaceChildren(error.status === 503 ? empty("No snapshot is open yet.", ["Make one with ", h("code", null, "almoner build"), "."]) : problem(error, fill));
    }
  };
  fill();
  return [
    h("p", { class: "standfirst" }, "Type a name or an EIN, or describe in plain words what you are looking for: a cause, a place, an amount."),
    examples, held,
    h("ul", { class: "ways plain" }, WAYS.map(({ title, text, links }) => h("li", null,
      h("h2", null, title), h("p", null, text), h("p", null, links.map(([href, go], at) => [at > 0 && " · ", h("a", { href }, go)]))))),
    browse,
    h("section", { class: "holdings", "aria-labelledby": "holdings-title" }, h("h2", { id: "holdings-title" }, "What this server holds, and as of when"), holds),
  ];
}

/** What is in here and from when, in a line. */
function inShort(all) {
  const { organizations, lists } = all;
  const places = placesLoaded(all);
  const [master, returns, revocations] = ["master_file", "returns", "revocation_list"].map((wanted) => lists.find(({ kind, loaded: is }) => kind === wanted && is));
  return [
    `This server holds ${plural(organizations, "organization", "organizations")}`, places > 1 && ` in ${plural(places, "state or territory", "states and territories")}`,
    master && `, from the IRS’s list of ${asOf(master.files)}`, returns && `, and ${count(returns.rows)} of their returns`, revocations ? "." : ". The IRS’s list of revoked exemptions is not loaded, so revocation is not checked here.",
  ];
}

/** Causes and states with how many organizations each has; the states of which there is no file are folded away. */
async function facets(browse, all, signal) {
  let counts = [];
  try {
    ({ body: { facets: { ntee_major: counts } } } = await ask("/nonprofits/search", { size: 1, facets: "ntee_major" }, { signal }));
  } catch (error) {
    if (aborted(error) || signal.aborted) return;
  }
  const of = new Map(counts.map(({ value, count: many }) => [value, many]));
  const { loaded, strays } = statesOf(all);
  const entries = (states) => states.filter(({ state }) => STATES[state]).sort((one, other) => STATES[one.state].localeCompare(STATES[other.state]))
    .map(({ state, organizations }) => [{ state }, STATES[state], organizations]);
  const few = entries(strays);
  const uncoded = of.get(null);
  browse.replaceChildren(...nodes([
    listOf("By cause", Object.entries(MAJORS).filter(([letter]) => counts.length === 0 || of.has(letter)).map(([letter, name]) => [{ ntee_codes: [letter] }, name, of.get(letter)]),
      uncoded && `${plural(uncoded, "has", "have")} no code on file, so ${uncoded === 1 ? "it is" : "they are"} under none of these; a search in words finds ${uncoded === 1 ? "it by its name" : "them by their names"}.`),
    loaded.length > 0 && listOf("By place", entries(loaded)),
    few.length > 0 && h("details", { class: "more" },
      h("summary", null, `${plural(few.length, "place", "places")} whose list is not loaded`),
      h("p", { class: "muted small" }, "Only the few organizations that other lists or returns mention are here. An organization missing here may well exist."),
      counted(few)),
  ]));
}

const listOf = (title, entries, note) => h("section", { "aria-label": title }, h("h2", null, title), counted(entries), note && h("p", { class: "muted small" }, note));

const counted = (entries) => h("ul", { class: "plain counted" }, entries.map(([filters, name, many]) => h("li", null,
  h("a", { href: address(filters) }, name), many === undefined ? null : h("span", { class: "count" }, count(many)))));

/** The lists that are loaded with their dates, and what the absence of the others means. */
function coverage(body) {
  const missing = body.lists.filter(({ loaded }) => !loaded);
  return [
    h("p", {}, `${plural(body.organizations, "organization", "organizations")}, built ${day(body.built_at)}.`),
    h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "Lists that are loaded" }, h("table", { class: "data" },
      h("thead", null, h("tr", null, ["List", "Rows", "As of"].map((text, at) => h("th", { scope: "col", class: at ? "num" : null }, text)))),
      h("tbody", null, body.lists.filter(({ loaded }) => loaded).map((list) => h("tr", null,
        h("th", { scope: "row" }, list.title), h("td", { class: "num" }, count(list.rows)), h("td", { class: "num" }, asOf(list.files))))))),
    missing.length ? h("p", { class: "muted small" }, "Not loaded, so not used here: ", missing.map(({ title }) => title).join("; "), ".") : null,
  ].filter(Boolean);
}
