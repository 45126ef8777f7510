// Up to five nonprofits side by side: `#/compare?eins=a,b,c`. Every figure says its year; amounts of
// a row are drawn on one scale. What is not known says so, and no organization is called the best.
import { ask, call, copyable } from "./api.js";
import { detailsOf, requestsOf } from "./batch.js";
import { profileOf } from "./card.js";
import { GROUPS, isNumber, later } from "./compared_rows.js";
import { write } from "./csv.js";
import { h, nodes } from "./dom.js";
import { download, einsIn, leftOut } from "./exchange.js";
import { UNKNOWN, dashed, excerpt, otherName } from "./format.js";
import { printed } from "./printed.js";
import { comparison } from "./saved.js";
import { PICKS_MAX } from "./shelf.js";
import { announce, aborted, empty, loading, problem } from "./states.js";
import { typeahead } from "./typeahead.js";

const FIELDS = ["ein", "name", "alt_name", "streetAddress", "city", "state", "zipCode5", "issueArea", "ntee", "yearFounded", "irsRulingDate", "revenueGrandTotal", "netAssets", "filingYear", "formType", "summary"];

/** What the page has been told of each, so that one more asks for that one alone. */
const known = new Map();

export const title = () => "Compare";

export async function show(root, context) {
  const box = typeahead({
    button: "Add", label: "Add an organization by name or EIN", placeholder: "Add by name or EIN",
    onChoose: (ein) => put(ein), onSearch: (q) => put(einsIn(q).rows[0]?.ein ?? null),
  });
  const adding = h("div", { class: "compare-adding no-print" }, box.element, h("p", { class: "small", role: "status", id: "compare-said" }));
  const holder = h("div", { class: "compare-holder" });
  root.replaceChildren(h("h1", {}, "Compare"), adding, holder);
  const said = adding.querySelector("#compare-said");
  function put(ein) {
    const { eins } = asked(new URLSearchParams(location.hash.split("?")[1]));
    if (!ein) said.textContent = "Choose a suggestion, or type a nine-digit EIN.";
    else if (eins.includes(ein)) said.textContent = "It is already in the comparison.";
    else if (eins.length >= PICKS_MAX) said.textContent = `You can compare ${PICKS_MAX} at a time. Remove one first.`;
    else {
      said.textContent = "";
      box.fill("");
      context.go(comparison([...eins, ein]));
    }
  }
  await update(root, context);
}

/** The box stays, with whoever types in it. */
export async function update(root, context) {
  const holder = root.querySelector(".compare-holder");
  const { eins, left } = asked(context.parameters);
  if (!eins.length) {
    holder.replaceChildren(...nodes([left && h("p", { role: "note" }, left),
      empty("Nothing to compare yet.", `Add two to ${PICKS_MAX} organizations above, or press Compare next to a search result.`)]));
    return;
  }
  if (!eins.every((ein) => known.has(ein))) holder.replaceChildren(loading("Loading the comparison…", 6));
  try {
    await load(eins, context.signal);
  } catch (error) {
    if (aborted(error) || context.signal.aborted) throw error;
    holder.replaceChildren(problem(error, () => update(root, context)));
    return;
  }
  if (context.signal.aborted) return;
  const all = eins.map((ein) => known.get(ein));
  context.retitle(`Compare ${all.map(({ name }) => excerpt(name, 40)).join(", ")}`);
  holder.replaceChildren(...nodes([printed(), left && h("p", { class: "list-left", role: "note" }, left), drawn(all, context)]));
  announce(`${eins.length} side by side`);
}

function asked(parameters) {
  const found = einsIn(parameters.getAll("eins").join(","));
  const all = found.rows.map(({ ein }) => ein);
  const over = all.slice(PICKS_MAX);
  const left = [leftOut(found), over.length > 0 && `At most ${PICKS_MAX} can be compared; left out: ${over.map(dashed).join(", ")}.`].filter(Boolean).join(" ");
  return { eins: all.slice(0, PICKS_MAX), left };
}

async function load(eins, signal) {
  const missing = eins.filter((ein) => !known.has(ein));
  if (!missing.length) return;
  const details = await detailsOf(missing, FIELDS, signal);
  await Promise.all(missing.map(async (ein) => {
    const found = details.get(ein);
    const [standing, filing, provenance, report] = found ? await Promise.all([
      ask(`/nonprofits/standing/${ein}`, {}, { signal }).then(({ body }) => body),
      ask(`/nonprofits/filings/${ein}`, { size: 1 }, { signal }).then(({ body }) => body.items[0] ?? null),
      ask(`/nonprofits/provenance/${ein}`, {}, { signal }).then(({ body }) => body),
      ask(`/nonprofits/reliance/${ein}`, {}, { signal }).then(({ body }) => body),
    ]) : [null, null, null, null];
    known.set(ein, { ein, found, name: found?.name ?? dashed(ein), standing, filing, provenance, report });
  }));
}

const isUnknown = ({ value }) => value === null || value === undefined;

function drawn(all, context) {
  const eins = all.map(({ ein }) => ein);
  const folded = [];
  const groups = GROUPS.map(([name, rows]) => [name, rows.filter(([, titled, of]) => {
    if (!all.every((one) => isUnknown(of(one)))) return true;
    // That nothing is newer than the returns is no gap.
    if (of !== later) folded.push(titled);
    return false;
  })]).filter(([, rows]) => rows.length);
  const table = h("table", { class: "data comparison" },
    h("thead", {}, h("tr", {}, h("td", { class: "corner" }), all.map((one) => head(one, eins, context)))),
    groups.map(([name, rows]) => h("tbody", {},
      h("tr", { class: "group" }, h("th", { scope: "rowgroup" }, name), h("td", { colspan: String(all.length) })),
      rows.map((row) => rowOf(row, all)))));
  table.style.setProperty("--columns", all.length);
  return [
    h("div", { class: "scroll-x comparison-holder", tabindex: "0", role: "group", "aria-label": "Comparison" }, table),
    folded.length > 0 && h("details", { class: "more" },
      h("summary", {}, folded.length === 1 ? "1 empty row is hidden" : `${folded.length} empty rows are hidden`),
      h("p", {}, `Not known for any: ${folded.join(", ").toLowerCase()}.`)),
    h("p", { class: "muted small" }, "The bars in a row share one scale. Returns may be from different years, and no single figure says which organization is better."),
    h("div", { class: "row no-print" },
      h("button", { type: "button", class: "button", id: "compare-csv", onclick: () => download(csv(all), "comparison.csv", "text/csv") }, "Export as CSV"),
      h("button", { type: "button", class: "button", onclick: () => print() }, "Print")),
    h("details", { class: "call" }, h("summary", {}, "Share this comparison"), copyable(`${location.origin}${location.pathname}${comparison(eins)}`, "Link to the comparison")),
    call([...requestsOf(eins, FIELDS), ...eins.flatMap((ein) => [[`/nonprofits/standing/${ein}`], [`/nonprofits/filings/${ein}`, { size: 1 }], [`/nonprofits/provenance/${ein}`], [`/nonprofits/reliance/${ein}`]])]),
  ];
}

function head({ ein, name, found }, eins, { go }) {
  const without = () => {
    go(comparison(eins.filter((one) => one !== ein)));
    document.querySelector("main h1")?.focus();
  };
  return h("th", { scope: "col" },
    found ? h("a", { href: profileOf(ein) }, name) : h("span", {}, "Not in this server’s data"),
    found && otherName(found) && h("span", { class: "compare-head other-name muted" }, otherName(found)),
    h("span", { class: "compare-head" }, h("span", { class: "ein muted small" }, dashed(ein)),
      h("button", { type: "button", class: "button quiet small", "aria-label": `Remove ${name}`, onclick: without }, "×")));
}

function rowOf([name, titled, of, { say = (value) => value, exactly, bar } = {}], all) {
  const values = all.map(of);
  const most = Math.max(...values.map(({ value }) => (isNumber(value) ? Math.abs(value) : 0)));
  return h("tr", { dataset: { row: name } }, h("th", { scope: "row" }, titled), values.map((one) => {
    if (isUnknown(one)) return h("td", { class: "muted" }, h("span", { class: "said" }, UNKNOWN), one.why && h("span", { class: "when small" }, one.why));
    return h("td", { class: bar ? "amount" : null },
      h("span", { class: one.kind ? `said ${one.kind}` : "said", title: exactly?.(one.value) }, say(one.value)),
      one.when && h("span", { class: "when muted small" }, one.when),
      bar && isNumber(one.value) && barOf(one.value, most));
  }));
}

/** A bar as long as the amount is of the largest of its row; a loss is hatched. */
function barOf(value, most) {
  const bar = h("span", { class: value < 0 ? "bar loss" : "bar" });
  bar.style.width = `${most > 0 ? Math.max((Math.abs(value) / most) * 100, value === 0 ? 0 : 1) : 0}%`;
  return h("span", { class: "bar-ground", "aria-hidden": "true" }, bar);
}

/** A row for each organization; what each figure is of stands beside it. */
function csv(all) {
  const rows = GROUPS.flatMap(([, some]) => some);
  const heads = ["ein", "name", "other_name", ...rows.flatMap(([name, , , as]) => (as?.bar || /exemption|gifts|revocation/.test(name) ? [name, `${name}_of`] : [name]))];
  return write([heads, ...all.map((one) => {
    const values = Object.fromEntries(rows.flatMap(([name, , of]) => [[name, of(one).value], [`${name}_of`, of(one).when]]));
    return heads.map((name) => (name === "ein" ? dashed(one.ein) : name === "name" ? one.name : name === "other_name" ? one.found && otherName(one.found) : values[name]));
  })]);
}
