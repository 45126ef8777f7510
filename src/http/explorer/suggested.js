// What the search box suggests: names that begin as what was typed, those of a state first that is typed behind them.
import { ask } from "./api.js";
import { STATES } from "./filters.js";
import { stateCode } from "./holdings.js";

const PATH = "/typeahead/nonprofits";
/** The most that the endpoint gives, among which those of a state are looked for. */
const LIMIT_MAX = 25;
/** Words of the longest name of a state. */
const NAME_WORDS_MAX = 3;

/** Words in front of the full name of a state, and its code; null where there are no such words. */
function stateBehind(q) {
  // “West Virginia” is no west of Virginia.
  if (stateCode(q)) return null;
  const words = q.trim().split(/[\s,]+/);
  for (let many = Math.min(NAME_WORDS_MAX, words.length - 1); many > 0; many -= 1) {
    const name = words.slice(-many).join(" ");
    // A code may be any word: “me”, “or”.
    const code = name.length > 2 ? stateCode(name) : undefined;
    if (code) return { code, before: words.slice(0, -many).join(" ").replace(/\s+in$/i, "") };
  }
  return null;
}

const bearsName = (one, name) => [one.name, one.alt_name, one.matched_name].some((its) => its?.toLowerCase().includes(name.toLowerCase()));

/**
 * The suggestions for what was typed.
 * @param {string} q
 * @param {{limit: number, scope: string, min: number}} options `min`: letters without which there are none
 * @returns {Promise<object[]>}
 */
export async function suggestionsFor(q, { limit, scope, min }, signal) {
  const found = (words, many) => ask(PATH, { q: words, limit: many, scope }, { signal }).then(({ body }) => body.results);
  const behind = stateBehind(q);
  if (!behind || behind.before.length < min) return found(q, limit);
  const { code, before } = behind;
  const [whole, named] = await Promise.all([found(q, limit), found(before, LIMIT_MAX)]);
  const seen = new Set(whole.map(({ ein }) => ein));
  const there = [...whole, ...named.filter(({ ein }) => !seen.has(ein))].filter(({ state }) => state === code);
  // Others only with the state in their names: “Vermont Society of New York”.
  const elsewhere = whole.filter((one) => one.state !== code && bearsName(one, STATES[code]));
  return [...there, ...elsewhere].slice(0, limit);
}
