// Steps through lists and the comparison: saving, notes, files and links that come and go, two tabs,
// storage that is broken or full.
import { is, soon, that } from "../browser.mjs";
import { ask } from "../samples.mjs";
import { inline, xlsx, zip } from "../workbooks.mjs";

const STORE = "almoner-lists";
const ROWS_MAX = 1000;

const some = async ({ browser }, size) => (await ask(browser.origin, browser.key, `/nonprofits/search?size=${size}`)).items;
const dashed = (ein) => `${ein.slice(0, 2)}-${ein.slice(2)}`;
const kept = (visit) => visit.page.evaluate((key) => JSON.parse(localStorage.getItem(key)), STORE);

/** Keeps lists as if they had been made before, then opens a view. */
async function keeping(visit, lists, address, more = {}) {
  const shelf = { version: 1, current: lists[0]?.id ?? null, picks: [], lists: lists.map((one) => ({ note: "", ...one, rows: one.rows.map((row) => ({ note: "", ...row })) })), ...more };
  await visit.open("/#/lists");
  await visit.page.evaluate(([key, text]) => localStorage.setItem(key, text), [STORE, JSON.stringify(shelf)]);
  await visit.open(address);
}

const rowsOf = (items) => items.map(({ ein, name }) => ({ ein, name }));
const table = ".list-table tbody tr";
const names = (visit) => visit.texts(`${table} th a`);

async function saved(visit) {
  await visit.open("/#/search?q=schools");
  const name = (await visit.texts(".result h2"))[0];
  await visit.click(".result .save");
  is("whether the first is saved", await visit.find(".result .save").first().getAttribute("aria-pressed"), "true");
  await visit.sees("what is said", ".result .beside", "Saved to “Saved”. Open the list");
  await visit.page.reload();
  await visit.settled();
  await visit.sees("the button after a reload", ".result .save", /^Saved/);
  await visit.open("/#/lists");
  await visit.sees("the list", ".lists-one", /^Saved 1 organization/);
  await visit.click(".lists-one h2 a");
  await visit.arrives(/^#\/list\//);
  is("organizations of the list", await names(visit), [name]);
  await visit.find(`${table} textarea`).fill("Call <b>her</b>, =1+1");
  await visit.find("#list-note").fill("The first of all");
  await visit.page.reload();
  await visit.settled();
  await visit.value("the note after a reload", `${table} textarea`, "Call <b>her</b>, =1+1");
  await visit.value("the note on the list", "#list-note", "The first of all");
  await visit.click(`${table} .of-remove button`);
  await visit.sees("what is left", ".list-rows", /Nothing is in this list/);
  await visit.click(".tray .undo");
  await visit.value("the note after Undo", `${table} textarea`, "Call <b>her</b>, =1+1");
}

async function several(visit, { full }) {
  await keeping(visit, [{ id: "a", name: "One", rows: [] }, { id: "b", name: "Two", rows: [] }], `/#/nonprofit/${full.ein}`);
  await visit.click(".profile-head .save");
  await visit.find("dialog .check", { hasText: "Two" }).locator("input").check();
  await visit.find("#new-list-name").fill("Three");
  await visit.press("Enter");
  await visit.counts("dialogs", "dialog", 0);
  is("lists that have it", (await kept(visit)).lists.filter(({ rows }) => rows.length === 1).map(({ name }) => name), ["Two", "Three"]);
  await visit.sees("the button", ".profile-head .save", /^Saved/);
  await visit.focuses("what has the focus after the dialog", /Saved/);
}

async function managed(visit) {
  await visit.open("/#/lists");
  await visit.find("#new-name").fill("Museums & <i>more</i>");
  await visit.press("Enter");
  await visit.arrives(/^#\/list\//);
  await visit.sees("heading", "h1", "Museums & <i>more</i>");
  await visit.click("#tool-renaming");
  await visit.find("#list-name").fill("Museums");
  await visit.press("Enter");
  await visit.sees("heading after renaming", "h1", "Museums");
  is("title of the page", await visit.page.title(), "Museums · Almoner");
  await visit.open("/#/lists");
  await visit.click(".lists-one .rename");
  await visit.find(".lists-rename input").fill("Libraries");
  await visit.press("Enter");
  await visit.sees("name after renaming", ".lists-one h2", "Libraries");
  await visit.click(".lists-one .delete");
  await visit.sees("what is left", "main .state", /There is no list yet/);
  await visit.click(".tray .undo");
  await visit.sees("name after Undo", ".lists-one h2", "Libraries");
  await visit.open("/#/list/none");
  await visit.sees("a list that is not there", "h1", "There is no such list");
}

async function pasted(visit) {
  const items = await some(visit, 4);
  await keeping(visit, [{ id: "a", name: "Pasted", rows: rowsOf(items.slice(0, 1)) }], "/#/list/a");
  await visit.click("#tool-adding");
  const text = [items[0].ein, dashed(items[1].ein), items[2].ein, items[2].ein, "123456", "<img src=x>", "00000019"].join("\n");
  await visit.find("#add-eins").fill(text);
  await visit.click(".list-panel .primary");
  await visit.sees("what was added", "#add-said", /^3 organizations were added\. 1 was in the list already\. Left out, as they are not EINs: “123456”, “<img”, “src=x>”\./);
  await visit.counts("rows", table, 4);
  await soon("names of those that were added", () => names(visit), that("those of the server", (found) => items.slice(0, 3).every(({ name }) => found.includes(name))));
  await visit.sees("one that is not known", `${table}[data-ein="000000019"]`, /Not in this server’s data/);
  await visit.value("what stays to be mended", "#add-eins", "123456\n<img\nsrc=x>");
}

async function ordered(visit) {
  const items = await some(visit, 7);
  await keeping(visit, [{ id: "a", name: "Ordered", rows: rowsOf(items) }], "/#/list/a");
  is("names as added", await names(visit), items.map(({ name }) => name));
  await visit.find("#list-sort").selectOption("name");
  is("names in their order", await names(visit), that("rising", (found) => found.every((one, at) => at === 0 || found[at - 1].localeCompare(one, "en", { sensitivity: "base", numeric: true }) <= 0)));
  await visit.find("#list-sort").selectOption("revenue");
  const known = items.filter(({ revenueGrandTotal }) => typeof revenueGrandTotal === "number").sort((a, b) => b.revenueGrandTotal - a.revenueGrandTotal);
  is("the highest revenue", (await names(visit))[0], known[0].name);
  await visit.page.reload();
  await visit.settled();
  is("the order after a reload", (await names(visit))[0], known[0].name);
  await visit.click("#compare-ticked");
  await visit.sees("what is said without ticks", ".tray-told", /Tick two to 5/);
  for (const at of [0, 2]) await visit.find(`${table} input`).nth(at).check();
  await visit.sees("the button", "#compare-ticked", "Compare 2 ticked");
  await visit.click("#compare-ticked");
  await visit.arrives(/^#\/compare\?eins=\d{9},\d{9}$/);
  await keeping(visit, [{ id: "b", name: "Few", rows: rowsOf(items.slice(0, 3)) }], "/#/list/b");
  await visit.sees("the button of a short list", "#compare-ticked", "Compare all");
  await visit.click("#compare-ticked");
  await visit.arrives(/^#\/compare\?eins=\d{9},\d{9},\d{9}$/);
}

const downloaded = (visit, selector) => visit.download(() => visit.click(selector));

const upload = (visit, name, content) => visit.find("#import-file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });

async function exported(visit) {
  const items = await some(visit, 3);
  const rows = rowsOf(items);
  rows[1].note = '=HYPERLINK("x"), and\nmore';
  await keeping(visit, [{ id: "a", name: "Food / 2026", note: "Of the year", rows }], "/#/list/a");
  await visit.click("#tool-exporting");
  await visit.find(".export-fields .check", { hasText: "NTEE code" }).locator("input").check();
  const csv = await downloaded(visit, "#export-csv");
  is("name of the file", csv.name, "Food-2026.csv");
  is("its heads", csv.text.split("\r\n")[0].replace("\ufeff", ""), /^EIN,Name,.*NTEE code,.*Revenue \(USD\),Latest year filed,Form,.*,Note$/);
  is("a cell that would be a formula", csv.text.includes(`,"'=HYPERLINK(""x""), and\nmore"`), true);
  is("its rows, with EINs that a spreadsheet leaves whole", items.every(({ ein }) => csv.text.includes(`\n${dashed(ein)},`)), true);
  const json = await downloaded(visit, "#export-json");
  is("rows of the JSON", JSON.parse(json.text).rows.map(({ ein, ntee }) => [ein, ntee]), items.map(({ ein, ntee }) => [ein, ntee]));
  const sheet = inline(["Grantees of 2026"], 1) + inline(["Organization", "EIN", "Note"], 2)
    + items.map(({ ein, name }, at) => inline([name.replaceAll("&", "&amp;"), dashed(ein), at === 1 ? rows[1].note : ""], at + 3)).join("");
  const book = await downloaded(visit, "#export-xlsx");
  is("name of the workbook that is exported", book.name, "Food-2026.xlsx");
  const workbook = { name: "list.xlsx", text: zip(xlsx([{ name: "List", rows: sheet }])) };
  for (const file of [json, csv, workbook, { ...book, text: book.bytes }]) {
    await visit.open("/#/lists");
    await upload(visit, file.name, file.text);
    await visit.arrives(/^#\/list\/(?!a$)/);
    is(`EINs of ${file.name} after importing`, await names(visit), items.map(({ name }) => name));
    await visit.value("the note that came with it", `#note-${items[1].ein}`, rows[1].note);
  }
}

/** A list says of the standing what the profile says, and no more; its files have the class. */
async function classed(visit) {
  const [own, supporting, other] = await some(visit, 3);
  const charity = { section: "509(a)(3)", description: "supporting organization", supporting: "Type I" };
  const told = {
    [own.ein]: [{ exemption: "501(c)(3)", classification: null, deductible: null }, "not checked"],
    [supporting.ein]: [{ exemption: "501(c)(3)", classification: charity, deductible: true, deduction_limit: null }, "yes"],
    [other.ein]: [{ exemption: "501(c)(6)", classification: { section: null, description: "none", supporting: null }, deductible: false }, "yes"],
  };
  await visit.page.route("**/nonprofits/standing/*", async (route) => {
    const body = await (await route.fetch()).json();
    const [changed, state] = told[body.ein];
    const { exemption, revocation } = body.checks;
    await route.fulfill({ json: { ...body, ...changed, inactive: false, checks: { ...body.checks, exemption: { ...exemption, state }, revocation: { ...revocation, listed: false } } } });
  });
  await visit.page.route("**/nonprofits/batch", async (route) => {
    const answer = await (await route.fetch()).json();
    const { eins, fields } = await visit.sent(route);
    const changed = (ein) => ({ exemption: told[ein][0].exemption, deductible: told[ein][0].deductible, foundation: ein === own.ein });
    const wanted = (ein) => Object.entries(changed(ein)).filter(([field]) => fields.includes(field));
    await route.fulfill({ json: answer.map((one, at) => ({ ...one, ...Object.fromEntries(wanted(eins[at])) })) });
  });
  await keeping(visit, [{ id: "a", name: "Classed", rows: rowsOf([own, supporting, other]) }], "/#/list/a");
  await soon("the standing of each", () => visit.texts(`${table} .list-status`),
    ["501(c)(3) by its own return, private foundation", "501(c)(3), supporting organization, Type I, gifts deductible", "501(c)(6), gifts not deductible"]);
  await visit.click("#tool-exporting");
  const csv = await downloaded(visit, "#export-csv");
  is("heads of the file", csv.text.split("\r\n")[0], /,Exempt under,Class,Gifts deductible,/);
  const cells = [/,501\(c\)\(3\) by its own return,,/, /,501\(c\)\(3\),"public charity, supporting organization, Type I, section 509\(a\)\(3\)",/, /,501\(c\)\(6\),"none: only section/];
  cells.forEach((cell, at) => is(`row ${at + 1} of the file`, csv.text.split("\r\n")[at + 1], cell));
}

async function hostile(visit, { full }) {
  await visit.open("/#/lists");
  for (const [name, content, said] of [
    ["not.json", "{oops", /begins like JSON but is not valid JSON/],
    ["shape.json", '{"lists": 3}', /JSON, but no list: expected "rows"/],
    ["none.csv", "name,id\nA,1\n", /no column called “EIN”; its first row is “name”, “id”/],
    ["empty.csv", "", /nothing in this list/],
    ["junk.json", '{"rows": ["<script>", null, {"__proto__": {"ein": "123456789"}}]}', /has no EIN\. Left out.*“<script>”/],
    ["many.csv", `ein\n${Array.from({ length: ROWS_MAX + 1 }, (_, at) => 100000000 + at).join("\n")}`, /has 1,001 organizations; a list holds at most 1,000/],
  ]) {
    await upload(visit, name, content);
    await visit.sees(`what is said of ${name}`, "#import-error", said);
  }
  // Made in the page: to send it there takes a slow machine long.
  await visit.find("#import-file").evaluate((input) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(10_000_001)], "large.csv"));
    input.files = data.files;
    input.dispatchEvent(new Event("change"));
  });
  await visit.sees("what is said of large.csv", "#import-error", /large\.csv has 10\.0 MB; a list of at most 10 MB/);
  is("lists that came of it", await kept(visit).then((found) => found?.lists.length ?? 0), 0);
  await upload(visit, "x.json", JSON.stringify({ name: "<img src=x onerror=alert(1)>", __proto__: null, constructor: 1, rows: [{ ein: full.ein, name: "<b>bold</b>", note: "<i>n</i>" }, "junk"] }));
  await visit.arrives(/^#\/list\//);
  await visit.sees("a name with tags", "h1", "<img src=x onerror=alert(1)>");
  await visit.sees("what was left out", ".tray-told", /imported with 1 organization\. Left out, as it is not an EIN: “junk”/);
  is("elements of the names", await visit.find("main img, main b, main i").count(), 0);
}

async function sharedLink(visit) {
  const items = await some(visit, 3);
  const [one, two, three] = items.map(({ ein }) => ein);
  await visit.open(`/#/shared?name=Ours+%3Cb%3E&eins=${one},${dashed(two)},nonsense,${one},${three}`);
  await visit.sees("heading", "h1", "Ours <b>");
  await visit.sees("what was left out", ".list-left", "Left out, as it is not an EIN: “nonsense”. 1 EIN was given more than once.");
  is("organizations of the link", await names(visit), items.map(({ name }) => name));
  is("lists before it is saved", await kept(visit), null);
  await visit.click("#save-shared");
  await visit.arrives(/^#\/list\//);
  is("organizations of the list", await names(visit), items.map(({ name }) => name));
  await visit.click("#tool-sharing");
  const link = await visit.page.locator(".list-panel pre").innerText();
  is("the link", link.replace(/^[^#]*/, ""), `#/shared?name=Ours+%3Cb%3E&eins=${[one, two, three].join(",")}`);
  await visit.counts("a choice about notes where there are none", "#share-notes", 0);
  await visit.find(`#note-${two}`).fill("Ask for 2025, & “<b>”");
  await visit.click("#tool-sharing");
  await visit.click("#tool-sharing");
  await visit.find("#share-notes").check();
  const noted = (await visit.page.locator(".list-panel pre").innerText()).replace(/^[^#]*/, "/");
  await visit.open(noted);
  is("the notes of the link", (await visit.texts(`${table} .of-note`)).filter(Boolean), ["Ask for 2025, & “<b>”"]);
  await visit.click("#save-shared");
  await visit.arrives(/^#\/list\//);
  await visit.value("the note of the list that came of it", `#note-${two}`, "Ask for 2025, & “<b>”");
  const many = (count) => Array.from({ length: count }, (_, at) => 100000000 + at).join(",");
  await visit.open(`/#/shared?name=Many&eins=${many(ROWS_MAX)}`);
  await visit.counts("rows of a thousand", table, ROWS_MAX);
  await visit.open(`/#/shared?name=Many&eins=${many(ROWS_MAX + 1)}`);
  await visit.sees("one more", "main .problem", /1,001 organizations; a list holds at most 1,000/);
  await visit.counts("rows of one more", table, 0);
}

async function tabs(visit, { full }) {
  await keeping(visit, [{ id: "a", name: "Mine", rows: [] }], "/#/list/a");
  const other = await visit.page.context().newPage();
  await other.goto(`${visit.browser.origin}/#/nonprofit/${full.ein}`);
  await other.locator(".profile-head .save").click();
  await soon("the row that another tab saved", () => names(visit), [full.name]);
  await visit.find(`#note-${full.ein}`).fill("From here");
  await other.locator(".profile-head .pick").click();
  await visit.sees("the bar, picked in another tab", ".tray-count", "1 to compare");
  is("the note beside what the other tab changed", (await kept(visit)).lists[0].rows[0].note, "From here");
  await visit.click(".of-remove button");
  await soon("the button of the other tab", () => other.locator(".profile-head .save").getAttribute("aria-pressed"), "false");
}

async function broken(visit, { full }) {
  const { page } = visit;
  const put = (text) => page.evaluate(([key, value]) => localStorage.setItem(key, value), [STORE, text]);
  await visit.open("/#/lists");
  await put('{"version": 1, "lists": [{"name": "cut of');
  await visit.open("/#/lists");
  await visit.sees("what is said", ".tray-told", /could not be read in full\. They are set aside/);
  const { text } = await downloaded(visit, ".list-aside .button");
  is("what was set aside", text, '{"version": 1, "lists": [{"name": "cut of');
  await visit.click(".list-aside .danger");
  await visit.counts("what is set aside, after Forget it", ".list-aside", 0);
  await put(JSON.stringify({ version: 1, current: "a", picks: "x", lists: [{ id: "a", name: "Sound", note: "", rows: [{ ein: full.ein, name: 3, note: null }, { ein: "x" }] }, 7] }));
  await visit.open("/#/lists");
  await visit.sees("what can be read", ".lists-one", /^Sound 1 organization/);
  await visit.counts("what is set aside", ".list-aside", 1);
  // As much as there is room for.
  await page.evaluate(() => {
    for (let size = 2 ** 22; size >= 1; size /= 2) {
      try { for (let at = 0; ; at += 1) localStorage.setItem(`fill-${size}-${at}`, "x".repeat(size)); } catch { /* full for this size */ }
    }
  });
  await visit.find("#new-name").fill("One more");
  await visit.press("Enter");
  await visit.sees("what is said when there is no room", ".tray-told", /no more room for lists: the last change was not kept/);
  is("lists that are kept", (await kept(visit)).lists.map(({ name }) => name), ["Sound"]);
}

async function picked(visit) {
  await visit.open("/#/search?q=schools");
  is("the bar before anything is picked", await visit.find(".tray").isVisible(), false);
  for (let at = 0; at < 6; at += 1) await visit.find(".result .pick").nth(at).click();
  await visit.sees("the count", ".tray-count", "5 to compare");
  await visit.sees("what is said of the sixth", ".tray-told", "You can compare 5 at a time. Remove one first. ×");
  is("whether the sixth is picked", await visit.find(".result .pick").nth(5).getAttribute("aria-pressed"), "false");
  await visit.click(".tray-picks a");
  await visit.arrives(/^#\/compare\?eins=(\d{9},){4}\d{9}$/);
  await visit.counts("organizations side by side", ".comparison thead th", 5);
  await visit.back();
  await visit.settled();
  await visit.click(".tray-picks button");
  await visit.sees("what is said when they are cleared", ".tray-told", /The comparison was cleared/);
  await visit.counts("those still picked", ".result .pick[aria-pressed=true]", 0);
}

async function compared(visit, { full, plain }) {
  const { page } = visit;
  await visit.open(`/#/compare?eins=${full.ein},${dashed(plain)},oops,000000019,${full.ein}`);
  await visit.sees("what was left out", ".list-left", /“oops”.*more than once/);
  is("heads", (await visit.texts(".comparison thead th")).map((text) => text.replace(/\d\d-.*/, "").trim()),
    that("the two, and one that is not known", (found) => found.length === 3 && found[0].startsWith(full.name) && found[2] === "Not in this server’s data"));
  const [latest] = full.returns;
  const cell = (row, at) => `.comparison tr[data-row=${row}] td:nth-of-type(${at})`;
  is("exact revenue of the latest return", await visit.find(`${cell("revenue", 1)} .said`).getAttribute("title"), `$${latest.revenue.toLocaleString("en-US")}`);
  await visit.sees("its year", `${cell("revenue", 1)} .when`, /^year to \w+ \d{4}$/);
  await visit.sees("what is not known", cell("revenue", 3), "not known");
  const { expenses, breakdown, officers } = latest;
  await visit.sees("the share of programs", `${cell("program_share", 1)} .said`, `${Number(((breakdown.program_expenses / expenses) * 100).toFixed(1))}%`);
  await visit.sees("the highest pay", `${cell("highest_pay", 1)} .said`, /^\$/);
  await visit.sees("whose it is", `${cell("highest_pay", 1)} .when`, that("the name of an officer", (found) => officers.some(({ name }) => found.includes(name))));
  is("its amount", await visit.find(`${cell("highest_pay", 1)} .said`).getAttribute("title"), `$${Math.max(...officers.map(({ compensation }) => compensation ?? 0)).toLocaleString("en-US")}`);
  await visit.counts("reserves", ".comparison tr[data-row=reserves]", that("one row, or none where no return has them", (found) => found <= 1));
  is("values that are not known and do not say why", (await visit.texts(".comparison tr[data-row] td:nth-of-type(2)")).filter((text) => text === "not known"), []);
  await visit.sees("where the standing is from", `${cell("exemption", 1)} .when`, /^IRS master file extract, \w+ \d{4}$/);
  const widths = await visit.find(".comparison tr[data-row=assets] .bar").evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width / bar.parentElement.getBoundingClientRect().width));
  is("the longest bar of a row", Math.max(...widths), that("the whole width", (found) => Math.abs(found - 1) < 0.01));
  await page.locator("#q").fill(plain);
  await visit.press("Enter");
  await visit.sees("what is said of one that is there", "#compare-said", "It is already in the comparison.");
  await visit.click(".comparison thead th:nth-of-type(2) button");
  await visit.arrives(`#/compare?eins=${full.ein},000000019`);
  await page.locator("#q").fill(plain);
  await visit.press("Enter");
  await visit.arrives(`#/compare?eins=${full.ein},000000019,${plain}`);
  await visit.counts("organizations after adding", ".comparison thead th", 3);
  const csv = await downloaded(visit, "#compare-csv");
  is("the CSV", csv.text.includes(`\n${dashed(full.ein)},`) && csv.text.includes(String(latest.revenue)), true);
  await visit.open("/#/compare?eins=000000019");
  await page.locator("#q").fill(full.name);
  await visit.counts("suggestions", "[role=option]", that("one or more", (found) => found > 0));
  await visit.press("ArrowDown", "Enter");
  await visit.arrives(/^#\/compare\?eins=000000019,\d{9}$/);
  await visit.focuses("what has the focus after adding", "q");
  await visit.open("/#/compare?eins=000000019,000000027");
  await visit.counts("rows that nobody has", ".comparison tr[data-row]", 0);
  await visit.sees("what they are", "main details.more > summary", /empty rows are hidden/);
  await visit.open("/#/compare");
  await visit.sees("without any", "main .empty", /Nothing to compare yet/);
}

async function onPhone(visit, { full, plain }) {
  await visit.open(`/#/compare?eins=${full.ein},${plain},000000019`);
  await visit.find(".comparison-holder").evaluate((holder) => { holder.scrollLeft = 300; });
  const left = await visit.find(".comparison tr[data-row=place] th").evaluate((head) => Math.round(head.getBoundingClientRect().left - head.closest(".comparison-holder").getBoundingClientRect().left));
  is("how far the heads of the rows have moved", left, 0);
  await visit.narrow("the comparison on a phone");
}

export default [
  { name: "lists: saved, noted, taken out, undone", run: saved },
  { name: "lists: of several one is chosen", run: several },
  { name: "lists: made, renamed, deleted, undone", run: managed },
  { name: "lists: EINs pasted, what is none is named", run: pasted },
  { name: "lists: ordered, compared", run: ordered },
  { name: "lists: exported and imported", run: exported },
  { name: "lists: standing and class as on the profile", run: classed },
  { name: "lists: files that are none", run: hostile },
  { name: "lists: carried by a link", run: sharedLink },
  { name: "lists: two tabs in step", run: tabs },
  { name: "lists: storage broken and full", run: broken },
  { name: "compare: picked, five at most", run: picked },
  { name: "compare: side by side", run: compared },
  { name: "compare: on a phone", visit: { width: 390, height: 800 }, run: onPhone },
];

/** Kept and opened, for what looks at every view; on request with the bar, which lies over the end of a long page. */
export async function shownList(visit, address = "/#/list/a", picks = 0) {
  const items = await some(visit, 6);
  const rows = [...rowsOf(items), { ein: "000000019", name: "" }];
  rows[1].note = "Call before the summer";
  await keeping(visit, [{ id: "a", name: "To visit", note: "Two a month", rows }, { id: "b", name: "Empty", rows: [] }], address,
    { picks: rows.slice(0, picks).map((row) => ({ note: "", ...row })) });
  await visit.counts("bars", ".tray-picks:visible", picks ? 1 : 0);
  return items;
}

