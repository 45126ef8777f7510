// Steps through the feed and the chat.
import { is, moreThan, soon, that } from "../browser.mjs";

const titles = (visit) => visit.texts(".feed-results .item-title");

async function posts(visit, { full }) {
  const { page } = visit;
  await visit.open("/#/feed");
  await visit.sees("number of posts", ".feed-results h2", /\d+ posts/);
  const all = await titles(visit);
  await page.selectOption("#feed-classification", "event");
  await visit.click(".feed-form button");
  await visit.arrives("#/feed?classification=event");
  await soon("kinds", () => visit.texts(".feed-results .item .spread .badge"), that("events only", (found) => found.length > 0 && found.every((one) => one === "Event")));

  const [word] = full.posts[0].post_title.match(/\p{L}{5,}/u);
  await page.selectOption("#feed-classification", "");
  await page.fill("#feed-search", word);
  await visit.press("Enter");
  await visit.arrives(`#/feed?search=${encodeURIComponent(word)}`);
  await soon("titles found", () => titles(visit), that(`“${full.posts[0].post_title}” among them`, (found) => found.includes(full.posts[0].post_title)));
  await visit.focuses("what has the focus", "feed-search");
  await visit.click(".feed-results .item p a");
  await soon("the address", () => visit.hash(), /^#\/nonprofit\/\d{9}$/);
  await visit.settled();
  await visit.back();
  await visit.value("the search after Back", "#feed-search", word);

  await page.fill("#feed-search", "zzqqxx");
  await visit.press("Enter");
  await visit.sees("nothing found", ".feed-results .empty", /No posts match these filters/);
  await visit.click(".feed-form .clear");
  await visit.arrives("#/feed");
  await soon("titles after Clear", () => titles(visit), all);
}

async function pages(visit) {
  const { page } = visit;
  await visit.open("/#/feed?size=10");
  const first = await titles(visit);
  is("posts of a page", first.length, 10);
  await visit.click(".pager a:has-text('Next')");
  await visit.arrives("#/feed?size=10&page=2");
  await soon("posts of page 2", () => titles(visit), that("10 others", (found) => found.length === 10 && found.some((one) => !first.includes(one))));
  await visit.back();
  await soon("posts after Back", () => titles(visit), first);
  await visit.open("/#/feed?page=9999");
  await visit.sees("past the last page", ".feed-results .empty", /There is no page 9999/);
}

async function tabs(visit) {
  await visit.open("/#/feed");
  await visit.find(".feed .tabs a").nth(1).focus();
  await visit.press("Enter");
  await visit.arrives("#/feed?tab=stories");
  await visit.counts("stories", ".feed-results .story", moreThan(0));
  await visit.focuses("what has the focus", "a Stories");
  await visit.page.fill("#feed-q", "school");
  await visit.press("Enter");
  await visit.arrives("#/feed?tab=stories&q=school");
  await visit.click(".feed .tabs a:has-text('Metrics')");
  await visit.arrives("#/feed?tab=metrics");
  await visit.counts("metrics", ".feed-results .metric", 20);
  await visit.counts("marked figures", ".feed-results .metric mark", moreThan(10));
  await soon("whose they are", () => visit.texts(".metric p a[href^='#/nonprofit']"), that("names, not EINs", (found) => found.length === 20 && found.every((one) => !/^\d\d-\d{7}$/.test(one))));
  is("title of the page", await visit.page.title(), "Metrics · Feed · Almoner");
}

async function refused(visit) {
  await visit.open("/#/feed?zip_code=12");
  await visit.sees("message at the field", "#feed-zip_code-error", /five digits/);
  is("the field is marked", await visit.page.getAttribute("#feed-zip_code", "aria-invalid"), "true");
  await visit.page.fill("#feed-zip_code", "");
  await visit.press("Enter");
  await visit.arrives("#/feed");
  await visit.counts("posts", ".feed-results .item", 20);
}

const said = (visit) => visit.texts(".turn .said");
const places = (visit, turn) => visit.find(".turn").nth(turn).locator(".cards .muted.small:not(.other-name)").allInnerTexts();

async function talk(visit) {
  const { page } = visit;
  await visit.open("/#/chat");
  await visit.counts("first messages to choose from", ".starters .chip", moreThan(0));
  await page.fill("#chat-box", "schools");
  await visit.press("Enter");
  await visit.counts("answers", ".turn .said", 1);
  await visit.counts("nonprofits of the answer", ".turn .cards > li", moreThan(2));
  await visit.value("the box after sending", "#chat-box", "");
  await visit.focuses("what has the focus", "chat-box");

  await visit.type("only ones in Ohio");
  await visit.press("Enter");
  await visit.counts("answers", ".turn .said", 2);
  is("the answer to the follow-up", (await said(visit))[1], /schools.*in Ohio/);
  is("places of the follow-up", await places(visit, 1), that("all in Ohio", (found) => found.length > 0 && found.every((one) => /, OH\b/.test(one))));

  const next = visit.find(".next-messages button");
  await soon("messages to send next", () => next.count(), moreThan(0));
  await visit.counts("lists of next messages", ".next-messages:visible", 1);
  await next.first().click();
  await visit.counts("answers", ".turn .said", 3);
  is("the call has the session", await page.locator(".chat .call code").textContent(), /x-session-id: [0-9a-f-]{36}/);

  const before = await said(visit);
  await page.reload();
  await visit.settled();
  await soon("answers after a reload", () => said(visit), before);
  await page.fill("#chat-box", "only ones in Texas");
  await visit.press("Enter");
  await visit.counts("answers", ".turn .said", 4);

  await visit.find(".turn .cards a").first().click();
  await soon("the address", () => visit.hash(), /^#\/nonprofit\/\d{9}$/);
  await visit.settled();
  await visit.back();
  await visit.counts("answers after Back", ".turn .said", 4);

  await visit.click("button:has-text('Start over')");
  await visit.counts("turns after Start over", ".turn", 0);
  await visit.counts("first messages again", ".starters .chip", moreThan(0));
  await page.reload();
  await visit.settled();
  await visit.counts("turns after another reload", ".turn", 0);
}

async function asked(visit) {
  await visit.open("/#/chat?q=What+is+an+EIN%3F");
  await visit.counts("answers", ".turn .said", 1);
  is("the address without the message", await visit.hash(), "#/chat");
  await visit.page.fill("#chat-box", "x".repeat(260));
  await visit.sees("what is too long", "#chat-note", "4 characters too long");
  await visit.press("Enter");
  await visit.counts("turns", ".turn", 1);
}

/** A card says that gifts are not deductible as a row of the search does. */
async function gifts(visit) {
  await visit.page.route("**/nonprofits/batch", async (route) => {
    const { eins } = await visit.sent(route);
    await route.fulfill({ json: eins.map((ein, at) => ({ ein, exemption: "501(c)(6)", deductible: at > 0 })) });
  });
  const said = "501(c)(6), gifts not deductible";
  const ends = (selector) => async () => (await visit.texts(selector)).map((text) => text.endsWith(said));
  const firstAlone = that("the first alone", ([first, ...others]) => first === true && others.length > 0 && !others.includes(true));
  await visit.open("/#/chat?q=schools");
  await soon("cards that say it", ends(".turn .cards .card-facts"), firstAlone);
  await visit.open("/#/search?q=schools");
  await soon("rows that say it", ends(".result-facts"), firstAlone);
}

async function gone(visit) {
  const { page } = visit;
  await visit.open("/#/chat");
  await page.route("**/chat?*", (route) => route.abort("connectionrefused"));
  await page.fill("#chat-box", "schools");
  await visit.press("Enter");
  await visit.sees("the problem", ".turn .problem", /is not responding/);
  await page.unroute("**/chat?*");
  await visit.click(".turn .problem button");
  await visit.counts("answers after Try again", ".turn .said", 1);
}

export default [
  { name: "feed: kinds, words, nothing found, clear", run: posts },
  { name: "feed: pages back and forth", run: pages },
  { name: "feed: tabs of stories and metrics", run: tabs },
  { name: "feed: refusals stand at their fields", allows: [422], run: refused },
  { name: "chat: message, follow-up, suggestion, reload, start over", run: talk },
  { name: "chat: message in the address, too long a message", run: asked },
  { name: "chat: gifts that are not deductible", run: gifts },
  { name: "chat: server gone, try again", allows: [/ERR_CONNECTION_REFUSED/], run: gone },
];
