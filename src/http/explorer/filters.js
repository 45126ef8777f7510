// The explicit filters of the beta search: the panel that sets them, the words for each, and their
// form in the address. Checks nothing: the server does, and its messages are shown at their fields. The ranges
// and the orders are those that the server declares: it writes `declared.js`.
import { FIGURES, SORTS } from "./declared.js";
import { h } from "./dom.js";
import { GOALS, MAJORS, count, dollars } from "./format.js";

export const STATES = Object.fromEntries(`AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,
CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,
IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,
MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,
NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,SC South Carolina,
SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,
WY Wyoming,AS American Samoa,GU Guam,MP Northern Mariana Islands,PR Puerto Rico,VI U.S. Virgin Islands,
FM Micronesia,MH Marshall Islands,PW Palau,AA Armed Forces Americas,AE Armed Forces Europe,AP Armed Forces Pacific`
  .split(/,\s*/).map((one) => [one.slice(0, 2), one.slice(3)]));

const SUBSECTIONS = {
  "03": "(3) charities", "04": "(4) social welfare", "05": "(5) labor, agriculture", "06": "(6) business leagues",
  "07": "(7) social clubs", "08": "(8) fraternal, with benefits", "09": "(9) employee benefits",
  "10": "(10) fraternal, domestic", "12": "(12) utilities, mutual insurance", "13": "(13) cemeteries",
  "14": "(14) credit unions", "19": "(19) veterans",
};
const SIZES = {
  Small: "Small, under $1M", Medium: "Medium, $1M to $10M", Large: "Large, $10M to $100M", "Super-Size": "Super-Size, $100M and up",
};
const YES_NO = (yes, no) => ({ "": "Either", true: yes, false: no });

/** What results can be sorted by; the key is the value of `sort`. */
export const ORDERS = Object.fromEntries([["relevance", "Best fit"], ...SORTS]);

const range = (of, label, kind) => [
  { name: `min_${of}`, label: `${label} from`, kind, short: `${label} ≥` },
  { name: `max_${of}`, label: "to", kind, short: `${label} ≤`, spoken: `${label} to` },
];

/** The ranges of the figures in dollars, or of all others. */
const ranges = (inDollars) => FIGURES.filter((figure) => (figure.unit === "dollars") === inDollars)
  .flatMap(({ name, title, unit }) => range(name, title, { dollars: "money", year: "year" }[unit] ?? "number"));

/** The panel, group by group. `kind` says how a field is made and how its value is said. */
const GROUPS = [
  { title: "Place", open: true, pairs: true, fields: [
    { name: "state", label: "State", kind: "select", options: { "": "Any", ...STATES } },
    { name: "zip_code", label: "ZIP code", kind: "text", inputmode: "numeric", expects: "A ZIP code has five digits." },
    { name: "city", label: "City", kind: "text" },
    { name: "county", label: "County", kind: "text" },
  ] },
  { title: "Near a point", near: true, pairs: true, fields: [
    { name: "latitude", label: "Latitude", kind: "number" },
    { name: "longitude", label: "Longitude", kind: "number" },
    { name: "location_range", label: "Within miles", kind: "number", hint: "0: any distance" },
  ] },
  { title: "Money", open: true, pairs: true, fields: ranges(true) },
  { title: "Size", fields: [{ name: "org_size", label: "Size", kind: "checks", options: SIZES }] },
  { title: "People, rating and year", pairs: true, fields: ranges(false) },
  { title: "Standing", fields: [
    { name: "foundation", label: "Private foundations", kind: "select", options: YES_NO("Only foundations", "No foundations") },
    { name: "deductible_donations", label: "Donations", kind: "select", options: YES_NO("Deductible", "Not deductible") },
    { name: "subsection_codes", label: "Section 501(c)", kind: "checks", options: SUBSECTIONS, word: "501(c) code" },
  ] },
  { title: "Cause", fields: [
    { name: "ntee_codes", label: "NTEE major group", kind: "checks", options: MAJORS, other: "Other NTEE codes", hint: "K31, A2: a code or how it starts", word: "NTEE" },
  ] },
  { title: "Goals", fields: [
    { name: "sdgs", label: "Sustainable Development Goal", kind: "checks", word: "Goal",
      options: Object.fromEntries(GOALS.map((title, index) => [String(index + 1), `${index + 1} ${title}`])) },
  ] },
  { title: "Order and matching", fields: [
    { name: "then", label: "Sort, then by", kind: "select", options: { "": "Nothing more", ...ORDERS } },
    { name: "model", label: "Reads the query by", kind: "select", options: { "": "Trained reader (default)", grammar: "Grammar alone" }, short: "Read by" },
    { name: "max_vector_distance", label: "Farthest in meaning, 0 to 1", kind: "number", hint: "Higher lets in what fits less", short: "Meaning within" },
  ] },
];

const FIELDS = GROUPS.flatMap((group) => group.fields);
const byName = new Map(FIELDS.map((field) => [field.name, field]));
const LISTS = ["subsection_codes", "org_size", "ntee_codes", "sdgs", "sort"];
const KNOWN = ["q", ...FIELDS.map((field) => field.name).filter((name) => name !== "then"), "sort", "page", "size"];
/** Options of the page rather than of the search. */
const ALSO = ["show"];

/** The fields whose values are counted, by the facet of the server that counts them. */
const COUNTED = { state: "state", org_size: "org_size", subsection_codes: "subsection", ntee_codes: "ntee_major" };
export const FACETS = Object.values(COUNTED).join(",");

/** The filters of an address: name → text, or list of texts. */
export function read(parameters) {
  const filters = {};
  for (const name of [...KNOWN, ...ALSO]) {
    const all = parameters.getAll(name).flatMap((one) => (LISTS.includes(name) ? one.split(",") : [one]))
      .map((one) => one.trim()).filter(Boolean);
    if (all.length) filters[name] = LISTS.includes(name) ? [...new Set(all)] : all.at(-1);
  }
  return filters;
}

/** The address of a search. The page number does not outlive a change of anything else. */
export function address(filters, changes = {}) {
  const next = { ...filters, ...changes };
  if (!("page" in changes) && !("show" in changes)) delete next.page;
  if (String(next.page) === "1") delete next.page;
  const asked = new URLSearchParams();
  for (const name of [...KNOWN, ...ALSO]) {
    const value = [next[name] ?? []].flat().join(",");
    if (value) asked.set(name, value);
  }
  return asked.size ? `#/search?${asked.toString().replaceAll("%2C", ",")}` : "#/search";
}

/** What to send to the server: everything but the options of the page. */
export const request = (filters) => Object.fromEntries(Object.entries(filters).filter(([name]) => !ALSO.includes(name)));

/** Words for one value of a filter. */
function say(field, value) {
  const { name, kind, options } = field;
  if (name === "ntee_codes") return `NTEE ${value.toUpperCase()}${MAJORS[value.toUpperCase()] ? ` ${MAJORS[value.toUpperCase()]}` : ""}`;
  if (name === "sdgs") return `Goal ${options[value] ?? value}`;
  if (name === "subsection_codes") return `501(c)${SUBSECTIONS[value] ?? ` code ${value}`}`;
  if (name === "foundation" || name === "deductible_donations") return options[value] ?? `${field.label}: ${value}`;
  if (name === "org_size") return `Size ${value}`;
  if (name === "state") return STATES[value.toUpperCase()] ?? value;
  if (kind === "text") return `${field.label}: ${value}`;
  const number = value !== "" && Number.isFinite(Number(value)) ? Number(value) : null;
  const said = number === null ? value : kind === "money" ? dollars(number) : kind === "year" ? String(number) : count(number);
  return `${field.short ?? field.label} ${options?.[value] ?? said}`;
}

/** The explicit filters, each with its words and the address of the search without it. */
export function chips(filters) {
  const made = [];
  for (const field of FIELDS) {
    const value = filters[field.name];
    if (value === undefined || ["latitude", "longitude", "location_range"].includes(field.name)) continue;
    for (const one of [value].flat()) {
      const rest = Array.isArray(value) ? value.filter((other) => other !== one) : undefined;
      made.push({ label: say(field, one), without: address(filters, { [field.name]: rest }) });
    }
  }
  if (["latitude", "longitude", "location_range"].some((name) => filters[name] !== undefined)) {
    const miles = Number(filters.location_range) ? `Within ${filters.location_range} miles of` : "Near";
    made.push({
      label: `${miles} ${filters.latitude ?? "?"}, ${filters.longitude ?? "?"}`,
      without: address(filters, { latitude: undefined, longitude: undefined, location_range: undefined }),
    });
  }
  return made;
}

/** "$1.5m", "100,000" → digits; anything else goes to the server as it is, which says what is wrong. */
function amount(text) {
  const found = /^\$?\s*([\d,]*\.?\d+)\s*(k|m|b|thousand|million|billion)?$/i.exec(text);
  if (!found) return text;
  const scale = { k: 1e3, t: 1e3, m: 1e6, b: 1e9 }[found[2]?.[0].toLowerCase()] ?? 1;
  return String(Math.round(Number(found[1].replaceAll(",", "")) * scale * 100) / 100);
}

const idOf = (name, value) => `f-${name}${value === undefined ? "" : `-${value}`}`.replace(/[^\w-]/g, "_");

function control(field) {
  const { name, kind } = field;
  const id = idOf(name);
  const describe = [field.hint ? `${id}-hint` : null, `${id}-error`].filter(Boolean).join(" ");
  const input = kind === "select"
    ? h("select", { id, name, "aria-describedby": describe }, Object.entries(field.options).map(([value, text]) => h("option", { value }, text)))
    : h("input", { id, name, type: "text", autocomplete: "off", spellcheck: "false", "aria-describedby": describe,
      "aria-label": field.spoken, inputmode: field.inputmode ?? (kind === "text" ? null : "decimal") });
  return h("div", { class: "field", dataset: { field: name } },
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
 * @param {(hash: string) => void} onApply called with the address of the changed search
 * @param {() => string} typedQuery what stands in the box of the search by now
 * @returns {{element: HTMLElement, fill: (filters: object) => void, point: (details: object[]) => object[], count: (facets: object) => void}}
 *   `count` shows how many of the results have each value; `point` shows the messages of a 422 at their fields and gives back those that have none
 */
export function panel(onApply, typedQuery) {
  let filters = {};
  /** Whether what is typed in the panel was taken into the search that comes next. */
  let taken = false;
  const near = h("p", { class: "error", role: "alert" });
  const groups = GROUPS.map((group) => ({ group, element: h("details", { class: "group", open: group.open },
    h("summary", null, h("span", null, group.title), h("span", { class: "badge", hidden: true })),
    h("div", { class: group.pairs ? "pairs" : "stack" },
      group.near ? h("div", { class: "whole" }, h("button", { type: "button", class: "button small", onclick: locate }, "Near me"), near) : null,
      group.fields.map((field) => (field.kind === "checks" ? checks(field) : control(field))))) }));
  const form = h("form", { class: "filter-form", "aria-label": "Filters", novalidate: true, onsubmit: apply, onchange: changed, oninput: typed },
    groups.map((one) => one.element),
    h("div", { class: "row filter-actions" }, h("button", { class: "button primary" }, "Apply"),
      h("button", { type: "button", class: "button quiet", onclick: clear }, "Clear all")));
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
    taken = true;
    onApply(address(filters, { ...rest, q: typedQuery() || undefined, sort: first ? [first, then].filter(Boolean) : undefined }));
  }

  function valueOf(field) {
    if (field.kind === "checks") {
      const ticked = [...form.querySelectorAll(`[name="${field.name}"]:checked`)].map((one) => one.value);
      const typed = field.other ? form.elements[`${field.name}-other`].value.split(/[\s,]+/).filter(Boolean) : [];
      return [...ticked, ...typed];
    }
    const text = form.elements[field.name].value.trim();
    return field.kind === "money" ? amount(text) : text;
  }

  function clear() {
    taken = true;
    onApply(address({ q: filters.q, sort: filters.sort, size: filters.size, show: filters.show }));
  }

  function locate() {
    near.textContent = "Asking this device…";
    if (!navigator.geolocation) return void (near.textContent = "This browser does not tell its position.");
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      near.textContent = "";
      // Three digits are a hundred yards: enough for a search, and no more than it needs.
      form.elements.latitude.value = coords.latitude.toFixed(3);
      form.elements.longitude.value = coords.longitude.toFixed(3);
      form.elements.location_range.value ||= "25";
      apply();
    }, (error) => { near.textContent = error.code === 1 ? "This browser was not allowed to tell its position." : "This device does not know its position."; },
    { timeout: 15_000, maximumAge: 600_000 });
  }

  function fillField(field, value) {
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
  }

  function point(details) {
    form.querySelectorAll(".error").forEach((one) => { one.textContent = ""; });
    form.querySelectorAll("[aria-invalid]").forEach((one) => one.removeAttribute("aria-invalid"));
    return details.filter((detail) => {
      const name = detail.loc?.[1];
      const at = form.querySelector(`[data-field="${CSS.escape(String(name))}"]`);
      if (!at) return true;
      const list = detail.loc.length > 2 ? filters[name]?.[detail.loc[2]] : null;
      const says = byName.get(name).expects ?? inWords(detail.msg);
      at.querySelector(".error").append(h("span", null, `${list ? `${list}: ` : ""}${says} `));
      at.querySelectorAll("input[type=text], select").forEach((one) => one.setAttribute("aria-invalid", "true"));
      at.closest("details").open = true;
      return false;
    });
  }

  /** How many of the results have each value, at the values that any of them has. */
  function tally(facets) {
    for (const [name, facet] of Object.entries(COUNTED)) {
      const counts = new Map((facets[facet] ?? []).map((one) => [one.value, count(one.count)]));
      for (const option of form.querySelectorAll(`select[name="${name}"] option`)) {
        option.textContent = [byName.get(name).options[option.value] ?? option.value, counts.has(option.value) ? `(${counts.get(option.value)})` : ""].join(" ").trim();
      }
      for (const box of form.querySelectorAll(`input[type=checkbox][name="${name}"]`)) {
        box.parentElement.querySelector(".count")?.remove();
        if (counts.has(box.value)) box.parentElement.append(h("span", { class: "count" }, counts.get(box.value)));
      }
    }
  }

  return { element, fill, point, count: tally };
}

/** A message of the server with what it calls parameters called as the panel does. */
const inWords = (message) => message.replace(/^Value error, /, "")
  .replace(/\b[a-z]+_[a-z_]+\b/g, (word) => (byName.has(word) ? `“${labelOf(word)}”` : word));

function badge(element, number) {
  element.hidden = !number;
  element.textContent = String(number);
}

/** What a parameter is called in the panel, for messages that have no field. */
export const labelOf = (name) => byName.get(name)?.spoken ?? byName.get(name)?.label ?? name;
