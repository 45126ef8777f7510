// All that a search found, beyond the page that is shown: fetched page by page to be saved, written to a file
// or put on the map. The menu that offers the first two.
import { ask } from "./api.js";
import { h, nodes } from "./dom.js";
import { count, dashed, plural, revenueCell } from "./format.js";
import { ROWS_MAX, create } from "./shelf.js";
import { aborted } from "./states.js";
import { nteeTitles } from "./tables.js";

const PATH = "/beta/nonprofits/search";
/** The most rows that the server gives at once. */
const PAGE = 100;

const yesNo = (value) => (value === null || value === undefined ? "not checked" : value ? "yes" : "no");
/** A file's columns: what people call them, and what stands in them. With its dash an EIN is text to Excel, which keeps its zero. */
const COLUMNS = [
  ["EIN", ({ ein }) => dashed(ein)], ["Name", ({ name }) => name], ["Second name line", (one) => one.alt_name], ["Street", (one) => one.streetAddress],
  ["City", ({ city }) => city], ["State", ({ state }) => state], ["ZIP code", (one) => one.zipCode5], ["NTEE code", ({ ntee }) => ntee], ["NTEE title", ({ ntee }, titles) => titles.get(ntee)],
  ["Cause", (one) => one.issueArea], ["Revenue (USD)", revenueCell], ["Latest year filed", (one) => one.filingYear],
  ["Form", (one) => one.formType], ["Private foundation", (one) => yesNo(one.foundation)], ["Exemption revoked", (one) => yesNo(one.inactive)],
  ["Website", ({ url }) => url],
];
/** Columns that a search does not list, asked for when a file is wanted. */
const FURTHER = [
  ["County", "county"], ["Total assets (USD)", "assets"], ["Gross receipts (USD)", "gross_receipts"], ["Exempt since", "irsRulingDate"], ["Exempt under", "exemption"], ["Class", "class"], ["Gifts deductible", "deductible"],
];

const furtherCell = (field, value) => (field === "deductible" ? yesNo(value) : value);
/** The columns of dollars. */
const AMOUNTS = [...COLUMNS, ...FURTHER].map(([title]) => title).filter((title) => title.endsWith("(USD)"));

/** How many of `total` are fetched. */
export const reach = (total) => Math.min(total, ROWS_MAX);

/** The first of all rows of a search, as many as a list holds. */
export async function everything(request, total, signal) {
  const { page: _, facets: __, ...asked } = request;
  const rows = [];
  for (let page = 1; rows.length < reach(total); page += 1) {
    const { body } = await ask(PATH, { ...asked, page, size: PAGE }, { signal });
    rows.push(...body.nonprofits);
    if (body.nonprofits.length < PAGE) break;
  }
  return rows.slice(0, reach(total));
}

/**
 * The menu: save or download the rows of this page, or all.
 * @param {{shown: object[], total: number|null, hasMore: boolean, name: string, about: object, request: object, signal: AbortSignal}} found
 *   `total`: null where no number of all is known; `hasMore`: whether there are other pages; `about`: the search in words, for who opens the file later
 */
export function keeping({ shown, total, hasMore, name, about, request, signal }) {
  const state = h("p", { class: "small muted", role: "status" });
  const all = total !== null && total > shown.length;
  const these = `the ${count(shown.length)} shown`;
  const whole = total === null ? hasMore && "all that are listed"
    : all && (total > reach(total) ? `the first ${count(reach(total))} of ${count(total)}` : `all ${count(total)}`);
  const save = (rows) => {
    const id = create({ name, rows: rows.map(({ ein, name: called }) => ({ ein, name: called, note: "" })) });
    return id && [`${plural(rows.length, "organization", "organizations")} saved to “${name}”, a list in this browser. `, h("a", { href: `#/list/${id}` }, "Open the list")];
  };
  const cells = async (rows, valuesOf) => {
    const titleOf = await nteeTitles();
    const details = await valuesOf(rows.map(({ ein }) => ein), FURTHER.map(([, field]) => field), signal);
    const titles = [...COLUMNS, ...FURTHER].map(([title]) => title);
    return [titles, ...rows.map((row) => [...COLUMNS.map(([, of]) => of(row, titleOf)), ...FURTHER.map(([, field]) => furtherCell(field, details.get(row.ein)?.[field] ?? null))])];
  };
  // Only who wants a file waits for what writes one.
  const csv = async (rows) => {
    const [{ write }, { valuesOf }, { download, fileName }] = await Promise.all([import("./csv.js"), import("./values.js"), import("./exchange.js")]);
    download(write(await cells(rows, valuesOf)), fileName(name, "csv"), "text/csv");
  };
  const xlsx = async (rows) => {
    const [{ TYPE, workbook }, { searchSheet }, { valuesOf }, { download, fileName }] = await Promise.all([
      import("./sheet.js"), import("./about_sheet.js"), import("./values.js"), import("./exchange.js")]);
    const sheets = [{ name, rows: await cells(rows, valuesOf), amounts: AMOUNTS }, await searchSheet({ ...about, rows: rows.length, total })];
    download(workbook(sheets), fileName(name, "xlsx"), TYPE);
  };
  const button = (id, text, act) => h("button", { type: "button", class: "button small", id, onclick: act }, text);
  const group = (id, which, given) => h("div", { class: "row", role: "group", "aria-label": which }, h("span", { class: "keeping-which" }, `${which[0].toUpperCase()}${which.slice(1)}`),
    button(`save-${id}`, "Save to a list", given(save)), button(`csv-${id}`, "CSV", given(csv)), button(`xlsx-${id}`, "Excel", given(xlsx)));
  const withRows = (rowsOf) => (act) => async ({ target }) => {
    target.disabled = true;
    state.textContent = "Fetching…";
    try {
      state.replaceChildren(...nodes(await act(await rowsOf())));
    } catch (error) {
      if (!signal.aborted && !aborted(error)) state.textContent = error.message;
    } finally {
      target.disabled = false;
    }
  };
  return h("details", { class: "keeping no-print" }, h("summary", { class: "button small" }, "Save or download"),
    h("div", { class: "keeping-menu" },
      whole && group("all", whole, withRows(() => everything(request, total ?? ROWS_MAX, signal))), group("shown", these, withRows(() => shown)), state));
}
