// The lists of nonprofits and those picked to compare, kept in this browser alone: one JSON document
// in localStorage, read anew before each change, so that two tabs stay in step. What cannot be read
// as such a document is set aside under a key of its own, never overwritten. Draws nothing.

const STORE = "almoner-lists";
const ASIDE = `${STORE}-aside-`;
const VERSION = 1;

/** Organizations of one list, which its link carries too. */
export const ROWS_MAX = 1000;
export const LISTS_MAX = 200;
/** Those that are compared at once. */
export const PICKS_MAX = 5;
/** Characters. */
export const NAME_MAX = 120;
export const NOTE_MAX = 2000;

/** Hears `change` after every change, of this tab or another; `fault` (with `detail`, a sentence) when one was not kept. */
export const changes = new EventTarget();

const blank = () => ({ version: VERSION, current: null, lists: [], picks: [] });
/** The document and the text it was read from. */
let held = { text: null, shelf: blank() };
/** Where this browser keeps nothing for the page, the document lives as long as the tab. */
let kept = true;

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const own = (value, name) => (Object.hasOwn(value, name) ? value[name] : undefined);

/** A text of at most so many characters, without control characters; "" for what is no text. */
export function cleaned(value, max) {
  if (typeof value !== "string") return "";
  // eslint-disable-next-line no-control-regex
  return [...value.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "")].slice(0, max).join("");
}

/** An EIN as people and spreadsheets write it, which drop zeros in front. */
const EIN = /^(\d{7,9}|\d{1,2}-\d{7})$/;

/** A row as it is kept, or null for what has no EIN. */
export function rowOf(value) {
  if (!isObject(value)) return null;
  const typed = String(own(value, "ein") ?? "").trim();
  if (!EIN.test(typed)) return null;
  const ein = typed.replace("-", "").padStart(9, "0");
  return { ein, name: cleaned(own(value, "name"), NAME_MAX), note: cleaned(own(value, "note"), NOTE_MAX) };
}

/** Rows with every EIN once; of those that are there twice the first is kept, with all notes. */
export function merged(rows) {
  const byEin = new Map();
  for (const row of rows) {
    const first = byEin.get(row.ein);
    if (!first) byEin.set(row.ein, { ...row });
    else if (row.note && !first.note.includes(row.note)) first.note = cleaned([first.note, row.note].filter(Boolean).join("\n"), NOTE_MAX);
  }
  return [...byEin.values()];
}

function listOf(value) {
  if (!isObject(value) || !Array.isArray(own(value, "rows"))) return null;
  const rows = value.rows.map(rowOf);
  const id = own(value, "id");
  const list = {
    id: typeof id === "string" && /^[a-z0-9-]{1,40}$/.test(id) ? id : newId(),
    name: cleaned(own(value, "name"), NAME_MAX) || "Unnamed list",
    note: cleaned(own(value, "note"), NOTE_MAX),
    rows: merged(rows.filter(Boolean)).slice(0, ROWS_MAX),
  };
  return { list, whole: list.id === id && rows.length === list.rows.length };
}

/** What can be read of a document, and whether that is all of it. */
function read(text) {
  let value;
  try { value = JSON.parse(text); } catch { return { shelf: blank(), whole: false }; }
  if (!isObject(value) || own(value, "version") !== VERSION || !Array.isArray(own(value, "lists"))) return { shelf: blank(), whole: false };
  const found = value.lists.map(listOf);
  const lists = found.filter(Boolean).map(({ list }) => list);
  const picks = merged((Array.isArray(own(value, "picks")) ? value.picks : []).map(rowOf).filter(Boolean)).slice(0, PICKS_MAX);
  const current = lists.some(({ id }) => id === own(value, "current")) ? value.current : lists[0]?.id ?? null;
  return { shelf: { version: VERSION, current, lists, picks }, whole: found.every((one) => one?.whole) };
}

/** Puts a text that is not all understood under a key of its own; whether that could be done. */
function setAside(text) {
  const key = `${ASIDE}${newId()}`;
  try {
    // There may be no room for it twice.
    localStorage.removeItem(STORE);
    localStorage.setItem(key, text);
    return true;
  } catch {
    try { localStorage.setItem(STORE, text); } catch { /* as it was */ }
    return false;
  }
}

const fault = (detail) => changes.dispatchEvent(new CustomEvent("fault", { detail }));

/** The document as it is now. It is not to be changed but by `change`. */
export function shelf() {
  if (!kept) return held.shelf;
  let text;
  try { text = localStorage.getItem(STORE); } catch { kept = false; return held.shelf; }
  if (text === held.text) return held.shelf;
  const { shelf: found, whole } = text === null ? { shelf: blank(), whole: true } : read(text);
  held = { text, shelf: found };
  if (!whole) {
    if (setAside(text)) {
      held.text = null;
      write(found);
      queueMicrotask(() => fault("Your saved lists could not be read in full. They are set aside: Lists offers them as a file."));
    } else {
      // Nothing is written over it.
      kept = false;
      queueMicrotask(() => fault("Your saved lists could not be read or set aside. Lists made now last as long as this tab."));
    }
  }
  return held.shelf;
}

function write(next) {
  const text = JSON.stringify(next);
  if (kept) localStorage.setItem(STORE, text);
  held = { text, shelf: next };
}

/**
 * Changes the document and keeps it.
 * @param {(shelf: object) => void} edit changes the copy that it is given
 * @returns {boolean} whether it was kept; if not, nothing has changed and `fault` says why
 */
export function change(edit) {
  const next = structuredClone(shelf());
  edit(next);
  try {
    write(next);
  } catch (error) {
    if (error.name === "QuotaExceededError") {
      fault("This browser has no more room for lists: the last change was not kept. Export a list and delete it to make room.");
      return false;
    }
    kept = false;
    write(next);
    fault("This browser does not let this page store anything: lists last as long as this tab.");
  }
  changes.dispatchEvent(new Event("change"));
  return true;
}

addEventListener("storage", (event) => {
  if (event.key === STORE || event.key === null) changes.dispatchEvent(new Event("change"));
});

const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;

export const listById = (id) => shelf().lists.find((one) => one.id === id) ?? null;

/** Whether one list more may be made; if not, `fault` says so. */
function hasRoom() {
  const room = shelf().lists.length < LISTS_MAX;
  if (!room) fault(`There are ${LISTS_MAX} lists, which is the most this browser keeps. Delete one first.`);
  return room;
}

/** Makes a list, the current one from then on; gives its identifier, or null if it was not kept. */
export function create({ name, note = "", rows = [] }) {
  const id = newId();
  const list = { id, name: cleaned(name, NAME_MAX).trim() || "Unnamed list", note: cleaned(note, NOTE_MAX), rows: merged(rows.map(rowOf).filter(Boolean)).slice(0, ROWS_MAX) };
  return hasRoom() && change((next) => { next.lists.push(list); next.current = id; }) ? id : null;
}

/** Changes one list, if it is still there. */
export function edit(id, how) {
  return change((next) => {
    const list = next.lists.find((one) => one.id === id);
    if (list) how(list, next);
  });
}

/**
 * Adds rows at the end of a list.
 * @returns {{added: number, known: number}|null} `known`: were there already; null if nothing was
 *   added, for the list would have more than ROWS_MAX or it was not kept, which `fault` has said
 */
export function add(id, rows) {
  const there = new Set(listById(id)?.rows.map(({ ein }) => ein));
  const fresh = merged(rows.map(rowOf).filter(Boolean)).filter(({ ein }) => !there.has(ein));
  if (there.size + fresh.length > ROWS_MAX) {
    fault(`A list holds at most ${ROWS_MAX.toLocaleString("en-US")} organizations; with these it would have ${(there.size + fresh.length).toLocaleString("en-US")}. Nothing was added.`);
    return null;
  }
  return edit(id, (list) => list.rows.push(...fresh)) ? { added: fresh.length, known: rows.length - fresh.length } : null;
}

/** Keys of what was set aside. */
export function asides() {
  try { return Object.keys(localStorage).filter((key) => key.startsWith(ASIDE)); } catch { return []; }
}

export const asideText = (key) => localStorage.getItem(key) ?? "";
export const forgetAside = (key) => { localStorage.removeItem(key); changes.dispatchEvent(new Event("change")); };
