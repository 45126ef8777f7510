// Who funds what: `#/funders?q=…&recipient_state=…`, funders of such grants with what they gave and how to
// apply, and the grants themselves below.
import { ask, call } from "./api.js";
import { howToApply } from "./applications.js";
import { cards, line, profileOf, withAssets } from "./card.js";
import { h, nodes } from "./dom.js";
import { STATES, address } from "./filters.js";
import { MAJORS, place, plural, short, website } from "./format.js";
import { holdings } from "./holdings.js";
import { growing } from "./impact.js";
import { grantItem } from "./money.js";
import { pager } from "./pager.js";
import { aborted, empty, loading, problem } from "./states.js";

const SIZE = 20;
const GRANTS_SHOWN = 8;
const FOUNDATIONS_SHOWN = 12;
const PATH = "/funders/search";
const FIELDS = ["q", "recipient_state", "recipient_ntee", "state", "min_amount", "accepts_applications", "year", "sort"];
const ORDERS = { "": "Given, the most first", amount: "Given, the least first", "-grants": "Number of grants, the most first", grants: "Number of grants, the fewest first", "-assets": "Assets, the greatest first", assets: "Assets, the least first", name: "Name", "-name": "Name, from the end" };

export const title = (path, parameters) => (parameters.get("q") ? `Who funds ${parameters.get("q")}` : "Who funds whom");

export async function show(root, context) {
  const { parameters, signal, go } = context;
  const asked = Object.fromEntries(FIELDS.map((name) => [name, parameters.get(name) ?? ""]));
  const page = Number(parameters.get("page") ?? 1);
  const area = h("section", { class: "feed-results", "aria-label": "Funders" }, loading("Searching the returns…", 6));
  const loaded = h("p", { class: "muted" }, "Grants that nonprofits list in their returns.");
  holdings().then(({ lists, organizations }) => {
    const returns = lists.find(({ kind }) => kind === "returns")?.rows ?? 0;
    loaded.append(` ${plural(returns, "return is", "returns are")} loaded here, of ${plural(organizations, "organization", "organizations")}: whoever is not found may still give.`);
  }, () => {});
  root.replaceChildren(
    h("h1", {}, "Who funds whom"),
    loaded,
    form(asked, (next) => go(addressOf(next))), area);
  const request = { ...asked, size: SIZE, page };
  try {
    const { body } = await ask(PATH, request, { signal });
    const byName = page === 1 && body.named.length > 0 && [
      h("h2", {}, body.named.length === 1 ? "The funder of that name" : "Funders of that name"),
      h("ol", { class: "plain items" }, body.named.map(funder))];
    const below = body.total > 0 ? await grants(asked, signal) : await foundations(asked, signal);
    area.replaceChildren(...nodes([
      byName,
      h("h2", {}, body.total ? plural(body.total, "funder", "funders") : "No funder in the loaded returns"),
      yearsOf(body.years, asked),
      body.total ? h("ol", { class: "plain items" }, body.items.map(funder)) : empty(body.message ? `${body.message}.` : "No grant found by these words, by their cause or by their place.", "Looked for in the loaded returns were the words in names and purposes, in the singular and the plural, recipients of the cause that they name, and recipients in the place. Try fewer words, or leave out the place. Below are foundations whose grants are not loaded here."),
      pager({ page, size: SIZE, total: body.total }, (to) => addressOf({ ...asked, page: to })),
      below, call(PATH, request)]));
  } catch (error) {
    if (aborted(error) || signal.aborted) throw error;
    area.replaceChildren(problem(error, () => context.replace(location.hash)));
  }
}

function addressOf(asked) {
  const kept = new URLSearchParams(Object.entries(asked).filter(([, value]) => value && String(value) !== ""));
  return kept.size ? `#/funders?${kept}` : "#/funders";
}

/** The tax years of such grants, each with its sum and a way to it alone, so that no two years are taken for one. */
function yearsOf(years, asked) {
  if (years.length < 2) return null;
  const way = (year, text) => (String(year) === asked.year ? h("strong", { "aria-current": "true" }, text) : h("a", { href: addressOf({ ...asked, year }) }, text));
  return h("p", { class: "small funder-years" }, "By tax year: ", line([
    way("", "all"), ...years.map(({ tax_year: year, total_amount: sum }) => [way(year, String(year)), sum !== null && h("span", { class: "muted" }, ` ${short(sum)}`)])]));
}

/** The grants that the funders were found by, a heading over each year; the place of the funder is its state there. */
async function grants({ state, sort: _, ...asked }, signal) {
  let year = null;
  const item = (one) => {
    const begins = one.tax_year !== year;
    year = one.tax_year;
    const element = grantItem(one, "made", { both: true });
    if (begins) element.prepend(h("h3", { class: "grant-year" }, `Tax year ${year}, the largest first`));
    return element;
  };
  const found = await growing("/grants/search", { ...asked, grantor_state: state, size: GRANTS_SHOWN }, item, { signal, className: "grants" });
  return found && [h("h2", {}, `${plural(found.total, "such grant", "such grants")}`), found.list];
}

/** Where no return tells of grants: the foundations of the place by the IRS's list, those with the greatest assets first. */
async function foundations({ state, recipient_state: recipients, recipient_ntee: cause }, signal) {
  const place = state || recipients;
  const all = { foundation: "true", sort: ["-assets"], ...(place ? { state: place } : {}) };
  const search = (filters) => ask("/beta/nonprofits/search", { ...filters, size: FOUNDATIONS_SHOWN }, { signal });
  let filters = cause ? { ...all, ntee_codes: cause } : all;
  let { body } = await search(filters);
  const ofCause = cause && body.nonprofits.length > 0;
  if (cause && !ofCause) {
    filters = all;
    ({ body } = await search(filters));
  }
  return body.nonprofits.length > 0 && [
    h("h2", {}, `Private foundations${ofCause ? ` for ${(MAJORS[cause] ?? cause).toLowerCase()}` : ""} in ${place ? STATES[place] ?? place : "the data"}`),
    h("p", { class: "muted small" }, `By the IRS's list${ofCause ? " and its NTEE codes" : ""}, those with the greatest assets first. It does not say what they fund: their returns do, which their pages link to.`),
    cards(await withAssets(body.nonprofits, signal)),
    h("p", { class: "small" }, h("a", { href: address(filters) }, "All of them as a search"))];
}

function form(asked, onAsk) {
  const field = (name, label, control) => h("div", { class: "field" }, h("label", { for: `funders-${name}` }, label), control);
  const text = (name, label, options = {}) => field(name, label, h("input", { id: `funders-${name}`, name, type: "text", value: asked[name], autocomplete: "off", ...options }));
  const select = (name, label, options) => field(name, label, h("select", { id: `funders-${name}`, name },
    Object.entries(options).map(([value, said]) => h("option", { value, selected: value === asked[name] }, said))));
  const element = h("form", { class: "feed-form", role: "search", "aria-label": "Funders", onsubmit: (event) => {
    event.preventDefault();
    onAsk(Object.fromEntries(new FormData(element)));
  } },
  h("div", { class: "feed-fields" },
    text("q", "Words", { maxlength: "256" }),
    select("recipient_ntee", "Cause of the recipient", { "": "Any", ...MAJORS }),
    select("recipient_state", "Recipient in", { "": "Anywhere", ...STATES }),
    select("state", "Funder in", { "": "Anywhere", ...STATES }),
    text("min_amount", "Grants of at least, in dollars", { inputmode: "numeric" }),
    asked.year && h("input", { type: "hidden", name: "year", value: asked.year }),
    select("accepts_applications", "Applications", { "": "Either", true: "Taken", false: "Not taken" }),
    select("sort", "Sort", ORDERS),
    h("div", { class: "feed-buttons" }, h("button", { class: "button primary" }, "Search"))));
  return element;
}

function funder(one) {
  const taken = { true: "takes applications", false: "gives to preselected charities only" }[one.accepts_applications];
  const how = one.applications?.how ?? [];
  const url = website(one.applications?.file_url);
  return h("li", { class: "item" },
    h("div", { class: "spread" },
      h("h3", { class: "item-title" }, h("a", { href: profileOf(one.ein) }, one.name)),
      h("span", {}, h("strong", {}, one.total_amount === null ? "amounts not stated" : short(one.total_amount)), h("span", { class: "muted" }, ` in ${plural(one.grants, "such grant", "such grants")}`))),
    h("p", { class: "muted small" }, line([place(one), `latest in ${one.latest_year}`, Number.isFinite(one.assets) && `assets ${short(one.assets)}`, one.noncash_amount > 0 && `${short(one.noncash_amount)} of it in kind`, taken,
      url && h("a", { href: url, rel: "noopener noreferrer" }, "the return", h("span", { class: "visually-hidden" }, ` of ${one.name}`))])),
    how.length > 0 && h("details", { class: "more" }, h("summary", {}, "How to apply", h("span", { class: "visually-hidden" }, ` to ${one.name}`)),
      howToApply(how)));
}
