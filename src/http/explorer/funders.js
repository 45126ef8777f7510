// Who funds what: `#/funders?q=…&recipient_state=…`, funders of such grants with what they gave and how to
// apply, and the grants themselves below.
import { ask, call } from "./api.js";
import { howToApply } from "./applications.js";
import { cards, line, profileOf, withAssets } from "./card.js";
import { h, nodes } from "./dom.js";
import { AMOUNT_EXPECTED, STATES, address, amountOf } from "./filters.js";
import { MAJORS, place, plural, short, website } from "./format.js";
import { holdings } from "./holdings.js";
import { csvButton } from "./grants_list.js";
import { growing } from "./impact.js";
import { grantItem } from "./money.js";
import { pager } from "./pager.js";
import { aborted, empty, loading, problem } from "./states.js";

const SIZE = 20;
const GRANTS_SHOWN = 8;
const FOUNDATIONS_SHOWN = 12;
const PATH = "/funders/search";
const FIELDS = ["q", "recipient_state", "recipient_ntee", "state", "min_amount", "accepts_applications", "year", "sort"];
const ORDERS = { "": "Amount given, highest first", amount: "Amount given, lowest first", "-grants": "Number of grants, highest first", grants: "Number of grants, lowest first", "-assets": "Assets, highest first", assets: "Assets, lowest first", name: "Name, A to Z", "-name": "Name, Z to A" };

export const title = (path, parameters) => (parameters.get("q") ? `Who funds ${parameters.get("q")}` : "Who funds whom");

export async function show(root, context) {
  const { parameters, signal, go } = context;
  const asked = Object.fromEntries(FIELDS.map((name) => [name, parameters.get(name) ?? ""]));
  const page = Number(parameters.get("page") ?? 1);
  const area = h("section", { class: "feed-results", "aria-label": "Funders" }, loading("Searching the returns…", 6));
  const loaded = h("p", { class: "muted" }, "Grants that nonprofits list in their returns.");
  holdings().then(({ lists, organizations }) => {
    const returns = lists.find(({ kind }) => kind === "returns")?.rows ?? 0;
    loaded.append(` ${plural(returns, "return is", "returns are")} loaded here, of ${plural(organizations, "organization", "organizations")}; a funder missing here may still give.`);
  }, () => {});
  root.replaceChildren(
    h("h1", {}, "Who funds whom"),
    loaded,
    form(asked, (next) => go(addressOf(next))), area);
  if (asked.min_amount && !isAmount(asked.min_amount)) {
    area.replaceChildren(empty("Nothing was searched.", "The smallest amount was not understood; see the field above."));
    return;
  }
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
      body.total ? h("ol", { class: "plain items" }, body.items.map((one) => funder(one, isFiltered(asked)))) : nothing(body.message, asked, below),
      pager({ page, size: SIZE, total: body.total }, (to) => addressOf({ ...asked, page: to })),
      below, call(PATH, request)]));
  } catch (error) {
    if (aborted(error) || signal.aborted) throw error;
    area.replaceChildren(problem(error, () => context.replace(location.hash)));
  }
}

/** Whether the field of the smallest amount holds digits by now. */
const isAmount = (text) => /^\d+$/.test(text);

/** Whether anything but the order was asked for. */
const isFiltered = ({ sort: _, ...asked }) => Object.values(asked).some(Boolean);

/** That no grant was found, with what was looked for and what to try. */
function nothing(message, { q, state, recipient_state: recipients }, below) {
  return empty(message ? `${message[0].toUpperCase()}${message.slice(1)}.` : q ? "No grant matches these words." : "No loaded return lists a grant that meets these filters.", [
    q ? "The search covered the recipients, purposes, causes and places of grants in the loaded returns. Try fewer words, or remove a filter." : "Remove a filter, or choose another place.",
    below ? " Below are foundations there whose grants are not loaded." : !(state || recipients) && " Choose a state to see its foundations, whose grants may not be loaded here."]);
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
  return found && [h("h2", {}, isFiltered({ ...asked, state }) ? plural(found.total, "matching grant", "matching grants") : plural(found.total, "grant", "grants")), found.list,
    csvButton("/grants/search", { ...asked, grantor_state: state }, { total: found.total, name: `grants ${Object.values({ ...asked, state }).filter(Boolean).join(" ")}`, signal })];
}

/** Where no return tells of grants: the foundations of the place by the IRS's list, those with the most assets first; null without a place. */
async function foundations({ state, recipient_state: recipients, recipient_ntee: cause }, signal) {
  const place = state || recipients;
  // Those with the most assets anywhere have nothing to do with what was asked for.
  if (!place) return null;
  const all = { foundation: "true", sort: ["-assets"], state: place };
  const search = (filters) => ask("/beta/nonprofits/search", { ...filters, size: FOUNDATIONS_SHOWN }, { signal });
  let filters = cause ? { ...all, ntee_codes: cause } : all;
  let { body } = await search(filters);
  const ofCause = cause && body.nonprofits.length > 0;
  if (cause && !ofCause) {
    filters = all;
    ({ body } = await search(filters));
  }
  return body.nonprofits.length > 0 && [
    h("h2", {}, `Private foundations${ofCause ? ` for ${(MAJORS[cause] ?? cause).toLowerCase()}` : ""} in ${STATES[place] ?? place}`),
    h("p", { class: "muted small" }, `By the IRS's list${ofCause ? " and its NTEE codes" : ""}, largest assets first. The list does not say what they fund; their returns do, and their pages link to them.`),
    cards(await withAssets(body.nonprofits, signal)),
    h("p", { class: "small" }, h("a", { href: address(filters) }, "See all of them as a search"))];
}

function form(asked, onAsk) {
  const field = (name, label, control) => h("div", { class: "field" }, h("label", { for: `funders-${name}` }, label), control);
  const text = (name, label, options = {}) => field(name, label, h("input", { id: `funders-${name}`, name, type: "text", value: asked[name], autocomplete: "off", ...options }));
  const isUnread = Boolean(asked.min_amount) && !isAmount(asked.min_amount);
  const fault = h("p", { class: "error", id: "funders-min_amount-error" }, isUnread && AMOUNT_EXPECTED);
  const select = (name, label, options) => field(name, label, h("select", { id: `funders-${name}`, name },
    Object.entries(options).map(([value, said]) => h("option", { value, selected: value === asked[name] }, said))));
  const element = h("form", { class: "feed-form", role: "search", "aria-label": "Funders", onsubmit: (event) => {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(element));
    onAsk({ ...given, min_amount: amountOf(given.min_amount) });
  } },
  h("div", { class: "feed-fields" },
    text("q", "Words", { maxlength: "256" }),
    select("recipient_ntee", "Cause of the recipient", { "": "Any", ...MAJORS }),
    select("recipient_state", "Recipient in", { "": "Anywhere", ...STATES }),
    select("state", "Funder in", { "": "Anywhere", ...STATES }),
    h("div", { class: "field" }, h("label", { for: "funders-min_amount" }, "Grants of at least"),
      h("input", { id: "funders-min_amount", name: "min_amount", type: "text", value: asked.min_amount, autocomplete: "off", placeholder: "$50k", "aria-describedby": fault.id, "aria-invalid": isUnread ? "true" : null }), fault),
    asked.year && h("input", { type: "hidden", name: "year", value: asked.year }),
    select("accepts_applications", "Applications", { "": "Either", true: "Accepted", false: "Not accepted" }),
    select("sort", "Sort", ORDERS),
    h("div", { class: "feed-buttons" }, h("button", { class: "button primary" }, "Search"))));
  return element;
}

function funder(one, isFiltered) {
  const taken = { true: "accepts applications", false: "gives to preselected charities only" }[one.accepts_applications];
  const how = one.applications?.how ?? [];
  const url = website(one.applications?.file_url);
  return h("li", { class: "item" },
    h("div", { class: "spread" },
      h("h3", { class: "item-title" }, h("a", { href: profileOf(one.ein) }, one.name)),
      h("span", {}, h("strong", {}, one.total_amount === null ? "amounts not stated" : short(one.total_amount)), h("span", { class: "muted" }, ` in ${isFiltered ? plural(one.grants, "matching grant", "matching grants") : plural(one.grants, "grant", "grants")}`))),
    h("p", { class: "muted small" }, line([place(one), `latest in ${one.latest_year}`, Number.isFinite(one.assets) && `assets ${short(one.assets)}`, one.noncash_amount > 0 && `${short(one.noncash_amount)} of it in kind`, taken,
      url && h("a", { href: url, rel: "noopener noreferrer" }, "the return", h("span", { class: "visually-hidden" }, ` of ${one.name}`))])),
    how.length > 0 && h("details", { class: "more" }, h("summary", {}, "How to apply", h("span", { class: "visually-hidden" }, ` to ${one.name}`)),
      howToApply(how)));
}
