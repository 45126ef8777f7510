// One row of a search: its names, where it is, what it does, why it is here, its money. Draws what it is given.
import { isOfAssets } from "./card.js";
import { h } from "./dom.js";
import { count, dashed, excerpt, otherName, place, plural, secondLine, short } from "./format.js";
import { sizeName } from "./filters.js";
import { around, found } from "./highlight.js";
import { actions } from "./saved.js";

const SUMMARY_LENGTH = 220;

/** Whether every word stands in one of the names. */
export const bears = (one, words) => words.length > 0 && words.every((word) => [one.name, one.alt_name].some((name) => name && found(name, [word])));

/** Whether anything that is shown of it says the words, or its code is one that they were understood as. */
export const fits = (one, { words, titles, codes }) => [one.name, one.alt_name, one.summary, titles.get(one.ntee), one.issueArea].some((text) => text && found(text, words))
  || codes.some((code) => one.ntee?.startsWith(code));

/** What it does, by its NTEE code as closely as that says, else by its major group. */
function cause(one, words, { titles, codes }) {
  const title = titles.get(one.ntee);
  if (!title) return found(one.issueArea, words) ?? one.issueArea;
  const asked = codes.some((code) => one.ntee.startsWith(code));
  return [asked ? h("mark", null, title) : found(title, words) ?? title, ` (${one.ntee})`];
}

/** Its revenue; of those that file the e-Postcard, what that says of it. */
function money(one) {
  if (typeof one.revenueGrandTotal === "number") {
    return h("span", { class: "revenue" }, h("strong", null, short(one.revenueGrandTotal)), h("span", { class: "muted" }, ` revenue${one.filingYear ? ` ${one.filingYear}` : ""}`));
  }
  return h("span", { class: "revenue muted" }, one.formType === "990-N" ? "at most $50K a year (e-Postcard)" : "revenue not on file");
}

/**
 * @param {object} one a nonprofit as the search lists it
 * @param {{words: string[], titles: Map<string, string>, codes: string[], miles: (one: object) => string|null}} asked `codes`:
 *   the NTEE codes that the words were understood as; `miles`: how far from the town that was asked for
 * @param {number} namesakes others of this name on the page
 */
export function result(one, asked, namesakes) {
  const { words } = asked;
  const where = namesakes ? [one.streetAddress, place(one)].filter(Boolean).join(", ") : place(one);
  const facts = [where, asked.miles(one), cause(one, words, asked), one.cnSize && !isOfAssets(one) && sizeName(one.cnSize), one.yearFounded ? `since ${one.yearFounded}` : null].filter(Boolean);
  // A search that reads another name is told why the row is here, even if that line is no name.
  const line = secondLine(one);
  const byOther = line && !bears({ name: one.name }, words) && bears({ name: line }, words);
  const other = byOther ? line : otherName(one);
  const summary = one.summary && excerpt(around(one.summary, words, SUMMARY_LENGTH), SUMMARY_LENGTH);
  return h("li", { class: "result", dataset: { ein: one.ein } },
    h("div", { class: "result-main" },
      h("h2", null, h("a", { href: `#/nonprofit/${one.ein}` }, found(one.name, words) ?? one.name)),
      other && h("div", { class: byOther ? "other-name small" : "other-name muted small" }, byOther && (otherName(one) ? "Found by its other name: " : "Found by the second name line in the IRS’s file: "), found(other, words) ?? other),
      h("p", { class: "result-facts" },
        facts.map((text) => [text, " · "]), h("span", { class: "ein" }, dashed(one.ein)),
        namesakes ? [" ", h("span", { class: "badge" }, `${count(namesakes + 1)} of this name on this page`)] : null,
        one.foundation ? [" ", h("span", { class: "badge" }, "foundation")] : null,
        one.inactive ? [" ", h("span", { class: "badge bad" }, "exemption revoked")] : null),
      h("p", { class: "result-address small" }, [one.streetAddress, [place(one), one.zipCode5].filter(Boolean).join(" ")].filter(Boolean).join(", ")),
      summary && h("p", { class: "result-summary" }, found(summary, words) ?? summary)),
    h("div", { class: "result-figures" }, money(one), actions(one)));
}

const EARTH_RADIUS_MILES = 3959;
const radians = (degrees) => (degrees * Math.PI) / 180;

/** Miles between two points on the globe. */
function between(one, other) {
  const [north, east] = [radians(other.lat - one.lat) / 2, radians(other.lng - one.lng) / 2];
  const share = Math.sin(north) ** 2 + Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * Math.sin(east) ** 2;
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.sqrt(share));
}

/** Says of those outside a town about how far they are from it, the middle of those that are in it. */
export function milesFrom(city, nonprofits) {
  const within = ({ city: its }) => its?.toLowerCase() === city?.toLowerCase();
  const points = nonprofits.filter((one) => city && within(one) && Number.isFinite(one.lat));
  if (!points.length) return () => null;
  // Towns of one name lie in several states.
  const mean = (towns, of) => towns.reduce((sum, one) => sum + one[of], 0) / towns.length;
  const middles = [...Map.groupBy(points, ({ state }) => state).values()].map((towns) => ({ lat: mean(towns, "lat"), lng: mean(towns, "lng") }));
  const miles = (one) => Math.max(1, Math.round(Math.min(...middles.map((middle) => between(middle, one)))));
  return (one) => (within(one) || !Number.isFinite(one.lat) ? null : `about ${plural(miles(one), "mile", "miles")} from ${city}`);
}
