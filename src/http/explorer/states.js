// The states of a view other than its content: loading, empty, failed. Also the one live region
// that tells what has changed. What a view then shows instead is its own matter.
import { h } from "./dom.js";

/** What stands in for content on its way: a line of text and grey bars of about its height. */
export function loading(text = "Loading…", lines = 3) {
  const bars = Array.from({ length: lines }, () => h("span", { class: "skeleton", "aria-hidden": "true" }));
  return h("div", { class: "state loading", role: "status" }, h("p", null, text), bars);
}

/** Nothing to show: what is so, and what to do about it. `hint` may be text or nodes. */
export function empty(title, hint) {
  return h("div", { class: "state empty", role: "status" },
    h("p", { class: "state-title" }, title),
    hint ? h("p", { class: "muted" }, hint) : null);
}

/** A part that is refused as the server is busy is asked for again by itself, each once and so many of a view at most. */
const RETRIES_MAX = 20;
const RETRY_AFTER_MAX_S = 60;
const retries = { hash: null, of: new Set() };

/** Whether a part of the page is to be asked for again without a click. */
function retriesItself({ status, wait }, retry) {
  if (retries.hash !== location.hash) Object.assign(retries, { hash: location.hash, of: new Set() });
  const isDue = status === 503 && wait > 0 && wait <= RETRY_AFTER_MAX_S && !retries.of.has(retry) && retries.of.size < RETRIES_MAX;
  if (isDue) retries.of.add(retry);
  return isDue;
}

/**
 * A failure in words, with a button to try again where that can help.
 * @param {Error} error a Problem of api.js, or anything else thrown
 * @param {() => void} [retry]
 */
export function problem(error, retry) {
  const known = error?.name === "Problem";
  const again = retry && (error?.retriable ?? true);
  const isAutomatic = known && again && retriesItself(error, retry);
  const element = h("div", { class: "state problem", role: "alert" },
    h("p", { class: "state-title" }, known ? error.message : "This part of the page failed."),
    known ? null : h("p", { class: "muted" }, String(error?.message ?? error)),
    isAutomatic ? h("p", { class: "muted" }, `Trying again in ${error.wait} seconds.`) : null,
    again ? h("button", { type: "button", class: "button", onclick: retry }, "Try again") : null);
  if (isAutomatic) setTimeout(() => { if (element.isConnected) retry(); }, 1000 * error.wait);
  return element;
}

/** Whether the error only says that the user has moved on. */
export const aborted = (error) => error?.name === "AbortError";

/** Says a change aloud to those who listen to the page (the live region of the shell). */
export function announce(text) {
  const live = document.getElementById("live");
  if (!live) return;
  // The same text again is a change only if the region was empty in between.
  live.textContent = "";
  requestAnimationFrame(() => { live.textContent = text; });
}
