// The search view: the box and the search itself. What it shows before anything is asked is home.js;
// the panel of filters and the drawing of results are filters.js and results.js.
import { ask, call } from "./api.js";
import { aroundPlace, lacksPoint } from "./around.js";
import { h, nodes } from "./dom.js";
import { FACETS, STATES, address, labelOf, read, request } from "./filters.js";
import { excerpt } from "./format.js";
import { countiesByState, holdings, sharesOf, statesOf } from "./holdings.js";
import { home } from "./home.js";
import { panel } from "./panel.js";
import { results, summary } from "./results.js";
import { aborted, announce, loading, problem } from "./states.js";
import { nteeTitles } from "./tables.js";
import { SIZE } from "./toolbar.js";
import { typeahead } from "./typeahead.js";

const PATH = "/beta/nonprofits/search";
/** Wide enough for the filters beside the results. */
const wide = matchMedia("(min-width: 60rem)");

/** The elements of the view that outlive a change of its parameters. */
let held = null;

export function title(path, parameters) {
  const q = parameters.get("q")?.trim();
  if (q) return `${excerpt(q, 60)}: search`;
  return isGreeting(path, parameters) ? "Find a nonprofit" : "Search";
}

const isGreeting = (path, parameters) => path === "/" && parameters.size === 0;

export async function show(root, context) {
  const box = typeahead({
    onChoose: (ein, typed) => {
      // Kept with this entry of the history, so that Back finds what was typed.
      history.replaceState({ ...history.state, typed }, "");
      held.context.go(`#/nonprofit/${ein}`);
    },
    onSearch: (q) => held.search(q),
  });
  const area = h("section", { class: "search-area", "aria-label": "Results", tabindex: "-1" });
  const skip = h("a", { class: "skip", href: "#results", onclick: (event) => {
    // Its address would be taken for a view.
    event.preventDefault();
    area.focus();
  } }, "Skip to results");
  const filters = panel((hash, isSubmitted = false) => {
    held.scrolls = isSubmitted;
    stay(hash);
  }, () => box.box.value.trim());
  const heading = h("h1", { tabindex: "-1" });
  const layout = h("div", { class: "search-layout" }, h("aside", { "aria-label": "Filters" }, filters.element), area);
  const greeting = h("div", { class: "greeting" });
  held = { box, area, skip, filters, heading, layout, greeting, context, now: {}, stays: false, scrolls: false,
    // The filters set by hand stay when the words change.
    search: (q) => held.context.go(q || Object.keys(held.now).length ? address(held.now, { q }) : "#/search") };
  filters.element.open = wide.matches;
  wide.onchange = () => { filters.element.open = wide.matches; };
  root.replaceChildren(heading, skip, box.element, greeting, layout);
  const shown = update(root, context);
  // On a touch screen the focus would bring up the keyboard over the page.
  const free = [document.body, heading].includes(document.activeElement);
  if (free && isGreeting(context.path, context.parameters) && matchMedia("(pointer: fine)").matches) box.box.focus();
  await shown;
}

export async function update(root, context) {
  const { path, parameters, signal } = context;
  const greet = isGreeting(path, parameters);
  const filters = read(parameters);
  if (lacksPoint(filters)) {
    // Without an answer the search says what is wrong.
    const placed = await aroundPlace(filters, signal).catch(() => null);
    if (signal.aborted) return;
    if (placed) return context.replace(placed);
  }
  Object.assign(held, { context, now: filters });
  held.box.fill(history.state?.typed ?? filters.q ?? "");
  held.filters.fill(filters);
  held.layout.hidden = held.skip.hidden = greet;
  held.greeting.hidden = !greet;
  (greet ? held.area : held.greeting).replaceChildren();
  held.heading.classList.toggle("visually-hidden", !greet);
  root.classList.toggle("home", greet);
  held.heading.textContent = greet ? "Find a nonprofit and check its record" : filters.q ? `Results for “${filters.q}”` : "Nonprofits";
  const kept = greet ? null : keepsPlace();
  if (!kept) {
    scrollTo(0, 0);
    held.heading.focus({ preventScroll: true });
  }
  if (greet) held.greeting.replaceChildren(...home(signal));
  else await search(filters, context, kept);
}

/** Goes to a search from a control that is still there afterwards and keeps the focus. */
function stay(hash) {
  held.stays = true;
  held.context.go(hash);
}

/** Whether the focus and the place on the page are to be kept, for a control that is still there. */
function keepsPlace() {
  const active = document.activeElement;
  const stays = held.stays || (held.area.contains(active) && active.id !== "");
  held.stays = false;
  return stays ? { id: active.id } : null;
}

async function search(filters, context, kept) {
  const { area } = held;
  const asked = { size: String(SIZE), ...request(filters), facets: FACETS };
  area.setAttribute("aria-busy", "true");
  // Results on their way are announced by what they replace: old ones fade, an empty area fills.
  if (!area.querySelector(".results")) area.replaceChildren(loading("Searching…", 8));
  try {
    const [answer, titles] = await Promise.all([ask(PATH, asked, { signal: context.signal }), nteeTitles()]);
    context.signal.throwIfAborted();
    held.filters.count(answer.body.facets ?? {}, answer.body.intentDetails);
    know(filters, answer.body, context.signal);
    area.replaceChildren(...nodes([results(filters, answer, { ...context, stay, titles, locate: held.filters.locate }), call(PATH, asked)]));
    announce(summary(answer));
  } catch (error) {
    if (aborted(error) || context.signal.aborted) throw error;
    area.querySelector(".refused")?.remove();
    const has = Boolean(area.querySelector(".results"));
    if (error.status === 422 && has) area.prepend(refused(error, filters, context, has));
    else area.replaceChildren(...nodes([refused(error, filters, context, false), call(PATH, asked)]));
    if (error.status === 422) {
      // Both where there is room for both, else the field.
      area.scrollIntoView({ block: "start" });
      held.filters.reveal();
      held.scrolls = false;
    }
  } finally {
    if (!context.signal.aborted) {
      area.removeAttribute("aria-busy");
      // The button is far below the first results.
      if (held.scrolls) area.scrollIntoView({ block: "start" });
      held.scrolls = false;
    }
  }
  // What was drawn anew has taken the focus with it; its successor has the same id.
  if (kept?.id && document.activeElement === document.body) document.getElementById(kept.id)?.focus({ preventScroll: true });
}

/** Tells the panel what is in the data, and how many results each county has, those that are not chosen among them. */
function know(filters, { facets = {} }, signal) {
  const wide = { ...request(filters), page: 1, size: 1, county: undefined, facets: "county" };
  const everywhere = filters.county ? ask(PATH, wide, { signal }).then(({ body }) => body.facets) : facets;
  // Words may find more within a county than all over the state: what is chosen has the number that is listed.
  const chosen = new Map((facets.county ?? []).map((one) => [one.value, one]));
  Promise.all([holdings(), everywhere]).then(([all, { county = [] }]) => {
    if (signal.aborted) return;
    const loaded = new Set(statesOf(all).loaded.map(({ state }) => state));
    const strays = new Set(Object.keys(STATES).filter((state) => loaded.size > 0 && !loaded.has(state)));
    held.filters.know({ shares: sharesOf(all), strays, byState: countiesByState(all) });
    held.filters.ticks(county.map((one) => chosen.get(one.value) ?? one));
  }, () => {});
}

/** A 422 is told at the fields of the panel, and above the results that were there; what has no field, and other faults, only here. */
function refused(error, filters, context, hasResults) {
  if (error.status !== 422) return problem(error, () => context.replace(location.hash));
  held.filters.element.open = true;
  const { rest, told } = held.filters.point(error.details);
  const wrong = Object.fromEntries(told.map(({ name }) => [name, undefined]));
  const title = told.length === 1 ? `“${labelOf(told[0].name)}” cannot be used as it stands.` : "These filters cannot be used as they stand.";
  return h("div", { class: "state problem refused", role: "alert" },
    h("p", { class: "state-title" }, told.length ? title : "The search could not be understood."),
    told.map(({ name, says }) => h("p", null, told.length > 1 && `${labelOf(name)}: `, says)),
    rest.map((one) => h("p", null, `${one.loc?.slice(1).join(" ")}: ${one.msg}`)),
    h("p", null, hasResults && "The results below are from your last search. ",
      told.length ? h("a", { href: address(filters, wrong) }, told.length === 1 ? "Search without this filter" : "Search without these filters")
        : h("a", { href: address({ q: filters.q }) }, "Search without filters")));
}
