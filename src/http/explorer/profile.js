// One nonprofit: `#/nonprofit/<ein>`, with `?section=…` to go to a part of it. The head comes from
// the details; every section is asked for on its own, and fails or stays away on its own.
import { ask, call, query } from "./api.js";
import { cards, line } from "./card.js";
import { h } from "./dom.js";
import { dashed, day, dollars, excerpt, GOALS, month, otherName, place, plural, website } from "./format.js";
import { actions } from "./saved.js";
import { standing } from "./standing.js";
import { folded, host, out, postItem } from "./posts.js";
import { aborted, loading, problem } from "./states.js";

const SIMILAR_SHOWN = 6;
const CHANGES_SHOWN = 10;
const NAMESAKES_MAX = 50;
/** Of these it is not told that there is nothing. */
const APART = ["namesakes", "similar", "changes", "sources"];
/** Texts longer than the search takes are cut. */
const SEARCH_MAX = 256;
const SIZES = { Small: "under $1M", Medium: "$1M to $10M", Large: "$10M to $100M", "Super-Size": "$100M and more" };

function einOf(path) {
  const said = path.split("/")[2] ?? "";
  try { return decodeURIComponent(said); } catch { return said; }
}

export const title = (path) => `Nonprofit ${dashed(einOf(path))}`;

// Modules of sections: the head does not wait for them.
const family = () => import("./family.js");
const impact = () => import("./impact.js");
const money = () => import("./money.js");
const peers = () => import("./peers.js");
const people = () => import("./people.js");
const provenance = () => import("./provenance.js");
const returns = () => import("./filings.js");

/**
 * What is below the head, in order. `load(context)` gives the content, or null for none. Those with
 * `returns` are made of one request; when it fails the last of them says so and the others do without.
 */
const SECTIONS = [
  { id: "finances", name: "Finances", returns: true, load: financesOf },
  { id: "peers", name: "Among its peers", load: async (context) => (await peers()).peersSection(context) },
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
  { id: "namesakes", name: "Of the same name", load: namesakesSection },
  { id: "similar", name: "Nonprofits like it", load: similarSection },
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
    if (error.status === 404) return unknown(root, dashed(ein), "No nonprofit of this snapshot has this EIN.");
    throw error;
  }
  retitle?.(details.name);
  const rest = h("p", { class: "muted small" });
  const context = {
    ein, details, signal,
    filings: () => (context.asked ??= filingsOf(ein, signal)),
    provenance: () => (context.traced ??= ask(`/nonprofits/provenance/${ein}`, {}, { signal }).then(({ body }) => body)),
    again: () => {
      context.asked = null;
      return load(sections.filter(({ returns }) => returns));
    },
  };
  const sections = SECTIONS.map((one) => sectionOf(one, context));
  const links = navigation(ein, sections);
  const load = (some) => Promise.all(some.map((one) => one.run())).then(() => {
    rest.textContent = absence(sections);
    links.hidden = sections.every(({ state }) => state === "absent");
  });
  root.replaceChildren(
    head(details, checks),
    links,
    h("div", { class: "sections" }, sections.map(({ element }) => element)),
    rest,
    call(calls(ein, details)));
  // Who it is and how it stands come first: sections are a dozen requests.
  await checks.catch(() => {});
  await load(sections);
  if (signal.aborted) return;
  const wanted = sections.find(({ id, state }) => id === parameters.get("section") && state !== "absent");
  if (wanted) wanted.visit();
}

/** One line for all that there is none of. */
function absence(sections) {
  const failed = sections.some(({ returns, state }) => returns && state === "failed");
  const absent = sections.filter(({ id, returns, state }) => !APART.includes(id) && state === "absent" && !(returns && failed));
  return absent.length > 0 ? `Not in the data: ${absent.map(({ name }) => name.toLowerCase()).join(", ")}.` : "";
}

function unknown(root, said, why) {
  root.replaceChildren(
    h("h1", {}, "Nonprofit not found"),
    h("p", {}, `There is nothing at “${said}”. ${why}`),
    h("p", {}, "It may be newer than the data, or gone from the IRS's list. ",
      h("a", { href: "#/" }, "Search by name or in plain words"), " instead."));
}

async function filingsOf(ein, signal) {
  // No nonprofit has filed a hundred years' returns.
  const { body } = await ask(`/nonprofits/filings/${ein}`, { size: 100 }, { signal });
  return body.items;
}

function head(details, checks) {
  const holder = h("div", { class: "standing-holder" }, loading("Checking the lists…", 1));
  const list = factList(factsOf(details));
  checks.then(({ body }) => {
    holder.replaceChildren(standing(body));
    list.append(...factsOfStanding(body, details).map(fact));
  }, (error) => { if (!aborted(error)) holder.replaceChildren(problem(error)); });
  return h("div", { class: "profile-head" },
    h("div", { class: "profile-who" },
      h("h1", {}, details.name),
      h("p", { class: "muted" }, line([
        otherName(details) && `Also ${details.alt_name}`, place(details),
        h("span", { class: "ein" }, `EIN ${dashed(details.ein)}`)])),
      badgesOf(details),
      actions(details),
      holder,
      details.summary && h("div", { class: "mission" }, folded(details.summary)),
      details.impactSummary && h("div", { class: "impact-summary" },
        h("h2", { class: "small-heading" }, "What it accomplished"), folded(details.impactSummary)),
      linksOut(details)),
    list);
}

/** What is said beside the checks of its standing. */
function badgesOf(details) {
  const badges = [
    details.foundation && h("li", { class: "badge" }, "Private foundation"),
    details.gcVetted && h("li", { class: "badge good" }, "Vetted"),
  ].filter(Boolean);
  return badges.length > 0 && h("ul", { class: "plain chips", "aria-label": "Kind" }, badges);
}

function linksOut(details) {
  const all = [
    [details.url, website(details.url) && host(details.url)], [details.gcDonationUrl, "Donate"],
    [details.gcVideoUrl, "Video"], [details.logo, "Logo"], [details.irsFilingUrl, "Latest return (XML)"],
  ].map(([url, text]) => url && out(url, text)).filter(Boolean);
  all.push(h("a", { href: `#/reliance/${details.ein}` }, "Report to rely on"),
    h("button", { type: "button", class: "link", onclick: () => print() }, "Print"));
  return h("ul", { class: "plain links", "aria-label": "Links" }, all.map((one) => h("li", {}, one)));
}

function factsOf(details) {
  const zip = [details.state, details.zipCode5].filter(Boolean).join(" ");
  const goals = details.sdgs?.map((goal) => h("li", {}, `${goal} ${GOALS[goal - 1]}`)) ?? [];
  const street = [details.streetAddress, [details.city, zip].filter(Boolean).join(", ")].filter(Boolean);
  return [
    ["Address", street.length > 0 && street.flatMap((one, at) => (at ? [h("br"), one] : [one]))],
    ["Cause", details.issueArea],
    ["Goals", goals.length > 0 && h("ul", { class: "plain" }, goals)],
    ["Founded", details.yearFounded && String(details.yearFounded)],
    ["Exempt since", details.irsRulingDate && month(details.irsRulingDate)],
    ["Latest year filed", details.filingYear && line([String(details.filingYear), details.formType && `Form ${details.formType}`])],
  ].filter(([, value]) => value);
}

/** Ten digits as people write them. */
const telephone = (digits) => digits.replace(/^(\d{3})(\d{3})(\d{4})$/, "$1-$2-$3");

/** What the IRS's lists say beside the details: the other names, and how an exemption ended. */
function factsOfStanding(standing, details) {
  const others = standing.other_names.filter((name) => name !== details.alt_name && name !== details.name);
  const { size } = standing;
  return [
    ["NTEE code", standing.ntee_title && `${details.ntee}: ${standing.ntee_title}`],
    ["Activities before 1995", standing.activities.length > 0 && standing.activities.join("; ")],
    ["Purposes", standing.purposes.length > 0 && standing.purposes.join(", ")],
    ["Incorporated", standing.incorporated && [day(standing.incorporated), standing.incorporated_in].filter(Boolean).join(", ")],
    ["Return to file", standing.filing_requirement],
    ["Unrelated business income", standing.unrelated_business && `files Form 990-T, last for the year to ${month(standing.unrelated_business)}`],
    ["Total assets", Number.isFinite(standing.assets) && line([dollars(standing.assets), standing.assets_period && `at the end of ${month(standing.assets_period)}`])],
    ["Gross receipts", Number.isFinite(standing.gross_receipts) && standing.gross_receipts > 0 && dollars(standing.gross_receipts)],
    ["Revenue", Number.isFinite(standing.revenue_ceiling) && `no amount on file; at most ${dollars(standing.revenue_ceiling)}`],
    ["Telephone", standing.phone && telephone(standing.phone)],
    ["Country", standing.country],
    ["County", standing.county],
    ["Size", size && `${size}${SIZES[size] ? ` (${SIZES[size]})` : ""}`],
    ["Exemption revoked", standing.revoked && day(standing.revoked)],
    ["Reinstated", standing.reinstated && day(standing.reinstated)],
    ["Publication 78", standing.publication_78.length > 0 && standing.publication_78.join(", ")],
    ["Group exemption", standing.group_number && String(standing.group_number).padStart(4, "0")],
    ["In care of", standing.in_care_of],
    ["Other names", others.length > 0 && h("ul", { class: "plain" }, others.map((name) => h("li", {}, name)))],
  ].filter(([, value]) => value);
}

const WIDE = ["Goals", "Other names"];
const fact = ([name, value]) => h("div", { class: WIDE.includes(name) ? "wide" : null }, h("dt", {}, name), h("dd", {}, value));
const factList = (pairs) => h("dl", { class: "card profile-facts" }, pairs.map(fact));

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
  const { financesSection } = await returns();
  return financesSection(context.details, await context.filings().catch(() => null), await context.provenance().catch(() => null));
}

async function metricsSection({ ein, signal }) {
  const { growing, metricItem } = await impact();
  const found = await growing(`/impact/metrics/${ein}`, { size: 8 }, (one) => metricItem(one), { signal, className: "metrics" });
  return counted(found, (total) => `${plural(total, "figure", "figures")} of what it did, in the words of its returns and reports.`);
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

/** Others that are called alike, to be told apart from it; chapters of one body among them. */
async function namesakesSection({ ein, details, signal }) {
  const { body } = await ask("/nonprofits/search", { q: excerpt(details.name, SEARCH_MAX), size: NAMESAKES_MAX }, { signal });
  const others = body.items.filter((one) => one.ein !== ein && [one.name, one.altName].some((name) => name && alike(name) === alike(details.name)));
  return others.length > 0 ? cards(others) : null;
}

const alike = (name) => name.toLowerCase().replace(/\b(?:inc|incorporated|corp|corporation|co|the)\b|[^\p{L}\p{N}]+/gu, " ").trim().replace(/\s+/g, " ");

const likeName = (details) => ({ q: `similar to ${details.name}`, size: SIMILAR_SHOWN + 1 });

/** Others like it: by its name; where another has that name, by what it does; else by cause and city. */
async function similarSection({ ein, details, signal }) {
  for (const [parameters, fits] of [
    [likeName(details), (body) => body.intentDetails?.llm_response?.arguments?.similar_to === ein],
    details.summary && [{ q: excerpt(details.summary, SEARCH_MAX), size: SIMILAR_SHOWN + 1 }, () => true],
    details.ntee && details.city && [{ ntee_codes: details.ntee, city: details.city, state: details.state, size: SIMILAR_SHOWN + 1 }, () => true],
  ].filter(Boolean)) {
    if ([...(parameters.q ?? "")].length > SEARCH_MAX) continue;
    const { body } = await ask("/beta/nonprofits/search", parameters, { signal });
    const others = body.nonprofits.filter((one) => one.ein !== ein).slice(0, SIMILAR_SHOWN);
    if (!fits(body) || others.length === 0) continue;
    const { size, ...filters } = parameters;
    return [
      parameters.q ? null : h("p", { class: "muted small" }, `Of the same cause (${details.ntee}) in ${details.city}.`),
      cards(others),
      h("p", { class: "small" }, h("a", { href: `#/search${query(filters)}` }, "All of them as a search")),
    ];
  }
  return null;
}

function calls(ein, details) {
  return [
    [`/nonprofits/details/${ein}`], [`/nonprofits/standing/${ein}`], [`/nonprofits/provenance/${ein}`], [`/changes`, { eins: ein }], [`/nonprofits/filings/${ein}`, { size: 100 }],
    [`/impact/metrics/${ein}`], [`/impact/stories/${ein}`],
    ["/feed/posts", { view: "following", eins: ein }], ["/beta/nonprofits/search", likeName(details)],
  ];
}
