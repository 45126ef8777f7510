// The panel of filters: makes the fields that filters.js declares, fills them from the address, and gives the
// address of the changed search. Messages of the server are shown at their fields.
import { lacksPoint, whyNoPoint } from "./around.js";
import { know, tally } from "./counted.js";
import { drawTicks } from "./county_ticks.js";
import { h } from "./dom.js";
import { AMOUNT_EXPECTED, FIELDS, GROUPS, STATES, address, amountOf, byName, chips, labelOf } from "./filters.js";

const idOf = (name, value) => `f-${name}${value === undefined ? "" : `-${value}`}`.replace(/[^\w-]/g, "_");

function control(field) {
  const { name, kind } = field;
  const id = idOf(name);
  if (kind === "hidden") return h("input", { id, name, type: "hidden" });
  const describe = [field.hint ? `${id}-hint` : null, `${id}-error`].filter(Boolean).join(" ");
  const input = kind === "select"
    ? h("select", { id, name, "aria-describedby": describe }, Object.entries(field.options).map(([value, text]) => h("option", { value }, text)))
    : h("input", { id, name, type: "text", autocomplete: "off", spellcheck: "false", "aria-describedby": describe,
      "aria-label": field.spoken, inputmode: field.inputmode ?? (kind === "text" ? null : "decimal") });
  return h("div", { class: field.whole ? "field whole" : "field", dataset: { field: name } },
    h("label", { for: id }, field.label), input,
    field.hint ? h("p", { class: "hint", id: `${id}-hint` }, field.hint) : null,
    h("p", { class: "error", id: `${id}-error` }));
}

function checks(field) {
  const id = idOf(field.name);
  const other = field.other ? [
    h("label", { for: `${id}-other` }, field.other),
    h("input", { id: `${id}-other`, name: `${field.name}-other`, type: "text", autocomplete: "off", spellcheck: "false", "aria-describedby": `${id}-hint ${id}-error` }),
    h("p", { class: "hint", id: `${id}-hint` }, field.hint)] : null;
  return h("fieldset", { class: "field", dataset: { field: field.name }, "aria-describedby": `${id}-error` },
    h("legend", null, field.label),
    inOrder(field.options).map(([value, text]) => check(field, value, text)),
    other, h("p", { class: "error", id: `${id}-error` }));
}

/** An object lists keys like "10" before those like "03", wherever they are written. */
const inOrder = (options) => Object.entries(options).sort(([a], [b]) => Number(a) - Number(b) || 0);

const check = (field, value, text) => h("label", { class: "check" },
  h("input", { type: "checkbox", id: idOf(field.name, value), name: field.name, value }), h("span", null, text));

/**
 * The panel.
 * @param {(hash: string, isSubmitted: boolean) => void} onApply called with the address of the changed search; `isSubmitted`: by the button
 * @param {() => string} typedQuery what stands in the box of the search by now
 * @returns {{element: HTMLElement, fill: (filters: object) => void, point: (details: object[]) => {rest: object[], told: object[]}, reveal: () => void, locate: () => void,
 *   know: (all: {shares: Map<string, number>, strays: Set<string>, byState: Map<string, string[]>}) => void,
 *   count: (facets: object, intent: object) => void, ticks: (results: object[]) => void}}
 *   `count` shows how many of the results have each value, and the state that the words name; `ticks` how many each county
 *   has; `know` how many nonprofits have a figure at all, of which states only strays are loaded, and the counties of each; `locate` asks this device where it is; `point` shows the messages of a 422 at their fields; `reveal` goes to the first of these
 */
export function panel(onApply, typedQuery) {
  let filters = {};
  /** The state that is searched, and the names of the counties of each. */
  let place = null;
  let counties = new Map();
  /** Whether what is typed in the panel was taken into the search that comes next. */
  let taken = false;
  const near = h("p", { class: "error", role: "alert" });
  const counting = h("p", { class: "hint counting", hidden: true }, "Numbers are of the results listed here; choosing a filter searches again and may find more.");
  const groups = GROUPS.map((group) => ({ group, element: h("details", { class: "group", open: group.open },
    h("summary", null, h("span", null, group.title), h("span", { class: "badge", hidden: true })),
    h("div", { class: group.pairs ? "pairs" : "stack" },
      group.near ? h("div", { class: "whole" }, h("button", { type: "button", class: "button small", onclick: locate }, "Use this device’s location"), near) : null,
      group.fields.map((field) => (field.kind === "checks" ? checks(field) : control(field))))) }));
  const form = h("form", { class: "filter-form", "aria-label": "Filters", novalidate: true, onsubmit: apply, onchange: changed, oninput: typed },
    counting, groups.map((one) => one.element),
    h("div", { class: "row filter-actions" }, h("button", { class: "button primary" }, "Apply"),
      h("button", { type: "button", class: "button quiet", onclick: clear }, "Clear filters")));
  const total = h("span", { class: "badge", hidden: true });
  const element = h("details", { class: "filters" }, h("summary", null, "Filters ", total), form);

  function changed(event) {
    // Ticks and lists take effect at once; what is typed may not be complete yet and waits for Apply.
    if (event.target.matches("select, [type=checkbox]")) apply();
  }

  /** What is typed waits for the button, which then stays in sight. */
  function typed(event) {
    if (event.target.matches("[type=text]")) form.classList.add("unapplied");
  }

  function apply(event) {
    event?.preventDefault();
    const changes = {};
    for (const field of FIELDS) changes[field.name] = valueOf(field);
    const { then, ...rest } = changes;
    const first = filters.sort?.[0] ?? (then ? "relevance" : undefined);
    // Another place takes that of the point that stands for one; without miles there is none.
    const isMoved = filters.around && (rest.city || rest.zip_code || !Number(rest.location_range));
    if (isMoved) Object.assign(rest, { latitude: undefined, longitude: undefined, around: undefined });
    taken = true;
    onApply(address(filters, { ...rest, q: typedQuery() || undefined, sort: first ? [first, then].filter(Boolean) : undefined }), event?.type === "submit");
  }

  function valueOf(field) {
    if (field.kind === "unseen") return filters[field.name];
    if (field.kind === "checks") {
      const ticked = [...form.querySelectorAll(`[name="${field.name}"]:checked`)].map((one) => one.value);
      const typed = field.other ? form.elements[`${field.name}-other`].value.split(/[\s,]+/).filter(Boolean) : [];
      return [...ticked, ...typed];
    }
    const text = form.elements[field.name].value.trim();
    return field.kind === "money" ? amountOf(text) : text;
  }

  function clear() {
    taken = true;
    onApply(address({ q: filters.q, size: filters.size, show: filters.show }));
  }

  function locate() {
    near.textContent = "Asking this device…";
    if (!navigator.geolocation) return void (near.textContent = "This browser does not share its location.");
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      near.textContent = "";
      // Three digits are a hundred yards: enough for a search, and no more than it needs.
      form.elements.latitude.value = coords.latitude.toFixed(3);
      form.elements.longitude.value = coords.longitude.toFixed(3);
      form.elements.location_range.value ||= "25";
      filters = { ...filters, around: undefined };
      apply();
    }, (error) => { near.textContent = error.code === 1 ? "This browser was not allowed to share its location." : "This device could not find its location."; },
    { timeout: 15_000, maximumAge: 600_000 });
  }

  function fillField(field, value) {
    if (field.kind === "unseen") return;
    if (field.kind !== "checks") {
      const input = form.elements[field.name];
      const text = field.name === "state" ? (value ?? "").toUpperCase() : value ?? "";
      // A value of the address that is not on the list is still what is searched by.
      if (input.options && ![...input.options].some((one) => one.value === text)) input.append(h("option", { value: text }, text));
      input.value = text;
      return;
    }
    const values = [value ?? []].flat();
    const known = new Set(Object.keys(field.options));
    for (const one of values) {
      if (known.has(one) || field.other || document.getElementById(idOf(field.name, one))) continue;
      form.querySelector(`[data-field="${field.name}"] .error`).before(check(field, one, one));
    }
    for (const box of form.querySelectorAll(`[name="${field.name}"]`)) box.checked = values.includes(box.value);
    if (field.other) form.elements[`${field.name}-other`].value = values.filter((one) => !known.has(one)).join(", ");
  }

  /** Texts that were typed and not applied, which a change elsewhere must not take away. */
  function waiting() {
    const boxes = taken ? [] : [...form.querySelectorAll("[type=text]")];
    return boxes.filter((box) => box.value !== (box.dataset.filled ?? "")).map((box) => [box, box.value]);
  }

  function fill(next) {
    filters = next;
    const kept = waiting();
    taken = false;
    form.classList.toggle("unapplied", kept.length > 0);
    const values = { ...next, then: next.sort?.slice(1).join(",") };
    for (const field of FIELDS) fillField(field, values[field.name]);
    for (const box of form.querySelectorAll("[type=text]")) box.dataset.filled = box.value;
    for (const [box, text] of kept) box.value = text;
    for (const { group, element: one } of groups) {
      const set = group.fields.map((field) => values[field.name]).filter((value) => value?.length).flat().length;
      badge(one.querySelector(".badge"), set);
      if (set) one.open = true;
    }
    badge(total, chips(next).length);
    point([]);
    if (lacksPoint(next)) form.querySelector("[data-field=location_range] .error").textContent = whyNoPoint(next);
  }

  /** Shows what is wrong at its field; gives what has no field, and of each field what was said. */
  function point(details) {
    const told = [];
    form.querySelectorAll(".error").forEach((one) => { one.textContent = ""; });
    form.querySelectorAll("[aria-invalid]").forEach((one) => one.removeAttribute("aria-invalid"));
    const rest = details.filter((detail) => {
      const name = detail.loc?.[1];
      const at = form.querySelector(`[data-field="${CSS.escape(String(name))}"]`);
      if (!at) return true;
      const list = detail.loc.length > 2 ? filters[name]?.[detail.loc[2]] : null;
      const says = byName.get(name).expects ?? (NO_NUMBER.test(detail.msg) ? NUMBER_EXPECTED[byName.get(name).kind] : null) ?? inWords(detail.msg);
      told.push({ name, says });
      at.querySelector(".error").append(h("span", null, `${list ? `${list}: ` : ""}${says} `));
      at.querySelectorAll("input[type=text], select").forEach((one) => one.setAttribute("aria-invalid", "true"));
      at.closest("details").open = true;
      return false;
    });
    return { rest, told };
  }

  /** Brings the first field that was refused into view, with the focus. */
  function reveal() {
    const first = form.querySelector("[aria-invalid]");
    first?.focus({ preventScroll: true });
    first?.closest(".field").scrollIntoView({ block: "nearest" });
  }

  /** How many of the results have each value; places are offered where the search is in one state. */
  function count(facets, intent) {
    counting.hidden = !filters.q;
    const state = filters.state ?? intent.state;
    const byWords = filters.state ? null : intent.state;
    form.elements.state.options[0].textContent = byWords ? STATES[byWords] ?? byWords : "Any";
    form.querySelector("[data-field=state] .by-words")?.remove();
    if (byWords) form.elements.state.after(h("p", { class: "hint by-words" }, "from your words"));
    tally(form, state ? facets : { ...facets, city: [] }, (changes) => address(filters, changes), filters);
    place = state;
    ticks(facets.county ?? []);
  }

  /** The counties of the state that is searched; `results` of each, if they are known by now. */
  function ticks(results) {
    drawTicks(form.querySelector("[data-field=county]"), STATES[place] ?? place, counties.get(place) ?? [], results);
  }

  function knowAll({ shares, strays, byState }) {
    counties = byState;
    know(form, filters, shares, strays);
  }

  return { element, fill, point, reveal, locate, count, ticks, know: knowAll };
}

const NO_NUMBER = /valid (?:number|integer)/;
const NUMBER_EXPECTED = {
  money: AMOUNT_EXPECTED, number: "Enter a number, such as 25.", year: "Enter a four-digit year, such as 1987.",
};

/** A message of the server with what it calls parameters called as the panel does. */
const inWords = (message) => message.replace(/^Value error, /, "")
  .replace(/\b[a-z]+_[a-z_]+\b/g, (word) => (byName.has(word) ? `“${labelOf(word)}”` : word));

function badge(element, number) {
  element.hidden = !number;
  element.textContent = String(number);
}
