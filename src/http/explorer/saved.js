// What saves and compares, for other views to put beside a nonprofit: the two buttons, and the bar at
// the bottom that has those picked to compare and says what was undone or refused. What is kept is
// shelf.js's.
import { h, nodes } from "./dom.js";
import { PICKS_MAX, add, change, changes, create, edit, listById, shelf } from "./shelf.js";
import { announce } from "./states.js";

/** The list that the first thing saved makes. */
const FIRST_LIST = "Saved";

/** How long a message stays that nobody looks at; one that is younger than this came with the step to the page. */
const STAYS_MS = 8_000;
const YOUNG_MS = 1_000;

/** "Save" to look at, "Save Food Bank of …" to hear. */
const named = (text, name) => [text, h("span", { class: "visually-hidden" }, ` ${name}`)];

/** A button that saves `{ein, name}` to the current list, or takes it out; of several lists it lets choose. */
export function saveButton({ ein, name }) {
  const button = h("button", { type: "button", class: "button quiet small save", dataset: { save: ein }, onclick: ({ currentTarget }) => save({ ein, name }, currentTarget) });
  button.label = name;
  show(button);
  return button;
}

/** A button that picks `{ein, name}` to be compared, or no longer. */
export function compareToggle({ ein, name }) {
  const button = h("button", { type: "button", class: "button quiet small pick", dataset: { pick: ein }, onclick: () => pick({ ein, name }) });
  button.label = name;
  show(button);
  return button;
}

/** Both, for a nonprofit as the server tells it. */
export const actions = (one) => h("div", { class: "result-actions" }, saveButton(one), compareToggle(one));

function show(button) {
  const { save: saved, pick: picked } = button.dataset;
  const { lists, picks } = shelf();
  const on = saved ? lists.some(({ rows }) => rows.some((row) => row.ein === saved)) : picks.some((row) => row.ein === picked);
  button.setAttribute("aria-pressed", String(on));
  button.replaceChildren(...nodes(named(saved ? (on ? "Saved" : "Save") : "Compare", button.label)));
  if (saved && lists.length > 1) button.setAttribute("aria-haspopup", "dialog");
  else button.removeAttribute("aria-haspopup");
}

changes.addEventListener("change", () => {
  for (const button of document.querySelectorAll("[data-save], [data-pick]")) show(button);
});

function save(one, button) {
  const { lists } = shelf();
  if (lists.length > 1) return choose(one);
  if (!lists.length) {
    if (create({ name: FIRST_LIST, rows: [{ ...one, note: "" }] })) tellBeside(button, `Saved to “${FIRST_LIST}”.`, "Open the list", `#/list/${shelf().current}`);
    return undefined;
  }
  return toggle(lists[0].id, one);
}

/** Says something below a button, where it has room of its own. */
function tellBeside(button, text, label, href) {
  announce(text);
  const line = h("p", { class: "beside small" }, `${text} `, h("a", { href }, label));
  (button.closest(".result-actions") ?? button).after(line);
  passing(line, () => line.isConnected, () => line.remove());
}

/** Ends a message after a while, but not under the pointer or the focus. */
function passing(element, isShown, end) {
  setTimeout(() => {
    if (!isShown()) return;
    if (element.matches(":hover, :focus-within")) passing(element, isShown, end);
    else end();
  }, STAYS_MS);
}

/** Puts one into a list, or takes it out. */
function toggle(id, one) {
  const list = listById(id);
  if (!list) return;
  if (list.rows.some(({ ein }) => ein === one.ein)) removeRow(id, one.ein);
  else if (add(id, [{ ...one, note: "" }])) announce(`Saved to ${list.name}`);
}

/** Takes a row out of a list, and offers to put it back where it was. */
export function removeRow(id, ein) {
  const list = listById(id);
  const at = list?.rows.findIndex((row) => row.ein === ein) ?? -1;
  if (at < 0) return;
  const row = list.rows[at];
  if (!edit(id, (one) => { one.rows = one.rows.filter((other) => other.ein !== ein); })) return;
  notice(`${row.name || "It"} was removed from “${list.name}”.`, "Undo", () => edit(id, (one) => {
    if (!one.rows.some((other) => other.ein === ein)) one.rows.splice(at, 0, row);
  }));
}

/** Deletes a list, and offers to bring it back. */
export function removeList(id) {
  const { lists, current } = shelf();
  const at = lists.findIndex((one) => one.id === id);
  if (at < 0) return;
  const list = lists[at];
  if (!change((next) => {
    next.lists = next.lists.filter((one) => one.id !== id);
    if (current === id) next.current = next.lists[0]?.id ?? null;
  })) return;
  notice(`“${list.name}” was deleted.`, "Undo", () => change((next) => {
    if (next.lists.some((one) => one.id === id)) return;
    next.lists.splice(at, 0, list);
    next.current = current;
  }));
}

function choose(one) {
  const boxes = h("fieldset", { class: "stack" }, h("legend", {}, "In these lists"));
  const name = h("input", { id: "new-list-name", autocomplete: "off", maxlength: "120" });
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": "save-where" },
    h("form", { method: "dialog", class: "stack", onsubmit: made },
      h("h2", { id: "save-where" }, `Save ${one.name}`), boxes,
      h("div", { class: "field" }, h("label", { for: "new-list-name" }, "Or in a new list"),
        h("div", { class: "row save-new" }, name, h("button", { class: "button", value: "new" }, "Make it"))),
      h("div", { class: "row" }, h("button", { type: "button", class: "button primary", onclick: () => dialog.close() }, "Done"))));
  function fill() {
    const { lists, current } = shelf();
    boxes.replaceChildren(boxes.firstElementChild, ...lists.map((list) => h("label", { class: "check" },
      h("input", {
        type: "checkbox", autofocus: list.id === current, checked: list.rows.some(({ ein }) => ein === one.ein),
        onchange: () => { toggle(list.id, one); change((next) => { next.current = list.id; }); },
      }), list.name)));
  }
  function made(event) {
    event.preventDefault();
    if (!name.value.trim()) return dialog.close();
    if (create({ name: name.value, rows: [{ ...one, note: "" }] })) announce(`Saved to ${name.value}`);
    return dialog.close();
  }
  dialog.addEventListener("close", () => dialog.remove());
  fill();
  document.body.append(dialog);
  dialog.showModal();
}

function pick(one) {
  const { picks } = shelf();
  const there = picks.some(({ ein }) => ein === one.ein);
  if (!there && picks.length >= PICKS_MAX) {
    notice(`You can compare ${PICKS_MAX} at a time. Remove one first.`);
    return;
  }
  if (!change((next) => {
    next.picks = next.picks.filter(({ ein }) => ein !== one.ein);
    if (!there) next.picks.push({ ein: one.ein, name: one.name, note: "" });
  })) return;
  announce(`${shelf().picks.length} to compare`);
}

/** The address of a comparison. */
export const comparison = (eins) => `#/compare${eins.length ? `?eins=${eins.join(",")}` : ""}`;

const picked = h("div", { class: "tray-picks" });
const told = h("div", { class: "tray-told" });
const bar = h("section", { class: "tray no-print", "aria-label": "To compare" }, told, picked);

/** The bar at the bottom; it is there once, however often it is asked for. */
export function tray() {
  showTray();
  return bar;
}

function showTray() {
  const { picks } = shelf();
  const shown = picks.length > 0 && !location.hash.startsWith("#/compare");
  picked.hidden = !shown;
  bar.hidden = !shown && !told.childElementCount;
  if (!shown) return picked.replaceChildren();
  return picked.replaceChildren(
    h("span", { class: "tray-count" }, `${picks.length} to compare`),
    h("span", { class: "tray-names" }, picks.map(({ name }) => name).join(", ")),
    h("a", { class: "button primary small", href: comparison(picks.map(({ ein }) => ein)) }, "Compare"),
    h("button", { type: "button", class: "button quiet small", onclick: clear }, "Clear"));
}

function clear() {
  const { picks } = shelf();
  if (!change((next) => { next.picks = []; })) return;
  notice("The comparison was cleared.", "Undo", () => change((next) => { next.picks = picks; }));
}

changes.addEventListener("change", showTray);
addEventListener("hashchange", () => {
  if (performance.now() - toldAt > YOUNG_MS) told.replaceChildren();
  showTray();
});

let toldAt = 0;

function close() {
  told.replaceChildren();
  showTray();
}

/**
 * Says something at the bottom for a while, or until another page is opened; `action`: an address, or what the button
 * does. What can be undone stays until it is closed or another page is opened.
 */
export function notice(text, label, action) {
  tell(text, label, action);
  const at = toldAt;
  if (typeof action !== "function") passing(bar, () => at === toldAt, close);
}

/** Says something at the bottom until it is closed. */
function tell(text, label, action) {
  announce(text);
  toldAt = performance.now();
  const act = typeof action === "string"
    ? h("a", { class: "button small", href: action, onclick: close }, label)
    : action && h("button", { type: "button", class: "button small undo", onclick: () => { close(); action(); document.querySelector("main h1")?.focus(); } }, label);
  told.replaceChildren(...nodes([
    h("span", { class: "tray-text" }, text), act,
    h("button", { type: "button", class: "button quiet small", "aria-label": "Close this message", onclick: close }, "×")]));
  bar.hidden = false;
}

changes.addEventListener("fault", ({ detail }) => tell(detail));
