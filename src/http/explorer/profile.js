// One nonprofit: `#/nonprofit/<ein>`, with `?section=…` to go to a part of it. The head comes from
// the details; every section is asked for on its own, and fails or stays away on its own.
import { ask, call } from "./api.js";
import { h, nodes } from "./dom.js";
import { dashed, plural } from "./format.js";
import { postItem } from "./posts.js";
import { head } from "./profile_head.js";
import { aborted, loading, problem } from "./states.js";

const CHANGES_SHOWN = 10;
/** Of these it is not told that there is nothing. */
const APART = ["apply", "namesakes", "similar", "changes", "sources"];

function einOf(path) {
  const said = path.split("/")[2] ?? "";
  try { return decodeURIComponent(said); } catch { return said; }
}

export const title = (path) => `Nonprofit ${dashed(einOf(path))}`;

// Modules of sections: the head does not wait for them.
const applications = () => import("./applications.js");
const family = () => import("./family.js");
const impact = () => import("./impact.js");
const money = () => import("./money.js");
const peers = () => import("./peers.js");
const people = () => import("./people.js");
const provenance = () => import("./provenance.js");
const returns = () => import("./filings.js");
const similar = () => import("./similar.js");

/**
 * What is below the head, in order. `load(context)` gives the content, or null for none. Those with
 * `returns` are made of one request; when it fails the last of them says so and the others do without.
 */
const SECTIONS = [
  { id: "finances", name: "Finances", returns: true, load: financesOf },
  { id: "peers", name: "Ratios", load: async (context) => (await peers()).peersSection(context) },
  { id: "apply", name: "How to apply", returns: true, load: async ({ ein, filings }) => (await applications()).applicationsSection(ein, await filings().catch(() => [])) },
  { id: "made", name: "Grants made", load: async (context) => (await money()).grantsSection("made", context) },
  { id: "received", name: "Grants received", load: async (context) => (await money()).grantsSection("received", context) },
  { id: "programs", name: "Programs", returns: true, load: async ({ filings }) => (await returns()).programsSection(await filings().catch(() => [])) },
  { id: "metrics", name: "Metrics", load: metricsSection },
  { id: "stories", name: "Stories", load: storiesSection },
  { id: "people", name: "People", load: async (context) => (await people()).peopleSection(context) },
  { id: "family", name: "Family", load: async (context) => (await family()).familySection(context) },
  { id: "filings", name: "Returns", returns: true, load: async ({ ein, filings }) => (await returns()).filingsSection(ein, await filings()) },
  { id: "posts", name: "Posts", load: postsSection },
  { id: "changes", name: "What changed", load: changesOf },
  { id: "sources", name: "Where this is from", load: async (context) => (await provenance()).sourcesSection(await context.provenance()) },
  { id: "namesakes", name: "Nonprofits of the same name", load: async (context) => (await similar()).namesakesSection(context) },
  { id: "similar", name: "Nonprofits like it", load: async (context) => (await similar()).similarSection(context) },
];

export async function show(root, { path, parameters, signal, retitle }) {
  const ein = einOf(path).replace(/[\s-]/g, "");
  if (!/^\d{9}$/.test(ein)) return unknown(root, einOf(path), "An EIN has nine digits.");
  root.replaceChildren(h("h1", {}, `Nonprofit ${dashed(ein)}`), loading("Loading the profile…", 6));
  const checks = ask(`/nonprofits/standing/${ein}`, {}, { signal });
  // Told where it stands, by `head`.
  checks.catch(() => {});
  let details;
  try {
    ({ body: details } = await ask(`/nonprofits/details/${ein}`, {}, { signal }));
  } catch (error) {
    if (error.status === 404) return unknown(root, dashed(ein), "No nonprofit here has this EIN.", await (await import("./ein.js")).missing(ein, signal));
    throw error;
  }
  retitle?.(details.name);
  const rest = h("p", { class: "muted small" });
  const context = {
    ein, details, signal,
    size: h("p", { class: "how-large", hidden: true }),
    standing: () => checks.then(({ body }) => body),
    filings: () => (context.asked ??= filingsOf(ein, signal)),
    provenance: () => (context.traced ??= ask(`/nonprofits/provenance/${ein}`, {}, { signal }).then(({ body }) => body)),
    again: () => {
      context.asked = null;
      return load(sections.filter(({ returns }) => returns));
    },
  };
  const sections = SECTIONS.map((one) => sectionOf(one, context));
  const links = navigation(ein, sections);
  const load = (some) => Promise.all(some.map((one) => one.run())).then(async () => {
    const filings = await context.filings().catch(() => null);
    rest.textContent = absence(sections, filings?.length === 0);
    links.hidden = sections.every(({ state }) => state === "absent");
  });
  root.replaceChildren(h("div", { class: "profile-page" },
    head(details, checks, context),
    h("div", { class: "profile-body" }, links,
      h("div", { class: "sections" }, sections.map(({ element }) => element)),
      rest,
      call(calls(ein)))));
  // Who it is and how it stands come first: sections are a dozen requests.
  await checks.catch(() => {});
  await load(sections);
  if (signal.aborted) return;
  const wanted = sections.find(({ id, state }) => id === parameters.get("section") && state !== "absent");
  if (wanted) wanted.visit();
}

/** One line for all that there is none of. */
function absence(sections, hasNoReturns) {
  const failed = sections.some(({ returns, state }) => returns && state === "failed");
  const absent = sections.filter(({ id, returns, state }) => !APART.includes(id) && state === "absent" && !(returns && failed));
  return absent.length > 0 ? `Not in the data: ${absent.map(({ name }) => name.toLowerCase()).join(", ")}.${hasNoReturns ? " Most of this comes from returns, and none of its returns is loaded." : ""}` : "";
}

function unknown(root, said, why, reason) {
  root.replaceChildren(...nodes([
    h("h1", {}, "Nonprofit not found"),
    h("p", {}, `There is no nonprofit at “${said}”. ${why}`),
    reason && h("div", { class: "absent-ein" }, reason),
    h("p", {}, h("a", { href: "#/" }, "Search by name or in plain words"), " instead.")]));
}

async function filingsOf(ein, signal) {
  // No nonprofit has filed a hundred years' returns.
  const { body } = await ask(`/nonprofits/filings/${ein}`, { size: 100 }, { signal });
  return body.items;
}

/** Links to the sections; they keep the address right without loading the page anew. */
function navigation(ein, sections) {
  return h("nav", { class: "tabs section-links", "aria-label": "On this page" }, sections.map((section) => {
    const hash = `#/nonprofit/${ein}?section=${section.id}`;
    section.link = h("a", { href: hash }, section.name);
    section.link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      history.replaceState(history.state, "", hash);
      section.visit();
    });
    return section.link;
  }));
}

function sectionOf({ id, name, load, returns = false }, context) {
  const heading = h("h2", { id: `section-${id}`, tabindex: "-1" }, name);
  const body = h("div", {});
  const element = h("section", { "aria-labelledby": heading.id }, heading, body);
  const section = { id, name, returns, element, state: "loading", link: null, run, visit };
  async function run() {
    body.replaceChildren(h("div", { class: "state loading" }, h("span", { class: "skeleton" }), h("span", { class: "skeleton" })));
    try {
      const content = await load(context);
      section.state = content ? "shown" : "absent";
      element.hidden = section.link.hidden = !content;
      body.replaceChildren(...[content].flat(Infinity).filter(Boolean));
    } catch (error) {
      if (context.signal.aborted || aborted(error)) return;
      section.state = "failed";
      body.replaceChildren(problem(error, returns ? context.again : run));
    }
  }
  function visit() {
    heading.focus({ preventScroll: true });
    element.scrollIntoView({ block: "start" });
  }
  return section;
}

const counted = (found, words) => found && [h("p", { class: "muted small" }, words(found.total)), found.list];

async function financesOf(context) {
  const { financesSection, sizeOf } = await returns();
  const none = () => null;
  const [filings, provenance, standing] = await Promise.all([context.filings().catch(none), context.provenance().catch(none), context.standing().catch(none)]);
  context.size.replaceChildren(...nodes(sizeOf(context.details, { filings, provenance, standing })));
  context.size.hidden = !context.size.firstChild;
  return financesSection(context.details, { filings, provenance, standing });
}

async function metricsSection({ ein, signal }) {
  const { growing, metricItem } = await impact();
  const found = await growing(`/impact/metrics/${ein}`, { size: 8 }, (one) => metricItem(one), { signal, className: "metrics" });
  return counted(found, (total) => `${plural(total, "figure", "figures")} of what it did, from its returns and reports.`);
}

async function storiesSection({ ein, signal }) {
  const { growing, storyItem } = await impact();
  const found = await growing(`/impact/stories/${ein}`, { size: 3 }, (one) => storyItem(one), { signal });
  return found?.list ?? null;
}

async function postsSection({ ein, signal }) {
  const { growing } = await impact();
  const found = await growing("/feed/posts", { view: "following", eins: ein, size: 5 }, (one) => postItem(one, { who: false }), { signal });
  return found?.list ?? null;
}

async function changesOf({ ein, signal }) {
  const { body } = await ask("/changes", { eins: ein, size: CHANGES_SHOWN }, { signal });
  return (await provenance()).changesSection(body);
}

function calls(ein) {
  return [
    [`/nonprofits/details/${ein}`], [`/nonprofits/standing/${ein}`], [`/nonprofits/reliance/${ein}`], [`/nonprofits/provenance/${ein}`], [`/changes`, { eins: ein }], [`/nonprofits/filings/${ein}`, { size: 100 }],
    [`/impact/metrics/${ein}`], [`/impact/stories/${ein}`],
    ["/feed/posts", { view: "following", eins: ein }],
  ];
}
