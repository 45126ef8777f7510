// Steps through grants, people, peers and funders.
import { is, moreThan, soon, that } from "../browser.mjs";

const SHOWN = 8;
const dollars = (value) => `$${value.toLocaleString("en-US")}`;

async function grants(visit, { grantor }) {
  await visit.open(`/#/nonprofit/${grantor.ein}?section=made`);
  await visit.focuses("what has the focus", "section-made");
  const section = "section:has(> #section-made)";
  await visit.counts("grants", `${section} .grants > li`, Math.min(SHOWN, grantor.made.total));
  is("what they add up to", (await visit.texts(`${section} p`))[0], that(dollars(grantor.made.total_amount), (found) => found.includes(`${dollars(grantor.made.total_amount)} in all`)));
  is("years", await visit.texts(`${section} .years th[scope=row]`), grantor.made.returns.map((one) => String(one.tax_year)));
  const widths = await visit.find(`${section} .year-bar`).evaluateAll((bars) => bars.map((one) => one.getBoundingClientRect().width));
  const totals = grantor.made.returns.map((one) => one.stated_total ?? one.listed_total);
  is("widths of the bars stand as the totals do", widths.map((one) => Math.round((20 * one) / Math.max(...widths))), that(
    JSON.stringify(totals.map((one) => Math.round((20 * one) / Math.max(...totals)))),
    (found) => found.every((one, at) => Math.abs(one - (20 * totals[at]) / Math.max(...totals)) <= 1)));
  const filed = grantor.made.items.findIndex((one) => one.recipient_match === "filed");
  await visit.find(`${section} .grants > li`).nth(filed).locator(".grant-name a").click();
  await visit.arrives(`#/nonprofit/${grantor.made.items[filed].recipient_ein}`);
  await visit.counts("grants received", "section:has(> #section-received) .grants > li", moreThan(0));
  await soon("who made them", () => visit.texts("section:has(> #section-received) .grant-name"), that(`${grantor.name} among them`, (found) => found.includes(grantor.name)));
}

async function people(visit, { full }) {
  await visit.open(`/#/nonprofit/${full.ein}?section=people`);
  const years = await visit.texts("#people-year option");
  is("years", years, that("more than one, the latest first", (found) => found.length > 1 && Number(found[0]) > Number(found[1])));
  await visit.page.selectOption("#people-year", years[1]);
  await visit.sees("which year is shown", "section:has(> #section-people) p", new RegExp(`tax year ${years[1]}`));
  const of = full.returns.find((one) => String(one.tax_year) === years[1]);
  await visit.counts("people of that year", ".people tbody tr", of.officers.length);
}

async function peers(visit, { full }) {
  await visit.open(`/#/nonprofit/${full.ein}?section=peers`);
  await visit.counts("ratios", ".peer", moreThan(1));
  const first = visit.find(".peer").first();
  await first.locator(".sourced").click();
  await soon("the formula and its lines", () => first.locator(".source-note").innerText(), /\/.*\. Form 990/s);
}

async function funders(visit, { grantor }) {
  await visit.open("/#/funders");
  await visit.counts("funders", ".feed-results ol.items > li", moreThan(0));
  await visit.page.fill("#funders-q", grantor.made.items[0].purpose);
  await visit.press("Enter");
  await soon("the address", () => visit.hash(), /^#\/funders\?q=/);
  await soon("the funder of such a grant", () => visit.texts(".feed-results .item-title"), that(`${grantor.name} among them`, (found) => found.includes(grantor.name)));
  await visit.counts("such grants", ".feed-results .grants > li", moreThan(0));
  await visit.open("/#/funders?q=zzqqxx");
  await visit.sees("that there is none", ".feed-results h2", "No funder in the loaded returns");
  await visit.sees("how much is loaded", "main p", /\d+ returns? (is|are) loaded here, of \d+ organizations/);
  await visit.counts("foundations instead", ".feed-results .cards > li", moreThan(0));
  await visit.click(".feed-results a:has-text('All of them as a search')");
  await visit.arrives("#/search?foundation=true&sort=-assets");
}

async function named(visit, { full }) {
  const { name } = full.returns.find(({ officers }) => officers.length).officers[0];
  await visit.open("/#/people");
  await visit.page.fill("#people-q", name);
  await visit.press("Enter");
  await soon("the address", () => visit.hash(), /^#\/people\?q=/);
  await soon("where this name is", () => visit.texts(".feed-results .item a"), that(`${full.name} among them`, (found) => found.includes(full.name)));
  await visit.sees("that names are no proof", ".feed-results p", /Two people may have the same name/);
  await visit.find(".feed-results .item", { hasText: full.name }).first().locator("a").first().click();
  await visit.arrives(`#/nonprofit/${full.ein}?section=people`);
  await visit.open("/#/people?q=zzqqxx");
  await visit.sees("that there is nobody", ".feed-results h2", "Nobody of this name");
}

async function questions(visit) {
  await visit.open("/#/search?q=who+funds+food+assistance+in+Ohio");
  await visit.sees("who answers", ".did-you-mean a", "who funds this");
  await visit.find(".did-you-mean a").first().click();
  await soon("the address", () => visit.hash(), /^#\/funders\?q=food\+assistance&recipient_state=OH/);
}

export default [
  { name: "money: grants made and received, with their years", run: grants },
  { name: "money: people by year", run: people },
  { name: "money: among peers", run: peers },
  { name: "money: who funds whom", run: funders },
  { name: "money: a name in all returns", run: named },
  { name: "money: a question of the search", run: questions },
];
