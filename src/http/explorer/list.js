// One list: its note and rows (list_table.js), in an order that is chosen, with the latest the server has of each;
// what is taken away and compared of it. What is added, exported, shared and renamed is list_panels.js.
import { call } from "./api.js";
import { detailsOf, requestsOf } from "./batch.js";
import { h, nodes } from "./dom.js";
import { count, plural, short } from "./format.js";
import { panels } from "./list_panels.js";
import { table } from "./list_table.js";
import { printed } from "./printed.js";
import { comparison, notice, removeRow } from "./saved.js";
import { NAME_MAX, NOTE_MAX, PICKS_MAX, changes, edit, listById } from "./shelf.js";
import { OF_RETURN } from "./phones.js";
import { aborted, announce, empty, loading, problem } from "./states.js";
import { nteeTitles } from "./tables.js";

/** What the rows show of the details. */
export const FACTS = ["ein", "name", "alt_name", "streetAddress", "city", "state", "zipCode5", "issueArea", "ntee", "revenueGrandTotal", "filingYear", "formType", "assets",
  "exemption", "deductible", "foundation", "inactive", OF_RETURN];

/** Of each by EIN, with the title of its NTEE code. */
export async function factsOf(eins, signal) {
  const [details, titles] = await Promise.all([detailsOf(eins, FACTS, signal), nteeTitles()]);
  for (const found of details.values()) if (found) found.ntee_title = titles.get(found.ntee) ?? null;
  return details;
}

const isKnown = (value) => typeof value === "number";
const words = (one, other) => one.localeCompare(other, "en", { sensitivity: "base", numeric: true });
/** What is not known comes last, whatever the order. */
const by = (key, compare) => (one, other) => {
  const [a, b] = [key(one), key(other)];
  const known = (value) => value !== null && value !== undefined && value !== "";
  return known(a) && known(b) ? compare(a, b) : known(b) - known(a);
};
const revoked = ({ inactive }) => (inactive === null || inactive === undefined ? null : Number(inactive));

const ORDERS = {
  added: ["As added", () => 0],
  name: ["Name", by(({ name }) => name, words)],
  place: ["Place", by((one) => one.state && `${one.state} ${one.city ?? ""}`, words)],
  cause: ["Cause", by((one) => one.ntee_title ?? one.issueArea, words)],
  revenue: ["Revenue, highest first", by(({ revenueGrandTotal }) => revenueGrandTotal, (a, b) => b - a)],
  standing: ["Standing, revoked first", by(revoked, (a, b) => b - a)],
};

/** @param {string} id of a list that is there */
export async function show(root, context, id) {
  const view = {
    id, context, details: new Map(), ticked: new Set(), failed: null,
    order: Object.hasOwn(ORDERS, context.parameters.get("sort")) ? context.parameters.get("sort") : "added",
    heading: h("h1", {}), said: h("p", { class: "muted" }), rows: h("div", { class: "list-rows" }), panel: h("div", { class: "list-panel no-print", id: "list-panel" }),
    compare: h("button", { type: "button", class: "button", id: "compare-ticked", onclick: () => compare(view) }),
    drawn: null,
  };
  root.replaceChildren(
    h("p", { class: "small no-print" }, h("a", { href: "#/lists" }, "All lists")),
    view.heading, view.said, printed(), noteOf(view), tools(view), view.panel, view.rows);
  draw(view);
  changes.addEventListener("change", () => draw(view), { signal: context.signal });
  await load(view);
}

/** Asks for what is not known yet of the rows. */
async function load(view) {
  const { signal } = view.context;
  const missing = listById(view.id)?.rows.map(({ ein }) => ein).filter((ein) => !view.details.has(ein)) ?? [];
  if (!missing.length) return;
  view.failed = null;
  try {
    for (const [ein, details] of await factsOf(missing, signal)) view.details.set(ein, details);
  } catch (error) {
    if (signal.aborted || aborted(error)) return;
    view.failed = error;
  }
  if (signal.aborted) return;
  const named = new Map([...view.details].filter(([, details]) => details?.name));
  // A row that came without a name gets it, to be told of where the server cannot be asked.
  if (listById(view.id)?.rows.some(({ ein, name }) => !name && named.has(ein))) {
    edit(view.id, (list) => { for (const row of list.rows) row.name ||= named.get(row.ein)?.name.slice(0, NAME_MAX) ?? ""; });
  }
  view.drawn = null;
  draw(view);
}

/** Brings what is shown to what is kept; who writes in a note is not disturbed. */
function draw(view) {
  const list = listById(view.id);
  if (!list) {
    view.rows.replaceChildren(empty("This list was deleted.", h("a", { href: "#/lists" }, "All lists")));
    view.said.textContent = "";
    view.drawn = null;
    return;
  }
  view.heading.textContent = list.name;
  view.context.retitle(list.name);
  view.said.textContent = summary(list, view.details);
  for (const [field, value] of notes(view, list)) if (field !== document.activeElement) field.value = value;
  const missing = list.rows.some(({ ein }) => !view.details.has(ein));
  const drawn = JSON.stringify([view.order, view.failed?.message, view.details.size, list.rows.map(({ ein }) => ein)]);
  if (drawn !== view.drawn) {
    view.drawn = drawn;
    const focused = document.activeElement?.id;
    view.rows.replaceChildren(...nodes(contents(view, list, missing)));
    if (focused && view.rows.querySelector(`#${CSS.escape(focused)}`)) document.getElementById(focused).focus({ preventScroll: true });
    if (missing && !view.failed) load(view);
  }
  tell(view, list);
}

function* notes(view, list) {
  const field = document.getElementById("list-note");
  if (field) yield [field, list.note];
  for (const row of list.rows) {
    const one = view.rows.querySelector(`[id="note-${row.ein}"]`);
    if (one) yield [one, row.note];
  }
}

function summary({ rows }, details) {
  const amounts = rows.map(({ ein }) => details.get(ein)?.revenueGrandTotal).filter(isKnown);
  const known = amounts.length === rows.length ? "" : ` (known for ${count(amounts.length)})`;
  const revenue = amounts.length ? `; combined latest revenue ${short(amounts.reduce((a, b) => a + b, 0))}${known}` : "";
  return `${plural(rows.length, "organization", "organizations")}${revenue}`;
}

function contents(view, list, missing) {
  if (!list.rows.length) {
    return empty("Nothing is in this list yet.", ["Save nonprofits from ", h("a", { href: "#/search" }, "the search"), ", or add EINs here."]);
  }
  const [, compare] = ORDERS[view.order];
  const merged = list.rows.map((row) => ({ row, shown: { name: row.name, ...view.details.get(row.ein) } }));
  const ordered = merged.sort((one, other) => compare(one.shown, other.shown)).map(({ row }) => row);
  return [
    view.failed && problem(view.failed, () => load(view)),
    missing && !view.failed && loading("Loading their details…", 1),
    table(ordered, view.details, {
      ticked: view.ticked,
      tick: (ein, on) => { view.ticked[on ? "add" : "delete"](ein); tell(view, list); },
      note: (ein, text) => edit(view.id, (one) => { const row = one.rows.find((other) => other.ein === ein); if (row) row.note = text; }),
      remove: (ein) => take(view, ein, ordered),
    }),
    call(requestsOf(list.rows.map(({ ein }) => ein), FACTS)),
  ];
}

/** Takes a row away; the focus goes to the one after it. */
function take(view, ein, ordered) {
  const at = ordered.findIndex((row) => row.ein === ein);
  const next = ordered[at + 1] ?? ordered[at - 1];
  view.ticked.delete(ein);
  removeRow(view.id, ein);
  (next ? document.getElementById(`remove-${next.ein}`) : view.heading)?.focus();
}

function tell(view, list) {
  const ticked = list.rows.filter(({ ein }) => view.ticked.has(ein)).length;
  view.compare.textContent = ticked ? `Compare ${ticked} ticked` : areFew(list) ? "Compare all" : "Compare";
}

/** Whether all of a list can be compared. */
const areFew = ({ rows }) => rows.length >= 2 && rows.length <= PICKS_MAX;

function compare(view) {
  const list = listById(view.id) ?? { rows: [] };
  const ticked = list.rows.map(({ ein }) => ein).filter((ein) => view.ticked.has(ein));
  const eins = ticked.length === 0 && areFew(list) ? list.rows.map(({ ein }) => ein) : ticked;
  if (eins.length >= 2 && eins.length <= PICKS_MAX) view.context.go(comparison(eins));
  else notice(`Tick two to ${PICKS_MAX} rows to compare them; ${eins.length || "none"} ${eins.length === 1 ? "is" : "are"} ticked.`);
}

function noteOf(view) {
  return h("div", { class: "field list-note" }, h("label", { for: "list-note" }, "Note on the list"),
    h("textarea", { id: "list-note", rows: "1", maxlength: String(NOTE_MAX), placeholder: "What the list is for", oninput: ({ target }) => edit(view.id, (list) => { list.note = target.value; }) }));
}

function tools(view) {
  const sort = h("select", { id: "list-sort", onchange: ({ target }) => {
    view.order = target.value;
    history.replaceState(history.state, "", `#/list/${view.id}${view.order === "added" ? "" : `?sort=${view.order}`}`);
    draw(view);
    announce(`Sorted: ${ORDERS[view.order][0]}`);
  } }, Object.entries(ORDERS).map(([value, [text]]) => h("option", { value, selected: value === view.order }, text)));
  return h("div", { class: "toolbar list-tools" }, h("div", { class: "row" }, panels(view), view.compare,
    h("button", { type: "button", class: "button", onclick: () => print() }, "Print")),
    h("span", { class: "choice" }, h("label", { for: "list-sort" }, "Sort"), sort));
}
