// The counties of the state that is searched, each with a box to tick, below the field that takes several with commas:
// those with most results in sight, all others behind "more". A tick is written into the field, which the panel reads.
import { h } from "./dom.js";
import { count } from "./format.js";

/** Counties in sight, besides those that are ticked. */
const IN_SIGHT = 5;
const KIND = / (?:city and borough|census area|municipality|municipio|borough|county|parish)$/;

/** A county as it is compared: in any case, with or without its kind. */
const key = (name) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim().replace(KIND, "").replace(/^st /, "saint ");

/** The counties of a list with commas, as they were typed. */
export const countiesOf = (list) => (list ?? "").split(",").map((one) => one.trim()).filter(Boolean);

/**
 * Draws the boxes anew.
 * @param {HTMLElement} field of the panel, with the box for text
 * @param {string} place the state's name
 * @param {string[]} names every county of the state; none of what is no state or has none
 * @param {Array<{value: string, count: number}>} results of each county, as far as they are known
 */
export function drawTicks(field, place, names, results) {
  const input = field.querySelector("input[type=text]");
  const wasOpen = field.querySelector(".ticks details")?.open ?? false;
  const focused = field.querySelector(".ticks :focus")?.id;
  field.querySelector(".ticks")?.remove();
  if (names.length < 2) return;
  const counts = new Map(results.map((one) => [key(one.value ?? ""), one.count]));
  const ticked = new Set(countiesOf(input.value).map(key));
  const ranked = names.map((name) => ({ name, of: key(name) }))
    .sort((one, other) => ticked.has(other.of) - ticked.has(one.of) || (counts.get(other.of) ?? 0) - (counts.get(one.of) ?? 0) || one.name.localeCompare(other.name));
  const sight = Math.max(IN_SIGHT, ticked.size);
  const rest = ranked.slice(sight).sort((one, other) => one.name.localeCompare(other.name));
  field.append(h("div", { class: "ticks", role: "group", "aria-label": `Counties of ${place}` },
    ranked.slice(0, sight).map(tick),
    rest.length > 0 && h("details", { class: "more", open: wasOpen }, h("summary", null, `${count(rest.length)} more in ${place}`), h("div", { class: "tick-list" }, rest.map(tick)))));
  // What is drawn anew has taken the focus with it.
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });

  function tick({ name, of }) {
    return h("label", { class: "check" },
      h("input", { type: "checkbox", id: `f-county-${of.replaceAll(" ", "-")}`, checked: ticked.has(of), onchange: ({ target }) => write(name, of, target.checked) }),
      h("span", null, name), counts.has(of) && h("span", { class: "count" }, count(counts.get(of))));
  }

  function write(name, of, isTicked) {
    const others = countiesOf(input.value).filter((one) => key(one) !== of);
    input.value = [...others, ...(isTicked ? [name] : [])].join(", ");
  }
}
