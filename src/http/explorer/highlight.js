// The words of a query within a text: marked where they stand, and the part of a long text that has
// most of them. Pure functions; they give children for `h`.
import { h } from "./dom.js";

/** Lower case without marks, as names are compared by the server. */
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/['’]/g, "");
const WORD = /[\p{L}\p{N}'’]+/gu;
/** Shorter ones stand in every text. */
const LETTERS_MIN = 3;
/** "shelters" is found in "shelter", "charities" in "charity". */
const ENDINGS = /(?:ies|es|s)$/;
const STEM_MIN = 4;

/** The name with the starts of its words that were typed marked. */
export function marked(name, q) {
  return markedBy(name, fold(q).match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** The words of a query worth looking for, without their endings. */
export function terms(q) {
  const words = (fold(q).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length >= LETTERS_MIN);
  return [...new Set(words.map((word) => {
    const stem = word.replace(ENDINGS, "");
    return stem.length >= STEM_MIN ? stem : word;
  }))];
}

/** A text with the words that begin like these marked; null where none does. */
export function found(text, stems) {
  const parts = markedBy(text ?? "", stems, true);
  return parts.length > 1 ? parts : null;
}

/** The `size` letters of a text around the first word that begins like one of these, whole words only. */
export function around(text, stems, size) {
  const whole = text.trim().replace(/\s+/g, " ");
  const hit = [...whole.matchAll(WORD)].find(([word]) => stems.some((stem) => fold(word).startsWith(stem)));
  if (!hit || hit.index < size / 2) return whole;
  const from = whole.indexOf(" ", hit.index - Math.floor(size / 3));
  return from < 0 || from > hit.index ? whole : `…${whole.slice(from)}`;
}

function markedBy(text, typed, wholly = false) {
  const parts = [];
  let from = 0;
  for (const word of text.matchAll(WORD)) {
    const folded = fold(word[0]);
    const hit = typed.filter((one) => folded.startsWith(one)).sort((a, b) => b.length - a.length)[0];
    if (!hit) continue;
    // Where folding changes the length, letters cannot be paired: the whole word is marked.
    const size = !wholly && folded.length === word[0].length ? hit.length : word[0].length;
    parts.push(text.slice(from, word.index), h("mark", null, word[0].slice(0, size)));
    from = word.index + size;
  }
  return [...parts, text.slice(from)];
}
