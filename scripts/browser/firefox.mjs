// The picker in Firefox, whose protocol Playwright does not speak: what steps/picker.mjs does, driven by Puppeteer.
//
//   firefox.mjs --origin http://127.0.0.1:8080 --key KEY --firefox /usr/bin/firefox
import { parseArgs } from "node:util";
import puppeteer from "puppeteer-core";
import { host } from "./host.mjs";
import { report } from "./runner.mjs";
import { samples } from "./samples.mjs";
import { FLOWS, REFUSED } from "./steps/picker.mjs";

const { values: { origin, key, firefox } } = parseArgs({ options: {
  origin: { type: "string" }, key: { type: "string" }, firefox: { type: "string" },
} });
const found = await samples(origin, key);
const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, headless: true });
let failed = 0;
try {
  const flows = [...FLOWS.map(([name, flow]) => [name, flow, key]), ["a key that is none", REFUSED, "alm_wrong"]];
  for (const [name, flow, sent] of flows) {
    const started = performance.now();
    const result = { name: `firefox, picker: ${name}` };
    const at = await host({ origin, key: sent });
    const page = await browser.newPage();
    try {
      await flow(page, at, found);
    } catch (error) {
      failed += 1;
      result.failure = error.message;
    }
    await page.close();
    at.close();
    report({ ...result, milliseconds: Math.round(performance.now() - started) });
  }
} finally {
  await browser.close();
}
process.exitCode = failed ? 1 : 0;
