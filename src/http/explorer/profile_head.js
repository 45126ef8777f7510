// The head of a profile: who it is, how it stands, its mission, what the IRS's lists say of it, and where to look
// it up elsewhere. Made of the details and the standing.
import { line } from "./card.js";
import { classified, pub78 } from "./classification.js";
import { h, nodes } from "./dom.js";
import { GOALS, dashed, day, month, otherName, place, secondLine, telephone, website } from "./format.js";
import { sizeName } from "./filters.js";
import { folded, host, out } from "./posts.js";
import { actions } from "./saved.js";
import { standing } from "./standing.js";
import { aborted, loading, problem } from "./states.js";
import { registryOf } from "./tables.js";

/** A class goes by what it spends; where that is not known, by its revenue or receipts. */
const SIZES = { Small: "under $1M a year", Medium: "$1M to $10M a year", Large: "$10M to $100M a year", "Super-Size": "$100M a year or more" };
/** Their list of the offices of all states. */
const STATE_OFFICERS = "https://www.nasconet.org/resources/state-government/";

/**
 * `filings` asks for the returns; `size` is filled by the section of finances, which says how large it is.
 */
export function head(details, checks, { filings, size }) {
  const leader = h("p", { class: "leader", hidden: true });
  // It comes after the checks, as the sections do; without returns there is none.
  checks.catch(() => {}).then(filings).then(async (all) => (await import("./leader.js")).tellLeader(leader, details.ein, all)).catch(() => {});
  const holder = h("div", { class: "standing-holder" }, loading("Checking the lists…", 1));
  const list = factList(factsOf(details));
  checks.then(({ body }) => {
    holder.replaceChildren(standing(body));
    list.append(...factsOfStanding(body, details).map(fact));
  }, (error) => { if (!aborted(error)) holder.replaceChildren(problem(error)); });
  return h("div", { class: "profile-head" },
    h("div", { class: "profile-who" },
      h("h1", {}, details.name),
      h("p", { class: "print-only small" }, `Printed ${day(new Date().toISOString())} from ${location.host}/#/nonprofit/${details.ein}`),
      h("p", { class: "muted" }, line([
        otherName(details) && `Also ${details.alt_name}`, place(details),
        h("span", { class: "ein" }, `EIN ${dashed(details.ein)}`)])),
      size,
      leader,
      badgesOf(details),
      actions(details),
      holder,
      details.summary && h("div", { class: "mission" }, folded(details.summary)),
      details.impactSummary && h("div", { class: "impact-summary" },
        h("h2", { class: "small-heading" }, "What it accomplished"), folded(details.impactSummary)),
      linksOut(details),
      elsewhere(details)),
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
    [details.gcVideoUrl, "Video"], [details.logo, "Logo"],
  ].map(([url, text]) => url && out(url, text)).filter(Boolean);
  const own = [h("a", { href: `#/reliance/${details.ein}` }, "Reliance report"),
    h("button", { type: "button", class: "link", onclick: () => print() }, "Print")];
  return h("ul", { class: "plain links", "aria-label": "Links" }, all.map((one) => h("li", {}, one)), own.map((one) => h("li", { class: "no-print" }, one)));
}

/** Where to read on: the IRS and those who publish what it has, and who registers charities in its state. */
function elsewhere({ ein, state, name }) {
  const item = (url, text, what) => h("li", {}, out(url, text), " ", h("span", { class: "muted" }, what));
  const list = h("ul", { class: "plain elsewhere" },
    item("https://apps.irs.gov/app/eos/", "IRS Tax Exempt Organization Search", ["search for ", h("span", { class: "ein" }, dashed(ein))]),
    item(`https://projects.propublica.org/nonprofits/organizations/${ein}`, "ProPublica Nonprofit Explorer", "its returns, year by year"),
    item(`https://www.guidestar.org/profile/${dashed(ein)}`, "Candid", "what it says about itself"));
  const registry = h("li", {});
  registryOf(state).then((found) => registry.replaceChildren(...nodes(found
    ? [out(found.address, found.office), " ", h("span", { class: "muted" }, "registers charities that solicit gifts in the state")]
    : [out(STATE_OFFICERS, "State charity officials"), " ", h("span", { class: "muted" }, "the office that registers charities in each state")])));
  list.append(registry);
  return h("section", { class: "elsewhere-holder no-print", "aria-label": `${name} elsewhere` }, h("h2", { class: "small-heading" }, "Look it up elsewhere"), list);
}

function factsOf(details) {
  const zip = [details.state, details.zipCode5].filter(Boolean).join(" ");
  const goals = details.sdgs?.map((goal) => h("li", {}, `${goal} ${GOALS[goal - 1]}`)) ?? [];
  const street = [details.streetAddress, [details.city, zip].filter(Boolean).join(", ")].filter(Boolean);
  return [
    ["Address", street.length > 0 && street.flatMap((one, at) => (at ? [h("br"), one] : [one]))],
    ["Cause", details.issueArea && [details.issueArea, !details.ntee && h("span", { class: "muted small" }, " (inferred from other IRS codes; no NTEE code is on file)")]],
    ["Goals", goals.length > 0 && h("ul", { class: "plain" }, goals)],
    ["Founded", details.yearFounded && String(details.yearFounded)],
    ["Exempt since", details.irsRulingDate && month(details.irsRulingDate)],
    ["Latest return", details.filingYear && line([`year that ended in ${details.filingYear}`, details.formType && `Form ${details.formType}`])],
  ].filter(([, value]) => value);
}

/** What the IRS's lists say beside the details: the other names, and how an exemption ended. */
function factsOfStanding(standing, details) {
  const apart = otherName(details) ? null : secondLine(details);
  const others = standing.other_names.filter((name) => name !== details.alt_name && name !== details.name);
  const { size } = standing;
  return [
    ["NTEE code", standing.ntee_title && `${details.ntee}: ${standing.ntee_title}`],
    ["IRS activity codes (before 1995)", standing.activities.length > 0 && standing.activities.join("; ")],
    ["Purposes", standing.purposes.length > 0 && standing.purposes.join(", ")],
    ["About that date", isRenewed(standing) && "The IRS had given it activity codes before 1995, so the ruling may be a new one after a lapse."],
    ["Incorporated", standing.incorporated && [day(standing.incorporated), standing.incorporated_in].filter(Boolean).join(", ")],
    ["Class", standing.classification && classified(standing)],
    ["Files", standing.filing_requirement],
    ["Unrelated business income", standing.unrelated_business && `files Form 990-T, last for the year to ${month(standing.unrelated_business)}`],
    ["Telephone", standing.phone && h("a", { href: `tel:${standing.phone}` }, telephone(standing.phone))],
    ["Country", standing.country],
    ["County", standing.county],
    ["Size", size && [`${sizeName(size)}: ${SIZES[size] ?? ""}`, h("span", { class: "muted small" }, isByReceipts(details)
      ? " by its gross receipts, which include sales of investments" : " in spending, or in revenue where no spending is on file")]],
    ["Exemption revoked", standing.revoked && day(standing.revoked)],
    ["Reinstated", standing.reinstated && day(standing.reinstated)],
    ["Publication 78", standing.publication_78.length > 0 && pub78(standing.publication_78)],
    ["Group exemption", standing.group_number && String(standing.group_number).padStart(4, "0")],
    ["In care of", standing.in_care_of],
    ["Second name line in the IRS’s file", apart],
    ["Other names", others.length > 0 && h("ul", { class: "plain" }, others.map((name) => h("li", {}, name)))],
  ].filter(([, value]) => value);
}

/** Whether only gross receipts tell how large a foundation is: they hold what it got for investments that it sold. */
const isByReceipts = ({ foundation, revenueGrandTotal }) => Boolean(foundation) && typeof revenueGrandTotal !== "number";

/** Automatic revocations began in the middle of 2011: a later ruling on an older body is likely a reinstatement. */
const isRenewed = ({ activities, ruling }) => activities.length > 0 && ruling >= "2011-06-01";

const WIDE = ["Goals", "Other names", "About that date", "Class"];
const fact = ([name, value]) => h("div", { class: WIDE.includes(name) ? "wide" : null }, h("dt", {}, name), h("dd", {}, value));
const factList = (pairs) => h("dl", { class: "card profile-facts" }, pairs.map(fact));
