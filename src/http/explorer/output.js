// The file that a matched list is written to: which columns of the details are added, and the buttons. Details are
// asked for when the file is wanted; without all of them none is written, unless a person says so.
import { BATCH } from "./batch.js";
import { write } from "./csv.js";
import { h } from "./dom.js";
import { FIELDS, download } from "./exchange.js";
import { count, plural } from "./format.js";
import { patiently } from "./matching.js";
import { aborted, announce } from "./states.js";
import { valuesOf } from "./values.js";

/** What may be added: the name is there already, and a note only a list of this browser has. */
const ADDABLE = FIELDS.filter(([field]) => field !== "name" && field !== "note");

/**
 * @param {import("./matching.js").Matching} matching
 * @param {{signal: AbortSignal, written: () => void}} options `written`: called when the file is
 * @returns {{choice: Node, buttons: Node[], state: Node}} to choose columns, to write, and what is to be said of it
 */
export function output(matching, { signal, written }) {
  const csv = h("button", { type: "button", class: "button primary", onclick: () => save(putCsv) }, "Download as CSV");
  const excel = h("button", { type: "button", class: "button", onclick: () => save(putExcel) }, "Download as Excel");
  const buttons = [csv, excel];
  const state = h("div", { class: "match-output no-print" });
  const summary = h("summary");
  const boxes = ADDABLE.map(([field, said]) => h("label", { class: "check" },
    h("input", { type: "checkbox", value: field, checked: matching.fields.has(field), onchange: choose }), said));
  const choice = h("details", { class: "more no-print match-adding" }, summary,
    h("fieldset", {}, h("legend", { class: "small muted" }, "Columns to add for each matched row, from this server’s data. What is not known is an empty cell."),
      h("div", { class: "export-fields" }, boxes)));
  title();

  function title() {
    const chosen = ADDABLE.filter(([field]) => matching.fields.has(field)).map(([, said]) => said);
    summary.textContent = chosen.length ? `Added columns: ${chosen.join(", ")}` : "Add columns";
  }

  function choose({ target }) {
    if (target.checked) matching.fields.add(target.value);
    else matching.fields.delete(target.value);
    // What was fetched has other members.
    matching.details.clear();
    state.replaceChildren();
    title();
  }

  async function save(put) {
    const fields = ADDABLE.map(([field]) => field).filter((field) => matching.fields.has(field));
    for (const control of [...buttons, ...boxes.map((box) => box.control)]) control.disabled = true;
    try {
      if (fields.length) await fetchAll(fields);
      await finish(put, fields);
    } catch (error) {
      if (signal.aborted || aborted(error)) return;
      failed(error, put);
    } finally {
      for (const control of [...buttons, ...boxes.map((box) => box.control)]) control.disabled = false;
    }
    if (!state.firstChild) csv.focus();
  }

  /** Asks for the details of all that are matched, those too that a person settles meanwhile. */
  async function fetchAll(fields) {
    const note = h("p", { class: "muted small", role: "status" }, "Fetching the columns…");
    state.replaceChildren(note);
    for (;;) {
      const eins = matching.found();
      const missing = eins.filter((ein) => !matching.details.has(ein)).slice(0, BATCH);
      if (!missing.length) break;
      const details = await patiently(() => valuesOf(missing, fields, signal, Infinity), signal, (why) => { note.textContent = why; });
      for (const [ein, one] of details) matching.details.set(ein, one);
      note.textContent = `Fetched the columns of ${count(matching.details.size)} of ${plural(eins.length, "organization", "organizations")}`;
    }
    state.replaceChildren();
  }

  const nameOf = (ending) => `${matching.name.replace(/\.[^.]*$/, "")}-matched.${ending}`;

  function putCsv(fields) {
    download(write(matching.table(fields), matching.separator === ";" ? ";" : ","), nameOf("csv"), "text/csv");
  }

  async function putExcel(fields) {
    const { TYPE, workbook } = await import("./sheet.js");
    download(workbook([{ name: "Matched", rows: matching.table(fields) }]), nameOf("xlsx"), TYPE);
  }

  async function finish(put, fields) {
    await put(fields);
    matching.unsaved = false;
    written();
    announce("The list was written to a file.");
  }

  function failed(error, put) {
    const again = h("button", { type: "button", class: "button", onclick: () => save(put) }, "Try again");
    state.replaceChildren(h("div", { class: "state problem", role: "alert" },
      h("p", { class: "state-title" }, "No file was written: the added columns could not be fetched."),
      h("p", null, error.message),
      h("div", { class: "row" }, again,
        h("button", { type: "button", class: "button", onclick: () => { state.replaceChildren(); finish(put, []).catch((error) => failed(error, put)); csv.focus(); } }, "Download without them"))));
    again.focus();
  }

  return { choice, buttons, state };
}
