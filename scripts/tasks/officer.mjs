// The task of a program officer on the page, as one way through it: find an organization of which the name and the town
// are known, tell it from its namesakes, check it, compare it, keep it with a note, and hand the list on. What is pressed
// is found by what it is called, as somebody who sees the page, or hears it, finds it.
//
//   node officer.mjs --origin http://127.0.0.1:8080 --key KEY --chromium /usr/bin/chromium [--shots DIR]
import { parseArgs } from "node:util";
import { Browser, is, moreThan, soon, that } from "../browser/browser.mjs";
import { report } from "../browser/runner.mjs";
import { ask } from "../browser/samples.mjs";

const BOX = /^Name, EIN/;
const NOTE = "Site visit in May; ask about the reserves";
const COMPARED = 3;

const dashed = (ein) => `${ein.slice(0, 2)}-${ein.slice(2)}`;
const withText = (...texts) => that(`with ${texts.map((one) => `“${one}”`).join(" and ")}`, (found) => typeof found === "string" && texts.every((one) => found.includes(one)));
const lines = (locator) => locator.allInnerTexts().then((all) => all.map((one) => one.replace(/\s+/g, " ").trim()));

/** Namesakes in different towns, one of which has a return that names people. */
async function sample(origin, key) {
  const get = (path) => ask(origin, key, path);
  const all = [];
  for (let page = 1, total = 1; all.length < total; page += 1) {
    const body = await get(`/nonprofits/search?size=100&page=${page}`);
    total = body.total;
    all.push(...body.items);
  }
  for (const one of all.filter(({ filingYear, city }) => filingYear && city)) {
    const namesakes = all.filter(({ name }) => name.toLowerCase() === one.name.toLowerCase());
    if (new Set(namesakes.map(({ city }) => city)).size < 2) continue;
    const people = await get(`/nonprofits/people/${one.ein}?size=100`);
    if (people.total) return { one, people, namesakes };
  }
  throw new Error("no namesakes of the data have returns that name people");
}

const search = async (visit, text) => {
  await visit.page.getByRole("combobox", { name: BOX }).fill(text);
  await visit.page.getByRole("button", { name: "Search", exact: true }).click();
  await soon("the heading", () => visit.page.getByRole("heading", { level: 1 }).innerText(), withText(text));
  await visit.settled();
};

async function found(visit, { one }) {
  await visit.open("/");
  await search(visit, `${one.name} ${one.city}`);
  const first = visit.page.getByRole("region", { name: "Results" }).getByRole("listitem").filter({ has: visit.page.getByRole("heading") }).first();
  await soon("the first result", () => first.innerText(), withText(one.name, `${one.city}, ${one.state}`, dashed(one.ein)));
}

async function toldApart(visit, { one, namesakes }) {
  await search(visit, one.name);
  const rows = visit.page.getByRole("region", { name: "Results" }).getByRole("listitem").filter({ has: visit.page.getByRole("heading", { name: one.name, exact: true }) });
  await soon("rows of that name", () => rows.count(), namesakes.length);
  for (const { ein, city, state } of namesakes) {
    await soon(`the row of ${dashed(ein)}`, () => rows.filter({ hasText: dashed(ein) }).innerText(), withText(`${city}, ${state}`, `${namesakes.length} of this name`));
  }
  await rows.filter({ hasText: dashed(one.ein) }).getByRole("link", { name: one.name }).click();
  await soon("the heading", () => visit.page.getByRole("heading", { level: 1 }).innerText(), one.name);
}

async function checked(visit, { one }) {
  const standing = visit.page.locator("dl", { hasText: "Exemption" }).and(visit.page.getByLabel("Standing"));
  const said = await soon("its standing", () => standing.innerText(), withText("Exemption", "Gifts", "Revocation"));
  is("lists that say so, or that one is not loaded", said.match(/\b\w+ \d{4}$|not loaded$/gm)?.length, 3);
  await soon("its address", () => visit.page.getByRole("main").innerText(), withText(dashed(one.ein), one.city));
}

async function board(visit, { people }) {
  await visit.page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "People" }).click();
  const names = visit.page.getByRole("group", { name: "People" }).getByRole("rowheader");
  const [year] = people.years;
  const expected = people.items.filter(({ tax_year: of }) => of === year).map(({ name }) => name.toLowerCase());
  await soon("who is on the board", async () => (await lines(names)).map((name) => name.toLowerCase()), that(
    `${expected.length} people, ${expected.slice(0, 3).join(", ")}…`, (all) => all.length > 0 && all.every((name) => expected.includes(name))));
}

async function source(visit) {
  const figure = visit.page.getByRole("button", { name: /^\$.*, show the source$/ }).first();
  await figure.click();
  await soon("the source of a figure", () => visit.page.locator(":popover-open").innerText(), /^−?\$[\d,]+\. (Form 990|IRS).*\w+ \d{4}/s);
  await visit.press("Escape");
}

async function kept(visit, { one }) {
  await visit.page.getByRole("main").getByRole("button", { name: `Save ${one.name}` }).first().click();
  await visit.page.getByRole("link", { name: "Open the list" }).click();
  await soon("the heading", () => visit.page.getByRole("heading", { level: 1 }).innerText(), "Saved");
  await visit.page.getByRole("textbox", { name: `Note on ${one.name}` }).fill(NOTE);
  await visit.page.reload();
  await soon("the note after a reload", () => visit.page.getByRole("textbox", { name: `Note on ${one.name}` }).inputValue(), NOTE);
}

async function compared(visit, { one, memory }) {
  await visit.page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Search" }).click();
  await search(visit, `${one.issueArea ?? "schools"} in ${one.state}`);
  for (let at = 0; at < COMPARED; at += 1) await visit.page.getByRole("button", { name: /^Compare / }).nth(at).click();
  const tray = visit.page.getByRole("region", { name: "To compare" });
  await soon("the bar", () => tray.innerText(), withText(`${COMPARED} to compare`));
  for (const name of await lines(visit.page.getByRole("button", { name: /^Compare /, pressed: true }))) memory.push(name.replace("Compare ", ""));
  await tray.getByRole("link", { name: "Compare" }).click();
  const table = visit.page.getByRole("group", { name: "Comparison" }).getByRole("table");
  await soon("heads of the comparison", async () => (await lines(table.getByRole("columnheader").getByRole("link"))), memory);
  is("rows that tell them apart", await lines(table.getByRole("rowheader")), that("address, standing and revenue", (all) => ["Address", "Exemption", "Revenue"].every((row) => all.includes(row))));
  const cells = await lines(table.locator("tr[data-row]").getByRole("cell"));
  is("cells that are neither known nor say why not", cells.filter((text) => text === "" || text === "not known"), []);
}

async function exported(visit, { one, memory }) {
  await visit.page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Lists" }).click();
  await visit.page.getByRole("link", { name: "Saved", exact: true }).click();
  await visit.page.getByRole("button", { name: "Export", exact: true }).click();
  const { name, text } = await visit.download(() => visit.page.getByRole("button", { name: "Export as CSV" }).click());
  is("the file", name, "Saved.csv");
  is("its row", text, withText(dashed(one.ein), one.name, NOTE));
  memory.length = 0;
}

async function shared(visit, { one, browser }) {
  await visit.page.getByRole("button", { name: "Share", exact: true }).click();
  const link = await visit.page.getByRole("region", { name: "Link to the list" }).innerText();
  const other = await browser.visit({ key: null });
  try {
    await other.page.goto(link);
    await other.page.getByLabel("API key", { exact: true }).fill(browser.key);
    await other.page.getByRole("button", { name: "Use this key" }).click();
    await soon("the heading for who has the link", () => other.page.getByRole("heading", { level: 1 }).innerText(), "Saved");
    await soon("the list for who has the link", () => other.page.getByRole("main").innerText(), withText(one.name, dashed(one.ein)));
    is("whether the note went with it", (await other.page.getByRole("main").innerText()).includes(NOTE), false);
  } finally {
    await other.close();
  }
}

const STEPS = [
  ["an organization by its name and town", found],
  ["its namesakes are told apart", toldApart],
  ["its standing, with the lists that say so", checked],
  ["who is on the board", board],
  ["the source of a number", source],
  ["put on a list, with a note that stays", kept],
  ["three side by side", compared],
  ["the list as CSV, with the note", exported],
  ["the list by link, in a browser that has never been here", shared],
];

const { values } = parseArgs({ options: Object.fromEntries(["origin", "key", "chromium", "shots"].map((name) => [name, { type: "string" }])) });
const browser = await Browser.start({ executable: values.chromium, origin: values.origin, key: values.key, shots: values.shots });
try {
  const known = { ...await sample(values.origin, values.key), browser, memory: [] };
  const visit = await browser.visit();
  for (const [at, [name, run]] of STEPS.entries()) {
    const started = performance.now();
    const failure = await run(visit, known).then(() => {
      is("complaints of the browser", visit.complaints(), []);
    }).catch((error) => error.message);
    if (values.shots) await visit.shot(`${values.shots}/${at + 1}.png`);
    report({ name: `officer: ${name}`, milliseconds: performance.now() - started, failure });
    // What follows goes on from here.
    if (typeof failure === "string") {
      process.exitCode = 1;
      break;
    }
  }
} finally {
  await browser.close();
}
