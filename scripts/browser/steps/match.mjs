// Steps through the matching of a list: reading it, its columns, matching, settling, the file written.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { is, moreThan, soon, that } from "../browser.mjs";

const tabs = (visit) => visit.texts(".tabs button");
export const roles = (visit) => visit.find(".columns select").evaluateAll((all) => all.map((one) => one.value));

/** An EIN as files for people have it. */
const dashed = (ein) => `${ein.slice(0, 2)}-${ein.slice(2)}`;

/** Gives the list as text, as who pastes a line at a time. */
export async function give(visit, text) {
  await visit.open("/#/match");
  await visit.page.fill("#match-text", text);
  await visit.click("button:has-text('Read the list')");
}

const folder = mkdtempSync(join(tmpdir(), "almoner-match-"));
process.on("exit", () => rmSync(folder, { recursive: true }));

/** Chooses a file; from a folder, as millions of bytes are slow on the way to the browser. */
export function file(visit, name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return visit.page.setInputFiles("#match-file", path);
}

export async function start(visit) {
  await visit.click("button:has-text('Match ')");
  await visit.counts("results", ".review", 1);
}

/** What the button writes, without the mark in front. */
export async function written(visit) {
  const { name, text } = await visit.download(() => visit.click("button:has-text('Download as CSV')"));
  is("the mark of the encoding", text.charCodeAt(0), 0xfeff);
  return { name, lines: text.slice(1).split("\r\n") };
}

/** Answers in place of the server: the candidates of each query by its name. */
async function answering(visit, answer) {
  const seen = [];
  await visit.page.route("**/match", async (route) => {
    const { queries, limit } = await visit.sent(route);
    seen.push(queries);
    is("candidates that are asked for", limit, 3);
    const given = answer(queries, seen.length);
    await route.fulfill(given.status ? given : { json: { results: given } });
  });
  return seen;
}

const candidate = (ein, name, score) => ({
  ein, name, score, reasons: ["same name", "another city"],
  features: { name: 0.8, street: null, zip: 1, city: 0, state: 1, numbers: 1 },
});
const maybe = (...candidates) => ({ id: null, decision: "maybe", ein: candidates[0].ein, candidates });
const nobody = ({ name }) => ({ id: null, decision: "no", ein: null, candidates: [], reason: `nobody is like ${name}` });

async function whole(visit, { named }) {
  await visit.open("/#/match");
  await visit.sees("where the list goes", ".match-private", that("this server's origin", (found) => found.includes(visit.browser.origin)));
  await file(visit, "partners.csv", `\ufeffid;Organization;Town;ST;note\r\n7;${named.name};${named.city};${named.state};=1+1\r\n8;Zzqq Xxyy;;;\r\n`);
  await visit.sees("the list", ".match-facts", "partners.csv: 2 rows, 5 columns");
  is("what the columns are", await roles(visit), ["", "name", "city", "state", ""]);
  await start(visit);
  await soon("decisions", () => tabs(visit), ["All 2", "Yes 1", "Maybe 0", "No 1"]);
  is("the first row", (await visit.texts(".match-row"))[0], that("its match", (found) => found.includes(named.name) && found.includes("Yes") && found.includes("%")));
  const { name, lines } = await written(visit);
  is("name of the file", name, "partners-matched.csv");
  is("headings", lines[0], "id;Organization;Town;ST;note;decision;ein;matched_name;score;reasons;second_ein;settled_by");
  is("the first row of the file", lines[1], that("its EIN, and no formula", (found) => found.includes(`;'=1+1;yes;${dashed(named.ein)};`) && found.endsWith(";matcher")));
  is("the second", lines[2], /^8;Zzqq Xxyy;;;;no;;;/);
  const book = await visit.download(() => visit.click("button:has-text('Download as Excel')"));
  is("name of the workbook", book.name, "partners-matched.xlsx");
  is("the workbook", book.text, that("the EIN with its dash", (found) => found.includes(`>${dashed(named.ein)}<`)));
  is("address of the list", await visit.find("a:has-text('as a list')").getAttribute("href"), `#/shared?name=partners&eins=${named.ein}`);
}

async function columns(visit, { named }) {
  await give(visit, `name,city,Name,x\nA,B,${named.name},1\n1,2\n\na,b,c,d,e\nf,g,h,i,, ,\n`);
  const notes = () => visit.texts(".notices li");
  await soon("what is odd", notes, that("two notes", (found) => found.length === 2));
  is("rows that do not fit", (await notes())[0], /^1 row has cells beyond the headings.*row 5\./);
  is("a heading that is there twice", (await notes())[1], /“Name”/);
  is("what the columns are", await roles(visit), ["name", "city", "", ""]);
  await visit.find(".columns select").nth(2).selectOption("name");
  is("after another is chosen", await roles(visit), ["", "city", "name", ""]);
  await start(visit);
  await visit.click(".tabs button:has-text('All')");
  const rows = await visit.texts(".match-row");
  is("rows", rows.length, 4);
  is("the one that has no cells for the last headings", rows[1], that("an answer of the server", (found) => /row 3 /.test(found) && !/fields/.test(found)));
  is("the one that has a cell too many", rows[2], /row 5 .*the row has 5 fields, the header 4/);
  is("the one that has empty cells too many", rows[3], that("an answer of the server", (found) => /row 6 /.test(found) && !/fields/.test(found)));
  const { lines } = await written(visit);
  is("cells beyond the header are kept", lines.slice(0, 5).map((line) => line.split(",").at(-1)), ["beyond_the_header", "", "", "e", ""]);
  is("cells that were left out are empty", lines[2], /^1,2,,,/);
  await give(visit, "Alpha House\nBeta, Inc.\nGamma Trust\n");
  await visit.sees("a list without headings", ".match-facts", /3 rows, 1 column/);
  is("what its column is", await roles(visit), ["name"]);
  await visit.page.selectOption("#match-separator", { label: "commas" });
  await visit.sees("separated by commas", ".match-facts", /3 rows, 1 column/);
  await visit.sees("the row that then has two cells", ".notices li", /1 row has cells beyond those of the others.*row 2/);
  await give(visit, "name,city;x;\"y\nAlpha,Reno\n");
  await visit.page.selectOption("#match-separator", { label: "semicolons" });
  await visit.sees("a separator with which it cannot be read", "#columns-fault", /quote that opens in row 1, column 3/);
  await visit.value("the separator is as before", "#match-separator", "0");
  await visit.page.selectOption(".columns select", "");
  await visit.click("button:has-text('Match ')");
  await visit.sees("without a name", "#columns-fault", /the column that holds the names of the organizations, or their EINs/);
}

/** Titles above the headings, and a first line that names the separator. */
async function headed(visit, { named }) {
  await give(visit, `Grantees, 2024\n\nas of March\nGrantee;Town;ST\n${named.name};${named.city};${named.state}\n`);
  await visit.sees("the list", ".match-facts", "Your list: 1 row, 3 columns");
  await visit.sees("what is left out", ".notices li", "The headings are in row 4; 2 rows above it are left out.");
  is("what the columns are", await roles(visit), ["name", "city", "state"]);
  await visit.sees("which row has the headings", "label:has(#match-headings)", "Row 4 has the headings");
  await visit.page.uncheck("#match-headings");
  await visit.sees("all rows, if none has", ".match-facts", /4 rows/);
  await visit.page.check("#match-headings");
  await visit.sees("the headings again", ".match-facts", "Your list: 1 row, 3 columns");
  await start(visit);
  await visit.sees("the number of the row", ".match-row", /row 5 /);
  await give(visit, "Who,City,State,Kind\nAlpha,Reno,NV,Charity\nBeta,Reno,NV,Agency\n");
  await visit.sees("headings above a cell that is called like one", ".match-facts", "Your list: 2 rows, 4 columns");
  await visit.open("/#/match");
  await file(visit, "told.csv", "\ufeffsep=^\r\nname^city, state\r\nAlpha^Reno, NV\r\nBeta, Inc.\r\n");
  await visit.sees("a list that names its separator", ".match-facts", "told.csv: 2 rows, 2 columns");
  is("its separator", await visit.find("#match-separator option:checked").innerText(), "“^”");
  is("its first row", (await visit.texts(".columns tbody tr"))[0], "Alpha Reno, NV");
  await visit.page.selectOption("#match-separator", { label: "commas" });
  await visit.sees("by another separator", ".columns thead tr", "name^city state");
}

/** A server that takes an EIN without a name. */
async function numbered(visit, { full }) {
  const seen = await answering(visit, (queries) => queries.map(({ ein }) => (ein === "x" ? nobody({ name: ein }) : { ...maybe(candidate(full.ein, "First One", 1)), decision: "yes" })));
  await give(visit, `EIN;note\n${full.ein};a\nx;b\n`);
  is("what the columns are", await roles(visit), ["ein", ""]);
  await start(visit);
  is("what is asked", seen, [[{ name: "", ein: full.ein }, { name: "", ein: "x" }]]);
  is("the rows by their EINs", await visit.texts(".match-given .match-name"), [full.ein, "x"]);
  await visit.sees("a name that was not given", ".evidence tbody tr td:nth-child(3)", /not compared$/);
  await give(visit, "12-3456789\n530196605\n131624102\n");
  is("a column of EINs without a heading", await roles(visit), ["ein"]);
}

async function added(visit, { full, told }) {
  const pieces = [];
  let fails = true;
  await answering(visit, (queries) => queries.map(({ name }, at) => (
    name === "Nobody" ? nobody({ name }) : { ...maybe(candidate(name === "Unknown" ? "000000019" : at % 2 ? told : full.ein, "One", 1)), decision: "yes" })));
  await visit.page.route("**/nonprofits/batch", async (route) => {
    const body = await visit.sent(route);
    if (!body.fields.includes("revenueGrandTotal")) return route.continue();
    pieces.push(body);
    if (fails) return route.fulfill({ status: 500, json: { detail: "no" } });
    return route.fulfill({ json: body.eins.map((ein) => (ein === full.ein ? { revenueGrandTotal: -1200, city: "=Reno", url: null } : ein === told ? { revenueGrandTotal: 5, city: "Elko", url: "example.org" } : null)) });
  });
  await give(visit, "name,City\nAlpha,Reno\nBeta,Reno\nNobody,Reno\nUnknown,Reno\n");
  await start(visit);
  await visit.click("summary:has-text('Add columns')");
  for (const label of ["Revenue", "City", "Website"]) await visit.page.check(`.match-adding label:has-text("${label}") input`);
  await visit.sees("what is chosen", ".match-adding summary", "Added columns: City, Revenue (USD), Website");
  let files = 0;
  visit.page.on("download", () => { files += 1; });
  await visit.click("button:has-text('Download as CSV')");
  await visit.sees("why there is no file", ".match-output [role=alert]", /No file was written.*Try again.*Download without them/);
  await visit.focuses("what has the focus", /Try again/);
  is("files that were written", files, 0);
  fails = false;
  const text = await visit.download(() => visit.click("button:has-text('Try again')"));
  const lines = text.text.slice(1).split("\r\n");
  is("headings", lines[0], "name,City,decision,ein,matched_name,score,reasons,second_ein,settled_by,almoner_city,revenueGrandTotal,url");
  is("added cells", lines.slice(1, 5).map((line) => line.split(",").slice(-3)), [["'=Reno", "-1200", ""], ["Elko", "5", "example.org"], ["", "", ""], ["", "", ""]]);
  is("what was asked", pieces.at(-1), { eins: [full.ein, told, "000000019"], fields: ["city", "revenueGrandTotal", "url"] });
  await visit.counts("alerts left", ".match-output [role=alert]", 0);
  // What is known is not asked for again.
  await written(visit);
  is("requests for two files", pieces.length, 2);
  fails = true;
  await visit.page.uncheck(".match-adding label:has-text('Website') input");
  await visit.click("button:has-text('Download as CSV')");
  const without = await visit.download(() => visit.click("button:has-text('Download without them')"));
  is("headings without them", without.text.slice(1).split("\r\n")[0], "name,City,decision,ein,matched_name,score,reasons,second_ein,settled_by");
}

/** Columns that are made of several answers. */
async function made(visit, { full }) {
  await answering(visit, (queries) => queries.map(() => ({ ...maybe(candidate(full.ein, "One", 1)), decision: "yes" })));
  await visit.page.route("**/nonprofits/standing/*", async (route) => {
    const body = await (await route.fetch()).json();
    await route.fulfill({ json: { ...body, exemption: "501(c)(3)", classification: { section: "509(a)(2)", description: "gross receipts", supporting: null } } });
  });
  await give(visit, "name\nAlpha\n");
  await start(visit);
  await visit.click("summary:has-text('Add columns')");
  for (const label of ["Class", "Telephone", "NTEE title"]) await visit.page.check(`.match-adding label:has-text("${label}") input`);
  const { lines } = await written(visit);
  is("headings", lines[0], /,phone,ntee_title,class$/);
  is("its class", lines[1], /,"public charity, gross receipts, section 509\(a\)\(2\)"$/);
}

/** Details of many are asked for in pieces that the server takes. */
async function pieces(visit) {
  const ein = (at) => String(100_000_000 + at);
  await answering(visit, (queries) => queries.map(({ name }) => ({ ...maybe(candidate(ein(Number(name.slice(5))), name, 1)), decision: "yes" })));
  const sizes = [];
  await visit.page.route("**/nonprofits/batch", async (route) => {
    const { eins, fields } = await visit.sent(route);
    if (!fields.includes("ntee")) return route.fulfill({ json: eins.map(() => null) });
    sizes.push(eins.length);
    if (sizes.length === 2) return route.fulfill({ status: 503, headers: { "Retry-After": "1" }, json: { detail: "busy" } });
    return route.fulfill({ json: eins.map((one) => ({ ntee: `N${one}` })) });
  });
  await visit.open("/#/match");
  await file(visit, "clubs.csv", rowsOf(1050));
  await start(visit);
  await visit.click("summary:has-text('Add columns')");
  await visit.page.check(".match-adding label:has-text('NTEE code') input");
  const { lines } = await written(visit);
  is("EINs of each request", sizes, [500, 500, 500, 50]);
  is("the last row", lines[1050], that("its code", (found) => found.startsWith("Club 1049,") && found.endsWith(`,N${ein(1049)}`)));
}

async function refused(visit) {
  const utf16 = Buffer.from("\ufeffname\tcity\r\nPeña Club\tReno\r\n", "utf16le");
  for (const [name, content, expected] of [
    ["open.csv", "name,city\n\"Alpha,Reno\n", /quote that opens in row 2, column 1 is not closed/],
    ["long.csv", `name,note\nAlpha,${"x".repeat(10_000_000)}\n`, /row 2, column 2 has more than 100,000 characters/],
    ["large.csv", "x".repeat(20_000_001), /20\.0 MB; at most 20 MB/],
    ["rows.csv", `name\n${"a\n".repeat(100_001)}`, /more than 100,000 rows/],
    ["empty.csv", "\n\n", /nothing in this list/],
  ]) {
    await visit.open("/#/match");
    await file(visit, name, content);
    await visit.sees(`why ${name} is refused`, "#match-fault", expected);
  }
  await file(visit, "names.csv", utf16);
  await visit.sees("a list in UTF-16", ".columns tbody tr", "Peña Club Reno");
}

/** Gives a text or a file, of text or bytes, as the clipboard and the mouse do. */
export const transfer = (visit, kind, { text, bytes, name }) => visit.page.evaluate(([event, said, called]) => {
  const data = new DataTransfer();
  if (called) data.items.add(new File([typeof said === "string" ? said : new Uint8Array(said)], called));
  else data.setData("text/plain", said);
  // Firefox gives an event that a page makes a clipboard of its own.
  const given = Object.defineProperty(new Event(event, { bubbles: true, cancelable: true }), event === "paste" ? "clipboardData" : "dataTransfer", { value: data });
  document.querySelector(event === "paste" ? "#match-text" : "h1").dispatchEvent(given);
}, [kind, text ?? bytes, name]);

async function given(visit) {
  await visit.open("/#/match");
  await transfer(visit, "paste", { text: "Name\tST\nAlpha\tOH\n" });
  await visit.sees("a list that is pasted", ".columns tbody tr", "Alpha OH");
  await visit.focuses("what has the focus then", /^h2 What each column/);
  await transfer(visit, "drop", { text: "Charity|Town\nBeta|Reno\n", name: "dropped.csv" });
  await visit.sees("a file that is dropped", ".match-facts", "dropped.csv: 1 row, 2 columns");
  await visit.click("button:has-text('Another list')");
  await visit.counts("boxes for another list", "#match-text", 1);
}

async function settled(visit, { full, told, plain }) {
  const { page } = visit;
  const candidates = [candidate(full.ein, "First One", 0.5), candidate(told, "Second One", 0.3), candidate(plain, "Third One", 0.1)];
  await answering(visit, (queries) => queries.map(() => maybe(...candidates)));
  await give(visit, "name,city\nAlpha,Reno\nBeta,Reno\nGamma,Reno\n");
  await start(visit);
  await visit.click(".tabs button:has-text('Maybe')");
  await visit.sees("evidence of the first", ".match-detail h3", "Alpha");
  await visit.sees("the address of a candidate", ".evidence tbody tr:nth-child(3) td:nth-child(3)", /\S another/);
  is("parts", await visit.texts(".evidence tbody th"), ["Name", "Street", "City", "State", "ZIP code", "Numbers", "Reasons"]);
  await visit.find(".match-row").first().focus();
  await visit.press("2");
  await visit.focuses("what has the focus after a choice", /Beta/);
  await visit.press("n");
  await visit.focuses("and after none", /Gamma/);
  await soon("decisions", () => tabs(visit), ["All 3", "Yes 1", "Maybe 1", "No 1"]);
  await visit.press("ArrowUp");
  await visit.press("ArrowUp");
  await visit.sees("evidence after going up", ".match-detail h3", "Alpha");
  await visit.press("u");
  await soon("decisions after an undo", () => tabs(visit), ["All 3", "Yes 1", "Maybe 2", "No 0"]);
  await visit.sees("evidence of what was undone", ".match-detail h3", "Beta");
  await visit.find(".evidence button").nth(2).click();
  await soon("decisions after a button", () => tabs(visit), ["All 3", "Yes 2", "Maybe 1", "No 0"]);
  await visit.find(".evidence a").first().click();
  await visit.arrives(`#/nonprofit/${full.ein}`);
  await visit.back();
  await visit.arrives("#/match");
  await soon("decisions after a look at a profile", () => tabs(visit), ["All 3", "Yes 2", "Maybe 1", "No 0"]);
  const warned = page.waitForEvent("dialog");
  const reload = page.evaluate(() => { setTimeout(() => location.reload()); });
  const dialog = await warned;
  is("what asks before leaving", dialog.type(), "beforeunload");
  await dialog.dismiss();
  await reload;
  const { lines } = await written(visit);
  is("a row a person settled", lines[1], that("its EIN and who", (found) => found.startsWith(`Alpha,Reno,yes,${dashed(told)},Second One,0.3000,`) && found.endsWith(`,${dashed(full.ein)},person`)));
  is("the next", lines[2], that("its EIN and who", (found) => found.startsWith(`Beta,Reno,yes,${dashed(plain)},`) && found.endsWith(",person")));
  is("one that is left", lines[3], that("the matcher's", (found) => found.startsWith(`Gamma,Reno,maybe,${dashed(full.ein)},`) && found.endsWith(",matcher")));
  await visit.click("button:has-text('Another list')");
  await visit.counts("boxes for another list, unasked as all is in a file", "#match-text", 1);
}

async function unlikely(visit, { full, told, plain }) {
  const candidates = [candidate(full.ein, "First One", 0.97), candidate(told, "Second One", 0.004), candidate(plain, "Third One", 0.002)];
  await answering(visit, (queries) => queries.map(({ name }) => ({ ...maybe(...candidates), decision: name === "Alpha" ? "yes" : "maybe" })));
  await give(visit, "name,city\nAlpha,Reno\nBeta,Reno\n");
  await start(visit);
  await visit.sees("evidence of the first", ".match-detail h3", "Alpha");
  is("who stands beside a yes", await visit.texts(".match-detail .evidence:visible thead .match-name"), ["First One"]);
  await visit.sees("the others", ".match-unlikely summary", "2 others, below 1% each");
  await visit.click(".match-unlikely summary");
  await visit.counts("candidates then", ".match-detail .evidence:visible thead .match-name", 3);
  await visit.find(".match-row").nth(1).click();
  await visit.sees("evidence of a maybe", ".match-detail h3", "Beta");
  await visit.counts("candidates of a maybe", ".match-detail .evidence:visible thead .match-name", 3);
}

const rowsOf = (many) => `name,city\n${Array.from({ length: many }, (_, at) => `Club ${at},Reno`).join("\n")}\n`;

async function failing(visit) {
  const seen = await answering(visit, (queries, time) => {
    if (time === 2) return { status: 503, headers: { "Retry-After": "1" }, json: { detail: "busy" } };
    if (time === 4) return { status: 500, json: { detail: "no" } };
    return queries.map(nobody);
  });
  await give(visit, rowsOf(1050));
  await start(visit);
  await visit.sees("what has no answer", ".state.problem", /200 rows have no answer yet.*The others are kept.*Try these again/);
  await visit.click(".tabs button:has-text('No')");
  is("decisions", await tabs(visit), ["All 1,050", "Yes 0", "Maybe 0", "No 850"]);
  await visit.click("button:has-text('Try these again')");
  await soon("decisions after trying again", () => tabs(visit), ["All 1,050", "Yes 0", "Maybe 0", "No 1,050"]);
  is("rows of a request", Math.max(...seen.map((queries) => queries.length)), that("at most 500", (found) => found <= 500));
  is("rows of the second try", seen.at(-1).length === 200 || seen.at(-2).length === 200, true);
  await visit.counts("rows of a page", ".match-row", 50);
  await visit.click("button:has-text('Next')");
  await visit.sees("the next page", ".match-foot", /51–100 of 850|51–100 of 1,050/);
  const { lines } = await written(visit);
  is("why a row has nobody", lines.find((line) => line.startsWith("Club 401,")), /^Club 401,Reno,no,,,,nobody is like Club 401,/);
  is("rows of the file", lines.length, 1052);
}

async function cancelled(visit) {
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await visit.page.route("**/match", async (route) => {
    const { queries } = await visit.sent(route);
    if (queries[0].name === "Club 200") await held;
    await route.fulfill({ json: { results: queries.map(nobody) } }).catch(() => {});
  });
  await give(visit, rowsOf(450));
  await visit.click("button:has-text('Match ')");
  await visit.sees("progress", "#match-progress", /^200 of 450 rows/);
  await visit.click("button:has-text('Cancel')");
  await visit.sees("what has no answer", ".review ~ .state, .match-stage > .state", /250 rows have no answer yet\. You cancelled\./);
  release();
  await visit.click("button:has-text('Go on')");
  await soon("decisions after going on", () => tabs(visit), ["All 450", "Yes 0", "Maybe 0", "No 450"]);
  is("the rows are listed", await visit.find(".match-row").count(), moreThan(0));
}

/** A no of a state whose list is not loaded does not mean that there is no such nonprofit. */
async function unlisted(visit) {
  const state = (code, name, many) => ({ state: code, name, organizations: many || 3, in_master_file: many, counties: [] });
  await visit.page.route(/\/coverage$/, async (route) => {
    const body = await (await route.fetch()).json();
    await route.fulfill({ json: { ...body, states: [state("ME", "Maine", 9000), state("NJ", "New Jersey", 0)] } });
  });
  await answering(visit, (queries) => queries.map(() => ({ id: null, decision: "no", ein: null, candidates: [candidate("100000001", "Stranger", 0.01)], reason: null })));
  await give(visit, "name,state\nAlpha,NJ\nBeta,Maine\nGamma,new york\n");
  await start(visit);
  const rows = await visit.texts(".match-row");
  is("a row of a state that is not loaded", rows[0], /no list of New Jersey is loaded here; nearest is Stranger/);
  is("a row of one that is", rows[1], that("nothing of lists", (found) => !/loaded/.test(found)));
  is("a state by its name", rows[2], /no list of New York is loaded here/);
  is("what holds for the list", (await visit.texts(".match-facts")).at(-1), /^2 rows that are not matched are from New Jersey and New York: no list of these states is loaded here/);
  const { lines } = await written(visit);
  is("the row in the file", lines[1], /^Alpha,NJ,no,.*no list of New Jersey is loaded here; nearest is Stranger/);
}

export default [
  { name: "match: a file to EINs, and written", run: whole },
  { name: "match: columns, rows that do not fit, one name a line", run: columns },
  { name: "match: titles above the headings, a line that names the separator", run: headed },
  { name: "match: EINs without names", run: numbered },
  { name: "match: added columns, or why the file lacks them", allows: [500], run: added },
  { name: "match: added columns that are made of others", run: made },
  { name: "match: added columns, in pieces", allows: [503], run: pieces },
  { name: "match: pasted and dropped lists", run: given },
  { name: "match: lists that cannot be read say where and why", run: refused },
  { name: "match: rows of states whose list is not loaded", run: unlisted },
  { name: "match: maybes settled by keys, undone, kept, written", run: settled },
  { name: "match: beside a yes the unlikely are folded away", run: unlikely },
  { name: "match: busy, failed and refused requests lose no row", allows: [422, 500, 503], run: failing },
  { name: "match: cancelled, gone on", run: cancelled },
];
