// Workbooks for the steps, made here: ZIP archives of what Excel and LibreOffice write, as small as that can be.
import { deflateRawSync } from "node:zlib";

const STORED = 0;
const DEFLATED = 8;
/** In place of a number of 32 bits that is told in 64. */
const ELSEWHERE = 0xffffffff;

function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** Numbers of two or four bytes, one after the other: `fields(4, 1, 2, 2)` is a 1 in four bytes and a 2 in two. */
function fields(...pairs) {
  const parts = [];
  for (let at = 0; at < pairs.length; at += 2) {
    const part = Buffer.alloc(pairs[at]);
    part.writeUIntLE(pairs[at + 1], 0, pairs[at]);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * An archive of files by their names. Large ones are packed.
 * @param {Object<string, string>} files
 * @param {{flags?: number, claims?: Object<string, number>, stored?: boolean, wide?: boolean}} [options] `claims`: sizes
 *   that are not true; `wide`: sizes and places in 64 bits, as writers do that do not know them beforehand
 */
export function zip(files, { flags = 0, claims = {}, stored = false, wide = false } = {}) {
  const records = [];
  const directory = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    const method = stored || bytes.length < 100 ? STORED : DEFLATED;
    const packed = method === STORED ? bytes : deflateRawSync(bytes);
    const size = claims[name] ?? bytes.length;
    const start = [2, 20, 2, flags, 2, method, 4, 0, 4, checksum(bytes)];
    const record = Buffer.concat([fields(4, 0x04034b50, ...start, 4, packed.length, 4, size, 2, name.length, 2, 0), Buffer.from(name), packed]);
    const sizes = (...three) => (wide ? [ELSEWHERE, ELSEWHERE, ELSEWHERE] : three);
    const [packedSize, unpackedSize, place] = sizes(packed.length, size, at);
    directory.push(
      fields(4, 0x02014b50, 2, 20, ...start, 4, packedSize, 4, unpackedSize, 2, name.length, 2, wide ? 28 : 0, 2, 0, 2, 0, 2, 0, 4, 0, 4, place),
      Buffer.from(name), wide ? fields(2, 1, 2, 24, 4, size, 4, 0, 4, packed.length, 4, 0, 4, at, 4, 0) : Buffer.alloc(0));
    records.push(record);
    at += record.length;
  }
  const list = Buffer.concat(directory);
  const count = records.length;
  const end = wide ? [
    fields(4, 0x06064b50, 4, 44, 4, 0, 2, 45, 2, 45, 4, 0, 4, 0, 4, count, 4, 0, 4, count, 4, 0, 4, list.length, 4, 0, 4, at, 4, 0),
    fields(4, 0x07064b50, 4, 0, 4, at + list.length, 4, 0, 4, 1),
  ] : [];
  return Buffer.concat([...records, list, ...end, fields(4, 0x06054b50, 2, 0, 2, 0, 2, wide ? 0xffff : count, 2, wide ? 0xffff : count, 4, list.length, 4, wide ? ELSEWHERE : at, 2, 0)]);
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships";

const relations = (all) => `${XML}<Relationships xmlns="${PACKAGE}">${all.map(([id, kind, target]) => (
  `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`)).join("")}</Relationships>`;

/** The files of a document of Office whose main part is this. */
export const office = (part, text) => ({
  "[Content_Types].xml": `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
  "_rels/.rels": relations([["r1", "officeDocument", part]]),
  [part]: text,
});

/**
 * The files of a workbook of Excel.
 * @param {Array<{name: string, rows: string, state?: string}>} sheets `rows`: the XML of their rows
 * @param {{strings?: string, styles?: string, properties?: string}} [options] XML within these parts
 */
export function xlsx(sheets, { strings = "", styles = "", properties = "" } = {}) {
  const list = sheets.map(({ name, state }, at) => `<sheet name="${name}" sheetId="${at + 1}"${state ? ` state="${state}"` : ""} r:id="s${at + 1}"/>`);
  const parts = sheets.map(({ rows }, at) => [`xl/worksheets/sheet${at + 1}.xml`, `${XML}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`]);
  return {
    ...office("xl/workbook.xml", `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr ${properties}/><sheets>${list.join("")}</sheets></workbook>`),
    // A target may be told from the part, or from the top.
    "xl/_rels/workbook.xml.rels": relations([
      ...sheets.map((_, at) => [`s${at + 1}`, "worksheet", `${at ? "" : "/xl/"}worksheets/sheet${at + 1}.xml`]),
      ["t1", "sharedStrings", "sharedStrings.xml"], ["t2", "styles", "styles.xml"],
    ]),
    "xl/sharedStrings.xml": `${XML}<sst xmlns="${MAIN}">${strings}</sst>`,
    "xl/styles.xml": `${XML}<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`,
    ...Object.fromEntries(parts),
  };
}

/** A row of cells with their texts in them. */
export const inline = (cells, number) => `<row r="${number}">${cells.map((cell) => `<c t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`).join("")}</row>`;

const NAMES = ["office", "table", "text", "style"].map((one) => `xmlns:${one}="urn:oasis:names:tc:opendocument:xmlns:${one}:1.0"`).join(" ");

/** The files of a workbook of LibreOffice, of the XML of its sheets. */
export const ods = (tables, kind = "spreadsheet") => ({
  mimetype: `application/vnd.oasis.opendocument.${kind}`,
  "content.xml": `${XML}<office:document-content ${NAMES}><office:automatic-styles><style:style style:name="hid" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:${kind}>${tables}</office:${kind}></office:body></office:document-content>`,
});
