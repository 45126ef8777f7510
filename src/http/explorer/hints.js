// What stands above a list of results beside the chips: the sentence of what was understood, what may have been meant
// instead, and where the page answers a question about money or people.
import { ask } from "./api.js";
import { profileOf } from "./card.js";
import { countiesOf } from "./county_ticks.js";
import { h, nodes } from "./dom.js";
import { STATES, address, sizeName } from "./filters.js";
import { dashed, place } from "./format.js";
import { stateCode } from "./holdings.js";
import { ofBodies } from "./name_line.js";
import { bears } from "./result.js";

/** Questions that a query may ask: the section of the profile that answers, and what it has. */
const ASKED = {
  grants_to: ["received", "grants received"],
  grants_by: ["made", "grants made"],
  board: ["people", "people", true],
  pay: ["people", "people and pay", true],
  family: ["family", "family"],
  peers: ["peers", "comparison with its peers"],
};
/** What says whether a profile has a section. */
const PROBES = {
  received: ["/nonprofits/grants", { direction: "received", size: 1 }, ({ total }) => total > 0],
  made: ["/nonprofits/grants", { direction: "made", size: 1 }, ({ total }) => total > 0],
  people: ["/nonprofits/people", { size: 1 }, ({ total }) => total > 0],
  family: ["/nonprofits/family", { size: 1 }, ({ group, relations_total: related }) => Boolean(group) || related > 0],
  peers: ["/nonprofits/peers", {}, ({ ratios }) => ratios.some(({ value }) => value !== null)],
};
/** Names that are offered beside a name that no row has. */
const SUGGESTED_MAX = 3;
/** Words that no name of a person has. */
const NO_NAME = /\b(?:in|the|of|for|near|and|with|that|who)\b/i;
/** Clauses of the sentence that say how unknown values were counted, which are folded away. */
const OF_COUNTING = /^[\d,]+ (?:of them |more )?(?:is|are|was|were) (?:counted|left out)\b/;
/** What is true only of rows. */
const OF_ROWS = /\bcomes? first$/;

/** The sentence of what was understood; how values that are not known were counted is behind it. */
export function headline(message, hasRows, matches) {
  // Of a page past the end it is said below where the results end.
  if (!message || (!hasRows && matches > 0)) return null;
  const clauses = message.replace(/\bSuper-Size\b/g, sizeName).split(/; (?![^(]*\))/).map((one) => one.replace(/\.$/, ""));
  const counting = clauses.filter((one) => OF_COUNTING.test(one));
  const said = clauses.filter((one) => !counting.includes(one) && (hasRows || !OF_ROWS.test(one)));
  return [
    said.length > 0 && h("p", { class: "lead" }, `${said.join("; ")}${/[.?!…]$/.test(said.at(-1)) ? "" : "."}`),
    counting.length > 0 && h("details", { class: "more counted-how" }, h("summary", {}, "How unknown values were counted"),
      h("ul", {}, counting.map((one) => h("li", {}, `${one}.`)))),
  ];
}

/** What tells one query from another: its letters and digits. */
const lettersOf = (text) => (text ?? "").normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const isSame = (one, other) => lettersOf(one) === lettersOf(other);

/** The server's sentence without an offer of what was typed, as if it were something else, and with the name of the place that a point stands for. */
export const ownWords = (message, { q, around }) => message.replace(/ ?It may also mean “([^”]*)”\./, (whole, query) => (isSame(query, q) ? "" : whole))
  .replace(/\baround -?\d[\d.]*, -?\d[\d.]*\d/, (whole) => (around ? `around ${around}` : whole));

/**
 * What was typed, read as a kind of nonprofits in a state in place of a name: the server offers it in the same words, which
 * would be read as the name again, so the state goes into its filter. Null where the words end with no state.
 */
function asKind(filters, query) {
  const [, kind, city, place] = /^(.+?) in (?:(.+), )?([^,]+)$/i.exec(query) ?? [];
  const state = stateCode(place);
  if (!kind || !state || (filters.state && filters.state.toUpperCase() !== state)) return null;
  const where = [city, STATES[state]].filter(Boolean).join(", ");
  return h("p", { class: "did-you-mean" }, "Not this name? ",
    h("a", { href: address(filters, { q: kind, state, ...(city ? { city } : {}) }) }, `Search for the cause “${kind}” in ${where}`));
}

/** What may have been meant instead, a nonprofit or another query; filters set by hand stay. */
export function otherwise(filters, meant) {
  if (!meant) return null;
  if (!meant.ein && isSame(meant.query, filters.q)) return asKind(filters, meant.query);
  const [href, text] = meant.ein ? [`#/nonprofit/${meant.ein}`, meant.name] : [address(filters, { q: meant.query }), meant.query];
  return h("p", { class: "did-you-mean" }, "Did you mean ", h("a", { href }, text), "?");
}

/** What a place that nobody knows may be meant for: the search with each of the nearest instead, in the filter or in the words. */
export function places(filters, unknown = []) {
  const inWords = ({ parameter, name }) => !filters[parameter] && filters.q?.includes(name);
  return unknown.filter((one) => (filters[one.parameter] || inWords(one)) && one.nearest.length).map(({ parameter, name, nearest }) => {
    const instead = (near) => countiesOf(filters[parameter]).map((one) => (one === name ? near : one)).join(",");
    const changed = (near) => (inWords({ parameter, name }) ? { q: filters.q.replace(name, near.name) }
      : { [parameter]: parameter === "county" ? instead(near.name) : near.name, state: near.state });
    const ways = nearest.map((near, at) => [at > 0 && (at === nearest.length - 1 ? " or " : ", "),
      h("a", { href: address(filters, changed(near)) },
        near.state === filters.state ? near.name : `${near.name}, ${near.state}`)]);
    return h("p", { class: "did-you-mean" }, `Instead of “${name}”: did you mean `, ways, "?");
  });
}

/** Where the page answers a question about money and people that the query asks; who leads an organization it tells at once. */
export function question(asked, intent, nonprofits, signal) {
  if (!asked?.path) return null;
  if (asked.intent === "funders") {
    return h("p", { class: "did-you-mean" }, "Who funds whom: ", h("a", { href: asked.path.replace("/funders/search", "#/funders") }, "funders by the grants in the loaded returns"),
      ". The list below is based on names and codes, not on whom they fund.");
  }
  const [section, said, isOfLeader] = ASKED[asked.intent] ?? [];
  const [, ein] = asked.path.match(/^\/nonprofits\/\w+\/(\d{9})/) ?? [];
  if (!section || !ein) return null;
  const name = nonprofits.find((one) => one.ein === ein)?.name ?? intent.organization_name ?? dashed(ein);
  const leader = h("p", { class: "leader", hidden: true });
  if (isOfLeader) {
    Promise.all([import("./leader.js"), ask(`/nonprofits/filings/${ein}`, { size: 100 }, { signal })])
      .then(([{ tellLeader }, { body }]) => tellLeader(leader, ein, body.items)).catch(() => {});
  }
  const line = h("p", { class: "did-you-mean", hidden: true });
  // A link to a section that is not there would lead to the top of the profile.
  has(section, ein, signal).then((isThere) => {
    line.append(...nodes(isThere ? ["From the loaded returns: ", h("a", { href: `#/nonprofit/${ein}?section=${section}` }, `${name}: ${said}`), "."]
      : [section === "received" ? `No loaded return lists a grant to ${name}. ` : `No loaded return of ${name} covers this. `,
        h("a", { href: `https://projects.propublica.org/nonprofits/organizations/${ein}`, rel: "noopener noreferrer" }, "Its returns at ProPublica"), "."]));
    line.hidden = false;
  }, () => {});
  return [leader, line];
}

/** Whether a profile has the section that a question asks for. */
async function has(section, ein, signal) {
  const [path, parameters, isThere] = PROBES[section];
  const { body } = await ask(`${path}/${ein}`, parameters, { signal });
  return isThere(body);
}

/** Whom the search box would have suggested, where no row has all words of a name: the reading of a query may have lost some. */
export function suggested(q, rows, signal) {
  const line = h("p", { class: "did-you-mean", hidden: true });
  ask("/typeahead/nonprofits", { q, scope: "all", limit: SUGGESTED_MAX }, { signal }).then(({ body }) => {
    const others = body.results.filter(({ ein }) => !rows.slice(0, SUGGESTED_MAX).some((one) => one.ein === ein));
    if (!others.length) return;
    line.append(...nodes(["By name, it may be ", others.map((one, at) => [
      at > 0 && (at === others.length - 1 ? " or " : ", "), h("a", { href: profileOf(one.ein) }, one.name), place(one) && ` (${place(one)})`]), "."]));
    line.hidden = false;
  }, () => {});
  return line;
}

/** Words that may be the name of a person, where no nonprofit on the page has it. */
export function person(q, words, nonprofits) {
  if (q?.trim().split(/\s+/).length > 3 || ofBodies(q) || /\b[A-Z]{3,}\b/.test(q ?? "")) return null;
  if (!/^\p{L}[\p{L}.'’ -]+$/u.test(q ?? "") || NO_NAME.test(q) || words.length < 2 || words.length > 3 || nonprofits.some((one) => bears(one, words))) return null;
  return h("p", { class: "did-you-mean" }, "Looking for a person? ", h("a", { href: `#/people?${new URLSearchParams({ q })}` }, `Search the returns for “${q}”`), ".");
}
