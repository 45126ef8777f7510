// An EIN that nobody here has: whose it may be with a digit mistyped.
import { detailsOf } from "./batch.js";
import { line, profileOf } from "./card.js";
import { h, nodes } from "./dom.js";
import { dashed, place } from "./format.js";
import { IRS_SEARCH, whyAbsent } from "./holdings.js";

const DIGITS = [..."0123456789"];
/** Organizations that are named at most. */
const SHOWN_MAX = 6;

/** The numbers in which two neighbouring digits are swapped, then those in which one digit is another. */
export function mistypings(ein) {
  const digits = [...ein];
  const swapped = digits.slice(1).map((digit, at) => digits.with(at, digit).with(at + 1, digits[at]).join(""));
  const changed = digits.flatMap((_, at) => DIGITS.map((digit) => digits.with(at, digit).join("")));
  return [...new Set([...swapped, ...changed])].filter((other) => other !== ein);
}

/** Why it may not be here, the likeliest first: a wrong digit, with whose EIN it would be; then what is not loaded. */
export async function missing(ein, signal) {
  const details = await detailsOf(mistypings(ein), ["name", "city", "state"], signal).catch(() => new Map());
  const near = [...details].filter(([, one]) => one?.name);
  const reason = await whyAbsent();
  const items = near.slice(0, SHOWN_MAX).map(([other, one]) => h("li", {}, line([h("a", { href: profileOf(other) }, one.name), place(one), h("span", { class: "ein" }, dashed(other))])));
  return nodes([
    items.length > 0 && [h("p", {}, "Most likely a digit is wrong. With one digit changed, or two neighbors swapped, it would be:"), h("ul", { class: "near-eins" }, items)],
    h("p", {}, items.length > 0 ? `If every digit is right: ${reason[0].toLowerCase()}${reason.slice(1)} ` : `Is every digit right? ${reason} `,
      "Before you give on the strength of this number, look it up in the ", h("a", { href: IRS_SEARCH, rel: "noopener noreferrer" }, "IRS Tax Exempt Organization Search"), ".")]);
}
