// Lists as others have them: EINs in a text, a file of JSON or CSV, a link; and back. Files and links
// are anyone's: what is no EIN is named, what is too much is refused, and nothing is kept here.
import { Unreadable, decode, isWorkbook, write } from "./csv.js";
import { Draft } from "./draft.js";
import { count, dashed, plural, revenueCell } from "./format.js";
import { NAME_MAX, NOTE_MAX, ROWS_MAX, cleaned, merged, rowOf } from "./shelf.js";
import { valuesOf } from "./values.js";

/** Bytes of a file that is read. */
export const FILE_BYTES_MAX = 10_000_000;
/** Characters of a link with notes: longer ones are cut by programs that send mail. */
const LINK_MAX = 32_000;
/** Of what is no EIN so much is named. */
const JUNK_SHOWN = 8;
const FORMAT = "almoner-list";

/** What an export may have of each organization: members of the details and the standing, the title of its NTEE code, and the note. */
export const FIELDS = [
  ["name", "Name", true], ["alt_name", "Second name line", true], ["streetAddress", "Street", true], ["city", "City", true], ["state", "State", true], ["zipCode5", "ZIP code", true],
  ["county", "County"], ["phone", "Telephone", true], ["ntee", "NTEE code", true], ["ntee_title", "NTEE title", true], ["issueArea", "Cause", true], ["yearFounded", "Founded"], ["irsRulingDate", "Exempt since"],
  ["revenueGrandTotal", "Revenue (USD)", true], ["netAssets", "Net assets (USD)"], ["assets", "Total assets (USD)"], ["gross_receipts", "Gross receipts (USD)"], ["filingYear", "Latest year filed", true],
  ["formType", "Form", true], ["exemption", "Exempt under", true], ["class", "Class", true],
  ["deductible", "Gifts deductible", true], ["inactive", "Exemption revoked", true],
  ["foundation", "Private foundation", true], ["url", "Website"], ["summary", "Mission"], ["note", "Note", true],
];

/** The EINs in a text, each once, and what else stands there. */
export function einsIn(text) {
  const parts = String(text).split(/[\s,;|]+/).filter(Boolean);
  const rows = parts.map((part) => rowOf({ ein: part.replace(/^["'(]+|["').]+$/g, "") }));
  return sorted(rows, parts);
}

/** Rows without those that are none, of which `parts` has the text. */
function sorted(rows, parts) {
  const junk = [...new Set(parts.filter((_, at) => !rows[at]))];
  const sound = rows.filter(Boolean);
  const once = merged(sound);
  return { rows: once, junk, twice: sound.length - once.length };
}

/** What was left out, as a sentence; "" where nothing was. */
export function leftOut({ junk, twice = 0 }) {
  const shown = junk.slice(0, JUNK_SHOWN).map((one) => `“${cleaned(one, 40) || "(empty)"}”`).join(", ");
  const more = junk.length > JUNK_SHOWN ? ` and ${count(junk.length - JUNK_SHOWN)} more` : "";
  return [
    junk.length > 0 && `Left out, as ${junk.length === 1 ? "it is not an EIN" : "they are not EINs"}: ${shown}${more}.`,
    twice > 0 && `${plural(twice, "EIN was", "EINs were")} given more than once.`,
  ].filter(Boolean).join(" ");
}

/** Why so many are too many; null where they are not. */
export const tooMany = (rows, what) => (rows > ROWS_MAX
  ? `${what} has ${count(rows)} organizations; a list holds at most ${count(ROWS_MAX)}. Split it.` : null);

/** The list that an address carries: `eins`, a `note` of each that begins with its EIN, and what it is `about`. */
export function fromLink(parameters) {
  const found = einsIn(parameters.getAll("eins").join(","));
  const notes = new Map(parameters.getAll("note").map((one) => [one.slice(0, 9), cleaned(one.slice(10), NOTE_MAX)]));
  for (const row of found.rows) row.note = notes.get(row.ein) ?? "";
  const note = cleaned(parameters.get("about") ?? "", NOTE_MAX);
  return { note, name: cleaned(parameters.get("name") ?? "", NAME_MAX).trim() || "Shared list", ...found };
}

/** The address of a list, on request with its notes; null where these make it longer than what is sent on whole. */
export function toLink({ name, note, rows }, withNotes = false) {
  // Commas and spaces are told plainly, so that a thousand EINs are ten kilobytes.
  const said = (text) => encodeURIComponent(text).replaceAll("%20", "+");
  const noted = withNotes ? rows.filter((row) => row.note).map((row) => `&note=${row.ein}+${said(row.note)}`).join("") : "";
  const about = withNotes && note ? `&about=${said(note)}` : "";
  const address = `${location.origin}${location.pathname}#/shared?name=${said(name)}&eins=${rows.map(({ ein }) => ein).join(",")}${about}${noted}`;
  return withNotes && address.length > LINK_MAX ? null : address;
}

/**
 * The list in a file.
 * @returns {Promise<{name: string, note: string, rows: object[], junk: string[], twice: number}>}
 * @throws {Unreadable} what was expected, what was found, what to do
 */
export async function fromFile(file) {
  if (file.size > FILE_BYTES_MAX) {
    throw new Unreadable(`${file.name} has ${(file.size / 1e6).toFixed(1)} MB; a list of at most ${FILE_BYTES_MAX / 1e6} MB is read. Split it.`);
  }
  const buffer = await file.arrayBuffer();
  const stem = cleaned(file.name.replace(/\.[^.]*$/, ""), NAME_MAX);
  const found = isWorkbook(buffer) ? fromDraft(await Draft.ofBuffer(file.name, buffer)) : fromText(file.name, decode(buffer));
  const refused = tooMany(found.rows.length, file.name);
  if (refused) throw new Unreadable(refused);
  if (!found.rows.length) throw new Unreadable(`${file.name} has no EIN. ${leftOut(found)}`);
  return { note: "", ...found, name: found.name || stem || "Imported list" };
}

const fromText = (name, text) => (/^\s*[[{]/.test(text) ? fromJson(text) : fromDraft(Draft.ofText(name, text)));

function fromJson(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Unreadable(`The file begins like JSON but is not valid JSON (${error.message}). Expected a list that was exported here.`);
  }
  const rows = Array.isArray(value) ? value : Object.hasOwn(value, "rows") && value.rows;
  if (!Array.isArray(rows)) throw new Unreadable('The file is JSON, but no list: expected "rows" with an "ein" in each, as an export has it.');
  const wrapped = rows.map((row) => (typeof row === "string" ? { ein: row } : row));
  const found = sorted(wrapped.map(rowOf), wrapped.map((row) => String(row?.ein ?? JSON.stringify(row) ?? "")));
  const text_ = (name) => (Object.hasOwn(value, name) ? value[name] : "");
  return { ...found, name: cleaned(text_("name"), NAME_MAX), note: cleaned(text_("note"), NOTE_MAX) };
}

/** An export puts an apostrophe before what a spreadsheet would run. */
const unguarded = (cell) => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);

function fromDraft({ header, roles, rows }) {
  const [ein, name] = ["ein", "name"].map((role) => roles.indexOf(role));
  const note = header.findIndex((cell) => cell.trim().toLowerCase() === "note");
  if (ein < 0) {
    const heads = header.slice(0, 6).map((cell) => `“${cleaned(cell, 30)}”`).join(", ");
    throw new Unreadable(`The file has no column called “EIN”; its first row is ${heads}. Name that column “EIN”, or paste the EINs into a list.`);
  }
  const cells = rows.map((row) => ({ ein: row[ein] ?? "", name: unguarded(row[name] ?? ""), note: unguarded(row[note] ?? "") }));
  return sorted(cells.map(rowOf), cells.map((row) => row.ein));
}

/** The rows with the fields that are wanted, as an export has them. */
async function filled({ rows }, fields, signal) {
  const details = await valuesOf(rows.map(({ ein }) => ein), fields.filter((field) => field !== "note"), signal);
  return rows.map((row) => {
    const values = fields.map((field) => [field, field === "note" ? row.note : details.get(row.ein)?.[field] ?? (field === "name" ? row.name : null)]);
    return { ein: row.ein, ...Object.fromEntries(values) };
  });
}

export async function toJson(list, fields, signal) {
  const rows = await filled(list, fields, signal);
  return `${JSON.stringify({ format: FORMAT, version: 1, name: list.name, note: list.note, rows }, null, 2)}\n`;
}

/** The headings over dollars. */
const AMOUNTS = FIELDS.map(([, title]) => title).filter((title) => title.endsWith("(USD)"));
const FLAGS = ["inactive", "foundation", "deductible"];
/** For people: yes or no, and that nobody looked. */
function inCell(field, row) {
  const value = row[field];
  if (field === "revenueGrandTotal") return revenueCell(row);
  if (!FLAGS.includes(field)) return value;
  return value === null || value === undefined ? "not checked" : value ? "yes" : "no";
}

/** For spreadsheets, which would take the zero from an EIN without its dash. */
async function cellsOf(list, fields, signal) {
  const rows = await filled(list, [...fields, "formType"], signal);
  const titles = new Map(FIELDS.map(([field, title]) => [field, title]));
  return [["EIN", ...fields.map((field) => titles.get(field) ?? field)], ...rows.map((row) => [dashed(row.ein), ...fields.map((field) => inCell(field, row))])];
}

export const toCsv = async (list, fields, signal) => write(await cellsOf(list, fields, signal));

export async function toXlsx(list, fields, signal) {
  const [{ workbook }, { listSheet }] = await Promise.all([import("./sheet.js"), import("./about_sheet.js")]);
  return workbook([{ name: list.name, rows: await cellsOf(list, fields, signal), amounts: AMOUNTS }, await listSheet(list)]);
}

/** Gives a text, or bytes, to the browser as a file to keep. */
export function download(content, name, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A name for a file: what is neither letter nor digit is a dash. */
export const fileName = (name, ending) => `${name.normalize("NFKD").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 60) || "list"}.${ending}`;
