// Grants that a nonprofit made or received, as returns list them: what they add up to, year by year,
// and the grants themselves. Nothing is said of returns that are not loaded.
import { ask } from "./api.js";
import { line, profileOf } from "./card.js";
import { h, nodes } from "./dom.js";
import { shorten } from "./filings.js";
import { count, dollars, month, named, place, plural, short, website } from "./format.js";
import { givingOf } from "./giving.js";
import { allOf, filterable } from "./grants_list.js";
import { growing } from "./impact.js";
import { empty, loading, problem } from "./states.js";

const SHOWN = 8;
/** Recipients that the map takes, and grants that are put together where they say the same: a page of them. */
const PAGE_MAX = 100;

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

/** Whom the return names where that clearly is another than the nonprofit of the EIN. */
function namedInReturn(grant, direction, isCentral) {
  if (!grant.named_otherwise) return null;
  const filed = [named(grant.recipient_name), grant.recipient_city && named(grant.recipient_city), grant.recipient_state].filter(Boolean).join(", ");
  if (direction === "received") return `${isCentral ? "to a member of its group, " : ""}named in the return: ${filed}`;
  return `named in the return: ${filed}; the EIN is that of ${grant.linked.name}${place(grant.linked) ? `, ${place(grant.linked)}` : ""}`;
}

/** A grant as an item of a list; `direction` says which side is meant to be read. */
export function grantItem(grant, direction, { both = false, like = [], isCentral = false } = {}) {
  const amounts = [grant, ...like].map(amountOf).filter((amount) => amount !== null);
  const amount = amounts.length > 0 ? amounts.reduce((sum, one) => sum + one) : null;
  const url = website(grant.file_url);
  const otherwise = namedInReturn(grant, direction, isCentral);
  const score = grant.match_score === null ? "" : ` (${Math.round(100 * grant.match_score)}%)`;
  const matched = direction === "made" && !grant.foreign_region && !grant.is_listed_elsewhere && MATCHES[grant.recipient_match];
  return h("li", { class: "grant" },
    h("div", { class: "grant-amount" }, h("b", {}, amount === null ? "amount not stated" : short(amount)),
      grant.noncash && !like.length ? h("span", {}, `${short(grant.noncash)} not in cash`) : null),
    h("div", {},
      h("div", { class: "grant-name" }, both && [h("a", { href: profileOf(grant.grantor_ein) }, grant.grantor_name), " to "], otherSide(grant, direction)),
      otherwise && h("p", { class: "small" }, `${otherwise[0].toUpperCase()}${otherwise.slice(1)}.`),
      grant.purpose_shown && h("p", { class: "small" }, grant.purpose_shown),
      h("p", { class: "muted small" }, line([
        like.length > 0 && `${count(like.length + 1)} grants of ${short(Math.min(...amounts))} to ${short(Math.max(...amounts))}`,
        direction === "made" && !otherwise && [named(grant.recipient_city), grant.recipient_state].filter(Boolean).join(", "),
        `year to ${month(grant.period_end)}`, grant.form === "990-PF" ? "Form 990-PF" : grant.form === "990-F" ? "Schedule F" : "Schedule I",
        grant.recipient_name && named(grant.foreign_region), grant.stage === "approved" && "approved for later payment",
        grant.is_listed_elsewhere && "listed in an attachment missing from the return’s file",
        matched && `${matched}${score}`,
        url && h("a", { href: url, rel: "noopener noreferrer" }, "the return", h("span", { class: "visually-hidden" }, ` of ${grant.tax_year} by ${grant.grantor_name}`)),
      ]))));
}

const amountOf = ({ cash, noncash }) => (cash === null && noncash === null ? null : (cash ?? 0) + (noncash ?? 0));

/** Grants abroad name a region and no recipient: those that say the same are one item with their sum, the greatest first. */
function together(grants, direction, isCentral) {
  const of = new Map();
  for (const grant of grants) {
    const said = grant.recipient_name || grant.recipient_ein ? of.size : `${grant.foreign_region} ${grant.purpose_shown} ${grant.stage}`;
    of.set(said, [...(of.get(said) ?? []), grant]);
  }
  const sum = (grants) => grants.reduce((total, grant) => total + (amountOf(grant) ?? 0), 0);
  return [...of.values()].sort((one, other) => sum(other) - sum(one)).map(([first, ...like]) => grantItem(first, direction, { like, isCentral }));
}

/** The section of one direction, one year at a time; null where no loaded return lists any. */
export async function grantsSection(direction, { ein, signal }) {
  const path = `/nonprofits/grants/${ein}`;
  const { body } = await ask(path, { direction, size: 1 }, { signal });
  const totals = totalsOf(body.returns);
  if (body.total === 0) return totals && [h("p", { class: "muted" }, sentence(body.message)), totals];
  const periodOf = new Map(body.returns.map((one) => [one.tax_year, `year to ${month(one.period_end)}`]));
  const said = (year) => periodOf.get(year) ?? `tax year ${year}`;
  const isCentral = direction === "received" && body.total > 0 && await isCentralOf(ein, signal);
  const holder = h("div", {});
  const show = async (year) => {
    try {
      holder.replaceChildren(...nodes(await ofYear(path, { direction, year }, said(year), { signal, isCentral })));
    } catch (error) {
      if (!signal.aborted) holder.replaceChildren(problem(error, () => show(year)));
    }
  };
  await show(body.years[0].tax_year);
  const id = `${direction}-year`;
  return [
    body.years.length > 1 && h("span", { class: "choice" }, h("label", { for: id }, "Year"),
      h("select", { id, onchange: (event) => show(Number(event.target.value)) }, body.years.map(({ tax_year: year }) => h("option", { value: year }, said(year))))),
    totals, holder,
    direction === "made" && mapOf(path, signal),
  ];
}

/** Whether it is the central organization of a group; without an answer it is not said. */
async function isCentralOf(ein, signal) {
  try {
    const { body } = await ask(`/nonprofits/family/${ein}`, { size: 1 }, { signal });
    return body.group?.role === "central";
  } catch (error) {
    if (signal.aborted) throw error;
    return false;
  }
}

/** The grants of one year: what they add up to, in pictures, and each of them. */
async function ofYear(path, asked, when, { signal, isCentral }) {
  const { body } = await ask(path, { ...asked, size: PAGE_MAX }, { signal });
  const verb = asked.direction === "made" ? "listed one by one" : "received, according to the funders’ returns";
  const name = `grants ${asked.direction} ${asked.direction === "made" ? body.items[0].grantor_name : path.split("/").at(-1)} ${asked.year}`;
  const list = await filterable({ path, asked, body, name }, (wanted, found) => rowsOf(path, wanted, found, { signal, isCentral }), signal);
  return [
    h("p", { class: "muted small" }, `${plural(body.total, "grant", "grants")} ${verb}, ${when}`, body.total_amount === null ? "." : `: these rows add up to ${dollars(body.total_amount)}.`,
      " Only loaded returns are counted, and of each period only the latest filing."),
    givingOf(body, when), list,
  ];
}

/** The rows of an answer, the first few of them shown. */
async function rowsOf(path, asked, body, { signal, isCentral }) {
  const isAlike = together(body.items, asked.direction, isCentral).length < body.items.length;
  if (isAlike || body.total <= PAGE_MAX) {
    // Sums of those that say the same are of all of them.
    const items = together(body.total > PAGE_MAX ? await allOf(path, asked, body.total, signal) : body.items, asked.direction, isCentral);
    return [h("ul", { class: "plain grants" }, items), shorten(items, SHOWN)];
  }
  return (await growing(path, { ...asked, size: SHOWN }, (one) => grantItem(one, asked.direction, { isCentral }), { signal, className: "grants" })).list;
}

const sentence = (text) => (text ? `${text[0].toUpperCase()}${text.slice(1)}.` : "None.");

/** The lines of the forms that a total is of, and what the rows beside it are. */
const STATED = {
  "990": "Form 990, Part IX, lines 1 and 3, to organizations and abroad", "990-EZ": "Form 990-EZ, Part I, line 10",
  "990-PF": "Form 990-PF, the total paid by its list of grants, on the cash basis of Part I, line 25, column d",
};
const LISTS = { "990": "Schedule I lists recipients of more than $5,000, Schedule F grants abroad" };

/** What each return says it paid, as bars on one scale, beside what it lists; null where none says. */
function totalsOf(returns) {
  const told = returns.filter(({ stated_total: stated, listed_total: listed }) => stated !== null || listed !== null);
  if (told.length === 0) return null;
  const most = Math.max(...told.map((one) => one.stated_total ?? one.listed_total), 1);
  return h("table", { class: "data years" },
    h("caption", {}, "Total grants paid, as the returns state it: ", [...new Set(told.map(({ form }) => form))].map((form) => STATED[form] ?? `Form ${form}`).join("; "), ".",
      told.some(({ differs, form }) => differs && LISTS[form]) && ` Not every grant has a row: ${LISTS["990"]}.`),
    h("thead", { class: "visually-hidden" }, h("tr", {}, ["Year to", "Paid", "Listed"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, told.map((one) => {
      const total = one.stated_total ?? one.listed_total;
      const bar = h("span", { class: "year-bar" });
      bar.style.inlineSize = `calc((100% - 8rem) * ${Math.max(total, 0) / most})`;
      return h("tr", {},
        h("th", { scope: "row" }, month(one.period_end)),
        h("td", { class: "year-cell" }, bar, h("span", {}, dollars(total))),
        h("td", { class: "muted small" }, one.differs ? `its rows add up to ${dollars(one.listed_total)}`
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
      const { body } = await ask(path, { direction: "made", size: PAGE_MAX }, { signal });
      const eins = [...new Set(body.items.map(({ recipient_ein: ein }) => ein).filter(Boolean))];
      const [{ map }, batch] = await Promise.all([import("./map.js"), eins.length ? ask("/nonprofits/batch", null, { signal, body: { eins } }) : { body: { items: [] } }]);
      const known = (batch.body.items ?? batch.body).filter((one) => one?.lat);
      holder.replaceChildren(known.length ? map(known, { onPick: (ein) => { location.hash = profileOf(ein); }, label: `${count(known.length)} recipients of the latest grants` })
        : empty("No location is known for the recipients of the latest grants."));
    } catch (error) {
      if (!signal.aborted) holder.replaceChildren(empty("The map cannot be shown.", error.message));
    }
  });
  return details;
}
