// The API reference at /docs: draws /openapi.json. Says nothing that the document does not say,
// but for the sample values of the example calls.
import { ask, copyable, curl, query } from "./api.js";
import { h, nodes } from "./dom.js";
import { announce, loading, problem } from "./states.js";
import "./theme.js";

const main = document.getElementById("main");
/** Values for the examples, by parameter. */
const SAMPLES = { ein: "530196605", eins: "530196605", q: "red cross", name: "American Red Cross" };
/** An answer longer than this is cut: the page is for reading. */
const SHOWN_MAX = 20_000;

/** Text with its `code` set as code. */
const prose = (text) => String(text ?? "").split(/`([^`]+)`/).map((part, index) => (index % 2 ? h("code", null, part) : part));
const refName = (schema) => schema?.$ref?.split("/").pop();
const linkTo = (name) => h("a", { href: `#${name}` }, name);

/** Bounds of a schema in a few words, or null. */
function bounds(schema) {
  const [low, high] = [schema.minimum ?? schema.minLength, schema.maximum ?? schema.maxLength];
  const unit = schema.minLength !== undefined || schema.maxLength !== undefined ? " characters" : "";
  if (low !== undefined && low === high) return `exactly ${low}${unit}`;
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
  if (low !== undefined) return `at least ${low}${unit}`;
  return high === undefined ? null : `at most ${high}${unit}`;
}

/** A schema in a few words, as nodes. */
function words(schema = {}) {
  if (schema.$ref) return [linkTo(refName(schema))];
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return either.flatMap((one, index) => (index ? [" or ", ...words(one)] : words(one)));
  const type = [schema.type ?? "any"].flat();
  if (type[0] === "array") return ["list of ", ...words(schema.items), type.length > 1 ? " or null" : null];
  const facts = [type.join(" or "), schema.format, bounds(schema)].filter(Boolean).join(", ");
  return [
    facts,
    schema.pattern ? [", ", h("code", null, schema.pattern)] : null,
    schema.enum ? [": ", schema.enum.map((one, index) => [index ? ", " : null, h("code", null, String(one))])] : null,
    schema.const !== undefined ? [": ", h("code", null, String(schema.const))] : null,
    schema.default !== undefined ? [", default ", h("code", null, String(schema.default))] : null,
  ];
}

function table(heads, rows, label) {
  return h("div", { class: "scroll-x", tabindex: "0", role: "region", "aria-label": label },
    h("table", { class: "data" },
      h("thead", null, h("tr", null, heads.map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", null, rows.map(([first, ...rest]) => h("tr", null,
        h("th", { scope: "row" }, first), rest.map((cell) => h("td", null, cell)))))));
}

function parameters(operation, title) {
  const all = operation.parameters ?? [];
  if (!all.length) return h("p", { class: "muted" }, "Takes no parameters.");
  return table(["Parameter", "Type", "Meaning"], all.map((one) => [
    [h("code", null, one.name), one.required ? h("span", { class: "badge" }, "required") : null,
      one.in === "query" ? null : h("span", { class: "badge" }, one.in)],
    words(one.schema),
    prose(one.description),
  ]), `Parameters of ${title}`);
}

/** Path and parameters of a request that works as it is. */
function example(path, operation) {
  const asked = {};
  for (const { name, in: where, required, schema, example: given } of operation.parameters ?? []) {
    if (where === "query" && (required || name in SAMPLES)) asked[name] = given ?? SAMPLES[name] ?? schema?.default ?? schema?.enum?.[0];
  }
  return [path.replace(/\{(\w+)\}/g, (_, name) => SAMPLES[name] ?? name), asked];
}

/** A body that works as it is, of what a schema requires; undefined where it is not JSON. */
function bodyOf(operation, schemas) {
  const sample = (schema, name) => {
    const of = schemas[refName(schema)] ?? schema;
    if (of.properties) return Object.fromEntries((of.required ?? []).map((one) => [one, sample(of.properties[one], one)]));
    return of.type === "array" ? [sample(of.items, name)] : SAMPLES[name] ?? of.default ?? name;
  };
  const schema = operation.requestBody?.content["application/json"]?.schema;
  return schema && sample(schema, "body");
}

function answers(operation, schemas, title) {
  const entries = Object.entries(operation.responses).sort(([a], [b]) => a.localeCompare(b));
  const schemaOf = (one) => Object.values(one.content ?? {})[0]?.schema;
  const good = entries.find(([code]) => code.startsWith("2"));
  const name = refName(good && schemaOf(good[1]));
  return [
    table(["Status", "When", "Body"], entries.map(([code, one]) => [
      h("code", null, code), prose(one.description),
      schemaOf(one) ? words(schemaOf(one)) : Object.keys(one.content ?? {}).join(", ")]), `Answers of ${title}`),
    name && schemas[name] ? h("details", { class: "inline-schema" }, h("summary", null, `Fields of ${name}`), fields(schemas[name], `${name}, answer of ${title}`)) : null,
  ];
}

function fields(schema, name) {
  const required = new Set(schema.required ?? []);
  const properties = Object.entries(schema.properties ?? {});
  if (!properties.length) return h("p", { class: "muted" }, words(schema));
  return table(["Field", "Type", "Meaning"], properties.map(([field, one]) => [
    [h("code", null, field), required.size && !required.has(field) ? h("span", { class: "badge" }, "optional") : null],
    words(one), prose(one.description)]), `Fields of ${name}`);
}

/** A line to edit and send from here, with the answer below it. */
function attempt(path, asked, id) {
  const box = h("input", { id: `try-${id}`, type: "text", autocomplete: "off", spellcheck: "false", value: path + query(asked) });
  const shown = h("div", { "aria-live": "polite" });
  const form = h("form", { class: "try", onsubmit: send }, h("label", { class: "visually-hidden", for: `try-${id}` }, `Path to ask ${path} with`),
    box, h("button", { class: "button" }, "Send"));
  async function send(event) {
    event.preventDefault();
    const target = box.value.trim();
    if (!/^\/(?!\/)/.test(target)) return shown.replaceChildren(h("p", { class: "error" }, "A path of this server starts with one /."));
    shown.replaceChildren(loading("Asking…", 2));
    try {
      const { body, milliseconds, status } = await ask(target, null, { text: true });
      const text = typeof body === "string" ? body : JSON.stringify(body, null, 2);
      const cut = text.length > SHOWN_MAX;
      shown.replaceChildren(
        h("p", { class: "muted small" }, `${status} in ${Math.max(1, Math.round(milliseconds))} ms${cut ? `; the first ${SHOWN_MAX} of ${text.length} characters` : ""}`),
        h("pre", { class: "answer", tabindex: "0", role: "region", "aria-label": "Answer" }, h("code", null, cut ? text.slice(0, SHOWN_MAX) : text)));
      announce("Answered");
    } catch (error) {
      shown.replaceChildren(problem(error));
    }
  }
  return h("details", { class: "call" }, h("summary", null, "Try it here"), form, shown);
}

function endpoint(path, method, operation, schemas) {
  const id = operation.operationId ?? path;
  const title = `${method.toUpperCase()} ${path}`;
  const [at, asked] = example(path, operation);
  const body = bodyOf(operation, schemas);
  return h("section", { class: "endpoint", "aria-labelledby": id },
    h("h3", { id, tabindex: "-1" }, h("code", null, title)),
    h("p", null, prose(operation.summary), operation.description && operation.description !== operation.summary ? [". ", prose(operation.description)] : null,
      operation.security?.length === 0 ? h("span", { class: "muted" }, " No key needed.") : null),
    parameters(operation, title),
    method === "get" ? [copyable(curl(at, asked), `Example call of ${title}`), attempt(at, asked, id)]
      : body && copyable(curl(at, asked, { body }), `Example call of ${title}`),
    h("h4", null, "Answers"), answers(operation, schemas, title));
}

function draw(api) {
  const schemas = api.components?.schemas ?? {};
  const operations = Object.entries(api.paths).flatMap(([path, item]) => Object.entries(item)
    .filter(([, operation]) => operation?.responses).map(([method, operation]) => ({ path, method, operation })));
  const known = (api.tags ?? []).map((tag) => tag.name);
  const rest = operations.flatMap(({ operation }) => operation.tags ?? ["Other"]).filter((tag) => !known.includes(tag));
  const groups = [...new Set([...known, ...rest])].map((tag) => ({ tag,
    about: api.tags?.find((one) => one.name === tag)?.description,
    its: operations.filter(({ operation }) => (operation.tags ?? ["Other"]).includes(tag)) })).filter(({ its }) => its.length);
  const wide = matchMedia("(min-width: 60rem)");
  const contents = h("details", { class: "contents", open: wide.matches }, h("summary", null, "Contents"), h("nav", { "aria-label": "Contents" },
    groups.map(({ tag, its }) => [h("p", { class: "muted small" }, tag), h("ul", { class: "plain" }, its.map(({ path, method, operation }) =>
      h("li", null, h("a", { href: `#${operation.operationId ?? path}` }, method === "get" ? path : `${method.toUpperCase()} ${path}`))))]),
    h("p", { class: "muted small" }, h("a", { href: "#schemas" }, "Schemas"))));
  wide.onchange = () => { contents.open = wide.matches; };
  const reference = h("div", { class: "reference" },
    h("h1", null, `${api.info.title} ${api.info.version}`),
    h("p", null, prose(api.info.description)),
    h("p", null, "Endpoints answer JSON and take an API key in the header ", h("code", null, "X-API-Key"),
      ". The same in machine form: ", h("a", { href: "/openapi.json" }, "openapi.json"), "."),
    groups.map(({ tag, about, its }) => [h("h2", null, tag), about ? h("p", null, prose(about)) : null,
      its.map(({ path, method, operation }) => endpoint(path, method, operation, schemas))]),
    h("h2", { id: "schemas" }, "Schemas"),
    Object.entries(schemas).map(([name, schema]) => h("details", { class: "schema", id: name },
      h("summary", null, h("code", null, name)), schema.description ? h("p", null, prose(schema.description)) : null, fields(schema, name))));
  main.replaceChildren(...nodes(h("div", { class: "docs-layout" }, contents, reference)));
  reveal();
}

/** Shows what the address names; the browser has looked for it before it was there. */
function reveal() {
  const target = document.getElementById(location.hash.slice(1));
  if (!target || target === main) return;
  if (target instanceof HTMLDetailsElement) target.open = true;
  target.scrollIntoView();
  (target.querySelector("summary") ?? target).focus({ preventScroll: true });
}

async function start() {
  main.replaceChildren(h("h1", null, "API reference"), loading("Loading openapi.json…", 8));
  try {
    draw((await ask("/openapi.json")).body);
  } catch (error) {
    main.replaceChildren(h("h1", null, "API reference"), problem(error, start));
  }
}

addEventListener("hashchange", reveal);
start();
