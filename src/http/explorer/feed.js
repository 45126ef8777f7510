// What nonprofits publish and accomplish, across all of them: `#/feed?…` with the posts, newest
// first, `tab=stories` and `tab=metrics` beside it. The address holds every filter and the page;
// the form only writes the address. Items are drawn by posts.js and impact.js.
import { ask, call } from "./api.js";
import { h } from "./dom.js";
import { STATES } from "./filters.js";
import { count, dashed, MAJORS, plural } from "./format.js";
import { metricItem, storyItem } from "./impact.js";
import { pager } from "./pager.js";
import { KINDS, postItem } from "./posts.js";
import { announce, aborted, empty, loading, problem } from "./states.js";

const SIZES = [10, 20, 50, 100];
const any = (text, options) => [["", text], ...options];

/** The tabs: where their items come from, and the fields that filter them (`more`: folded away). */
const TABS = {
  posts: {
    name: "Posts", path: "/feed/posts", one: "post", many: "posts", size: 20,
    fields: [
      { name: "search", label: "Words in title or text", type: "search", placeholder: "community garden" },
      { name: "classification", label: "Kind", options: any("All kinds", Object.entries(KINDS)) },
      { name: "state", label: "State", options: any("All states", Object.entries(STATES)) },
      { name: "city", label: "City", more: true },
      { name: "county", label: "County", more: true },
      { name: "zip_code", label: "ZIP code", more: true, inputmode: "numeric", expects: "A ZIP code has five digits." },
      {
        name: "ntee_codes", label: "NTEE codes", more: true, placeholder: "A20, B", list: true,
        hint: "Letters for whole groups, codes for causes; separate several with commas.",
      },
    ],
    item: (one) => postItem(one, { heading: "h3" }),
  },
  stories: {
    name: "Stories", path: "/impact/stories", one: "story", many: "stories", size: 10,
    fields: [
      { name: "q", label: "What it is about", type: "search", placeholder: "a veteran finds a home" },
      { name: "min_power_score", label: "Power of at least", options: any("Any", [5, 6, 7, 8, 9].map((n) => [String(n), `${n} of 10`])) },
    ],
    item: (one) => storyItem(one, { heading: "h3", who: true }),
  },
  metrics: {
    name: "Metrics", path: "/impact/metrics", one: "metric", many: "metrics", size: 20,
    fields: [{ name: "metric_type", label: "Of what", type: "search", placeholder: "meals, volunteers, acres" }],
    item: (one, signal) => metricItem(one, { who: true, signal }), listClass: "metrics",
  },
};

const tabOf = (parameters) => (Object.hasOwn(TABS, parameters.get("tab")) ? parameters.get("tab") : "posts");
export const title = (path, parameters) => `${TABS[tabOf(parameters)].name} · Feed`;

export async function show(root, context) {
  const tab = tabOf(context.parameters);
  const form = formOf(tab, context.go);
  const results = h("section", { class: "feed-results", "aria-label": TABS[tab].name });
  root.replaceChildren(h("h1", {}, "Feed"), tabs(tab), form, results);
  root.dataset.tab = tab;
  fillForm(form, tab, context.parameters);
  await list(results, form, tab, context);
}

/** The parameters have changed: the form stays, so that whoever types in it goes on. */
export async function update(root, context) {
  const tab = tabOf(context.parameters);
  if (root.dataset.tab !== tab) {
    await show(root, context);
    root.querySelector(".tabs [aria-current]")?.focus();
    return;
  }
  const [form, results] = [root.querySelector("form"), root.querySelector(".feed-results")];
  fillForm(form, tab, context.parameters);
  const typing = form.contains(document.activeElement);
  await list(results, form, tab, context);
  const heading = results.querySelector("h2");
  if (typing || context.signal.aborted || !heading) return;
  heading.focus({ preventScroll: true });
  form.scrollIntoView({ block: "start" });
}

function tabs(current) {
  return h("nav", { class: "tabs", "aria-label": "What to show" }, Object.entries(TABS).map(([id, { name }]) =>
    h("a", { href: id === "posts" ? "#/feed" : `#/feed?tab=${id}`, "aria-current": id === current ? "page" : null }, name)));
}

function field({ name, label, type = "text", options, hint, placeholder, inputmode, list }) {
  const id = `feed-${name}`;
  const described = [hint && `${id}-hint`, `${id}-error`].filter(Boolean).join(" ");
  const control = options
    ? h("select", { id, name, "aria-describedby": described }, options.map(([value, text]) => h("option", { value }, text)))
    : h("input", { id, name, type, placeholder, inputmode, autocomplete: "off", "aria-describedby": described, list: list ? `${id}-list` : null });
  return h("div", { class: "field" },
    h("label", { for: id }, label), control,
    list && h("datalist", { id: `${id}-list` }, Object.entries(MAJORS).map(([code, text]) => h("option", { value: code }, text))),
    hint && h("p", { class: "hint", id: `${id}-hint` }, hint),
    h("p", { class: "error", id: `${id}-error` }));
}

function formOf(tab, go) {
  const { fields } = TABS[tab];
  const folded = fields.filter(({ more }) => more);
  const form = h("form", { class: "feed-form card", role: "search", "aria-label": `Filter the ${TABS[tab].many}`, novalidate: true },
    h("div", { class: "feed-fields" }, fields.filter(({ more }) => !more).map(field),
      h("div", { class: "feed-buttons" },
        h("button", { class: "button primary" }, "Show"),
        h("a", { class: "button quiet clear", href: tab === "posts" ? "#/feed" : `#/feed?tab=${tab}` }, "Clear"))),
    folded.length > 0 && h("details", { class: "more" },
      h("summary", {}, "By place and cause"),
      h("div", { class: "feed-fields" }, folded.map(field))));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const filters = Object.fromEntries(fields.map(({ name }) => [name, form.elements[name].value.trim()]));
    go(addressOf(tab, { ...filters, size: form.dataset.size, eins: form.dataset.eins }));
  });
  return form;
}

function addressOf(tab, filters) {
  const asked = new URLSearchParams();
  if (tab !== "posts") asked.set("tab", tab);
  for (const [name, value] of Object.entries(filters)) if (value) asked.set(name, value);
  return `#/feed${asked.size ? `?${asked}` : ""}`;
}

function fillForm(form, tab, parameters) {
  const { fields } = TABS[tab];
  for (const { name, options } of fields) {
    const value = parameters.getAll(name).join(", ");
    const control = form.elements[name];
    // A value of the address that the list does not offer is shown all the same.
    if (options && value && ![...control.options].some((one) => one.value === value)) control.append(h("option", { value }, value));
    control.value = value;
    control.removeAttribute("aria-invalid");
    form.querySelector(`#feed-${name}-error`).textContent = "";
  }
  form.dataset.size = parameters.get("size") ?? "";
  form.dataset.eins = parameters.getAll("eins").join(",");
  const details = form.querySelector("details");
  if (details && fields.some(({ name, more }) => more && parameters.get(name))) details.open = true;
  form.querySelector(".clear").hidden = !fields.some(({ name }) => parameters.get(name)) && !form.dataset.eins;
}

/** What the server is asked for under an address. */
function asked(tab, parameters) {
  const { fields, size } = TABS[tab];
  const filters = Object.fromEntries(fields.map(({ name }) => [name, parameters.getAll(name)]));
  const eins = parameters.getAll("eins").flatMap((one) => one.split(",")).filter(Boolean);
  if (eins.length > 0) Object.assign(filters, tab === "posts" ? { view: "following", eins } : { eins });
  return { ...filters, page: parameters.get("page"), size: parameters.get("size") ?? size };
}

async function list(results, form, tab, context) {
  const { parameters, signal } = context;
  const { path, one, many, item, listClass } = TABS[tab];
  const query = asked(tab, parameters);
  results.setAttribute("aria-busy", "true");
  if (!results.querySelector(".items, .metrics")) results.replaceChildren(loading(`Loading ${many}…`, 6));
  try {
    const { body } = await ask(path, query, { signal });
    const to = (changes) => addressOf(tab, { ...Object.fromEntries(parameters), ...changes });
    const filtered = Object.entries(query).some(([name, value]) => !["page", "size"].includes(name) && value?.length > 0);
    const heading = h("h2", { tabindex: "-1" }, plural(body.total, one, many));
    const items = body.items.map((each) => item(each, signal));
    results.replaceChildren(...[
      h("div", { class: "spread" }, heading, body.total > SIZES[0] && sizes(body, to)),
      query.eins && only(query.eins, to),
      body.items.length === 0 ? nothing(body, many, filtered, to) : h("ul", { class: `plain ${listClass ?? "items"}` }, items),
      body.items.length > 0 && pager(body, (page) => to({ page: page > 1 ? page : "" })),
      call(path, query)].filter(Boolean));
    announce(`${plural(body.total, one, many)}${body.page > 1 ? `, page ${body.page}` : ""}`);
  } catch (error) {
    if (signal.aborted || aborted(error)) throw error;
    results.replaceChildren(refused(error, form, tab) ?? problem(error, () => list(results, form, tab, context)), call(path, query));
  } finally {
    results.removeAttribute("aria-busy");
  }
}

/** Puts what a 422 says at the fields it is about; null if it is about none of them. */
function refused(error, form, tab) {
  const told = (error.details ?? []).filter(({ loc }) => form.elements[loc?.[1]]);
  if (told.length === 0 || told.length < error.details.length) return null;
  for (const { loc, msg } of told) {
    const control = form.elements[loc[1]];
    control.setAttribute("aria-invalid", "true");
    const expects = TABS[tab].fields.find(({ name }) => name === loc[1]).expects;
    form.querySelector(`#feed-${loc[1]}-error`).textContent = expects ?? msg.replace(/^Value error, /, "");
    control.closest("details")?.setAttribute("open", "");
  }
  form.elements[told[0].loc[1]].focus();
  return h("div", { role: "alert" }, empty("Nothing to show", "A filter was not understood; see the note at its field above."));
}

function sizes({ size }, to) {
  return h("ul", { class: "plain row small", "aria-label": "Items on a page" }, SIZES.map((each) => h("li", {},
    h("a", { class: "button small quiet", href: to({ size: each, page: "" }), "aria-label": `${each} on a page`,
      "aria-current": each === size ? "true" : null }, count(each)))));
}

function only(eins, to) {
  const whose = eins.length === 1 ? `EIN ${dashed(eins[0])}` : plural(eins.length, "nonprofit", "nonprofits");
  return h("p", {}, h("a", { class: "chip", href: to({ eins: "", page: "" }), "aria-label": `Only from ${whose}: show all` }, `Only from ${whose} ×`));
}

function nothing({ total, page }, many, filtered, to) {
  if (total > 0) return empty(`There is no page ${page}.`, h("a", { href: to({ page: "" }) }, "Go to the first"));
  if (filtered) return empty(`No ${many} match these filters.`, "Remove a filter, or use fewer or other words.");
  return empty(`There are no ${many} in the data.`, "The operator of this server adds them when the data is built.");
}
