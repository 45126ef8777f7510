// The task of a developer who writes a grants form in TypeScript: suggestions while somebody types, a profile, a search
// read to its end, a spreadsheet, answers that are asked for again, 500 nonprofits at once, and a client that does not
// fall over at what a server refuses. Knows docs/programs.md and the generated types alone.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Schemas = components["schemas"];

const [origin, key] = process.argv.slice(2);
if (!origin || !key) throw new Error("developer.js ORIGIN KEY");

const ATTEMPTS_MAX = 20;
/** Enough at once to use up what a key may ask in a second. */
const BURST = 300;
const BATCH = 500;

class Mismatch extends Error {}

/** Fails unless `holds`, or equality with `expected`, is true of what was found. */
function is<Found>(what: string, found: Found, expected: unknown, holds?: (found: Found) => boolean): void {
  if (holds ? holds(found) : JSON.stringify(found) === JSON.stringify(expected)) return;
  throw new Mismatch(`${what}: expected ${holds ? expected : JSON.stringify(expected)}, found ${JSON.stringify(found)?.slice(0, 300)}`);
}

/** What an answer has, or a failure that says what the server refused. */
function held<Data>(what: string, { data, error, response }: { data?: Data; error?: unknown; response: Response }): Data {
  if (data !== undefined) return data;
  throw new Mismatch(`${what}: expected 200, found ${response.status} ${JSON.stringify(error)?.slice(0, 300)}`);
}

let refused = 0;

/** Asks again after as many seconds as the server says, when there were too many requests or it is busy. */
async function patient(request: Request): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(request.clone());
    if (![429, 503].includes(answer.status) || attempt === ATTEMPTS_MAX) return answer;
    refused += 1;
    const seconds = Number(answer.headers.get("retry-after"));
    is("Retry-After of a refusal", seconds, "seconds", (found) => found >= 1 && found <= 60);
    await answer.body?.cancel();
    await new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });
  }
}

const headers = { "X-API-Key": key };
const client = createClient<paths, "application/json">({ baseUrl: origin, headers, fetch: patient });

/** What later steps need of earlier ones. */
const found: { rows: Schemas["NonprofitItem"][]; total: number; one?: Schemas["NonprofitDetails"] } = { rows: [], total: 0 };

async function paged(): Promise<string> {
  for (let page = 1; ; page += 1) {
    const data = held(`page ${page}`, await client.GET("/nonprofits/search", { params: { query: { page, size: 100, sort: ["name"] } } }));
    found.total = data.total;
    if (!data.items.length) break;
    found.rows.push(...data.items);
  }
  is("rows on all pages", found.rows.length, found.total);
  is("EINs that came twice", found.rows.length - new Set(found.rows.map(({ ein }) => ein)).size, 0);
  return `${found.total} rows`;
}

async function typed(): Promise<string> {
  const wanted = found.rows.find(({ name }) => /^\w{5,} \w{4,}/.test(name))!;
  let shown: Schemas["Suggestion"][] = [];
  let pending = new AbortController();
  // The letters come faster than the answers: the last answer alone is shown.
  const asked = Array.from({ length: 8 }, (_, at) => {
    pending.abort();
    pending = new AbortController();
    const query = { q: wanted.name.slice(0, at + 2).toLowerCase(), limit: 10, scope: "all" as const };
    return client.GET("/typeahead/nonprofits", { params: { query }, signal: pending.signal })
      .then((answer) => { shown = held("suggestions", answer).results; }, (error: Error) => is("why an answer was given up", error.name, "AbortError"));
  });
  await Promise.all(asked);
  const start = wanted.name.slice(0, 9).toLowerCase();
  is("suggestions for the last letters", shown.map(({ name }) => name), `some that begin with “${start}”`,
    (names) => names.length > 0 && names.some((name) => name.toLowerCase().startsWith(start)));
  return `${shown.length} for “${start}”`;
}

async function profile(): Promise<string> {
  const { ein } = found.rows.find(({ revenueGrandTotal }) => revenueGrandTotal !== null)!;
  found.one = held("the profile", await client.GET("/nonprofits/details/{ein}", { params: { path: { ein } } }));
  is("the EIN of the profile", found.one.ein, ein);
  const fields = ["ein", "name", "revenueGrandTotal"] as const;
  const cut = await client.GET("/nonprofits/details/{ein}", { params: { path: { ein } }, querySerializer: () => `fields=${fields}` });
  is("the fields that were selected", held("some fields", cut), Object.fromEntries(fields.map((field) => [field, found.one![field]])));
  const misspelt = await client.GET("/nonprofits/details/{ein}", { params: { path: { ein } }, querySerializer: () => "fields=ein,revenue_total" });
  is("what is said of a field that does not exist", JSON.stringify(misspelt.error), "its name, and those that exist",
    (said) => said?.includes("revenue_total") && said.includes("revenueGrandTotal"));
  return found.one.name;
}

async function csv(): Promise<string> {
  const query = { size: 100, page: 1 };
  const sheet = await client.GET("/nonprofits/search", { params: { query }, headers: { Accept: "text/csv" }, parseAs: "text" });
  const lines = held<string>("the spreadsheet", sheet as { data?: string; response: Response }).trimEnd().split("\r\n");
  const { items } = held("the same rows", await client.GET("/nonprofits/search", { params: { query } }));
  is("EINs of the spreadsheet", lines.slice(1).map((line) => line.split(",")[0]), items.map(({ ein }) => ein));
  is("rows on all pages, in the header", sheet.response.headers.get("x-total-count"), String(found.total));
  return `${lines.length - 1} of ${found.total} rows`;
}

async function unchanged(): Promise<string> {
  const params = { path: { ein: found.one!.ein } };
  const first = await client.GET("/nonprofits/details/{ein}", { params });
  const tag = first.response.headers.get("etag");
  is("the entity tag", tag, "a tag in quotes", (text) => /^(W\/)?".+"$/.test(text ?? ""));
  const again = await client.GET("/nonprofits/details/{ein}", { params, headers: { "If-None-Match": tag! } });
  is("the status with the tag", again.response.status, 304);
  const other = await client.GET("/nonprofits/details/{ein}", { params, headers: { "If-None-Match": '"another"' } });
  is("the status with another tag", other.response.status, 200);
  return tag!;
}

async function batch(): Promise<string> {
  const eins = found.rows.slice(0, BATCH - 1).map(({ ein }) => ein);
  const body = { eins: [...eins, "000000000"], fields: ["ein", "name" as const, "state" as const] as ("ein" | "name" | "state")[] };
  const rows = held("the batch", await client.POST("/nonprofits/batch", { body }));
  is("EINs in the order asked for, null for one that is unknown", rows.map((row) => row?.ein ?? null), [...eins, null]);
  const over = await client.POST("/nonprofits/batch", { body: { eins: [...body.eins, "000000001"] } });
  is("the status of one more than allowed", over.response.status, 422);
  is("what is said of it", JSON.stringify(over.error), "the limit", (said) => said?.includes(String(BATCH)));
  return `${rows.length} rows`;
}

async function refusals(): Promise<string> {
  const unknown = await client.GET("/nonprofits/details/{ein}", { params: { path: { ein: "000000000" } } });
  is("an EIN that nobody has", [unknown.response.status, unknown.error?.detail], [404, "Nonprofit not found"]);
  const unfit = await client.GET("/nonprofits/search", { params: { query: { size: 1000 } } });
  is("a page that is too long", unfit.response.status, 422);
  const details = unfit.error!.detail as Schemas["ValidationError"]["detail"];
  is("where the mistake is", details.map(({ loc }) => loc), [["query", "size"]]);
  const keyless = await createClient<paths>({ baseUrl: origin! }).GET("/coverage");
  is("the status without a key", keyless.response.status, 401);
  const misspelt = await client.GET("/nonprofits/search", { params: { query: { stat: "OH" } as never } });
  is("a parameter that does not exist", misspelt.response.headers.get("x-almoner-ignored"), "stat");
  return "404, 422, 401 and an ignored parameter";
}

async function limited(): Promise<string> {
  refused = 0;
  const { ein } = found.one!;
  const all = await Promise.all(Array.from({ length: BURST }, () => client.GET("/nonprofits/details/{ein}", { params: { path: { ein } } })));
  is("statuses in the end", [...new Set(all.map(({ response }) => response.status))], [200]);
  is("refusals on the way", refused, "some", (count) => count > 0);
  is("what is left to ask", all[0]!.response.headers.get("ratelimit"), "requests and seconds", (text) => /r=\d+/.test(text ?? ""));
  return `${BURST} requests, ${refused} asked again`;
}

const STEPS: [string, () => Promise<string>][] = [
  ["a search is read to its end, as many rows as its total", paged],
  ["suggestions while somebody types, the last answer alone", typed],
  ["a profile, and some of its fields", profile],
  ["rows as a spreadsheet", csv],
  ["asked again with its entity tag, an answer is not sent again", unchanged],
  ["500 nonprofits at once, in their order", batch],
  ["what is refused says why", refusals],
  ["more requests than a key may make are asked again after Retry-After", limited],
];

for (const [name, run] of STEPS) {
  const started = performance.now();
  try {
    const note = await run();
    console.log(`ok   developer: ${name} (${((performance.now() - started) / 1000).toFixed(1)} s): ${note}`);
  } catch (error) {
    console.log(`FAIL developer: ${name}\n     ${(error as Error).message}`);
    process.exit(1);
  }
}
