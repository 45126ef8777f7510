// A workbook that is read in this page: Excel's .xlsx or OpenDocument's .ods, told apart by their contents. Gives the
// rows of one sheet at a time. Knows nothing of what columns mean, nor of elements.
import { Rows, Unreadable } from "./csv.js";
import * as ods from "./ods.js";
import * as xlsx from "./xlsx.js";
import { Archive } from "./zip.js";

/** Sheets of a workbook, and columns of a sheet. */
const SHEETS_MAX = 200;
const COLUMNS_MAX = 1000;
const OPEN_DOCUMENT = "application/vnd.oasis.opendocument.";

export class Workbook {
  #sheets;

  constructor(sheets) {
    this.#sheets = sheets;
    /** What people choose a sheet by. */
    this.names = sheets.map(({ name, isHidden }) => (isHidden ? `${name} (hidden)` : name));
  }

  /**
   * @param {ArrayBuffer} buffer of a file that begins like a workbook, and is not too large
   * @throws {Unreadable} what was expected, what was found, what to do
   */
  static async open(buffer) {
    const bytes = new Uint8Array(buffer);
    if (bytes[0] === 0xd0) {
      throw new Unreadable("This is a workbook in the old format of Excel (.xls), or one that is protected with a password. Save it as .xlsx without a password, or as CSV.");
    }
    const archive = new Archive(bytes);
    if (await ods.isEncrypted(archive)) throw new Unreadable("The workbook is protected with a password. Save it without one, or as CSV.");
    const sheets = archive.has("content.xml") ? await ods.sheetsOf(archive, COLUMNS_MAX) : await xlsx.sheetsOf(archive);
    if (!sheets) {
      const isDocument = archive.has("[Content_Types].xml") || (archive.has("mimetype") && (await archive.text("mimetype")).startsWith(OPEN_DOCUMENT));
      throw new Unreadable(`This is ${isDocument ? "a document" : "a ZIP archive"}, not a workbook. Expected .xlsx, .ods or a list in text; ${isDocument ? "copy the list from it and paste it here" : "unpack it and choose the list that is in it"}.`);
    }
    if (!sheets.length) throw new Unreadable("The workbook has no sheet with cells.");
    if (sheets.length > SHEETS_MAX) throw new Unreadable(`The workbook has ${sheets.length} sheets; at most ${SHEETS_MAX} are read. Save the sheet that you need as CSV.`);
    return new Workbook(sheets);
  }

  /**
   * The sheet to begin with: the first with headings, else the first that is not empty, hidden ones last.
   * @param {(rows: string[][]) => boolean} haveHeadings
   * @param {number} rowsMax rows that are looked at
   */
  async likeliest(haveHeadings, rowsMax) {
    const order = this.#sheets.map((_, at) => at).sort((one, other) => this.#sheets[one].isHidden - this.#sheets[other].isHidden);
    let filled = null;
    for (const at of order) {
      const first = await this.#first(at, rowsMax);
      if (haveHeadings(first)) return at;
      if (first.length) filled ??= at;
    }
    return filled ?? order[0];
  }

  async #first(at, rowsMax) {
    const rows = new Rows();
    for await (const [number, cells, times = 1] of this.#sheets[at].rows()) {
      rows.add(cells, number, Math.min(times, rowsMax));
      if (rows.rows.length >= rowsMax) break;
    }
    return rows.rows;
  }

  /**
   * The rows of a sheet that have any text.
   * @returns {Promise<{rows: string[][], numbers: number[]}>} as `parse` of csv.js gives them
   * @throws {Unreadable}
   */
  async read(at) {
    const rows = new Rows();
    for await (const [number, cells, times] of this.#sheets[at].rows()) {
      if (cells.length > COLUMNS_MAX) throw new Unreadable(`Row ${number} of the sheet “${this.names[at]}” has more than ${COLUMNS_MAX.toLocaleString("en-US")} columns. Delete those that are not needed.`);
      rows.add(cells, number, times);
    }
    return rows.done(`There is nothing in the sheet “${this.names[at]}”. Expected a row for each organization.`);
  }
}
