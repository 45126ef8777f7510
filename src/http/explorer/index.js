"use strict";
const at = (id) => document.getElementById(id);
const [keyForm, keyBox, box, list, status, profile] =
  ["key-form", "key", "q", "found", "status", "profile"].map(at);

// The key: from the address once (#key=…), then kept in this browser.
const store = {
  get key() { try { return localStorage.getItem("almoner-key") || ""; } catch { return this.kept || ""; } },
  set key(value) { this.kept = value; try { localStorage.setItem("almoner-key", value); } catch { /* private window */ } },
};
const handed = new URLSearchParams(location.hash.slice(1)).get("key");
if (handed) {
  store.key = handed;
  history.replaceState(null, "", location.pathname);
}

function askForKey(why) {
  keyForm.hidden = false;
  status.textContent = why;
  keyBox.focus();
}

keyForm.addEventListener("submit", (event) => {
  event.preventDefault();
  store.key = keyBox.value.trim();
  keyForm.hidden = true;
  status.textContent = "";
  box.focus();
  suggest();
});

async function get(path, signal) {
  const answer = await fetch(path, { headers: { "X-API-Key": store.key }, signal });
  if (answer.status === 401) {
    askForKey(store.key ? "This key is not valid (any more)." : "An API key is needed: almoner keys create.");
    return null;
  }
  const body = await answer.json();
  if (!answer.ok) {
    const detail = body.detail;
    throw new Error(Array.isArray(detail) ? detail.map((one) => one.msg).join("; ") : detail);
  }
  return body;
}

let asking = null;
let chosen = -1;

async function suggest() {
  if (asking) asking.abort();
  const q = box.value;
  if ([...q].length < 2) return show([]);
  asking = new AbortController();
  try {
    const body = await get("/typeahead/nonprofits?limit=10&q=" + encodeURIComponent(q), asking.signal);
    if (!body) return;
    show(body.results);
    status.textContent = body.count ? "" : "Nothing found.";
  } catch (error) {
    if (error.name !== "AbortError") status.textContent = error.message;
  }
}

function show(results) {
  chosen = -1;
  list.replaceChildren(...results.map((one, index) => {
    const item = document.createElement("li");
    item.id = "option-" + index;
    item.setAttribute("role", "option");
    item.dataset.ein = one.ein;
    const place = document.createElement("small");
    place.textContent = [one.city, one.state].filter(Boolean).join(", ");
    item.append(one.name, place);
    item.addEventListener("mousedown", (event) => { event.preventDefault(); open(one.ein); });
    return item;
  }));
  box.setAttribute("aria-expanded", String(results.length > 0));
  box.removeAttribute("aria-activedescendant");
}

function choose(step) {
  const items = [...list.children];
  if (!items.length) return;
  chosen = (chosen + step + items.length) % items.length;
  items.forEach((item, index) => item.setAttribute("aria-selected", String(index === chosen)));
  items[chosen].scrollIntoView({ block: "nearest" });
  box.setAttribute("aria-activedescendant", items[chosen].id);
}

box.addEventListener("input", suggest);
box.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    choose(event.key === "ArrowDown" ? 1 : chosen < 0 ? 0 : -1);
  } else if (event.key === "Enter") {
    const item = list.children[Math.max(chosen, 0)];
    if (item) open(item.dataset.ein);
  } else if (event.key === "Escape") {
    show([]);
  }
});

const LABELS = [
  ["ein", "EIN"], ["alt_name", "Also known as"], ["url", "Website"], ["summary", "Mission"],
  ["streetAddress", "Street"], ["city", "City"], ["state", "State"], ["zipCode5", "ZIP code"],
  ["ntee", "NTEE code"], ["issueArea", "Issue area"], ["yearFounded", "Founded"],
  ["revenueGrandTotal", "Revenue"], ["netAssets", "Net assets"], ["filingYear", "Filing year"],
  ["formType", "Form"], ["irsRulingDate", "IRS ruling"], ["foundation", "Private foundation"],
  ["inactive", "Revoked"], ["sdgs", "UN goals"],
];
const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });

function spoken(name, value) {
  if (value === null || (Array.isArray(value) && !value.length)) return null;
  if (name === "revenueGrandTotal" || name === "netAssets") return dollars.format(value);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

async function open(ein) {
  try {
    const body = await get("/nonprofits/details/" + encodeURIComponent(ein));
    if (!body) return;
    const title = document.createElement("h2");
    title.textContent = body.name;
    const facts = document.createElement("dl");
    for (const [name, label] of LABELS) {
      const term = document.createElement("dt");
      const fact = document.createElement("dd");
      const text = spoken(name, body[name]);
      term.textContent = label;
      if (name === "url" && text && /^https?:\/\//i.test(text)) {
        const link = document.createElement("a");
        link.href = link.textContent = text;
        link.rel = "noreferrer noopener";
        fact.append(link);
      } else {
        fact.textContent = text ?? "not known";
        fact.className = text === null ? "none" : "";
      }
      facts.append(term, fact);
    }
    profile.replaceChildren(title, facts);
    profile.hidden = false;
    show([]);
    status.textContent = "";
    profile.focus({ preventScroll: false });
  } catch (error) {
    status.textContent = error.message;
  }
}

if (!store.key) askForKey("An API key is needed once; it stays in this browser.");
