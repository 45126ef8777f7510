// What the columns of a list are: recognised by their usual headings, which the server declares, or by
// what their cells look like where there are no headings; and what a row asks the server.
import { HEADINGS_WITHIN } from "./csv.js";
import { HEADINGS } from "./declared.js";

/** What a column may be, in the order in which people are told. Only other names may be several columns. */
export const ROLES = {
  name: "Name", other_name: "Other name", street: "Street", street2: "Street, second line",
  city: "City", state: "State", zip: "ZIP code", ein: "EIN",
};
/** Other names of one query, as the server takes them. */
const OTHER_NAMES_MAX = 10;
/** Rows that are looked at where there are no headings, and the share of them that must look alike. */
const LOOKED_AT = 200;
const ALIKE_MIN = 0.8;

/** A heading in the normal form of the table of headings. */
const normal = (heading) => heading.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f'’‘`]/g, "")
  .replaceAll("&", " and ").replace(/[^\p{L}\p{N}]+/gu, " ").trim();

const usual = new Map(HEADINGS.map(([role, heading], at) => [heading, { role, at }]));

/** How many usual headings a row has. */
export const headings = (row) => row.filter((cell) => usual.has(normal(cell))).length;

/**
 * Where the headings are: in the first row that has a usual heading of a name or an EIN, or several others, as what
 * stands above them are titles; -1 where none of the first rows has.
 */
export const headingsAt = (rows) => rows.slice(0, HEADINGS_WITHIN).findIndex((row) => (
  headings(row) > 1 || row.some((cell) => ["name", "ein"].includes(usual.get(normal(cell))?.role))));

/**
 * What each column is, by its heading: of several for one thing the most usual.
 * @param {string[]} header
 * @returns {Array<string|null>} a key of ROLES for each column
 */
export function byHeadings(header) {
  const roles = header.map(() => null);
  const known = header.map((heading, column) => ({ column, ...usual.get(normal(heading)) })).filter(({ role }) => role);
  known.sort((a, b) => a.at - b.at || a.column - b.column);
  for (const { role, column } of known) {
    if (role === "other_name" || !roles.includes(role)) roles[column] = role;
  }
  return roles;
}

const LOOKS = [
  ["ein", /^\d{2}-\d{7}$/], ["zip", /^\d{5}(-\d{4})?$/], ["state", /^[A-Za-z]{2}$/], ["ein", /^\d{2}-?\d{7}$/],
  ["street", /^(\d+\S*\s+\S|p\.?\s*o\.?\s*box)/i],
];

/** What each column is, by its cells: for lists without headings. The first that is text is the name. */
export function byCells(rows, count) {
  const roles = Array(count).fill(null);
  const share = (column, fits) => {
    const cells = rows.slice(0, LOOKED_AT).map((row) => (row[column] ?? "").trim()).filter(Boolean);
    return cells.length ? cells.filter(fits).length / cells.length : 0;
  };
  for (const [role, look] of LOOKS) {
    const column = roles.findIndex((taken, at) => !taken && share(at, (cell) => look.test(cell)) >= ALIKE_MIN);
    if (column >= 0 && !roles.includes(role)) roles[column] = role;
  }
  const name = roles.findIndex((taken, at) => !taken && share(at, (cell) => /\p{L}{3}/u.test(cell)) >= ALIKE_MIN);
  if (name >= 0) roles[name] = "name";
  // People write the city before the state.
  const city = roles.indexOf("state") - 1;
  if (city >= 0 && !roles[city]) roles[city] = "city";
  return roles;
}

/** Headings that occur more than once, as they are written. */
export function twice(header) {
  const forms = header.map(normal);
  return [...new Set(header.filter((heading, at) => forms[at] && forms.indexOf(forms[at]) !== at).map((heading) => heading.trim()))];
}

/** Whether rows can be matched by these columns: they have names, or EINs. */
export const suffice = (roles) => roles.includes("name") || roles.includes("ein");

/** What a row asks, as `POST /match` takes it. */
export function query(row, roles) {
  const cells = (role) => roles.flatMap((one, at) => (one === role ? [(row[at] ?? "").trim()] : [])).filter(Boolean);
  const asked = { name: cells("name")[0] ?? "" };
  const others = cells("other_name").slice(0, OTHER_NAMES_MAX);
  if (others.length) asked.other_names = others;
  const street = [...cells("street"), ...cells("street2")].join(" ");
  if (street) asked.street = street;
  for (const role of ["city", "state", "zip", "ein"]) {
    const [value] = cells(role);
    if (value) asked[role] = value;
  }
  return asked;
}
