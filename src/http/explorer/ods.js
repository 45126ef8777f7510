// Workbooks of LibreOffice and others (OpenDocument, ISO/IEC 26300): their sheets, and cells as text. A number is written
// as it is stored, but with the zeros in front with which it is shown.
import { child, elements, parsed, rootOf } from "./xml.js";

const TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0";
const OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0";
const TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0";
/** Elements of a cell that are not its text: what is remarked on it, and drawn over it. */
const BESIDE = ["annotation", "annotation-end", "frame", "custom-shape", "g"];

/**
 * @param {import("./zip.js").Archive} archive
 * @param {number} columnsMax a cell that is repeated is repeated to one column more at most
 * @returns {Promise<Array<{name: string, isHidden: boolean, rows: () => AsyncGenerator<[number, string[], number]>}>|null>}
 *   null where it is another kind of document; `rows`: the number of each, its cells, and how often it is repeated
 */
export async function sheetsOf(archive, columnsMax) {
  const text = await archive.text("content.xml");
  const [body] = elements(text, "spreadsheet");
  if (!body) return null;
  const hidden = await hiddenStyles(text);
  const sheets = [];
  for (const table of elements(body, "table")) {
    const [start] = /^<[^>]*>/.exec(table);
    const [head] = await collected(parsed(text, "table", start.endsWith("/>") ? start : `${start.slice(0, -1)}/>`));
    sheets.push({
      name: head.getAttributeNS(TABLE, "name") ?? "", isHidden: hidden.has(head.getAttributeNS(TABLE, "style-name")),
      rows: () => rows(text, table, columnsMax),
    });
  }
  return sheets;
}

/** Whether its manifest, or the part that takes the place of all others, says that it is encrypted. */
export async function isEncrypted(archive) {
  const manifest = "META-INF/manifest.xml";
  return archive.has("encrypted-package") || (archive.has(manifest) && (await archive.text(manifest)).includes("encryption-data"));
}

/** A sheet is hidden by its style. */
async function hiddenStyles(text) {
  const names = new Set();
  for (const styles of elements(text, "automatic-styles")) {
    for await (const style of parsed(text, "style", styles)) {
      const properties = child(style, "table-properties");
      const value = (of, name) => [...of?.attributes ?? []].find((one) => one.localName === name)?.value;
      if (value(properties, "display") === "false") names.add(value(style, "name"));
    }
  }
  return names;
}

async function collected(items) {
  const all = [];
  for await (const one of items) all.push(one);
  return all;
}

async function* rows(text, table, columnsMax) {
  let number = 1;
  for await (const row of parsed(text, "table-row", table)) {
    const times = repeated(row, "number-rows-repeated");
    yield [number, cellsOf(row, columnsMax), times];
    number += times;
  }
}

const repeated = (element, name) => Math.max(1, Number(element.getAttributeNS(TABLE, name)) || 1);

function cellsOf(row, columnsMax) {
  const cells = [];
  let at = 0;
  for (const cell of row.children) {
    if (cell.localName !== "table-cell" && cell.localName !== "covered-table-cell") continue;
    const times = repeated(cell, "number-columns-repeated");
    const value = valueOf(cell);
    if (value !== "") {
      while (cells.length < at) cells.push("");
      for (let time = 0; time < times && cells.length <= columnsMax; time += 1) cells.push(value);
    }
    // What is blank is repeated to the edge of the sheet.
    at += times;
  }
  return cells;
}

function valueOf(cell) {
  const value = (name) => cell.getAttributeNS(OFFICE, name);
  const shown = [...cell.children].filter((one) => one.localName === "p").map(paragraph).join("\n");
  switch (value("value-type")) {
    case "float": case "percentage": case "currency": return numberOf(value("value") ?? "", shown);
    case "date": return (value("date-value") ?? shown).replace(/T00:00:00(\.0+)?$/, "");
    case "boolean": return value("boolean-value") === "true" ? "TRUE" : "FALSE";
    default: return shown;
  }
}

function numberOf(stored, shown) {
  const number = Number(stored);
  if (stored === "" || !Number.isFinite(number)) return shown;
  const text = /^-?\d+$/.test(stored) ? stored : String(number);
  const digits = shown.replaceAll("-", "");
  return /^\d[\d-]*$/.test(shown) && digits.length > text.length && digits.replace(/^0+(?=\d)/, "") === text ? shown : text;
}

/** A paragraph's text: spaces, tabs and ends of lines are elements. */
function paragraph(element) {
  return [...element.childNodes].map((node) => {
    if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || BESIDE.includes(node.localName)) return "";
    if (node.localName === "s") return " ".repeat(Math.min(Number(node.getAttributeNS(TEXT, "c") ?? 1), 1000));
    if (node.localName === "tab") return "\t";
    return node.localName === "line-break" ? "\n" : paragraph(node);
  }).join("");
}
