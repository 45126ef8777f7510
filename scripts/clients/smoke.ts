// Asks a server through the client that openapi-typescript makes; every type here is a generated one.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Schemas = components["schemas"];

const [origin, key] = process.argv.slice(2);
assert(origin && key, "smoke.js ORIGIN KEY");
const client = createClient<paths, "application/json">({ baseUrl: origin, headers: { "X-API-Key": key } });

async function eins(): Promise<string[]> {
  const all: string[] = [];
  for (let page = 1; page <= 5; page += 1) {
    const { data } = await client.GET("/nonprofits/search", { params: { query: { page, size: 100 } } });
    assert(data);
    const rows: Schemas["NonprofitItem"][] = data.items;
    all.push(...rows.map((row) => row.ein));
  }
  return all;
}

async function search(): Promise<void> {
  const query = { q: "school", sdgs: [1, 4], org_size: ["Small" as const], min_revenue: 0 };
  const { data } = await client.GET("/nonprofits/search", { params: { query } });
  assert(data && data.page === 1 && data.items.length <= data.size);
  const size: "Small" | "Medium" | "Large" | "Super-Size" | null | undefined = data.items[0]?.cnSize;
  assert(size === undefined || size === "Small");
}

async function details(ein: string): Promise<void> {
  const { data } = await client.GET("/nonprofits/details/{ein}", { params: { path: { ein } } });
  const found: Schemas["NonprofitDetails"] | undefined = data;
  assert(found?.ein === ein);
  const revenue: number | null = found.revenueGrandTotal;
  assert(revenue === null || revenue >= 0 || revenue < 0);
}

async function batch(all: string[]): Promise<void> {
  const { data } = await client.POST("/nonprofits/batch", { body: { eins: all } });
  assert(data && data.length === 500);
  assert.deepEqual(data.map((row) => row?.ein), all);
  const cut = await client.POST("/nonprofits/batch", { body: { eins: ["000000000", ...all.slice(0, 2)], fields: ["ein", "name"] } });
  assert(cut.data && cut.data[0] === null && Object.keys(cut.data[1] ?? {}).length === 2);
}

async function csv(): Promise<void> {
  const params = { query: { size: 100 } };
  const { data, response } = await client.GET("/nonprofits/search", { params, headers: { Accept: "text/csv" }, parseAs: "text" });
  const text: string | undefined = data;
  assert(text?.startsWith("ein,name,") && text.trimEnd().split("\r\n").length === 101);
  assert(Number(response.headers.get("x-total-count")) >= 100);
}

async function typeahead(name: string): Promise<void> {
  const { data } = await client.GET("/typeahead/nonprofits", { params: { query: { q: name.slice(0, 6), limit: 5, scope: "all" } } });
  assert(data && data.count === data.results.length && data.count > 0);
  const first: Schemas["Suggestion"] | undefined = data.results[0];
  const other: string | null | undefined = first?.alt_name;
  assert(other === null || typeof other === "string");
}

async function match(name: string): Promise<void> {
  const { data } = await client.POST("/match", { body: { queries: [{ name }, { id: "b", name: "", other_names: ["none"] }] } });
  assert(data?.results.length === 2 && data.results[1]?.id === "b");
  const decision: "yes" | "maybe" | "no" | "not tried" | undefined = data.results[0]?.decision;
  assert(decision !== undefined && ["yes", "maybe", "no"].includes(decision));
}

async function refusals(): Promise<void> {
  const unknown = await client.GET("/nonprofits/details/{ein}", { params: { path: { ein: "000000000" } } });
  assert(unknown.response.status === 404 && unknown.error);
  const why: Schemas["Error"]["detail"] | Schemas["ValidationError"]["detail"] = unknown.error.detail;
  assert.equal(why, "Nonprofit not found");
  const unfit = await client.GET("/nonprofits/details/{ein}", { params: { path: { ein: "1" } } });
  assert(unfit.response.status === 422 && unfit.error && typeof unfit.error.detail !== "string");
  const loc: (string | number)[] | undefined = unfit.error.detail[0]?.loc;
  assert.deepEqual(loc, ["path", "ein"]);
  const body = await client.POST("/match", { body: { queries: [], limit: 9 } });
  assert(body.error && typeof body.error.detail !== "string");
  assert.deepEqual(body.error.detail[0]?.loc, ["body", "limit"]);
  const keyless = await createClient<paths>({ baseUrl: origin! }).GET("/coverage");
  assert(keyless.response.status === 401 && keyless.error);
}

const all = await eins();
const one = all[0]!;
const { data } = await client.GET("/nonprofits/details/{ein}", { params: { path: { ein: one } } });
await search();
await details(one);
await batch(all);
await csv();
await typeahead(data!.name);
await match(data!.name);
await refusals();
console.log("typescript: search, details, batch of 500, CSV, typeahead, match, 401, 404 and 422 through a generated client");
