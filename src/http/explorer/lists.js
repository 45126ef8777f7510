// Lists of nonprofits: `#/lists` with all of them, `#/list/<id>` with one (list.js), and
// `#/shared?name=…&eins=…`, a list that came with a link and is kept only when that is asked for.
// Lists are kept in this browser alone (shelf.js); how they come and go as files is exchange.js's.
import { call } from "./api.js";
import { requestsOf } from "./batch.js";
import { h, nodes } from "./dom.js";
import { download, fromFile, fromLink, leftOut, tooMany } from "./exchange.js";
import { excerpt, plural } from "./format.js";
import { FACTS, factsOf, show as showList } from "./list.js";
import { table } from "./list_table.js";
import { printed } from "./printed.js";
import { notice, removeList } from "./saved.js";
import { asideText, asides, changes, create, edit, forgetAside, listById, shelf } from "./shelf.js";
import { aborted, empty, loading, problem } from "./states.js";

const idOf = (path) => path.split("/")[2] ?? "";

export function title(path, parameters) {
  if (path === "/shared") return fromLink(parameters).name;
  return path === "/lists" ? "Lists" : listById(idOf(path))?.name ?? "No such list";
}

export async function show(root, context) {
  const { path } = context;
  if (path === "/shared") return shared(root, context);
  if (path === "/lists") return all(root, context);
  if (listById(idOf(path))) return showList(root, context, idOf(path));
  root.replaceChildren(h("h1", {}, "There is no such list"),
    h("p", {}, "It was deleted, or it is in another browser. To move a list between browsers, share it by link or export it."),
    h("p", {}, h("a", { href: "#/lists" }, "All lists in this browser")));
  return undefined;
}

function all(root, { go, signal }) {
  const holder = h("div", {});
  const apart = h("div", {});
  const note = h("p", { class: "error", role: "alert", id: "import-error" });
  const file = h("input", { type: "file", id: "import-file", accept: ".json,.csv,.tsv,.txt,.xlsx,.ods", "aria-describedby": "import-error", onchange: take });
  const name = h("input", { id: "new-name", maxlength: "120", autocomplete: "off", placeholder: "Food banks to visit" });
  const form = h("form", { class: "card stack", onsubmit: make },
    h("div", { class: "field" }, h("label", { for: "new-name" }, "Name of a new list"), name),
    h("div", { class: "row" }, h("button", { class: "button primary" }, "Create list")));
  const importing = h("div", { class: "card stack" },
    h("div", { class: "field" }, h("label", { for: "import-file" }, "Import a list"), file,
      h("p", { class: "hint" }, "A list exported here as JSON, or a CSV or workbook with a column of EINs; at most 10 MB."), note));
  root.replaceChildren(
    h("h1", {}, "Lists"),
    h("p", { class: "standfirst" }, "Lists are kept in this browser only; the server sees only the EINs it is asked about. To use a list elsewhere, export it or share it by link."),
    holder, apart,
    h("div", { class: "list-makers no-print" }, form, importing));
  draw();
  changes.addEventListener("change", draw, { signal });

  function draw() {
    const { lists } = shelf();
    holder.replaceChildren(lists.length
      ? h("ul", { class: "plain lists-all" }, lists.map(entry))
      : empty("There is no list yet.", ["Save a nonprofit from ", h("a", { href: "#/search" }, "the search"), " or its page, or make a list here."]));
    apart.replaceChildren(...asides().map(setAside));
  }

  function make(event) {
    event.preventDefault();
    const id = create({ name: name.value });
    if (id) go(`#/list/${id}`);
  }

  async function take() {
    note.textContent = "";
    if (!file.files[0]) return;
    try {
      const found = await fromFile(file.files[0]);
      const id = create(found);
      if (!id) return;
      notice(`“${found.name}” was imported with ${plural(found.rows.length, "organization", "organizations")}. ${leftOut(found)}`);
      go(`#/list/${id}`);
    } catch (error) {
      note.textContent = error.message;
    } finally {
      file.value = "";
    }
  }
}

function entry(list) {
  const row = h("li", { class: "lists-one" });
  const read = () => row.replaceChildren(
    h("div", { class: "lists-what" },
      h("h2", {}, h("a", { href: `#/list/${list.id}` }, list.name)),
      h("p", { class: "muted small" }, plural(list.rows.length, "organization", "organizations"), list.note && ` · ${excerpt(list.note, 120)}`)),
    h("div", { class: "row" },
      h("button", { type: "button", class: "button quiet small rename", "aria-label": `Rename ${list.name}`, onclick: rename }, "Rename"),
      h("button", { type: "button", class: "button quiet small delete", "aria-label": `Delete ${list.name}`, onclick: drop }, "Delete")));
  function rename() {
    const input = h("input", { value: list.name, maxlength: "120", "aria-label": `New name of ${list.name}`, onkeydown: (event) => { if (event.key === "Escape") back(); } });
    row.replaceChildren(h("form", { class: "row lists-rename", onsubmit: (event) => {
      event.preventDefault();
      // A list always has a name.
      if (input.value.trim() && input.value.trim() !== list.name) edit(list.id, (one) => { one.name = input.value.trim(); });
      else back();
      refocus();
    } }, input, h("button", { class: "button small primary" }, "Rename"), h("button", { type: "button", class: "button small quiet", onclick: back }, "Cancel")));
    input.select();
  }
  function back() {
    read();
    row.querySelector("button").focus();
  }
  function drop() {
    removeList(list.id);
    document.querySelector("main h1").focus();
  }
  const refocus = () => document.querySelector(`.lists-all a[href="#/list/${list.id}"]`)?.focus();
  read();
  return row;
}

/** What could not be read: to be kept as a file, or forgotten. */
function setAside(key) {
  return h("div", { class: "state problem list-aside" },
    h("p", { class: "state-title" }, "Some saved lists could not be read."),
    h("p", {}, "They were set aside unchanged; whatever could be read is above."),
    h("div", { class: "row" },
      h("button", { type: "button", class: "button small", onclick: () => download(asideText(key), "almoner-lists-set-aside.txt", "text/plain") }, "Save as a file"),
      h("button", { type: "button", class: "button small danger", onclick: () => forgetAside(key) }, "Discard")));
}

async function shared(root, context) {
  const found = fromLink(context.parameters);
  const refused = tooMany(found.rows.length, "This link");
  const holder = h("div", {}, loading("Loading the organizations…", 6));
  const left = leftOut(found);
  root.replaceChildren(...nodes([
    h("h1", {}, found.name),
    h("p", { class: "standfirst" }, refused ? null : `${plural(found.rows.length, "organization", "organizations")}, from the link. The list is not kept in this browser unless you save it.`),
    found.note && h("p", {}, found.note),
    !refused && printed(),
    left && h("p", { class: "list-left", role: "note" }, left),
    refused && h("div", { class: "state problem", role: "alert" }, h("p", { class: "state-title" }, refused)),
    !refused && found.rows.length > 0 && h("div", { class: "row list-shared no-print" },
      h("button", { type: "button", class: "button primary", id: "save-shared", onclick: keep }, "Save this list"),
      h("button", { type: "button", class: "button", onclick: () => print() }, "Print")),
    refused ? null : holder]));
  if (refused) return;
  if (!found.rows.length) {
    holder.replaceChildren(empty("The link has no EINs.", "It needs eins= followed by nine-digit EINs, separated by commas."));
    return;
  }
  let details;
  await load();

  async function load() {
    try {
      details = await factsOf(found.rows.map(({ ein }) => ein), context.signal);
    } catch (error) {
      if (aborted(error) || context.signal.aborted) throw error;
      holder.replaceChildren(problem(error, load));
      return;
    }
    holder.replaceChildren(table(found.rows, details, {}), call(requestsOf(found.rows.map(({ ein }) => ein), FACTS)));
  }

  function keep() {
    const rows = found.rows.map((row) => ({ ...row, name: details?.get(row.ein)?.name ?? "" }));
    const id = create({ name: found.name, note: found.note, rows });
    if (id) context.go(`#/list/${id}`);
  }
}
