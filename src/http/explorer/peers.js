// Ratios of a nonprofit's latest return, each with its formula and lines, and where there are enough of its cause, size
// and region, how it stands among them. No ratio is good or bad by itself, and none is called so.
import { ask } from "./api.js";
import { line } from "./card.js";
import { h } from "./dom.js";
import { taxYear } from "./filings.js";
import { MAJORS, count, plural, short } from "./format.js";
import { sourced } from "./source.js";
import { STATES } from "./filters.js";

/** Among fewer, to be more than most says nothing. */
const COMPARED_MIN = 5;

const percent = (value) => `${count(100 * value).replace("-", "−")}%`;
const cents = (value) => `${count(100 * value)}¢ a dollar`;
const months = (value) => plural(Number(value.toFixed(1)), "month", "months");
/** What each ratio is called, and how its values are said. */
const RATIOS = {
  program_share: ["Spent on programs", percent],
  fundraising_cost: ["Cost of raising a dollar", cents],
  months_of_reserves: ["Reserves", months],
  surplus_margin: ["Surplus", percent],
  revenue_growth: ["Growth of revenue", percent],
};

/** The section; null where no return was loaded or no ratio is known. */
export async function peersSection({ ein, signal, filings }) {
  const { body } = await ask(`/nonprofits/peers/${ein}`, {}, { signal });
  const known = body.ratios.filter(({ value }) => value !== null);
  if (known.length === 0) return null;
  const among = [
    body.ntee_major && (MAJORS[body.ntee_major] ?? body.ntee_major).toLowerCase(),
    body.min_revenue !== null && `${short(body.min_revenue)} to ${short(body.max_revenue)} revenue`,
    body.state ? STATES[body.state] ?? body.state : "the whole country"];
  const when = taxYear(body.tax_year, await filings().catch(() => []));
  // Those of any cause are no peers.
  const compared = Boolean(body.ntee_major) && body.peers >= COMPARED_MIN;
  return [
    h("p", { class: "muted small" }, `For the ${when}`, compared ? [`, among ${plural(body.peers, "peer", "peers")} with a loaded return: `, line(among), "."] : ". Too few returns of the same cause and size are loaded for a comparison."),
    h("dl", { class: "peers" }, known.map((one) => ratio(one, compared))),
  ];
}

function ratio({ name, formula, lines, value, percentile, median, known }, compared) {
  const [title, say] = RATIOS[name] ?? [name.replaceAll("_", " "), count];
  const dot = h("span", { class: "peer-dot" });
  if (percentile !== null) dot.style.insetInlineStart = `${percentile}%`;
  return h("div", { class: "peer" },
    h("dt", {}, title),
    h("dd", {}, sourced(say(value), [formula, ". ", lines])),
    compared && percentile !== null && known >= COMPARED_MIN && h("dd", { class: "muted small" },
      h("span", { class: "peer-scale", "aria-hidden": "true" }, dot), `${rank(percentile, known)}; the median is ${say(median)}`));
}

/** Where a value stands among those of peers, without a percentage of the first and the last. */
function rank(percentile, known) {
  if (percentile >= 100) return `the highest of ${count(known)} peers`;
  if (percentile <= 0) return `the lowest of ${count(known)} peers`;
  return `higher than ${Math.round(percentile)}% of ${count(known)} peers`;
}
