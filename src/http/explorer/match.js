// The matching view: a list is given, its columns are told, it is matched and settled. What was done
// stays in memory while the page is open, so that a look at a profile loses nothing; nothing is kept else.
import { BYTES_MAX, ROWS_MAX, Unreadable } from "./csv.js";
import { h } from "./dom.js";
import { Draft } from "./draft.js";
import { count, plural } from "./format.js";
import { holdings, listedStates } from "./holdings.js";
import { columnsOf } from "./match_columns.js";
import { Matching } from "./matching.js";
import { review } from "./review.js";
import { announce, loading } from "./states.js";

/** What the dialog for files offers: lists in text, and workbooks. What a file is its contents say. */
const ACCEPTED = [
  ".csv", ".tsv", ".txt", ".tab", ".xlsx", ".xlsm", ".ods", "text/csv", "text/plain", "text/tab-separated-values",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.oasis.opendocument.spreadsheet",
].join();

/** The list that was read, and the matching of it, while the page is open. */
let draft = null;
let matching = null;
/** While it is being matched: what stops that, and the elements that show how far it is. */
let running = null;
/** The view, while it is shown. */
let current = null;

addEventListener("beforeunload", (event) => {
  if (matching?.unsaved || running) event.preventDefault();
});

export const title = () => "Match a list";

export async function show(root, { signal }) {
  const stage = h("div", { class: "match-stage" });
  const view = { root, stage, signal };
  current = view;
  signal.addEventListener("abort", () => { if (current === view) current = null; });
  root.replaceChildren(
    h("h1", { tabindex: "-1" }, "Match a list"),
    stage);
  takeDrops(view);
  if (running) turn(view, false, running.elements);
  else if (matching) results(view);
  else if (draft) columns(view);
  else input(view);
}

/** Shows another stage, and tells where it begins to those who follow the focus. */
function turn(view, focus, ...elements) {
  view.stage.replaceChildren(...elements.flat().filter(Boolean));
  if (!focus) return;
  const heading = view.stage.querySelector("h2");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** What a person settled and has in no file yet is not thrown away unasked. */
const mayDiscard = () => !matching?.unsaved || confirm("Your decisions have not been saved to a file. Continue and lose them?");

// The list

function input(view, { focus = false, fault = null, text = "" } = {}) {
  const box = h("textarea", {
    id: "match-text", rows: 8, spellcheck: "false", autocomplete: "off", "aria-describedby": "match-fault match-hint", "aria-invalid": fault ? "true" : null,
    placeholder: "name,street,city,state,zip\nMaple River Food Shelf,1 Main St,Burlington,VT,05401\n…",
    onpaste: (event) => {
      const pasted = event.clipboardData.getData("text/plain");
      if (box.value || !/[\r\n]/.test(pasted.trim())) return;
      // Thousands of rows would only be slow in the box.
      event.preventDefault();
      take(view, "list", pasted);
    },
  });
  box.value = text;
  const file = h("input", { type: "file", id: "match-file", class: "visually-hidden", accept: ACCEPTED, onchange: () => takeFile(view, file.files[0]) });
  const given = () => (box.value.trim() ? take(view, "list", box.value) : box.focus());
  turn(view, focus,
    h("div", { class: "match-lead" },
      h("p", null, "Turn names and addresses of grantees, vendors, members or employers into EINs. Each row gets a yes, a maybe or a no, with what agrees and what does not; you decide the maybes."),
      h("p", { class: "match-private" }, h("strong", null, "Your list goes to this server only, "), h("span", { class: "origin" }, location.origin), ", to be matched there. It is not kept there or in this browser.")),
    h("h2", null, "Your list"),
    h("div", { class: "drop" },
      h("div", { class: "field" },
        h("label", { for: "match-text" }, "Paste it here, from a spreadsheet or as text"), box,
        h("p", { class: "error", id: "match-fault", role: "alert" }, fault)),
      h("div", { class: "row" },
        h("button", { type: "button", class: "button primary", onclick: given }, "Read the list"),
        file, h("label", { for: "match-file", class: "button" }, "Choose a file"),
        h("span", { class: "muted small wide-only" }, "or drop one on this page"))),
    h("p", { class: "muted small", id: "match-hint" },
      `A row of headings helps, and so do a street and a ZIP code; EINs alone work too. Files are workbooks (.xlsx, .ods) or text with commas, semicolons, tabs or bars; at most ${BYTES_MAX / 1e6} MB and ${count(ROWS_MAX)} rows. A workbook is read in this browser, and only the rows to be matched leave it. For more rows there is `,
      h("code", null, "almoner match"), "."));
}

async function takeFile(view, file) {
  if (!file) return;
  const token = {};
  view.reading = token;
  turn(view, false, loading(`Reading ${file.name}…`));
  let made = null;
  let fault = null;
  try {
    made = await Draft.ofFile(file);
  } catch (error) {
    fault = error instanceof Unreadable ? error.message : `${file.name} cannot be read: ${error.message}`;
  }
  // Another list was given in the meantime, or the view was left.
  if (current !== view || view.reading !== token) return;
  if (fault) refused(view, fault);
  else accept(view, made);
}

function refused(view, fault, text = "") {
  draft = null;
  input(view, { fault, text });
  view.stage.querySelector("#match-text").focus();
}

/** Files may be dropped anywhere on the view. */
function takeDrops(view) {
  const { root, signal } = view;
  const over = (is) => root.classList.toggle("dropping", is);
  // A file dropped beside the view would be opened in place of the page.
  addEventListener("dragover", (event) => { event.preventDefault(); over(!running); }, { signal });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) over(false); }, { signal });
  addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    const [file] = event.dataTransfer.files;
    if (running || !mayDiscard()) return;
    matching = null;
    if (file) takeFile(view, file);
    else if (event.dataTransfer.getData("text/plain")) take(view, "list", event.dataTransfer.getData("text/plain"));
  }, { signal });
}

function take(view, name, text) {
  view.reading = null;
  try {
    accept(view, Draft.ofText(name, text));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    refused(view, error.message, text.length < 100_000 ? text : "");
  }
}

function accept(view, made) {
  draft = made;
  matching = null;
  columns(view, { focus: true });
}

// Its columns

function columns(view, { focus = false } = {}) {
  const { name, header, separator, roles, rows, numbers } = draft;
  turn(view, focus, columnsOf(draft, {
    redraw: (selector, at = 0) => {
      columns(view);
      view.stage.querySelectorAll(selector)[at]?.focus();
    },
    // Another list was given in the meantime, or the view was left.
    isCurrent: (its) => draft === its,
    start: () => {
      matching = new Matching({ name, header, roles: [...roles], rows, numbers, separator });
      run(view);
    },
    another: () => { draft = null; input(view, { focus: true }); },
  }));
}

// Matching it

/** Asks for what has no answer yet, then shows what there is. */
async function run(view) {
  const stop = new AbortController();
  const total = matching.rows.length;
  const bar = h("progress", { max: total, value: 0, "aria-labelledby": "match-progress" });
  const said = h("p", { id: "match-progress" });
  const note = h("p", { class: "muted small", role: "status" });
  const done = () => total - matching.pending().length;
  const tell = (why) => {
    const { yes, maybe, no } = matching.counts();
    bar.value = done();
    said.textContent = `${count(done())} of ${plural(total, "row", "rows")}: ${count(yes)} yes, ${count(maybe)} maybe, ${count(no)} no`;
    note.textContent = why ?? "";
  };
  tell(null);
  running = { elements: [
    h("h2", null, "Matching"), said, bar, note,
    h("p", null, h("button", { type: "button", class: "button", onclick: () => stop.abort() }, "Cancel")),
  ] };
  turn(view, true, running.elements);
  let failure = null;
  let cancelled = false;
  try {
    [failure] = await Promise.all([matching.run(stop.signal, tell), tellListed(matching)]);
  } catch (error) {
    if (!stop.signal.aborted) failure = error;
    cancelled = stop.signal.aborted;
  }
  running = null;
  // Who has left the view in the meantime finds the answers when coming back.
  if (current) results(current, { focus: true, failure, cancelled });
}

/** Of which states a list is loaded, so that a no of any other is told as what it is; without an answer nothing is said. */
const tellListed = (its) => holdings().then((all) => { its.loaded = listedStates(all); }, () => {});

function results(view, { focus = false, failure = null, cancelled = false } = {}) {
  const pending = matching.pending().length;
  const go = h("button", { type: "button", class: "button", onclick: () => run(view) }, failure ? "Try these again" : "Go on");
  const left = pending > 0 && h("div", { class: `no-print state${failure ? " problem" : ""}`, role: "alert" },
    h("p", { class: "state-title" }, `${plural(pending, "row has", "rows have")} no answer yet.`),
    h("p", null, failure ? failure.message : cancelled ? "You cancelled." : "The matching was interrupted.", pending < matching.rows.length && " The others are kept."),
    go);
  const again = h("div", { class: "row no-print" },
    h("button", { type: "button", class: "button small", onclick: () => {
      if (!mayDiscard()) return;
      matching = null;
      columns(view, { focus: true });
    } }, "Change the columns"),
    h("button", { type: "button", class: "button small", onclick: () => {
      if (!mayDiscard()) return;
      matching = null;
      draft = null;
      input(view, { focus: true });
    } }, "Another list"));
  turn(view, focus, left, review(matching, { signal: view.signal, again }));
  const { yes, maybe, no } = matching.counts();
  if (focus) announce(`${count(yes)} yes, ${count(maybe)} maybe, ${count(no)} no${pending ? `, ${count(pending)} without an answer` : ""}.`);
}
