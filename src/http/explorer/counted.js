// What is known of the values that the panel of filters offers: how many of the results have each, which figures hardly
// any nonprofit has, of which states only strays are loaded. Writes into the form that panel.js made.
import { FIGURES } from "./declared.js";
import { h } from "./dom.js";
import { COUNTED, byName } from "./filters.js";
import { count } from "./format.js";
import { SHARE_MIN, offerOrders, shareOf } from "./known.js";

/** A figure that fewer have is not offered to search by. */
const OFFERED_SHARE_MIN = 0.001;
/** Values of a field for text that stand below it; all are offered while one types. */
const OFFERED = 5;
/** So many at most behind "more". */
const OFFERED_MAX = 60;
const percent = new Intl.NumberFormat("en-US", { style: "percent", maximumSignificantDigits: 1 });

/**
 * Shows how many of the results have each value, at the values that any of them has; counties are those of county_ticks.js.
 * @param {HTMLFormElement} form
 * @param {object} facets lists of `{value, count}` by facet
 * @param {(changes: object) => string} addressOf the search with these filters changed
 * @param {object} filters those that are set
 */
export function tally(form, facets, addressOf, filters) {
  for (const [name, facet] of Object.entries(COUNTED)) {
    const values = (facets[facet] ?? []).filter(({ value }) => value !== null);
    const counts = new Map(values.map((one) => [one.value, count(one.count)]));
    if (name === "county") continue;
    if (byName.get(name).kind === "text") {
      offer(form, name, filters[name] ? [] : values, addressOf);
      continue;
    }
    for (const option of form.querySelectorAll(`select[name="${name}"] option:not([value=""])`)) {
      option.textContent = [byName.get(name).options[option.value] ?? option.value, counts.has(option.value) ? `(${counts.get(option.value)})` : ""].join(" ").trim();
    }
    for (const box of form.querySelectorAll(`input[type=checkbox][name="${name}"]`)) {
      box.parentElement.querySelector(".count")?.remove();
      if (counts.has(box.value)) box.parentElement.append(h("span", { class: "count" }, counts.get(box.value)));
    }
  }
}

/** The most frequent values below a field for text, each a way to its search, and all of them while one types. */
function offer(form, name, values, addressOf) {
  const field = form.querySelector(`[data-field="${name}"]`);
  const input = form.elements[name];
  field.querySelectorAll(".offered, datalist").forEach((one) => one.remove());
  input.removeAttribute("list");
  if (values.length < 2) return;
  const list = `${input.id}-values`;
  input.setAttribute("list", list);
  field.append(
    h("datalist", { id: list }, values.map(({ value }) => h("option", { value }))),
    ways("most results", values.slice(0, OFFERED)));
  if (values.length > OFFERED) {
    field.append(h("details", { class: "more offered" }, h("summary", null, `${count(Math.min(values.length, OFFERED_MAX) - OFFERED)} more`),
      ways("more", values.slice(OFFERED, OFFERED_MAX))));
  }

  function ways(which, some) {
    return h("ul", { class: "plain offered", "aria-label": `${byName.get(name).label}: ${which}` }, some.map((one) => h("li", null,
      h("a", { href: addressOf({ [name]: one.value }) }, one.value), " ", h("span", { class: "count" }, count(one.count)))));
  }
}

/**
 * Greys what is known of hardly any nonprofit, and leaves out what is known of next to none; what is set stays. States whose
 * own list is not loaded come last.
 */
export function know(form, filters, shares, strays) {
  const select = form.elements.state;
  const few = [...select.options].filter(({ value, parentElement }) => strays.has(value) && parentElement === select);
  if (few.length) select.append(h("optgroup", { label: "State list not loaded" }, few));
  offerOrders(form.elements.then, shares);
  for (const { name } of FIGURES) {
    const share = shareOf(shares, name);
    if (share === undefined || share >= SHARE_MIN) continue;
    for (const bound of [`min_${name}`, `max_${name}`]) {
      const at = form.querySelector(`[data-field="${bound}"]`);
      const input = form.elements[bound];
      const set = filters[bound] !== undefined;
      at.hidden = share < OFFERED_SHARE_MIN && !set;
      input.disabled = !set;
      at.querySelector(".known")?.remove();
      if (bound.startsWith("min")) at.append(h("p", { class: "hint known" }, `known for ${percent.format(share)} of nonprofits`));
    }
  }
}
