// The XML of workbooks, read piece by piece: a document of a whole sheet takes many times the memory of
// its text, and holds the page up until it is made. Elements are found in the text by their names, and
// given to the browser's parser some at a time. Knows nothing of workbooks.
import { damaged } from "./zip.js";

/** Characters that are parsed at once. */
const PIECE_CHARACTERS = 1_000_000;

/** The root of a text. */
export function rootOf(text) {
  // No workbook has declarations, and what they stand for may be of any length.
  if (text.includes("<!DOCTYPE")) throw damaged("a part of it has a document type");
  const { documentElement } = new DOMParser().parseFromString(text, "application/xml");
  if (documentElement.localName === "parsererror" || documentElement.querySelector("parsererror")) throw damaged("a part of it is not XML");
  return documentElement;
}

/** Elements of a local name, each as it is written. They must not lie in each other. */
export function* elements(text, name) {
  const start = new RegExp(`<((?:[\\w.-]+:)?${name})(?=[\\s/>])[^>]*>`, "g");
  for (let found = start.exec(text); found; found = start.exec(text)) {
    let end = start.lastIndex;
    if (!found[0].endsWith("/>")) {
      const close = `</${found[1]}>`;
      const at = text.indexOf(close, end);
      if (at < 0) throw damaged(`a part of it ends within “${name}”`);
      end = at + close.length;
    }
    yield text.slice(found.index, end);
    start.lastIndex = end;
  }
}

/**
 * Elements of a local name, parsed; the page breathes between the pieces.
 * @param {string} whole a text whose root declares the namespaces
 * @param {string} [within] the part of it that is looked through
 */
export async function* parsed(whole, name, within = whole) {
  const [, , attributes = ""] = /<(?![?!])([^\s/>]+)([^>]*)>/.exec(whole) ?? [];
  const namespaces = (attributes.match(/\sxmlns(:[\w.-]+)?\s*=\s*("[^"]*"|'[^']*')/g) ?? []).join("");
  const made = (piece) => rootOf(`<piece${namespaces}>${piece.join("")}</piece>`).children;
  let piece = [];
  let length = 0;
  for (const one of elements(within, name)) {
    piece.push(one);
    length += one.length;
    if (length < PIECE_CHARACTERS) continue;
    yield* made(piece);
    piece = [];
    length = 0;
    await new Promise((resolve) => { setTimeout(resolve); });
  }
  yield* made(piece);
}

/** The first child with a local name. A list of all children would be made anew for each of a million cells. */
export function child(element, name) {
  let one = element?.firstElementChild ?? null;
  while (one && one.localName !== name) one = one.nextElementSibling;
  return one;
}

/** All of them. */
export function children(element, name) {
  const all = [];
  for (let one = child(element, name); one; one = one.nextElementSibling) if (one.localName === name) all.push(one);
  return all;
}
