// Steps through grants, people, peers and funders.
import { is, moreThan, soon, that } from "../browser.mjs";
import { ask } from "../samples.mjs";

const SHOWN = 8;
const dollars = (value) => `$${value.toLocaleString("en-US")}`;

async function grants(visit, { grantor }) {
  await visit.open(`/#/nonprofit/${grantor.ein}?section=made`);
  await visit.focuses("what has the focus", "section-made");
  const section = "section:has(> #section-made)";
  const [latest, ...earlier] = grantor.made.years;
  const of = grantor.made.items.filter((one) => one.tax_year === latest.tax_year);
  await visit.counts("grants of the latest year", `${section} .grants > li:visible`, that("some of that year", (found) => found > 0 && found <= Math.max(SHOWN + 1, of.length)));
  is("what they add up to", (await visit.texts(`${section} p`))[0], that(dollars(latest.total_amount), (found) => (
    found.startsWith(`${latest.grants} grant`) && found.includes(`year to `) && found.includes(`add up to ${dollars(latest.total_amount)}`))));
  await visit.counts("years to choose from", `${section} #made-year option`, earlier.length ? earlier.length + 1 : 0);
  // Behind it stand pictures of where grants went.
  const returns = visit.find(`${section} .years`).first();
  is("returns", await returns.locator("th[scope=row]").allInnerTexts(), that("a month of each", (found) => (
    found.length === grantor.made.returns.length && found.every((one) => /^\w+ \d{4}$/.test(one)))));
  const widths = await returns.locator(".year-bar").evaluateAll((bars) => bars.map((one) => one.getBoundingClientRect().width));
  const totals = grantor.made.returns.map((one) => one.stated_total ?? one.listed_total);
  is("widths of the bars stand as the totals do", widths.map((one) => Math.round((20 * one) / Math.max(...widths))), that(
    JSON.stringify(totals.map((one) => Math.round((20 * one) / Math.max(...totals)))),
    (found) => found.every((one, at) => Math.abs(one - (20 * totals[at]) / Math.max(...totals)) <= 1)));
  if (earlier.length) {
    await visit.page.selectOption("#made-year", String(earlier[0].tax_year));
    await visit.sees("what those of another year add up to", `${section} p`, that(dollars(earlier[0].total_amount), (found) => found.includes(`add up to ${dollars(earlier[0].total_amount)}`)));
  }
  const filed = grantor.made.items.find((one) => one.recipient_match === "filed");
  if (earlier.length) await visit.page.selectOption("#made-year", String(filed.tax_year));
  const link = visit.find(`${section} .grant-name a[href="#/nonprofit/${filed.recipient_ein}"]`).first();
  await soon("a link to a recipient", () => link.count(), 1);
  await link.evaluate((one) => one.click());
  await visit.arrives(`#/nonprofit/${filed.recipient_ein}`);
  await visit.counts("grants received", "section:has(> #section-received) .grants > li", moreThan(0));
  await soon("who made them", () => visit.texts("section:has(> #section-received) .grant-name"), that(`${grantor.name} among them`, (found) => found.includes(grantor.name)));
}

async function given(visit, { grantor }) {
  const abroad = (cash, purpose) => ({
    ...grantor.made.items[0], recipient_ein: null, recipient_name: null, recipient_match: "unmatched", foreign_region: "SOUTH ASIA",
    cash, noncash: null, purpose, purpose_shown: purpose,
  });
  await visit.page.route("**/nonprofits/grants/**", async (route) => {
    const body = await (await route.fetch()).json();
    if (body.direction === "made") {
      Object.assign(body, {
        items: [abroad(500, "Wells"), abroad(400, "Schools"), abroad(300, "Wells")], total: 3, total_amount: 1200,
        recipient_states: [{ state: "OH", grants: 2, total_amount: 900 }, { state: null, grants: 1, total_amount: 300 }],
        recipient_causes: [{ ntee_major: null, grants: 2, total_amount: 900 }, { ntee_major: "C", grants: 1, total_amount: 300 }],
      });
    }
    await route.fulfill({ json: body });
  });
  await visit.open(`/#/nonprofit/${grantor.ein}?section=made`);
  const section = "section:has(> #section-made)";
  await soon("grants that say the same are one", () => visit.texts(`${section} .grant-amount b`), ["$800", "$400"]);
  await visit.sees("of how many it is", `${section} .grants > li:first-child p.muted`, /^2 grants of \$300 to \$500/);
  const file = await visit.download(() => visit.click(`${section} .grants-csv`));
  is("rows of the file", file.text.trim().split("\r\n").slice(1), that("one a grant", (found) => found.length === 3 && found.every((one) => /,(?:Wells|Schools),\d+,/.test(one))));
  is("where they went", await visit.texts(`${section} .year-pictures tbody tr`), ["Ohio $900, 75%", "Abroad or not stated $300, 25%"]);
}

async function people(visit, { full }) {
  await visit.open(`/#/nonprofit/${full.ein}?section=people`);
  const years = await visit.find("#people-year option").evaluateAll((all) => all.map((one) => one.value));
  is("years", years, that("more than one, the latest first", (found) => found.length > 1 && Number(found[0]) > Number(found[1])));
  const said = await visit.texts("#people-year option");
  is("how years are said", said, that("by the ends of their periods", (found) => found.every((one) => /^(year|\d+ months?) to \w+ \d{4}$/.test(one))));
  await visit.page.selectOption("#people-year", years[1]);
  await visit.sees("which year is shown", "section:has(> #section-people) p", new RegExp(`in the return of the ${said[1]}`));
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
  const years = await visit.texts(".funder-years a");
  is("years of such grants", years, that("the latest first", (found) => found.length > 1 && Number(found[0]) > Number(found[1])));
  const headings = await visit.texts(".grant-year");
  is("headings of years", headings, that("one at least, each once", (found) => found.length > 0 && new Set(found).size === found.length));
  await visit.click(`.funder-years a:text-is('${years[1]}')`);
  await visit.arrives(`#/funders?year=${years[1]}`);
  await soon("headings of one year", () => visit.texts(".grant-year"), [`Tax year ${years[1]}, the largest first`]);
  await visit.open("/#/funders");
  await visit.page.fill("#funders-q", grantor.made.items[0].purpose);
  await visit.press("Enter");
  await soon("the address", () => visit.hash(), /^#\/funders\?q=/);
  await soon("the funder of such a grant", () => visit.texts(".feed-results .item-title"), that(`${grantor.name} among them`, (found) => found.includes(grantor.name)));
  await visit.counts("such grants", ".feed-results .grants > li", moreThan(0));
  await visit.open("/#/funders?q=zzqqxx");
  await visit.sees("that there is none", ".feed-results h2", "No funder in the loaded returns");
  await visit.sees("how much is loaded", "main p", /[\d,]+ returns? (is|are) loaded here, of [\d,]+ organizations/);
  await visit.counts("foundations of no place", ".feed-results .cards > li", 0);
  const { state } = (await ask(visit.browser.origin, visit.browser.key, "/beta/nonprofits/search?foundation=true&size=1")).nonprofits[0];
  await visit.open(`/#/funders?q=zzqqxx&recipient_state=${state}`);
  await visit.counts("foundations instead", ".feed-results .cards > li", moreThan(0));
  await visit.click(".feed-results a:has-text('See all of them as a search')");
  await visit.arrives(`#/search?state=${state}&foundation=true&sort=-assets`);
  await visit.open("/#/funders");
  await visit.page.fill("#funders-min_amount", "$50k");
  await visit.press("Enter");
  await visit.arrives("#/funders?min_amount=50000");
  await visit.page.fill("#funders-min_amount", "a lot");
  await visit.press("Enter");
  await visit.sees("what an amount is", "#funders-min_amount-error", /^Enter an amount/);
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
  await visit.sees("that there is nobody", ".feed-results h2", "No one by this name");
}

async function questions(visit) {
  await visit.open("/#/search?q=who+funds+food+assistance+in+Ohio");
  await visit.sees("who answers", ".did-you-mean a", "funders by the grants in the loaded returns");
  await visit.find(".did-you-mean a").first().click();
  await soon("the address", () => visit.hash(), /^#\/funders\?q=food\+assistance&recipient_state=OH/);
}

export default [
  { name: "money: grants made and received, with their years", run: grants },
  { name: "money: where grants went, and those that say the same", run: given },
  { name: "money: people by year", run: people },
  { name: "money: among peers", run: peers },
  { name: "money: who funds whom", run: funders },
  { name: "money: a name in all returns", run: named },
  { name: "money: a question of the search", run: questions },
];
