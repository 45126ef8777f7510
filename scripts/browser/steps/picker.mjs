// Steps through the picker in a page of another origin with a strict policy. What they do is written with what pages of
// Playwright and of Puppeteer have in common, so that it also runs in Firefox (firefox.mjs).
import { is, moreThan, soon, that } from "../browser.mjs";
import { host } from "../host.mjs";

const BOX = "#nonprofit";

/** What a reader of the page and assistive software see of it. */
const seen = (page) => page.evaluate(() => {
  const box = document.querySelector("#nonprofit");
  const list = document.getElementById(box.getAttribute("aria-controls"));
  const active = document.getElementById(box.getAttribute("aria-activedescendant"));
  const { left, top, width } = box.getBoundingClientRect();
  const below = list?.getBoundingClientRect();
  return {
    role: box.getAttribute("role"),
    value: box.value,
    open: box.getAttribute("aria-expanded") === "true" && !list.hidden,
    options: [...list?.querySelectorAll("[role=option]") ?? []].map((one) => one.textContent),
    active: active?.textContent ?? null,
    selected: [...list?.querySelectorAll("[aria-selected=true]") ?? []].map((one) => one.textContent),
    isBelow: Boolean(below) && Math.abs(below.left - left) < 2 && below.top >= top && below.width >= width - 1,
    ein: document.querySelector("input[type=hidden]")?.value,
    status: document.querySelector("[role=status]")?.textContent,
    output: document.querySelector("output").textContent,
    isValid: box.checkValidity(),
    focused: document.activeElement === box,
    refused: window.refused,
  };
});

/** Waits for a part of what is seen. */
const sees = (page, name, expected) => soon(name, async () => (await seen(page))[name], expected);

async function ready(page, { origin }) {
  await page.goto(origin);
  await sees(page, "role", "combobox");
  await page.focus(BOX);
}

async function type(page, text) {
  await page.keyboard.type(text);
  await sees(page, "open", true);
}

const dashed = (ein) => `${ein.slice(0, 2)}-${ein.slice(2)}`;

/** Found by its name, chosen with the keyboard, taken back by typing. */
async function keyboard(page, at, { named }) {
  await ready(page, at);
  is("choice at first", (await seen(page)).ein, "");
  await type(page, named.name);
  const { options, isBelow, active } = await seen(page);
  is("options", options, that("some", (found) => found.length > 0 && found.every((one) => / EIN \d\d-\d{7}$/.test(one))));
  is("list below the box", isBelow, true);
  is("option that is active before an arrow", active, null);
  await sees(page, "status", `${options.length} found`);
  await page.keyboard.press("ArrowDown");
  await sees(page, "active", options[0]);
  is("options selected", (await seen(page)).selected, [options[0]]);
  await page.keyboard.press("ArrowUp");
  await sees(page, "active", null);
  await page.keyboard.press("ArrowUp");
  await sees(page, "active", options.at(-1));
  is("letters while arrows move", (await seen(page)).value, named.name);
  const mine = options.findIndex((one) => one.endsWith(dashed(named.ein)));
  for (let step = 0; step < options.length - 1 - mine; step += 1) await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await sees(page, "ein", named.ein);
  await sees(page, "value", named.name);
  await sees(page, "output", `${named.name} has the EIN ${named.ein}.`);
  is("list after the choice", (await seen(page)).open, false);
  await sees(page, "status", `${named.name} chosen`);
  await page.keyboard.press("Enter");
  await sees(page, "output", `Sent: ein=${named.ein}`);
  await page.keyboard.press("Backspace");
  await sees(page, "ein", "");
  const after = await seen(page);
  is("what the page was told", after.output, "");
  is("a name without a choice, in a field that is required", after.isValid, false);
  is("what the policy refused", after.refused, []);
}

/** By its EIN, with the mouse; Escape and leaving the box close the list. */
async function mouse(page, at, { named }) {
  await ready(page, at);
  await type(page, dashed(named.ein));
  await page.keyboard.press("Escape");
  await sees(page, "open", false);
  is("letters after Escape", (await seen(page)).value, dashed(named.ein));
  await page.keyboard.press("ArrowDown");
  await sees(page, "open", true);
  await page.keyboard.press("Tab");
  await sees(page, "open", false);
  is("choice after leaving", (await seen(page)).ein, "");
  await page.focus(BOX);
  await page.keyboard.press("ArrowDown");
  await sees(page, "open", true);
  await page.click("[role=option]");
  await sees(page, "ein", named.ein);
  is("focus after the click", (await seen(page)).focused, true);
}

/** A key that is none: told in words, and the page is as it was. */
async function refused(page, at) {
  await ready(page, at);
  await page.keyboard.type("food");
  await sees(page, "status", "Nonprofits cannot be looked up now.");
  is("list without an answer", (await seen(page)).open, false);
}

/** What runs in any browser. */
export const FLOWS = [["keyboard", keyboard], ["mouse", mouse]];
export const REFUSED = refused;

/** An answer that comes after a later one is dropped. */
async function late(page, at) {
  const hold = [];
  await page.route("**/typeahead/nonprofits?q=fo&*", (route) => { hold.push(() => route.continue().catch(() => {})); });
  await ready(page, at);
  await page.keyboard.type("fo");
  await soon("questions that wait", () => hold.length, 1);
  await page.keyboard.type("undation");
  await sees(page, "open", true);
  const before = (await seen(page)).options;
  hold.forEach((go) => go());
  await page.evaluate(() => fetch(document.querySelector("script").src, { mode: "no-cors" }).catch(() => {}));
  is("options after a late answer", (await seen(page)).options, before);
}

async function accessible(page, at, found, visit) {
  await ready(page, at);
  await visit.axe("picker, closed");
  await type(page, "fo");
  await soon("options", async () => (await seen(page)).options.length, moreThan(1));
  await page.keyboard.press("ArrowDown");
  await visit.axe("picker, open");
  await page.emulateMedia({ colorScheme: "dark" });
  await visit.axe("picker, dark", { colours: true });
}

/** Runs a flow in the example, on an origin of its own. */
const step = (name, flow, { key, allows } = {}) => ({
  name: `picker: ${name}`,
  visit: { key: null },
  allows,
  async run(visit, found) {
    const { browser, page } = visit;
    const at = await host({ origin: browser.origin, key: key ?? browser.key });
    browser.hosts.add(at.origin);
    try {
      await flow(page, at, found, visit);
    } finally {
      at.close();
    }
  },
});

export default [
  ...FLOWS.map(([name, flow]) => step(name, flow)),
  step("late answers", late),
  step("a key that is none", refused, { key: "alm_wrong", allows: [401] }),
  step("accessible, light and dark", accessible),
];
