// Proves that the test notices when the page breaks: changes one of its files on the way to the
// browser, runs the steps that must then fail, and demands that one does. Before that the same
// steps have to pass with nothing changed.
import { losePatience } from "./browser.mjs";
import { report, run, sideBySide } from "./runner.mjs";

/** What is broken stays so; who waits shorter than a slow machine takes is told by the first run. */
const PATIENCE_MS = 5000;

/**
 * What breaks; in which file; what is written there instead of what; the step that must notice,
 * after those that lead up to it.
 */
const BREAKS = [
  ["a person as a name", "name_line.js", "return isOwn(OF_CHAPTERS) || !isPerson(text);", "return true;", ["profile: a second name line"]],
  ["nobody is told of a long silence", "standing.js", "body.cautions.length === 0 ? strip", "true ? strip", ["profile: what a donor"]],
  ["a negated size says the opposite", "results.js", "sizes && !sizes.includes(size)", "false", ["results: what is left out"]],
  ["how it was counted is not folded", "hints.js", "!counting.includes(one) &&", "", ["results: what is left out"]],
  ["profile is an empty module", "profile.js", /^[^]*$/, "export {};", ["profile: head"]],
  ["profile without its heading", "profile_head.js", 'h("h1", {}, details.name)', 'h("p", {}, details.name)', ["profile: head"]],
  ["people are left out", "people.js", 'h("tbody", {}, rows)', 'h("tbody", {})', ["profile: returns"]],
  ["people of a return are left out", "filing.js", "() => peopleOf(filing)", "() => null", ["profile: source"]],
  ["grants of every year", "money.js", "{ direction, year }, said(year)", "{ direction }, said(year)", ["money: grants"]],
  ["grants abroad one by one", "money.js", "grant.recipient_name || grant.recipient_ein ?", "true ?", ["money: where grants"]],
  ["where grants went is left out", "money.js", "givingOf(body, when), list", "list", ["money: where grants"]],
  ["a picture of what is mostly not known", "giving.js", "amountOf(known) < sum / 2", "false", ["money: where grants"]],
  ["rows outside the place among those in it", "result_rows.js", "asked.outside.has(one.ein)", "false", ["results: headings"]],
  ["nobody is told of those without a code", "beyond_list.js", "line.hidden = false;\n  }, () => {});\n  return line;\n}\n\n/** The place that a search", "}, () => {});\n  return line;\n}\n\n/** The place that a search", ["results: who has no code"]],
  ["a busy part waits for a click", "states.js", "if (isAutomatic) setTimeout", "if (false) setTimeout", ["profile: a part that the server is too busy"]],
  ["funders of one year as of all", "funders.js", '"accepts_applications", "year", "sort"];', '"accepts_applications", "sort"];', ["money: who funds"]],
  ["grants of all years without a heading", "funders.js", "if (begins) element", "if (false) element", ["money: who funds"]],
  ["nobody leads", "leader.js", "holder.hidden = false;", "", ["profile: who leads"]],
  ["nobody sees how large it is", "profile.js", "context.size.hidden = !context.size.firstChild;", "", ["profile: head"]],
  ["titles stay cut", "titles.js", "USUAL.find(begins) ?? title", "title", ["profile: who leads"]],
  ["newer figures among the older", "filings.js", "figures.length > 0 && newer.length > 0 && h", "false && h", ["profile: what is newer"]],
  ["a return without its parts", "filing.js", "h(\"h2\", {}, titleOf(name, filing)), h(\"dl\"", "h(\"h2\", {}, \"Part\"), h(\"dl\"", ["profile: a return"]],
  ["years all alike", "money.js", "Math.max(total, 0) / most", "1", ["money: grants"]],
  ["people of one year alone", "people.js", "await ask(path, { year, size", "await ask(path, { size", ["money: people"]],
  ["ratios without their formula", "peers.js", "[formula, \". \", lines]", "[]", ["money: among"]],
  ["funders of everything", "funders.js", "const request = { ...asked,", "const request = { ", ["money: who funds"]],
  ["no foundations where there are no grants", "funders.js", ": await foundations(asked, signal)", ": null", ["money: who funds"]],
  ["people of every name", "people_search.js", "const request = { ...asked,", "const request = { q: \"a \",", ["money: a name"]],
  ["standing without its lists", "standing.js", "const dated = `${list.title}", "const dated = `${list.rows}", ["profile: head"]],
  ["figures without their source", "source.js", "popovertarget: id,", "", ["profile: source"]],
  ["a return without its figures", "filing.js", "h(\"dd\", {}, say(value))", "h(\"dd\")", ["profile: source"]],
  ["no word is marked", "highlight.js", "parts.length > 1 ? parts : null", "null", ["results: why"]],
  ["filters without counts", "counted.js", "if (counts.has(box.value))", "if (false)", ["results: why"]],
  ["namesakes in the same city look alike", "result.js", "namesakes ? [one.streetAddress", "namesakes ? [null", ["results: namesakes"]],
  ["bars all of one height", "chart.js", "Math.max(Math.abs(at(value) - at(0)), 1.5)", "9", ["profile: finances"]],
  ["bars beyond the chart", "chart.js", "const x = MARGIN.left + slot", "const x = 5000 + slot", ["profile: finances"]],
  ["no table under the chart", "chart.js", "h(\"tbody\", {}, rows)", "h(\"tbody\", {})", ["profile: finances"]],
  ["figures are not marked", "impact.js", "if (!at) return sentence;", "return sentence;", ["profile: metrics"]],
  ["something else is marked", "impact.js", "return nearest ?? found[0]", "return [0, 4] ?? found[0]", ["profile: metrics"]],
  ["posts of everybody", "profile.js", "eins: ein, size: 5", "size: 5", ["profile: posts"]],
  ["a failing part is silent", "profile.js", "body.replaceChildren(problem(error,", "void (problem(error,", ["profile: a part"]],
  ["no match is highlighted", "highlight.js", 'h("mark", null, word[0].slice(0, size))', "word[0].slice(0, size)", ["suggestions: highlighted"]],
  ["suggestions without places", "typeahead.js", "    place(one),\n", "", ["suggestions: highlighted"]],
  ["suggestions of charities alone", "typeahead.js", 'SCOPE = "all"', 'SCOPE = ""', ["suggestions: other names"]],
  ["nobody sees why one is suggested", "typeahead.js", '["matched: ", marked(matched, q)]', "null", ["suggestions: other names"]],
  ["a name is told twice", "format.js", "!sameName(of.alt_name, of.name)", "true", ["suggestions: other names"]],
  ["arrows the wrong way", "typeahead.js", '"ArrowDown" ? 1 : -1', '"ArrowDown" ? -1 : 1', ["suggestions: arrows"]],
  ["Back forgets what was typed", "search.js", "history.state?.typed ?? ", "", ["suggestions: arrows"]],
  ["Enter never opens what is certain", "typeahead.js", "certain = isCertain(results, q) ? q : null;", "", ["suggestions: Enter opens"]],
  ["a slash is only typed", "main.js", "box.select();", "box.blur();", ["suggestions: Enter opens"]],
  ["small ones without a word of it", "filings.js", "    small, large(figures)", "    large(figures)", ["profile: money of one"]],
  ["parts all of one width", "bars.js", "Math.max(value, 0) / sum", "1", ["profile: one year"]],
  ["a chart of one year", "filings.js", "filings.length >= CHARTED_MIN ? finances", "filings.length > 0 ? finances", ["profile: no chart"]],
  ["nowhere else to look", "profile_head.js", "list.append(registry);", "", ["profile: where to look"]],
  ["a list without it says nothing", "reliance.js", "[...report.caveats, missing,", "[...report.caveats,", ["profile: what a report"]],
  ["EINs of a list lose their zeros", "exchange.js", "[dashed(row.ein), ...fields", "[row.ein, ...fields", ["lists: exported"]],
  ["Escape does nothing", "typeahead.js", '"Escape"', '"F13"', ["suggestions: Escape"]],
  ["a chip takes nothing away", "results.js", '{ q: cut(filters.q ?? "", its) }', "{}", ["plain words"]],
  ["the state is not sent", "filters.js", "!ALSO.includes(name)", '!ALSO.includes(name) && name !== "state"', ["filters: state"]],
  ["no chip for explicit filters", "results.js", 'chipList("Filters", explicit)', "null", ["filters: state"]],
  ["refusals not at their fields", "panel.js", "if (!at) return true;", "return true;", ["filters: refusals"]],
  ["namesakes look alike", "result.js", 'other && h("div"', 'false && h("div"', ["results: other names"]],
  ["namesakes look alike on the map", "map_card.js", 'other && h("span"', 'false && h("span"', ["results: other names"]],
  ["nothing else is offered", "hints.js", "if (!meant) return null;", "return null;", ["results: what else"]],
  ["another query is not run", "hints.js", "address(filters, { q: meant.query })", "address(filters)", ["results: what else"]],
  ["the file of all is of this page", "answers.js", "withRows(() => everything(request, total ?? ROWS_MAX, signal))", "withRows(() => shown)", ["results: saved"]],
  ["EINs lose their zeros in the file", "answers.js", "({ ein }) => dashed(ein)", "({ ein }) => ein", ["results: saved"]],
  ["nobody is suggested for a name", "hints.js", "line.hidden = false;", "", ["results: a name that"]],
  ["counts of all that satisfies the filters", "filters.js", '[...asked, ["extent", "fitting"]]', "asked", ["results: counts are"]],
  ["no county to tick", "county_ticks.js", "if (names.length < 2) return;", "return;", ["results: counts are"]],
  ["one county takes the place of another", "county_ticks.js", "[...others, ...(isTicked", "[...(isTicked", ["results: counts are"]],
  ["ways out without their numbers", "loosen.js", "number.textContent = rows", "void rows", ["results: none, with"]],
  ["a workbook that says nothing of itself", "answers.js", "await searchSheet({ ...about,", "await searchSheet({", ["results: saved"]],
  ["a map of the first alone", "results.js", "total, tallies, listAround", "total, listAround", ["results: a map of more"]],
  ["nobody hears that none fits", "results.js", "if (anybody || ", "if (true || ", ["results: none does"]],
  ["counties from afar", "map_ground.js", 'classList.toggle("map-far", !near)', 'classList.remove("map-far")', ["results: counties"]],
  ["a map without towns", "map_ground.js", "drawn.length >= TOWNS_MAX", "true", ["results: counties"]],
  ["names over names", "map_ground.js", "taken.push(area);", "", ["results: counties"]],
  ["a printed search without its query", "style.css", ".view.search > h1.visually-hidden, .print-only", ".print-only", ["results: on paper"]],
  ["a workbook without rows", "sheet.js", "rows.map((row, number)", "rows.slice(0, 1).map((row, number)", ["results: saved"]],
  ["texts of a workbook are lost", "sheet.js", "escaped(String(value).slice(0, CELL_MAX))", '""', ["lists: exported"]],
  ["notes of a link are lost", "exchange.js", 'row.note = notes.get(row.ein) ?? "";', 'row.note = "";', ["lists: carried"]],
  ["programs have all that is spent", "compared_rows.js", "breakdown.program_expenses / expenses : null", "1 : null", ["compare: side"]],
  ["pay of nobody in particular", "compared_rows.js", "[named(name), title && named(title), ", "[", ["compare: side"]],
  ["the excluded take room", "evidence.js", 'decision === "yes" && one !== chosen', "false", ["match: beside"]],
  ["a feed without posts", "main.js", "body.total === 0", "false", ["navigation: the feed"]],
  ["nobody sees where the words end", "beyond_list.js", "if (!unlisted) return null;", "return null;", ["results: where the words"]],
  ["strays among the states", "counted.js", "if (few.length) select.append", "if (false) select.append", ["filters: figures"]],
  ["strays among the places", "home.js", "listOf(\"By place\", entries(loaded))", "listOf(\"By place\", [...entries(loaded), ...few])", ["first view: places"]],
  ["orders by what nobody has", "known.js", "share === 0 && !option.selected", "false", ["filters: figures"]],
  ["nobody hears that no figures are loaded", "known.js", "if (sentences.length === 0) return;", "return;", ["filters: values"]],
  ["figures that nobody has are offered", "counted.js", "at.hidden = share < OFFERED_SHARE_MIN && !set;", "", ["filters: figures"]],
  ["Next leads nowhere", "results.js", "(to) => address(filters, { page: to })", "() => address(filters)", ["results: pages"]],
  ["the order is not sent", "filters.js", "!ALSO.includes(name)", '!ALSO.includes(name) && name !== "sort"', ["results: pages"]],
  ["points all in a corner", "map.js", 'this.#pixel(group).join(" ")', '"0 0"', ["results: map"]],
  ["points open no card", "map_card.js", "this.element.hidden = false;", "", ["results: map"]],
  ["figures without their period", "provenance.js", "one?.tax_period && one.value", "false && one.value", ["profile: where its values"]],
  ["the report leaves out its update", "reliance.js", 'h("p", {}, report.statement)', "null", ["profile: a report"]],
  ["the head of the page in the printed report", "style.css", "header.shell, .skip, .no-print", ".skip, .no-print", ["profile: the report"]],
  ["the feed ignores its form", "feed.js", "{ ...filters, size: form", "{ size: form", ["feed: kinds"]],
  ["pages of the feed stand still", "pager.js", 'step(page + 1, "Next"', 'step(page, "Next"', ["feed: pages"]],
  ["metrics under EINs", "card.js", "if (name && !signal?.aborted)", "if (false)", ["feed: tabs"]],
  ["columns are not recognised", "columns.js", 'role === "other_name" || !roles.includes(role)', "false", ["match: a file"]],
  ["the list is not said to stay here", "match.js", 'h("span", { class: "origin" }, location.origin), ", to be', '", to be', ["match: a file"]],
  ["formulas in the file", "csv.js", "guarded(String(value ?? \"\"))", 'String(value ?? "")', ["match: a file"]],
  ["a separator that is not the list's", "csv.js", "areHeadings(cells)) return separator", "areHeadings(cells)) return null", ["match: a file"]],
  ["rows that do not fit are sent", "matching.js", "found === expected ? null", "true ? null", ["match: columns"]],
  ["cells beyond the header are lost", "matching.js", "[row.slice(width).join(\"; \")]", '[""]', ["match: columns"]],
  ["short rows are not matched", "csv.js", "if (cells.length < width)", "if (false)", ["match: columns"]],
  ["empty cells beyond the headings are a fault", "csv.js", "isBlank(cells.slice(width)) ?", "false ?", ["match: columns"]],
  ["the line that names the separator is a row", "csv.js", "SEPARATOR_LINE.exec(text)?.[0].length ?? ", "", ["match: titles"]],
  ["the separator that is named is not taken", "csv.js", "if (named) return named[2];", "", ["match: titles"]],
  ["titles are taken for headings", "columns.js", "rows.slice(0, HEADINGS_WITHIN)", "rows.slice(0, 1)", ["match: titles"]],
  ["cells that are called like headings", "columns.js", "headings(row) > 1 || ", "", ["match: titles"]],
  ["nobody hears of titles that are left out", "match_columns.js", "titles > 0 &&", "false &&", ["match: titles"]],
  ["EINs alone do not suffice", "columns.js", 'roles.includes("name") || roles.includes("ein")', 'roles.includes("name")', ["match: EINs"]],
  ["rows without a name have nothing to be known by", "evidence.js", "name || ein ||", "name ||", ["match: EINs"]],
  ["a file that lacks the columns that were chosen", "output.js", "      failed(error, put);", "      put([]);", ["match: added columns, or"]],
  ["chosen columns are not added", "output.js", "matching.table(fields)", "matching.table()", ["match: added columns, or"]],
  ["two columns of one heading in the file", "matching.js", "taken.includes(name.toLowerCase())", "false", ["match: added columns, or"]],
  ["details are asked for again from the start", "output.js", ".slice(0, BATCH)", "", ["match: added columns, in"]],
  ["cells move to the left where one is blank", "xlsx.js", 'columnOf(cell.getAttribute("r")) ?? next', "next", ["workbook: sheets and cells of Excel"]],
  ["how a text is pronounced is part of it", "xlsx.js", 'if (one.localName === "t")', 'if (one.localName !== "r")', ["workbook: sheets and cells of Excel"]],
  ["days are numbers", "xlsx.js", 'format === "date" && number', "false && number", ["workbook: sheets and cells of Excel"]],
  ["days from the wrong year on", "xlsx.js", "is1904 ? Date.UTC", "false ? Date.UTC", ["workbook: sheets and cells of Excel"]],
  ["zeros in front are lost", "xlsx.js", 'format && format !== "date" ?', "false ?", ["workbook: sheets and cells of Excel"]],
  ["the first sheet, whatever is in it", "workbook.js", "if (haveHeadings(first)) return at;", "", ["workbook: sheets and cells of Excel"]],
  ["a sheet that cannot be read takes the place of the one before", "draft.js", "    this.#take(await this.#workbook.read(sheet));\n    this.sheet = sheet;", "    this.sheet = sheet;\n    this.#take(await this.#workbook.read(sheet));", ["workbook: sheets and cells of Excel"]],
  ["cells that are repeated stand there once", "ods.js", "time < times", "time < 1", ["workbook: sheets and cells of OpenDocument"]],
  ["rows that are repeated stand there once", "workbook.js", "rows.add(cells, number, times);", "rows.add(cells, number);", ["workbook: sheets and cells of OpenDocument"]],
  ["remarks are part of a cell", "ods.js", '[...cell.children].filter((one) => one.localName === "p").map', '[...cell.querySelectorAll("p")].map', ["workbook: sheets and cells of OpenDocument"]],
  ["hidden sheets come first", "workbook.js", ".sort((one, other) => this.#sheets[one].isHidden - this.#sheets[other].isHidden)", "", ["workbook: sheets and cells of OpenDocument"]],
  ["workbooks of any size when unpacked", "zip.js", "total > UNPACKED_BYTES_MAX", "false", ["workbook: those"]],
  ["more is unpacked than was said", "zip.js", "length + value.length > size", "false", ["workbook: those"]],
  ["encrypted workbooks are damaged ones", "zip.js", "flags & ENCRYPTED", "false", ["workbook: those"]],
  ["any number of sheets", "workbook.js", "sheets.length > SHEETS_MAX", "false", ["workbook: those"]],
  ["any number of columns", "workbook.js", "cells.length > COLUMNS_MAX", "false", ["workbook: those"]],
  ["declarations in workbooks", "xml.js", 'text.includes("<!DOCTYPE")', "false", ["workbook: those"]],
  ["what reads workbooks comes with the page", "draft.js", /^/, 'import "./workbook.js";\n', ["workbook: what reads"]],
  ["a heading twice is not told", "match_columns.js", "double.length &&", "false &&", ["match: columns"]],
  ["a drop does nothing", "match.js", "if (file) takeFile(view, file);", "if (file) void 0;", ["match: pasted"]],
  ["a paste only fills the box", "match.js", 'take(view, "list", pasted);', "void 0;", ["match: pasted"]],
  ["cells of any size", "csv.js", "cell.length > CELL_MAX", "false", ["match: lists"]],
  ["UTF-16 is not recognised", "csv.js", "if (starts(0xff, 0xfe) || zeros(1))", "if (false)", ["match: lists"]],
  ["the wrong candidate is chosen", "review.js", "candidates[Number(event.key) - 1]", "candidates[0]", ["match: maybes"]],
  ["undo does nothing", "review.js", '"u") undo();', '"u") void 0;', ["match: maybes"]],
  ["nobody warns of what is not saved", "match.js", "if (matching?.unsaved || running)", "if (running)", ["match: maybes"]],
  ["nobody sees who decided", "matching.js", 'by: "person"', 'by: "matcher"', ["match: maybes"]],
  ["no addresses of candidates", "review.js", "known.set(ein, body[at])", "known.set(ein, null)", ["match: maybes"]],
  ["busy is a failure", "matching.js", "![429, 503].includes(error.status)", "true", ["match: busy"]],
  ["one failure ends it all, asked again or not", "matching.js", "results?.length !== rows.length", "true", ["match: busy"]],
  ["a failure ends it all", "matching.js", "failures >= FAILURES_MAX", "failures >= 1", ["match: busy"]],
  ["Cancel does nothing", "match.js", "onclick: () => stop.abort()", "onclick: () => {}", ["match: cancelled"]],
  ["a name counts everybody", "results.js", "matches !== null && !isName &&", "matches !== null &&", ["results: of a name"]],
  ["nobody hears by which name", "result.js", "byOther && (otherName(one)", "false && (otherName(one)", ["results: of a name"]],
  ["nobody sees where a name ends", "result_rows.js", "if (bearing) {", "if (false) {", ["results: of a name"]],
  ["no peers are a number", "peers.js", "compared = body.peers >= COMPARED_MIN", "compared = true", ["profile: ratios where"]],
  ["the chat forgets its session", "chat.js", ", session: talk.session }", " }", ["chat: message, follow-up"]],
  ["the chat forgets at a reload", "conversation.js", "sessionStorage.setItem(", "String(", ["chat: message, follow-up"]],
  ["Start over keeps the turns", "chat.js", "startOver();\n    scrolled", "scrolled", ["chat: message, follow-up"]],
  ["lists are not kept", "shelf.js", "if (kept) localStorage.setItem(STORE, text);", "", ["lists: saved"]],
  ["notes are not kept", "list.js", "if (row) row.note = text;", "", ["lists: saved"]],
  ["Undo brings no row back", "saved.js", "one.rows.splice(at, 0, row);", "", ["lists: saved"]],
  ["several lists, and nobody asks which", "saved.js", "if (lists.length > 1) return choose(one);", "", ["lists: of several"]],
  ["Undo brings no list back", "saved.js", "next.lists.splice(at, 0, list);", "", ["lists: made"]],
  ["what is no EIN is dropped silently", "exchange.js", "junk.length > 0 &&", "false &&", ["lists: EINs pasted"]],
  ["orders of a list do nothing", "list.js", "merged.sort((one, other) => compare(one.shown, other.shown))", "merged", ["lists: ordered"]],
  ["cells that are formulas", "csv.js", 'guarded(String(value ?? ""))', 'String(value ?? "")', ["lists: exported"]],
  ["notes stay behind", "exchange.js", 'note: unguarded(row[note] ?? "")', 'note: ""', ["lists: exported"]],
  ["files of any size", "exchange.js", "file.size > FILE_BYTES_MAX", "false", ["lists: files"]],
  ["lists of any length", "exchange.js", "rows > ROWS_MAX", "rows > 1e9", ["lists: files"]],
  ["a link saves itself", "lists.js", "  await load();\n\n", "  await load();\n  keep();\n", ["lists: carried"]],
  ["links of any length", "exchange.js", "rows > ROWS_MAX", "rows > 1e9", ["lists: carried"]],
  ["tabs out of step", "shelf.js", "event.key === STORE || event.key === null", "false", ["lists: two tabs"]],
  ["what cannot be read is lost", "shelf.js", "if (setAside(text)) {", "if (true) {", ["lists: storage"]],
  ["a full storage is not told", "shelf.js", 'fault("This browser has no more room', 'void ("This browser has no more room', ["lists: storage"]],
  ["values that are not known without a reason", "compare.js", "one.why && h(", "false && h(", ["compare: side"]],
  ["six to compare", "saved.js", "picks.length >= PICKS_MAX", "picks.length > PICKS_MAX", ["compare: picked"]],
  ["bars of one length in the comparison", "compare.js", "(Math.abs(value) / most) * 100", "50", ["compare: side"]],
  ["rows that nobody has", "compare.js", "if (of !== later) folded.push(titled);\n    return false;", "return true;", ["compare: side"]],
  ["a comparison without its lists", "standing.js", "from: fromOf(state, list)", "from: fromOf(state, null)", ["compare: side"]],
  ["heads of rows scroll away", "lists.css", "position: sticky; left: 0;", "position: static;", ["compare: on a phone"]],
  ["nobody asks for a key", "api.js", "answer.status === 401) {", "answer.status === 402) {", ["key: a wrong one"]],
  ["the key stays in the address", "api.js", 'history.replaceState(history.state, "", location.pathname', 'void (location.pathname', ["key: taken"]],
  ["no way to try again", "states.js", "retry && (error?.retriable ?? true)", "null", ["server gone"]],
  ["the theme is not kept", "theme.js", "localStorage.setItem(STORE, next)", "void next", ["theme"]],
  ["a path is not described", "docs.js", "Object.entries(api.paths).flatMap", "Object.entries(api.paths).slice(1).flatMap", ["API reference"]],
  ["Try it asks something else", "docs.js", "await ask(target, null", 'await ask("/health", null', ["API reference"]],
  ["the call leaves out the words", "search.js", "call(PATH, asked)]));\n    announce", "call(PATH, {})]));\n    announce", ["API calls"]],
  ["the skip link leads nowhere", "main.js", "(heading ?? main).focus();", "", ["keyboard"]],
  ["the focus is not seen", "style.css", ":focus-visible { outline: 2px solid", ":focus-visible { outline: 0 solid", ["keyboard"]],
  ["results out of reach of Tab", "result.js", "{ href: `#/nonprofit/${one.ein}` }", "{ href: `#/nonprofit/${one.ein}`, tabindex: -1 }", ["keyboard"]],
  ["Back loses the place", "main.js", "if (scroll !== null) scrollTo(0, scroll);", "", ["scroll position"]],
  ["pale text in light", "style.css", "--faint: light-dark(#565d66", "--faint: light-dark(#a9aeb6", ["access: results"]],
  ["pale text in dark", "style.css", "--faint: light-dark(#565d66, #a7acb2", "--faint: light-dark(#565d66, #565b62", ["access: results"]],
  ["fields without labels", "feed.js", "h(\"label\", { for: id }, label)", "h(\"span\", {}, label)", ["access: feed"]],
  ["a page wider than a phone", "style.css", "main { flex: 1;", "main { flex: 1; min-width: 22rem;", ["access: greeting"]],
  ["targets too small to hit", "style.css", ".button.small { min-height: 1.75rem; padding: .15rem .55rem;", ".button.small { min-height: 0; padding: 0; line-height: .8; gap: 0; margin: -3px;", ["access: feed"]],
  ["the picker tells no EIN", "picker.js", "value.value = ein;", "value.value = \"1\";", ["picker: keyboard"]],
  ["the picker opens unseen by assistive software", "picker.js", '"aria-expanded", String(!list.hidden)', '"aria-expanded", "false"', ["picker: keyboard"]],
  ["the picker keeps a choice that was edited", "picker.js", 'set("", "");', "", ["picker: keyboard"]],
  ["the picker's list stays", "picker.js", 'box.addEventListener("blur", close);', "", ["picker: mouse"]],
  ["the picker says nothing of faults", "picker.js", 'say("Nonprofits cannot be looked up now.", true);', "", ["picker: a key"]],
  ["the picker shows late answers", "picker.js", "pending.abort();", "", ["picker: late"]],
  ["options of the picker without a role", "picker.js", 'role: "option", ', "", ["picker: accessible"]],
  ["a stray message of the console", "format.js", /$/, '\nconsole.error("stray");', ["navigation"]],
  ["a picture of another host, with the policy", "index.html", "<body>", '<body><img alt="" src="https://example.org/x.png">', ["navigation"]],
  ["a picture of another host, without a policy", "index.html", "<body>", '<body><img alt="" src="https://example.org/x.png">', ["first view", "requests"]],
  ["a module that is loaded late", "index.html", /<link rel="modulepreload" href="[^"]*home.js">/, "", ["weight: home"]],
  ["a first view that is heavy", "main.js", /$/, `\n// ${"x".repeat(350_000)}`, ["weight: home"]],
  ["the first view fails", "main.js", /^/, "throw new Error();", ["first view"]],
];

const addressOf = (file) => (file === "index.html" ? (url) => url.pathname === "/" : (url) => url.pathname.endsWith(`/${file}`));

/** A browser like this one that gets the file changed; it counts its requests by itself. */
function changed(browser, [name, file, from, to], seen) {
  const handler = async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const body = text.replace(from, () => to);
    if (body !== text) seen.changed = true;
    const headers = { ...response.headers() };
    delete headers["content-length"];
    if (name.endsWith("without a policy")) delete headers["content-security-policy"];
    await route.fulfill({ status: response.status(), headers, body });
  };
  return Object.assign(Object.create(Object.getPrototypeOf(browser)), browser, {
    requests: new Set(), routes: [[addressOf(file), handler]],
  });
}

/** The steps whose names begin so. */
const named = (steps, beginnings) => beginnings.flatMap((one) => steps.filter(({ name }) => name.startsWith(one)));

/** @returns {Promise<boolean>} whether every break was noticed */
export async function prove({ steps, browser, found }) {
  losePatience(PATIENCE_MS);
  const breaks = BREAKS.filter((one) => one[4].every((beginning) => named(steps, [beginning]).length));
  const used = steps.filter((step) => breaks.some((one) => named([step], one[4]).length));
  const failed = [];
  await sideBySide(used, async (step) => {
    const result = await run(step, browser, found);
    if (result.failure) {
      failed.push(step.name);
      report(result);
    }
  });
  console.log(`unchanged: ${used.length} steps, ${failed.length} failed`);
  let missed = 0;
  await sideBySide(breaks, async (one) => {
    const seen = { changed: false };
    const broken = changed(browser, one, seen);
    let failure = null;
    for (const step of named(steps, one[4])) ({ failure } = await run(step, broken, found));
    const noticed = seen.changed && failure;
    if (!noticed) missed += 1;
    const why = !seen.changed ? `${one[1]} has nothing to change` : failure?.split("\n")[0].slice(0, 150) ?? "no step failed";
    console.log(`${noticed ? "noticed" : "MISSED "} ${one[0]}: ${why}`);
  });
  console.log(`${breaks.length} breaks, ${missed} missed`);
  return missed === 0 && failed.length === 0;
}
