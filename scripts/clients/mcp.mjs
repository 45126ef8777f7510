// Talks to almoner with the official TypeScript client of the Model Context Protocol, over HTTP and over standard input
// and output: lists, calls (many at once, too), cursors, links, resources, prompts, completions and refusals. The client
// holds each answer against the output schema of its tool.
//
//   mcp.mjs ORIGIN KEY ALMONER DATA_DIR
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [origin, key, almoner, dataDir] = process.argv.slice(2);
assert(dataDir, "mcp.mjs ORIGIN KEY ALMONER DATA_DIR");
// A server refuses more of one client than it can work on soon.
const PARALLEL = 20;

async function converse(client) {
  const call = (name, given) => client.callTool({ name, arguments: given });
  const answered = async (name, given) => {
    const result = await call(name, given);
    assert(!result.isError, `${name}: ${JSON.stringify(result.content)}`);
    assert(result.content[0].text, `${name} has no text`);
    return result;
  };
  const { tools } = await client.listTools();
  assert(tools.length > 10 && tools.every((tool) => tool.annotations.readOnlyHint && tool.outputSchema));
  const first = (await answered("search_nonprofits", { limit: 2 })).structuredContent;
  const second = (await answered("search_nonprofits", { limit: 2, cursor: first.nextCursor })).structuredContent;
  const eins = [...first.rows, ...second.rows].map((row) => row.ein);
  assert.equal(new Set(eins).size, 4, "pages overlap");
  const both = await answered("compare", { eins: eins.slice(0, 2) });
  const links = both.content.filter((block) => block.type === "resource_link");
  assert.deepEqual(links.map((link) => link.uri), eins.slice(0, 2).map((ein) => `nonprofit://${ein}`));
  assert(links.every((link) => link.annotations.audience[0] === "user"));
  for (const { uri } of [...links, { uri: `nonprofit://${eins[0]}/standing` }, { uri: "almoner://coverage" }]) {
    const { contents } = await client.readResource({ uri });
    assert(JSON.parse(contents[0].text), uri);
  }
  for (const name of ["check_standing", "reliance", "filings", "provenance", "people", "who_funds", "peers", "similar"]) {
    await answered(name, { ein: eins[0] });
  }
  for (const name of ["coverage", "changes", "find_funders", "search_grants", "aggregate_nonprofits"]) await answered(name, {});
  const one = { eins: [eins[0]] };
  const alike = await Promise.all(Array.from({ length: PARALLEL }, () => answered("get_nonprofit", one)));
  assert(alike.every((each) => JSON.stringify(each) === JSON.stringify(alike[0])), "calls at once differ");
  const refused = await call("search_nonprofits", { size: 2 });
  assert(refused.isError && refused.content[0].text.includes("limit"));
  await assert.rejects(call("no_such_tool", {}), { code: -32602 });
  await assert.rejects(client.readResource({ uri: "nonprofit://000000000" }), { code: -32002 });
  const { prompts } = await client.listPrompts();
  const [prompt] = prompts;
  const filled = Object.fromEntries(prompt.arguments.map((argument) => [argument.name, "Food Bank"]));
  const { messages } = await client.getPrompt({ name: prompt.name, arguments: filled });
  assert(messages[0].content.text.includes("Food Bank"));
  const argument = { name: "cause", value: "food" };
  const { completion } = await client.complete({ ref: { type: "ref/prompt", name: prompt.name }, argument });
  assert(completion.values.length > 0);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert(resourceTemplates.some((template) => template.uriTemplate === "nonprofit://{ein}"));
  await client.ping();
}

const url = new URL("/mcp", origin);
const over = (headers) => new StreamableHTTPClientTransport(url, { requestInit: { headers } });
for (const [name, transport] of [
  ["HTTP with X-API-Key", over({ "X-API-Key": key })],
  ["HTTP with Authorization", over({ Authorization: `Bearer ${key}` })],
  ["standard input and output", new StdioClientTransport({ command: almoner, args: ["mcp", "--data-dir", dataDir] })],
]) {
  const client = new Client({ name: "mcp.mjs", version: "1" });
  await client.connect(transport);
  await converse(client);
  await client.close();
  console.log(`mcp: ${name}, as it should be`);
}
