// Hosts and telephone numbers that stand plainly in a text of the server (“LawHelp.org lists it by state”), as links.
import { h } from "./dom.js";

/** Not within an address or a mail address. */
const HOST = /(?<![\w@./-])(?:[a-z0-9-]+\.)+(?:org|gov)\b(?:\/[\w/-]*)?/;
const TELEPHONE = /(?<![\w-])\d{3}-\d{3}-\d{4}(?![\w-])/;
const LINKED = new RegExp(`${HOST.source}|${TELEPHONE.source}`, "gi");

/** The text as children for `h`. */
export function withLinks(text) {
  const parts = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(LINKED)) {
    const link = TELEPHONE.test(found) ? { href: `tel:+1-${found}` } : { href: `https://${found}`, rel: "noopener noreferrer" };
    parts.push(text.slice(end, index), h("a", link, found));
    end = index + found.length;
  }
  return [...parts, text.slice(end)];
}
