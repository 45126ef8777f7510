// Steps through what is around the views: keys, theme, footer, faults, links from elsewhere, the
// keyboard, and the API reference.
import { is, moreThan, soon, that } from "../browser.mjs";
import { ask } from "../samples.mjs";

/** Pixels by which what comes late may move a row. */
const LINE = 24;
const placeNear = (at) => that(`${at} px, or a line beside it`, (found) => Math.abs(found - at) < LINE);

async function firstView(visit) {
  const { page, browser } = visit;
  const started = performance.now();
  await page.goto(`${browser.origin}/`, { waitUntil: "commit" });
  await page.locator("#q").fill("a");
  const took = performance.now() - started;
  await visit.sees("heading", "h1", /^Find a nonprofit/);
  await visit.sees("what the snapshot holds", "#holdings", /nonprofits from \d+ sources.*Built/);
  await visit.counts("rows of sources", ".greeting tbody tr", moreThan(2));
  await visit.counts("examples", ".greeting .chip", moreThan(3));
  await visit.sees("what is in here and from when", ".held", /^This server holds \d+ organizations/);
  await visit.counts("causes", ".browse .counted li", moreThan(10));
  return `search box usable after ${Math.round(took)} ms`;
}

async function strays(visit) {
  await visit.page.route(/\/coverage$/, async (route) => {
    const body = await (await route.fetch()).json();
    const states = [["ME", "Maine", 10_000], ["KY", "Kentucky", 20_000], ["AL", "Alabama", 2]]
      .map(([state, name, organizations]) => ({ state, name, organizations, in_master_file: state === "AL" ? 0 : organizations, counties: [] }));
    await route.fulfill({ json: { ...body, states } });
  });
  await visit.open("/");
  await soon("places whose file is loaded", () => visit.texts("section[aria-label='By place'] li a"), ["Kentucky", "Maine"]);
  await visit.sees("the others", ".browse details summary", "1 place whose list is not loaded");
  is("examples", await visit.texts(".examples .chip"), that("in loaded states", (found) => found.includes("food banks in Kentucky") && found.every((one) => !one.includes("Alabama"))));
  const lines = await visit.find(".ways > li").evaluateAll((all) => new Set(all.map((one) => Math.round(one.getBoundingClientRect().top))).size);
  is("rows of the four ways in", lines, 1);
}

async function links(visit, { full, told }) {
  const views = [
    ["/#/search?q=schools&state=TX&show=map&size=10", "h1", /schools/], [`/#/nonprofit/${full.ein}`, "h1", full.name],
    [`/#/nonprofit/${told}?section=stories`, "h2", /./], ["/#/feed?classification=video", ".feed-results h2", /post/],
    ["/#/feed?tab=stories", ".feed-results h2", /stor/], ["/#/feed?tab=metrics&page=2", ".feed-results h2", /metrics/],
    ["/#/chat", "h1", "Ask"], ["/#/nowhere", "h1", "There is no such page"], [`/#ein=${full.ein}`, "h1", full.name],
    ["/docs#schemas", "h1", /\d\.\d/],
  ];
  for (const [address, selector, expected] of views) {
    await visit.open(address);
    await visit.sees(`${selector} of ${address}`, selector, expected);
    is(`title of ${address}`, await visit.page.title(), that("more than the program's name", (found) => found.length > "Almoner".length));
  }
}

async function withoutPosts(visit) {
  await visit.open("/");
  await soon("the feed where there are posts", () => visit.find("header nav a[data-view=feed]").isVisible(), true);
  const asked = visit.page.waitForResponse(/\/feed\/posts/);
  await visit.page.route(/\/feed\/posts/, (route) => route.fulfill({ json: { items: [], total: 0, page: 1, size: 1 } }));
  await visit.open("/");
  await asked;
  await visit.counts("what the server holds", ".held:has-text('holds')", 1);
  is("the feed where there are none", await visit.find("header nav a[data-view=feed]").isVisible(), false);
}

async function navigation(visit) {
  await visit.open("/");
  for (const [name, heading] of [["Feed", "Feed"], ["Ask", "Ask"], ["Search", /^Find a nonprofit/]]) {
    await visit.click(`header nav a:has-text('${name}')`);
    await visit.sees(`heading of ${name}`, "h1", heading);
    is(`current link of ${name}`, await visit.texts("header nav [aria-current]"), [name]);
    await visit.settled();
  }
  await visit.click("header nav a:has-text('API')");
  await soon("the address", () => visit.page.evaluate(() => location.pathname), "/docs");
}

async function wrongKey(visit) {
  const { page, browser } = visit;
  await page.goto(`${browser.origin}/#/search?q=schools`);
  await visit.sees("why a key is asked for", "#key-why", /is not valid here/);
  await page.fill("#key-box", "alm_wrong");
  await visit.click("dialog button:has-text('Use this key')");
  await visit.sees("after another wrong key", "#key-note", /This key is not valid/);
  await page.fill("#key-box", browser.key);
  await visit.press("Enter");
  await visit.counts("dialogs", "dialog", 0);
  await visit.counts("results", ".result", moreThan(0));
  await page.reload();
  await visit.counts("results with the key that was kept", ".result", moreThan(0));
  await visit.counts("dialogs after a reload", "dialog", 0);
}

async function keyInAddress(visit) {
  const { page, browser } = visit;
  await page.goto(`${browser.origin}/#key=${encodeURIComponent(browser.key)}`);
  await visit.settled();
  is("the address without the key", await visit.hash(), "");
  await visit.counts("dialogs", "dialog", 0);
  await page.goto(`${browser.origin}/#/search?q=schools`);
  await visit.counts("results", ".result", moreThan(0));
}

async function withoutKey(visit) {
  const { page, browser } = visit;
  await page.goto(`${browser.origin}/#/feed`);
  await visit.sees("why a key is asked for", "#key-why", /requires an API key/);
  await visit.click("dialog button:has-text('Not now')");
  await soon("the dialog or the problem", async () => {
    // A dialog may close by itself between the look and the click.
    await visit.find("dialog button:has-text('Not now')").click({ timeout: 500 }).catch(() => {});
    return (await visit.texts("main .problem"))[0] ?? "";
  }, /Without a key/);
}

async function serverGone(visit, { full }) {
  const { page } = visit;
  await visit.open("/");
  const api = /\/(beta|feed|impact|nonprofits|typeahead)\//;
  for (const [hash, there] of [["#/search?q=schools", ".result"], ["#/feed", ".item"], [`#/nonprofit/${full.ein}`, ".profile-head"]]) {
    await page.route(api, (route) => route.abort("connectionrefused"));
    await page.evaluate((to) => { location.hash = to; }, hash);
    await visit.sees(`the problem at ${hash}`, "main .problem", /server is not responding.*Try again/i);
    await page.unroute(api);
    await visit.click(".problem button");
    await visit.counts(`what is at ${hash} after Try again`, there, moreThan(0));
    await visit.counts("problems left", ".problem", 0);
  }
}

async function theme(visit) {
  const { page } = visit;
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await visit.open("/");
  const light = await ground();
  await visit.click("#theme");
  is("the page", await ground(), that(`another colour than ${light}`, (found) => found !== light));
  const dark = await ground();
  is("what the button offers now", await visit.find("#theme").getAttribute("aria-label"), "Light theme");
  await page.reload();
  await visit.settled();
  is("the page after a reload", await ground(), dark);
  await visit.open("/docs");
  is("the API reference", await ground(), dark);
  await visit.click("#theme");
  is("the page after the way back", await ground(), light);
}

async function docs(visit) {
  const { page, browser } = visit;
  const api = await ask(browser.origin, browser.key, "/openapi.json");
  await visit.open("/docs");
  const operations = Object.entries(api.paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));
  is("endpoints", (await visit.texts(".endpoint h3")).sort(), operations.sort());
  is("paths of the contents", (await visit.texts(".contents li a")).sort(), operations.map((one) => one.replace(/^GET /, "")).sort());
  is("schemas", (await visit.texts("details.schema > summary")).sort(), Object.keys(api.components.schemas).sort());
  const endpoint = visit.find(".endpoint", { hasText: "GET /typeahead/nonprofits" });
  await endpoint.locator("summary", { hasText: "Try it here" }).click();
  await endpoint.locator(".try input").fill("/typeahead/nonprofits?q=fo&limit=2");
  await endpoint.locator(".try button").click();
  await soon("answer of Try it", () => endpoint.locator("pre.answer").innerText(), /"query": "fo"[^]*"ein": "\d{9}"/);
  await endpoint.locator(".try input").fill("//example.org/");
  await endpoint.locator(".try button").click();
  await soon("refusal of another host", () => endpoint.locator(".try + div").innerText(), /starts with one/);
  const [schema] = Object.keys(api.components.schemas);
  await page.goto(`${browser.origin}/docs#${schema}`);
  await visit.settled();
  await soon("the schema of the address is open", () => page.evaluate((id) => document.getElementById(id)?.open, schema), true);
}

async function calls(visit) {
  const { page, browser } = visit;
  await visit.allowClipboard();
  await visit.open("/#/search?q=it%27s+schools&state=NY");
  await visit.click(".call > summary");
  const line = await page.locator(".call pre").innerText();
  is("the call", line, /^curl -H "X-API-Key: \$KEY" 'http:\/\/.*\/beta\/nonprofits\/search\?.*q=it%27s\+schools.*state=NY/);
  await visit.click(".copy");
  await visit.sees("the button", ".copy", "Copied");
  is("the clipboard", await page.evaluate(() => navigator.clipboard.readText()), line);
  const path = line.slice(line.indexOf("'") + 1, -1).replace(browser.origin, "");
  is("nonprofits that the call gives", (await ask(browser.origin, browser.key, path)).nonprofits.length, await visit.find(".result").count());
}

/** Tabs on until something that fits has the focus, so that nothing on the way is out of reach. */
async function tabTo(visit, what, selector) {
  const passed = [];
  for (let step = 0; step < 120; step += 1) {
    await visit.press("Tab");
    if (await visit.page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) {
      const outlined = await visit.page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        return outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
      });
      is(`${what} shows that it has the focus`, outlined, true);
      return passed;
    }
    passed.push(await visit.focus());
  }
  return is(`what Tab reaches on the way to ${what}`, passed, that(what, () => false));
}

async function keyboard(visit) {
  const { page } = visit;
  await visit.open("/#/search?q=schools+in+Texas");
  await visit.fromTop();
  await tabTo(visit, "the skip link", "body > .skip");
  is("the skip link is seen", (await visit.find("body > .skip").boundingBox()).y, that("0 or more", (found) => found >= 0));
  await tabTo(visit, "the navigation", "header nav a[data-view=feed]");
  await tabTo(visit, "the theme", "#theme");
  await tabTo(visit, "the way to the results", ".view .skip");
  await tabTo(visit, "the box", "#q");
  await tabTo(visit, "the filters", ".filters input, .filters select, .filters summary");
  await tabTo(visit, "a chip", ".chip");
  await tabTo(visit, "the order", "#sort-by");
  await tabTo(visit, "a result", ".result h2 a");
  await visit.press("Enter");
  await soon("the address", () => visit.hash(), /^#\/nonprofit\/\d{9}$/);
  await visit.settled();
  await visit.focuses("what has the focus in the profile", /^h1 /);
  await visit.open("/#/feed");
  await visit.fromTop();
  await tabTo(visit, "the skip link", ".skip");
  await visit.press("Enter");
  await visit.focuses("what has the focus after the skip link", /^h1 Feed/);
}

async function scrolling(visit) {
  const { page } = visit;
  await visit.open("/#/search?size=50");
  await visit.find(".result h2 a").nth(30).scrollIntoViewIfNeeded();
  const at = await page.evaluate(() => Math.round(scrollY));
  is("how far the page is scrolled", at, moreThan(500));
  // The place is kept with the entry of the history a moment after the last scrolling.
  await soon("the place is kept", () => page.evaluate(() => Number(sessionStorage.getItem(history.state.entry))), at);
  await visit.find(".result h2 a").nth(30).click();
  await soon("the address", () => visit.hash(), /^#\/nonprofit\//);
  await visit.settled();
  await soon("the profile begins at its top", () => page.evaluate(() => scrollY), 0);
  await visit.back();
  await visit.arrives("#/search?size=50");
  await soon("the place after Back", () => page.evaluate(() => Math.round(scrollY)), placeNear(at));
}

/** Who scrolls and at once opens a result is faster than what keeps the place while one scrolls. */
async function scrollingFast(visit) {
  const { page } = visit;
  await visit.open("/#/search?size=50");
  await visit.counts("results", ".result", moreThan(30));
  await visit.settled();
  const at = await page.evaluate(() => {
    const link = document.querySelectorAll(".result h2 a")[30];
    link.scrollIntoView({ block: "center" });
    link.click();
    return Math.round(scrollY);
  });
  is("how far the page is scrolled", at, moreThan(500));
  await soon("the address", () => visit.hash(), /^#\/nonprofit\//);
  await visit.settled();
  await visit.back();
  await visit.arrives("#/search?size=50");
  await soon("the place after Back", () => page.evaluate(() => Math.round(scrollY)), placeNear(at));
}

export default [
  { name: "first view", alone: true, run: firstView },
  { name: "first view: places of other lists apart, examples of those loaded", run: strays },
  { name: "links from elsewhere to every view", allows: [404], run: links },
  { name: "navigation: the feed only where there are posts", run: withoutPosts },
  { name: "navigation: current view is marked", run: navigation },
  { name: "key: a wrong one is asked for again, the right one goes on", visit: { key: "alm_revoked" }, allows: [401], run: wrongKey },
  { name: "key: taken from the address and removed from it", visit: { key: null }, allows: [401], run: keyInAddress },
  { name: "key: none, not now", visit: { key: null }, allows: [401, /Without a key/], run: withoutKey },
  { name: "server gone: the problem is told, Try again goes on", allows: [/ERR_CONNECTION_REFUSED/, /is not responding/, /^console: Error http/], run: serverGone },
  { name: "theme: toggled, kept, the same in the reference", run: theme },
  { name: "API reference: every path, try it", run: docs },
  { name: "API calls: of a view, copied", run: calls },
  { name: "keyboard alone reaches everything", run: keyboard },
  { name: "scroll position comes back with Back", run: scrolling },
  { name: "scroll position comes back with Back from a link followed at once", run: scrollingFast },
];
