// Workbooks of Excel (ECMA-376, Office Open XML): their sheets, and cells as text. A number is written as it is stored,
// but for dates, and for numbers that are shown with zeros in front, as ZIP codes are. Formulas are read by the value
// that was stored with them.
import { Unreadable } from "./csv.js";
import { child, children, elements, parsed, rootOf } from "./xml.js";
import { damaged } from "./zip.js";

/** Number formats of dates and times that files do not spell out. */
const BUILT_IN_DATES = [[14, 22], [27, 36], [45, 47], [50, 58]];
/** Days of a date's number, the last of the year 9999. */
const DAYS_MAX = 2_958_465;
const DAY_MS = 86_400_000;
/** Excel takes 1900 for a leap year: from its March on all days have a number one too high. */
const LEAP_FAULT = 60;

/**
 * @param {import("./zip.js").Archive} archive
 * @returns {Promise<Array<{name: string, isHidden: boolean, rows: () => AsyncGenerator<[number, string[]]>}>|null>}
 *   null where it is another kind of document; `rows`: the number of each, and its cells
 */
export async function sheetsOf(archive) {
  const book = (await related(archive, "")).find(({ kind }) => kind === "officeDocument")?.part;
  if (book?.endsWith(".bin")) throw new Unreadable("This is a binary workbook (.xlsb), which is not read. Save it as .xlsx or CSV.");
  const root = book && rootOf(await archive.text(book));
  if (root?.localName !== "workbook") return null;
  const parts = await related(archive, book);
  const partOf = (kind) => parts.find((one) => one.kind === kind)?.part;
  const common = {
    strings: await stringsOf(archive, partOf("sharedStrings")),
    formats: await formatsOf(archive, partOf("styles")),
    is1904: /^(1|true)$/.test(child(root, "workbookPr")?.getAttribute("date1904") ?? ""),
  };
  return children(child(root, "sheets"), "sheet").flatMap((sheet) => {
    const id = [...sheet.attributes].find((one) => one.localName === "id")?.value;
    const found = parts.find((one) => one.id === id);
    // Others are charts.
    if (found?.kind !== "worksheet") return [];
    return [{
      name: sheet.getAttribute("name") ?? "", isHidden: /hidden/i.test(sheet.getAttribute("state") ?? ""),
      rows: () => rows(archive, found.part, common),
    }];
  });
}

/** What a part refers to: by what it is, and where it lies. The part "" is the whole file. */
async function related(archive, part) {
  const at = part.lastIndexOf("/") + 1;
  const list = `${part.slice(0, at)}_rels/${part.slice(at)}.rels`;
  if (!archive.has(list)) return [];
  return children(rootOf(await archive.text(list)), "Relationship").filter((one) => one.getAttribute("TargetMode") !== "External").map((one) => ({
    id: one.getAttribute("Id"), kind: one.getAttribute("Type")?.split("/").at(-1),
    part: decodeURIComponent(new URL(one.getAttribute("Target") ?? "", `file:///${part}`).pathname.slice(1)),
  }));
}

async function stringsOf(archive, part) {
  const strings = [];
  if (!part) return strings;
  for await (const one of parsed(await archive.text(part), "si")) strings.push(textOf(one));
  return strings;
}

/** A text in one or several runs, without how it is pronounced. */
function textOf(element) {
  let text = "";
  for (let one = element?.firstElementChild; one; one = one.nextElementSibling) {
    if (one.localName === "t") text += one.textContent;
    else if (one.localName === "r") text += child(one, "t")?.textContent ?? "";
  }
  return unescaped(text);
}

/** Characters that XML cannot have are written by their numbers. */
const unescaped = (text) => text.replace(/_x([0-9A-F]{4})_/gi, (_, code) => String.fromCharCode(parseInt(code, 16)));

/** What the number of each style is: "date", zeros by which it is shown such as "00-0000000", or null. */
async function formatsOf(archive, part) {
  if (!part) return [];
  const root = rootOf(await archive.text(part));
  const codes = new Map(children(child(root, "numFmts"), "numFmt").map((one) => [Number(one.getAttribute("numFmtId")), one.getAttribute("formatCode") ?? ""]));
  return children(child(root, "cellXfs"), "xf").map((one) => {
    const id = Number(one.getAttribute("numFmtId"));
    const isDate = !codes.has(id) && BUILT_IN_DATES.some(([from, to]) => id >= from && id <= to);
    return isDate ? "date" : formatOf(codes.get(id) ?? "");
  });
}

function formatOf(code) {
  const [positive] = code.split(";");
  const plain = positive.replace(/["\\]/g, "");
  if (/^0[0-]*0$/.test(plain)) return plain;
  // Letters in quotes, behind a backslash or in brackets (a colour, a language) stand for no part of a date.
  const bare = positive.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "");
  return /[dmyhs]/i.test(bare) ? "date" : null;
}

async function* rows(archive, part, common) {
  const text = await archive.text(part);
  let number = 0;
  for (const data of elements(text, "sheetData")) {
    for await (const row of parsed(text, "row", data)) {
      number = Number(row.getAttribute("r")) || number + 1;
      yield [number, cellsOf(row, common)];
    }
  }
}

function cellsOf(row, common) {
  const cells = [];
  let next = 0;
  for (const cell of children(row, "c")) {
    const at = columnOf(cell.getAttribute("r")) ?? next;
    next = at + 1;
    const value = valueOf(cell, common);
    if (value === "") continue;
    // What lies between is blank, and not in the file.
    while (cells.length < at) cells.push("");
    cells[at] = value;
  }
  return cells;
}

/** The column of a reference, from 0: "AB12" is 27. */
function columnOf(reference) {
  let column = 0;
  for (let at = 0; at < 3; at += 1) {
    const letter = (reference?.charCodeAt(at) ?? 0) & ~0x20;
    if (!(letter >= 65 && letter <= 90)) break;
    column = column * 26 + letter - 64;
  }
  return column > 0 ? column - 1 : null;
}

function valueOf(cell, { strings, formats, is1904 }) {
  const value = child(cell, "v")?.textContent ?? "";
  const type = cell.getAttribute("t");
  if (value === "" && type !== "inlineStr") return "";
  switch (type) {
    case "s":
      if (strings[Number(value)] === undefined) throw damaged(`the cell ${cell.getAttribute("r")} refers to a text that is missing`);
      return strings[Number(value)];
    case "inlineStr": return textOf(child(cell, "is"));
    case "str": return unescaped(value);
    case "b": return value.trim() === "1" ? "TRUE" : "FALSE";
    case "e": return value;
    case "d": return value.replace(/T00:00:00(\.0+)?Z?$/, "");
    default: return numberOf(value.trim(), formats[Number(cell.getAttribute("s") ?? 0)], is1904);
  }
}

function numberOf(value, format, is1904) {
  const number = Number(value);
  if (value === "" || !Number.isFinite(number)) return value;
  if (format === "date" && number >= 0 && number < DAYS_MAX + 1) return dateOf(number, is1904);
  // Some programs write a whole number as 5.3E8 or 12.0.
  const text = /^-?\d+$/.test(value) ? value : String(number);
  return format && format !== "date" ? withZeros(text, format) : text;
}

/** A whole number with the zeros, and the dashes between them, of its format; from the right. */
function withZeros(text, format) {
  const zeros = format.replaceAll("-", "").length;
  if (!/^\d+$/.test(text) || text.length > zeros) return text;
  const digits = [...text.padStart(zeros, "0")];
  return format.replaceAll("0", () => digits.shift());
}

/** The number of a day as ISO 8601, with the time where there is one. */
function dateOf(number, is1904) {
  const day = Math.floor(number);
  const seconds = Math.round((number - day) * 86_400);
  const first = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < LEAP_FAULT ? 31 : 30);
  const [date, time] = new Date(first + day * DAY_MS + seconds * 1000).toISOString().slice(0, 19).split("T");
  if (day === 0 && seconds > 0) return time;
  return seconds > 0 ? `${date}T${time}` : date;
}
