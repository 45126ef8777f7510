// Turns `<input data-almoner-picker>` into a combobox (ARIA 1.2, manual selection) that finds a
// nonprofit by its name or EIN. docs/picker.md says how it is used and what it needs.
(() => {
  "use strict";
  const PAUSE_MS = 120;
  const HERE = new URL(document.currentScript?.src || location.href).origin;
  const STYLE = `
    :where(.almoner-list) { position: absolute; z-index: 9; margin: 0; padding: 0; max-height: 20em; overflow: auto;
      list-style: none; background: Canvas; color: CanvasText; border: 1px solid GrayText; }
    :where(.almoner-list > li) { padding: .4em .6em; cursor: pointer; }
    :where(.almoner-list > li[aria-selected=true]) { background: CanvasText; color: Canvas; }
    :where(.almoner-facts) { display: block; font-size: .875em; }
    :where(.almoner-status:not(.almoner-fault)) { position: absolute; clip-path: inset(50%); }`;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets.push(sheet);
  let count = 0;

  function give(one, attributes) {
    for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
    return one;
  }

  function element(name, attributes, ...children) {
    const made = give(document.createElement(name), attributes);
    made.append(...children);
    return made;
  }

  function attach(box) {
    if (box.getAttribute("role") === "combobox") return;
    const { server = HERE, key, scope = "active501c3", name = "ein" } = box.dataset;
    const id = `almoner-${(count += 1)}`;
    const list = element("ul", { id, role: "listbox", class: "almoner-list", "aria-label": "Nonprofits" });
    const status = element("span", { role: "status", class: "almoner-status" });
    const value = element("input", { type: "hidden", name });
    let pending = new AbortController();
    let timer = 0;
    let at = -1;
    list.hidden = true;
    give(box, {
      role: "combobox", autocomplete: "off", spellcheck: "false",
      "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": id,
    });
    box.after(list, status, value);

    function set(ein, chosen) {
      box.setCustomValidity(ein || !box.required || !box.value.trim() ? "" : "Choose a nonprofit from the list.");
      if (value.value === ein) return;
      value.value = ein;
      value.dispatchEvent(new CustomEvent("change", { bubbles: true, detail: { ein, name: chosen } }));
    }

    function stop() {
      clearTimeout(timer);
      pending.abort();
    }

    function close() {
      stop();
      show([]);
    }

    function show(found) {
      at = -1;
      list.replaceChildren(...found.map((one, index) => {
        const ein = one.ein.replace(/^(..)/, "$1-");
        const facts = [one.alt_name, [one.city, one.state].filter(Boolean).join(", "), `EIN ${ein}`];
        const item = element("li", { id: `${id}-${index}`, role: "option", "aria-selected": "false" },
          one.name, " ", element("span", { class: "almoner-facts" }, facts.filter(Boolean).join(" · ")));
        item.onclick = () => choose(one);
        return item;
      }));
      list.hidden = !found.length;
      // Policies forbid styles in markup, not in the object model.
      list.style.left = `${box.offsetLeft}px`;
      list.style.top = `${box.offsetTop + box.offsetHeight}px`;
      list.style.minWidth = `${box.offsetWidth}px`;
      box.setAttribute("aria-expanded", String(!list.hidden));
      box.removeAttribute("aria-activedescendant");
    }

    function say(text, isFault) {
      status.textContent = text;
      status.classList.toggle("almoner-fault", Boolean(isFault));
    }

    function choose(one) {
      close();
      box.value = one.name;
      set(one.ein, one.name);
      say(`${one.name} chosen`);
    }

    async function ask() {
      stop();
      const q = box.value.trim();
      if (q.length < 2 || q.length > 100) return show([]);
      pending = new AbortController();
      const { signal } = pending;
      const query = new URLSearchParams({ q, limit: 8, scope });
      try {
        const answer = await fetch(`${server.replace(/\/$/, "")}/typeahead/nonprofits?${query}`, {
          signal, headers: key ? { "X-API-Key": key } : {},
        });
        if (!answer.ok) throw new Error(answer.status);
        const { results } = await answer.json();
        if (signal.aborted || document.activeElement !== box) return;
        show(results);
        say(results.length ? `${results.length} found` : "No nonprofit found");
      } catch {
        if (signal.aborted) return;
        show([]);
        say("Nonprofits cannot be looked up now.", true);
      }
    }

    function move(step) {
      const items = [...list.children];
      if (list.hidden) return ask();
      stop();
      // One place more than items: none of them.
      at = ((at + 1 + step + items.length + 1) % (items.length + 1)) - 1;
      items.forEach((item, index) => item.setAttribute("aria-selected", String(index === at)));
      if (at < 0) return box.removeAttribute("aria-activedescendant");
      items[at].scrollIntoView({ block: "nearest" });
      box.setAttribute("aria-activedescendant", items[at].id);
    }

    box.addEventListener("input", () => {
      stop();
      set("", "");
      timer = setTimeout(ask, PAUSE_MS);
    });
    box.addEventListener("keydown", (event) => {
      const chosen = list.children[at];
      if (event.isComposing) return;
      if (event.key === "ArrowDown") move(1);
      else if (event.key === "ArrowUp") move(-1);
      else if (event.key === "Enter" && chosen) chosen.click();
      else if (event.key === "Escape" && !list.hidden) close();
      else return;
      event.preventDefault();
    });
    box.addEventListener("blur", close);
    // The box keeps the focus, or a click would come too late.
    list.addEventListener("mousedown", (event) => event.preventDefault());
  }

  const all = () => document.querySelectorAll("input[data-almoner-picker]").forEach(attach);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", all);
  else all();
  window.almonerPicker = attach;
})();
