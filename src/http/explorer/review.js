// What was matched, by decision, and the evidence of one row at a time (evidence.js): a person settles the maybes by
// keyboard or by buttons. Changes the matching it is given; sends nothing but questions for addresses.
import { ask } from "./api.js";
import { h } from "./dom.js";
import { evidenceOf, key, rowParts } from "./evidence.js";
import { count, plural } from "./format.js";
import { CANDIDATES } from "./matching.js";
import { output } from "./output.js";
import { aborted, announce } from "./states.js";

const ROWS_SHOWN = 50;
/** EINs that an address can hand to the view of lists. */
const LIST_MAX = 1000;
const FIELDS = ["name", "alt_name", "streetAddress", "city", "state", "zipCode5"];
/** From here on the evidence stands beside the rows, else below the one that is open. */
const WIDE = "(min-width: 64rem)";
const FILTERS = [["all", "All"], ["yes", "Yes"], ["unsure", "Yes, below 90%"], ["maybe", "Maybe"], ["no", "No"]];
/** A yes of the program below this probability is worth a look. */
const SURE_MIN = 0.9;

/** Details of organizations, by EIN; null for one that cannot be had. */
const known = new Map();

/**
 * @param {import("./matching.js").Matching} matching
 * @param {{signal: AbortSignal, again: Node}} options `again`: buttons that begin anew
 */
export function review(matching, { signal, again }) {
  const wide = matchMedia(WIDE);
  const state = { filter: "all", shown: [], page: 0, selected: null };
  const head = h("div");
  const actions = h("div", { class: "spread no-print match-actions" });
  const file = output(matching, { signal, written: summary });
  const tabs = h("div", { class: "tabs no-print", role: "group", "aria-label": "Decisions" });
  const list = h("ul", { class: "plain match-rows", "aria-label": "Rows" });
  const foot = h("div", { class: "match-foot" });
  const detail = h("section", { id: "match-detail", class: "match-detail no-print", "aria-label": "Evidence" });
  const aside = h("div", { class: "match-aside" });
  const keys = h("p", { class: "muted small match-keys no-print" },
    key("↑"), key("↓"), " move, ", key("1"), "–", key(String(CANDIDATES)), " choose, ", key("N"), " none of them, ", key("U"), " undo");

  const hint = h("p", { class: "muted small no-print" }, "A row from a state whose list is not loaded also gets a no: see ",
    h("a", { href: "#/" }, "what this server holds"), ".");

  const buttonOf = (at) => list.querySelector(`[data-row="${at}"]`);
  const page = () => state.shown.slice(state.page * ROWS_SHOWN, (state.page + 1) * ROWS_SHOWN);

  function filter(to) {
    state.filter = to;
    const belongs = (at) => to === "all" || (to === "unsure" ? isUnsure(matching, at) : matching.verdict(at).decision === to);
    state.shown = matching.rows.flatMap((_, at) => (belongs(at) ? [at] : []));
    state.page = 0;
    hint.hidden = to !== "no" || matching.rows.some((_, at) => matching.unlisted(at));
    summary();
    rows();
  }

  function summary() {
    const counts = { ...matching.counts(), unsure: matching.rows.filter((_, at) => isUnsure(matching, at)).length };
    head.replaceChildren(...summaryOf(matching, counts));
    actions.replaceChildren(h("div", { class: "row" }, file.buttons, asList(matching)), again);
    const had = tabs.contains(document.activeElement) && document.activeElement.dataset.filter;
    const offered = FILTERS.filter(([one]) => one !== "unsure" || counts.unsure > 0 || state.filter === one);
    tabs.replaceChildren(...offered.map(([one, said]) => h("button", {
      type: "button", "aria-pressed": String(one === state.filter), dataset: { filter: one }, onclick: () => filter(one),
    }, said, " ", h("span", { class: "count" }, count(counts[one])))));
    if (had) tabs.querySelector(`[data-filter=${had}]`).focus();
  }

  function rows() {
    const shown = page();
    list.replaceChildren(...shown.map((at) => h("li", null, rowButton(at))));
    foot.replaceChildren(...pager());
    state.selected = null;
    detail.remove();
    if (!shown.length) list.append(h("li", { class: "muted match-nothing" }, nothing(state.filter)));
    else if (wide.matches) select(shown[0]);
    else buttonOf(shown[0]).tabIndex = 0;
    addresses(shown);
  }

  function pager() {
    const from = state.page * ROWS_SHOWN;
    const total = state.shown.length;
    const step = (by, text) => h("button", {
      type: "button", class: "button small no-print", disabled: by < 0 ? state.page === 0 : from + ROWS_SHOWN >= total,
      onclick: () => turnPage(state.page + by),
    }, text);
    if (total <= ROWS_SHOWN) return [];
    return [step(-1, "Previous"), h("span", { class: "muted small" }, `${count(from + 1)}–${count(Math.min(from + ROWS_SHOWN, total))} of ${count(total)}`), step(1, "Next")];
  }

  function turnPage(to, at = 0) {
    state.page = to;
    rows();
    const there = page().at(at);
    select(there, { focus: true });
  }

  function rowButton(at) {
    return h("button", {
      type: "button", class: "match-row", dataset: { row: at }, tabindex: "-1", "aria-expanded": "false",
      "aria-controls": "match-detail", onclick: () => (at === state.selected && !wide.matches ? close() : select(at, { focus: true })),
    }, rowParts(matching, at));
  }

  function close() {
    buttonOf(state.selected)?.setAttribute("aria-expanded", "false");
    state.selected = null;
    detail.remove();
  }

  function select(at, { focus = false } = {}) {
    for (const other of list.querySelectorAll("[tabindex='0'], [aria-expanded=true]")) {
      other.tabIndex = -1;
      other.setAttribute("aria-expanded", "false");
    }
    state.selected = at;
    const button = buttonOf(at);
    button.tabIndex = 0;
    button.setAttribute("aria-expanded", "true");
    evidence();
    if (focus) button.focus();
  }

  /** Puts the evidence where there is room for it. */
  function evidence() {
    const at = state.selected;
    if (at === null) return;
    const busy = detail.contains(document.activeElement);
    detail.replaceChildren(...evidenceOf(matching, at, { together: wide.matches, details: known, settle, undo }));
    const place = wide.matches ? aside : buttonOf(at).parentNode;
    if (detail.parentNode !== place) place.append(detail);
    aside.scrollTop = 0;
    if (busy) buttonOf(at).focus();
  }

  function settle(ein) {
    const at = state.selected;
    if (at === null) return;
    matching.settle(at, ein);
    refresh(at);
    const { maybe } = matching.counts();
    const name = matching.verdict(at).chosen?.name;
    announce(`Row ${matching.numbers[at]}: ${name ?? "none of them"}. ${plural(maybe, "maybe", "maybes")} left.`);
    const here = state.shown.indexOf(at);
    const next = state.shown.findIndex((one, position) => position > here && matching.verdict(one).decision === "maybe");
    if (next >= 0) moveTo(next);
    else select(at, { focus: true });
  }

  function undo() {
    const at = matching.undo();
    if (at === null) return announce("There is nothing to undo.");
    if (!state.shown.includes(at)) filter("all");
    refresh(at);
    announce(`Row ${matching.numbers[at]} is as before.`);
    moveTo(state.shown.indexOf(at));
  }

  function refresh(at) {
    summary();
    const button = buttonOf(at);
    button?.replaceChildren(...rowParts(matching, at));
  }

  /** Opens the row at a position of those that are listed, on its page. */
  function moveTo(position) {
    const at = state.shown[position];
    if (at === undefined) return;
    const its = Math.floor(position / ROWS_SHOWN);
    if (its === state.page) select(at, { focus: true });
    else turnPage(its, position % ROWS_SHOWN);
  }

  /** Keys count while the rows or the evidence have the focus, and nowhere else. */
  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
    const focused = Number(event.target.dataset?.row ?? state.selected ?? -1);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const here = state.shown.indexOf(focused);
      // From a row that is closed the first arrow opens its neighbour too.
      if (here + step >= 0) moveTo(here + step);
    } else if (state.selected === null) return;
    else if (/^[1-9]$/.test(event.key)) {
      const one = matching.results[state.selected]?.candidates[Number(event.key) - 1];
      if (!one) return;
      settle(one.ein);
    } else if (event.key.toLowerCase() === "n") settle(null);
    else if (event.key.toLowerCase() === "u") undo();
    else return;
    event.preventDefault();
  }

  /** Asks for the addresses of all candidates of a page at once. */
  async function addresses(shown) {
    const eins = [...new Set(shown.flatMap((at) => matching.results[at]?.candidates.map((one) => one.ein) ?? []))].filter((ein) => !known.has(ein));
    if (!eins.length) return;
    try {
      const { body } = await ask("/nonprofits/batch", null, { signal, body: { eins, fields: FIELDS } });
      eins.forEach((ein, at) => known.set(ein, body[at]));
    } catch (error) {
      if (aborted(error) || signal.aborted) return;
      announce(`The addresses of the candidates cannot be shown: ${error.message}`);
    }
    evidence();
  }

  wide.addEventListener("change", () => { if (state.selected === null && wide.matches && page().length) select(page()[0]); else evidence(); }, { signal });
  filter("all");
  return h("div", { class: "review", onkeydown: pressed }, head, file.choice, actions, file.state, tabs, hint, keys,
    h("div", { class: "match-layout" }, h("div", { class: "match-list" }, list, foot), aside));
}

const NOTHING = { maybe: "No maybes: nothing is left to decide.", unsure: "Every yes is at least 90% likely, or decided by you." };
const nothing = (filter) => NOTHING[filter] ?? `No row is a ${filter}.`;

/** Whether a row is a yes of the program that is not as good as certain. */
function isUnsure(matching, at) {
  const { decision, by } = matching.verdict(at);
  return decision === "yes" && by !== "person" && (matching.results[at]?.candidates[0]?.score ?? 1) < SURE_MIN;
}

/** What holds for the whole list. */
function summaryOf(matching, counts) {
  return [
    h("h2", { tabindex: "-1" }, `${plural(counts.yes, "row", "rows")} of ${count(counts.all)} matched`),
    h("p", { class: "match-facts" },
      counts.maybe ? `${plural(counts.maybe, "maybe is", "maybes are")} left to decide. ` : counts.unsure ? "" : "Nothing is left to decide. ",
      counts.unsure ? `${plural(counts.unsure, "yes is", "yeses are")} below 90%: worth a look. ` : "",
      counts.settled ? `You decided ${plural(counts.settled, "row", "rows")}${matching.unsaved ? ", not in a file yet" : ""}.` : ""),
    unlistedOf(matching),
  ].filter(Boolean);
}

/** How many rows were not found of states whose list is not loaded: they may well exist. */
function unlistedOf(matching) {
  const states = matching.rows.map((_, at) => matching.unlisted(at)).filter(Boolean);
  if (!states.length) return null;
  const names = [...new Set(states)].sort();
  return h("p", { class: "match-facts" },
    `${plural(states.length, "row that is", "rows that are")} not matched ${states.length === 1 ? "is" : "are"} from ${new Intl.ListFormat("en-US").format(names)}: `,
    `no list of ${names.length === 1 ? "that state" : "these states"} is loaded here, and a no does not mean that there is no such nonprofit. See `,
    h("a", { href: "#/" }, "what this server holds"), ".");
}

/** A link that makes a list of this browser from the EINs. */
function asList(matching) {
  const eins = matching.eins();
  const some = eins.slice(0, LIST_MAX);
  if (!some.length) return null;
  const name = matching.name.replace(/\.[^.]*$/, "");
  return h("a", { class: "button", href: `#/shared?${new URLSearchParams({ name, eins: some.join(",") })}` }, some.length < eins.length
    ? `Save the first ${count(LIST_MAX)} of ${count(eins.length)} EINs as a list` : `Save ${plural(eins.length, "EIN", "EINs")} as a list`);
}
