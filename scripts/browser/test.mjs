// Tests the explorer of a running server in a browser: every step is run, those that fail say what
// was expected and found, and any makes the exit status 1. `run.sh` makes the data and the server.
//
//   node test.mjs --origin http://127.0.0.1:8080 --key KEY --chromium /usr/bin/chromium
//     [--only TEXT] [--shots DIR] [--prove]
//
// --only runs the steps with TEXT in their names; --shots writes a picture of every view, theme and
// width; --prove breaks the page in many ways and demands that a step fails for each (prove.mjs).
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { Browser, is, that } from "./browser.mjs";
import { report, run, sideBySide } from "./runner.mjs";
import { samples } from "./samples.mjs";
import { access } from "./steps/access.mjs";
import feed from "./steps/feed.mjs";
import lists from "./steps/lists.mjs";
import match from "./steps/match.mjs";
import money from "./steps/money.mjs";
import picker from "./steps/picker.mjs";
import profile from "./steps/profile.mjs";
import search from "./steps/search.mjs";
import shell, { first } from "./steps/shell.mjs";

const ALL_FILES_MAX = 1_000_000;

/** What is only known when all else is done: where requests went, and how large the files are. */
async function requests({ browser }) {
  const all = [...browser.requests].filter((one) => !/^(data|blob):/.test(one));
  const elsewhere = all.filter((one) => ![browser.origin, ...browser.hosts].includes(new URL(one).origin));
  is("requests to other hosts", elsewhere, []);
  const files = new Set(all.map((one) => new URL(one).pathname).filter((path) => /^\/(docs|assets\/.*)?$/.test(path)));
  let bytes = 0;
  for (const path of files) {
    const answer = await fetch(browser.origin + path);
    is(`status of ${path}`, answer.status, 200);
    bytes += (await answer.arrayBuffer()).byteLength;
  }
  is("bytes of all files", bytes, that(`at most ${ALL_FILES_MAX}`, (found) => found <= ALL_FILES_MAX));
  return `${all.length} addresses, all of this server; ${files.size} files of ${Math.round(bytes / 1000)} KB`;
}

const ending = { name: "requests: to this server alone; files: at most 1 MB", run: requests };

async function main() {
  const { values } = parseArgs({ options: {
    origin: { type: "string" }, key: { type: "string" }, chromium: { type: "string" },
    only: { type: "string", default: "" }, shots: { type: "string" }, prove: { type: "boolean", default: false },
  } });
  const { origin, key, shots } = values;
  if (shots) mkdirSync(shots, { recursive: true });
  const found = await samples(origin, key);
  const browser = await Browser.start({ executable: values.chromium, origin, key });
  const wanted = ({ name }) => name.includes(values.only);
  const steps = [...access(shots), ...search, ...profile, ...feed, ...lists, ...match, ...money, ...picker, ...shell].filter(wanted);
  try {
    if (values.prove) {
      const { prove } = await import("./prove.mjs");
      return await prove({ steps: [...steps, first, ending], browser, found }) ? 0 : 1;
    }
    const results = [];
    // Alone, as its time is told.
    if (wanted(first)) results.push(await run(first, browser, found, shots));
    results.forEach(report);
    await sideBySide(steps, async (step) => {
      results.push(await run(step, browser, found, shots));
      report(results.at(-1));
    });
    if (!values.only) {
      results.push(await run(ending, browser, found));
      report(results.at(-1));
    }
    const failed = results.filter(({ failure }) => failure).length;
    console.log(`${results.length} steps, ${failed} failed`);
    return failed === 0 && results.length > 0 ? 0 : 1;
  } finally {
    await browser.close();
  }
}

process.exitCode = await main();
