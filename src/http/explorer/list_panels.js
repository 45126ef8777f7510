// What is done with one list beside reading it: EINs added, files exported, a link shared, the name changed. Each is a
// panel that a button opens; one is open at a time.
import { copyable } from "./api.js";
import { h } from "./dom.js";
import { FIELDS, download, einsIn, fileName, leftOut, toCsv, toJson, toLink, toXlsx } from "./exchange.js";
import { count, plural } from "./format.js";
import { PHONES_MAX } from "./phones.js";
import { TYPE as XLSX } from "./sheet.js";
import { NAME_MAX, add, edit, listById } from "./shelf.js";
import { aborted } from "./states.js";

const PANELS = { adding: ["Add", adding], exporting: ["Export", exporting], sharing: ["Share", sharing], renaming: ["Rename", renaming] };

/** The buttons that open the panels in `view.panel`; `view.close` closes the one that is open. */
export function panels(view) {
  const buttons = Object.entries(PANELS).map(([name, [text, panel]]) => h("button", {
    type: "button", class: "button", id: `tool-${name}`, "aria-expanded": "false", "aria-controls": "list-panel",
    onclick: ({ currentTarget }) => open(currentTarget, panel),
  }, text));
  function open(button, panel) {
    const closing = button.getAttribute("aria-expanded") === "true";
    for (const one of buttons) one.setAttribute("aria-expanded", String(one === button && !closing));
    view.panel.replaceChildren(...(closing ? [] : [panel(view)]));
    view.panel.querySelector("textarea, input")?.focus();
  }
  view.close = () => { const one = buttons.find((button) => button.getAttribute("aria-expanded") === "true"); if (one) { one.click(); one.focus(); } };
  return buttons;
}

function adding(view) {
  const box = h("textarea", { id: "add-eins", rows: "4", "aria-describedby": "add-hint add-said", placeholder: "53-0196605, 131624102" });
  const said = h("p", { class: "small", id: "add-said", role: "status" });
  return h("form", { class: "stack", onsubmit: (event) => {
    event.preventDefault();
    const found = einsIn(box.value);
    const done = found.rows.length ? add(view.id, found.rows) : { added: 0, known: 0 };
    if (!done) return;
    // What is no EIN stays to be mended.
    box.value = found.junk.join("\n");
    said.textContent = [`${plural(done.added, "organization was", "organizations were")} added.`,
      done.known > 0 && `${count(done.known)} ${done.known === 1 ? "was" : "were"} in the list already.`, leftOut(found)].filter(Boolean).join(" ");
  } },
  h("div", { class: "field" }, h("label", { for: "add-eins" }, "EINs to add"), box,
    h("p", { class: "hint", id: "add-hint" }, "Nine digits each, with or without a dash, separated by commas, spaces or line breaks. Or ", h("a", { href: "#/search" }, "search"), " and press Save.")),
  h("div", { class: "row" }, h("button", { class: "button primary" }, "Add them")), said);
}

function exporting(view) {
  const boxes = FIELDS.map(([field, text, usual]) => h("label", { class: "check" }, h("input", { type: "checkbox", value: field, checked: usual }), text));
  const said = h("p", { class: "error", role: "alert" });
  const state = h("p", { class: "small muted", role: "status" });
  const chosen = () => boxes.map((box) => box.firstElementChild).filter((box) => box.checked).map((box) => box.value);
  const save = (make, ending, type) => async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    said.textContent = "";
    state.textContent = "Fetching…";
    try {
      const list = listById(view.id);
      download(await make(list, chosen(), view.context.signal), fileName(list.name, ending), type);
    } catch (error) {
      if (!aborted(error)) said.textContent = error.message;
    } finally {
      state.textContent = "";
      button.disabled = false;
    }
  };
  return h("div", { class: "stack" },
    h("fieldset", {}, h("legend", {}, "Columns besides the EIN"), h("div", { class: "export-fields" }, boxes)),
    h("div", { class: "row" },
      h("button", { type: "button", class: "button primary", id: "export-csv", onclick: save(toCsv, "csv", "text/csv") }, "Export as CSV"),
      h("button", { type: "button", class: "button", id: "export-xlsx", onclick: save(toXlsx, "xlsx", XLSX) }, "Export for Excel"),
      h("button", { type: "button", class: "button", id: "export-json", onclick: save(toJson, "json", "application/json") }, "Export as JSON")),
    h("p", { class: "hint small muted" }, `The JSON can be imported again, with the notes. What is not known is an empty cell, or null. Telephone numbers come from loaded returns, for up to ${PHONES_MAX} organizations.`), state, said);
}

function sharing(view) {
  const list = listById(view.id);
  const holder = h("div", {});
  const notes = h("input", { type: "checkbox", id: "share-notes", onchange: link });
  const hasNotes = list.note || list.rows.some(({ note }) => note);
  function link() {
    const address = toLink(listById(view.id), notes.checked);
    holder.replaceChildren(address ? copyable(address, "Link to the list")
      : h("p", { class: "error", role: "alert" }, "With all notes the link would be too long to send. Export the list as JSON instead, which includes them."));
  }
  link();
  return h("div", { class: "stack" },
    h("p", { class: "small" }, "The link contains the name of the list and its EINs. Anyone who opens it on this server sees the list and can save it."),
    hasNotes && h("label", { class: "check" }, notes, "Include the notes; anyone with the link can then read them"), holder);
}

function renaming(view) {
  const input = h("input", { id: "list-name", value: listById(view.id).name, maxlength: String(NAME_MAX), autocomplete: "off" });
  return h("form", { class: "stack", onsubmit: (event) => {
    event.preventDefault();
    if (input.value.trim()) edit(view.id, (list) => { list.name = input.value.trim(); });
    view.close();
  } }, h("div", { class: "field" }, h("label", { for: "list-name" }, "Name of the list"), input),
  h("div", { class: "row" }, h("button", { class: "button primary" }, "Rename")));
}
