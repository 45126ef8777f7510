// The sheet "About" of a workbook: what was asked and how it was understood, which lists the rows are from and of when, and
// where they can be looked up again. A file that is passed on explains itself.
import { asOf, holdings } from "./holdings.js";
import { count, day } from "./format.js";

const TITLE = "About";

/** The rows of a search: what the file has of it, beside its filters and order in words. */
export const searchSheet = ({ words, understood, filters, order, rows, total }) => sheet([
  ["Search", words || "(no words)"],
  ["Understood as", understood],
  ["Filters", filters.join("; ") || "(none)"],
  ["Order", order],
  ["Rows", total !== null && total > rows ? `${count(rows)} of ${count(total)} found` : count(rows)],
]);

/** The rows of a list that somebody keeps. */
export const listSheet = ({ name, note, rows }) => sheet([["List", name], ["Note", note || "(none)"], ["Rows", count(rows.length)]]);

async function sheet(asked) {
  const { snapshot, built_at, organizations, lists } = await holdings();
  const [loaded, missing] = [true, false].map((is) => lists.filter((list) => (list.loaded && list.rows > 0) === is));
  return { name: TITLE, rows: [
    ["About this file", ""],
    ...asked,
    ["Address of the page", location.href],
    ["Written", day(new Date().toISOString())],
    ["Data", `${count(organizations)} organizations, built ${day(built_at)} (snapshot ${snapshot})`],
    ...loaded.map(({ title, rows, files }) => [`Source: ${title}`, [asOf(files) && `as of ${asOf(files)}`, `${count(rows)} rows`].filter(Boolean).join(", ")]),
    ...(missing.length ? [["Not loaded", missing.map(({ title }) => title).join("; ")]] : []),
    ["Empty cells", "No loaded source has the value. “Not checked” means that the list that would tell is not loaded."],
  ] };
}
