// Requests to the server of this page: the key, the faults in words for people, and the same call
// as a line for a terminal. Nothing here knows what an answer means.
import { h } from "./dom.js";

const STORE = "almoner-key";
/** No endpoint takes seconds; past this the server hangs or is gone. */
const TIMEOUT_MS = 30_000;

/** A failed request: `message` is for people; `details` is the list of a 422; `wait`: seconds after which the server asks to be asked again. */
export class Problem extends Error {
  constructor(message, { status = 0, retriable = true, details = [], wait = null } = {}) {
    super(message);
    this.name = "Problem";
    this.status = status;
    this.retriable = retriable;
    this.details = details;
    this.wait = wait;
  }
}

let key = takeKey();

/** The key comes once with the address (`#key=…`, which `almoner demo` prints), then is kept here. */
function takeKey() {
  const given = /^#key=[^&]*&?(.*)$/.exec(location.hash);
  if (given) {
    const value = new URLSearchParams(location.hash.slice(1)).get("key");
    history.replaceState(history.state, "", location.pathname + (given[1] ? `#${given[1]}` : ""));
    // Any page may link here: it must not take away a key that is shown nowhere a second time.
    const old = kept();
    if (old && old !== value && !confirm("This link carries a different API key from the one saved in this browser. Use the new one from now on?")) return old;
    keep(value);
    return value;
  }
  return kept();
}

function kept() {
  try { return localStorage.getItem(STORE) ?? ""; } catch { return ""; }
}

function keep(value) {
  try { localStorage.setItem(STORE, value); } catch { /* a private window keeps nothing */ }
}

addEventListener("hashchange", () => { if (location.hash.startsWith("#key=")) key = takeKey(); });

/** The query of an address: lists are repeated, empty values left out. */
export function query(parameters = {}) {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters ?? {})) {
    for (const one of [value].flat()) {
      if (one !== null && one !== undefined && one !== "") asked.append(name, one);
    }
  }
  const text = asked.toString();
  return text ? `?${text}` : "";
}

/**
 * Asks the server.
 * @param {string} path
 * @param {object} [parameters] values may be lists; empty ones are left out
 * @param {{signal?: AbortSignal, session?: string, text?: boolean, body?: object}} [options] session: UUID,
 *   sent as x-session-id; text: an answer that is not JSON is one too, as a string; body: sent by POST as JSON
 * @returns {Promise<{body: any, plan: string|null, status: number, fit: number|null, nearby: number, nearbyFit: number, matches: number|null, unlisted: number, byWords: boolean, milliseconds: number}>}
 *   `matches`: rows on all pages; `unlisted`: rows that satisfy the filters alone and are on none
 * @throws {Problem} or an AbortError when `signal` says so
 */
export async function ask(path, parameters, { signal, session, text = false, body: sent } = {}) {
  const started = performance.now();
  for (;;) {
    const used = key;
    const answer = await send(path + query(parameters), used, signal, { session, body: sent });
    if (answer.status === 401) {
      // A key that came while this request was under way is tried before asking again.
      if (key === used) await askForKey(used);
      signal?.throwIfAborted();
      continue;
    }
    const isText = text && answer.ok && !answer.headers.get("content-type")?.includes("json");
    const body = await (isText ? answer.text() : answer.json()).catch((error) => {
      if (signal?.aborted) throw error;
      return null;
    });
    if (!answer.ok || body === null) throw refusal(answer, body);
    const plan = answer.headers.get("x-almoner-plan");
    // Of what matches only so many may be listed.
    const all = /matches=(\d+)/.exec(plan ?? "");
    const listed = /listed=(\d+)/.exec(plan ?? "");
    const matches = listed ?? all;
    // How many of them fit the words of a query; a `+` says that there may be more.
    const fit = /fit=(\d+)/.exec(plan ?? "");
    // How many follow from around the place that was asked for.
    const nearby = Number(/nearby=(\d+)/.exec(plan ?? "")?.[1] ?? 0);
    const nearbyFit = Number(/nearby_fit=(\d+)/.exec(plan ?? "")?.[1] ?? 0);
    return {
      body, plan, status: answer.status, fit: fit ? Number(fit[1]) : null,
      matches: matches ? Number(matches[1]) + nearby : null, nearby, nearbyFit, unlisted: listed && all ? Number(all[1]) - Number(listed[1]) : 0,
      // Whether the words of the query ranked the rows; a query that is all filters leaves none.
      byWords: /\bwords\b/.test(plan ?? ""),
      milliseconds: performance.now() - started,
    };
  }
}

async function send(address, withKey, signal, { session, body } = {}) {
  // What tells the page from programs, where it may be looked at without a key.
  const headers = { Accept: "application/json", "X-Almoner-Page": "1" };
  const also = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  if (also.body) headers["Content-Type"] = "application/json";
  if (withKey) headers["X-API-Key"] = withKey;
  if (session) headers["x-session-id"] = session;
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await fetch(address, { ...also, headers, signal: signal ? AbortSignal.any([signal, limit]) : limit });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(limit.aborted
      ? `The server did not answer within ${TIMEOUT_MS / 1000} seconds.`
      : "The server is not responding. Check that it is running and that this device can reach it.");
  }
}

function refusal(answer, body) {
  const { status } = answer;
  const detail = body?.detail;
  if (Array.isArray(detail)) {
    const said = detail.map((one) => `${one.loc?.slice(1).join(" ")}: ${one.msg}`).join("; ");
    return new Problem(`The server refused the request. ${said}`, { status, retriable: false, details: detail });
  }
  if (status === 503 || status === 429) {
    const wait = Number(answer.headers.get("retry-after")) || null;
    const why = status === 429 ? "Too many requests with this key" : "The server is busy";
    return new Problem(`${why}. Try again${wait ? ` in ${wait} s` : " in a moment"}.`, { status, wait });
  }
  if (status >= 500 || (answer.ok && body === null)) {
    const id = answer.headers.get("x-request-id");
    return new Problem(`The server ran into an error.${id ? ` Its log has more under ${id}.` : ""}`, { status });
  }
  return new Problem(typeof detail === "string" ? detail : `The server returned an error (${status}).`, { status, retriable: false });
}

/** Asks for a key at once if this browser has none and the server wants one. */
export function ensureKey() {
  if (!key) ask("/typeahead/nonprofits", { q: "am", limit: 1 }).catch(() => { /* “Not now”: the first request asks again */ });
}

/** The one dialog that asks; every request that needs a key waits for the same one. */
let asking = null;

function askForKey(refused) {
  asking ??= openDialog(refused).finally(() => { asking = null; });
  return asking;
}

function openDialog(refused) {
  const why = h("p", { id: "key-why", class: "muted" },
    refused ? "The key saved in this browser is not valid here, or it was revoked. "
      : "This server requires an API key. ",
    "Type the key that you were given; it is then saved in this browser. Whoever runs the server makes keys, with ",
    h("code", null, "almoner keys create"), ".");
  const note = h("p", { id: "key-note", class: "error", role: "alert" });
  const box = h("input", {
    id: "key-box", type: "password", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    "aria-describedby": "key-why key-note", required: true,
  });
  const use = h("button", { class: "button primary" }, "Use this key");
  const leave = h("button", { type: "button", class: "button quiet", onclick: () => dialog.close() }, "Not now");
  const form = h("form", { class: "stack" }, h("h2", { id: "key-title" }, "API key needed"), why,
    h("div", { class: "field" }, h("label", { for: "key-box" }, "API key"), box, note),
    h("div", { class: "row" }, use, leave));
  const dialog = h("dialog", { class: "dialog", tabindex: "-1", "aria-labelledby": "key-title" }, form);
  return new Promise((resolve, reject) => {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      // Whatever a header cannot hold is no key; the server says so.
      const tried = box.value.trim().replace(/[^\x21-\x7e]/g, "?");
      use.disabled = true;
      note.textContent = await refusedWhy(tried);
      use.disabled = false;
      if (note.textContent) return box.select();
      key = tried;
      keep(tried);
      resolve();
      dialog.close();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      reject(new Problem("Without a key, the server shows nothing.", { status: 401 }));
    });
    const typing = document.activeElement?.matches?.("input, textarea");
    document.body.append(dialog);
    dialog.showModal();
    // What is being typed elsewhere must not end up in the key.
    if (typing) dialog.focus();
    else box.focus();
  });
}

/** "" when the server takes the key, else the reason in words. */
async function refusedWhy(tried) {
  try {
    const answer = await send("/typeahead/nonprofits?limit=1&q=ab", tried);
    return answer.status === 401 ? "This key is not valid here, or it was revoked." : "";
  } catch (error) {
    return error.message;
  }
}

/** The call as a line to paste into a shell that has the key in $KEY. */
export function curl(path, parameters, { session, body } = {}) {
  const also = session ? ` -H "x-session-id: ${session}"` : "";
  const data = body === undefined ? "" : ` --data '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
  return `curl -H "X-API-Key: $KEY"${also} '${location.origin}${path}${query(parameters)}'${data}`;
}

/**
 * A closed “This view as an API call” with the line and a button that copies it.
 * @param {string|Array<[string, object?, object?]>} path one path, or several calls as [path, parameters, options]
 */
export function call(path, parameters, options) {
  const calls = Array.isArray(path) ? path : [[path, parameters]];
  const text = calls.map(([one, its, own]) => curl(one, its, own ?? options)).join("\n");
  return h("details", { class: "call" },
    h("summary", null, calls.length > 1 ? `This view as ${calls.length} API calls` : "This view as an API call"),
    copyable(text));
}

/** Preformatted text with a button that copies it. */
export function copyable(text, label = "API call") {
  const shown = h("pre", { tabindex: "0", role: "region", "aria-label": label }, h("code", null, text));
  const button = h("button", { type: "button", class: "button small copy", onclick: copy }, "Copy");
  async function copy() {
    try {
      // Only pages of a secure origin have a clipboard; others select the text for the user.
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(shown);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  }
  return h("div", { class: "copyable" }, shown, button);
}
