// The browser of the test: pages that are watched while a step uses them, and the one way to check
// something. Knows nothing of the explorer's views.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isDeepStrictEqual } from "node:util";
import { chromium } from "playwright-core";
import { firefoxBody, firefoxDownload, startFirefox } from "./firefox.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const AXE_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** What is pressed or filled; neither figures within a text nor boxes that are pressed by their labels. */
const TARGETS = "button:not(.sourced), a.button, .tabs a, summary, select, textarea, input:not([type=checkbox], [type=radio], [type=file])";
/** On each side, WCAG 2.2, 2.5.8. Axe takes less where there is room around it. */
const TARGET_PX_MIN = 24;
/** What can differ between the themes. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
const CHROMIUM_ARGUMENTS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
/** A machine under load answers late; who waits longer than this sees a failure. */
const PATIENCE_MS = 15_000;
const POLL_MS = 25;

let patience = PATIENCE_MS;
/** For runs that are meant to fail. */
export const losePatience = (milliseconds) => { patience = milliseconds; };

/** What was found is not what was expected. */
export class Mismatch extends Error {}

/** An expectation in words and as a test: `that("more than 3", (found) => found > 3)`. */
export const that = (words, holds) => ({ words, holds });
export const moreThan = (least) => that(`more than ${least}`, (found) => found > least);

function fits(found, expected) {
  if (expected instanceof RegExp) return typeof found === "string" && expected.test(found);
  return expected?.holds ? expected.holds(found) : isDeepStrictEqual(found, expected);
}

function said(value) {
  if (value instanceof RegExp) return String(value);
  const text = value?.words ?? JSON.stringify(value) ?? String(value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}

/** Fails unless `found` is equal to `expected`, or matches it. */
export function is(what, found, expected) {
  if (!fits(found, expected)) throw new Mismatch(`${what}: expected ${said(expected)}, found ${said(found)}`);
}

/**
 * Asks `probe` again until what it gives is as expected; fails with what it gave last.
 * @param {string} what in words
 * @param {() => Promise<*>} probe
 * @param {*} expected an equal value, a pattern, or `that(…)`
 */
export async function soon(what, probe, expected) {
  const end = Date.now() + patience;
  for (;;) {
    let found;
    try {
      found = await probe();
    } catch (error) {
      // The page may be between two documents; the next time it is not.
      found = `nothing (${String(error.message).split("\n")[0]})`;
    }
    if (fits(found, expected)) return found;
    if (Date.now() > end) return is(what, found, expected);
    await new Promise((resolve) => { setTimeout(resolve, POLL_MS); });
  }
}

/** `alone`: the focus is that of the program, so that pages side by side would take it from each other. */
const ENGINES = {
  chromium: { start: (executablePath) => chromium.launch({ executablePath, headless: true, args: CHROMIUM_ARGUMENTS }) },
  firefox: { start: startFirefox, alone: true },
};

/** A browser, every request of the whole run, and the origins of pages that are not the server's. */
export class Browser {
  /**
   * @param {{engine?: "chromium"|"firefox", executable: string, origin: string, key: string, shots?: string}} options
   *   `shots`: the folder for pictures, if any are to be taken
   */
  constructor({ engine = "chromium", executable, origin, key, shots }) {
    Object.assign(this, { engine, executable, origin, key, shots, requests: new Set(), hosts: new Set(), routes: [], programs: [], idle: [] });
  }

  static async start(options) {
    const browser = new Browser(options);
    browser.release(await browser.take());
    return browser;
  }

  close() {
    return Promise.all(this.programs.map((program) => program.close()));
  }

  /** A running program for one page more. */
  async take() {
    const { start, alone } = ENGINES[this.engine];
    if (!alone && this.programs.length) return this.programs[0];
    const program = this.idle.pop() ?? await start(this.executable);
    if (!this.programs.includes(program)) this.programs.push(program);
    return program;
  }

  release(program) {
    if (!this.idle.includes(program)) this.idle.push(program);
  }

  /**
   * A page in a browser of its own, that has visited nothing.
   * @param {{width?: number, height?: number, dark?: boolean, key?: string|null,
   *   allows?: Array<number|RegExp>}} [options] `allows`: answers with these statuses, and messages
   *   like these, are expected of the console
   */
  async visit({ width = 1280, height = 900, dark = false, key = this.key, allows = [], ...rest } = {}) {
    const program = await this.take();
    const context = await program.newContext({
      viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: "reduce", ...rest,
    });
    context.on("request", (request) => this.requests.add(request.url()));
    for (const [pattern, handler] of this.routes) await context.route(pattern, handler);
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    if (key) {
      // A key that the step itself enters later is not overwritten.
      await page.addInitScript((kept) => {
        if (location.protocol.startsWith("http") && !localStorage.getItem("almoner-key")) localStorage.setItem("almoner-key", kept);
      }, key);
    }
    return new Visit(this, page, allows, program);
  }
}

/** One page, with short ways to what steps look at. */
export class Visit {
  constructor(browser, page, allows, program) {
    Object.assign(this, { browser, page, allows, program, faults: [] });
    page.on("pageerror", (error) => this.faults.push(`uncaught: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") this.faults.push(`console: ${message.text()} ${message.location().url}`);
    });
  }

  /** What the page complained of and was not expected to. */
  complaints() {
    return this.faults.filter((fault) => !this.allows.some((one) => (
      typeof one === "number" ? fault.includes(`status of ${one}`) : one.test(fault))));
  }

  async close() {
    await this.page.context().close();
    this.browser.release(this.program);
  }

  /** Opens a view as who follows a link from elsewhere, and waits until it is there. */
  async open(address) {
    await this.page.goto("about:blank");
    await this.page.goto(this.browser.origin + address);
    await this.settled();
  }

  /** Waits until the view has a heading and nothing is on its way. */
  settled() {
    return soon("the view", () => this.page.evaluate(() => {
      if (!document.querySelector("main h1")) return "no heading";
      return document.querySelector(".state.loading, [aria-busy=true], .waiting") ? "loading" : "ready";
    }), "ready");
  }

  hash() {
    return this.page.evaluate(() => location.hash);
  }

  /** Waits for the address, then for the view. */
  async arrives(hash) {
    await soon("the address", () => this.hash(), hash);
    await this.settled();
  }

  find(selector, options) {
    return this.page.locator(selector, options);
  }

  click(selector) {
    return this.find(selector).first().click();
  }

  press(...keys) {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  type(text) {
    return this.page.keyboard.type(text);
  }

  /** The text of each element as it is shown. */
  async texts(selector) {
    return (await this.find(selector).allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
  }

  sees(what, selector, expected) {
    return soon(what, async () => (await this.texts(selector))[0] ?? "nothing", expected);
  }

  counts(what, selector, expected) {
    return soon(`number of ${what}`, () => this.find(selector).count(), expected);
  }

  value(what, selector, expected) {
    return soon(what, () => this.find(selector).inputValue(), expected);
  }

  /** As the button of the browser does; what comes then is waited for by who looks at it. */
  back() {
    return this.page.evaluate(() => history.back());
  }

  /** Lets Tab begin at the top of the page. */
  fromTop() {
    return this.page.evaluate(() => {
      document.body.tabIndex = -1;
      document.body.focus();
      document.body.removeAttribute("tabindex");
    });
  }

  /** Lets the page read the clipboard. */
  async allowClipboard() {
    if (this.browser.engine === "firefox") return;
    await this.page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: this.browser.origin });
  }

  /** What has the focus: its id, else its name and text. */
  focus() {
    return this.page.evaluate(() => {
      const { id, localName, textContent } = document.activeElement;
      return id || `${localName} ${textContent.trim().slice(0, 40)}`;
    });
  }

  /** Waits for the focus: an address changes before the page hears of it and moves the focus. */
  focuses(what, expected) {
    return soon(what, () => this.focus(), expected);
  }

  /** Does what has the page write a file; gives that. */
  async download(act) {
    const next = this.browser.engine === "firefox" ? firefoxDownload(this.page, patience)
      : this.page.waitForEvent("download").then(async (one) => ({ name: one.suggestedFilename(), path: await one.path() }));
    const [{ name, path }] = await Promise.all([next, act()]);
    return { name, text: readFileSync(path, "utf8"), bytes: readFileSync(path) };
  }

  /** What a request that is held sends, as JSON. */
  async sent(route) {
    return JSON.parse(this.browser.engine === "firefox" ? await firefoxBody(route) : route.request().postData());
  }

  /** Violations that axe finds, one line each. */
  async axe(what, { colours = false } = {}) {
    if (!await this.page.evaluate(() => "axe" in window)) await this.page.evaluate(`${AXE};0`);
    const found = await this.page.evaluate(async ([tags, rules]) => {
      const runOnly = rules ? { type: "rule", values: rules } : { type: "tag", values: tags };
      const { violations } = await window.axe.run(document, { runOnly, resultTypes: ["violations"], preload: false });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => (
        `${node.target.join(" ")} (${node.any[0]?.message ?? node.failureSummary})`)).join("; ")}`);
    }, [AXE_RULES, colours ? COLOUR_RULES : null]);
    is(`axe, ${what}`, found, []);
  }

  /** What is wider than the page, if the page scrolls sideways. */
  async narrow(what) {
    const wider = await this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const beyond = [...document.querySelectorAll("main *, header *, footer *")]
        .filter((one) => one.getBoundingClientRect().right > clientWidth + 0.5 && !one.closest(".scroll-x, pre, .tabs"))
        .slice(0, 4).map((one) => `${one.localName}.${one.getAttribute("class") ?? ""}`);
      return [`${scrollWidth - clientWidth} px beyond`, ...beyond];
    });
    is(`what is wider than the page, ${what}`, wider, []);
  }

  /** What is too small to be hit. */
  async targets(what) {
    const small = await this.find(TARGETS).evaluateAll((all, least) => all.filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .map((one) => [one, one.getBoundingClientRect()]).filter(([, { width, height }]) => Math.min(width, height) < least)
      .map(([one, { width, height }]) => `${one.localName}.${one.className} ${Math.round(width)}×${Math.round(height)}`), TARGET_PX_MIN);
    is(`targets of less than ${TARGET_PX_MIN} px, ${what}`, small.slice(0, 4), []);
  }

  async shot(path) {
    // The caret is hidden by a style that the policy of the page forbids.
    await this.page.screenshot({ path, fullPage: true, caret: "initial" });
  }
}
