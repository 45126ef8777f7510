// Steps through lists that are given as workbooks: what of their cells is read, which sheet, and what is refused.
import { is, soon, that } from "../browser.mjs";
import { inline, office, ods, xlsx, zip } from "../workbooks.mjs";
import { file, roles, start, transfer, written } from "./match.mjs";

const cells = (visit) => visit.find(".columns tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));

const STRINGS = [
  "<si><t>Grantee</t></si>",
  "<si><r><t xml:space=\"preserve\">Food </t></r><r><rPr><b/></rPr><t>Bank</t></r><rPh sb=\"0\" eb=\"1\"><t>fudo</t></rPh></si>",
  "<si><t>two_x000A_lines &amp; a _x005F_x</t></si>",
].join("");
const STYLES = `<numFmts count="3"><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="00\\-0000000"/>
  <numFmt numFmtId="166" formatCode="[$-409]d\\-mmm\\-yy;@"/><numFmt numFmtId="167" formatCode="&quot;days: &quot;0.0[Red]"/></numFmts>
  <cellXfs count="6"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="22"/><xf numFmtId="167"/></cellXfs>`;
const GRANTEES = `<row r="1"><c r="A1" t="inlineStr"><is><t>Grantees of 2024</t></is></c></row><row r="2"/>
  <row r="4"><c r="A4" t="s"><v>0</v></c><c r="B4" t="str"><f>"EI"&amp;"N"</f><v>EIN</v></c><c r="C4" t="inlineStr"><is><t>ZIP</t></is></c></row>
  <row r="5"><c r="A5" t="s"><v>1</v></c><c r="B5" s="2"><v>10211478</v></c><c r="C5" s="1"><v>5401</v></c><c r="E5" s="3"><v>45352</v></c>
    <c r="F5" s="4"><v>45352.5625</v></c><c r="G5" s="3"><v>59</v></c><c r="H5" t="b"><v>1</v></c><c r="I5" t="e"><v>#N/A</v></c></row>
  <row r="7"><c r="A7" t="s"><v>2</v></c><c r="B7"><v>5.30196605E8</v></c><c r="C7"><v>12.0</v></c><c r="E7" s="5"><v>0.10000000000000001</v></c><c s="0"/><c><v>-7</v></c></row>`;

/** What the page asks for but its own files. */
function requests(visit) {
  const seen = [];
  visit.page.on("request", (request) => { if (request.url().startsWith("http")) seen.push(`${request.method()} ${new URL(request.url()).pathname.split("/").at(-1)}`); });
  return seen;
}

async function excel(visit) {
  await visit.open("/#/match");
  is("files that the dialog offers", await visit.find("#match-file").getAttribute("accept"), that("workbooks", (found) => found.includes(".xlsx") && found.includes(".ods")));
  await visit.sees("what is read", "#match-hint", /workbooks \(\.xlsx, \.ods\)/);
  const seen = requests(visit);
  const sheets = [{ name: "Notes", rows: inline(["What this is"], 1) }, { name: "Old", state: "hidden", rows: inline(["Name"], 1) }, { name: "Paid &amp; due", rows: GRANTEES }, { name: "Nothing", rows: "" }];
  // As some programs call what they write.
  await file(visit, "grantees.csv", zip(xlsx(sheets, { strings: STRINGS, styles: STYLES })));
  await visit.sees("the list", ".match-facts", "grantees.csv: 2 rows, 9 columns");
  is("requests while it is read", seen.filter((one) => !/^GET \w+\.js$/.test(one)), []);
  is("sheets", await visit.texts("#match-sheet option"), ["Notes", "Old (hidden)", "Paid & due", "Nothing"]);
  await visit.value("the one with headings", "#match-sheet", "2");
  is("what the columns are", await roles(visit), ["name", "ein", "zip", "", "", "", "", "", ""]);
  is("cells", await cells(visit), [
    ["Food Bank", "01-0211478", "05401", "", "2024-03-01", "2024-03-01T13:30:00", "1900-02-28", "TRUE", "#N/A"],
    ["two\nlines & a _x", "530196605", "12", "", "0.1", "", "-7", "", ""],
  ]);
  await visit.sees("titles that are left out", ".notices li", /headings are in row 4; 1 row above it is left out/);
  await visit.page.selectOption("#match-sheet", "3");
  await visit.sees("a sheet without cells", "#columns-fault", /nothing in the sheet “Nothing”/);
  await visit.value("the sheet is as before", "#match-sheet", "2");
  await visit.page.selectOption("#match-sheet", { label: "Notes" });
  await visit.sees("another sheet", ".match-facts", "grantees.csv: 1 row, 1 column");
  await visit.focuses("what has the focus", "match-sheet");
  await visit.page.selectOption("#match-sheet", "2");
  await visit.sees("the sheet again", ".match-facts", /2 rows/);
  await start(visit);
  is("numbers of the rows", (await visit.texts(".match-row")).map((text) => /row \d+/.exec(text)?.[0]), ["row 5", "row 7"]);
  const { name, lines } = await written(visit);
  is("name of the file", name, "grantees-matched.csv");
  is("headings", lines[0], /^Grantee,EIN,ZIP,,,,,,,decision,almoner_ein,/);
  await visit.open("/#/match");
  await file(visit, "dates.xlsx", zip(xlsx([{ name: "A", rows: `<row><c t="inlineStr"><is><t>Alpha</t></is></c><c s="1"><v>0</v></c><c s="1"><v>0.5</v></c></row>` }], { properties: 'date1904="1"', styles: '<cellXfs><xf/><xf numFmtId="14"/></cellXfs>' })));
  await soon("days that are counted from 1904", () => cells(visit), [["Alpha", "1904-01-01", "12:00:00"]]);
  await visit.counts("choices of a sheet where there is one", "#match-sheet", 0);
}

const ODS = `<table:table table:name="Hidden" table:style-name="hid"><table:table-row><table:table-cell office:value-type="string"><text:p>Name</text:p></table:table-cell></table:table-row></table:table>
  <table:table table:name="List"><table:table-column/><table:table-header-rows>
  <table:table-row><table:table-cell office:value-type="string"><text:p>Organization</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>Zip</text:p></table:table-cell></table:table-row></table:table-header-rows>
  <table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="string"><office:annotation><text:p>a remark</text:p></office:annotation><text:p>Peña<text:s text:c="2"/><text:span>Club</text:span></text:p><text:p>Inc</text:p></table:table-cell>
    <table:table-cell office:value-type="float" office:value="5401"><text:p>05401</text:p></table:table-cell><table:table-cell/><table:covered-table-cell/>
    <table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="1234.5"><text:p>1,234.50</text:p></table:table-cell>
    <table:table-cell office:value-type="date" office:date-value="2024-03-01T00:00:00"><text:p>3/1/24</text:p></table:table-cell>
    <table:table-cell office:value-type="boolean" office:boolean-value="true"><text:p>yes</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16376"/></table:table-row>
  <table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
  <table:table-row><table:table-cell office:value-type="string"><text:p>Last</text:p></table:table-cell></table:table-row></table:table>`;

async function openDocument(visit) {
  await visit.open("/#/match");
  await transfer(visit, "drop", { bytes: [...zip(ods(ODS), { stored: true, wide: true })], name: "list.ods" });
  await visit.sees("the list", ".match-facts", "list.ods: 3 rows, 8 columns");
  is("what the columns are", (await roles(visit)).slice(0, 3), ["name", "zip", ""]);
  is("sheets", await visit.texts("#match-sheet option"), ["Hidden (hidden)", "List"]);
  const row = ["Peña  Club\nInc", "05401", "", "", "1234.5", "1234.5", "2024-03-01", "TRUE"];
  is("cells", await cells(visit), [row, row, ["Last", ...Array(7).fill("")]]);
}

const named = (many) => Array.from({ length: many }, (_, at) => inline([`Club ${at}`], at + 1)).join("");

async function refused(visit) {
  const sheet = (rows) => xlsx([{ name: "A", rows }]);
  const whole = zip(sheet(inline(["Name"], 1)));
  const many = Array.from({ length: 201 }, (_, at) => ({ name: `S${at}`, rows: "" }));
  const part = "xl/worksheets/sheet1.xml";
  for (const [name, content, expected] of [
    ["old.xls", Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), /old format of Excel.*protected with a password.*Save it as \.xlsx/],
    ["locked.xlsx", zip(sheet(""), { flags: 1 }), /protected with a password/],
    ["locked.ods", zip({ ...ods(""), "META-INF/manifest.xml": "<m><encryption-data/></m>" }), /protected with a password/],
    ["letter.docx", zip(office("word/document.xml", "<document/>")), /a document, not a workbook/],
    ["text.odt", zip(ods("", "text")), /a document, not a workbook/],
    ["files.zip", zip({ "list.csv": "name\nAlpha\n" }), /a ZIP archive, not a workbook.*unpack it/],
    ["binary.xlsb", zip(office("xl/workbook.bin", "x")), /\.xlsb.*Save it as \.xlsx/],
    ["cut.xlsx", whole.subarray(0, whole.length - 40), /damaged: its end is missing.*save it again/],
    ["broken.xlsx", zip({ ...sheet(""), [part]: `<worksheet><sheetData><row><c></row></sheetData></worksheet>` }), /damaged: a part of it is not XML/],
    ["text.xlsx", zip(sheet('<row><c r="A1" t="s"><v>9</v></c></row>')), /damaged: the cell A1 refers to a text that is missing/],
    ["entities.xlsx", zip({ ...sheet(""), "xl/workbook.xml": '<!DOCTYPE w [<!ENTITY a "b">]><workbook>&a;</workbook>' }), /damaged: a part of it has a document type/],
    ["bomb.xlsx", zip(sheet(inline(["x".repeat(5000)], 1)), { claims: { [part]: 200 } }), /damaged: .*larger than its directory says/],
    ["large.xlsx", zip(sheet(""), { claims: { [part]: 200_000_001 } }), /201 MB when it is unpacked; at most 200 MB/],
    ["sheets.xlsx", zip(xlsx(many)), /201 sheets; at most 200/],
    ["wide.xlsx", zip(sheet('<row r="7"><c r="ALM7"><v>1</v></c></row>')), /Row 7 .* more than 1,000 columns/],
    ["wide.ods", zip(ods('<table:table><table:table-row><table:table-cell table:number-columns-repeated="16384" office:value-type="string"><text:p>a</text:p></table:table-cell></table:table-row></table:table>')), /Row 1 .* more than 1,000 columns/],
    ["rows.xlsx", zip(sheet(named(100_002))), /more than 100,000 rows/],
    ["rows.ods", zip(ods('<table:table><table:table-row table:number-rows-repeated="1000000"><table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell></table:table-row></table:table>')), /more than 100,000 rows/],
    ["empty.xlsx", zip(sheet("")), /nothing in the sheet “A”/],
  ]) {
    await visit.open("/#/match");
    await file(visit, name, content);
    await visit.sees(`why ${name} is refused`, "#match-fault", expected);
    await visit.focuses("what has the focus", "match-text");
  }
}

async function lazy(visit) {
  await visit.open("/#/match");
  const seen = requests(visit);
  await file(visit, "list.csv", "name\nAlpha\n");
  await visit.sees("a list in text", ".match-facts", /list\.csv/);
  is("files that are loaded for it", seen, []);
  await visit.open("/#/match");
  seen.length = 0;
  await file(visit, "long.xlsx", zip(xlsx([{ name: "A", rows: named(40_000) }])));
  await visit.sees("a long sheet, in several pieces", ".match-facts", "long.xlsx: 40,000 rows, 1 column");
  is("files that are loaded for a workbook", seen.sort(), ["ods.js", "workbook.js", "xlsx.js", "xml.js", "zip.js"].map((one) => `GET ${one}`));
}

export default [
  { name: "workbook: sheets and cells of Excel, matched", run: excel },
  { name: "workbook: sheets and cells of OpenDocument, dropped", run: openDocument },
  // Of XML that is none Chromium makes a page with a style, and complains that it may not.
  { name: "workbook: those that cannot be read say why and what to do", allows: [/Applying inline style/], run: refused },
  { name: "workbook: what reads it is loaded with the first", run: lazy },
];
