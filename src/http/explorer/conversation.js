// A conversation with `/chat` as this tab of the browser keeps it: a session and its turns. A
// reload or a visit elsewhere finds it again. Nothing here is drawn or sent.

const STORE = "almoner-chat";
/** sessionStorage holds 5 MB; an answer takes up to 20 KB. */
const TURNS_MAX = 60;

/** A UUID of version 4; `crypto.randomUUID` exists on secure origins alone. */
function identifier() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const fresh = () => ({ session: identifier(), turns: [] });
let kept = null;

/**
 * @returns {{session: string, turns: Array<{q: string, body: object|null}>}} `body` is null while
 *   there is no answer yet
 */
export function conversation() {
  if (kept) return kept;
  try {
    const read = JSON.parse(sessionStorage.getItem(STORE));
    if (typeof read?.session === "string" && Array.isArray(read.turns)) kept = read;
  } catch { /* nothing usable is kept */ }
  kept ??= fresh();
  return kept;
}

export function startOver() {
  kept = fresh();
  keep();
  return kept;
}

/** Keeps the conversation as it is now. */
export function keep() {
  kept.turns.splice(0, kept.turns.length - TURNS_MAX);
  try { sessionStorage.setItem(STORE, JSON.stringify(kept)); } catch { /* kept for this page only */ }
}
