// One list: its note and rows, in an order that is chosen, with the latest the server has of each;
// what is added, taken away, compared, exported and shared of it. Also the table of rows, for a list
// that came with a link.
import { call, copyable } from "./api.js";
import { profileOf } from "./card.js";
import { h, nodes } from "./dom.js";
import { FIELDS, detailsOf, download, einsIn, fileName, leftOut, requestsOf, toCsv, toJson, toLink } from "./exchange.js";
import { count, dashed, dollars, place, plural, short } from "./format.js";
import { comparison, notice, removeRow } from "./saved.js";
import { NAME_MAX, NOTE_MAX, PICKS_MAX, add, changes, edit, listById } from "./shelf.js";
import { aborted, announce, empty, loading, problem } from "./states.js";

/** What the rows show of the details. */
export const FACTS = ["name", "city", "state", "issueArea", "ntee", "revenueGrandTotal", "filingYear", "inactive"];

export const factsOf = (eins, signal) => detailsOf(eins, FACTS, signal);

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
  cause: ["Cause", by(({ issueArea }) => issueArea, words)],
  revenue: ["Revenue, highest first", by(({ revenueGrandTotal }) => revenueGrandTotal, (a, b) => b - a)],
  standing: ["Standing, revoked first", by(revoked, (a, b) => b - a)],
};

const PANELS = { adding: "Add", exporting: "Export", sharing: "Share", renaming: "Rename" };

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
    view.heading, view.said, noteOf(view), tools(view), view.panel, view.rows);
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
  const known = amounts.length === rows.length ? "" : `, known of ${count(amounts.length)}`;
  const revenue = amounts.length ? `; latest revenue ${short(amounts.reduce((a, b) => a + b, 0))} together${known}` : "";
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
    missing && !view.failed && loading("Loading what is known of them…", 1),
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
  view.compare.textContent = ticked ? `Compare ${ticked} ticked` : "Compare";
}

function compare(view) {
  const eins = listById(view.id)?.rows.map(({ ein }) => ein).filter((ein) => view.ticked.has(ein)) ?? [];
  if (eins.length >= 2 && eins.length <= PICKS_MAX) view.context.go(comparison(eins));
  else notice(`Tick two to ${PICKS_MAX} rows to compare them; ${eins.length || "none"} ${eins.length === 1 ? "is" : "are"} ticked.`);
}

function noteOf(view) {
  return h("div", { class: "field list-note" }, h("label", { for: "list-note" }, "Note on the list"),
    h("textarea", { id: "list-note", rows: "1", maxlength: String(NOTE_MAX), oninput: ({ target }) => edit(view.id, (list) => { list.note = target.value; }) }));
}

function tools(view) {
  const buttons = Object.entries(PANELS).map(([name, text]) => h("button", {
    type: "button", class: "button", id: `tool-${name}`, "aria-expanded": "false", "aria-controls": "list-panel",
    onclick: ({ currentTarget }) => open(currentTarget, name),
  }, text));
  function open(button, name) {
    const closing = button.getAttribute("aria-expanded") === "true";
    for (const one of buttons) one.setAttribute("aria-expanded", String(one === button && !closing));
    view.panel.replaceChildren(...(closing ? [] : [{ adding, exporting, sharing, renaming }[name](view)]));
    view.panel.querySelector("textarea, input")?.focus();
  }
  view.close = () => { const one = buttons.find((button) => button.getAttribute("aria-expanded") === "true"); if (one) { one.click(); one.focus(); } };
  const sort = h("select", { id: "list-sort", onchange: ({ target }) => {
    view.order = target.value;
    history.replaceState(history.state, "", `#/list/${view.id}${view.order === "added" ? "" : `?sort=${view.order}`}`);
    draw(view);
    announce(`Sorted: ${ORDERS[view.order][0]}`);
  } }, Object.entries(ORDERS).map(([value, [text]]) => h("option", { value, selected: value === view.order }, text)));
  return h("div", { class: "toolbar list-tools" }, h("div", { class: "row" }, buttons, view.compare,
    h("button", { type: "button", class: "button", onclick: () => print() }, "Print")),
    h("span", { class: "choice" }, h("label", { for: "list-sort" }, "Sort"), sort));
}

function adding(view) {
  const box = h("textarea", { id: "add-eins", rows: "4", "aria-describedby": "add-hint add-said", placeholder: "53-0196605, 131624102" });
  const said = h("p", { class: "small", id: "add-said", role: "status" });
  return h("form", { class: "stack", onsubmit: (event) => {
    event.preventDefault();
    const found = einsIn(box.value);
    const done = found.rows.length ? add(view.id, found.rows) : { added: 0, known: 0 };
    if (!done) return;
    // What is no EIN stays to be mended.
    box.value = found.junk.join("\n");
    said.textContent = [`${plural(done.added, "organization was", "organizations were")} added.`,
      done.known > 0 && `${count(done.known)} ${done.known === 1 ? "was" : "were"} in the list already.`, leftOut(found)].filter(Boolean).join(" ");
  } },
  h("div", { class: "field" }, h("label", { for: "add-eins" }, "EINs to add"), box,
    h("p", { class: "hint", id: "add-hint" }, "Nine digits each, with or without a dash; commas, spaces or lines between them. Or ", h("a", { href: "#/search" }, "search"), " and press Save.")),
  h("div", { class: "row" }, h("button", { class: "button primary" }, "Add them")), said);
}

function exporting(view) {
  const boxes = FIELDS.map(([field, text, usual]) => h("label", { class: "check" }, h("input", { type: "checkbox", value: field, checked: usual }), text));
  const said = h("p", { class: "error", role: "alert" });
  const chosen = () => boxes.map((box) => box.firstElementChild).filter((box) => box.checked).map((box) => box.value);
  const save = (make, ending, type) => async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    said.textContent = "";
    try {
      const list = listById(view.id);
      download(await make(list, chosen(), view.context.signal), fileName(list.name, ending), type);
    } catch (error) {
      if (!aborted(error)) said.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  };
  return h("div", { class: "stack" },
    h("fieldset", {}, h("legend", {}, "Fields beside the EIN"), h("div", { class: "export-fields" }, boxes)),
    h("div", { class: "row" },
      h("button", { type: "button", class: "button primary", id: "export-csv", onclick: save(toCsv, "csv", "text/csv") }, "Export as CSV"),
      h("button", { type: "button", class: "button", id: "export-json", onclick: save(toJson, "json", "application/json") }, "Export as JSON")),
    h("p", { class: "hint small muted" }, "The JSON can be imported again, with the notes. What is not known is an empty cell, or null."), said);
}

function sharing(view) {
  return h("div", { class: "stack" },
    h("p", { class: "small" }, "The link has the name and the EINs in it, not the notes. Who opens it on this server sees the list, and may save it."),
    copyable(toLink(listById(view.id)), "Link to the list"));
}

function renaming(view) {
  const input = h("input", { id: "list-name", value: listById(view.id).name, maxlength: String(NAME_MAX), autocomplete: "off" });
  return h("form", { class: "stack", onsubmit: (event) => {
    event.preventDefault();
    if (input.value.trim()) edit(view.id, (list) => { list.name = input.value.trim(); });
    view.close();
  } }, h("div", { class: "field" }, h("label", { for: "list-name" }, "Name of the list"), input),
  h("div", { class: "row" }, h("button", { class: "button primary" }, "Rename")));
}

/** On a phone a row is a block; the roles keep it a table for who listens. */
const cell = (name, ...children) => h("td", { role: "cell", class: `of-${name}` }, children);

const STANDING = new Map([[true, ["Exemption revoked", "badge bad"]], [false, ["Not revoked", "badge"]], [null, ["Revocation not checked", "muted small"]]]);

/**
 * The rows as a table.
 * @param {object[]} rows
 * @param {Map<string, object|null>} details by EIN; none yet for one that is not there
 * @param {{ticked?: Set<string>, tick?: Function, note?: Function, remove?: Function}} actions those
 *   that are not given are not offered
 */
export function table(rows, details, { ticked, tick, note, remove }) {
  const heads = [tick && ["Compare", true], ["Organization"], ["Place"], ["Cause"], ["Revenue"], ["Standing"], note && ["Note"], remove && ["Remove", true]].filter(Boolean);
  return h("table", { class: "data list-table", role: "table" },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads.map(([text, hidden]) => h("th", { role: "columnheader", scope: "col", class: text === "Revenue" ? "num" : hidden && `of-${text === "Compare" ? "tick" : "remove"}` },
      hidden ? h("span", { class: "visually-hidden" }, text) : text)))),
    h("tbody", { role: "rowgroup" }, rows.map((row) => {
      const found = details.get(row.ein);
      const name = found?.name ?? (row.name || dashed(row.ein));
      return h("tr", { role: "row", dataset: { ein: row.ein } },
        tick && cell("tick", h("input", { type: "checkbox", id: `tick-${row.ein}`, "aria-label": `Compare ${name}`, checked: ticked.has(row.ein), onchange: ({ target }) => tick(row.ein, target.checked) })),
        h("th", { role: "rowheader", scope: "row", class: "of-name" }, h("a", { href: profileOf(row.ein) }, name),
          name !== dashed(row.ein) && [" ", h("span", { class: "ein muted small" }, dashed(row.ein))]),
        found === null ? h("td", { role: "cell", class: "of-facts muted", colspan: "4" }, "Not in the data of this server") : facts(found),
        note && cell("note", h("textarea", { id: `note-${row.ein}`, rows: "1", maxlength: String(NOTE_MAX), "aria-label": `Note on ${name}`, placeholder: "Note", oninput: ({ target }) => note(row.ein, target.value) }, row.note)),
        remove && cell("remove", h("button", { type: "button", class: "button quiet small", id: `remove-${row.ein}`, "aria-label": `Remove ${name}`, onclick: () => remove(row.ein) }, "×")));
    })));
}

function facts(found) {
  const unknown = found ? h("span", { class: "muted" }, "not known") : "";
  const [text, kind] = STANDING.get(found?.inactive ?? null);
  return [
    cell("place", place(found) || unknown), cell("cause", found?.issueArea ?? unknown),
    h("td", { role: "cell", class: "of-revenue num", title: isKnown(found?.revenueGrandTotal) ? dollars(found.revenueGrandTotal) : null },
      isKnown(found?.revenueGrandTotal) ? [short(found.revenueGrandTotal), h("span", { class: "muted small" }, found.filingYear ? ` ${found.filingYear}` : "")] : unknown),
    cell("standing", found && h("span", { class: kind }, text)),
  ];
}
