// What stands around a list of grants: a box that filters it by recipient, purpose or place, and a button that writes all
// of them to a file. How the rows are drawn is the business of who shows them.
import { ask } from "./api.js";
import { h, nodes } from "./dom.js";
import { count, dashed, dollars, named, plural } from "./format.js";
import { aborted, announce, problem } from "./states.js";

/** The most rows that the server gives at once, and the most that a file has. */
const PAGE = 100;
const FILE_MAX = 5000;
/** As many can be looked through without a filter. */
const FILTERED_MIN = 20;

const COLUMNS = [
  ["Funder EIN", (one) => dashed(one.grantor_ein)], ["Funder", (one) => one.grantor_name],
  ["Recipient EIN", (one) => (one.recipient_ein ? dashed(one.recipient_ein) : null)], ["Recipient", (one) => named(one.recipient_name)],
  ["City", (one) => named(one.recipient_city)], ["State", (one) => one.recipient_state], ["ZIP code", (one) => one.recipient_zip],
  ["Region abroad", (one) => one.foreign_region], ["Purpose", (one) => one.purpose_shown],
  ["Cash (USD)", (one) => one.cash], ["Not in cash (USD)", (one) => one.noncash],
  ["Tax year", (one) => one.tax_year], ["Period ends", (one) => one.period_end], ["Form", (one) => one.form], ["Return", (one) => one.file_url],
];

/** All grants of a request, as many as a file has. */
export async function allOf(path, asked, total, signal) {
  const rows = [];
  for (let page = 1; rows.length < Math.min(total, FILE_MAX); page += 1) {
    const { body } = await ask(path, { ...asked, page, size: PAGE }, { signal });
    rows.push(...body.items);
    if (body.items.length < PAGE) break;
  }
  return rows;
}

/** A button that writes all grants of a request to a file; null where there are none, or more than a file has. */
export function csvButton(path, asked, { total, name, signal }) {
  if (total === 0 || total > FILE_MAX) return null;
  const text = total === 1 ? "Download it as CSV" : `Download all ${count(total)} as CSV`;
  const button = h("button", { type: "button", class: "button small grants-csv", onclick: save }, text);
  const said = h("span", { class: "muted small", role: "status" });
  async function save() {
    button.disabled = true;
    said.textContent = "Fetching…";
    try {
      const [{ write }, { download, fileName }, rows] = await Promise.all([import("./csv.js"), import("./exchange.js"), allOf(path, asked, total, signal)]);
      download(write([COLUMNS.map(([title]) => title), ...rows.map((row) => COLUMNS.map(([, of]) => of(row)))]), fileName(name, "csv"), "text/csv");
      said.textContent = "";
    } catch (error) {
      if (!signal.aborted && !aborted(error)) said.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  }
  return h("div", { class: "row no-print" }, button, said);
}

/**
 * Grants with a box that filters them, and a file of those that it leaves.
 * @param {{path: string, asked: object, body: object, name: string}} grants the request, its answer, and what a file is called
 * @param {(asked: object, body: object) => Promise<*>} rowsOf draws the rows of an answer
 * @param {AbortSignal} signal
 */
export async function filterable({ path, asked, body, name }, rowsOf, signal) {
  const holder = h("div", {}, nodes([await rowsOf(asked, body), csvButton(path, asked, { total: body.total, name, signal })]));
  if (body.total <= FILTERED_MIN || asked.direction !== "made") return holder;
  const id = `${asked.direction}-filter`;
  const box = h("input", { id, type: "search", maxlength: "256", autocomplete: "off", placeholder: "Recipient, purpose, city or state" });
  const said = h("p", { class: "small", role: "status" });
  let latest = 0;
  async function filter() {
    const q = box.value.trim();
    const own = ++latest;
    try {
      const wanted = q ? { ...asked, q } : asked;
      const found = q ? (await ask(path, { ...wanted, size: PAGE }, { signal })).body : body;
      const rows = found.total > 0 && await rowsOf(wanted, found);
      // A later filter may have been answered already.
      if (own !== latest) return;
      said.textContent = q ? matching(q, found, body.total) : "";
      holder.replaceChildren(...nodes([rows, csvButton(path, wanted, { total: found.total, name: q ? `${name} ${q}` : name, signal })]));
      if (!q) announce(`All ${plural(body.total, "grant", "grants")}`);
    } catch (error) {
      if (!signal.aborted && !aborted(error)) holder.replaceChildren(problem(error, filter));
    }
  }
  const form = h("form", { class: "row grants-filter no-print", role: "search", "aria-label": "Filter these grants", onsubmit: (event) => { event.preventDefault(); filter(); } },
    h("label", { for: id }, "Filter these grants"), box, h("button", { class: "button small" }, "Filter"));
  // The cross of the field empties it without sending the form.
  box.addEventListener("search", () => { if (!box.value) filter(); });
  return h("div", {}, form, said, holder);
}

function matching(q, { total, total_amount: sum }, all) {
  if (total === 0) return `None of the ${count(all)} grants matches “${q}”. Try fewer words: part of the recipient’s name, a purpose, a city or a state.`;
  return `${count(total)} of ${count(all)} grants ${total === 1 ? "matches" : "match"} “${q}”${sum === null ? "" : `, ${dollars(sum)} in all`}.`;
}
