// A nonprofit in two lines, as in the answers of a conversation or among those like another; and
// the name that belongs to an EIN, for lists that tell the EIN alone. Not the results of a search.
import { ask } from "./api.js";
import { detailsOf } from "./batch.js";
import { h } from "./dom.js";
import { dashed, excerpt, otherName, place, short } from "./format.js";

export const profileOf = (ein) => `#/nonprofit/${ein}`;

/**
 * A list of nonprofits, each with its names, the first as a link, where it is, what it does and its revenue.
 * @param {(facts: HTMLElement, ein: string) => HTMLElement} [ended] adds to the line of facts what takes another request
 */
export function cards(nonprofits, ended = (facts) => facts) {
  return h("ul", { class: "plain cards" }, nonprofits.map((one) => {
    const facts = [place(one), one.issueArea, Number.isFinite(one.revenueGrandTotal) && `${short(one.revenueGrandTotal)} revenue`,
      one.assets > 0 && `${short(one.assets)} assets`];
    const other = otherName(one);
    return h("li", {},
      h("div", { class: "card-name" }, h("a", { href: profileOf(one.ein) }, one.name),
        one.inactive && h("span", { class: "badge warn" }, "Exemption revoked")),
      other && h("div", { class: "other-name muted small" }, other),
      ended(h("div", { class: "card-facts muted small" }, line(facts)), one.ein),
      one.summary && h("div", { class: "small card-summary" }, excerpt(one.summary, 160)));
  }));
}

/** Whether the master file tells no revenue of it, but assets: as of private foundations. */
export const isOfAssets = ({ foundation, revenueGrandTotal }) => Boolean(foundation) && !Number.isFinite(revenueGrandTotal);

/** The same with the assets of those that have no revenue, which lists do not tell. */
export async function withAssets(nonprofits, signal) {
  const eins = nonprofits.filter(isOfAssets).map(({ ein }) => ein);
  if (!eins.length) return nonprofits;
  const details = await detailsOf(eins, ["assets"], signal);
  return nonprofits.map((one) => ({ ...one, assets: details.get(one.ein)?.assets || null }));
}

/** Parts that are there, with dots between. */
export function line(parts) {
  return parts.filter(Boolean).flatMap((part, at) => (at ? [h("span", { class: "dot", "aria-hidden": "true" }, " · "), part] : [part]));
}

const names = new Map();

/** A link to the profile of an EIN; the EIN is shown until the name is there. */
export function named(ein, signal) {
  const link = h("a", { href: profileOf(ein) }, dashed(ein));
  if (!names.has(ein)) {
    names.set(ein, ask(`/nonprofits/details/${ein}`).then(({ body }) => body.name, () => {
      names.delete(ein);
      return null;
    }));
  }
  names.get(ein).then((name) => { if (name && !signal?.aborted) link.textContent = name; });
  return link;
}
