// What stands around a list of results: above it which rows these are, what saves them, their form, order and number;
// below it the pages.
import { keeping } from "./answers.js";
import { h } from "./dom.js";
import { ORDERS, address, chips, request } from "./filters.js";
import { count, excerpt } from "./format.js";
import { holdings, sharesOf } from "./holdings.js";
import { offerOrders } from "./known.js";
import { NAME_MAX } from "./shelf.js";

export const SIZE = 25;
const SIZES = [10, 25, 50, 100];

/**
 * The line above the list.
 * @param {object} filters as `read` gives them
 * @param {{signal: AbortSignal, stay: (hash: string) => void}} context of the view
 * @param {string} said which rows these are
 * @param {{shown: object[], total: number|null, hasMore: boolean, understood: string}} found as `keeping` takes it; `understood`: the
 *   search in the server's words
 */
export function toolbar(filters, context, said, found) {
  const options = Object.entries(ORDERS)
    .filter(([value]) => !value.endsWith("distance") || filters.latitude || filters.sort?.[0] === value)
    .map(([value, text]) => [value, value === "relevance" && !filters.q ? "Default: revenue" : text]);
  const order = filters.sort?.[0] ?? "relevance";
  if (!ORDERS[order]) options.push([order, order]);
  const sort = choice("sort-by", "Sort", options, order, (value) => {
    const rest = (filters.sort ?? []).slice(1).filter((one) => one.replace("-", "") !== value.replace("-", ""));
    return address(filters, { sort: value === "relevance" && !rest.length ? undefined : [value, ...rest] });
  });
  holdings().then((all) => offerOrders(sort.querySelector("select"), sharesOf(all)), () => {});
  const sizes = SIZES.includes(Number(filters.size ?? SIZE)) ? SIZES : [...SIZES, filters.size];
  const size = choice("page-size", "Rows", sizes.map((one) => [String(one), String(one)]), String(filters.size ?? SIZE),
    (value) => address(filters, { size: Number(value) === SIZE ? undefined : value }));
  const map = filters.show === "map";
  const view = h("div", { class: "switch", role: "group", "aria-label": "Show as" },
    h("a", { id: "as-list", href: address(filters, { show: undefined }), "aria-current": map ? null : "true" }, "List"),
    h("a", { id: "as-map", href: address(filters, { show: "map" }), "aria-current": map ? "true" : null }, "Map"));
  const about = { words: filters.q, understood: found.understood, filters: chips(filters).map(({ label }) => label), order: new Map(options).get(order) };
  return h("div", { class: "toolbar" }, h("span", { class: "muted range" }, said),
    keeping({ ...found, about, name: excerpt(filters.q ?? "Search", NAME_MAX), request: request(filters), signal: context.signal }), view, sort, size);

  function choice(id, label, entries, now, target) {
    return h("span", { class: `choice ${id}` }, h("label", { for: id }, label),
      h("select", { id, onchange: (event) => context.stay(target(event.target.value)) },
        entries.map(([value, text]) => h("option", { value, selected: value === now }, text))));
  }
}

/** Links to pages: the first, the last, and those around this one. */
export function pages(page, last, to) {
  if (last <= 1 && page <= 1) return null;
  const near = [1, page - 2, page - 1, page, page + 1, page + 2, last].filter((one) => one >= 1 && one <= last);
  const shown = [...new Set(near)].sort((a, b) => a - b);
  const items = shown.flatMap((one, index) => {
    const gap = index && one - shown[index - 1] > 1 ? [h("li", { class: "gap", "aria-hidden": "true" }, "…")] : [];
    const link = h("a", { href: to(one), "aria-label": `Page ${count(one)}`, "aria-current": one === page ? "page" : null }, count(one));
    return [...gap, h("li", null, link)];
  });
  const step = (target, text) => (target < 1 || target > last ? null : h("li", null, h("a", { href: to(target), rel: target < page ? "prev" : "next" }, text)));
  return h("nav", { class: "pages", "aria-label": "Pages" }, h("ul", { class: "plain" }, step(page - 1, "Previous"), items, step(page + 1, "Next")));
}
