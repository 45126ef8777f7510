// Grants that a nonprofit made or received, as returns list them: what they add up to, year by year,
// and the grants themselves. Nothing is said of returns that are not loaded.
import { ask } from "./api.js";
import { line, profileOf } from "./card.js";
import { h } from "./dom.js";
import { count, dollars, named, plural, short, spoken, website } from "./format.js";
import { growing } from "./impact.js";
import { empty, loading } from "./states.js";

const SHOWN = 8;
/** Recipients that the map takes: a page of grants. */
const MAPPED_MAX = 100;

const MATCHES = {
  filed: null,
  matched: "EIN found by name and address",
  unmatched: "not linked to an EIN",
};

/** The name of the other side, as a link where it has an EIN, and how sure that is. */
function otherSide(grant, direction) {
  if (direction === "received") return h("a", { href: profileOf(grant.grantor_ein) }, grant.grantor_name);
  const name = named(grant.recipient_name) || named(grant.foreign_region) || "Recipient not named";
  return grant.recipient_ein ? h("a", { href: profileOf(grant.recipient_ein) }, name) : name;
}

/** A grant as an item of a list; `direction` says which side is meant to be read. */
export function grantItem(grant, direction, { both = false } = {}) {
  const amount = grant.cash === null && grant.noncash === null ? null : (grant.cash ?? 0) + (grant.noncash ?? 0);
  const url = website(grant.file_url);
  const score = grant.match_score === null ? "" : ` (${Math.round(100 * grant.match_score)} %)`;
  const matched = direction === "made" && !grant.foreign_region && !grant.is_listed_elsewhere && MATCHES[grant.recipient_match];
  return h("li", { class: "grant" },
    h("div", { class: "grant-amount" }, h("b", {}, amount === null ? "amount not stated" : short(amount)),
      grant.noncash ? h("span", {}, `${short(grant.noncash)} not in cash`) : null),
    h("div", {},
      h("div", { class: "grant-name" }, both && [h("a", { href: profileOf(grant.grantor_ein) }, grant.grantor_name), " to "], otherSide(grant, direction)),
      grant.purpose && h("p", { class: "small" }, spoken(grant.purpose)),
      h("p", { class: "muted small" }, line([
        String(grant.tax_year), grant.form === "990-PF" ? "Form 990-PF" : grant.form === "990-F" ? "Schedule F" : "Schedule I",
        grant.recipient_name && named(grant.foreign_region), grant.stage === "approved" && "approved for later payment",
        grant.is_listed_elsewhere && "listed in an attachment that is not in the return's file",
        matched && `${matched}${score}`,
        url && h("a", { href: url, rel: "noopener noreferrer" }, "the return", h("span", { class: "visually-hidden" }, ` of ${grant.tax_year} by ${grant.grantor_name}`)),
      ]))));
}

/** The section of one direction; null where no loaded return lists any. */
export async function grantsSection(direction, { ein, signal }) {
  const path = `/nonprofits/grants/${ein}`;
  const { body } = await ask(path, { direction, size: SHOWN }, { signal });
  const years = yearsOf(body.returns);
  if (body.total === 0) return years && [h("p", { class: "muted" }, sentence(body.message)), years];
  const found = await growing(path, { direction, size: SHOWN }, (one) => grantItem(one, direction), { signal, className: "grants" });
  const verb = direction === "made" ? "made" : "received, by the returns of those who made them";
  return [
    h("p", { class: "muted small" }, `${plural(body.total, "grant", "grants")} ${verb}`, body.total_amount === null ? "." : `: ${dollars(body.total_amount)} in all.`,
      yearsSaid(body.returns), " Only loaded returns count, of each period the one filed last."),
    years, found.list,
    direction === "made" && mapOf(path, signal),
  ];
}

/** Of how many years a sum is, so that it is not taken for that of one. */
function yearsSaid(returns) {
  const years = returns.map(({ tax_year: year }) => year);
  return years.length > 1 && ` Of ${plural(years.length, "tax year", "tax years")}, ${Math.min(...years)} to ${Math.max(...years)}.`;
}

const sentence = (text) => (text ? `${text[0].toUpperCase()}${text.slice(1)}.` : "None.");

/** What each return says it paid, as bars on one scale, beside what it lists; null where none says. */
function yearsOf(returns) {
  const told = returns.filter(({ stated_total: stated, listed_total: listed }) => stated !== null || listed !== null);
  if (told.length === 0) return null;
  const most = Math.max(...told.map((one) => one.stated_total ?? one.listed_total), 1);
  return h("table", { class: "data years" },
    h("caption", {}, "Grants paid by tax year"),
    h("thead", { class: "visually-hidden" }, h("tr", {}, ["Year", "Paid", "Listed"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, told.map((one) => {
      const total = one.stated_total ?? one.listed_total;
      const bar = h("span", { class: "year-bar" });
      bar.style.inlineSize = `calc((100% - 8rem) * ${Math.max(total, 0) / most})`;
      return h("tr", {},
        h("th", { scope: "row" }, String(one.tax_year)),
        h("td", { class: "year-cell" }, bar, h("span", {}, dollars(total))),
        h("td", { class: "muted small" }, one.differs ? `its list adds up to ${dollars(one.listed_total)}`
          : one.listed_total === null ? "its list is not in the file" : ""));
    })));
}

/** A map of the latest recipients, drawn when it is opened. */
function mapOf(path, signal) {
  const holder = h("div", { class: "map-holder" });
  const details = h("details", { class: "more no-print" }, h("summary", {}, "Recipients on a map"), holder);
  details.addEventListener("toggle", async () => {
    if (!details.open || holder.childElementCount) return;
    holder.replaceChildren(loading("Loading the map…", 1));
    try {
      const { body } = await ask(path, { direction: "made", size: MAPPED_MAX }, { signal });
      const eins = [...new Set(body.items.map(({ recipient_ein: ein }) => ein).filter(Boolean))];
      const [{ map }, batch] = await Promise.all([import("./map.js"), eins.length ? ask("/nonprofits/batch", null, { signal, body: { eins } }) : { body: { items: [] } }]);
      const known = (batch.body.items ?? batch.body).filter((one) => one?.lat);
      holder.replaceChildren(known.length ? map(known, { onPick: (ein) => { location.hash = profileOf(ein); }, label: `${count(known.length)} recipients of the latest grants` })
        : empty("No recipient of the latest grants has a known place."));
    } catch (error) {
      if (!signal.aborted) holder.replaceChildren(empty("The map cannot be shown.", error.message));
    }
  });
  return details;
}
