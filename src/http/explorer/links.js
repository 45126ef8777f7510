// Hosts that stand plainly in a text of the server (“LawHelp.org lists it by state”), as links.
import { h } from "./dom.js";

/** Not within an address or a mail address. */
const HOST = /(?<![\w@./-])(?:[a-z0-9-]+\.)+(?:org|gov)\b(?:\/[\w/-]*)?/gi;

/** The text as children for `h`. */
export function withLinks(text) {
  const parts = [];
  let end = 0;
  for (const { 0: host, index } of text.matchAll(HOST)) {
    parts.push(text.slice(end, index), h("a", { href: `https://${host}`, rel: "noopener noreferrer" }, host));
    end = index + host.length;
  }
  return [...parts, text.slice(end)];
}
