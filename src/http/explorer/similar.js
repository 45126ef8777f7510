// Others that a profile names: those of the same name, to be told apart from it, and those like it in kind, size and
// place. Its chapters and namesakes are not like it but of it.
import { ask, query } from "./api.js";
import { cards, withAssets } from "./card.js";
import { h } from "./dom.js";
import { excerpt } from "./format.js";
import { nteeTitles } from "./tables.js";

const SHOWN = 6;
const NAMESAKES_MAX = 50;
/** Texts longer than the search takes are cut. */
const SEARCH_MAX = 256;

const plain = (name) => name.toLowerCase().replace(/\b(?:inc|incorporated|corp|corporation|co|the)\b|[^\p{L}\p{N}]+/gu, " ").trim().replace(/\s+/g, " ");

export async function namesakesSection({ ein, details, signal }) {
  const { body } = await ask("/nonprofits/search", { q: excerpt(details.name, SEARCH_MAX), size: NAMESAKES_MAX }, { signal });
  const others = body.items.filter((one) => one.ein !== ein && [one.name, one.altName].some((name) => name && plain(name) === plain(details.name)));
  return others.length > 0 ? cards(others) : null;
}

export async function similarSection({ ein, details, signal }) {
  const { body } = await ask(`/nonprofits/details/${ein}/related`, {}, { signal });
  if (body.nonprofits.length === 0) return null;
  const { ntee, lat, lng, state } = details;
  const near = Number.isFinite(lat) && Number.isFinite(lng) ? { latitude: lat, longitude: lng, sort: "distance" } : { state };
  const title = ntee && ((await nteeTitles()).get(ntee) ?? details.issueArea);
  return [
    h("p", { class: "muted small" }, ntee ? "Chosen by cause, size and place where possible; its own chapters are not listed." : "It has no NTEE code, so these were chosen by words and place and may do different work; its own chapters are not listed."),
    cards(await withAssets(body.nonprofits.slice(0, SHOWN), signal)),
    ntee && h("p", { class: "small" }, h("a", { href: `#/search${query({ ntee_codes: ntee, ...near })}` }, `All of the same kind, nearest first: ${title} (${ntee})`)),
  ];
}
