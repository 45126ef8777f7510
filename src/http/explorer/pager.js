// Page numbers below a list, as links, so that each page has an address. Not for lists that grow
// in place (see `growing` of impact.js).
import { h } from "./dom.js";

/** Pages shown: the first, the last, and those near the current one; null stands for a gap. */
export function pagesShown(page, last) {
  const near = [1, page - 1, page, page + 1, last].filter((one) => one >= 1 && one <= last);
  const pages = [...new Set(near)].sort((a, b) => a - b);
  return pages.flatMap((one, at) => (at > 0 && one - pages[at - 1] > 1 ? [null, one] : [one]));
}

/**
 * @param {{page: number, size: number, total: number}} list
 * @param {(page: number) => string} addressOf
 * @returns {HTMLElement|null} null when one page holds all
 */
export function pager({ page, size, total }, addressOf) {
  const last = Math.ceil(total / size);
  if (last <= 1 && page === 1) return null;
  const step = (to, text, rel) => (to >= 1 && to <= last
    ? h("a", { class: "button small", href: addressOf(to), rel }, text)
    : h("span", { class: "button small off", "aria-hidden": "true" }, text));
  return h("nav", { class: "pager", "aria-label": "Pages" },
    step(page - 1, "Previous", "prev"),
    h("ul", { class: "plain row" }, pagesShown(Math.min(page, last), last).map((one) => h("li", {}, one === null
      ? h("span", { class: "muted" }, "…")
      : h("a", { class: "button small quiet", href: addressOf(one), "aria-label": `Page ${one}`, "aria-current": one === page ? "page" : null }, String(one))))),
    step(page + 1, "Next", "next"));
}
