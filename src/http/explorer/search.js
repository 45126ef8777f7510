// The search view: the box, what to try before anything is typed, and the search itself. The panel
// of filters and the drawing of results are filters.js and results.js.
import { ask, call } from "./api.js";
import { h, nodes } from "./dom.js";
import { address, labelOf, panel, read, request } from "./filters.js";
import { MAJORS, age, count, day, excerpt, plural } from "./format.js";
import { SIZE, results, summary } from "./results.js";
import { aborted, announce, empty, loading, problem } from "./states.js";
import { typeahead } from "./typeahead.js";

const PATH = "/beta/nonprofits/search";
/** Wide enough for the filters beside the results. */
const wide = matchMedia("(min-width: 60rem)");

const EXAMPLES = [
  "food banks with revenue over $1 million",
  "animal shelters in Maine",
  "youth theater in Kentucky",
  "hospice care within 25 miles of Louisville",
  "large hospitals in Idaho",
  "foundations that fund scholarships",
];

/** Sources of a snapshot in plain words. */
const KINDS = {
  master_file: "IRS master file of exempt organizations", returns: "Form 990 returns filed electronically",
  publication78: "Publication 78: deductible contributions", revocation_list: "Automatic revocation list",
  postcard: "Form 990-N e-Postcards", annual_extract: "IRS annual extracts of returns", curated: "Other data of this server",
};

/** The elements of the view that outlive a change of its parameters. */
let held = null;

export function title(path, parameters) {
  const q = parameters.get("q")?.trim();
  if (q) return `${excerpt(q, 60)}: search`;
  return isGreeting(path, parameters) ? "Find a nonprofit" : "Search";
}

const isGreeting = (path, parameters) => path === "/" && parameters.size === 0;

export async function show(root, context) {
  const box = typeahead({
    onChoose: (ein, typed) => {
      // Kept with this entry of the history, so that Back finds what was typed.
      history.replaceState({ ...history.state, typed }, "");
      held.context.go(`#/nonprofit/${ein}`);
    },
    onSearch: (q) => held.search(q),
  });
  const area = h("section", { class: "search-area", "aria-label": "Results" });
  const filters = panel((hash) => stay(hash), () => box.box.value.trim());
  const heading = h("h1", { tabindex: "-1" });
  const layout = h("div", { class: "search-layout" }, h("aside", { "aria-label": "Filters" }, filters.element), area);
  const greeting = h("div", { class: "greeting" });
  held = { box, area, filters, heading, layout, greeting, context, now: {}, stays: false,
    // The filters set by hand stay when the words change.
    search: (q) => held.context.go(q || Object.keys(held.now).length ? address(held.now, { q }) : "#/search") };
  filters.element.open = wide.matches;
  wide.onchange = () => { filters.element.open = wide.matches; };
  root.replaceChildren(heading, box.element, greeting, layout);
  const shown = update(root, context);
  // On a touch screen the focus would bring up the keyboard over the page.
  const free = [document.body, heading].includes(document.activeElement);
  if (free && isGreeting(context.path, context.parameters) && matchMedia("(pointer: fine)").matches) box.box.focus();
  await shown;
}

export async function update(root, context) {
  const { path, parameters, signal } = context;
  const greet = isGreeting(path, parameters);
  const filters = read(parameters);
  Object.assign(held, { context, now: filters });
  held.box.fill(history.state?.typed ?? filters.q ?? "");
  held.filters.fill(filters);
  held.layout.hidden = greet;
  held.greeting.hidden = !greet;
  if (greet) held.area.replaceChildren();
  held.heading.classList.toggle("visually-hidden", !greet);
  held.heading.textContent = greet ? "Find a nonprofit" : filters.q ? `Results for “${filters.q}”` : "Nonprofits";
  const kept = greet ? null : keepsPlace();
  if (!kept) {
    scrollTo(0, 0);
    held.heading.focus({ preventScroll: true });
  }
  await (greet ? welcome(signal) : search(filters, context, kept));
}

/** Goes to a search from a control that is still there afterwards and keeps the focus. */
function stay(hash) {
  held.stays = true;
  held.context.go(hash);
}

/** Whether the focus and the place on the page are to be kept, for a control that is still there. */
function keepsPlace() {
  const active = document.activeElement;
  const stays = held.stays || (held.area.contains(active) && active.id !== "");
  held.stays = false;
  return stays ? { id: active.id } : null;
}

async function search(filters, context, kept) {
  const { area } = held;
  const asked = request({ size: String(SIZE), ...filters });
  area.setAttribute("aria-busy", "true");
  // Results on their way are announced by what they replace: old ones fade, an empty area fills.
  if (!area.querySelector(".results")) area.replaceChildren(loading("Searching…", 8));
  try {
    const answer = await ask(PATH, asked, { signal: context.signal });
    context.signal.throwIfAborted();
    area.replaceChildren(...nodes([results(filters, answer, { ...context, stay }), call(PATH, asked)]));
    announce(summary(answer));
  } catch (error) {
    if (aborted(error) || context.signal.aborted) throw error;
    area.replaceChildren(...nodes([refused(error, filters, context), call(PATH, asked)]));
  } finally {
    if (!context.signal.aborted) area.removeAttribute("aria-busy");
  }
  // What was drawn anew has taken the focus with it; its successor has the same id.
  if (kept?.id && document.activeElement === document.body) document.getElementById(kept.id)?.focus({ preventScroll: true });
}

/** A 422 is shown at the fields of the panel; what has no field there, and other faults, here. */
function refused(error, filters, context) {
  if (error.status !== 422) return problem(error, () => context.replace(location.hash));
  held.filters.element.open = true;
  const rest = held.filters.point(error.details);
  const fields = [...new Set(error.details.filter((one) => !rest.includes(one)).map((one) => labelOf(one.loc[1])))];
  const named = fields.length ? `See ${fields.length === 1 ? "the field" : "the fields"} ${fields.join(", ")} of the filters. ` : "";
  return h("div", { class: "state problem", role: "alert" },
    h("p", { class: "state-title" }, "The search cannot be made like this."),
    h("p", null, named, rest.map((one) => `${one.loc?.slice(1).join(" ")}: ${one.msg}. `)),
    h("a", { href: address({ q: filters.q }) }, "Search without filters"));
}

/** What to do before anything is typed, and what the snapshot holds. */
async function welcome(signal) {
  const holds = h("div", null, loading("Asking what this server holds…", 2));
  held.greeting.replaceChildren(
    h("p", { class: "muted" }, "By name or EIN, or say what you look for in plain words: a cause, a place, an amount."),
    h("h2", null, "For example"),
    h("ul", { class: "chips" }, EXAMPLES.map((q) => h("li", null, h("a", { class: "chip", href: address({ q }) }, q)))),
    h("p", { class: "after-chips" }, h("a", { href: "#/search" }, "Or browse all, by filters")),
    h("h2", null, "By cause"),
    h("ul", { class: "causes plain" }, Object.entries(MAJORS).map(([letter, name]) =>
      h("li", null, h("a", { href: address({ ntee_codes: [letter] }) }, name)))),
    h("h2", null, "What this server holds"), holds);
  try {
    const { body } = await ask("/version", null, { signal });
    holds.replaceChildren(...nodes(holdings(body)));
  } catch (error) {
    if (aborted(error) || signal.aborted) throw error;
    holds.replaceChildren(problem(error, () => welcome(signal)));
  }
}

function holdings(version) {
  if (version.organizations === null) return empty("No snapshot is open yet.", ["Make one with ", h("code", null, "almoner build"), "."]);
  const kinds = Map.groupBy(version.sources, (source) => source.kind);
  const rows = [...kinds].map(([kind, its]) => {
    const latest = its.map((one) => one.modified ?? "").sort().at(-1);
    return h("tr", null, h("th", { scope: "row" }, KINDS[kind] ?? kind.replaceAll("_", " ")),
      h("td", { class: "num" }, count(its.length)),
      h("td", { class: "num" }, count(its.reduce((sum, one) => sum + (one.rows ?? 0), 0))),
      h("td", { class: "num" }, latest ? day(latest) : ""));
  });
  const done = version.awaited_share === null ? "the build that was to add it has stopped" : `${Math.floor(100 * version.awaited_share)} % is done`;
  return [
    version.awaits_model && h("p", { class: "muted" }, `Searches compare words so far; comparing by meaning is on its way: ${done}.`),
    h("p", null, `${plural(version.organizations, "nonprofit", "nonprofits")}, built ${day(version.built_at)} (${age(version.built_at)}) by ${version.program}.`),
    h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "Sources" }, h("table", { class: "data" },
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "Source"), h("th", { scope: "col", class: "num" }, "Files"),
        h("th", { scope: "col", class: "num" }, "Rows"), h("th", { scope: "col", class: "num" }, "Newest file"))),
      h("tbody", null, rows))),
  ];
}
