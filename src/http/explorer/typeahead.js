// The search box: a combobox (ARIA 1.2, list with manual selection) over /typeahead/nonprofits.
// Choosing a suggestion gives its EIN; Enter without one gives the words. What happens then is up
// to the caller.
import { ask } from "./api.js";
import { h } from "./dom.js";
import { dashed, otherName, place, plural, sameName } from "./format.js";
import { marked } from "./highlight.js";
import { aborted, announce } from "./states.js";
import { suggestionsFor } from "./suggested.js";

/** Long enough to skip the letters of a fast typist, too short to be felt as waiting. */
const PAUSE_MS = 60;
/** What the endpoint takes; longer text is a search in words, not a name. */
const Q_MIN = 2;
const Q_MAX = 100;
const LIMIT = 8;
/** As the search does, of every standing and section; only then are the other names told too. */
const SCOPE = "all";

/** One EIN and nothing else, as people write it. */
const EIN_ALONE = /^(?:ein\s*[:#]?\s*)?(\d{2})[\s-]?(\d{7})$/i;

/** Whether a nonprofit has this EIN; without an answer the search will tell. */
const isThere = (ein) => ask("/typeahead/nonprofits", { q: ein, limit: 1, scope: SCOPE })
  .then(({ body }) => body.results[0]?.ein === ein, () => false);

/** "53-0196605" with the typed digits marked, when what was typed is a number. */
function markedEin(ein, q) {
  const digits = q.replace(/[\s-]/g, "");
  const text = dashed(ein);
  if (!/^\d{2,9}$/.test(digits) || !ein.startsWith(digits)) return text;
  const end = digits.length > 2 ? digits.length + 1 : digits.length;
  return [h("mark", null, text.slice(0, end)), text.slice(end)];
}

const plain = (name) => (name ?? "").normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
  .replace(/['’]/g, "").replace(/\b(?:inc|incorporated|corp|corporation|co|the)\b|[^\p{L}\p{N}]+/gu, " ").trim().replace(/\s+/g, " ");

/** Whether what was typed is the first one alone: its EIN, or its whole name that no other has. */
function isCertain([first, ...others], q) {
  if (!first) return false;
  const names = (one) => [one.name, one.alt_name, one.matched_name].filter(Boolean).map(plain);
  const typed = plain(q);
  return q.replace(/[\s-]/g, "") === first.ein || (typed.includes(" ") && names(first).includes(typed) && !others.some((one) => names(one).includes(typed)));
}

/** What tells namesakes apart, and the name that matched where it is not among those shown. */
function apart(one, q) {
  const other = otherName(one);
  const matched = one.matched_name && !sameName(one.matched_name, one.name) ? one.matched_name : null;
  const byOther = other && matched && sameName(matched, other);
  const parts = [
    byOther ? h("strong", null, marked(other, q)) : other,
    place(one),
    matched && !byOther ? ["matched: ", marked(matched, q)] : null,
  ].filter(Boolean);
  return parts.map((part, at) => (at ? [" · ", part] : part));
}

/** There is no room for a long hint. */
const NARROW = matchMedia("(max-width: 30rem)");

/**
 * The box with its list and button.
 * @param {{onChoose: (ein: string, typed: string) => void, onSearch: (q: string) => void, button?: string,
 *   label?: string, placeholder?: string}} options
 * @returns {{element: HTMLElement, box: HTMLInputElement, fill: (q: string) => void}}
 */
export function typeahead({ onChoose, onSearch, button = "Search", label = "Name, EIN, or what you are looking for in plain words", placeholder = NARROW.matches ? "Name, EIN or cause" : "Name, EIN, or what it does and where" }) {
  let pending = null;
  let timer = 0;
  let chosen = -1;
  /** What was typed when the first suggestion was sure to be meant; Enter then opens it. */
  let certain = null;

  const list = h("ul", { id: "suggestions", class: "suggestions", role: "listbox", "aria-label": "Suggestions", hidden: true });
  const box = h("input", {
    id: "q", type: "search", role: "combobox", autocomplete: "off", autocapitalize: "off",
    spellcheck: "false", maxlength: "256", enterkeyhint: "search", placeholder,
    "aria-expanded": "false", "aria-controls": "suggestions", "aria-autocomplete": "list",
    oninput: later, onkeydown: press, onblur: close,
  });
  const element = h("form", { class: "search-box", role: "search", onsubmit: search },
    h("label", { for: "q", class: "visually-hidden" }, label),
    h("div", { class: "search-field" }, box, list),
    h("button", { class: "button primary" }, button));

  function later() {
    clearTimeout(timer);
    pending?.abort();
    timer = setTimeout(suggest, PAUSE_MS);
  }

  async function suggest() {
    pending?.abort();
    const q = box.value.trim();
    const letters = [...q].length;
    if (letters < Q_MIN || letters > Q_MAX) return show([], q);
    pending = new AbortController();
    const { signal } = pending;
    try {
      const results = await suggestionsFor(q, { limit: LIMIT, scope: SCOPE, min: Q_MIN }, signal);
      if (signal.aborted || document.activeElement !== box) return;
      show(results, q);
      announce(results.length ? plural(results.length, "suggestion", "suggestions") : "No suggestions");
    } catch (error) {
      // A search that is sent says what is wrong; suggestions only stay away.
      if (!aborted(error) && !signal.aborted) show([], q);
    }
  }

  function show(results, q) {
    chosen = -1;
    certain = isCertain(results, q) ? q : null;
    list.replaceChildren(...results.map((one, index) => h("li", {
      id: `suggestion-${index}`, role: "option", "aria-selected": "false", dataset: { ein: one.ein },
      // The box keeps the focus; a blur would close the list before the click.
      onmousedown: (event) => event.preventDefault(),
      onclick: () => choose(one.ein),
    },
    h("span", { class: "suggestion-name" }, marked(one.name, q)),
    h("span", { class: "suggestion-facts" }, h("span", null, apart(one, q)),
      h("span", { class: "ein" }, index === 0 && certain !== null && h("kbd", null, "Enter"), markedEin(one.ein, q))))));
    list.hidden = results.length === 0;
    box.setAttribute("aria-expanded", String(results.length > 0));
    box.removeAttribute("aria-activedescendant");
  }

  function close() {
    clearTimeout(timer);
    pending?.abort();
    show([], "");
  }

  function choose(ein) {
    close();
    onChoose(ein, box.value.trim());
  }

  async function search(event) {
    event.preventDefault();
    const item = list.children[chosen];
    if (item) return choose(item.dataset.ein);
    if (certain !== null && certain === box.value.trim()) return choose(list.firstElementChild.dataset.ein);
    close();
    const typed = box.value.trim();
    const ein = EIN_ALONE.exec(typed)?.slice(1).join("");
    // Who pastes an EIN presses Enter before any suggestion is there.
    const isOne = ein && await isThere(ein);
    if (!box.isConnected || box.value.trim() !== typed) return;
    if (isOne) onChoose(ein, typed);
    else onSearch(typed);
  }

  function move(step) {
    const items = [...list.children];
    if (!items.length) return suggest();
    // The list that is being chosen from is not exchanged under the user's hands.
    clearTimeout(timer);
    pending?.abort();
    // One more place than items: none chosen, so that the typed words can be reached again.
    chosen = ((chosen + 1 + step + items.length + 1) % (items.length + 1)) - 1;
    items.forEach((item, index) => item.setAttribute("aria-selected", String(index === chosen)));
    if (chosen < 0) return box.removeAttribute("aria-activedescendant");
    items[chosen].scrollIntoView({ block: "nearest" });
    box.setAttribute("aria-activedescendant", items[chosen].id);
  }

  function press(event) {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    }
  }

  return { element, box, fill: (q) => { if (box.value !== q) box.value = q; close(); } };
}
