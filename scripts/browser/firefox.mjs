// Firefox as its maker ships it, over WebDriver BiDi, for the same steps as Chromium. Playwright and Firefox do not yet
// agree on the colour scheme, downloads and bodies of requests: here they are asked for as this Firefox knows them,
// through the inside of Playwright, whose version is therefore pinned.
import { once } from "node:events";
import { basename } from "node:path";
import { firefox } from "playwright-core";

/** As on a desktop with a mouse; without a window system Firefox takes itself for a device with neither. */
const FINE_POINTER_THAT_HOVERS = 6;
const PREFERENCES = {
  "ui.prefersReducedMotion": 1, "layout.css.prefers-color-scheme.content-override": 1,
  // The clipboard is read without a question to the user.
  "dom.events.testing.asyncClipboard": true,
  // Nothing asks for /favicon.ico.
  "browser.chrome.site_icons": false,
  "ui.primaryPointerCapabilities": FINE_POINTER_THAT_HOVERS, "ui.allPointerCapabilities": FINE_POINTER_THAT_HOVERS,
};
const REQUEST_BYTES_MAX = 1_000_000;
const SCHEME = "emulation.setMediaFeaturesOverride";

/** The part of a thing of Playwright's that speaks to the browser. */
const inside = (thing) => thing._connection.toImpl(thing);

/** Runs in Firefox's own window. */
const setScheme = `(id, scheme) => {
  const { NavigableManager } = ChromeUtils.importESModule("chrome://remote/content/shared/NavigableManager.sys.mjs");
  NavigableManager.getBrowsingContextById(id).top.prefersColorSchemeOverride = scheme;
}`;

/** Of each Firefox: its session, and its own window. */
const ownWindows = new Map();
let send;

/** What Playwright sends, with what this Firefox does not know put as it does. */
async function sendKnown(method, params) {
  if (method !== SCHEME) return send.call(this, method, params);
  const { session, window } = ownWindows.get(this.connection);
  const scheme = params.features["prefers-color-scheme"];
  for (const id of params.contexts ?? []) {
    await session.send("script.callFunction", {
      functionDeclaration: setScheme, arguments: [id, scheme].map((value) => ({ type: "string", value })),
      target: { context: window.context }, awaitPromise: false,
    });
  }
  return {};
}

export async function startFirefox(executablePath) {
  const started = await firefox.launch({
    channel: "moz-firefox", executablePath, headless: true, args: ["--remote-allow-system-access"], firefoxUserPrefs: PREFERENCES,
  });
  const session = inside(started)._browserSession;
  const kind = Object.getPrototypeOf(session);
  send ??= kind.send;
  kind.send = sendKnown;
  const { contexts: [window] } = await session.send("browsingContext.getTree", { "moz:scope": "chrome" });
  ownWindows.set(session.connection, { session, window });
  await session.send("network.addDataCollector", { dataTypes: ["request"], maxEncodedDataSize: REQUEST_BYTES_MAX });
  return started;
}

/** The next file that the page writes: its name and where it is. */
export async function firefoxDownload(page, timeout) {
  const session = inside(page).delegate._session;
  const event = async (name) => (await once(session, `browsingContext.${name}`, { signal: AbortSignal.timeout(timeout) }))[0];
  const [begun, ended] = await Promise.all([event("downloadWillBegin"), event("downloadEnd")]);
  return { name: basename(begun.suggestedFilename), path: ended.filepath };
}

/** The body of a request that is held, as text. */
export async function firefoxBody(route) {
  const { _session: session, _requestId: request } = inside(route)._delegate;
  const { bytes } = await session.send("network.getData", { request, dataType: "request" });
  return bytes.type === "base64" ? Buffer.from(bytes.value, "base64").toString("utf8") : bytes.value;
}
