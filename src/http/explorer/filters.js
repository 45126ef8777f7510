// The explicit filters of the beta search: what there is to set, the words for each, and their form in the
// address; panel.js draws them. Checks nothing: the server does. The ranges and the orders are those that the
// server declares: it writes `declared.js`.
import { FIGURES, SORTS } from "./declared.js";
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
  Small: "Small, under $1M", Medium: "Medium, $1M to $10M", Large: "Large, $10M to $100M", "Super-Size": "Very large, $100M and up",
};
/** A class of size in words. */
export const sizeName = (size) => SIZES[size]?.split(",")[0] ?? size;
const YES_NO = (yes, no) => ({ "": "Either", true: yes, false: no });

/** An order as a list of choices calls it. */
const orderName = (title) => title.replace(/, from the end$/, ", Z to A").replace(/, the (?:greatest|most|best) first$/, ", highest first").replace(/, the (?:least|fewest|lowest) first$/, ", lowest first")
  .replace(/^The IRS's ruling date/, "IRS ruling date").replace(/, the latest first$/, ", newest first").replace(/, the earliest first$/, ", oldest first").replace(/, the farthest first$/, ", farthest first")
  .replace(/^Name$/, "Name, A to Z").replace(/^Distance$/, "Distance, nearest first");

/** What results can be sorted by; the key is the value of `sort`. */
export const ORDERS = Object.fromEntries([["relevance", "Best fit"], ...SORTS.map(([value, title]) => [value, orderName(title)])]);

/** "$1.5m", "100,000" → digits; anything else goes to the server as it is, which says what is wrong. */
export function amountOf(text) {
  const found = /^\$?\s*([\d,]*\.?\d+)\s*(k|m|b|thousand|million|billion)?$/i.exec(text.trim());
  if (!found) return text;
  const scale = { k: 1e3, t: 1e3, m: 1e6, b: 1e9 }[found[2]?.[0].toLowerCase()] ?? 1;
  return String(Math.round(Number(found[1].replaceAll(",", "")) * scale * 100) / 100);
}
/** What a field of money says of anything else. */
export const AMOUNT_EXPECTED = "Enter an amount, such as 250,000 or 1.5M.";

const range = (of, label, kind) => [
  { name: `min_${of}`, label: `${label} from`, kind, short: `${label} ≥` },
  { name: `max_${of}`, label: "to", kind, short: `${label} ≤`, spoken: `${label} to` },
];

/** The ranges of the figures in dollars, or of all others. */
const ranges = (inDollars) => FIGURES.filter((figure) => (figure.unit === "dollars") === inDollars)
  .flatMap(({ name, title, unit }) => range(name, title, { dollars: "money", year: "year" }[unit] ?? "number"));

/** The panel, group by group. `kind` says how a field is made and how its value is said. */
export const GROUPS = [
  { title: "Place", open: true, pairs: true, fields: [
    { name: "state", label: "State", kind: "select", whole: true, options: { "": "Any", ...STATES } },
    { name: "city", label: "City", kind: "text" },
    { name: "zip_code", label: "ZIP code", kind: "text", inputmode: "numeric", expects: "Enter one five-digit ZIP code, such as 04101." },
    { name: "county", label: "County", kind: "text", whole: true, hint: "Separate several with commas" },
  ] },
  { title: "Near me", near: true, pairs: true, fields: [
    { name: "latitude", label: "Latitude", kind: "hidden" },
    { name: "longitude", label: "Longitude", kind: "hidden" },
    { name: "location_range", label: "Within miles", kind: "number", hint: "Of the city and state above, or of this device. 0: any distance" },
  ] },
  { title: "Money", open: true, pairs: true, fields: ranges(true) },
  { title: "Size", fields: [{ name: "org_size", label: "Size", kind: "checks", options: SIZES }] },
  { title: "People, rating and year", pairs: true, fields: ranges(false) },
  { title: "Standing", fields: [
    { name: "foundation", label: "Private foundations", kind: "select", options: YES_NO("Only foundations", "No foundations") },
    { name: "operating", label: "Operating foundations", kind: "select", options: YES_NO("Operating foundations", "Non-operating foundations") },
    { name: "church", label: "Churches", kind: "select", options: YES_NO("Only churches", "No churches") },
    { name: "form_1023ez", label: "Form 1023-EZ", kind: "select", options: YES_NO("Exempt by Form 1023-EZ", "Not by Form 1023-EZ") },
    { name: "has_return", label: "Returns", kind: "select", options: YES_NO("With a loaded return", "Without a loaded return") },
    { name: "deductible_donations", label: "Donations", kind: "select", options: YES_NO("Deductible", "Not deductible") },
    { name: "subsection_codes", label: "Section 501(c)", kind: "checks", options: SUBSECTIONS, word: "501(c) code" },
  ] },
  { title: "Cause", fields: [
    { name: "ntee_codes", label: "NTEE major group", kind: "checks", options: MAJORS, other: "Other NTEE codes", hint: "A code or its beginning, such as K31 or A2", word: "NTEE" },
  ] },
  { title: "Goals", fields: [
    { name: "sdgs", label: "Sustainable Development Goal", kind: "checks", word: "Goal",
      options: Object.fromEntries(GOALS.map((title, index) => [String(index + 1), `${index + 1} ${title}`])) },
  ] },
  { title: "Order", fields: [
    { name: "then", label: "Sort, then by", kind: "select", options: { "": "Nothing more", ...ORDERS } },
  ] },
];
/** What programs may set and an address may carry; the panel offers none of it. */
const UNSEEN = [
  { name: "model", label: "Reads the query by", kind: "unseen", options: { grammar: "Grammar only" }, short: "Read by" },
  { name: "max_vector_distance", label: "Farthest in meaning, 0 to 1", kind: "unseen", short: "Meaning within" },
];

export const FIELDS = [...GROUPS.flatMap((group) => group.fields), ...UNSEEN];
export const byName = new Map(FIELDS.map((field) => [field.name, field]));
const LISTS = ["subsection_codes", "org_size", "ntee_codes", "sdgs", "sort"];
const KNOWN = ["q", ...FIELDS.map((field) => field.name).filter((name) => name !== "then"), "sort", "page", "size"];
/** Options of the page rather than of the search; `around`: the name of the place that the point stands for. */
const ALSO = ["show", "around"];

/** The fields whose values are counted, by the facet of the server that counts them. */
export const COUNTED = { state: "state", org_size: "org_size", subsection_codes: "subsection", ntee_codes: "ntee_major", county: "county", city: "city" };
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

/** What to send to the server: everything but the options of the page. A list of words ends with what fits them. */
export function request(filters) {
  const asked = Object.entries(filters).filter(([name]) => !ALSO.includes(name));
  return Object.fromEntries(filters.q && !filters.max_vector_distance ? [...asked, ["extent", "fitting"]] : asked);
}

/** Words for one value of a filter. */
function say(field, value) {
  const { name, kind, options } = field;
  if (name === "ntee_codes") return `NTEE ${value.toUpperCase()}${MAJORS[value.toUpperCase()] ? ` ${MAJORS[value.toUpperCase()]}` : ""}`;
  if (name === "sdgs") return `Goal ${options[value] ?? value}`;
  if (name === "subsection_codes") return `501(c)${SUBSECTIONS[value] ?? ` code ${value}`}`;
  if (options && "true" in options) return options[value] ?? `${field.label}: ${value}`;
  if (name === "org_size") return `Size ${sizeName(value)}`;
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
  // Miles around nothing narrow nothing.
  if (["latitude", "longitude"].some((name) => filters[name] !== undefined)) {
    const miles = Number(filters.location_range) ? `Within ${filters.location_range} miles of` : "Near";
    made.push({
      label: `${miles} ${filters.around ?? "the chosen point"}`,
      without: address(filters, { latitude: undefined, longitude: undefined, location_range: undefined, around: undefined }),
    });
  }
  return made;
}

/** What a parameter is called in the panel, for messages that have no field. */
export const labelOf = (name) => byName.get(name)?.spoken ?? byName.get(name)?.label ?? name;
