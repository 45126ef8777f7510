// The shell: router, theme, footer. Views are loaded when they are first asked for, so one that is
// missing or broken fails alone. A view module exports
//   title(path, parameters) → string
//   async show(root, {path, parameters, signal, go, replace, retitle})
// and may export update(root, …), called instead of show when the view is already shown and its
// own elements are still in `root`; it then looks after the focus itself.
import { ask, ensureKey } from "./api.js";
import { h } from "./dom.js";
import { age, day, plural } from "./format.js";
import { tray } from "./saved.js";
import { aborted, announce, loading, problem } from "./states.js";
import "./theme.js";

const VIEWS = {
  search: () => import("./search.js"),
  profile: () => import("./profile.js"),
  reliance: () => import("./reliance.js"),
  filing: () => import("./filing.js"),
  lists: () => import("./lists.js"),
  compare: () => import("./compare.js"),
  match: () => import("./match.js"),
  funders: () => import("./funders.js"),
  people: () => import("./people_search.js"),
  feed: () => import("./feed.js"),
  chat: () => import("./chat.js"),
};
const ROUTES = [
  [/^\/(search)?$/, "search"],
  [/^\/nonprofit\/[^/]*$/, "profile"],
  [/^\/reliance\/[^/]*$/, "reliance"],
  [/^\/return\/[^/]*\/[^/]*$/, "filing"],
  [/^\/(lists|list\/[^/]*|shared)$/, "lists"],
  [/^\/compare$/, "compare"],
  [/^\/match$/, "match"],
  [/^\/funders$/, "funders"],
  [/^\/people$/, "people"],
  [/^\/feed$/, "feed"],
  [/^\/chat$/, "chat"],
];

const main = document.getElementById("main");
let current = { view: null, module: null, root: null };
let leaving = new AbortController();
/** Of the entry of the history that is shown; its scroll position is kept under it. */
let entry = null;
let settled = false;
/** So long a page that was left further down may grow to its place. */
const GROWING_MS = 5000;

/** The path and the parameters of the address; older forms of it are rewritten. */
function address() {
  const hash = location.hash.replace(/^#/, "");
  const older = /^ein=(\d+)/.exec(hash);
  if (older) history.replaceState(history.state, "", `#/nonprofit/${older[1]}`);
  const [path, ...rest] = (older ? `/nonprofit/${older[1]}` : hash || "/").split("?");
  return { path, parameters: new URLSearchParams(rest.join("?")) };
}

const go = (hash) => {
  if (hash === location.hash) route();
  else location.hash = hash;
};

const replace = (hash) => {
  history.replaceState(history.state, "", hash);
  route();
};

async function route({ first = false } = {}) {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const scroll = enter();
  const { path, parameters } = address();
  const view = ROUTES.find(([pattern]) => pattern.test(path))?.[1] ?? null;
  markNavigation(view);
  if (!view) return lost(path);
  const retitle = (text) => { if (!signal.aborted) document.title = `${text} · Almoner`; };
  const context = { path, parameters, signal, go, replace, retitle };
  const same = current.view === view && current.module?.update;
  if (!same) startView(view);
  const { root } = current;
  try {
    const module = current.module ?? await VIEWS[view]();
    if (signal.aborted) return;
    current.module = module;
    retitle(module.title(path, parameters));
    const done = same ? module.update(root, context) : module.show(root, context);
    if (!same && !first) focusHeading(root);
    await done;
  } catch (error) {
    if (signal.aborted || aborted(error)) return;
    current.module = null;
    console.error(error);
    root.replaceChildren(h("h1", { tabindex: "-1" }, "Something failed"), problem(error, () => route()));
  }
  if (signal.aborted) return;
  if (!same && !first) focusHeading(root);
  if (scroll !== null) scrollTo(0, scroll);
  if (scroll !== null) growTo(scroll, signal);
  settled = true;
}

function startView(view) {
  const root = h("div", { class: `view ${view ?? ""}` }, loading("Loading…"));
  current = { view, root, module: null };
  main.replaceChildren(root);
  scrollTo(0, 0);
}

function lost(path) {
  startView(null);
  document.title = "No such page · Almoner";
  current.root.replaceChildren(
    h("h1", { tabindex: "-1" }, "There is no such page"),
    h("p", null, "Nothing is at ", h("code", null, path), ". ", h("a", { href: "#/" }, "Search the nonprofits"), " instead."));
  focusHeading(current.root);
  settled = true;
}

/** Once a view: whoever has moved on within it in the meantime is left there. */
function focusHeading(root) {
  if (root.contains(document.activeElement)) return;
  const heading = root.querySelector("h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function markNavigation(view) {
  for (const link of document.querySelectorAll("[data-view]")) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

// Scroll positions, by entry of the history: the browser would restore them before the view is there.
history.scrollRestoration = "manual";

/** Keeps the scroll position of the entry that is shown. */
function keepPlace() {
  try { sessionStorage.setItem(entry, String(Math.round(scrollY))); } catch { /* not kept */ }
}

/** Takes over the entry now shown; gives its scroll position if it was left before. */
function enter() {
  const known = history.state?.entry ?? null;
  // Who scrolls and at once follows a link is faster than the timer. What has not come yet is at its top and has no place.
  if (entry !== null && known !== entry && (settled || scrollY > 0)) keepPlace();
  settled = false;
  if (known !== null && known === entry) return null;
  entry = known ?? `scroll-${Date.now()}-${Math.random()}`;
  if (known === null) {
    history.replaceState({ ...history.state, entry }, "");
    return null;
  }
  try { return Number(sessionStorage.getItem(entry) ?? 0); } catch { return 0; }
}

let saving = 0;
addEventListener("scroll", () => {
  if (saving || !settled) return;
  saving = setTimeout(() => {
    saving = 0;
    if (settled) keepPlace();
  }, 100);
}, { passive: true });
addEventListener("pagehide", () => { if (settled) keepPlace(); });

/** Where parts of the page come later and it is too short yet for its place: goes there as it grows, until a person moves. */
function growTo(scroll, signal) {
  const isShort = () => document.documentElement.scrollHeight - innerHeight < scroll - 1;
  if (!isShort()) return;
  const stop = new AbortController();
  const ends = AbortSignal.any([signal, stop.signal, AbortSignal.timeout(GROWING_MS)]);
  const growing = new ResizeObserver(() => {
    scrollTo(0, scroll);
    if (!isShort()) stop.abort();
  });
  growing.observe(main);
  ends.addEventListener("abort", () => growing.disconnect());
  for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"]) addEventListener(kind, () => stop.abort(), { signal: ends, passive: true });
}

document.querySelector(".skip").addEventListener("click", (event) => {
  // Its address would be taken for a view.
  event.preventDefault();
  const heading = main.querySelector("h1");
  if (heading) heading.tabIndex = -1;
  (heading ?? main).focus();
});

async function tellHoldings() {
  const { body } = await ask("/version");
  if (body.organizations === null) return;
  const from = plural(new Set(body.sources.map(({ kind }) => kind)).size, "source", "sources");
  document.getElementById("holdings").replaceChildren(
    h("span", null, `${plural(body.organizations, "nonprofit", "nonprofits")} from ${from}`),
    h("span", null, `Built ${day(body.built_at)} (${age(body.built_at)})`),
    h("span", null, body.program));
}

/** The feed has its place among the views where there are posts. */
async function offerFeed() {
  const { body } = await ask("/feed/posts", { size: 1 });
  document.querySelector('[data-view="feed"]').hidden = body.total === 0;
}

/** A slash goes to the search box, from wherever nothing is typed in. */
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest?.("input, select, textarea, [contenteditable]")) return;
  event.preventDefault();
  const box = document.getElementById("q");
  if (!box) return go("#/");
  box.focus();
  box.select();
});
addEventListener("hashchange", () => route());
ensureKey();
document.body.append(tray());
route({ first: true });
tellHoldings().catch(() => {});
offerFeed().catch(() => {});
addEventListener("offline", () => announce("This device is offline."));
