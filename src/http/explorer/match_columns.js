// The stage of matching that says which column of a list is what: how the list is read, what is odd about it, its first
// rows. Changes the draft it is given; sends nothing.
import { copyable, curl } from "./api.js";
import { ROLES, suffice, twice } from "./columns.js";
import { SEPARATORS, Unreadable } from "./csv.js";
import { h } from "./dom.js";
import { count, plural } from "./format.js";
import { Matching, PATH } from "./matching.js";

const PREVIEWED = 5;
/** Rows that do not fit, as far as they are named one by one. */
const NAMED_MAX = 12;

/**
 * The stage as elements.
 * @param {import("./draft.js").Draft} draft
 * @param {{redraw: (selector: string, at?: number) => void, isCurrent: (draft: object) => boolean, start: () => void, another: () => void}} acts
 *   `redraw`: draws the stage anew, with the focus where the selector says; `another`: another list is to be given
 */
export function columnsOf(draft, acts) {
  const { name, header, roles, rows } = draft;
  const fault = h("p", { class: "error", role: "alert", id: "columns-fault" });
  const start = () => {
    if (!rows.length) fault.textContent = "There are no rows below the headings.";
    else if (suffice(roles)) acts.start();
    else {
      fault.textContent = "Choose the column that holds the names of the organizations, or their EINs.";
      fault.parentNode.querySelector(".columns select")?.focus();
    }
  };
  const first = h("input", { type: "checkbox", id: "match-headings", checked: draft.given, onchange: () => {
    draft.head(first.checked);
    acts.redraw("#match-headings");
  } });
  return [
    h("p", { class: "match-facts" }, h("strong", null, name === "list" ? "Your list" : name), `: ${plural(rows.length, "row", "rows")}, ${plural(header.length, "column", "columns")}`),
    h("h2", null, "What each column holds"),
    h("div", { class: "row match-reading" },
      draft.isWorkbook ? sheetChoice(draft, fault, acts) : separatorChoice(draft, fault, acts),
      h("label", { class: "check" }, first, draft.headingsNumber > 1 ? `Row ${count(draft.headingsNumber)} has the headings` : "The first row has headings")),
    notices(draft),
    preview(draft, acts),
    fault,
    h("div", { class: "row" },
      h("button", { type: "button", class: "button primary", onclick: start }, `Match ${plural(rows.length, "row", "rows")}`),
      h("button", { type: "button", class: "button", onclick: acts.another }, "Another list")),
    h("p", { class: "muted small match-after" }, "Sent to ", h("span", { class: "origin" }, location.origin), " only, and not kept there."),
    apiCall(draft),
  ];
}

function separatorChoice(draft, fault, { redraw }) {
  const { separator } = draft;
  const choices = SEPARATORS.some(([one]) => one === separator) ? SEPARATORS : [...SEPARATORS, [separator, `“${separator}”`]];
  const select = h("select", { id: "match-separator", onchange: () => {
    try {
      draft.separate(choices[select.value][0]);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      select.value = choices.findIndex(([one]) => one === separator);
      fault.textContent = error.message;
      return;
    }
    redraw("#match-separator");
  } }, choices.map(([one, said], at) => h("option", { value: at, selected: one === separator }, said)));
  return h("div", { class: "choice" }, h("label", { for: "match-separator" }, "Cells are separated by"), select);
}

/** Which sheet of the workbook is the list, where it has several. */
function sheetChoice(draft, fault, { redraw, isCurrent }) {
  if (draft.sheets.length === 1) return null;
  const select = h("select", { id: "match-sheet", onchange: async () => {
    fault.textContent = "";
    select.disabled = true;
    try {
      await draft.choose(Number(select.value));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      fault.textContent = error.message;
    }
    select.disabled = false;
    select.value = draft.sheet;
    if (!isCurrent(draft) || !select.isConnected) return;
    if (fault.textContent) select.focus();
    else redraw("#match-sheet");
  } }, draft.sheets.map((name, at) => h("option", { value: at, selected: at === draft.sheet }, name)));
  return h("div", { class: "choice" }, h("label", { for: "match-sheet" }, "Sheet"), select);
}

/** What is odd about the list, before it costs an answer. */
function notices(draft) {
  const { header, given, rows, numbers, titles, headingsNumber } = draft;
  const misfits = rows.flatMap((row, at) => (row.length === header.length ? [] : [numbers[at]]));
  const double = given ? twice(header) : [];
  const named = misfits.slice(0, NAMED_MAX).join(", ") + (misfits.length > NAMED_MAX ? ` and ${count(misfits.length - NAMED_MAX)} more` : "");
  const found = [
    titles > 0 && `The headings are in row ${count(headingsNumber)}; ${plural(titles, "row", "rows")} above ${titles === 1 ? "it is" : "it are"} left out.`,
    misfits.length && `${plural(misfits.length, "row has", "rows have")} cells beyond ${given ? "the headings" : "those of the others"}, so it is unclear what they are: ${misfits.length === 1 ? "row" : "rows"} ${named}. Such rows are kept and get a no, with the reason.`,
    double.length && `More than one column is called ${double.map((one) => `“${one}”`).join(", ")}. The first of them is used; say so below if it is another.`,
  ].filter(Boolean);
  return found.length ? h("ul", { class: "plain notices" }, found.map((text) => h("li", null, text))) : null;
}

function preview({ header, roles, rows }, { redraw }) {
  const choose = (column, select) => {
    const role = select.value || null;
    // A street is in one column; other names may be in several.
    if (role && role !== "other_name") roles.forEach((one, at) => { if (one === role) roles[at] = null; });
    roles[column] = role;
    redraw(".columns select", column);
  };
  const select = (column) => h("select", { "aria-label": `What “${header[column]}” is`, onchange: (event) => choose(column, event.target) },
    h("option", { value: "" }, "not used"),
    Object.entries(ROLES).map(([role, said]) => h("option", { value: role, selected: roles[column] === role }, said)));
  const used = (column) => (roles[column] ? "used" : null);
  return h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": "Columns and the first rows" },
    h("table", { class: "data columns" },
      h("thead", null,
        h("tr", null, header.map((heading, column) => h("th", { scope: "col", class: used(column) }, heading.trim() || h("span", { class: "muted" }, `Column ${column + 1}`)))),
        h("tr", null, header.map((_, column) => h("td", { class: used(column) }, select(column))))),
      h("tbody", null, rows.slice(0, PREVIEWED).map((row) => h("tr", null, header.map((_, column) => h("td", { class: used(column) }, (row[column] ?? "").slice(0, 80))))))));
}

function apiCall({ name, header, roles, rows }) {
  if (!suffice(roles)) return null;
  const first = new Matching({ name, header, roles, rows: rows.slice(0, 1), numbers: [1] });
  return h("details", { class: "call" }, h("summary", null, "The first row as an API call"),
    copyable(curl(PATH, null, { body: { queries: first.rows.map((_, at) => first.asked(at)) } })));
}
