// Tests the explorer of a running server in a browser: every step is run, those that fail say what
// was expected and found, and any makes the exit status 1. `run.sh` makes the data and the server.
//
//   node test.mjs --origin http://127.0.0.1:8080 --key KEY --chromium /usr/bin/chromium
//     [--firefox /usr/bin/firefox] [--only TEXT] [--shots DIR] [--prove]
//
// The browsers that are named run the same steps, one after the other; a step with a `chromium` runs in Chromium alone,
// for that reason.
// --only runs the steps with TEXT in their names; --shots writes a picture of every view, theme and
// width; --prove breaks the page in many ways and demands that a step fails for each (prove.mjs).
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { Browser, is, that } from "./browser.mjs";
import { report, run, sideBySide } from "./runner.mjs";
import { samples } from "./samples.mjs";
import access from "./steps/access.mjs";
import feed from "./steps/feed.mjs";
import lists from "./steps/lists.mjs";
import match from "./steps/match.mjs";
import money from "./steps/money.mjs";
import picker from "./steps/picker.mjs";
import profile from "./steps/profile.mjs";
import search from "./steps/search.mjs";
import shell from "./steps/shell.mjs";
import weight from "./steps/weight.mjs";
import workbook from "./steps/workbook.mjs";

const ALL_FILES_MAX = 1_100_000;

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

const ending = { name: "requests: to this server alone; files: at most 1.1 MB", run: requests };

/** What a step needs that the engine lacks, if it is marked with that. */
const lacking = (step, engine) => (engine === "firefox" ? step.chromium : undefined);

/** @returns {Promise<number>} how many steps failed */
async function runAll(steps, { browser, found, all }) {
  const started = performance.now();
  const results = [];
  const done = async (step) => {
    results.push(await run(step, browser, found));
    report(results.at(-1));
  };
  const possible = steps.filter((step) => !lacking(step, browser.engine));
  for (const step of steps) if (!possible.includes(step)) console.log(`not  ${step.name}: ${lacking(step, browser.engine)}`);
  // As their times are told.
  for (const step of possible.filter(({ alone }) => alone)) await done(step);
  await sideBySide(possible.filter(({ alone }) => !alone), done);
  if (all) await done(ending);
  const failed = results.filter(({ failure }) => failure).length;
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${browser.engine}: ${results.length} steps, ${failed} failed, ${steps.length - possible.length} not for it; ${seconds} s`);
  return results.length ? failed : 1;
}

async function main() {
  const { values } = parseArgs({ options: {
    origin: { type: "string" }, key: { type: "string" }, chromium: { type: "string" }, firefox: { type: "string" },
    only: { type: "string", default: "" }, shots: { type: "string" }, prove: { type: "boolean", default: false },
  } });
  const { origin, key, only } = values;
    const found = await samples(origin, key);
  const steps = [...weight, ...access, ...search, ...profile, ...feed, ...lists, ...match, ...workbook, ...money, ...picker, ...shell]
    .filter(({ name }) => name.includes(only));
  let failed = 0;
  for (const engine of ["chromium", "firefox"].filter((one) => values[one])) {
    const shots = values.shots && `${values.shots}/${engine}`;
    if (shots) mkdirSync(shots, { recursive: true });
    const browser = await Browser.start({ engine, executable: values[engine], origin, key, shots });
    try {
      if (values.prove) {
        const { prove } = await import("./prove.mjs");
        return await prove({ steps: [...steps, ending], browser, found }) ? 0 : 1;
      }
      failed += await runAll(steps, { browser, found, all: !only });
    } finally {
      await browser.close();
    }
  }
  return failed ? 1 : 0;
}

process.exitCode = await main();
