// Steps through the profile of one nonprofit.
import { is, moreThan, soon, that } from "../browser.mjs";

const digits = (text) => text.replace(/[^\d.]/g, "");

async function head(visit, { full }) {
  await visit.open(`/#/nonprofit/${full.ein}`);
  await visit.sees("heading", "h1", full.name);
  is("title of the page", await visit.page.title(), `${full.name} · Almoner`);
  is("the EIN", (await visit.texts(".profile-head .ein"))[0], `EIN ${full.ein.slice(0, 2)}-${full.ein.slice(2)}`);
  await visit.sees("how large it is", ".how-large:visible", /^Revenue \$[\d.]+[KMB]? \(year to \w+ \d{4}\)/);
  await visit.counts("checks of its standing", ".standing .verdict", 3);
  is("what each check rests on", await visit.texts(".verdict dd:last-child"), that("a list with its month, or that it is not loaded", (found) => (
    found.every((one) => /^(?!undefined).+, (downloaded in )?\w+ \d{4}$|not loaded/.test(one)))));
  is("links to its sections", await visit.texts(".section-links a:visible"),
    that("Finances, Metrics, People, Returns, Posts among them", (found) => (
      ["Finances", "Programs", "Metrics", "People", "Returns", "Posts"].every((one) => found.includes(one)))));
  await visit.click(".section-links a:has-text('People')");
  await visit.focuses("what has the focus after a section's link", "section-people");
  is("the address of a section", await visit.hash(), `#/nonprofit/${full.ein}?section=people`);
  await visit.counts("problems", ".problem", 0);
}

/** A list that lacks an organization is no witness. */
async function unlisted(visit, { full }) {
  await visit.page.route("**/nonprofits/standing/**", async (route) => {
    const body = await (await route.fetch()).json();
    Object.assign(body.checks.exemption, { state: "not checked", listed: false });
    await route.fulfill({ json: body });
  });
  await visit.open(`/#/nonprofit/${full.ein}`);
  await visit.sees("why it is not checked", ".verdict.unchecked dd:last-child", /^not found in the loaded IRS master file extract, \w+ \d{4}, which may be incomplete$/);
}

async function finances(visit, { full }) {
  await visit.open(`/#/nonprofit/${full.ein}`);
  const known = (field) => full.returns.filter((one) => typeof one[field] === "number").length;
  await visit.counts("bars of revenue", ".chart-plot rect.chart-bar", known("revenue"));
  await visit.counts("bars of expenses", ".chart-plot rect.chart-hatched", known("expenses"));
  await visit.counts("points of net assets", ".chart-plot circle.chart-dot", known("net_assets"));
  const drawn = await visit.find(".chart-plot svg").evaluate((svg) => {
    const frame = svg.getBoundingClientRect();
    return [...svg.querySelectorAll("rect.chart-bar, rect.chart-hatched, circle.chart-dot")].map((mark) => {
      const { left, right, top, bottom } = mark.getBoundingClientRect();
      const visible = getComputedStyle(mark).fill !== "none" || getComputedStyle(mark).stroke !== "none";
      return visible && right - left > 1 && bottom > top && left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
    });
  });
  is("each bar and point is drawn within the chart", drawn, that("all", (found) => found.every(Boolean)));
  const heights = await visit.find(".chart-plot rect.chart-bar").evaluateAll((bars) => bars.map((one) => Number(one.getAttribute("height"))));
  const revenues = [...full.returns].reverse().map((one) => one.revenue);
  is("heights of the bars stand as the revenues do", heights.map((one) => Math.round((one / heights[0]) * 20)), that(
    JSON.stringify(revenues.map((one) => Math.round((one / revenues[0]) * 20))),
    (found) => found.every((one, at) => Math.abs(one - (revenues[at] / revenues[0]) * 20) <= 1)));
  is("the chart in words", await visit.find(".chart-plot svg").getAttribute("aria-label"), /^Finances \d{4} to \d{4}\. Revenue from \$/);
  await visit.click(".chart-table > summary");
  await visit.counts("rows of the table", ".chart-table tbody tr", full.returns.length);
  const latest = full.returns[0];
  is("revenue in the first row", (await visit.texts(".chart-table tbody tr:first-child td"))[0], `$${latest.revenue.toLocaleString("en-US")}`);
}

async function returns(visit, { full }) {
  await visit.open(`/#/nonprofit/${full.ein}?section=filings`);
  const table = ".sections section:has(#section-filings) table";
  await visit.counts("returns", `${table} tbody tr`, full.returns.length);
  is("revenue of the latest return", (await visit.texts(`${table} tbody tr:first-child td.num`))[0], `$${full.returns[0].revenue.toLocaleString("en-US")}`);
  await visit.focuses("what has the focus", "section-filings");
  const shown = full.returns.find(({ officers }) => officers.length).officers.map(({ name }) => name);
  is("people", await visit.texts(".people tbody th"), that(`${shown.length} people`, (found) => found.length === shown.length && shown.every((one) => found.includes(one))));
  await visit.counts("programs", ".sections section:has(#section-programs) .item", full.returns[0].programs.length);
}

async function sourceOfFigure(visit, { full }) {
  await visit.open(`/#/nonprofit/${full.ein}`);
  const expenses = visit.find(".figures > div:has(dt:text-is('Expenses'))");
  await expenses.locator(".sourced").focus();
  await visit.press("Enter");
  const note = expenses.locator(".source-note");
  await soon("the source of a figure", () => note.innerText(), /^\$[\d,]+\. Form 990.*year to \w+ \d{4}/);
  await note.locator("a").click();
  const latest = full.returns[0];
  await visit.arrives(`#/return/${full.ein}/${latest.period_end}`);
  await visit.sees("heading of the return", "h1", new RegExp(`^Form ${latest.form_type}, year to`));
  is("total revenue", (await visit.texts(".ledger dd"))[0], `$${latest.revenue.toLocaleString("en-US")}`);
  await visit.counts("people of the return", ".people tbody tr", latest.officers.length);
  await visit.open(`/#/return/${full.ein}/1901-01-31`);
  await visit.sees("heading of no return", "h1", "Return not found");
}

async function metrics(visit, { full }) {
  await visit.open(`/#/nonprofit/${full.ein}?section=metrics`);
  const shown = Math.min(8, full.metrics);
  await visit.counts("metrics", ".metric", shown);
  const found = await visit.find(".metric").evaluateAll((all) => all.map((one) => ({
    figure: one.querySelector(".metric-figure b").textContent, mark: one.querySelector(".metric-sentence mark")?.textContent ?? null,
    sentence: one.querySelector(".metric-sentence").textContent,
  })));
  is("each figure is marked in its sentence", found, that("every mark equal to its figure", (all) => all.every(({ figure, mark }) => (
    mark !== null && (digits(mark) === digits(figure) || /million|billion|thousand/.test(mark))))));
  is("sentences around the marks", found, that("longer than the marks", (all) => all.every(({ sentence, mark }) => sentence.length > mark.length)));
  if (full.metrics <= 8) return;
  await visit.click(".sections section:has(#section-metrics) .grow button");
  await visit.counts("metrics after Show more", ".metric", Math.min(50, full.metrics));
}

async function posts(visit, { full, told }) {
  await visit.open(`/#/nonprofit/${full.ein}`);
  const list = ".sections section:has(#section-posts) .item";
  await visit.counts("posts", list, Math.min(5, full.posts.length));
  const titles = full.posts.map((one) => one.post_title);
  is("titles of its posts", await visit.texts(`${list} h3`), that("its own", (found) => found.every((one) => titles.includes(one))));
  await visit.counts("nonprofits like it", ".sections section:has(#section-similar) .cards li", moreThan(0));

  await visit.open(`/#/nonprofit/${told}?section=stories`);
  await visit.counts("stories", ".sections section:has(#section-stories) .story", moreThan(0));
  await visit.counts("before and after", ".story .states dt:has-text('Before')", moreThan(0));
}

async function plain(visit, { plain: ein }) {
  await visit.open(`/#/nonprofit/${ein}`);
  await visit.sees("what there is none of", ".sections + p", /^Not in the data: .*stories/);
  await visit.counts("problems", ".problem", 0);
  is("text of the profile", await visit.page.innerText("main"), that("without null, undefined or NaN", (found) => !/\b(null|undefined|NaN)\b/.test(found)));
}

async function elsewhere(visit, { full }) {
  await visit.open(`/#/nonprofit/${full.ein}`);
  const links = visit.find(".elsewhere a");
  await visit.counts("places to look it up", ".elsewhere a", 4);
  const addresses = await links.evaluateAll((all) => all.map((one) => one.href));
  is("addresses", addresses, that("of other hosts, by https", (found) => found.every((one) => /^https:\/\//.test(one))));
  is("the one of its returns", addresses[1], that("with the EIN", (found) => found.endsWith(`/${full.ein}`)));
  await visit.sees("what those like it have in common", "section:has(> #section-similar) p", /^Chosen by cause, size and place|^It has no NTEE code/);
  const own = (await visit.texts("h1"))[0].toLowerCase();
  is("those like it", await visit.texts("section:has(> #section-similar) .card-name"), that("others", (found) => found.length > 0 && found.every((one) => one.toLowerCase() !== own)));
}

async function tiny(visit, { plain: ein }) {
  const changed = (pattern, change) => visit.page.route(pattern, async (route) => {
    const body = await (await route.fetch()).json();
    await route.fulfill({ json: Object.assign(body, change) });
  });
  await changed("**/nonprofits/details/**", { revenueGrandTotal: null });
  await changed("**/nonprofits/filings/**", { items: [], total: 0 });
  await changed("**/nonprofits/standing/**", { filing_requirement: "Form 990-N, gross receipts normally at most $50,000 a year", revenue_ceiling: 50_000, gross_receipts: 0, assets: 0, assets_period: "2024-12" });
  await visit.open(`/#/nonprofit/${ein}`);
  const section = "section:has(> #section-finances)";
  await visit.sees("what is known of its money", `${section} p`, /^Files the e-Postcard \(Form 990-N\), so its gross receipts are normally at most \$50,000 a year/);
  await visit.counts("figures of zeros", `${section} .figures > div`, 0);
  await visit.page.unroute("**/nonprofits/standing/**");
  await changed("**/nonprofits/standing/**", { filing_requirement: "Form 990", revenue_ceiling: null, assets: 2_500_000, assets_period: "2024-06" });
  await visit.open(`/#/nonprofit/${ein}`);
  await visit.sees("assets where there is no return", `${section} .figures div:has(dt:text-is('Assets')) dd`, /\$2\.5M/);
}

async function pictured(visit, { full }) {
  const breakdown = { contributions: 600, government_grants: 150, program_revenue: 300, investment_income: 50, program_expenses: 750, management_expenses: 150, fundraising_expenses: null };
  await visit.page.route("**/nonprofits/filings/**", async (route) => {
    const body = await (await route.fetch()).json();
    Object.assign(body.items[0], { revenue: 1000, expenses: 1000 });
    Object.assign(body.items[0].breakdown, breakdown);
    await route.fulfill({ json: body });
  });
  await visit.open(`/#/nonprofit/${full.ein}`);
  is("parts of revenue and expenses", await visit.texts(".year-pictures tbody tr"), [
    "Gifts and private grants $450, 45%", "Government grants $150, 15%", "Program services $300, 30%", "Investments $50, 5%", "Other $50, 5%",
    "Programs $750, 75%", "Management $150, 15%", "Other $100, 10%"]);
  const widths = await visit.find(".year-pictures table:last-child .year-bar").evaluateAll((bars) => bars.map((one) => one.getBoundingClientRect().width));
  is("bars stand as the amounts do", widths.map((one) => Math.round((10 * one) / widths[0])), [10, 2, 1]);
}

async function oneReturn(visit, { full }) {
  await visit.page.route("**/nonprofits/filings/**", async (route) => {
    const body = await (await route.fetch()).json();
    await route.fulfill({ json: { ...body, items: body.items.slice(0, 1), total: 1 } });
  });
  await visit.open(`/#/nonprofit/${full.ein}`);
  await visit.counts("figures", ".figures > div", moreThan(2));
  await visit.counts("charts of one year", ".chart", 0);
}

async function leader(visit, { full }) {
  const people = [
    { name: "ADA FICTION", title: "PRESIDENT", hours: 2, compensation: 0 },
    { name: "Bo Fiction", title: "Vice Preside", hours: 1, compensation: 0 },
    { name: "Cy Fiction", title: "Executive Di", hours: 40, compensation: 90_000 },
    { name: "Di Fiction", title: "Past Executive Director", hours: 0, compensation: 200_000 },
  ];
  await visit.page.route("**/nonprofits/filings/**", async (route) => {
    const body = await (await route.fetch()).json();
    Object.assign(body.items[0], { officers: people, principal_officer: "Ada Fiction" });
    await route.fulfill({ json: body });
  });
  await visit.open(`/#/nonprofit/${full.ein}`);
  await visit.sees("who leads it", ".leader:visible", /^Led in \w+ \d{4} by Cy Fiction, Executive Director \(return for the year to \w+ \d{4}\)$/);
  await visit.open(`/#/return/${full.ein}/${full.returns[0].period_end}`);
  await soon("titles", () => visit.texts(".people tbody td:nth-of-type(1)"), ["Past Executive Director", "Executive Director", "President", "Vice President"]);
  await visit.page.unroute("**/nonprofits/filings/**");
  await visit.page.route("**/nonprofits/filings/**", async (route) => {
    const body = await (await route.fetch()).json();
    for (const one of body.items) Object.assign(one, { officers: people, principal_officer: null });
    await route.fulfill({ json: body });
  });
  await visit.open(`/#/nonprofit/${full.ein}`);
  await visit.sees("since when", ".leader", /^Led in \w+ \d{4} by Cy Fiction, .*, and each loaded return back to \w+ \d{4}\)$/);
  await visit.page.unroute("**/nonprofits/filings/**");
  await visit.page.route("**/nonprofits/filings/**", async (route) => {
    const body = await (await route.fetch()).json();
    for (const one of body.items) Object.assign(one, { officers: [], principal_officer: null });
    await route.fulfill({ json: body });
  });
  await visit.open(`/#/nonprofit/${full.ein}`);
  await visit.counts("people of the returns", ".figures > div", moreThan(2));
  await visit.counts("leaders where no return names anybody", ".leader:visible", 0);
}

async function newer(visit, { full }) {
  await visit.page.route("**/nonprofits/standing/**", async (route) => {
    const body = await (await route.fetch()).json();
    await route.fulfill({ json: { ...body, assets: 4_200_000, assets_period: "2199-06" } });
  });
  await visit.open(`/#/nonprofit/${full.ein}`);
  const section = "section:has(> #section-finances)";
  await visit.sees("that there is something newer", `${section} h3`, "Newer figures, without a loaded return");
  await visit.sees("newer assets, apart from the return's", `${section} h3 + .figures div:has(dt:text-is('Assets')) dd`, /\$4\.2M/);
  await visit.sees("assets of the return", `${section} .figures:first-of-type div:has(dt:text-is('Assets')) dd.muted`, /^year to /);
}

async function asParts(visit, { full }) {
  const [latest] = full.returns;
  await visit.open(`/#/return/${full.ein}/${latest.period_end}`);
  const parts = await visit.texts("main h2");
  const expected = ["Summary", "Programs", "People", "Revenue"].every((one) => parts.some((part) => part.includes(one)));
  is("parts of the return", parts, that("Summary, Programs, People and Revenue, numbered as on its form", () => (
    expected && parts.some((part) => part.startsWith("Part ")) === (latest.form_type === "990"))));
  await visit.sees("contributions", ".ledger div:has(dt:text-is('Contributions and grants')) dd", `$${latest.breakdown.contributions.toLocaleString("en-US")}`);
  const before = latest.beginning.net_assets;
  await visit.sees("net assets before", ".ledger div:has(dt:text-is('Net assets or fund balances, beginning of year')) dd",
    `${before < 0 ? "-" : ""}$${Math.abs(before).toLocaleString("en-US")}`);
}

async function unknown(visit) {
  await visit.open("/#/nonprofit/000000019");
  await visit.sees("heading", "h1", "Nonprofit not found");
  await visit.sees("why", "main p", /00-0000019.*No nonprofit/);
  await visit.open("/#/nonprofit/abc");
  await visit.sees("why", "main p", /abc.*nine digits/);
}

/** A part that the server is too busy for comes by itself, once. */
async function busy(visit, { full }) {
  let asked = 0;
  await visit.page.route("**/impact/metrics/**", (route) => {
    asked += 1;
    return asked > 1 ? route.continue() : route.fulfill({ status: 503, headers: { "Retry-After": "1" }, json: { detail: "busy" } });
  });
  await visit.open(`/#/nonprofit/${full.ein}`);
  await visit.counts("metrics without a click", ".metric", moreThan(0));
  is("requests", asked, 2);
}

/** What a foundation's return says of applications is on its page. */
async function applications(visit, { full }) {
  await visit.page.route("**/nonprofits/filings/**", async (route) => {
    const body = await (await route.fetch()).json();
    body.items[0].applications = { only_preselected: false, how: [{ addressee: "THE GRANTS OFFICE", address: "1 ELM ST, ALBANY, NY, 12207", phone: "5185550100", email: null, form: null, deadlines: "NONE THAT ARE FIXED", restrictions: null }] };
    await route.fulfill({ json: body });
  });
  await visit.open(`/#/nonprofit/${full.ein}`);
  const section = "section:has(> #section-apply)";
  await visit.sees("whether it takes them", `${section} p`, /^Accepts applications, according to its Form 990-PF for the year to \w+ \d{4}, which says:$/);
  await soon("how to apply", () => visit.texts(`${section} dd`), ["The Grants Office", "1 Elm St, Albany, NY, 12207", "518-555-0100", "None that are fixed"]);
}

async function partGone(visit, { full }) {
  const { page } = visit;
  await page.route("**/impact/metrics/**", (route) => route.fulfill({ status: 500, contentType: "application/json", body: "{}" }));
  await visit.open(`/#/nonprofit/${full.ein}`);
  await visit.counts("problems", ".problem", 1);
  await visit.sees("heading all the same", "h1", full.name);
  await page.unroute("**/impact/metrics/**");
  await visit.click(".problem button");
  await visit.counts("metrics after Try again", ".metric", moreThan(0));
  await soon("problems left", () => visit.find(".problem").count(), 0);
}

async function peerless(visit, { full }) {
  await visit.page.route("**/nonprofits/peers/**", async (route) => {
    const body = await (await route.fetch()).json();
    const ratios = body.ratios.map((one) => ({ ...one, percentile: null, median: null, known: 0 }));
    await route.fulfill({ json: { ...body, peers: 0, ratios } });
  });
  await visit.open(`/#/nonprofit/${full.ein}?section=peers`);
  const section = ".sections section:has(#section-peers)";
  await visit.sees("what is said of no peers", `${section} p`, /Too few returns .* are loaded for a comparison/);
  await visit.counts("ratios", `${section} .peer`, moreThan(0));
  await visit.counts("scales of nobody", `${section} .peer-scale`, 0);
  is("text of the section", (await visit.texts(section))[0], that("without a number of peers", (found) => !/0 peers|no peer has it/.test(found)));
}

async function sources(visit, { full }) {
  await visit.open(`/#/nonprofit/${full.ein}?section=sources`);
  await visit.click(".sections section:has(#section-sources) summary");
  const row = (name) => `.sections section:has(#section-sources) tbody tr:has(th:text-is("${name}"))`;
  const latest = full.returns[0];
  await visit.sees("where the net assets are from", `${row("Net assets")} td:nth-of-type(2)`, new RegExp(`Form ${latest.form_type}, year to .*\\d{4}`));
  await visit.sees("where the name is from", `${row("Name")} td:nth-of-type(2)`, /master file.*NAME/);
  await visit.sees("of which year the net assets are", ".figures div:has(dt:text-is('Net assets')) dd.muted", /^year to /);
  await visit.counts("problems", ".problem", 0);
}

async function report(visit, { full }) {
  await visit.open(`/#/nonprofit/${full.ein}`);
  await visit.click(".links a:has-text('Reliance report')");
  is("the address of the report", await visit.hash(), `#/reliance/${full.ein}`);
  await visit.sees("what it rests on", ".reliance", /Rev\. Proc\. 2018-32/);
  await visit.sees("when it was provided", ".report-facts", /Report made\s*\d{4}-\d\d-\d\d .* UTC/);
  is("what is shown of nothing", (await visit.texts(".reliance"))[0], that("no word for it", (text) => !/\b(false|null|undefined)\b/.test(text)));
  await visit.sees("which update it is from", ".reliance", /Whether the IRS has published a later one since was not checked/);
  await visit.open("/#/reliance/999999999");
  await visit.sees("heading", "h1", "Nonprofit not found");
}

async function reservations(visit, { full }) {
  const changed = (pattern, change) => visit.page.route(pattern, async (route) => {
    const body = await (await route.fetch()).json();
    change(body);
    await route.fulfill({ json: body });
  });
  await changed(/\/coverage$/, ({ lists }) => Object.assign(lists.find(({ kind }) => kind === "publication78"), { loaded: true, rows: 3 }));
  await changed("**/nonprofits/reliance/**", (report) => {
    Object.assign(report, { exemption: "501(c)(3)", deductible: "yes", publication_78: [], legal_name: "HARBOR LIGHTS OF NOWHERE" });
    report.lists = report.lists.map((one) => (one.question === "exemption" ? { ...one, state: "not checked", listed: false } : one));
  });
  await visit.open(`/#/reliance/${full.ein}`);
  await visit.sees("heading", "h1", "Harbor Lights of Nowhere");
  const fact = (name) => `.report-facts > div:has(dt:text-is('${name}')) dd`;
  await visit.sees("whose claim the exemption is", fact("Exempt under section"), /^501\(c\)\(3\), as its own return says/);
  await visit.sees("what is said of a list that lacks it", fact("Publication 78"), "not found in the loaded file (3 rows)");
  await visit.sees("what that means", ".report-caveats", /not found in Publication 78, though .* likely only part of the list; look it up at the IRS/);
  is("files named as witnesses of one they do not have", (await visit.texts(".reliance li")).filter((one) => /^Exemption/.test(one)), that("no file, no hash", (found) => found.length === 1 && !/file |SHA/.test(found[0].replace("master file", ""))));
  await visit.counts("lines for who checked, for what and when", ".report-signed dt", 3);
}

async function printed(visit, { full }) {
  await visit.open(`/#/reliance/${full.ein}`);
  await visit.counts("what is not printed, on the screen", ".no-print:visible, header.shell:visible", moreThan(1));
  await visit.page.emulateMedia({ media: "print" });
  await visit.counts("what is not printed", ".no-print:visible, header.shell:visible", 0);
}

/** A second name line that is a person or a bank stands among the facts, not as a name. */
async function secondLine(visit, { full }) {
  const changed = (alt_name) => visit.page.route("**/nonprofits/details/**", async (route) => {
    const body = await (await route.fetch()).json();
    await route.fulfill({ json: { ...body, alt_name } });
  });
  for (const [line, isName] of [["Tasha Hart", false], ["First National Bank in Sioux Falls", false], ["Shared Services Center", false], ["Bangor Rotary Club", true], ["Harbor Food Bank", true]]) {
    await changed(line);
    await visit.open(`/#/nonprofit/${full.ein}`);
    is(`whether ${line} is shown as a name`, (await visit.texts(".profile-who > p.muted"))[0].includes(`Also ${line}`), isName);
    await visit.counts(`facts with ${line}`, `.profile-facts dd:text-is('${line}')`, isName ? 0 : 1);
    await visit.page.unroute("**/nonprofits/details/**");
  }
}

/** What a donor has to mind stands below the checks. */
async function cautions(visit, { full }) {
  const changed = (of, change) => visit.page.route(`**/nonprofits/${of}/**`, async (route) => {
    const body = await (await route.fetch()).json();
    change(body);
    await route.fulfill({ json: body });
  });
  await changed("standing", (standing) => Object.assign(standing, {
    classification: { section: "509(a)(3)", description: "supporting organization", supporting: "Type III, not functionally integrated" },
    cautions: ["no return since 2001", "a grant to it needs expenditure responsibility"],
  }));
  await visit.open(`/#/nonprofit/${full.ein}`);
  await soon("what to mind", () => visit.texts(".cautions li"), that("a sentence for each", (found) => (
    found.length === 2 && found[0] === "No return since 2001." && found[1] === "A grant to it needs expenditure responsibility.")));
  await visit.sees("its class", ".profile-facts div:has(dt:text-is('Class')) dd", /^public charity, .*Type III, .*section 509\(a\)\(3\)$/);
}

export default [
  { name: "profile: head, sections and their links", run: head },
  { name: "profile: a list that lacks it", run: unlisted },
  { name: "profile: a second name line that is no name", run: secondLine },
  { name: "profile: what a donor has to mind", run: cautions },
  { name: "profile: finances as a chart with bars, and as a table", run: finances },
  { name: "profile: returns, people, programs", run: returns },
  { name: "profile: source of a figure, and the return as a page", run: sourceOfFigure },
  { name: "profile: metrics with the figure marked in its sentence", run: metrics },
  { name: "profile: posts, stories, nonprofits like it", run: posts },
  { name: "profile: of a nonprofit without returns or posts", run: plain },
  { name: "profile: ratios where there are no peers", run: peerless },
  { name: "profile: where its values are from", run: sources },
  { name: "profile: a report to rely on", allows: [404], run: report },
  { name: "profile: what a report does not vouch for", run: reservations },
  { name: "profile: the report, printed", chromium: "Firefox cannot be asked to draw as for paper", run: printed },
  { name: "profile: where to look it up, and those like it", run: elsewhere },
  { name: "profile: money of one that files no return", run: tiny },
  { name: "profile: one year's money by source and purpose", run: pictured },
  { name: "profile: no chart of one year", run: oneReturn },
  { name: "profile: who leads it", run: leader },
  { name: "profile: what is newer than its returns", run: newer },
  { name: "profile: a return as the parts of its form", run: asParts },
  { name: "profile: unknown EIN, no EIN", allows: [404], run: unknown },
  { name: "profile: a part that fails fails alone", allows: [500], run: partGone },
  { name: "profile: a part that the server is too busy for comes by itself", allows: [503], run: busy },
  { name: "profile: how to apply to a foundation", run: applications },
];
