// What the returns of a nonprofit tell: its finances, the returns themselves, its people and its
// programs. Each function makes the content of one section, or null when there is nothing to show;
// none of them asks the server.
import { line } from "./card.js";
import { finances } from "./chart.js";
import { h } from "./dom.js";
import { count, day, dollars, isShort, lengthOf, month, short, website } from "./format.js";
import { folded } from "./posts.js";
import { periodOf } from "./provenance.js";
import { fromProvenance, fromReturn, returnOf, sourced } from "./source.js";
import { titled } from "./titles.js";
import { yearOf } from "./year.js";

const PROGRAMS_SHOWN = 4;
/** Fewer years are read in the table of returns. */
const CHARTED_MIN = 3;

export const known = (value) => typeof value === "number" && Number.isFinite(value);
const hidden = (text) => h("span", { class: "visually-hidden" }, text);
const absent = () => h("span", { class: "muted" }, h("span", { "aria-hidden": "true" }, "–"), hidden("not known"));
export const cell = (value, say = dollars) => h("td", { class: "num" }, known(value) ? say(value) : absent());
export const column = (text, number = true) => h("th", { scope: "col", class: number ? "num" : null }, text);

/** A tax year as the page names years, by the end of the period that the return is about: “year to June 2022”. */
export function taxYear(year, filings) {
  const of = filings.find((one) => String(one.tax_year) === String(year));
  return of?.period_end ? `${lengthOf(of)} to ${month(of.period_end)}` : `tax year ${year}`;
}

/** A table that may be wider than the page scrolls by itself, by keyboard too. */
export function scrolling(label, table) {
  return h("div", { class: "scroll-x", tabindex: "0", role: "group", "aria-label": label }, table);
}

/** Amounts at the end of which month. */
const endOf = (period) => (period ? `end of ${month(period)}` : null);

const isPostcard = (standing) => Boolean(standing?.filing_requirement?.includes("990-N"));

/** What a private foundation got for investments that it sold is among its gross receipts. */
const OF_SALES = "including sales of investments";

/** What the IRS's list says of one that no return is loaded of: assets, gross receipts, and how little a small one takes in. */
function listedFigures(standing, isFoundation) {
  const { list } = standing.checks.exemption;
  const source = list ? `${list.title}, as of ${month(list.date ?? list.downloaded)}.` : "IRS master file extract.";
  return [
    // Who files an e-Postcard tells no assets; the list has a zero there.
    ["Assets", isPostcard(standing) ? null : standing.assets, endOf(standing.assets_period), short, dollars],
    ["Gross receipts", standing.gross_receipts > 0 ? standing.gross_receipts : null, [standing.assets_period && `year to ${month(standing.assets_period)}`, isFoundation && OF_SALES].filter(Boolean).join(", "), short, dollars],
  ].map((one) => [...one, () => source]);
}

/** The figures of the latest return, and those of the IRS's list that are newer, each `[name, value, when, short, exact, source]`. */
function figuresOf(details, { filings, provenance, standing }) {
  const latest = filings[0] ?? {};
  const to = latest.period_end ? `${lengthOf(latest)} to ${month(latest.period_end)}` : null;
  const period = periodOf(provenance, "revenueGrandTotal") ?? (details.filingYear ? `latest known, ${details.filingYear}` : "latest known");
  const told = () => fromProvenance(provenance, "revenueGrandTotal") ?? period;
  const filed = () => fromReturn(details.ein, latest);
  const listed = standing && (standing.assets_period ?? "") > (latest.period_end ?? "").slice(0, 7) ? listedFigures(standing, details.foundation) : [];
  // The figures of one return stand together; those of a later year are told apart.
  const ofReturn = [
    ["Revenue", latest.revenue, to, short, dollars, filed],
    ["Expenses", latest.expenses, to, short, dollars, filed],
    ["Net assets", latest.net_assets, to, short, dollars, filed],
    ["Assets", latest.assets, to, short, dollars, filed],
    ["Liabilities", latest.liabilities, to, short, dollars, filed],
    ["Employees", latest.employees, to, count, count, filed],
    ["Volunteers", latest.volunteers, to, count, count, filed],
  ];
  const later = [
    ["Revenue", (period !== to || !known(latest.revenue)) && details.revenueGrandTotal, period, short, dollars, told],
    ...listed,
  ];
  return [ofReturn, later].map((some) => some.filter(([, value]) => known(value)));
}

/** How large it is by the newest figures, in a line; null where no source says. */
export function sizeOf(details, { filings, provenance, standing }) {
  const [figures, newer] = figuresOf(details, { filings: filings ?? [], provenance, standing });
  const figure = (wanted) => [...newer, ...figures].find(([name]) => name === wanted);
  const parts = [figure("Revenue") ?? figure("Gross receipts"), figure("Assets")].filter(Boolean);
  if (parts.length === 0) {
    return known(standing?.revenue_ceiling) ? [`Revenue normally at most ${dollars(standing.revenue_ceiling)} a year`, isPostcard(standing) && note("files the e-Postcard")] : null;
  }
  if (filings?.length === 0 && parts.every(([, value]) => value === 0)) return "The IRS’s list has $0 for revenue and assets, which may mean that none were reported";
  return parts.map(([name, value, when], at) => [at > 0 ? `, ${name.toLowerCase()} ` : `${name} `, h("strong", {}, short(value)),
    note(name === "Assets" ? when?.replace(/^.+ to /, "end of ") : when)]);
}

const note = (text) => text && h("span", { class: "muted small" }, ` (${text})`);

/**
 * The latest return's figures, its money in pictures, the years where there are several, and what is newer than all
 * returns. `filings` null when they could not be had, which is not the same as none.
 */
export function financesSection(details, { filings: returns, provenance, standing }) {
  const filings = returns ?? [];
  const [figures, newer] = figuresOf(details, { filings, provenance, standing });
  const hasReceipts = newer.some(([name]) => name === "Gross receipts");
  const small = known(standing?.revenue_ceiling) && !known(details.revenueGrandTotal) && !hasReceipts
    && h("p", {}, isPostcard(standing) ? `Files the e-Postcard (Form 990-N), so its gross receipts are normally at most ${dollars(standing.revenue_ceiling)} a year. The IRS publishes no amount for it.`
      : `Revenue of at most ${dollars(standing.revenue_ceiling)} a year, by its income class in the IRS’s list, which gives no amount.`);
  const chart = filings.length >= CHARTED_MIN ? finances(filings) : null;
  if (figures.length === 0 && newer.length === 0 && !chart && !small) return null;
  return [
    small, large(figures), filings[0] && yearOf(filings[0]), chart,
    figures.length > 0 && newer.length > 0 && h("h3", {}, "Newer figures, without a loaded return"),
    large(newer),
    returns?.length === 0 && h("p", { class: "muted small" }, isPostcard(standing) ? "An e-Postcard has no figures, so there is no return to read. Ask the organization itself."
      : ["None of its returns is loaded here, so there are no expenses, people or earlier years.", h("span", { class: "no-print" }, " The links above lead to its returns.")]),
  ];
}

/** Figures in large, each with the period it is about and its source; null without any. */
function large(figures) {
  return figures.length > 0 && h("dl", { class: "figures" }, figures.map(([name, value, when, say, exactly, source]) => h("div", {},
    h("dt", {}, name), h("dd", {}, sourced(say(value), [h("strong", {}, exactly(value)), ". ", source()])), when && h("dd", { class: "muted small" }, when))));
}

/** Every return, latest first, as the server lists them. */
export function filingsSection(ein, filings) {
  if (filings.length === 0) return null;
  const linked = filings.some(({ url }) => website(url));
  const rows = filings.map((filing) => {
    const url = website(filing.url);
    return h("tr", {},
      h("th", { scope: "row" }, h("a", { href: returnOf(ein, filing) }, month(filing.period_end)), isShort(filing) && h("small", {}, ` ${lengthOf(filing)}`)),
      h("td", {}, filing.form_type, filing.amended && [" ", h("span", { class: "badge" }, "Amended")]),
      h("td", { class: "date" }, filing.filed ? day(filing.filed) : h("span", { class: "muted" }, "not known")),
      cell(filing.revenue), cell(filing.expenses), cell(filing.net_assets),
      linked && h("td", {}, url && h("a", { href: url, rel: "noopener noreferrer" }, "XML",
        hidden(` of the ${filing.form_type} of ${month(filing.period_end)}`))));
  });
  return scrolling("Returns", h("table", { class: "data" },
    h("thead", {}, h("tr", {}, column("Year to", false), column("Form", false), column("Filed", false),
      column("Revenue"), column("Expenses"), column("Net assets"), linked && column("As filed", false))),
    h("tbody", {}, rows)));
}

/** The people of one return, the best paid first. */
export function peopleOf(filing) {
  const people = [...filing.officers].sort((a, b) => (b.compensation ?? -1) - (a.compensation ?? -1));
  const rows = people.map((person) => h("tr", {},
    h("th", { scope: "row" }, person.name),
    h("td", {}, person.title ? titled(person.title) : ""),
    cell(person.hours, count), cell(person.compensation)));
  return scrolling("People", h("table", { class: "data people" },
    h("thead", {}, h("tr", {}, column("Name", false), column("Title", false), column("Hours a week"), column("Pay"))),
    h("tbody", {}, rows)));
}

/** The independent contractors of one return, in its order. */
export function contractorsOf(filing) {
  const rows = filing.contractors.map((one) => h("tr", {}, h("th", { scope: "row" }, one.name), h("td", {}, one.services ?? ""), cell(one.compensation)));
  return scrolling("Contractors", h("table", { class: "data people" },
    h("thead", {}, h("tr", {}, column("Name", false), column("Services", false), column("Paid"))),
    h("tbody", {}, rows)));
}

/** The transactions of one return with interested persons, in its order. */
export function transactionsOf({ transactions }) {
  const rows = transactions.map((one) => h("tr", {}, h("th", { scope: "row" }, one.name ?? "not named"),
    h("td", {}, [one.kind, one.direction].filter(Boolean).join(" ")), h("td", {}, one.relationship ?? ""),
    h("td", {}, one.description ?? one.assistance ?? ""), cell(one.amount), cell(one.balance_due)));
  return scrolling("Transactions with interested persons", h("table", { class: "data people" },
    h("thead", {}, h("tr", {}, column("With", false), column("Kind", false), column("Relationship", false), column("For", false),
      column("Amount"), column("Still due"))),
    h("tbody", {}, rows)));
}

/** The programs of the latest return that tells of any. */
export function programsSection(filings) {
  const from = filings.find(({ programs }) => programs?.length > 0);
  return from ? [
    h("p", { class: "muted small" }, `From the return for the ${lengthOf(from)} to ${month(from.period_end)}.`),
    programsOf(from, PROGRAMS_SHOWN),
  ] : null;
}

/** The programs of one return, in its order; those past `limit` are folded away. */
export function programsOf(filing, limit = Infinity) {
  const items = filing.programs.map((program) => h("li", { class: "item" },
    folded(program.description),
    h("p", { class: "muted small" }, line([
      known(program.expenses) && `${dollars(program.expenses)} spent`,
      known(program.grants) && `${dollars(program.grants)} of it in grants`,
      known(program.revenue) && `${dollars(program.revenue)} earned`,
    ]))));
  return [h("ol", { class: "plain items" }, items), shorten(items, limit)];
}

/** As many as are shown at once of what was hidden. */
const UNFOLDED_MAX = 100;

/** Hides what goes beyond `limit`; gives the button that shows it, or null where one would not be worth it. */
export function shorten(elements, limit) {
  if (elements.length <= limit + 1) return null;
  const beyond = elements.slice(limit);
  for (const one of beyond) one.hidden = true;
  const button = h("button", { type: "button", class: "button small", onclick: unfold });
  const label = () => { button.textContent = beyond.length > UNFOLDED_MAX ? `Show ${UNFOLDED_MAX} more of ${count(beyond.length)}` : `Show all ${count(elements.length)}`; };
  function unfold() {
    const some = beyond.splice(0, UNFOLDED_MAX);
    for (const one of some) one.hidden = false;
    if (beyond.length) label();
    else button.remove();
    some[0].tabIndex = -1;
    some[0].focus({ preventScroll: true });
  }
  label();
  return button;
}
