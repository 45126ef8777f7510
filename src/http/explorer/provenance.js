// Where the values of a nonprofit are from, of which tax period its figures are, and what changed of it.
import { h } from "./dom.js";
import { count, day, dollars, month } from "./format.js";

const NAMES = {
  ein: "EIN", name: "Name", url: "Website", summary: "Mission", streetAddress: "Street", city: "City", state: "State",
  zipCode5: "ZIP code", ntee: "NTEE code", issueArea: "Cause", yearFounded: "Year of formation",
  filingYear: "Latest year filed", revenueGrandTotal: "Revenue", expenses: "Expenses", assets: "Assets", liabilities: "Liabilities", netAssets: "Net assets",
  foundation: "Private foundation", inactive: "Exemption revoked", irsRulingDate: "Exempt since", sdgs: "Goals",
  formType: "Form", alt_name: "Second name line", impactSummary: "What it accomplished", gcVetted: "Vetted",
};
const LEFT_OUT = ["lat", "lng", "logo", "gcVideoUrl", "gcDonationUrl", "irsFilingUrl"];
const WHY = {
  "not filed": "left blank",
  "not in this list": "in no loaded list or return",
  "list not loaded": "not loaded",
  withheld: "not published by the IRS",
  unreadable: "the entry cannot be read",
};
const CHANGES = {
  appeared: "New in the master file", vanished: "Dropped from the master file", renamed: "Renamed", moved: "Moved",
  revoked: "Exemption revoked", reinstated: "Exemption reinstated", deductibility_changed: "Deductibility code changed",
  foundation_changed: "Foundation code changed", new_return: "New return",
};

/** The tax period that a figure of the details is of, in words; null where that is not known. */
export function periodOf(provenance, field) {
  const one = provenance?.fields.find((known) => known.field === field);
  return one?.tax_period && one.value !== null ? `year to ${month(one.tax_period)}` : null;
}

/** Why a value of the details is not known; null where it is, or nothing is told of it. */
export function whyUnknown(provenance, field) {
  const one = provenance?.fields.find((known) => known.field === field);
  if (!one?.missing) return null;
  if (one.missing === "list not loaded") return "its list is not loaded";
  return one.missing === "not filed" && one.source ? `left blank in the ${one.source.title}` : WHY[one.missing];
}

/** A table of every value, the list or return it is from and as of when; null where that is not told. */
export function sourcesSection(provenance) {
  const known = new Map(provenance.fields.map((one) => [one.field, one]));
  const fields = [...new Set([...Object.keys(NAMES), ...known.keys()])].filter((field) => known.has(field) && !LEFT_OUT.includes(field));
  const rows = fields.map((field) => known.get(field)).map((one) => h("tr", {},
    h("th", { scope: "row" }, NAMES[one.field] ?? inWords(one.field)),
    h("td", {}, one.value === null ? h("span", { class: "muted" }, `not known: ${WHY[one.missing]}`) : shown(one)),
    h("td", {}, from(one)),
    h("td", { class: "date" }, asOf(one))));
  const table = h("table", { class: "data" },
    h("thead", {}, h("tr", {}, ["Field", "Value", "Source", "As of"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, rows));
  return h("details", { class: "every-source" }, h("summary", {}, "Every value with its source"),
    h("div", { class: "scroll-x", tabindex: "0", role: "group", "aria-label": "Sources" }, table));
}

/** `accreditedUntil` as “Accredited until”. */
const inWords = (field) => field.replace(/[A-Z]/g, " $&").toLowerCase().replace(/^./, (first) => first.toUpperCase());

const AMOUNTS = ["revenueGrandTotal", "expenses", "assets", "liabilities", "netAssets"];

function shown({ field, value }) {
  if (AMOUNTS.includes(field)) return dollars(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = [value].flat().join(", ");
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function from({ kind, source, return: filed, column, paths, tax_period: period }) {
  if (filed) {
    const element = paths[0]?.split("/").at(-1);
    return [`Form ${filed.form_type}, year to ${month(filed.period_end)}`, element && h("code", { class: "small" }, ` ${element}`)];
  }
  if (!source) return h("span", { class: "muted" }, kind.replaceAll("_", " "));
  return [source.title, column && h("code", { class: "small" }, ` ${column}`), period && `, year to ${month(period)}`];
}

function asOf({ source, return: filed }) {
  if (filed) return filed.filed ? `filed ${day(filed.filed)}` : null;
  if (!source?.date) return null;
  return source.dated_by === "download" ? `file of ${day(source.date)}` : day(source.date);
}

/** What changed since earlier snapshots, the latest first; null where nothing did. */
export function changesSection({ items, total }) {
  if (items.length === 0) return null;
  const value = (text) => text ?? "nothing";
  return [
    h("ul", { class: "plain" }, items.map((one) => h("li", {},
      h("strong", {}, CHANGES[one.kind] ?? one.kind), ` (seen ${day(one.seen)}): ${value(one.before)} → ${value(one.after)}`))),
    total > items.length && h("p", { class: "muted small" }, `${count(items.length)} of ${count(total)}.`),
  ];
}
