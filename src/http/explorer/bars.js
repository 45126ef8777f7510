// Parts of a sum as a table, each with a bar of its share: where money came from, what it was spent on, where it went.
import { h } from "./dom.js";
import { short } from "./format.js";

/** "45%", and of what rounds to nothing "under 1%" */
export function share(value, sum) {
  const percent = Math.round((100 * value) / sum);
  return percent === 0 && value !== 0 ? "under 1%" : `${String(percent).replace("-", "−")}%`;
}

/**
 * @param {string} caption
 * @param {Array<[string, number]>} parts
 * @param {number} sum
 */
export function bars(caption, parts, sum) {
  return h("table", { class: "data years" }, h("caption", {}, caption),
    h("thead", { class: "visually-hidden" }, h("tr", {}, ["Part", "Amount and share"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, parts.map(([name, value]) => {
      const bar = h("span", { class: "year-bar" });
      bar.style.inlineSize = `calc((100% - 9rem) * ${Math.max(value, 0) / sum})`;
      return h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "year-cell" }, bar, h("span", {}, `${short(value)}, ${share(value, sum)}`)));
    })));
}
