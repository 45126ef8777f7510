// What the first view weighs and takes: home, results and a profile, each in a browser that has visited nothing, on a
// slow machine at the end of a slow line. The bytes are a promise; times are told and never demanded.
import { is, soon, that } from "../browser.mjs";

/** Of one view: bytes on the wire with all headers, of all that is asked for until nothing is on its way. */
const FIRST_VIEW_BYTES_MAX = 250_000;
const CPU_SLOWDOWN = 4;
const NETWORK = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };
const QUIET_MS = 500;

/** Notes when what is looked for is there, and what is painted when. */
function watch(selector) {
  window.seen = { usable: null, painted: {}, largest: null };
  const look = () => {
    if (document.querySelector(selector)) window.seen.usable = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) window.seen.painted[one.name] = one.startTime;
  }).observe({ type: "paint", buffered: true });
  new PerformanceObserver((list) => { window.seen.largest = list.getEntries().at(-1).startTime; })
    .observe({ type: "largest-contentful-paint", buffered: true });
}

/** Opens an address on a slow machine; counts what comes. */
async function slowly(visit, address, selector) {
  const { page, browser } = visit;
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.setCacheDisabled", { cacheDisabled: false });
  await client.send("Network.emulateNetworkConditions", NETWORK);
  await client.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  const wire = { bytes: 0, requests: 0, pending: new Set(), last: performance.now() };
  const note = (change) => (event) => {
    wire.last = performance.now();
    change(event);
  };
  client.on("Network.requestWillBeSent", note(({ requestId }) => { wire.requests += 1; wire.pending.add(requestId); }));
  client.on("Network.loadingFinished", note(({ requestId, encodedDataLength }) => {
    wire.bytes += encodedDataLength;
    wire.pending.delete(requestId);
  }));
  client.on("Network.loadingFailed", note(({ requestId }) => wire.pending.delete(requestId)));
  await page.addInitScript(watch, selector);
  await page.goto(browser.origin + address);
  await visit.settled();
  await soon("a quiet line", () => wire.pending.size === 0 && performance.now() - wire.last > QUIET_MS, true);
  return { ...wire, ...await page.evaluate(() => window.seen) };
}

/** Modules of the home page that index.html does not name: each level of imports would take a turn on the line. */
const unnamed = (visit) => visit.page.evaluate(() => {
  const named = [...document.querySelectorAll("link[rel=modulepreload], script[src]")].map((one) => one.href || one.src);
  return performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.endsWith(".js") && !named.includes(name));
});

const milliseconds = (value) => `${Math.round(value)} ms`;

const step = (name, address, selector, more) => ({
  name: `weight: ${name}`,
  chromium: "Firefox counts no bytes on the wire, and slows nothing down",
  alone: true,
  async run(visit, samples) {
    const { bytes, requests, painted, largest, usable } = await slowly(visit, address(samples), selector);
    is("bytes on the wire", bytes, that(`at most ${FIRST_VIEW_BYTES_MAX}`, (found) => found <= FIRST_VIEW_BYTES_MAX));
    is("whether what the view is for was seen", usable !== null, true);
    await more?.(visit);
    return `${(bytes / 1000).toFixed(1)} KB in ${requests} requests; first contentful paint ${milliseconds(painted["first-contentful-paint"])}, `
      + `largest ${milliseconds(largest)}, usable ${milliseconds(usable)}`;
  },
});

/** Usable: the box has the focus or can take it, the first result, the checks of the standing are there. */
export default [
  step("home", () => "/", "#q", async (visit) => is("modules that are not preloaded", await unnamed(visit), [])),
  step("results", () => "/#/search?q=schools+in+Texas", ".result"),
  step("profile", ({ full }) => `/#/nonprofit/${full.ein}`, ".standing .verdict"),
];
