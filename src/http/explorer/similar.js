// Others that a profile names: those of the same name, to be told apart from it, and those like it, of the same
// kind, the nearest first. Its chapters and namesakes are not like it but of it.
import { ask, query } from "./api.js";
import { cards } from "./card.js";
import { h } from "./dom.js";
import { excerpt } from "./format.js";
import { nteeTitles } from "./tables.js";

const SHOWN = 6;
/** Asked for, of which namesakes are then left out. */
const ASKED = 30;
const NAMESAKES_MAX = 50;
/** Fewer of one kind are filled up with those of a wider one. */
const ENOUGH = 3;
/** Texts longer than the search takes are cut. */
const SEARCH_MAX = 256;
const PATH = "/beta/nonprofits/search";

const plain = (name) => name.toLowerCase().replace(/\b(?:inc|incorporated|corp|corporation|co|the)\b|[^\p{L}\p{N}]+/gu, " ").trim().replace(/\s+/g, " ");

export async function namesakesSection({ ein, details, signal }) {
  const { body } = await ask("/nonprofits/search", { q: excerpt(details.name, SEARCH_MAX), size: NAMESAKES_MAX }, { signal });
  const others = body.items.filter((one) => one.ein !== ein && [one.name, one.altName].some((name) => name && plain(name) === plain(details.name)));
  return others.length > 0 ? cards(others) : null;
}

/** The searches for those like it, the narrowest first, each with what its results have in common. */
async function searchesOf(details, size) {
  const { ntee, lat, lng, state, city } = details;
  const near = Number.isFinite(lat) && Number.isFinite(lng) ? { latitude: lat, longitude: lng, sort: "distance" } : { city, state };
  const title = ntee && (await nteeTitles()).get(ntee);
  const kind = title ? `${title} (${ntee})` : ntee;
  return [
    ntee && size && [{ ntee_codes: ntee, org_size: size, ...near }, `The nearest of the same kind and size: ${kind}, ${size.toLowerCase()}.`],
    ntee && [{ ntee_codes: ntee, ...near }, `The nearest of the same kind: ${kind}.`],
    ntee && [{ ntee_codes: ntee.slice(0, 1), ...near }, `The nearest of the same cause: ${details.issueArea ?? ntee.slice(0, 1)}.`],
    [{ q: excerpt(details.summary ?? `similar to ${details.name}`, SEARCH_MAX) }, "By what it says it does."],
  ].filter(Boolean);
}

export async function similarSection({ ein, details, standing, signal }) {
  const { size = null } = await standing().catch(() => ({}));
  let best = null;
  for (const [parameters, said] of await searchesOf(details, size)) {
    const { body } = await ask(PATH, { ...parameters, size: ASKED }, { signal });
    const others = body.nonprofits.filter((one) => one.ein !== ein && plain(one.name) !== plain(details.name)).slice(0, SHOWN);
    if (others.length > (best?.others.length ?? 0)) best = { parameters, said, others };
    if (others.length >= ENOUGH) break;
  }
  return best && [
    h("p", { class: "muted small" }, best.said), cards(best.others),
    h("p", { class: "small" }, h("a", { href: `#/search${query(best.parameters)}` }, "All of them as a search")),
  ];
}
