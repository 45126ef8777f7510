// Writes a workbook that spreadsheet programs open (ECMA-376, Office Open XML): headings in bold that stay
// in sight, numbers as numbers, amounts with commas, days as dates, everything else as text, so that no EIN loses its zero and no text becomes a formula.
// The archive around it is a ZIP whose files are stored as they are. Reads nothing: that is xlsx.js and zip.js.

/** Widths of columns, in characters. */
const WIDTH_MIN = 8;
const WIDTH_MAX = 48;
const WIDTH_ROWS = 200;
/** Characters of a cell that Excel takes. */
const CELL_MAX = 32_767;
const SHEET_NAME_MAX = 31;
const HEADING_STYLE = 1;
const DATE_STYLE = 2;
const AMOUNT_STYLE = 3;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Days are counted from here. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const DAY_MS = 86_400_000;

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** What Excel wants to find of styles, plain cells and headings: a font for each, and the two fills that it reserves. */
const FONT = '<sz val="11"/><name val="Calibri"/>';
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font>${FONT}</font><font><b/>${FONT}</font></fonts>`
  + '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>'
  + '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
  + '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
  + '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
  // The formats 14 and 3 are a date and a whole number with commas, as the reader's country writes them.
  + '<xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="3" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>';

export const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/**
 * The bytes of a workbook.
 * @param {Array<{name: string, rows: Array<Array<string|number|null|undefined>>, amounts?: string[]}>} sheets each with its
 *   name and its rows, of which the first has the headings; `amounts`: those over dollars
 * @returns {Uint8Array}
 */
export function workbook(sheets) {
  const parts = sheets.map((_, at) => `worksheets/sheet${at + 1}.xml`);
  return archive([
    ["[Content_Types].xml", `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${
      [["workbook.xml", "sheet.main"], ...parts.map((part) => [part, "worksheet"]), ["styles.xml", "styles"]].map(([part, kind]) => (
        `<Override PartName="/xl/${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`)).join("")}</Types>`],
    ["_rels/.rels", related([["officeDocument", "xl/workbook.xml"]])],
    ["xl/_rels/workbook.xml.rels", related([...parts.map((part) => ["worksheet", part]), ["styles", "styles.xml"]])],
    ["xl/workbook.xml", `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${
      called(sheets).map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="r${at + 1}"/>`).join("")}</sheets></workbook>`],
    ["xl/styles.xml", STYLES],
    ...sheets.map((sheet, at) => [`xl/${parts[at]}`, sheetOf(sheet)]),
  ].map(([path, text]) => [path, new TextEncoder().encode(text)]));
}

/** Names as Excel takes those of sheets: short, without some signs, and no two alike. */
function called(sheets) {
  const names = sheets.map(({ name }) => name.replace(/[[\]:*?/\\]/g, " ").replace(/^'|'$/g, "").trim().slice(0, SHEET_NAME_MAX) || "List");
  const isTaken = (name, at) => names.slice(0, at).some((other) => other.toLowerCase() === name.toLowerCase());
  return names.map((name, at) => (isTaken(name, at) ? `${name.slice(0, SHEET_NAME_MAX - 2)} ${at + 1}` : name));
}

const related = (parts) => `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${parts.map(([kind, target], at) => (
  `<Relationship Id="r${at + 1}" Type="${RELATIONS}/${kind}" Target="${target}"/>`)).join("")}</Relationships>`;

/** What XML cannot hold is left out. */
const escaped = (text) => text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
  .replace(/[&<>"]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[letter]);

function sheetOf({ rows, amounts = [] }) {
  const isAmount = rows[0].map((heading) => amounts.includes(heading));
  const columns = rows[0].map((_, at) => {
    const longest = Math.max(...rows.slice(0, WIDTH_ROWS).map((row) => String(row[at] ?? "").length));
    return `<col min="${at + 1}" max="${at + 1}" width="${Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, longest + 2))}" customWidth="1"/>`;
  });
  const lines = rows.map((row, number) => `<row r="${number + 1}">${row.map((value, at) => cell(value, `${letters(at)}${number + 1}`, { isHeading: number === 0, isAmount: isAmount[at] })).join("")}</row>`);
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`
    + `<cols>${columns.join("")}</cols><sheetData>${lines.join("")}</sheetData></worksheet>`;
}

function cell(value, at, { isHeading, isAmount }) {
  if (value === null || value === undefined || value === "") return "";
  if (typeof value === "number" && Number.isFinite(value)) return `<c r="${at}"${isAmount ? ` s="${AMOUNT_STYLE}"` : ""}><v>${value}</v></c>`;
  if (DAY.test(value) && Number.isFinite(Date.parse(value))) return `<c r="${at}" s="${DATE_STYLE}"><v>${(Date.parse(value) - EPOCH_MS) / DAY_MS}</v></c>`;
  const style = isHeading ? ` s="${HEADING_STYLE}"` : "";
  return `<c r="${at}" t="inlineStr"${style}><is><t xml:space="preserve">${escaped(String(value).slice(0, CELL_MAX))}</t></is></c>`;
}

/** A, B, …, Z, AA, AB, … */
const letters = (at) => (at >= 26 ? letters(Math.floor(at / 26) - 1) : "") + String.fromCharCode(65 + (at % 26));

/** The checksums of bytes, of which that of many is made (CRC-32 as in ISO 3309). */
const SUMS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

const checksum = (bytes) => (bytes.reduce((sum, byte) => SUMS[(sum ^ byte) & 0xff] ^ (sum >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;

/** Numbers in two or four bytes, the lowest first. */
const record = (...fields) => {
  const bytes = new DataView(new ArrayBuffer(fields.reduce((sum, [, size]) => sum + size, 0)));
  let at = 0;
  for (const [value, size] of fields) {
    if (size === 2) bytes.setUint16(at, value, true);
    else bytes.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(bytes.buffer);
};

/** January 1, 1980, the first day that a ZIP archive can name: the same list is the same file. */
const ZIP_DAY = 0x21;

/** A ZIP archive of `[path, bytes]`, its files not compressed. */
function archive(files) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const [path, bytes] of files) {
    const name = new TextEncoder().encode(path);
    const shared = [[20, 2], [0, 2], [0, 2], [0, 2], [ZIP_DAY, 2], [checksum(bytes), 4], [bytes.length, 4], [bytes.length, 4], [name.length, 2], [0, 2]];
    directory.push(record([0x02014b50, 4], [20, 2], ...shared, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), name);
    const local = [record([0x04034b50, 4], ...shared), name, bytes];
    parts.push(...local);
    at += local.reduce((sum, one) => sum + one.length, 0);
  }
  const size = directory.reduce((sum, one) => sum + one.length, 0);
  const end = record([0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [at, 4], [0, 2]);
  return joined([...parts, ...directory, end]);
}

function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
