// One return read as a page: `#/return/<ein>/<last day of its period>`. Everything that is read of it,
// and a link to the file itself.
import { ask, call } from "./api.js";
import { line, named, profileOf } from "./card.js";
import { h, nodes } from "./dom.js";
import { contractorsOf, peopleOf, programsOf, transactionsOf } from "./filings.js";
import { count, dashed, day, dollars, lengthOf, month, website } from "./format.js";
import { folded } from "./posts.js";
import { loading } from "./states.js";
import { yearOf } from "./year.js";

/** No nonprofit has filed a hundred years' returns. */
const RETURNS_MAX = 100;

const yesOrNo = (value) => (value ? "yes" : "no");

/** The sums, which an earlier return of the same period has too. */
const SUMS = [
  ["Total revenue", "revenue", dollars], ["Total expenses", "expenses", dollars], ["Total assets, end of year", "assets", dollars],
  ["Total liabilities, end of year", "liabilities", dollars], ["Net assets or fund balances, end of year", "net_assets", dollars],
];

/**
 * The parts of Form 990 that are read of it, with the lines that stand in each: what a line is called, the member of
 * the return or of the `breakdown` or `governance` in it, and how its values are said.
 */
const PARTS = {
  "Part I: Summary": [...SUMS, ["Employees", "employees", count], ["Volunteers", "volunteers", count]],
  "Part VIII: Revenue": [
    ["Contributions and grants", "breakdown.contributions"], ["of these from governments", "breakdown.government_grants"],
    ["Membership dues", "breakdown.membership_dues"], ["Program services", "breakdown.program_revenue"],
    ["Investment income", "breakdown.investment_income"], ["Other revenue", "breakdown.other_revenue"],
  ],
  "Part IX: Expenses": [
    ["Programs", "breakdown.program_expenses"], ["Management", "breakdown.management_expenses"], ["Fundraising", "breakdown.fundraising_expenses"],
    ["Grants among these, to organizations and people", "breakdown.grants_paid"],
  ],
  "Part X: Balance sheet, beginning of year": [
    ["Total assets, beginning of year", "beginning.assets"], ["Total liabilities, beginning of year", "beginning.liabilities"],
    ["Net assets or fund balances, beginning of year", "beginning.net_assets"],
  ],
  "Part X: Balance sheet, end of year": [
    ["Cash", "breakdown.cash"], ["Savings", "breakdown.savings"], ["Securities", "breakdown.securities"],
    ["Land, buildings and equipment", "breakdown.land_and_buildings"], ["Net assets without donor restrictions", "breakdown.unrestricted_net_assets"],
  ],
  "Part XI: Reconciliation of net assets": [
    ["Net unrealized gains on investments", "reconciliation.unrealized_gains"], ["Donated services and use of facilities", "reconciliation.donated_services"],
    ["Investment expenses", "reconciliation.investment_expenses"], ["Prior period adjustments", "reconciliation.prior_period_adjustments"],
    ["Other changes", "reconciliation.other_changes"], ["Other increases", "reconciliation.other_increases"],
    ["Other decreases", "reconciliation.other_decreases"],
  ],
  "Distributions and excise tax": [
    ["Distributable amount", "distributions.distributable_amount"], ["Qualifying distributions", "distributions.qualifying_distributions"],
    ["Left to distribute in the next year", "distributions.undistributed_income"], ["Excise tax on investment income", "distributions.excise_tax"],
  ],
  "Schedule C: Lobbying and political campaigns": [
    ["Elected the limits of section 501(h)", "lobbying.elected_501h", yesOrNo], ["Lobbying expenditures", "lobbying.expenditures"],
    ["Political campaign expenditures", "lobbying.political_expenditures"],
  ],
  "Part VI: Governance": [
    ["Voting members of the board", "governance.voting_members", count], ["of these independent", "governance.independent_members", count],
    ["Policy on conflicts of interest", "governance.conflict_policy", yesOrNo], ["Policy for whistleblowers", "governance.whistleblower_policy", yesOrNo],
    ["Policy on keeping documents", "governance.retention_policy", yesOrNo],
  ],
};

/** The other forms have the same under other numbers. */
const titleOf = (name, { form_type: form }) => (form === "990" ? name : name.replace(/^Part \w+: /, ""));

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

const valueOf = (filing, path) => path.split(".").reduce((of, name) => of?.[name], filing);

/** A part of the form with the lines that the return tells; null where it tells none. */
function ledger(name, filing) {
  const told = PARTS[name].map(([said, path, say = dollars]) => [said, valueOf(filing, path), say]).filter(([, value]) => value !== null && value !== undefined);
  return told.length > 0 && [h("h2", {}, titleOf(name, filing)), h("dl", { class: "ledger" }, told.map(([said, value, say]) =>
    h("div", {}, h("dt", {}, said), h("dd", {}, say(value)))))];
}

/** A heading with what stands below it, if anything does. */
const part = (name, filing, items, body) => items.length > 0 && [h("h2", {}, titleOf(name, filing)), body()];

/** The return as elements, in the order in which somebody reads it: what it is, its money, who, what for. */
function pageOf(filing) {
  const { contractors, officers, programs, supersedes, transactions } = filing;
  return nodes([
    h("h1", {}, `Form ${filing.form_type}, ${lengthOf(filing)} to ${day(filing.period_end)}`),
    h("p", { class: "muted" }, line([
      filing.filed ? `filed ${day(filing.filed)}` : "date of filing not known", `tax year ${filing.tax_year}`, filing.amended && "amended", fileOf(filing)])),
    filing.mission && [h("h2", {}, "Mission"), folded(filing.mission)],
    ledger("Part I: Summary", filing), yearOf(filing),
    part("Part III: Programs", filing, programs, () => programsOf(filing)),
    ledger("Part VI: Governance", filing),
    part("Part VII: People", filing, officers, () => peopleOf(filing)),
    part("Part VII: Highest paid contractors", filing, contractors, () => contractorsOf(filing)),
    ["Part VIII: Revenue", "Part IX: Expenses", "Part X: Balance sheet, beginning of year", "Part X: Balance sheet, end of year",
      "Part XI: Reconciliation of net assets", "Distributions and excise tax", "Schedule C: Lobbying and political campaigns"].map((name) => ledger(name, filing)),
    part("Schedule L: Transactions with interested persons", filing, transactions, () => transactionsOf(filing)),
    part("What it replaces", filing, supersedes, () => h("ul", {}, supersedes.map(replaced))),
  ]);
}

function fileOf({ url }) {
  const safe = website(url);
  return safe && h("a", { href: safe, rel: "noopener noreferrer" }, "the file as filed (XML)");
}

/** An earlier return of the same period, with its figures. */
function replaced(earlier) {
  const figures = SUMS.filter(([, field]) => typeof earlier[field] === "number").map(([name, field, say]) => `${name.toLowerCase()} ${say(earlier[field])}`);
  return h("li", {}, line([`Form ${earlier.form_type}`, earlier.filed ? `filed ${day(earlier.filed)}` : "date of filing not known", ...figures, fileOf(earlier)]));
}
