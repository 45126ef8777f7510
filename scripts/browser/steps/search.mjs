// Steps through the search view: the box, plain words, filters, pages, order, map.
import { is, moreThan, soon, that } from "../browser.mjs";

const chips = (visit) => visit.texts(".chip-row .chip");
const revenues = (visit) => visit.page.locator(".result .revenue strong").allInnerTexts();
const NUMBER = { K: 1e3, M: 1e6, B: 1e9 };

/** "−$1.2M" → -1200000 */
const amount = (text) => Number(text.replace("−", "-").replace(/[^\d.-]/g, "")) * (NUMBER[text.at(-1)] ?? 1);

const falling = that("amounts from high to low", (found) => {
  const amounts = found.map(amount);
  return amounts.length > 3 && amounts.every((one, at) => at === 0 || one <= amounts[at - 1]);
});
const rising = that("amounts from low to high", (found) => falling.holds([...found].reverse()));

/** Changes what the server answers on its way to the page, to what any data may lack. */
const changing = (page, pattern, change, plan = (same) => same) => page.route(pattern, async (route) => {
  try {
    const response = await route.fetch();
    const body = await response.json();
    change(body);
    const headers = { ...response.headers() };
    delete headers["content-length"];
    if (headers["x-almoner-plan"]) headers["x-almoner-plan"] = plan(headers["x-almoner-plan"]);
    await route.fulfill({ status: response.status(), headers, body: JSON.stringify(body) });
  } catch (error) {
    // The view has gone on and wants the answer no more.
    if (!/disposed|closed|already handled/.test(error.message)) throw error;
  }
});

async function suggestions(visit, { named }) {
  const typed = named.name.toLowerCase().slice(0, 8);
  await visit.open("/");
  await visit.focuses("what has the focus", "q");
  await visit.type(typed);
  await visit.counts("suggestions", "[role=option]", moreThan(0));
  await visit.sees("the beginnings that were typed", "[role=option] mark", new RegExp(`^${typed.slice(0, 4)}`, "i"));
  const option = visit.find(`[role=option][data-ein="${named.ein}"]`);
  await soon("place of the suggestion", () => option.locator(".suggestion-facts").innerText(), new RegExp(`${named.city}, ${named.state}`));
  is("the box says that its list is open", await visit.find("#q").getAttribute("aria-expanded"), "true");
  await visit.sees("the live region", "#live", /suggestion/);
}

async function otherNames(visit, { twice }) {
  const { page } = visit;
  await visit.open("/");
  await page.fill("#q", twice.typed);
  const facts = visit.find(`[role=option][data-ein="${twice.ein}"] .suggestion-facts`);
  await soon("facts of the suggestion", () => facts.innerText(), that(`with “${twice.alt_name}”`, (found) => found.includes(twice.alt_name)));

  await changing(page, /\/typeahead\//, ({ results }) => {
    const [first, second, third] = results;
    Object.assign(first, { alt_name: "Local Seventeen", matched_name: "LOCAL SEVENTEEN" });
    Object.assign(second, { alt_name: second.name.toUpperCase(), matched_name: "Once <b>Called</b> So" });
    Object.assign(third, { alt_name: third.name.toUpperCase(), matched_name: third.name.toUpperCase() });
  });
  await page.fill("#q", "founda");
  await visit.sees("the other name that matched", "#suggestion-0 .suggestion-facts strong", "Local Seventeen");
  await visit.counts("names that matched", ".suggestion-facts strong", 1);
  const [first, second, third] = await visit.texts("[role=option] .suggestion-facts > :first-child");
  is("beside the other name that matched", first, /^Local Seventeen · (?!.*matched)/);
  is("a name shown nowhere else, after the place alone", second, /^[^·]* · matched: Once <b>Called<\/b> So$/);
  is("names that only repeat the first", third, that("the place alone", (found) => !found.includes("·")));
}

async function choosing(visit, { named }) {
  const { page } = visit;
  const active = () => visit.find("#q").getAttribute("aria-activedescendant");
  await visit.open("/");
  await visit.type("founda");
  await visit.counts("suggestions", "[role=option]", moreThan(2));
  await visit.press("ArrowDown", "ArrowDown");
  is("the active suggestion after two arrows down", await active(), "suggestion-1");
  is("the marked suggestion", await visit.find("[role=option][aria-selected=true]").getAttribute("id"), "suggestion-1");
  await visit.press("ArrowUp", "ArrowUp");
  is("the active suggestion after two arrows up", await active(), null);
  await page.fill("#q", named.name.toLowerCase().slice(0, 8));
  await visit.sees("the beginnings in the new list", "[role=option] mark", new RegExp(`^${named.name.slice(0, 5)}`, "i"));
  const listed = await visit.find("[role=option]").evaluateAll((all) => all.map((one) => one.dataset.ein));
  const at = listed.indexOf(named.ein);
  for (let step = 0; step <= at; step += 1) await visit.press("ArrowDown");
  await visit.press("Enter");
  await visit.arrives(`#/nonprofit/${named.ein}`);
  await visit.sees("heading of the profile", "h1", named.name);
  await visit.back();
  await visit.value("the box after Back", "#q", named.name.toLowerCase().slice(0, 8).trim());

  await visit.open("/#/search?q=schools+in+Texas");
  await visit.click(".result h2 a");
  await soon("the address", () => visit.hash(), /^#\/nonprofit\/\d{9}$/);
  await visit.settled();
  await visit.back();
  await visit.arrives("#/search?q=schools+in+Texas");
  await visit.value("the box after Back from a result", "#q", "schools in Texas");
  await visit.counts("results after Back", ".result", moreThan(1));
}

async function escaping(visit) {
  await visit.open("/");
  await visit.type("founda");
  await visit.counts("suggestions", "[role=option]", moreThan(0));
  await visit.press("Escape");
  is("after Escape the list is open", await visit.find("#q").getAttribute("aria-expanded"), "false");
  await visit.press("Enter");
  await visit.arrives("#/search?q=founda");
  await visit.focuses("what has the focus after a search", /^h1 Results for “founda”/);
  await visit.sees("the live region", "#live", /nonprofits? (found|on this page)$/);
}

async function certain(visit, { named }) {
  const { page } = visit;
  await changing(page, /\/typeahead\//, ({ results }) => {
    for (const one of results.slice(1)) Object.assign(one, { name: "Another Nonprofit", alt_name: null, matched_name: null });
    Object.assign(results[0], { ein: named.ein, name: named.name });
  });
  await visit.open("/");
  await page.fill("#q", named.name.replace(/ inc$/i, "").toUpperCase());
  await visit.sees("what Enter does", "#suggestion-0 kbd", "Enter");
  await visit.press("Enter");
  await visit.arrives(`#/nonprofit/${named.ein}`);
  await visit.open("/");
  await page.fill("#q", `EIN ${named.ein.slice(0, 2)}-${named.ein.slice(2)}`);
  await visit.press("Enter");
  await visit.arrives(`#/nonprofit/${named.ein}`);
  await visit.open("/#/search");
  await visit.fromTop();
  await visit.press("/");
  await visit.focuses("what has the focus after a slash", "q");
  await page.fill("#q", named.name.slice(0, 5));
  await visit.counts("suggestions", "[role=option]", moreThan(0));
  await visit.counts("what Enter opens where it is not certain", "#suggestion-0 kbd", 0);
}

async function plainWords(visit) {
  const q = "schools in Texas with revenue over 50000";
  await visit.open("/");
  await visit.type(q);
  await visit.press("Enter");
  await visit.arrives("#/search?q=schools+in+Texas+with+revenue+over+50000");
  is("what was understood", await chips(visit), ["in Texas ×", "revenue at least $50,000 ×"]);
  const narrow = (await visit.texts(".lead"))[0];
  is("places of the results", await visit.texts(".result-facts"), that("all in Texas", (found) => found.length > 0 && found.every((one) => /, TX\b/.test(one))));
  is("revenues of the results", await revenues(visit), that("all from $50K", (found) => found.length > 0 && found.every((one) => amount(one) >= 50_000)));
  await visit.click(".chip:has-text('in Texas')");
  await visit.arrives("#/search?q=schools+with+revenue+over+50000");
  await visit.value("the box without the place", "#q", "schools with revenue over 50000");
  is("what is understood without it", await chips(visit), ["revenue at least $50,000 ×"]);
  is("the sentence above the results", (await visit.texts(".lead"))[0], that(`another than “${narrow}”`, (found) => found !== narrow));
  is("places of the results", await visit.texts(".result-facts"), that("not all in Texas", (found) => found.some((one) => !/, TX\b/.test(one))));
}

async function filters(visit) {
  const { page } = visit;
  await visit.open("/#/search");
  await page.focus("#f-state");
  await page.selectOption("#f-state", "NY");
  await visit.arrives("#/search?state=NY");
  await visit.focuses("what has the focus", "f-state");
  is("chips", await chips(visit), ["New York ×"]);
  is("places", await visit.texts(".result-facts"), that("all in New York", (found) => found.length > 0 && found.every((one) => /, NY\b/.test(one))));

  await page.fill("#f-min_revenue", "$50k");
  await page.fill("#f-max_revenue", "2,000,000");
  await visit.press("Enter");
  await visit.arrives("#/search?state=NY&min_revenue=50000&max_revenue=2000000");
  is("chips of the range", await chips(visit), ["New York ×", "Revenue ≥ $50,000 ×", "Revenue ≤ $2,000,000 ×"]);
  is("revenues", (await revenues(visit)).map(amount), that("within the range", (found) => found.length > 0 && found.every((one) => one >= 50_000 && one <= 2e6)));
  await visit.click(".chip:has-text('Revenue ≤')");
  await visit.arrives("#/search?state=NY&min_revenue=50000");
  await visit.value("the field of the removed chip", "#f-max_revenue", "");

  await page.locator("summary", { hasText: /^Size/ }).click();
  await page.check("#f-org_size-Small");
  await visit.arrives(/org_size=Small/);
  await page.locator("summary", { hasText: /^Goals/ }).click();
  await page.check("#f-sdgs-4");
  await visit.arrives(/sdgs=4/);
  is("all chips", await chips(visit), ["New York ×", "Revenue ≥ $50,000 ×", "Size Small ×", "Goal 4 Quality Education ×"]);
  await visit.back();
  await visit.arrives(that("without the goal", (found) => !found.includes("sdgs") && found.includes("org_size=Small")));
  is("the box of the goal after Back", await page.isChecked("#f-sdgs-4"), false);
  await visit.click("button:has-text('Clear filters')");
  await visit.arrives("#/search");
  await visit.counts("chips after Clear filters", ".chip-row .chip", 0);
  await visit.value("the state after Clear filters", "#f-state", "");
}

async function refusedFilters(visit) {
  const { page } = visit;
  await visit.open("/#/search?state=NY&min_revenue=5&max_revenue=2");
  await visit.sees("message at the field", "#f-max_revenue-error", "“Revenue to” should not be below “Revenue from”");
  is("the field is marked", await page.getAttribute("#f-max_revenue", "aria-invalid"), "true");
  await visit.sees("the results' place", ".search-area .problem", /“Revenue to” cannot be used as it stands\./);
  await page.fill("#f-max_revenue", "9000000");
  await visit.press("Enter");
  await visit.arrives("#/search?state=NY&min_revenue=5&max_revenue=9000000");
  await visit.sees("message at the mended field", "#f-max_revenue-error", that("nothing", (found) => found === "" || found === "nothing"));
  await visit.counts("results", ".result", moreThan(0));

  await page.fill("#f-zip_code", "12");
  await visit.press("Enter");
  await visit.sees("message at the ZIP code", "#f-zip_code-error", /five-digit/);
  await visit.sees("what is said above the results", ".search-area .problem", /“ZIP code” cannot be used.*The results below are from your last search\./);
  await visit.counts("results from before", ".result", moreThan(0));
  await visit.focuses("what has the focus", "f-zip_code");
  await visit.click(".refused a");
  await visit.counts("what is said when it is gone", ".refused", 0);
  await visit.open("/#/search?min_revenue=plenty");
  await visit.sees("message at an amount that is none", "#f-min_revenue-error", "Enter an amount, such as 250,000 or 1.5M.");
}

async function pages(visit) {
  const { page } = visit;
  await visit.open("/#/search?size=10&sort=name");
  const first = await visit.texts(".result h2");
  is("names", first, that("10, from A on", (found) => found.length === 10 && found.every((one, at) => at === 0 || one.toLowerCase() >= found[at - 1].toLowerCase())));
  await visit.click(".pages a:has-text('Next')");
  await visit.arrives("#/search?sort=name&page=2&size=10");
  is("number of the first on page 2", await page.getAttribute(".results", "start"), "11");
  is("the current page", await visit.texts(".pages [aria-current]"), ["2"]);
  const second = await visit.texts(".result h2");
  is("names of page 2", second, that("none of page 1", (found) => found.length === 10 && found.every((one) => !first.includes(one))));
  await visit.back();
  await soon("names after Back", () => visit.texts(".result h2"), first);
  await page.goForward();
  await soon("names after Forward", () => visit.texts(".result h2"), second);

  await page.selectOption("#sort-by", "-revenue");
  await visit.arrives("#/search?sort=-revenue&size=10");
  await soon("revenues, high to low", () => revenues(visit), falling);
  await page.selectOption("#sort-by", "revenue");
  await visit.arrives("#/search?sort=revenue&size=10");
  await soon("revenues, low to high", () => revenues(visit), rising);
  await page.selectOption("#page-size", "25");
  await visit.arrives("#/search?sort=revenue");
  await visit.counts("results", ".result", 25);
  await visit.click("button:has-text('Clear filters')");
  await visit.arrives("#/search");
  await visit.value("the order after Clear filters", "#sort-by", "relevance");

  await visit.open("/#/search?page=9999");
  await visit.sees("past the last page", ".empty", /past the end/);
  await visit.click(".empty a");
  await visit.arrives("#/search");
  await visit.counts("results of the first page", ".result", 25);
}

async function map(visit) {
  const { page } = visit;
  await visit.open("/#/search?q=schools+in+Texas");
  const names = await visit.texts(".result h2");
  await visit.click("#as-map");
  await visit.arrives("#/search?q=schools+in+Texas&show=map");
  await visit.counts("outlines of the country", ".map-ground", 1);
  await visit.counts("points", ".map-mark", moreThan(1));
  await soon("places of the points", async () => {
    const frame = await visit.find(".map-frame").boundingBox();
    const marks = await visit.find(".map-mark .map-dot").all();
    const boxes = await Promise.all(marks.map((mark) => mark.boundingBox()));
    return boxes.every(({ x, y, width, height }) => x >= frame.x && y >= frame.y
      && x + width <= frame.x + frame.width && y + height <= frame.y + frame.height);
  }, true);
  const single = visit.find(".map-mark:not(.map-many)").first();
  const label = await single.getAttribute("aria-label");
  await single.focus();
  await visit.press("Enter");
  await visit.sees("card of the point", ".map-card a", that(`the name in “${label}”`, (found) => label.startsWith(found)));
  is("the card's name is one of the results", names.includes((await visit.texts(".map-card a"))[0]), true);
  await visit.press("Escape");
  await soon("the card after Escape", () => visit.find(".map-card").isVisible(), false);
  await single.click();
  const [chosen] = await visit.texts(".map-card a");
  await visit.click(".map-card a");
  await soon("the address", () => visit.hash(), /^#\/nonprofit\/\d{9}$/);
  await visit.sees("heading of the profile", "h1", chosen);
  await visit.back();
  await visit.arrives("#/search?q=schools+in+Texas&show=map");
  await visit.counts("points after Back", ".map-mark", moreThan(1));
  await visit.click("#as-list");
  await visit.arrives("#/search?q=schools+in+Texas");
  await visit.counts("maps in the list", ".map", 0);
  is("names of the list", await visit.texts(".result h2"), names);
}

/** Of more than a list holds the map shows all, by how many are at each point. */
async function mapOfAll(visit) {
  const points = [["44.4759,-73.2121", 4000], ["41.8800,-87.6300", 900], [null, 11]];
  await changing(visit.page, /\/beta\//, (body) => {
    if (body.facets) body.facets.point = points.map(([value, count]) => ({ value, count }));
  }, (plan) => plan.replace(/matches=\d+/, "matches=4911"));
  await visit.open("/#/search?show=map");
  await visit.sees("how many are on the map", ".map-note", /^4,900 nonprofits at 2 points, .* · 11 without a known location/);
  is("the marks", (await visit.find(".map-number").allTextContents()).sort(), ["4000", "900"]);
  await visit.find(".map-mark").filter({ hasText: "900" }).click();
  await visit.sees("heading of the card", ".map-heading", /^900 nonprofits/);
  await visit.click(".map-card a:has-text('List all 900')");
  await visit.arrives("#/search?latitude=41.880&longitude=-87.630&location_range=3");
  await visit.page.unroute(/\/beta\//);
  const answer = await (await fetch(`${visit.browser.origin}/beta/nonprofits/search?size=1&facets=point,state`, { headers: { "X-API-Key": visit.browser.key } })).json();
  const sum = (of) => of.reduce((all, one) => all + one.count, 0);
  is("nonprofits at all points", sum(answer.facets.point), sum(answer.facets.state));
}

async function namesakes(visit) {
  const { page } = visit;
  await changing(page, /\/beta\//, ({ nonprofits }) => nonprofits.forEach((one, at) => {
    one.name = "Sisters of the Same";
    one.alt_name = at % 2 ? "SISTERS OF THE SAME" : `Chapter ${at}`;
  }));
  await visit.open("/#/search?state=TX&size=10");
  is("other names", (await visit.texts(".result .other-name")).slice(0, 2), ["Chapter 0", "Chapter 2"]);
  is("what is between the name and the facts of the first", await visit.texts(".result:first-child h2 + .other-name"), ["Chapter 0"]);
  await visit.click("#as-map");
  await visit.counts("points", ".map-mark", moreThan(0));
  // By the keyboard: a point may lie under the card of another.
  for (const mark of await visit.find(".map-mark").all()) {
    await mark.focus();
    await visit.press("Enter");
    if ((await visit.texts(".map-card .other-name")).some((one) => /^Chapter \d+$/.test(one))) return;
  }
  is("a card of the map with another name", "none", "one");
}

async function meant(visit, { named }) {
  const { page } = visit;
  let instead = { ein: named.ein, name: named.name };
  await changing(page, /\/beta\//, ({ intentDetails }) => { intentDetails.llm_response.arguments.did_you_mean = instead; });
  await visit.open("/#/search?q=schools+in+Texas&page=2&size=10");
  await visit.sees("what is asked", ".did-you-mean", `Did you mean ${named.name}?`);
  await visit.click(".did-you-mean a");
  await visit.arrives(`#/nonprofit/${named.ein}`);
  await visit.sees("heading of the profile", "h1", named.name);

  instead = { query: "museums & <b>zoos</b>" };
  await visit.open("/#/search?q=schools+in+Texas&page=2&size=10");
  await visit.sees("what is asked", ".did-you-mean", "Did you mean museums & <b>zoos</b>?");
  instead = undefined;
  await visit.click(".did-you-mean a");
  await visit.arrives("#/search?q=museums+%26+%3Cb%3Ezoos%3C%2Fb%3E&size=10");
  await visit.value("the box", "#q", "museums & <b>zoos</b>");
  await visit.counts("questions where nothing else is meant", ".did-you-mean", 0);

  // What was typed but for case and signs leads nowhere, but for the state that the words end with.
  instead = { query: "Schools in texas" };
  await visit.open("/#/search?q=%22schools%22+in+Texas");
  await visit.sees("the kind in place of the name", ".did-you-mean", "Not this name? Search for the cause “Schools” in Texas");
  is("where it leads", await visit.find(".did-you-mean a").getAttribute("href"), "#/search?q=Schools&state=TX");
  instead = { query: "Art Schools" };
  await visit.open("/#/search?q=art+schools");
  await visit.counts("results", ".result", moreThan(0));
  is("an offer of what was typed", (await visit.texts(".did-you-mean")).filter((text) => /art schools\?$/i.test(text)), []);
}

/** Miles need a point: that of the city, else they do nothing and the field says why. */
async function milesAround(visit) {
  const { page } = visit;
  await changing(page, /\/beta\/.*q=within/, ({ intentDetails }) => {
    intentDetails.llm_response.arguments = { latitude: 44.46446, longitude: -73.1433, location_range: 25 };
  });
  await visit.open("/#/search?state=VT&city=Burlington&location_range=25");
  await visit.arrives("#/search?state=VT&latitude=44.4645&longitude=-73.1433&location_range=25&around=Burlington");
  await soon("chips", () => chips(visit), that("the place", (found) => found.some((text) => /^Within 25 miles of Burlington/.test(text))));
  await visit.value("the city, which is the middle by now", "#f-city", "");
  await visit.page.fill("#f-city", "Barre");
  await visit.click(".filter-actions button:has-text('Apply')");
  await visit.arrives("#/search?state=VT&latitude=44.4645&longitude=-73.1433&location_range=25&around=Barre");
  await visit.open("/#/search?location_range=25");
  await soon("why miles have no effect", () => visit.find("[data-field=location_range] .error").textContent(), /no effect yet: enter a city and its state/);
  is("chips of miles around nothing", await chips(visit), []);
}

/** A state that is typed behind the words: its own come first, others only with its name in theirs. */
async function suggestedState(visit) {
  const one = (ein, name, state) => ({ ein, name, city: "Town", state, alt_name: null, matched_name: null });
  const cats = [one("100000001", "Cat Rescue", "NV"), one("100000002", "Cat Rescue of Bangor", "ME")];
  await visit.page.route(/\/typeahead\//, async (route) => {
    const q = new URL(route.request().url()).searchParams.get("q");
    const results = q === "cat rescue" ? cats : [cats[0], one("100000003", "Maine Cat Rescue", "NH")];
    await route.fulfill({ json: { results, count: results.length } });
  });
  await visit.open("/");
  await visit.page.fill("#q", "cat rescue maine");
  await soon("suggestions", () => visit.texts("[role=option] .suggestion-name"), ["Cat Rescue of Bangor", "Maine Cat Rescue"]);
  await visit.page.fill("#q", "cat rescue");
  await soon("suggestions without a state", () => visit.texts("[role=option] .suggestion-name"), ["Cat Rescue", "Cat Rescue of Bangor"]);
}

async function nothing(visit) {
  await visit.open("/#/search?q=schools&state=TX&min_revenue=900000000000");
  await visit.sees("no result", ".empty", /No nonprofit meets all of these conditions/);
  // To search outside Texas would find nothing either, so that is not offered.
  const ways = await soon("ways out with what each would find", () => visit.texts(".empty .way"), that("one with a number", (found) => found.length === 1 && found.every((one) => /\([\d,]+\)$/.test(one))));
  const [, rows] = /\(([\d,]+)\)$/.exec(ways.find((one) => one.includes("Revenue")));
  await visit.click(".empty a:has-text('Revenue ≥')");
  await visit.arrives("#/search?q=schools&state=TX");
  await visit.sees("as many as were told", ".toolbar .range", new RegExp(` of ${rows}\\b`));
}

async function strange(visit) {
  const q = `<img src=x onerror=alert(1)> 🍞 "'&#%`;
  await visit.open(`/#/search?${new URLSearchParams({ q })}`);
  await visit.value("the box", "#q", q);
  await visit.sees("heading", "h1", `Results for “${q}”`);
  await visit.counts("images", "main img", 0);
}

async function reasons(visit) {
  await visit.open("/#/search?q=schools+in+Texas");
  await visit.counts("results", ".result", moreThan(0));
  is("the words that are marked", await visit.texts(".result mark"), that("forms of school alone", (found) => (
    found.length > 0 && found.every((one) => /^school/i.test(one)))));
  await visit.open("/#/search?state=TX");
  await visit.counts("marked words where none was asked for", ".result mark", 0);
  const sizes = await visit.find("[data-field=org_size] label").evaluateAll((all) => all.map((one) => (
    [one.querySelector("input").value, Number(one.querySelector(".count")?.textContent.replace(",", "") ?? 0)])));
  const [size, many] = sizes.find(([, count]) => count > 0);
  await visit.open(`/#/search?state=TX&org_size=${size}`);
  await soon("results of a value are as many as its count", () => visit.texts(".toolbar .range"), that(`of ${many}`, ([found]) => found.endsWith(` of ${many}`)));
}

async function counted(visit) {
  const answered = visit.page.waitForResponse(/\/beta\/.*extent=fitting/);
  await visit.open("/#/search?q=schools+in+Texas");
  const answer = await answered;
  const listed = Number(/listed=(\d+)/.exec(answer.headers()["x-almoner-plan"])[1]);
  const { facets } = await answer.json();
  for (const facet of ["state", "org_size", "county"]) {
    is(`nonprofits counted by ${facet}`, facets[facet].reduce((sum, one) => sum + one.count, 0), listed);
  }
  await visit.sees("the count at the state", "#f-state option[value=TX]", `Texas (${listed})`);
  await visit.sees("the state that the words name", "#f-state option", "Texas");
  await visit.open("/#/search?state=TX");
  const tick = "[data-field=county] .ticks > .check";
  await visit.counts("counties to tick", tick, moreThan(1));
  const [counties, counts] = await Promise.all([visit.texts(`${tick} span:nth-of-type(1)`), visit.texts(`${tick} .count`)]);
  const together = counts.slice(0, 2).reduce((sum, text) => sum + Number(text.replace(",", "")), 0).toLocaleString("en-US");
  const second = `${tick}:has(span:text-is("${counties[1]}"))`;
  await visit.page.locator(tick).nth(0).click();
  await visit.arrives(`#/search?state=TX&county=${encodeURIComponent(counties[0]).replaceAll("%20", "+")}`);
  await soon("results of the county", () => visit.texts(".toolbar .range"), that(`of ${counts[0]}`, ([found]) => found.endsWith(` of ${counts[0]}`)));
  await soon("the county beside it, with its count", () => visit.texts(`${second} .count`), [counts[1]]);
  await soon("the box that was ticked keeps the focus", () => visit.page.evaluate(() => document.activeElement.checked), true);
  await visit.page.locator(second).click();
  await soon("results of both", () => visit.texts(".toolbar .range"), that(`of ${together}`, ([found]) => found.endsWith(` of ${together}`)));
  await visit.value("the field", "#f-county", `${counties[0]}, ${counties[1]}`);
  const misspelt = `${counties[0]}x`;
  await visit.open(`/#/search?${new URLSearchParams({ state: "TX", county: `${misspelt},${counties[1]}` })}`);
  await visit.sees("what is said of the county that nobody knows", ".lead", new RegExp(`no county “${misspelt}” is known in Texas; nearest by name: ${counties[0]}`));
  await visit.sees("what is meant", ".did-you-mean", new RegExp(`^Instead of “${misspelt}”: did you mean ${counties[0]}`));
  await visit.click(".did-you-mean a");
  await visit.arrives(`#/search?${new URLSearchParams({ state: "TX", county: `${counties[0]},${counties[1]}` }).toString().replaceAll("%2C", ",")}`);
}

/** What is left out says so, and how unknown values were counted is folded away. */
async function leftOut(visit) {
  await changing(visit.page, /\/beta\//, ({ intentDetails }) => {
    intentDetails.org_size = ["Medium", "Large", "Super-Size"];
    intentDetails.llm_response.message = "Best matches for “schools” of size Super-Size; 3 of them are counted by the most that they take in (as filers of the e-Postcard; or not), for no revenue of theirs is on file; 40 more are left out because a value is not known.";
    intentDetails.llm_response.arguments.spans = [{ text: "not tiny", meaning: "size Small", start: 8, end: 16, confidence: 1 }];
  });
  await visit.open("/#/search?q=schools+not+tiny");
  is("the chip", await chips(visit), ["not size Small ×"]);
  is("the sentence", await visit.texts(".lead"), ["Best matches for “schools” of size Very large."]);
  await visit.click(".counted-how summary");
  is("how it was counted", await visit.texts(".counted-how li"), that("two sentences", (found) => found.length === 2 && found[0].startsWith("3 of them") && found[1].startsWith("40 more")));
}

async function noneHere(visit) {
  await changing(visit.page, /\/beta\//, ({ nonprofits, intentDetails }) => {
    intentDetails.ntee_codes = ["B20"];
    nonprofits.splice(2);
    nonprofits.forEach((one, at) => Object.assign(one, { name: ["Alpha", "Beta"][at], alt_name: null, summary: null, ntee: "P20", issueArea: "Human Services" }));
  }, (plan) => plan.replace(/fit=\d+\+?/, "fit=0").replace(/; nearby(?:_fit)?=\d+/g, ""));
  await visit.open("/#/search?q=schools&state=TX&org_size=Small");
  await visit.sees("what is said where none fits", ".none-here", /^None of these is clearly what you asked for\. Widen the search by dropping: Texas \([\d,]+\), Size Small \([\d,]+\)\.$/);
  await visit.click(".none-here a:has-text('Size Small')");
  await visit.arrives("#/search?q=schools&state=TX");
  await visit.page.unroute(/\/beta\//);
  await visit.open("/#/search?q=schools&state=TX");
  await visit.counts("results", ".result", moreThan(0));
  await visit.counts("what is said where one fits", ".none-here", 0);
}

async function orientation(visit) {
  await visit.open("/#/search?q=schools+in+Texas&show=map");
  await visit.counts("outlines of the country", ".map-ground", 1);
  for (let step = 0; step < 3 && !await visit.find(".map-counties:not(.map-far)").count(); step += 1) {
    await visit.click("button[aria-label='Zoom in']");
    await visit.page.waitForLoadState("networkidle");
  }
  await visit.counts("lines of counties from near", ".map-counties:not(.map-far)", 1);
  await visit.counts("names of counties", ".map-county", moreThan(0));
  await visit.counts("towns", ".map-town", moreThan(0));
  const boxes = await visit.find(".map-labels text").evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, top, right, bottom }) => [left, top + 4, right, bottom - 4]));
  is("names that lie over others", boxes.filter(([left, top, right, bottom], at) => boxes.some((other, position) => position > at
    && left < other[2] && right > other[0] && top < other[3] && bottom > other[1])).length, 0);
  await visit.click("button:has-text('Whole country')");
  await visit.counts("lines of counties from afar", ".map-counties:not(.map-far)", 0);
  await visit.counts("towns from afar", ".map-town", 0);
}

async function printed(visit) {
  await visit.open("/#/search?q=schools+in+Texas");
  await visit.page.emulateMedia({ media: "print" });
  await visit.sees("heading on paper", "h1", "Results for “schools in Texas”");
  is("height of the heading", (await visit.find("h1").boundingBox()).height, moreThan(10));
  await visit.sees("which rows, and when", ".print-only", /^1 to \d+ of \d+.*\. Printed \w+ \d+, \d{4} from .*\. Source: IRS master file extract/);
  is("whether the toolbar is on paper", await visit.find(".toolbar").isVisible(), false);
}

async function alike(visit) {
  await changing(visit.page, /\/beta\//, ({ nonprofits }) => {
    nonprofits[1].name = nonprofits[0].name.toUpperCase();
    nonprofits[0].streetAddress = "1 Fictional Way";
  });
  await visit.open("/#/search?state=TX");
  await soon("the street of a namesake", async () => (await visit.texts(".result:first-child .result-facts"))[0], /^1 Fictional Way, .*2 of this name on this page/);
  await visit.counts("rows with a namesake", ".result-facts .badge:has-text('of this name')", 2);
}

async function byName(visit) {
  await changing(visit.page, /\/beta\//, ({ nonprofits, intentDetails }) => {
    intentDetails.llm_response.arguments.spans = [{ text: "harbor lights", meaning: "the nonprofit harbor lights", start: 0, end: 13, confidence: 1 }];
    Object.assign(nonprofits[0], { name: "Harbor Lights of Nowhere", alt_name: null });
    Object.assign(nonprofits[1], { name: "House Seventeen", alt_name: "HARBOR LIGHTS" });
    for (const one of nonprofits.slice(2)) Object.assign(one, { name: "Another Harbor", alt_name: null });
  });
  await visit.open("/#/search?q=church&size=10");
  await visit.sees("which rows these are, of no number", ".toolbar .range", "1 to 10, closest names first");
  is("why a row of another name is here", await visit.texts(".result .other-name"), ["Found by its other name: HARBOR LIGHTS"]);
  is("what follows the rows of that name", (await visit.texts(".results > li"))[2], "No name below has all of these words.");
  is("pages that are promised", await visit.texts(".pages li"), ["1", "2", "Next"]);
}

async function lostName(visit, { named }) {
  await changing(visit.page, /\/beta\//, ({ nonprofits, intentDetails }) => {
    intentDetails.llm_response.arguments.spans = [{ text: "wall camp", meaning: "the nonprofit wall camp", start: 12, end: 21, confidence: 1 }];
    for (const one of nonprofits) Object.assign(one, { name: "Another Harbor", alt_name: null });
  });
  await changing(visit.page, /\/typeahead\//, (body) => { body.results = [{ ...named, alt_name: null, matched_name: null }]; });
  await visit.open("/#/search?q=hole+in+the+wall+camp");
  await visit.sees("whom the box would have suggested", ".did-you-mean:visible", `By name, it may be ${named.name} (${named.city}, ${named.state}).`);
  await visit.click(".did-you-mean a");
  await visit.arrives(`#/nonprofit/${named.ein}`);
}

async function keeping(visit) {
  const q = "church";
  await visit.open(`/#/search?${new URLSearchParams({ q, size: "10" })}`);
  const [range] = await visit.texts(".toolbar .range");
  const total = Number(/ of ([\d,]+)/.exec(range)[1].replace(",", ""));
  is("results", total, moreThan(10));
  await visit.click(".keeping > summary");
  const shown = await visit.download(() => visit.click("#csv-shown"));
  is("name of the file", shown.name, "church.csv");
  const lines = shown.text.trim().split("\r\n");
  is("its heads", lines[0].replace("\ufeff", ""), /^EIN,Name,.*Revenue \(USD\),.*Exemption revoked/);
  is("EINs that a spreadsheet leaves whole", lines.slice(1), that("10, with their dash", (found) => found.length === 10 && found.every((one) => /^\d{2}-\d{7},/.test(one))));
  const all = await visit.download(() => visit.click("#csv-all"));
  is("rows of the file of all", all.text.match(/^\d{2}-\d{7},/gm).length, total);
  const book = await visit.download(() => visit.click("#xlsx-all"));
  is("name of the workbook", book.name, "church.xlsx");
  const [sheet, about] = book.text.match(/<worksheet [^]*?<\/worksheet>/g);
  is("its rows", sheet.match(/<row /g).length, total + 1);
  is("its sheets", book.text.match(/<sheet name="[^"]*"/g), ['<sheet name="church"', '<sheet name="About"']);
  const told = about.replace(/<[^>]+>/g, "|");
  is("what it says of itself", told, that("words, reading, number, source, date and address", (found) => ["|church|", "|Understood as|", `|${total}|`, "|Source: IRS master file extract|", "as of ", "#/search?q=church"].every((one) => found.includes(one))));
  await visit.click("#save-all");
  await visit.sees("what was saved", ".keeping-menu p", new RegExp(`^${total} organizations saved.*“church”`));
  await visit.click(".keeping-menu p a");
  await visit.sees("heading of the list", "h1", q);
  await visit.counts("rows of the list", ".list-rows tbody tr", total);
}

async function whereItEnds(visit) {
  await visit.page.route(/\/beta\//, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    Object.assign(body.nonprofits[0], { formType: "990-N", revenueGrandTotal: null, ntee: "L41" });
    const headers = { ...response.headers(), "x-almoner-plan": `words; matches=4711; visits=0; listed=${body.nonprofits.length}` };
    delete headers["content-length"];
    await route.fulfill({ status: 200, headers, body: JSON.stringify(body) });
  });
  await visit.open("/#/search?q=schools+in+Texas");
  await visit.sees("what is said below the last row", ".rest-of-all", /^That is all that clearly fits your words.*Show all 4,711 in Texas/);
  await visit.sees("revenue of one that files the e-Postcard", ".result:first-child .revenue", /at most \$50K a year \(e-Postcard\)/);
  await visit.sees("what it does", ".result:first-child .result-facts", /Temporary Housing \(L41\)|\(L41\)/);
  await visit.page.unroute(/\/beta\//);
  await visit.click(".rest-of-all a");
  await visit.arrives("#/search?state=TX");
  await visit.counts("the way to more where all are listed", ".rest-of-all", 0);
}

/** Of private foundations the lists have assets and no revenue. */
async function ofAssets(visit) {
  await changing(visit.page, /\/beta\//, ({ nonprofits }) => Object.assign(nonprofits[0], { foundation: true, formType: "990-PF", revenueGrandTotal: null }));
  await visit.page.route("**/nonprofits/batch", (route) => route.fulfill({ json: route.request().postDataJSON().eins.map((ein) => ({ ein, assets: 247_300_000 })) }));
  await visit.open("/#/search?q=schools+in+Texas");
  await visit.sees("what is known of its money", ".result:first-child .revenue", "$247M assets");
  await visit.page.unroute(/\/beta\//);
}

async function inDanger(visit) {
  await visit.open("/#/search?q=want+to+die");
  await visit.sees("who helps, above all else", ".search-area > :first-child", /\b988\b/);
  is("who helps, once", (await visit.find(".search-area").innerText()).split("988 now").length, 2);
  await visit.counts("a way to people of that name", ".search-area [href^='#/people']", 0);
  await visit.open("/#/search?q=No+Kill+Louisville");
  await visit.sees("what is said of a name", ".search-area .lead", /No Kill/);
  await visit.counts("help that nobody asked for", ".help-line", 0);
}

async function offered(visit) {
  await changing(visit.page, /\/coverage$/, ({ fields, states }) => {
    states.splice(0, states.length, { state: "ME", name: "Maine", organizations: 9000, in_master_file: 9000, counties: [] }, { state: "AL", name: "Alabama", organizations: 2, in_master_file: 0, counties: [] });
    for (const one of fields) if (["score", "employees"].includes(one.field)) one.share = one.field === "score" ? 0 : 0.0004;
  });
  await visit.open("/#/search");
  await soon("a figure that nobody has", () => visit.find("[data-field=min_score]").evaluate((one) => one.hidden), true);
  is("states whose own list is not loaded", await visit.find("#f-state optgroup option").evaluateAll((all) => all.map((one) => one.value)), that("all but Maine", (found) => found.includes("AL") && found.length > 50 && !found.includes("ME")));
  is("a figure that few have", await visit.find("#f-min_employees").isDisabled(), true);
  is("how few", await visit.find("[data-field=min_employees] .known").textContent(), "known for 0.04% of nonprofits");
  await visit.counts("orders by what nobody has", "#sort-by option[value$=score], #f-then option[value$=score]", 0);
  is("an order by what few have", await visit.find("#sort-by option[value='-employees']").textContent(), "Employees, highest first (known for few)");
  is("a figure that many have", await visit.find("#f-min_revenue").isDisabled(), false);
  is("controls for programs", await visit.find("#f-model, #f-max_vector_distance, label[for=f-latitude]").count(), 0);
  await visit.open("/#/search?q=schools&model=grammar");
  is("the chip of what an address brings", await chips(visit), that("one of the reader", (found) => found.some((one) => /Grammar only/.test(one))));
}

/** Where nothing is found as values are not known, that is what is said. */
async function notKnown(visit) {
  const { page } = visit;
  await changing(page, /\/beta\/.*min_employees=50/, (body) => {
    Object.assign(body, { nonprofits: [] });
    body.intentDetails.llm_response.message = "0 nonprofits match: in Texas; with employees at least 50; 321 more are left out because a value is not known.";
  }, () => "none; matches=0; visits=0");
  await changing(page, /\/beta\/.*min_employees=0/, () => {}, () => "none; matches=0; visits=0");
  await visit.open("/#/search?state=TX&min_employees=50");
  await visit.sees("why nothing is found", ".empty .state-title", "No employee counts are loaded for Texas, so nothing there can be narrowed by them.");
  await visit.sees("the first way out", ".empty li", /^Without: Employees ≥ 50/);
  await visit.open("/#/search?state=TX&sort=-employees");
  await changing(page, /\/coverage$/, ({ fields }) => { fields.find(({ field }) => field === "employees").share = 0.0004; });
  await page.reload();
  await visit.sees("what an order is worth by a figure that nobody has", ".order-note", /^No employee counts are known for these [\d,]+, so sorting by them changes nothing\.$/);
}

/** Each heading is true of the rows below it, wherever the server ranked them. */
async function headings(visit) {
  await changing(visit.page, /\/beta\/.*q=churches/, ({ nonprofits, intentDetails }) => {
    if (nonprofits.length < 5) return;
    nonprofits.splice(5);
    nonprofits.forEach((one, at) => Object.assign(one, { name: `Row ${at}`, alt_name: null, summary: null, issueArea: null, ntee: at === 3 ? "B20" : null }));
    intentDetails.ntee_codes = ["B20"];
    intentDetails.llm_response.arguments.outside_place = [nonprofits[0].ein, nonprofits[4].ein];
  }, () => "bits+words; matches=90; visits=0; listed=3; fit=1; nearby=2; nearby_fit=1");
  await visit.open("/#/search?q=churches+in+Texas");
  await soon("rows and headings", () => visit.find(".results > li").evaluateAll((all) => all.map((one) => (one.querySelector("h2") ?? one).textContent)), [
    "Row 1", "Nearby, or elsewhere in the state:", "Row 0", "Possible matches by name, mission or code:", "Row 3",
    "These meet the filters but barely match your words:", "Row 2", "Possible matches nearby, or elsewhere in the state:", "Row 4"]);
  await visit.sees("how many fit", ".toolbar .range", /of 5, the first 2 fit best$/);
}

/** Whoever has no code is told of, where codes are asked for. */
async function uncoded(visit) {
  await changing(visit.page, /\/beta\/.*facets=ntee_major(?:&|$)/, ({ facets }) => { facets.ntee_major = [{ value: "B", count: 9 }, { value: null, count: 41 }]; });
  await visit.open("/#/search?state=TX&ntee_codes=B");
  await visit.sees("how many have no code", ".uncoded", /^41 more have no NTEE code on file/);
}

/** An EIN that nobody has: the nearest that somebody has comes first. */
async function mistyped(visit, { named }) {
  const wrong = [...named.ein].with(8, String((Number(named.ein[8]) + 1) % 10)).join("");
  await visit.page.route(/\/beta\//, async (route) => {
    const body = await (await route.fetch()).json();
    await route.fulfill({ json: { ...body, nonprofits: [] }, headers: { "x-almoner-plan": "columns; matches=0; visits=0" } });
  });
  await visit.open(`/#/search?q=${wrong}`);
  await soon("whose EIN it may be", () => visit.texts(".near-eins a"), that(`${named.name} among them`, (found) => found.includes(named.name)));
  await visit.sees("what comes first", ".absent-ein p", /^Most likely a digit is wrong/);
  await visit.page.unroute(/\/beta\//);
  await visit.open("/#/search?q=12345678");
  await visit.sees("that it is too short", ".short-ein", "An EIN has nine digits; this number has 8.");
}

export default [
  { name: "suggestions: highlighted match and place", run: suggestions },
  { name: "suggestions: other names, and the one that matched", run: otherNames },
  { name: "suggestions: arrows and Enter choose, Back returns with the text", run: choosing },
  { name: "suggestions: of a state that is typed behind", run: suggestedState },
  { name: "suggestions: Escape closes, Enter searches the words", run: escaping },
  { name: "suggestions: Enter opens a whole name, a slash goes to the box", run: certain },
  { name: "plain words: chips, and without one of them", run: plainWords },
  { name: "filters: state, revenue, size, goal; chips, address, removal", run: filters },
  { name: "filters: miles around a city, or around nothing", run: milesAround },
  { name: "filters: refusals stand at their fields", allows: [422], run: refusedFilters },
  { name: "results: pages back and forth, order, rows", run: pages },
  { name: "results: map, card of a point, profile, list", run: map },
  { name: "results: a map of more than a list holds", run: mapOfAll },
  { name: "results: other names tell namesakes apart, in the list and on the map", run: namesakes },
  { name: "results: what else may be meant, a nonprofit or a query", run: meant },
  { name: "results: why a row is here, counts at the filters", run: reasons },
  { name: "results: counts are of what is listed, counties to tick", run: counted },
  { name: "results: none does what the words ask, with ways to look wider", run: noneHere },
  { name: "results: what is left out, and how that was counted", run: leftOut },
  { name: "results: counties and towns on the map, from near", run: orientation },
  { name: "results: on paper with the query and the day", run: printed },
  { name: "results: namesakes by their street", run: alike },
  { name: "results: of a name, by which name, and where it ends", run: byName },
  { name: "results: a name that is lost, and whom the box would have suggested", run: lostName },
  { name: "results: saved and downloaded, the page and all", run: keeping },
  { name: "results: where the words end, with the way to all", run: whereItEnds },
  { name: "results: assets of who has no revenue", run: ofAssets },
  { name: "results: headings are true of the rows below them", run: headings },
  { name: "results: who has no code is told of", run: uncoded },
  { name: "results: an EIN with a wrong digit", run: mistyped },
  { name: "results: who helps somebody in danger", run: inDanger },
  { name: "filters: figures that hardly any has, controls for programs", run: offered },
  { name: "filters: values that are not known", run: notKnown },
  { name: "results: none, with ways to loosen", run: nothing },
  { name: "results: text that looks like markup stays text", run: strange },
];
