// Delimited text as people have it, to rows of cells and back. Reads what RFC 4180 says and what
// programs make of it: commas, semicolons, tabs or bars, a first line that names the separator, a byte
// order mark, UTF-16, Windows-1252, any end of line. Knows nothing of what the columns mean, nor of elements.

/** Bytes of a file, rows of a list and characters of a cell that are read; more is refused, not cut. */
export const BYTES_MAX = 20_000_000;
export const ROWS_MAX = 100_000;
export const CELL_MAX = 100_000;

/** What may separate cells, the usual one first; `null` is none: a line is one cell. */
export const SEPARATORS = [[",", "commas"], [";", "semicolons"], ["\t", "tabs"], ["|", "bars"], [null, "nothing: one name a line"]];
/** Rows from the top among which the headings may be: titles may stand above them. */
export const HEADINGS_WITHIN = 20;
/** A first line by which Excel learns the separator. It is no row. */
const SEPARATOR_LINE = /^\ufeff?("?)sep=([^"\w\r\n])\1\2*(?:\r\n?|\n|$)/i;
/** Rows that are looked at to find the separator. */
const SNIFFED_ROWS = 50;
const SNIFFED_CHARACTERS = 200_000;
/** Of those rows more than this share must have as many cells as most: else the character is part of the text. */
const ALIKE_MIN = 0.5;

/** What a spreadsheet may take for the beginning of a formula; as the server's own lists do. */
const FORMULA = /^[=+\-@\t\r]/;

/** Text that cannot be read as a list; says where and what to do. */
export class Unreadable extends Error {}

/** Whether a file begins as workbooks do: as a ZIP archive, or as files of Excel before 2007 and encrypted ones. */
export function isWorkbook(buffer) {
  const start = new Uint8Array(buffer.slice(0, 4)).join();
  return start === [0x50, 0x4b, 3, 4].join() || start === [0xd0, 0xcf, 0x11, 0xe0].join();
}

/** The text of a file's bytes: by its mark, as UTF-16 by its zeros, as UTF-8, else as Windows-1252. */
export function decode(buffer) {
  const bytes = new Uint8Array(buffer);
  if (bytes.length > BYTES_MAX) throw tooLarge(bytes.length);
  const starts = (...mark) => mark.every((byte, at) => bytes[at] === byte);
  if (isWorkbook(buffer)) throw new Unreadable("This is a workbook, not a list in text. Save it as CSV, or copy its cells and paste them here.");
  if (starts(0x25, 0x50, 0x44, 0x46)) throw new Unreadable("This is a PDF, not a list in text. Copy the list from it and paste it here.");
  const zeros = (parity) => bytes.subarray(0, 4096).filter((byte, at) => at % 2 === parity && byte === 0).length > Math.min(bytes.length, 4096) / 4;
  if (starts(0xff, 0xfe) || zeros(1)) return new TextDecoder("utf-16le").decode(bytes);
  if (starts(0xfe, 0xff) || zeros(0)) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

const tooLarge = (bytes) => new Unreadable(
  `The list has ${(bytes / 1e6).toFixed(1)} MB; at most ${BYTES_MAX / 1e6} MB are read here. Split it, or use “almoner match”, which takes lists of any size.`);

/** Rows of a list as they are read: those without any text are left out, but count; what is too much is refused. */
export class Rows {
  rows = [];
  numbers = [];

  /** @param {number} number as a spreadsheet counts, from 1; `times`: how often the row stands there, one below the other */
  add(cells, number, times = 1) {
    if (isBlank(cells)) return;
    const long = cells.findIndex((cell) => cell.length > CELL_MAX);
    if (long >= 0) throw oversized(number, long + 1);
    for (let time = 0; time < times; time += 1) {
      // The headings are one row more.
      if (this.rows.length > ROWS_MAX) throw new Unreadable(`The list has more than ${ROWS_MAX.toLocaleString("en-US")} rows. Split it, or use “almoner match”, which takes lists of any size.`);
      this.rows.push(cells);
      this.numbers.push(number + time);
    }
  }

  /** @param {string} nothing what to say where there are none */
  done(nothing) {
    if (!this.rows.length) throw new Unreadable(nothing);
    return { rows: this.rows, numbers: this.numbers };
  }
}

/**
 * Reads delimited text. Rows without any text are left out, but count.
 * @param {string} text
 * @param {string|null} separator null where a line is one cell
 * @returns {{rows: string[][], numbers: number[]}} `numbers`: of each row, as a spreadsheet counts, from 1
 * @throws {Unreadable}
 */
export function parse(text, separator) {
  if (text.length > BYTES_MAX) throw tooLarge(text.length);
  const list = new Rows();
  let number = 0;
  for (const cells of records(text, separator)) {
    number += 1;
    list.add(cells, number);
  }
  return list.done("There is nothing in this list. Expected a row for each organization, with its name or its EIN.");
}

/** A row with as many cells as the headings: cells that are left out at its end are empty, and empty ones beyond are cut. */
export function fitted(cells, width) {
  if (cells.length < width) return [...cells, ...Array(width - cells.length).fill("")];
  return cells.length > width && isBlank(cells.slice(width)) ? cells.slice(0, width) : cells;
}

/**
 * The separator that the text names in its first line, else one that makes headings of one of the first rows, else that
 * by which most of the first rows have the same number of cells, two at least; else null.
 * @param {(row: string[]) => boolean} [areHeadings]
 */
export function sniff(text, areHeadings = () => false) {
  const named = SEPARATOR_LINE.exec(text);
  if (named) return named[2];
  const start = text.slice(0, SNIFFED_CHARACTERS);
  let best = { separator: null, alike: ALIKE_MIN, cells: 1 };
  for (const [separator] of SEPARATORS) {
    if (separator === null || !start.includes(separator)) continue;
    const counts = new Map();
    let rows = 0;
    try {
      for (const cells of records(start, separator)) {
        if (isBlank(cells)) continue;
        if (rows < HEADINGS_WITHIN && cells.length > 1 && areHeadings(cells)) return separator;
        rows += 1;
        counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
        if (rows === SNIFFED_ROWS) break;
      }
    } catch { /* cut within quotes, or a fault that the whole text has too and that is told then */ }
    for (const [cells, many] of counts) {
      const alike = many / rows;
      if (cells > 1 && (alike > best.alike || (alike === best.alike && cells > best.cells && best.separator !== null))) best = { separator, alike, cells };
    }
  }
  return best.separator;
}

const isBlank = (cells) => cells.every((cell) => cell.trim() === "");

/** Each row's cells, one row after another. */
function* records(text, separator) {
  let at = SEPARATOR_LINE.exec(text)?.[0].length ?? (text.charCodeAt(0) === 0xfeff ? 1 : 0);
  let row = 0;
  while (at < text.length) {
    const cells = [];
    row += 1;
    for (;;) {
      const cell = text[at] === '"' ? quoted(text, at, separator, [row, cells.length + 1]) : plain(text, at, separator);
      cells.push(cell.value);
      at = cell.end;
      if (separator === null || text[at] !== separator) break;
      at += 1;
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    at += 1;
    yield cells;
  }
}

const oversized = (row, column) => new Unreadable(
  `The cell in row ${row}, column ${column} has more than ${CELL_MAX.toLocaleString("en-US")} characters. Shorten it, or see whether a quote before it is left open.`);

const isEnd = (character, separator) => character === separator || character === "\n" || character === "\r" || character === undefined;

function plain(text, from, separator) {
  let end = from;
  while (!isEnd(text[end], separator)) end += 1;
  return { value: text.slice(from, end), end };
}

function quoted(text, from, separator, [row, column]) {
  const parts = [];
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0 || quote - at > CELL_MAX) {
      throw quote < 0 && text.length - at <= CELL_MAX
        ? new Unreadable(`The quote that opens in row ${row}, column ${column} is not closed. Close it, or double it if it is part of the text.`)
        : oversized(row, column);
    }
    parts.push(text.slice(at, quote));
    if (text[quote + 1] !== '"') {
      // What follows the quote up to the separator belongs to the cell as well.
      const rest = plain(text, quote + 1, separator);
      return { value: parts.join("") + rest.value, end: rest.end };
    }
    parts.push('"');
    at = quote + 2;
  }
}

/** A text that no spreadsheet takes for a formula: one that begins like one gets an apostrophe in front. */
const guarded = (cell) => (FORMULA.test(cell) ? `'${cell}` : cell);

/** Rows as CSV by RFC 4180, cells guarded, with a mark by which spreadsheets know the encoding. */
export function write(rows, separator = ",") {
  const special = new RegExp(`["\\r\\n${separator}]|^\\s|\\s$`);
  const cell = (value) => {
    // A negative number is no formula.
    const text = typeof value === "number" ? String(value) : guarded(String(value ?? ""));
    return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return `\ufeff${rows.map((row) => `${row.map(cell).join(separator)}\r\n`).join("")}`;
}
