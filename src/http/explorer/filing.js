// One return read as a page: `#/return/<ein>/<last day of its period>`. Everything that is read of it,
// and a link to the file itself.
import { ask, call } from "./api.js";
import { line, named, profileOf } from "./card.js";
import { h, nodes } from "./dom.js";
import { contractorsOf, peopleOf, programsOf } from "./filings.js";
import { count, dashed, day, dollars, lengthOf, month, website } from "./format.js";
import { folded } from "./posts.js";
import { loading } from "./states.js";

/** No nonprofit has filed a hundred years' returns. */
const RETURNS_MAX = 100;

const FIGURES = [
  ["Total revenue", "revenue", dollars], ["Total expenses", "expenses", dollars], ["Total assets, end of year", "assets", dollars],
  ["Total liabilities, end of year", "liabilities", dollars], ["Net assets or fund balances, end of year", "net_assets", dollars],
  ["Employees", "employees", count], ["Volunteers", "volunteers", count],
];

/** Of what the sums of a return consist, as `breakdown` tells it. */
const BREAKDOWN = [
  ["Contributions and grants", "contributions"], ["of these from governments", "government_grants"], ["Membership dues", "membership_dues"],
  ["Program services", "program_revenue"], ["Investment income", "investment_income"],
  ["Expenses of programs", "program_expenses"], ["of management", "management_expenses"], ["of fundraising", "fundraising_expenses"],
  ["Grants paid", "grants_paid"], ["Cash, end of year", "cash"], ["Savings, end of year", "savings"], ["Securities, end of year", "securities"],
  ["Land, buildings and equipment, end of year", "land_and_buildings"], ["Net assets without donor restrictions, end of year", "unrestricted_net_assets"],
];

const yesOrNo = (value) => (value ? "yes" : "no");

const GOVERNANCE = [
  ["Voting members of the board", "voting_members", count], ["of these independent", "independent_members", count],
  ["Policy on conflicts of interest", "conflict_policy", yesOrNo], ["Policy for whistleblowers", "whistleblower_policy", yesOrNo],
  ["Policy on keeping documents", "retention_policy", yesOrNo],
];

const parts = (path) => path.split("/").slice(2).map(decodeURIComponent);

export const title = (path) => `Return of ${dashed(parts(path)[0])}`;

export async function show(root, { path, signal, retitle }) {
  const [ein, period] = parts(path);
  root.replaceChildren(h("h1", {}, `Return of ${dashed(ein)}`), loading("Loading the return…", 6));
  const { body } = await ask(`/nonprofits/filings/${ein}`, { size: RETURNS_MAX }, { signal }).catch((error) => {
    if (error.status === 404 || error.status === 422) return { body: { items: [] } };
    throw error;
  });
  const filing = body.items.find(({ period_end: end }) => end === period);
  if (!filing) {
    root.replaceChildren(h("h1", {}, "Return not found"),
      h("p", {}, "No return of this period is in the data. ", h("a", { href: profileOf(ein) }, "The nonprofit's page"), " lists those that are."));
    return;
  }
  retitle?.(`Form ${filing.form_type} of ${month(period)}`);
  root.replaceChildren(
    h("p", { class: "muted" }, named(ein, signal), ` · EIN ${dashed(ein)}`),
    ...pageOf(filing),
    call(`/nonprofits/filings/${ein}`, { size: RETURNS_MAX }));
}

/** Rows of a table of terms, of those that the return tells. */
function ledger(rows, of) {
  const told = rows.filter(([, field]) => of[field] !== null && of[field] !== undefined);
  return told.length > 0 && h("dl", { class: "ledger" }, told.map(([name, field, say = dollars]) =>
    h("div", {}, h("dt", {}, name), h("dd", {}, say(of[field])))));
}

/** A heading with what stands below it, if anything does. */
const part = (name, body) => body && [h("h2", {}, name), body];

/** The return as elements. */
function pageOf(filing) {
  return nodes([
    h("h1", {}, `Form ${filing.form_type}, ${lengthOf(filing)} to ${day(filing.period_end)}`),
    h("p", { class: "muted" }, line([
      filing.filed ? `filed ${day(filing.filed)}` : "date of filing not known", `tax year ${filing.tax_year}`, filing.amended && "amended", fileOf(filing)])),
    filing.mission && [h("h2", {}, "Mission"), folded(filing.mission)],
    part("Figures", ledger(FIGURES, filing)),
    part("In detail", ledger(BREAKDOWN, filing.breakdown)),
    part("Governance", ledger(GOVERNANCE, filing.governance)),
    filing.programs.length > 0 && [h("h2", {}, "Programs"), programsOf(filing)],
    filing.officers.length > 0 && [h("h2", {}, "People"), peopleOf(filing)],
    filing.contractors.length > 0 && [h("h2", {}, "Contractors that were paid most"), contractorsOf(filing)],
    filing.supersedes.length > 0 && [h("h2", {}, "What it replaces"), h("ul", {}, filing.supersedes.map(replaced))],
  ]);
}

function fileOf({ url }) {
  const safe = website(url);
  return safe && h("a", { href: safe, rel: "noopener noreferrer" }, "the file as filed (XML)");
}

/** An earlier return of the same period, with its figures. */
function replaced(earlier) {
  const figures = FIGURES.filter(([, field]) => typeof earlier[field] === "number").map(([name, field, say]) => `${name.toLowerCase()} ${say(earlier[field])}`);
  return h("li", {}, line([`Form ${earlier.form_type}`, earlier.filed ? `filed ${day(earlier.filed)}` : "date of filing not known", ...figures, fileOf(earlier)]));
}
