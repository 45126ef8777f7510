// One return's money in two pictures: where it came from and what it was spent on, each a bar of its share. Drawn
// only of a return that tells the parts; what they leave of the sum is shown as the rest.
import { h } from "./dom.js";
import { count, lengthOf, month, short } from "./format.js";

/** Parts of the revenue, which add up to it but for sales, events and rents. */
const SOURCES = (of) => [
  ["Gifts and private grants", less(of.contributions, of.government_grants)], ["Government grants", of.government_grants],
  ["Program services", of.program_revenue], ["Investments", of.investment_income],
];
const PURPOSES = (of) => [
  ["Programs", of.program_expenses], ["Management", of.management_expenses], ["Fundraising", of.fundraising_expenses],
];

const known = (value) => typeof value === "number" && Number.isFinite(value);
const less = (value, part) => (known(value) ? value - (known(part) ? part : 0) : null);

/** The pictures of a return; null where it tells no parts. */
export function yearOf(filing) {
  const { breakdown, revenue, expenses } = filing;
  if (!breakdown) return null;
  const when = `${lengthOf(filing)} to ${month(filing.period_end)}`;
  const pictures = [
    picture(`Where the money came from, ${when}`, SOURCES(breakdown), revenue),
    picture(`What it was spent on, ${when}`, PURPOSES(breakdown), expenses),
  ].filter(Boolean);
  return pictures.length > 0 && h("div", { class: "year-pictures" }, pictures);
}

/** A table of parts, each with a bar of its share; null where there is no sum, or nothing of it is told. */
function picture(caption, parts, sum) {
  const told = parts.filter(([, value]) => known(value) && value !== 0);
  if (!known(sum) || sum <= 0 || told.length < 2) return null;
  const rest = sum - told.reduce((total, [, value]) => total + value, 0);
  // A return rounds each line by itself.
  const rows = Math.abs(rest) > sum / 1000 ? [...told, ["Other", rest]] : told;
  return h("table", { class: "data years" }, h("caption", {}, caption),
    h("thead", { class: "visually-hidden" }, h("tr", {}, ["Part", "Amount and share"].map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, rows.map(([name, value]) => {
      const bar = h("span", { class: "year-bar" });
      bar.style.inlineSize = `calc((100% - 7rem) * ${Math.max(value, 0) / sum})`;
      return h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "year-cell" }, bar, h("span", {}, `${short(value)}, ${count(Math.round((100 * value) / sum))} %`)));
    })));
}
