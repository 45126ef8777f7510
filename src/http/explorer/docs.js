const api = JSON.parse(document.getElementById("openapi").textContent);

function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

/** A schema in a few words. */
function words(schema) {
  if (schema.$ref) {
    const name = schema.$ref.split("/").pop();
    const link = element("a", name);
    link.href = "#" + name;
    return [link];
  }
  if (schema.anyOf) {
    return schema.anyOf.flatMap((one, index) => (index ? [" or ", ...words(one)] : words(one)));
  }
  const type = [].concat(schema.type || "any");
  if (type[0] === "array") {
    const rest = type.length > 1 ? [" or null"] : [];
    return ["list of ", ...words(schema.items), ...rest];
  }
  const facts = [type.join(" or ")];
  if (schema.enum) facts.push("one of " + schema.enum.join(", "));
  if (schema.pattern) facts.push("pattern " + schema.pattern);
  if (schema.format) facts.push(schema.format);
  const [low, high] = [schema.minimum ?? schema.minLength, schema.maximum ?? schema.maxLength];
  const unit = schema.minLength !== undefined || schema.maxLength !== undefined ? " characters" : "";
  if (low !== undefined && low === high) facts.push("exactly " + low + unit);
  else if (low !== undefined && high !== undefined) facts.push(low + " to " + high + unit);
  else if (low !== undefined) facts.push("at least " + low + unit);
  else if (high !== undefined) facts.push("at most " + high + unit);
  if (schema.default !== undefined) facts.push("default " + schema.default);
  return [facts.join("; ")];
}

function table(heads, rows) {
  const head = element("tr", ...heads.map((text) => element("th", text)));
  const body = rows.map((cells) => element("tr", ...cells.map((cell) => element("td", ...cell))));
  // Read aloud, a head that says what it heads tells the columns apart.
  head.querySelectorAll("th").forEach((cell) => { cell.scope = "col"; });
  return element("table", element("thead", head), element("tbody", ...body));
}

/** A request that can be pasted: the required parameters, and nothing else. */
function example(path, operation) {
  const asked = operation.parameters
    .filter((one) => one.in === "query" && one.required)
    .map((one) => one.name + "=red+cross");
  const query = asked.length ? "?" + asked.join("&") : "";
  const made = element("pre", `curl -H "X-API-Key: $KEY" '${location.origin}${path.replace("{ein}", "530196605")}${query}'`);
  made.tabIndex = 0;
  made.setAttribute("aria-label", "Example");
  return made;
}

function endpoint(path, operation) {
  const answer = operation.responses["200"].content["application/json"].schema;
  const name = (one) => element("code", one.name);
  const rows = operation.parameters.map((one) => [
    [name(one), one.required ? " (required)" : "", one.in === "query" ? "" : " in " + one.in],
    words(one.schema),
    [one.description],
  ]);
  const block = element("details",
    element("summary", element("code", "GET " + path), " ", operation.summary));
  if (rows.length) block.append(table(["Parameter", "Type", "Meaning"], rows));
  const others = Object.entries(operation.responses).filter(([code]) => code !== "200").sort();
  block.append(
    example(path, operation),
    table(["Status", "Answer", "When"], [
      [["200"], words(answer), [""]],
      ...others.map(([code, one]) => [[code], words(one.content["application/json"].schema), [one.description]]),
    ]));
  return block;
}

function schema(name, of) {
  const rows = Object.entries(of.properties).map(([field, one]) => [[element("code", field)], words(one)]);
  const block = element("details", element("summary", element("code", name), " ", of.description || ""),
    table(["Field", "Type"], rows));
  block.id = name;
  return block;
}

document.getElementById("title").textContent = `${api.info.title} ${api.info.version}`;
document.getElementById("reference").replaceChildren(
  ...api.tags.flatMap((tag) => [
    element("h2", tag.name),
    ...Object.entries(api.paths)
      .filter(([, item]) => item.get.tags.includes(tag.name))
      .map(([path, item]) => endpoint(path, item.get)),
  ]),
  element("h2", "Schemas"),
  ...Object.entries(api.components.schemas).map(([name, of]) => schema(name, of)),
);

function reveal() {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
}
addEventListener("hashchange", reveal);
reveal();
