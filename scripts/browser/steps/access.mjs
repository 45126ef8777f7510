// Every view and state in both themes and at three widths: axe, no scrolling sideways, targets that can be hit, pictures.
import { is, moreThan, soon } from "../browser.mjs";
import { inline, xlsx, zip } from "../workbooks.mjs";
import { file, give } from "./match.mjs";
import { shownList } from "./lists.mjs";

const unfold = (visit) => visit.page.evaluate(() => {
  for (const one of document.querySelectorAll("details")) one.open = true;
});

const openFilters = (visit) => visit.page.evaluate(() => { document.querySelector("details.filters").open = true; });

async function typed(visit) {
  await visit.open("/");
  await visit.find("#q").focus();
  await visit.type("founda");
  await visit.counts("suggestions", "[role=option]", moreThan(0));
  await visit.press("ArrowDown");
}

async function asked(visit) {
  const { page, browser } = visit;
  await page.goto("about:blank");
  await page.route(/\/beta\//, (route) => route.fulfill({ status: 401, contentType: "application/json", body: '{"detail":"no"}' }));
  await page.goto(`${browser.origin}/#/search?q=schools`);
  await visit.counts("dialogs", "dialog[open]", 1);
}

async function gone(visit) {
  const { page, browser } = visit;
  await page.goto("about:blank");
  await page.route(/\/feed\/posts/, (route) => route.abort("connectionrefused"));
  await page.goto(`${browser.origin}/#/feed`);
  await visit.counts("problems", ".problem", 1);
}

async function talked(visit) {
  await visit.open("/#/chat?q=schools+in+Texas");
  await visit.counts("answers", ".turn .said", 1);
  await soon("messages to send next", () => visit.find(".next-messages button").count(), moreThan(0));
}

async function mapped(visit) {
  await visit.open("/#/search?q=schools+in+Texas&show=map");
  await visit.counts("outlines of the country", ".map-ground", 1);
  await visit.find(".map-mark").first().focus();
  await visit.press("Enter");
  await soon("the card", () => visit.find(".map-card").isVisible(), true);
}

async function listed(visit, { named }) {
  await give(visit, `name,city,state,name\n${named.name},${named.city},${named.state},\n${named.name},Zzqq,WY,\na,b\n`);
  await visit.counts("columns", ".columns", 1);
}

async function matched(visit, samples) {
  await listed(visit, samples);
  await visit.click("button:has-text('Match ')");
  await visit.counts("rows", ".match-row", 3);
  await visit.find(".match-row").first().focus();
  await visit.press("1");
  await visit.press("ArrowUp");
}

async function sheeted(visit) {
  await visit.open("/#/match");
  await file(visit, "sheets.xlsx", zip(xlsx([{ name: "Notes", rows: "" }, { name: "Grantees of the years before, by county", rows: inline(["As of March"], 1) + inline(["Name", "City"], 3) + inline(["Alpha", "Reno"], 4) }])));
  await visit.counts("choices of a sheet", "#match-sheet", 1);
}

async function adding(visit, samples) {
  await matched(visit, samples);
  await visit.page.route("**/nonprofits/batch", (route) => route.fulfill({ status: 422, json: { detail: "The server has no such column." } }));
  await visit.click("summary:has-text('Add columns')");
  await visit.page.check(".match-adding label:has-text('Revenue') input");
  await visit.click("button:has-text('Download as CSV')");
  await visit.counts("problems", ".match-output .problem", 1);
}

const listPanel = (name) => async (visit) => {
  await shownList(visit);
  await visit.click(`#tool-${name}`);
};

const opened = (address) => (visit) => visit.open(address);
const unfolded = (address) => async (visit) => {
  await visit.open(address);
  await unfold(visit);
};

/**
 * Name (that of its pictures too), how to get there, and: `again`, what a change of the width has
 * undone; `repeated`, what the view has so much of, all alike, that it is looked at as a whole only
 * once, and then the first few stand for the rest.
 */
export const STATES = [
  ["greeting", opened("/")],
  ["suggestions", typed],
  ["results", opened("/#/search?q=schools+in+Texas&sdgs=4")],
  ["filters", unfolded("/#/search?q=schools&state=NY&min_revenue=1000&ntee_codes=B,A20"), { again: unfold }],
  ["refused", opened("/#/search?q=schools&state=ZZ&zip_code=1&min_revenue=5&max_revenue=2"), { again: openFilters }],
  ["nothing", opened("/#/search?q=schools&state=WY&min_revenue=900000000000")],
  ["map", mapped, { repeated: ".result" }],
  ["profile", (visit, { full }) => visit.open(`/#/nonprofit/${full.ein}`)],
  ["profile-unfolded", (visit, { told }) => unfolded(`/#/nonprofit/${told}`)(visit)],
  ["profile-plain", (visit, { plain }) => visit.open(`/#/nonprofit/${plain}`)],
  ["return", (visit, { full }) => visit.open(`/#/return/${full.ein}/${full.returns[0].period_end}`)],
  ["grants", (visit, { grantor }) => visit.open(`/#/nonprofit/${grantor.ein}?section=made`)],
  ["funders", opened("/#/funders"), { repeated: ".feed-results li" }],
  ["funders-nothing", opened("/#/funders?q=zzqqxx")],
  ["people", (visit, { full }) => visit.open(`/#/people?${new URLSearchParams({ q: full.returns.find(({ officers }) => officers.length).officers[0].name })}`), { repeated: ".feed-results li" }],
  ["people-nothing", opened("/#/people?q=zzqqxx")],
  ["profile-unknown", opened("/#/nonprofit/000000019")],
  ["feed", unfolded("/#/feed"), { repeated: ".feed-results .item" }],
  ["feed-refused", opened("/#/feed?zip_code=12")],
  ["feed-nothing", opened("/#/feed?search=zzqqxx")],
  ["stories", unfolded("/#/feed?tab=stories"), { repeated: ".feed-results .item" }],
  ["metrics", opened("/#/feed?tab=metrics"), { repeated: ".feed-results .metric" }],
  ["match", opened("/#/match")],
  ["match-columns", listed],
  ["match-sheets", sheeted],
  ["match-results", matched],
  ["match-adding", adding],
  ["chat", opened("/#/chat")],
  ["chat-answer", talked],
  ["docs", unfolded("/docs"), { again: unfold, repeated: "details.schema, .endpoint" }],
  ["lists", (visit) => shownList(visit, "/#/lists", 2)],
  ["list", (visit) => shownList(visit)],
  ["list-export", listPanel("exporting")],
  ["list-add", listPanel("adding")],
  ["list-shared", (visit, { full, plain }) => visit.open(`/#/shared?name=To+visit&eins=${full.ein},${plain},000000019,none`)],
  ["compare", (visit, { full, plain }) => visit.open(`/#/compare?eins=${full.ein},${plain},000000019`)],
  ["compare-none", opened("/#/compare")],
  ["no-page", opened("/#/nowhere")],
  ["key", asked],
  ["gone", gone],
];

const WIDTHS = [1280, 390, 320];
const REPEATED_KEPT = 4;

/** All rules in light; dark can only differ in its colours. */
async function look(visit, name, width, { repeated }) {
  const { shots } = visit.browser;
  await visit.narrow(`${name} at ${width} px`);
  await visit.targets(`${name} at ${width} px`);
  for (const theme of ["light", "dark"]) {
    await visit.page.emulateMedia({ colorScheme: theme });
    if (shots) await visit.shot(`${shots}/${name}-${theme}-${width}.png`);
    if (width > 320) await visit.axe(`${name} at ${width} px, ${theme}`, { colours: theme === "dark" });
    if (repeated) {
      await visit.find(repeated).evaluateAll((all, kept) => all.slice(kept).forEach((one) => { one.hidden = true; }), REPEATED_KEPT);
    }
  }
}

const step = ([name, reach, { repeated, again } = {}]) => ({
  name: `access: ${name}`,
  allows: [401, 404, 422, /ERR_CONNECTION_REFUSED/, /is not responding/],
  run: async (visit, samples) => {
    const { page } = visit;
    await reach(visit, samples);
    is("headings of the first rank", await visit.find("h1").count(), 1);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width > 500 ? 900 : 800 });
      await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
      await again?.(visit);
      await look(visit, name, width, { repeated });
    }
  },
});

/** Where the layout itself depends on the width when it is made, the page is opened at that width. */
async function cold(visit, samples) {
  for (const address of ["/", "/#/search?q=schools+in+Texas&show=map", `/#/nonprofit/${samples.full.ein}`, "/#/feed", "/docs"]) {
    await visit.open(address);
    await visit.narrow(`${address} opened at 320 px`);
  }
}

async function large(visit) {
  await visit.open("/#/search?q=schools+in+Texas");
  await visit.page.evaluate(() => { document.documentElement.style.fontSize = "200%"; });
  await visit.narrow("results with text of twice the size at 640 px");
}

export default [
  ...STATES.map(step),
  { name: "access: opened at 320 px", visit: { width: 320, height: 640 }, run: cold },
  { name: "access: text of twice the size", visit: { width: 640 }, run: large },
];
