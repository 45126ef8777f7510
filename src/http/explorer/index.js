const at = (id) => document.getElementById(id);
const [keyForm, keyBox, keyNote, box, list, status, profile, holdings] =
  ["key-form", "key", "key-note", "q", "found", "status", "profile", "holdings"].map(at);

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// The key: from the address once (#key=…), then kept in this browser.
const store = {
  get key() { try { return localStorage.getItem("almoner-key") || ""; } catch { return this.kept || ""; } },
  set key(value) { this.kept = value; try { localStorage.setItem("almoner-key", value); } catch { /* private window */ } },
};

class Refused extends Error {}

async function get(path, signal) {
  let answer;
  try {
    answer = await fetch(path, { headers: { "X-API-Key": store.key }, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Is it running?");
  }
  if (answer.status === 401) {
    askForKey(store.key ? "The server does not know this key, or it was revoked." : WHY_A_KEY);
    throw new Refused();
  }
  const body = await answer.json().catch(() => ({ detail: `The server answered ${answer.status}.` }));
  if (!answer.ok) {
    const detail = body.detail;
    throw new Error(Array.isArray(detail) ? detail.map((one) => one.msg).join("; ") : detail);
  }
  return body;
}

const WHY_A_KEY = "The server asks for a key. Whoever runs it makes one with “almoner keys create”; this browser keeps it.";

function askForKey(why) {
  keyForm.hidden = false;
  keyNote.textContent = why;
  status.textContent = "";
  // What is being typed into the search must not end up in the key.
  if (document.activeElement !== box || !box.value) keyBox.select();
}

keyForm.addEventListener("submit", async (event) => {
  event.preventDefault();
  // Whatever a header cannot hold is no key; the server says so.
  store.key = keyBox.value.trim().replace(/[^\x21-\x7e]/g, "?");
  try {
    await get("/typeahead/nonprofits?limit=1&q=ab");
  } catch (error) {
    if (!(error instanceof Refused)) keyNote.textContent = error.message;
    return;
  }
  keyForm.hidden = true;
  keyBox.value = keyNote.textContent = "";
  box.focus();
  if (box.value) suggest();
  else follow();
});

let asking = null;
let chosen = -1;
/** Ends when the list fits what is in the box. */
let shown = Promise.resolve();

function tell(error) {
  if (error.name !== "AbortError" && !(error instanceof Refused)) status.textContent = error.message;
}

function suggest() {
  shown = ask();
  return shown;
}

async function ask() {
  if (asking) asking.abort();
  const q = box.value.trim();
  if ([...q].length < 2) {
    status.textContent = "";
    return show([]);
  }
  asking = new AbortController();
  const { signal } = asking;
  try {
    const body = await get("/typeahead/nonprofits?limit=10&q=" + encodeURIComponent(q), signal);
    if (signal.aborted) return;
    show(body.results);
    status.textContent = body.count ? "" : `Nothing found for “${q}”.`;
  } catch (error) {
    if (signal.aborted) return;
    show([]);
    tell(error);
  }
}

const dashed = (ein) => ein.slice(0, 2) + "-" + ein.slice(2);

function show(results) {
  chosen = -1;
  list.replaceChildren(...results.map((one, index) => {
    const item = element("li");
    item.id = "option-" + index;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    item.dataset.ein = one.ein;
    const place = element("small");
    place.append(
      element("span", [one.city, one.state].filter(Boolean).join(", ")),
      element("span", dashed(one.ein), "ein"));
    item.append(element("span", one.name), place);
    item.addEventListener("mousedown", (event) => event.preventDefault());
    item.addEventListener("click", () => visit(one.ein));
    return item;
  }));
  box.setAttribute("aria-expanded", String(results.length > 0));
  box.removeAttribute("aria-activedescendant");
}

function choose(index) {
  const items = [...list.children];
  if (!items.length) return;
  chosen = (index + items.length) % items.length;
  items.forEach((item, place) => item.setAttribute("aria-selected", String(place === chosen)));
  items[chosen].scrollIntoView({ block: "nearest" });
  box.setAttribute("aria-activedescendant", items[chosen].id);
}

box.addEventListener("input", suggest);
box.addEventListener("blur", () => show([]));
box.addEventListener("focus", () => { if (box.value && !list.children.length) suggest(); });
box.addEventListener("keydown", async (event) => {
  if (event.isComposing) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    if (!list.children.length) await suggest();
    const down = event.key === "ArrowDown";
    choose(chosen < 0 ? (down ? 0 : -1) : chosen + (down ? 1 : -1));
  } else if (event.key === "Enter") {
    event.preventDefault();
    // The list may still be that of a letter ago.
    await (list.children.length || box.value.trim().length < 2 ? shown : suggest());
    const item = list.children[Math.max(chosen, 0)];
    if (item) visit(item.dataset.ein);
  } else if (event.key === "Escape" && list.children.length) {
    event.preventDefault();
    show([]);
  }
});

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });
const month = new Intl.DateTimeFormat("en-US", { year: "numeric", month: "long", timeZone: "UTC" });
const GOALS = [
  "No Poverty", "Zero Hunger", "Good Health and Well-being", "Quality Education", "Gender Equality",
  "Clean Water and Sanitation", "Affordable and Clean Energy", "Decent Work and Economic Growth",
  "Industry, Innovation and Infrastructure", "Reduced Inequalities",
  "Sustainable Cities and Communities", "Responsible Consumption and Production", "Climate Action",
  "Life Below Water", "Life on Land", "Peace, Justice and Strong Institutions",
  "Partnerships for the Goals",
];
const same = (value) => value;
const yes = (value) => (value ? "Yes" : "No");

/** What is shown of a profile: label, fields, and how their values are said. */
const FACTS = [
  ["EIN", "ein", dashed],
  ["Also known as", "alt_name", same],
  ["Website", "url", website],
  ["Mission", "summary", same],
  ["Address", "streetAddress city state zipCode5", (street, city, state, zip) =>
    [street, city, [state, zip].filter(Boolean).join(" ")].filter(Boolean).join(", ")],
  ["Issue area", "issueArea", same],
  ["NTEE code", "ntee", same],
  ["UN goals", "sdgs", (goals) => (goals.length ? goals.map((goal) => `${goal} ${GOALS[goal - 1]}`).join("; ") : "none")],
  ["Year founded", "yearFounded", String],
  ["Revenue", "revenueGrandTotal", (value) => dollars.format(value)],
  ["Net assets", "netAssets", (value) => dollars.format(value)],
  ["Last filing", "filingYear", String],
  ["Form", "formType", same],
  ["IRS ruling", "irsRulingDate", (day) => month.format(new Date(day))],
  ["Private foundation", "foundation", yes],
  ["Exemption revoked", "inactive", yes],
];

function website(url) {
  if (!/^https?:\/\//i.test(url)) return url;
  const link = element("a", url);
  link.href = url;
  link.rel = "noreferrer noopener";
  return link;
}

/** Goes to a profile by the address, so that it can be kept, shared and left with Back. */
function visit(ein) {
  if (asking) asking.abort();
  show([]);
  const hash = "#ein=" + ein;
  if (location.hash === hash) open(ein);
  else location.hash = hash;
}

async function open(ein) {
  status.textContent = "";
  profile.hidden = true;
  if (!/^\d{9}$/.test(ein)) {
    status.textContent = `“${ein}” is no EIN: one has nine digits.`;
    return;
  }
  try {
    const path = "/nonprofits/details/" + ein;
    const body = await get(path);
    const facts = element("dl");
    const unknown = [];
    for (const [label, fields, say] of FACTS) {
      const values = fields.split(" ").map((field) => body[field] ?? null);
      if (values.every((value) => value === null)) {
        unknown.push(/^[A-Z]{2}/.test(label) ? label : label[0].toLowerCase() + label.slice(1));
        continue;
      }
      const fact = element("dd");
      fact.append(say(...values));
      facts.append(element("dt", label), fact);
    }
    const title = element("h2", body.name);
    title.id = "profile-name";
    title.tabIndex = -1;
    profile.replaceChildren(title, facts);
    if (unknown.length) profile.append(element("p", "Not known: " + unknown.join(", ") + "."));
    const ask = element("pre", `curl -H "X-API-Key: $KEY" ${location.origin}${path}`);
    ask.tabIndex = 0;
    ask.setAttribute("aria-label", "The same from a program");
    profile.append(ask);
    profile.hidden = false;
    title.focus();
  } catch (error) {
    tell(error);
  }
}

/** Does what the address asks for. */
function follow() {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (asked.get("key")) {
    store.key = asked.get("key");
    asked.delete("key");
    history.replaceState(null, "", location.pathname + (asked.size ? "#" + asked : ""));
    keyForm.hidden = true;
  }
  if (asked.get("ein")) open(asked.get("ein"));
  else profile.hidden = true;
}

async function tellHoldings() {
  const version = await get("/version");
  if (version.organizations === null) return;
  const count = version.organizations.toLocaleString("en-US");
  const files = version.sources.length;
  const day = version.built_at.slice(0, 10);
  holdings.textContent = `${count} nonprofit${count === "1" ? "" : "s"} from ${files} file${files === 1 ? "" : "s"}, built on ${day}.`;
}

addEventListener("hashchange", follow);
follow();
tellHoldings().catch(() => {});
if (!store.key) askForKey(WHY_A_KEY);
else if (profile.hidden) box.focus();
