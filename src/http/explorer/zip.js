// The files in a ZIP archive, such as a workbook is: found by the directory at its end, unpacked by the
// browser. What unpacks to more than the directory says is damaged, so the sizes in it bound the memory.
// Knows nothing of workbooks.
import { Unreadable } from "./csv.js";

/** Bytes of all files of an archive, unpacked, and their number. */
const UNPACKED_BYTES_MAX = 200_000_000;
const ENTRIES_MAX = 10_000;

/** The marks that records begin with, and the bytes of them that are always there. */
const LOCAL = { mark: 0x04034b50, size: 30 };
const ENTRY = { mark: 0x02014b50, size: 46 };
const END = { mark: 0x06054b50, size: 22 };
const END64 = { mark: 0x06064b50 };
const LOCATOR64 = { mark: 0x07064b50, size: 20 };
/** The end of the directory is followed by a comment of at most so many bytes. */
const COMMENT_BYTES_MAX = 0xffff;
/** Stands for a size or a place that is told elsewhere, in 64 bits. */
const ELSEWHERE = 0xffffffff;
const SIZES64 = 0x0001;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;

export const damaged = (what) => new Unreadable(
  `The workbook is damaged: ${what}. Open it in a spreadsheet program and save it again, or save it as CSV.`);

export class Archive {
  #bytes;
  #entries;

  /**
   * @param {Uint8Array} bytes
   * @throws {Unreadable}
   */
  constructor(bytes) {
    this.#bytes = bytes;
    try {
      this.#entries = directory(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), bytes);
    } catch (error) {
      if (error instanceof RangeError) throw damaged("its directory points beyond its end");
      throw error;
    }
    const total = [...this.#entries.values()].reduce((sum, { size }) => sum + size, 0);
    if (total > UNPACKED_BYTES_MAX) {
      throw new Unreadable(`The workbook has ${Math.ceil(total / 1e6).toLocaleString("en-US")} MB when it is unpacked; at most ${UNPACKED_BYTES_MAX / 1e6} MB are read. Save the sheet that you need as CSV.`);
    }
  }

  /** Names of workbooks' files differ in case from what refers to them. */
  has(name) {
    return this.#entries.has(name.toLowerCase());
  }

  /**
   * A file as text.
   * @throws {Unreadable} also where there is no such file
   */
  async text(name) {
    const entry = this.#entries.get(name.toLowerCase());
    if (!entry) throw damaged(`it has no file ${name}`);
    const bytes = await this.#unpacked(name, entry);
    const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
    return new TextDecoder(encoding).decode(bytes);
  }

  async #unpacked(name, { at, flags, method, packed, size }) {
    if (flags & ENCRYPTED) throw new Unreadable("The workbook is protected with a password. Save it without one, or as CSV.");
    const from = contents(this.#bytes, at, name);
    const piece = this.#bytes.subarray(from, from + packed);
    if (piece.length < packed) throw damaged(`its end is missing, in ${name}`);
    if (method === STORED && packed === size) return piece;
    if (method !== DEFLATED) throw damaged(`${name} is packed in a way that workbooks are not`);
    if (typeof DecompressionStream === "undefined") throw new Unreadable("This browser is too old to unpack workbooks. Save the workbook as CSV, or use a newer browser.");
    return inflated(name, piece, size);
  }
}

/** The files of an archive by their names in small letters. */
function directory(view, bytes) {
  let { count, at } = end(view);
  const entries = new Map();
  if (count > ENTRIES_MAX) throw new Unreadable(`The workbook has ${count.toLocaleString("en-US")} parts; at most ${ENTRIES_MAX.toLocaleString("en-US")} are read. Save the sheet that you need as CSV.`);
  for (; count > 0; count -= 1) {
    if (view.getUint32(at, true) !== ENTRY.mark) throw damaged("its directory cannot be read");
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const extra = at + ENTRY.size + nameLength;
    const name = new TextDecoder().decode(bytes.subarray(at + ENTRY.size, extra)).replaceAll("\\", "/").toLowerCase();
    const [size, packed, place] = sizes64(view, extra, extraLength, [24, 20, 42].map((offset) => view.getUint32(at + offset, true)));
    entries.set(name, { flags: view.getUint16(at + 8, true), method: view.getUint16(at + 10, true), size, packed, at: place });
    at = extra + extraLength + commentLength;
  }
  return entries;
}

/** How many entries the directory has, and where it begins. */
function end(view) {
  let at = view.byteLength - END.size;
  const last = Math.max(0, at - COMMENT_BYTES_MAX);
  while (at >= last && view.getUint32(at, true) !== END.mark) at -= 1;
  if (at < last) throw damaged("its end is missing");
  const found = { count: view.getUint16(at + 10, true), at: view.getUint32(at + 16, true) };
  const locator = at - LOCATOR64.size;
  if (locator < 0 || view.getUint32(locator, true) !== LOCATOR64.mark) return found;
  const large = number64(view, locator + 8);
  if (view.getUint32(large, true) !== END64.mark) throw damaged("its directory cannot be found");
  return { count: number64(view, large + 32), at: number64(view, large + 48) };
}

const number64 = (view, at) => Number(view.getBigUint64(at, true));

/** Sizes and a place, those that are told elsewhere from the extra field of the entry. */
function sizes64(view, from, length, values) {
  for (let at = from; at + 4 <= from + length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== SIZES64) continue;
    let next = at + 4;
    return values.map((value) => {
      if (value !== ELSEWHERE) return value;
      next += 8;
      return number64(view, next - 8);
    });
  }
  return values;
}

/** Where the contents of a file begin: behind a name and a field whose lengths only the record before them tells. */
function contents(bytes, at, name) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (at + LOCAL.size > view.byteLength || view.getUint32(at, true) !== LOCAL.mark) throw damaged(`${name} is not where its directory says`);
  return at + LOCAL.size + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
}

/** Unpacks to the size that was declared, and never to more. */
async function inflated(name, piece, size) {
  const bytes = new Uint8Array(size);
  let length = 0;
  try {
    const reader = new Blob([piece]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (length + value.length > size) {
        await reader.cancel();
        throw damaged(`${name} is larger than its directory says`);
      }
      bytes.set(value, length);
      length += value.length;
    }
  } catch (error) {
    throw error instanceof Unreadable ? error : damaged(`${name} cannot be unpacked`);
  }
  if (length < size) throw damaged(`${name} is smaller than its directory says`);
  return bytes;
}
