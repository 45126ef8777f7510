// A list as it was given, text or a workbook, before it is matched: its rows, where its headings are, and what its
// columns are. Knows nothing of elements.
import { BYTES_MAX, HEADINGS_WITHIN, Unreadable, decode, fitted, isWorkbook, parse, sniff } from "./csv.js";
import { byCells, byHeadings, headings, headingsAt } from "./columns.js";

export class Draft {
  #text = null;
  #workbook = null;
  /** All rows of the text or the sheet, and their numbers. */
  #all;
  /** Where the headings are, if there are any. */
  #head;

  /** @param {string} name of the file; "list" for a text that was pasted */
  constructor(name) {
    this.name = name;
  }

  /** @throws {Unreadable} */
  static ofText(name, text) {
    const draft = new Draft(name);
    draft.#text = text;
    draft.separate(sniff(text, (row) => headings(row) > 1));
    return draft;
  }

  /** @throws {Unreadable} or what the browser says where it cannot read the file */
  static async ofFile(file) {
    if (file.size > BYTES_MAX) {
      throw new Unreadable(`${file.name} has ${(file.size / 1e6).toFixed(1)} MB; at most ${BYTES_MAX / 1e6} MB are read here. Split it, or use “almoner match”, which takes lists of any size.`);
    }
    return Draft.ofBuffer(file.name, await file.arrayBuffer());
  }

  /**
   * A list from the bytes of a file, whose size is for the caller to bound.
   * @throws {Unreadable}
   */
  static async ofBuffer(name, buffer) {
    if (!isWorkbook(buffer)) return Draft.ofText(name, decode(buffer));
    const { Workbook } = await import("./workbook.js");
    const draft = new Draft(name);
    draft.#workbook = await Workbook.open(buffer);
    await draft.choose(await draft.#workbook.likeliest((rows) => headingsAt(rows) >= 0, HEADINGS_WITHIN));
    return draft;
  }

  get isWorkbook() {
    return this.#workbook !== null;
  }

  /** Names of the sheets of a workbook. */
  get sheets() {
    return this.#workbook?.names ?? [];
  }

  /** Reads the text by another separator, or throws and stays as it is. */
  separate(separator) {
    this.#take(parse(this.#text, separator));
    this.separator = separator;
  }

  /** Reads another sheet of the workbook, or throws and stays as it is. */
  async choose(sheet) {
    this.#take(await this.#workbook.read(sheet));
    this.sheet = sheet;
  }

  #take(all) {
    const at = headingsAt(all.rows);
    const [first] = all.rows;
    this.#all = all;
    this.#head = Math.max(at, 0);
    this.head(at >= 0 || headings(first) > 0 || (first.length > 1 && !/\d/.test(first.join(""))));
  }

  /** Says whether there are headings, and finds out what the columns are. */
  head(given) {
    const { rows, numbers } = this.#all;
    const from = given ? this.#head + 1 : 0;
    const below = rows.slice(from);
    const width = this.#width(given, below);
    this.given = given;
    /** The number of the row of headings, and how many rows above it are left out. */
    this.headingsNumber = numbers[this.#head];
    this.titles = given ? this.#head : 0;
    this.header = given ? fitted(rows[this.#head], width) : Array.from({ length: width }, (_, at) => `Column ${at + 1}`);
    this.rows = below.map((row) => fitted(row, width));
    this.numbers = numbers.slice(from);
    this.roles = given ? byHeadings(this.header) : byCells(this.rows, width);
  }

  /** How many columns there are. A cell of a sheet is in its column whether that has a heading or not; one of a text may be of a quote that is missing. */
  #width(given, rows) {
    const widths = rows.map((row) => row.length);
    if (this.isWorkbook) return widths.reduce((most, one) => Math.max(most, one), given ? this.#all.rows[this.#head].length : 0);
    return given ? this.#all.rows[this.#head].length : mostly(widths);
  }
}

/** The most frequent of some numbers. */
function mostly(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}
