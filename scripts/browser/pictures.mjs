// Takes the pictures of docs/pictures from a running server of fictional data.
//
//   node pictures.mjs --origin http://127.0.0.1:8080 --key KEY --chromium /usr/bin/chromium --out DIR
//
// They are kept with 256 colours: `pngquant --quality 60-85 --ext .png --force DIR/*.png`.
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { Browser } from "./browser.mjs";
import { ask, samples } from "./samples.mjs";

const { values } = parseArgs({ options: {
  origin: { type: "string" }, key: { type: "string" }, chromium: { type: "string" }, out: { type: "string" },
} });
const { origin, key, out } = values;

/** Lists the schools of the data as somebody would type them, and matches them. */
async function matched({ page }, schools) {
  const rows = schools.map(({ name, city, state }) => `${name.replace(/ Inc$/, "")},${city},${state}`);
  await page.fill("textarea", ["Organization,City,State", ...rows].join("\n"));
  await page.click("text=Read the list");
  await page.click("button.primary:has-text('Match')");
  await page.waitForSelector("table tbody tr");
}

mkdirSync(out, { recursive: true });
const { full, grantor } = await samples(origin, key);
const schools = (await ask(origin, key, "/nonprofits/search?q=school&size=6")).items;
const three = schools.slice(0, 3).map(({ ein }) => ein).join(",");
const PHONE = { width: 390, height: 844 };
const PICTURES = [
  ["home", "/"], ["home-phone", "/", PHONE],
  ["results", "/#/search?q=schools+in+Texas"], ["results-phone", "/#/search?q=schools+in+Texas", PHONE],
  ["profile", `/#/nonprofit/${full.ein}`], ["profile-phone", `/#/nonprofit/${full.ein}`, PHONE],
  ["profile-dark", `/#/nonprofit/${full.ein}`, { dark: true }],
  ["grants", `/#/nonprofit/${grantor.ein}?section=made`], ["return", `/#/return/${full.ein}/${full.returns[0].period_end}`],
  ["funders", "/#/funders"], ["compare", `/#/compare?eins=${three}`], ["list", `/#/shared?name=Schools&eins=${three}`],
  ["match", "/#/match", {}, matched], ["ask", "/#/chat?q=schools+in+Texas"], ["feed", "/#/feed"], ["reference", "/docs"],
];
const browser = await Browser.start({ executable: values.chromium, origin, key });
try {
  for (const [name, address, options = {}, prepare] of PICTURES) {
    const visit = await browser.visit(options);
    await visit.open(address);
    await prepare?.(visit, schools);
    await visit.page.waitForLoadState("networkidle");
    await visit.page.screenshot({ path: `${out}/${name}.png` });
    await visit.close();
  }
} finally {
  await browser.close();
}
