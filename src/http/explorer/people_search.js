// People in the returns of all nonprofits, by name, state and role: `#/people?q=…&state=…&role=…&sort=pay`. Names are as filed, and equal names are not
// said to be one person: nothing is added up over nonprofits.
import { ask, call } from "./api.js";
import { line, profileOf } from "./card.js";
import { h, nodes } from "./dom.js";
import { STATES } from "./filters.js";
import { dollars, named, place, plural, website } from "./format.js";
import { holdings } from "./holdings.js";
import { pager } from "./pager.js";
import { aborted, empty, loading, problem } from "./states.js";
import { titled } from "./titles.js";

const SIZE = 20;
const PATH = "/people/search";
/** What the endpoint takes. */
const Q_MIN = 2;
const ROLES = { "": "Any", officer: "Officer", "trustee or director": "Trustee or director", "key employee": "Key employee", "highest compensated": "Highest paid employee", "institutional trustee": "Institutional trustee", former: "Former", listed: "Listed without a role" };
const ORDERS = { "": "Name and year", pay: "Pay, highest first" };

export const title = (path, parameters) => (parameters.get("q") ? `${parameters.get("q")}: people` : "People");

const addressOf = (asked) => {
  const kept = new URLSearchParams(Object.entries(asked).filter(([, value]) => value));
  return kept.size ? `#/people?${kept}` : "#/people";
};

export async function show(root, { parameters, signal, go, replace }) {
  const asked = Object.fromEntries(["q", "state", "role", "sort"].map((name) => [name, parameters.get(name)?.trim() ?? ""]));
  const area = h("section", { class: "feed-results", "aria-label": "People found" });
  const loaded = h("p", { class: "muted" }, "Officers, directors, trustees and the highest paid, as named in the returns of nonprofits.");
  root.replaceChildren(h("h1", {}, "People"), loaded, form(asked, (next) => go(addressOf(next))), area);
  holdings().then(({ lists, organizations }) => {
    const returns = lists.find(({ kind }) => kind === "returns")?.rows ?? 0;
    loaded.append(` ${plural(returns, "return is", "returns are")} loaded here, of ${plural(organizations, "organization", "organizations")}.`);
  }, () => {});
  const length = [...asked.q].length;
  if (length < Q_MIN && (length > 0 || !(asked.state || asked.role || asked.sort))) return;
  const page = Number(parameters.get("page") ?? 1);
  const request = { ...asked, page, size: SIZE };
  area.append(loading("Searching the returns…", 4));
  try {
    const { body } = await ask(PATH, request, { signal });
    area.replaceChildren(...nodes([
      h("h2", {}, body.total ? plural(body.total, "entry", "entries") : asked.q ? "No one by this name" : "No one found"),
      body.without_pay > 0 && h("p", { class: "muted small" }, `${plural(body.without_pay, "entry states", "entries state")} no pay and ${body.without_pay === 1 ? "comes" : "come"} last.`),
      body.total ? [
        h("p", { class: "muted small" }, "Two people may have the same name. Compare the place and the title before assuming they are the same person."),
        h("ul", { class: "plain items" }, body.items.map(person)),
      ] : empty("No loaded return names anyone like that.", "Leave out middle initials, or try the family name alone. Most small nonprofits file no return that names people."),
      pager({ page, size: SIZE, total: body.total }, (to) => addressOf({ ...asked, page: to })),
      call(PATH, request)]));
  } catch (error) {
    if (aborted(error) || signal.aborted) throw error;
    area.replaceChildren(problem(error, () => replace(location.hash)));
  }
}

function form(asked, onAsk) {
  const element = h("form", { class: "feed-form", role: "search", "aria-label": "People", onsubmit: (event) => {
    event.preventDefault();
    onAsk(Object.fromEntries(new FormData(element)));
  } }, h("div", { class: "feed-fields" },
    h("div", { class: "field" }, h("label", { for: "people-q" }, "Name"),
      h("input", { id: "people-q", name: "q", type: "text", value: asked.q, maxlength: "256", autocomplete: "off" })),
    h("div", { class: "field" }, h("label", { for: "people-state" }, "Nonprofit in"),
      h("select", { id: "people-state", name: "state" }, Object.entries({ "": "Anywhere", ...STATES })
        .map(([value, said]) => h("option", { value, selected: value === asked.state }, said)))),
    ...[["role", "Role", ROLES], ["sort", "Sort", ORDERS]].map(([name, label, options]) => h("div", { class: "field" }, h("label", { for: `people-${name}` }, label),
      h("select", { id: `people-${name}`, name }, Object.entries(options).map(([value, said]) => h("option", { value, selected: value === asked[name] }, said))))),
    h("div", { class: "feed-buttons" }, h("button", { class: "button primary" }, "Search"))));
  return element;
}

function person(one) {
  const url = website(one.file_url);
  const years = [...one.years].sort((a, b) => b - a).join(", ");
  return h("li", { class: "item" },
    h("h3", { class: "item-title" }, named(one.name)),
    h("p", {}, one.title && `${titled(one.title)}, `, h("a", { href: `${profileOf(one.ein)}?section=people` }, one.organization_name)),
    h("p", { class: "muted small" }, line([
      place(one), `tax year ${years}`, Number.isFinite(one.pay) && (one.pay > 0 ? `paid ${dollars(one.pay)}${one.compensation_related > 0 ? `, ${dollars(one.compensation_related)} of it by related organizations,` : ""} in the period to ${one.period_end}` : "not paid"),
      url && h("a", { href: url, rel: "noopener noreferrer" }, "the return", h("span", { class: "visually-hidden" }, ` that names ${named(one.name)}`))])));
}
